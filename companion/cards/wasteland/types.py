"""The cards of the wasteland as frozen values: what an owner types in, checked and taken apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.cards.wasteland.words import (
        Ability,
        Area,
        CardDeck,
        CardKind,
        EncounterIcon,
        EnemyType,
        Faction,
        Price,
        Terrain,
        TileBack,
        Timing,
        Trait,
    )


@dataclass(frozen=True, slots=True)
class Amount:
    """A number; with `of_level` it is added to the level of the encounter icon (W-ENC-8)."""

    number: int = 1
    of_level: bool = False

    def at(self, level: int) -> int:
        """Return the number where the icon has this level, never below 0 (A-41)."""
        return max(0, self.number + level) if self.of_level else self.number


ONE: Final = Amount()


class Does(StrEnum):
    """What a result or an effect does: the shared vocabulary."""

    ADD = "add"
    STAGE = "stage"
    BECOME = "become"
    LOSE = "lose"
    LOCK = "lock"
    XP = "xp"
    CAPS = "caps"
    DAMAGE = "damage"
    RADS = "rads"
    HEAL = "heal"
    DRAW = "draw"
    SHOP = "shop"
    UNIQUE = "unique"
    POWER = "power"
    LAY = "lay"
    TAKE = "take"
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
    TOKEN = "token"  # noqa: S105 - of a faction
    TOKENS = "tokens"
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
class WastelandCard:
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
class DieFace:
    """A face of a V.A.T.S. die (W-DICE-2)."""

    areas: frozenset[Area]
    hits: int


@dataclass(frozen=True, slots=True)
class WastelandSettings:
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
    """Traits of which every token shows a lock; that of a single token stands with its survivor."""


class StepKind(StrEnum):
    """What an objective or an option asks a survivor to do."""

    TEST = "test"
    HELPER_TEST = "helper-test"
    FIGHT = "fight"
    DRAW_AND_FIGHT = "draw-and-fight"
    PAY = "pay"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: `test CI 3`, `draw-and-fight critter`, `pay 2`."""

    kind: StepKind
    letters: str = ""
    amount: Amount = ONE
    word: str = ""


@dataclass(frozen=True, slots=True)
class Objective:
    """One way to complete a quest, triggered or by quest action (W-QUEST-2)."""

    triggered: bool
    when: str
    """What triggers it, in the words of the card."""
    requires: tuple[Condition, ...]
    steps: tuple[Instruction, ...]
    results: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class QuestCard:
    number: int
    name: str
    on_stage: tuple[Effect, ...]
    marker: bool
    objectives: tuple[Objective, ...]
    note: str = ""
    open: bool = False
    """Whether there is more on the card than was entered: the rest is carried out by hand."""


@dataclass(frozen=True, slots=True)
class EncounterArrow:
    requires: tuple[Condition, ...]
    forced_if: Condition | None
    steps: tuple[Instruction, ...]
    succeed: tuple[Effect, ...]
    fail: tuple[Effect, ...]
    results: tuple[Effect, ...]
    text: str = ""
    """What is read out before somebody chooses."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """An encounter card: number 0 is the star of the first decks."""

    id: str
    name: str
    number: int
    back: EncounterIcon
    options: tuple[EncounterArrow, ...]
    note: str = ""
    open: bool = False
    """Whether there is more on the card than was entered: the rest is read from it."""


@dataclass(frozen=True, slots=True)
class Character:
    """A survivor to choose (W-SETUP-9); one that nobody entered wholly has no letter yet."""

    id: str
    name: str
    letter: str
    hp_max: int
    start_card: str
    start_traits: tuple[Trait, ...]
    note: str = ""
    locked_traits: tuple[Trait, ...] = ()
    """Those of them whose token shows a lock (W-TRAIT-4)."""


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
class TileSpace:
    """A space of a tile with its icons; an enemy icon of None is a random one, a level of None is asked for."""

    id: str
    area: str
    """Its letter in the tile's pattern."""
    name: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    encounter: EncounterIcon | None = None
    level: int | None = None
    terrain: frozenset[Terrain] = frozenset()
    enemies: tuple[EnemyType | None, ...] = ()


@dataclass(frozen=True, slots=True)
class MapTile:
    """A tile: its pattern names the space of each triangle. One without a back is only laid faceup."""

    id: str
    name: str
    names: Mapping[str, str]
    back: TileBack | None
    pattern: str
    spaces: tuple[TileSpace, ...]


@dataclass(frozen=True, slots=True)
class TilePlace:
    """A place of a layout: a tile by its id, or a facedown one with this back."""

    tile: str
    back: TileBack | None
    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario sheet. Without a layout nobody entered its map: spaces are told by hand."""

    id: str
    name: str
    factions: tuple[str, str]
    track: tuple[TrackSpace, ...]
    opening_quests: tuple[int, ...]
    start_spaces: tuple[str, ...]
    spaces: tuple[str, ...]
    enemies: tuple[PlacedEnemy, ...]
    setup_notes: tuple[str, ...] = ()
    layout: tuple[TilePlace, ...] = ()
    start_tile: str = ""
    tokens: tuple[str, str] = ("", "")
    """What the tokens of each faction mean where they are no enemies (W-FACT-5)."""


@dataclass(frozen=True, slots=True)
class BoxCounts:
    """How many of each kind lie in the owner's box; what is not entered stands there as blanks."""

    loot: int = 0
    asset: int = 0
    unique: int = 0
    perks: int = 0
    """Of each letter."""
    agendas: tuple[int, ...] = (0, 0, 0, 0)
    """In the deck, by the number of players."""
    enemies: Mapping[EnemyType, int] = field(default_factory=dict)
    stars: Mapping[EncounterIcon, int] = field(default_factory=dict)
    """Encounter cards with a star instead of a number."""
    library: Mapping[int, EncounterIcon] = field(default_factory=dict)
    """The back of each numbered encounter card; the other numbers are quests."""


@dataclass(frozen=True, slots=True)
class WastelandPack:
    """All cards, tokens and dice of one owner."""

    id: str
    verified: bool
    settings: WastelandSettings
    dice: tuple[tuple[DieFace, ...], ...] = ()
    agendas: tuple[Agenda, ...] = ()
    enemies: tuple[Enemy, ...] = ()
    cards: tuple[WastelandCard, ...] = ()
    perks: tuple[Perk, ...] = ()
    quests: tuple[QuestCard, ...] = ()
    encounters: tuple[Encounter, ...] = ()
    characters: tuple[Character, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    tiles: tuple[MapTile, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    box: BoxCounts | None = None
    """What lies in the owner's box, where cards are entered as they come."""
