"""The whole state of a game in the wasteland: decks, map, survivors and their boards, what is under way, reminders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Self, TypedDict

from companion.games.wasteland.box import COLOURS, NO_CARD, NOBODY, OVER, SETUP, START_HOLE
from companion.games.wasteland.flow.ways import Ways

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    from companion.cards.wasteland.types import DieFace, Scenario
    from companion.cards.wasteland.words import EncounterIcon, EnemyType, Faction, TileBack, Trait
    from companion.games.wasteland.box import WastelandBox
    from companion.games.wasteland.events import WastelandEvent
    from companion.games.wasteland.map.plan import WastelandMap


NEWEST: Final = 5
"""The version of the rules; games that were begun by an earlier one go on by it."""


class Survivor:
    """One player's board. Cards are held as `turned` numbers; the hand is secret."""

    __slots__ = (
        "answers", "at", "beside", "caps", "character", "eliminated", "hand", "hole", "hp", "hp_max", "inventory",
        "letters", "locked", "perks", "rads", "revealed", "slots", "traits",
    )  # fmt: skip

    def __init__(self) -> None:
        self.character = NO_CARD
        self.hp_max = 0
        self.hp = 0
        self.rads = 0
        self.hole = START_HOLE
        self.letters = 0
        self.traits: frozenset[Trait] = frozenset()
        self.locked: frozenset[Trait] = frozenset()  # those of them whose token shows a lock
        self.caps = 0
        self.hand: list[int] = []
        self.answers: list[int] = []  # what the owner says about manual conditions, beside each agenda
        self.revealed = NO_CARD  # the place in the hand that lies faceup for loyalty
        self.slots = [NO_CARD, NO_CARD, NO_CARD]
        self.inventory: list[int] = []
        self.beside = NO_CARD  # a character card that is neither item nor companion (W-SETUP-17)
        self.perks: list[int] = []
        self.at = ""
        self.eliminated = False

    @property
    def remaining(self) -> int:
        """Remaining HP (W-HP-2)."""
        return self.hp - self.rads

    def held(self) -> list[int]:
        """Return all equipped cards and those in the inventory."""
        return [card for card in self.slots if card != NO_CARD] + self.inventory

    def turnable(self) -> list[int]:
        """Return all cards that can be exhausted: those held, and the one beside the board."""
        return self.held() + ([] if self.beside == NO_CARD else [self.beside])

    def copy(self) -> Survivor:
        twin = Survivor.__new__(Survivor)
        for name in Survivor.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value.copy() if isinstance(value, list) else value)
        return twin


class EnemyToken(NamedTuple):
    """An enemy on the map: what it is, whether it is faceup, its space if told, whether it was seen."""

    kind: int
    active: bool
    at: str
    seen: bool = True


class Visit(NamedTuple):
    """An encounter under way; without a card it is read from the table."""

    icon: EncounterIcon
    level: int
    card: int


class WastelandResult(NamedTuple):
    """Who won, by what, with which influence."""

    winners: tuple[int, ...]
    decided_by: str
    influence: tuple[tuple[int, int], ...]


class Pile:
    """A facedown deck, its top last, and its discard pile."""

    __slots__ = ("cards", "discards")

    def __init__(self, cards: list[int], discards: list[int] | None = None) -> None:
        self.cards = cards
        self.discards = discards or []

    def copy(self) -> Pile:
        return Pile(self.cards.copy(), self.discards.copy())


class PendingStep(NamedTuple):
    """A step of something under way; the seat is the survivor whom it happens to, or NOBODY."""

    do: str
    seat: int
    data: tuple[Any, ...] = ()


class AskedChoice(NamedTuple):
    """One question. Its options are worked out when somebody looks, so that they are always true."""

    id: int
    by: int
    kind: str
    clause: str
    data: tuple[Any, ...] = ()


