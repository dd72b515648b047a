"""What the bots at a table have to do next. Pure: a snapshot in, one thing to do out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from companion.bots.policy.policy import choice_of, may_decide, move_of_the_table, seat_of
from companion.table.record.open_game import FROZEN

if TYPE_CHECKING:
    from companion.bots.policy.policy import BotGame
    from companion.games.json_types import MoveJson
    from companion.table.session.handlers.answers import QuestionJson
    from companion.table.session.snapshots import Snapshot

QUIET: Final = frozenset({"none", "over", FROZEN})
"""Phases in which nobody has anything to do."""


@dataclass(frozen=True, slots=True)
class Think:
    """A seat has something to decide."""

    seat: int
    character: str


@dataclass(frozen=True, slots=True)
class Do:
    """A move that needs no thought: threats, the recall, an answer about a figure moved as suggested."""

    move: MoveJson


def bots_of(snapshot: Snapshot) -> dict[str, str]:
    """Return the seats that bots play with their characters, in the order of the table."""
    players = snapshot.state["players"]
    return {colour: bot for colour, player in players.items() if (bot := player.get("bot"))}


def game_of(snapshot: Snapshot) -> BotGame | None:
    """Return the game, where it is one whose positions `companion.bots` judges."""
    position = snapshot.position
    if position is None or not position.rules.has_bots or position.rules.bench:
        return None
    game: BotGame = position.game
    return game


def what_next(snapshot: Snapshot) -> Think | Do | None:
    """Return the first thing that a bot has to do: answers before turns, so that nobody waits for them."""
    bots, game = bots_of(snapshot), game_of(snapshot)
    if not bots or game is None or snapshot.state["phase"] in QUIET or snapshot.state["record"]["state"] != "ok":
        return None
    answer = _about_a_figure(snapshot, bots)
    if answer is not None:
        return answer
    seats = [(seat_of(colour), character) for colour, character in bots.items()]
    for seat, character in seats:
        if choice_of(game, seat) is not None:
            return Think(seat, character)
    if snapshot.state["suggestion"] is None:
        for seat, character in seats:
            if may_decide(game, seat):
                return Think(seat, character)
    return _for_nobody(snapshot, bots, game)


def _about_a_figure(snapshot: Snapshot, bots: dict[str, str]) -> Do | None:
    """Answer the table's question which dweller a bot's figure is: the suggested one, else the likeliest."""
    for choice in snapshot.state["pending"]:
        if choice["kind"] == "placement" and choice["by"] in bots:
            said = snapshot.state["suggestion"]
            wanted = (
                ""
                if said is None or said["by"] != choice["by"]
                else _option_of(snapshot, said["move"], cast("QuestionJson", choice)["place"])
            )
            option = wanted if wanted in choice["options"] else choice["options"][0]
            return Do({"do": "choose", "by": choice["by"], "id": choice["id"], "option": option})
    return None


def _option_of(snapshot: Snapshot, move: MoveJson, place: str) -> str:
    """Return how a suggested move is called among the ways of a figure; where the order is asked, its space."""
    if "," in place or snapshot.position is None:
        return str(move["space"])
    return snapshot.position.mat.option(move)


def _for_nobody(snapshot: Snapshot, bots: dict[str, str], game: BotGame) -> Do | None:
    """Where all are bots nobody presses a button: spawn threats, and recall dwellers that no camera sees."""
    if len(bots) < len(snapshot.state["players"]) or snapshot.state["pending"]:
        return None
    move = move_of_the_table(game)
    if move is None or (snapshot.state["phase"] == "recall" and snapshot.state["table"]["camera"] != "off"):
        return None
    return Do(move.as_json())
