"""The show on the big screen: the spawn step level by level, fights, and the podium."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from companion.games.shelter import events as shelter
from companion.games.shelter.words import COLOURS, SPACE_NAMES
from companion.table.session import events as table
from web.base.words import name_of
from web.games.shelter.cards import card_name, room_name, side_name, space_name, vault_state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.api import Event
    from companion.games.shelter.state import SpawnedState
    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, VaultState

ENDS_A_FIGHT: Final = (
    shelter.DwellersPlaced,
    shelter.TurnPassed,
    shelter.ThreatRolled,
    shelter.DwellersRecalled,
    shelter.RecordCorrected,
    shelter.RoundBegun,
    table.GameStarted,
    table.MoveUndone,
)


@dataclass(frozen=True, slots=True)
class SpawnStep:
    level: int
    dice: list[int]
    column: int
    text: str
    lands: bool


def is_on(state: VaultState) -> bool:
    """Whether the spawn step has only just been: nobody has been placed since."""
    passed = any(player["passed"] for player in state["players"].values())
    return bool(state["spawned"]) and state["phase"] == "place" and not state["placed"] and not passed


def steps(words: Words, state: VaultState, cards: PackCards) -> list[SpawnStep]:
    return [
        SpawnStep(one["level"], one["dice"], one["column"], _text(words, state, cards, one), one["space"] is not None)
        for one in state["spawned"]
    ]


def _text(words: Words, state: VaultState, cards: PackCards, one: SpawnedState) -> str:
    if one["space"] is None or one["why_not"]:
        return words.text(f"nothing_{one['why_not'] or 'no_number'}")
    threat = card_name(words, cards, one["threat"]) if one["threat"] else words.text("card_unknown")
    room = f"{room_name(words, state, cards, one['space'])}, {side_name(words, one['space'])}"
    return words.text("lay_card", card=threat, room=room)


@dataclass(slots=True)
class ShownFight:
    """A fight as all can follow it: the dice are empty before the roll, `won` is None while it is open."""

    colour: str
    who: str
    what: str
    need: int
    dice: list[int]
    bonus: int = 0
    won: bool | None = None

    @property
    def total(self) -> int:
        return sum(self.dice) + self.bonus


def fight(words: Words, state: VaultState, cards: PackCards, recent: Sequence[Snapshot]) -> ShownFight | None:
    """Return the fight that is open, or was the last thing to happen; None when something else has happened since."""
    if state["phase"] != "place":
        return None
    told = [(vault_state(one.state), event) for one in recent if one.state["id"] == state["id"] for event in one.events]
    shown = _rolled(words, cards, told)
    pending = next((one for one in state["pending"] if one["kind"] in ("fight", "reroll")), None)
    if pending is None or pending["by"] is None:
        return shown
    fought = [space for space, one in state["placed"].items() if one["by"] == pending["by"]][-1]
    printed = cards.at(state, fought)
    if pending["kind"] == "reroll" and shown is not None:
        return replace(shown, won=None)
    name, what = name_of(words, state, pending["by"]), space_name(words, state, cards, fought)
    return ShownFight(pending["by"], name, what, printed.fight if printed else 0, [])


def _rolled(words: Words, cards: PackCards, told: Sequence[tuple[VaultState, Event]]) -> ShownFight | None:
    """Return the last roll, unless somebody has been placed after it."""
    shown = None
    for state, event in told:
        if isinstance(event, ENDS_A_FIGHT):
            shown = None
        elif isinstance(event, shelter.FightRolled):
            where = space_name(words, state, cards, SPACE_NAMES[event.space])
            colour = COLOURS[event.by]
            shown = ShownFight(
                colour, name_of(words, state, colour), where, event.number, list(event.dice), event.bonus
            )
        elif isinstance(event, shelter.FightWon | shelter.FightLost) and shown is not None:
            shown.won = isinstance(event, shelter.FightWon)
    return shown


@dataclass(frozen=True, slots=True)
class PodiumPlace:
    colour: str
    happiness: int
    items: int
    threats: int
    won: bool


def podium(state: VaultState) -> list[PodiumPlace]:
    """Return the players by their result, winners first."""
    result = state["result"]
    if result is None:
        return []
    places = [
        PodiumPlace(colour, score["happiness"], score["items"], score["threats"], colour in result["winners"])
        for colour, score in result["scores"].items()
    ]
    return sorted(places, key=lambda place: (not place.won, -place.happiness))
