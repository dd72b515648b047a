"""The cards of the wasteland as frozen values: what an owner types in, checked and taken apart."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from companion.cards.wasteland.words import (
        Ability,
        Area,
        CardDeck,
        CardKind,
        EnemyType,
        Faction,
        Price,
        Timing,
        Trait,
    )


@dataclass(frozen=True, slots=True)
class Amount:
    """A number; with `of_level` it is added to the level of the encounter icon (W-ENC-8)."""

    number: int = 1
    of_level: bool = False

    def at(self, level: int) -> int:
        """The number where the icon has this level, never below 0 (A-41)."""
        return max(0, self.number + level) if self.of_level else self.number


ONE: Final = Amount()


class Does(StrEnum):
    """What a result or an effect does: the shared vocabulary."""

    ADD = "add"
    STAGE = "stage"
    BECOME = "become"
    LOSE = "lose"
    XP = "xp"
    CAPS = "caps"
    DAMAGE = "damage"
    RADS = "rads"
    HEAL = "heal"
    DRAW = "draw"
    SHOP = "shop"
    UNIQUE = "unique"
    POWER = "power"
    EXHAUST = "exhaust"
    UNEXHAUST = "unexhaust"
    REROLL = "reroll"
    HIT = "hit"
    KILL = "kill"
    TRASH = "trash"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Effect:
    """One result: `caps 3`, `draw loot 2`, `become vilified`. `word` is what it is about."""

    does: Does
    amount: Amount = ONE
    word: str = ""


class Asks(StrEnum):
    """What a condition looks at."""

    TRAIT = "trait"
    NOT = "not"
    LETTER = "letter"
    LETTERS = "letters"
    CAPS = "caps"
    ARMOR = "armor"
    PERKS = "perks"
    HAS = "has"
    EQUIPPED = "equipped"
    COUNT = "count"
    LEAD = "lead"
    SPACE = "space"
    WITH_SURVIVOR = "with-survivor"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that holds or does not: `trait idolized`, `caps 5-9`, `equipped companion`."""

    asks: Asks
    word: str = ""
    low: int = 0
    high: int = 999


@dataclass(frozen=True, slots=True)
class Bonus:
    """What an agenda adds: influence for a condition; of one `group` only the best counts (W-AGENDA-1)."""

    influence: int
    when: Condition
    group: str = ""


@dataclass(frozen=True, slots=True)
class Agenda:
    """An agenda card."""

    id: str
    name: str
    count: int
    min_players: int
    base: int
    faction: Faction | None
    activates: tuple[EnemyType, ...]
    bonuses: tuple[Bonus, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Enemy:
    """An enemy token; a level of X or Y is looked up on the power track (W-ENEMY-28)."""

    id: str
    name: str
    count: int
    type: EnemyType
    level: int
    level_letter: str
    areas: frozenset[Area]
    abilities: frozenset[Ability]
    note: str = ""


@dataclass(frozen=True, slots=True)
class CardAbility:
    """What a card can do, when, and for what."""

    timing: Timing
    price: Price
    caps: int
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """An item, a companion, an event or a character's ability."""

    id: str
    name: str
    count: int
    deck: CardDeck
    kind: CardKind
    cost: int | None = None
    value: int | None = None
    letters: str = ""
    ranged: bool = False
    armor: int = 0
    abilities: tuple[CardAbility, ...] = ()
    effects: tuple[Effect, ...] = ()
    unexhaust_price: int | None = None
    stay_if: Condition | None = None
    recruit_if: Condition | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Perk:
    """A perk: one-shot, for one of its letters (W-PERK-1)."""

    id: str
    name: str
    count: int
    letters: str
    effects: tuple[Effect, ...]
    inside_action: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Face:
    """A face of a V.A.T.S. die (W-DICE-2)."""

    areas: frozenset[Area]
    hits: int


@dataclass(frozen=True, slots=True)
class Settings:
    """The constants of the rules, for an owner to correct."""

    influence: tuple[int, int, int, int] = (11, 10, 9, 8)
    hp_max: int = 16
    rads_max: int = 16
    agenda_limit: int = 4
    inventory_limit: int = 3
    shop_size: int = 4
    camp_heal: int = 3
    start_caps: int = 3
    actions: int = 2
    special_supply: tuple[int, ...] = (5, 5, 5, 5, 5, 5, 5)
    solo_substitute_space: str = "settlement"
    locked_traits: tuple[Trait, ...] = ()
