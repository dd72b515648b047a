"""The shape of the state as everybody may see it, and of what only a seat may see of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

from companion.games.wasteland.position import ReminderFields

if TYPE_CHECKING:
    from companion.games.wasteland.events import OfferJson


class HeldCard(TypedDict):
    id: str
    exhausted: bool


class SurvivorState(TypedDict):
    """A survivor board as everybody sees it."""

    name: NotRequired[str]
    """Added by the table."""
    bot: NotRequired[str | None]
    survivor: str | None
    hp: int
    hp_max: int
    rads: int
    remaining: int
    xp: str
    """`start`, or the letter that the peg stands under."""
    letters: str
    traits: list[str]
    locked: NotRequired[list[str]]
    """Traits whose token shows a lock."""
    caps: int
    agendas: int
    influence: int
    """At least: what everybody can tell of a hand."""
    loyal: str | None
    revealed: str | None
    weapon: HeldCard | None
    apparel: HeldCard | None
    companion: HeldCard | None
    inventory: list[HeldCard]
    character_card: HeldCard | None
    perks: list[str]
    space: str | None
    eliminated: bool


# What a page needs to put a question; which of it is there depends on the kind.
ChoiceAbout = TypedDict(
    "ChoiceAbout",
    {
        "from": str, "give": "OfferJson", "take": "OfferJson", "words": str, "die": int, "enemy": int, "type": str,
        "at": "str | None", "pile": str, "whose": "str | None", "agenda": int, "left": int,
        "quest": int,
    },
    total=False,
)  # fmt: skip


class WastelandChoice(TypedDict):
    id: int
    by: str | None
    kind: str
    options: list[str]
    clause: str
    about: ChoiceAbout


class EnemyState(TypedDict):
    """A token on the map; facedown ones show their type alone."""

    type: str
    active: bool
    space: str | None
    id: str | None
    level: int | None


class TileState(TypedDict):
    """A place of the map; of a facedown tile only the back is known."""

    column: int
    row: int
    tile: str | None
    back: str | None


class ContestState(TypedDict):
    """The fight or test under way."""

    by: str
    kind: str
    enemy: str | None
    number: int | None
    adjacent: bool
    letters: str
    difficulty: int | None
    dice: list[str | None]
    rerolls: int
    hits: int


class EncounterState(TypedDict):
    icon: str
    level: int | None
    card: str | None
    says: list[str]
    """What is read out before somebody chooses, where the companion dealt the card."""
    reader: str | None
    """Who reads it out: the right-hand neighbour; nobody where one plays alone (W-ENC-2)."""


class ActivatingState(TypedDict):
    """Where the enemy phase stands."""

    types: list[str]
    now: int
    enemy: int | None
    waiting: list[int]


class ActionsState(TypedDict):
    left: int
    points: int
    encountered: bool
    start_of_turn: bool


class WastelandOptions(TypedDict):
    pack: str
    scenario: str
    dice: str
    cards: str
    together: str
    agendas: str
    own: str


class ReminderState(ReminderFields):
    """A reminder with whatever it is about."""

    key: str
    clauses: list[str]
    by: str | None


class WastelandEnd(TypedDict):
    """How it ended; the hands are shown (W-END-1)."""

    winners: list[str]
    decided_by: str
    influence: dict[str, int]
    hands: dict[str, list[str]]


class TogetherState(TypedDict):
    """What all have in common where they play together: hands lie open (W-ALL-2)."""

    influence: int
    needed: int
    hands: dict[str, list[str]]


class WastelandState(TypedDict):
    """The rules' part of the state: no face of a hidden agenda, none of an inactive enemy (W-CORE-5)."""

    game: str
    round: int
    phase: str
    turn: str | None
    first: str
    order: list[str]
    options: WastelandOptions
    actions: ActionsState
    pending: list[WastelandChoice]
    players: dict[str, SurvivorState]
    power: dict[str, int]
    track: int
    needed: NotRequired[int]
    """Missing, as all that came later, in games that were begun before version 3."""
    shop: list[str]
    quests: list[int]
    enemies: dict[str, EnemyState]
    map: NotRequired[list[TileState]]
    """Missing where nobody entered the map of the scenario."""
    tokens: NotRequired[dict[str, list[str]]]
    """Where faction tokens lie that are no enemies; missing where all of them are."""
    together: NotRequired[TogetherState]
    contest: ContestState | None
    encounter: EncounterState | None
    reminders: list[ReminderState]
    revealed: str | None
    activating: ActivatingState | None
    decks: dict[str, int]
    discards: dict[str, int]
    stacks: dict[str, int]
    fallen: dict[str, int]
    encounters: dict[str, int]
    library: dict[str, str]
    """The numbered encounter cards in the game, each with its deck."""
    letters: dict[str, int]
    perks: list[str]
    result: WastelandEnd | None


class AgendaInHand(TypedDict):
    agenda: int
    """Its place in the hand, from 1 on."""
    id: str
    influence: int
    answer: int
    revealed: bool
    ask: str | None


class ShownAgenda(TypedDict):
    by: str
    id: str


class WastelandPrivate(TypedDict):
    """What a seat alone may see: its agendas, what they are worth, and agendas shown to it (W-CAMP-7)."""

    hand: list[AgendaInHand]
    influence: int
    needed: int
    may_claim: bool
    revealable: list[int]
    shown: list[ShownAgenda]
