"""Quests, encounters, survivors and scenario sheets as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.cards.wasteland.types import ONE

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Amount, Condition, Effect
    from companion.cards.wasteland.words import EnemyType, Icon, Trait


class StepKind(StrEnum):
    """What an objective or an option asks a survivor to do."""

    TEST = "test"
    HELPER_TEST = "helper-test"
    FIGHT = "fight"
    DRAW_AND_FIGHT = "draw-and-fight"
    PAY = "pay"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction: `test CI 3`, `draw-and-fight critter`, `pay 2`."""

    kind: StepKind
    letters: str = ""
    amount: Amount = ONE
    word: str = ""


@dataclass(frozen=True, slots=True)
class Objective:
    """One way to complete a quest, triggered or by quest action (W-QUEST-2)."""

    triggered: bool
    requires: tuple[Condition, ...]
    steps: tuple[Step, ...]
    results: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Quest:
    """A quest card of the library."""

    number: int
    name: str
    on_stage: tuple[Effect, ...]
    marker: bool
    objectives: tuple[Objective, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """One arrow of an encounter."""

    requires: tuple[Condition, ...]
    forced_if: Condition | None
    steps: tuple[Step, ...]
    succeed: tuple[Effect, ...]
    fail: tuple[Effect, ...]
    results: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Encounter:
    """An encounter card: number 0 is the star of the first decks."""

    id: str
    name: str
    number: int
    back: Icon
    options: tuple[Option, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Character:
    """A survivor to choose (W-SETUP-9)."""

    id: str
    name: str
    letter: str
    hp_max: int
    start_card: str
    start_traits: tuple[Trait, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class TrackSpace:
    """One space of the power track, with what X and Y are worth there."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class PlacedEnemy:
    """An enemy icon of the map, or where a faction token lies."""

    type: EnemyType
    at: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario sheet."""

    id: str
    name: str
    factions: tuple[str, str]
    track: tuple[TrackSpace, ...]
    opening_quests: tuple[int, ...]
    start_spaces: tuple[str, ...]
    spaces: tuple[str, ...]
    enemies: tuple[PlacedEnemy, ...]
    setup_notes: tuple[str, ...] = ()
