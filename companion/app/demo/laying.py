"""A game of the record that goes on: the drawn table is laid as it was left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.app.demo.helping import INJURED
from companion.games.shelter.laying import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hardware.tabletop.table import SimulatedTable

DONE: Final = ("none", "over")


def goes_on(state: Mapping[str, Any], setup: Mapping[str, Any], pack: str) -> bool:
    """Whether the record has a game under way that this table would have begun."""
    if state["game"] != "shelter" or state["phase"] in DONE:
        return False
    options, players = state["options"], state["players"]
    bots = [colour for colour, player in players.items() if player.get("bot")]
    same_box = (options["pack"], options["cards"]) == (pack, "companion")
    return same_box and set(players) == set(setup["players"]) and len(bots) == len(setup["bots"])


def lay(table: SimulatedTable, state: Mapping[str, Any]) -> None:
    """Every card and dweller where the record has them; who has no place there waits at home."""
    table.clear()
    for card, place in _cards(state):
        if card != UNKNOWN:
            table.lay(card, place)
    for colour, player in state["players"].items():
        waiting = table.bring(colour, player["total"])
        for space, lying in _placed(state, colour):
            table.put(waiting.pop(0), space, lying=lying)
        for dweller in player["available"]:
            if dweller.startswith(INJURED):
                table.tip(waiting.pop(0), lying=True)
    table.throw()


def _cards(state: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for number, level in state["levels"].items():
        yield "elevator" if level["owner"] is None else f"elevator-{level['owner']}", f"{number}:E"
        for column, card in level["rooms"].items():
            yield card, f"{number}:{column}"
    for space, threat in state["threats"].items():
        yield threat, space
    for track, row in state["tracks"].items():
        for number, card in enumerate(row):
            yield card, f"{track}:{number}"


def _placed(state: Mapping[str, Any], colour: str) -> Iterator[tuple[str, bool]]:
    """The spaces of a colour's dwellers, and whether each lies there."""
    for space, standing in state["placed"].items():
        if standing["by"] == colour:
            for dweller in standing["dwellers"]:
                yield space, dweller.startswith(INJURED)