class WastelandPosition:
    __slots__ = (
        "acted", "actions", "agendas", "assets", "at_start_of_turn", "box", "contest",
        "decks_of",
        "encountered", "enemies", "events", "first", "laid", "loot", "loyalty_set", "names", "next_choice",
        "next_enemy", "pending", "perks", "phase", "points", "power", "quests", "reminders", "result",
        "revealed_agenda", "rolls", "round", "scenario", "seats", "shop", "shown", "shuffles", "stacks", "steps",
        "succeeded", "supply", "survivors", "table_cards", "table_dice", "tile_stacks", "tokens", "told", "turn",
        "uniques", "uniques_out", "used", "version", "visit", "waiting_turn", "ways",
    )  # fmt: skip

    def __init__(self, box: WastelandBox, scenario: Scenario, seats: tuple[int, ...]) -> None:
        self.box = box
        self.scenario = scenario
        self.seats = seats  # clockwise
        self.names: dict[str, str] = {}  # that a correction has given, by colour
        self.version = NEWEST  # of the rules by which it was begun, and goes on
        self.table_dice = not box.dice  # dice are thrown by hand until their faces are known
        self.ways, self.table_cards = Ways(), False  # what was agreed; whether cards and tokens lie in real decks
        self.told: tuple[str, ...] = ()  # what the table told for the step that waits for it
        self.phase = SETUP
        self.round = 1
        self.turn = NOBODY
        self.first = seats[0]
        self.acted = 0  # a mask of the seats that had a turn since the last enemy phase
        self.waiting_turn = NOBODY  # whose turn follows the enemy phase
        self.actions = 0
        self.points = 0
        self.encountered = False
        self.at_start_of_turn = False  # the start of the turn, before the first action, perk or item
        self.loyalty_set = False
        self.used: frozenset[tuple[int, int]] = frozenset()  # abilities that cost nothing, used in this turn
        self.survivors = [Survivor() for _ in COLOURS]
        self.supply = [0] * 7
        self.agendas = Pile([])
        self.revealed_agenda = NO_CARD
        self.loot = Pile([])
        self.assets = Pile([])
        self.stacks: dict[EnemyType, Pile] = {}
        self.uniques, self.uniques_out = list[int](), list[int]()
        self.shop: list[int] = []
        self.perks: list[int] = []
        self.power = [0, 0]
        self.quests: list[int] = []
        self.decks_of: dict[EncounterIcon, list[int]] = {}
        self.enemies: dict[int, EnemyToken] = {}
        self.next_enemy = 1
        self.tokens: list[tuple[Faction, str]] = []  # of factions, where they are no enemies, each with its space
        self.laid: dict[int, int] = {}  # tiles that lie faceup, by their place in the layout
        self.tile_stacks: dict[TileBack, list[int]] = {}  # tiles that facedown places may be, the next one last
        self.contest: DiceContest | None = None
        self.succeeded = False
        self.visit: Visit | None = None
        self.shown: tuple[tuple[int, int, int], ...] = ()  # who shows whom which place of the hand (W-CAMP-7)
        self.steps: list[PendingStep] = []
        self.pending: list[AskedChoice] = []
        self.next_choice = 1
        self.rolls = 0
        self.shuffles = 0
        self.result: WastelandResult | None = None
        self.events: list[WastelandEvent] = []
        self.reminders: tuple[Reminder, ...] = ()

    def copy(self) -> Self:
        """Return a copy that shares nothing that changes."""
        twin = self.__class__.__new__(self.__class__)
        for name in WastelandPosition.__slots__:
            setattr(twin, name, getattr(self, name))
        for name in ("supply", "uniques", "uniques_out", "shop", "perks", "power", "quests", "enemies", "laid",
                     "steps", "pending", "tokens"):  # fmt: skip
            setattr(twin, name, getattr(self, name).copy())
        for name in ("agendas", "loot", "assets"):
            setattr(twin, name, getattr(self, name).copy())
        twin.stacks = {kind: pile.copy() for kind, pile in self.stacks.items()}
        twin.tile_stacks = {back: stack.copy() for back, stack in self.tile_stacks.items()}
        twin.decks_of = {icon: deck.copy() for icon, deck in self.decks_of.items()}
        twin.survivors = [survivor.copy() for survivor in self.survivors]
        twin.contest = None if self.contest is None else self.contest.copy()
        twin.events = []
        return twin

    def become(self, other: WastelandPosition) -> None:
        """Take over everything of another position."""
        for name in WastelandPosition.__slots__:
            setattr(self, name, getattr(other, name))

    @property
    def by_the_book(self) -> bool:
        """Return whether what was wrong in version 1 is right: own letters lie beside the supply, and the like."""
        return self.version >= 2  # noqa: PLR2004 - of the rules

    @property
    def by_itself(self) -> bool:
        """Return whether a turn ends where nothing is left to do, and dice fall where nothing comes before them."""
        return self.version >= 3  # noqa: PLR2004 - of the rules

    @property
    def at_once(self) -> bool:
        """Return whether dice fall in the enemy phase too, and of two real tokens only the one that is kept is told."""
        return self.version >= 4  # noqa: PLR2004 - of the rules

    @property
    def trades_in_reach(self) -> bool:
        """Return whether a camp offers trade only where somebody is in reach and there is something to trade."""
        return self.version >= 5  # noqa: PLR2004 - of the rules

    @property
    def map(self) -> WastelandMap | None:
        """Return the map as it lies; None where nobody entered one, and where things are is told by hand."""
        plan = self.box.plans.get(self.scenario.id)
        return None if plan is None else plan.lying(self.laid)

    def alive(self) -> list[int]:
        """Return the seats still in the game, clockwise (W-TURN-10)."""
        return [seat for seat in self.seats if not self.survivors[seat].eliminated]

    def from_first(self) -> list[int]:
        """Return the seats still in the game, the first player's first (W-CORE-3)."""
        start = self.seats.index(self.first)
        order = self.seats[start:] + self.seats[:start]
        return [seat for seat in order if not self.survivors[seat].eliminated]

    def is_own_turn(self, seat: int) -> bool:
        return self.turn == seat and self.phase not in (OVER, SETUP)


