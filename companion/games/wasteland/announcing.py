"""How an event is announced: lamps and buzzer, how long people look at it, and what is said aloud."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from companion.cards.wasteland.in_words import CATALOGUE
from companion.cards.wasteland.words import Faction
from companion.games.api import CardName, Printed, Signal, Text, name_of
from companion.games.wasteland import events
from companion.games.wasteland.box import COLOURS, ENEMIES, PHASES
from companion.games.wasteland.naming import QUEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.wasteland.events import WastelandEvent
    from companion.games.wasteland.state_types import WastelandState

LOOKED_AT: Final[Mapping[type, float]] = {
    events.SurvivorHits: 2.0,
    events.EnemyHits: 1.5,
    events.SkillTestJudged: 2.5,
    events.EnemyKilled: 1.5,
    events.AgendaRevealed: 2.5,
    events.TypeActivated: 1.6,
}
"""Seconds for which people look at what a fight, a test or the enemies have brought."""


def signal(event: WastelandEvent) -> Signal | None:
    """Return how lamps and buzzer announce the event, if they do."""
    match event:
        case events.AgendaRevealed() | events.TypeActivated():
            return Signal.NEWS
        case events.WastelandOver():
            return Signal.OVER
        case _:
            return None


def spoken(event: WastelandEvent, state: WastelandState) -> Text | None:
    """Return what is said aloud of an event: the enemy phase, fights, drawn cards, the end; nothing of hands."""
    if isinstance(event, events.QuietEvent):
        return None
    match event:
        case events.AgendaRevealed() | events.TypeActivated() | events.EnemyMoved():
            return _of_the_phase(event, state)
        case events.FightBegun():
            return Text("fights", {"player": _player(state, event.by), "enemy": CardName(event.enemy)})
        case events.EnemyKilled():
            return Text("enemy_falls", {"enemy": CardName(event.enemy)})
        case events.CardEvent() | events.QuestEvent() | events.PlainEvent():
            return _alike(event, state)
        case events.EncounterOpened():
            told = state["encounter"]
            says = told.get("says") if told is not None else None
            return Text("story", {"words": Printed(tuple(says), CATALOGUE)}) if says else None
        case events.WastelandOver():
            winners = tuple(name_of(state, colour) for colour in event.winners)
            return Text(("lost", "over")[len(winners)] if len(winners) <= 1 else "shared", {"winners": winners})
        case _:
            assert_never(event)


def _alike(event: events.CardEvent | events.QuestEvent | events.PlainEvent, state: WastelandState) -> Text | None:
    """Say who is killed, what is drawn and which quest is staged; the others of their kind are seen, not heard."""
    match event:
        case events.CardEvent("drawn", seat, card):
            return Text("draws", {"player": _player(state, seat), "card": CardName(card)})
        case events.QuestEvent("quest_staged", _, number):
            return Text("quest", {"quest": CardName(f"{QUEST}{number}")})
        case events.PlainEvent("survivor_killed", seat):
            return Text("killed", {"player": _player(state, seat)})
        case _:
            return None


def _of_the_phase(
    event: events.AgendaRevealed | events.TypeActivated | events.EnemyMoved, state: WastelandState
) -> Text | None:
    match event:
        case events.AgendaRevealed():
            return Text("enemy_phase")
        case events.TypeActivated():
            return _acting(event.type)
        case events.EnemyMoved():
            return _moved(event, state)
        case _:
            assert_never(event)


def _acting(kind: str) -> Text:
    """Say which enemies act now: a faction by the name that the scenario gives it."""
    if kind in list(Faction):
        return Text("acts_faction", {"faction": CardName(kind)})
    return Text("acts_" + kind.replace("-", "_"))


def _moved(event: events.EnemyMoved, state: WastelandState) -> Text | None:
    """Say where an enemy went while enemies act, as long as it lies faceup somewhere on the map."""
    token = state["enemies"].get(str(event.number))
    if state["phase"] != PHASES[ENEMIES] or event.at is None or token is None or token["id"] is None:
        return None
    return Text("goes", {"enemy": CardName(token["id"]), "space": CardName(event.at)})


def _player(state: WastelandState, seat: int) -> str:
    return name_of(state, COLOURS[seat])