class DiceContest:
    """Three dice for one survivor. A fight has an enemy, a test has letters and a difficulty."""

    __slots__ = ("adjacent", "dice", "difficulty", "drawn", "hits", "kind", "letters", "number", "rerolls", "seat")

    def __init__(self, seat: int, letters: str, rerolls: int) -> None:
        self.seat = seat
        self.letters = letters  # of the test, or on the equipped weapon: those used in the fight (W-FIGHT-15)
        self.rerolls = rerolls
        self.hits = 0  # added to the survivor's by cards
        self.difficulty = 0
        self.kind = -1
        self.number = 0  # the token on the map; 0 for draw-and-fight
        self.drawn = False
        self.adjacent = False
        self.dice: tuple[DieFace | None, ...] = (None, None, None)

    @property
    def is_fight(self) -> bool:
        return self.kind >= 0

    def copy(self) -> DiceContest:
        twin = DiceContest.__new__(DiceContest)
        for name in DiceContest.__slots__:
            setattr(twin, name, getattr(self, name))
        return twin


# Every reminder with the clauses that it stands for. Pages put the words to it.
REMINDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "build-map": ("W-SETUP-2", "W-MAP-7"),
    "sort-supply": ("W-SETUP-3",),
    "encounter-decks": ("W-SETUP-4",),
    "start-space": ("W-SETUP-10",),
    "starting-effects": ("W-SETUP-14",),
    "enemies-on-the-map": ("W-SETUP-15",),
    "faction-tokens": ("W-FACT-5",),
    "enemy-moves": ("W-ENEMY-6", "W-ENEMY-8", "W-ENEMY-9"),
    "enemy-replaced": ("W-ENEMY-23",),
    "enemies-on-the-tile": ("W-ENEMY-10", "W-MAP-6"),
    "survivor-killed": ("W-KILL-1",),
    "quest-marker": ("W-QUEST-6",),
    "right-hand-reads": ("W-ENC-2",),
    "library": ("W-LIB-1", "W-LIB-2"),
    "movement": ("W-MAP-1", "W-MAP-2", "W-MAP-4"),
    "irradiated": ("W-MAP-3",),
    "tile-flipped": ("W-MAP-5",),
    "settlement-instead": ("W-SOLO-1",),
    "read-alone": ("W-SOLO-3",),
    "by-hand": ("W-CORE-1",),
}


class ReminderFields(TypedDict, total=False):
    at: str | None
    notes: list[str]
    number: int
    points: int
    reader: str
    space: str
    toward: str
    type: str
    words: str


class Reminder(NamedTuple):
    """Something that people do now by hand."""

    by: int
    key: str
    fields: ReminderFields
    event: Literal["reminder"] = "reminder"


def remind(game: WastelandPosition, key: str, seat: int, **fields: Unpack[ReminderFields]) -> None:
    """Remind people of something that they do now by hand."""
    reminder = Reminder(seat, key, fields)
    game.reminders = (*game.reminders, reminder)
    game.events.append(reminder)
