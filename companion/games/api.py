"""The port `Game`: one object that says everything of a game that table, pages, voice, network and commands ask.

A game is a class that inherits from `Game` and fills what is abstract; whatever has a body here may stay as it is.
`examples/pig` is a whole one, and `docs/games.md` says how it is added.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import partial
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Generic,
    NamedTuple,
    TypeAlias,
    TypeVar,
)

from companion.games import scenario
from companion.games.json_types import State
from companion.languages.catalogues import card_texts
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from companion.cards.corner_sheet import CornerSheet
    from companion.cards.loader import PackText
    from companion.games.chance import Chance
    from companion.games.json_types import EventJson, MoveJson, RelayJson
    from companion.games.mat import Mat, MatLayout
    from companion.games.timeline import Playable

COLOURS: Final = ("red", "blue", "green", "yellow")
"""The seats of every table; a game may leave some of them empty."""
Event: TypeAlias = tuple[Any, ...]
"""An event as the rules tell it: a tuple, named or not."""


# --- what people read and press ---------------------------------------------------------------------------------------


class CardName(str):
    """A card's id among the fields of a text: what is read or said is its name in the reader's language."""

    __slots__ = ()


class Printed(NamedTuple):
    """Sentences as they stand on cards: told in a language that has texts of those cards, else as they are."""

    sentences: tuple[str, ...]
    catalogue: str
    """The file with the texts of the cards, which `languages/<code>/cards` has."""


class Names(dict[str, str]):
    """What somebody has called a thing, by language; who speaks another language hears the first of them."""


class Sentences(list["Text"]):
    """Texts within a text, one after the other, each with a capital at its beginning."""


class Text(NamedTuple):
    """A line of a catalogue with its fields; a tuple of names is joined with the language's "and"."""

    key: str
    fields: Mapping[str, str | int | tuple[str, ...] | Printed | Names | Sentences | Text] = {}


def in_words(text: Text, words: Mapping[str, str], name_of_card: Callable[[str], str] = str) -> str:
    """Return a text with its fields in the words of a language, whose code is one of them (`language`)."""
    fields: dict[str, object] = {}
    for key, field in text.fields.items():
        match field:
            case Sentences():
                said = [in_words(one, words, name_of_card) for one in field]
                fields[key] = " ".join(f"{one[:1].upper()}{one[1:]}" for one in said)
            case Text():
                fields[key] = in_words(field, words, name_of_card)
            case Names():
                fields[key] = field.get(words["language"]) or next(iter(field.values()))
            case Printed(sentences, catalogue):
                told = card_texts(words["language"], catalogue)
                fields[key] = " ".join(told.get(one, one) for one in sentences)
            case tuple():
                fields[key] = f" {words['and']} ".join(map(str, field))
            case CardName():
                fields[key] = name_of_card(field)
            case _:
                fields[key] = field
    return words[text.key].format(**fields)


class ViewRow(NamedTuple):
    """A player in the table of a view."""

    colour: str
    numbers: tuple[int | str, ...]


class ViewButton(NamedTuple):
    """A legal move that a seat may make with one tap."""

    label: Text
    move: MoveJson


class View(NamedTuple):
    """A position as pages show it that know nothing of the game: phone and big screen alike."""

    title: Text
    """What is to be done now, and by whom."""
    lines: tuple[Text, ...] = ()
    """What else there is to read, the most important line first."""
    columns: tuple[Text, ...] = ()
    """What the numbers of the rows count."""
    rows: tuple[ViewRow, ...] = ()
    """The players, clockwise."""
    buttons: tuple[ViewButton, ...] = ()
    """What the seat that looks may do; empty for the big screen."""


class Signal(Enum):
    """What lamps and buzzer announce, whatever the game calls it."""

    NEWS = "news"
    LAST_ROUND = "last_round"
    OVER = "over"


class Meaning(Enum):
    """What a button can be."""

    PRESS = "a press, told as soon as it is down"
    PRESS_OR_HOLD = "a press, told when it is let go, or a hold"
    HOLD = "a hold only"


class Button(StrEnum):
    """The buttons of the panel."""

    RED = "red"
    BLUE = "blue"
    GREEN = "green"
    YELLOW = "yellow"
    THREATS = "threats"
    ROLL = "roll"
    RECALL = "recall"
    UNDO = "undo"

    @property
    def meaning(self) -> Meaning:
        match self:
            case Button.RED | Button.BLUE | Button.GREEN | Button.YELLOW:
                return Meaning.PRESS_OR_HOLD
            case Button.THREATS | Button.ROLL | Button.RECALL:
                return Meaning.PRESS
            case Button.UNDO:
                return Meaning.HOLD


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll of two dice that somebody may make with real ones."""

    kind: str
    moves: tuple[MoveJson, ...]
    """The moves that would take what was thrown, without the dice."""
    by: str | None = None
    """Whose it is; None: anybody's."""
    id: int | None = None
    """The choice that asks for it, if one does."""
    levels: tuple[int, ...] = ()
    """The levels that are rolled for, one after the other, where one move takes several throws."""
    round: int = 0


class CornerFace(NamedTuple):
    """The upper side of a die in the marked corner, and which die it is, where only one has that side."""

    die: int | None
    face: str


class CornerAnswer(NamedTuple):
    """The move that tells what lies in the marked corner, and the die it was told by; None: the card."""

    move: MoveJson
    used: CornerFace | None = None


# --- what the network says --------------------------------------------------------------------------------------------


class PlayerSensor(NamedTuple):
    """A number of every player's board that home automation may show."""

    field: str
    label: str
    icon: str


class RemoteButton(NamedTuple):
    """A move that home automation may make, there to be pressed in one phase alone."""

    key: str
    label: str
    icon: str
    move: MoveJson
    phase: str


class Announced(NamedTuple):
    """What home automation must know of a game before it is played."""

    phases: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    sensors: tuple[PlayerSensor, ...] = ()
    buttons: tuple[RemoteButton, ...] = ()


# --- the game ---------------------------------------------------------------------------------------------------------

P = TypeVar("P", bound="Playable")
"""A position: it plays a move, or refuses it, and copies itself."""
M = TypeVar("M")
"""A move that has been read."""
S = TypeVar("S", bound=State)
"""The game's own state."""
E = TypeVar("E", bound=Event)
"""An event of the rules."""


class Game(ABC, Generic[P, M, S, E]):
    """One game. It knows no clock, file, thread or page; chance is passed in."""

    name: ClassVar[str]
    """What records, scenarios and settings call it."""
    title: ClassVar[str]
    """What is printed on its box."""
    version: ClassVar[int] = 1
    """Of the rules; the record keeps it."""
    seats: ClassVar[tuple[int, int]] = (2, 4)
    """The fewest and the most players."""
    mat: ClassVar[Mat | None] = None
    """What lies where, for a camera that follows the table; None where no camera can read this game's table."""
    own_dice: ClassVar[bool] = False
    """Whether its dice have faces of their own: throws are told with a move, none comes from `Chance`."""
    has_bots: ClassVar[bool] = False
    """Whether a bot may play a seat."""
    characters: ClassVar[tuple[str, ...]] = ("easy", "fair", "hard")
    """Whom a bot may be, where there are bots; `companion.bots.policy.characters` knows them all."""
    odds: ClassVar[frozenset[str]] = frozenset()
    """Which odds its pages can show: `fight`, `columns`, `win`, `hint`. The host is asked about these alone."""
    bench: ClassVar[str] = ""
    """The module whose `BENCH` decides for bots; empty with bots: `companion.bots` judges positions of this game."""
    sheets: ClassVar[str] = ""
    """The module whose `printed(pack, language, address)` is what `companion print` prints of it; empty: nothing."""
    home_pack: ClassVar[str] = ""
    """The card pack that is played with where nobody names one; empty where the game has no cards."""
    corner: ClassVar[CornerSheet | None] = None
    """The sheet of its marked corner, where a camera reads drawn cards and thrown dice; then what `sheets` prints
    has `tags` and `sides` (`companion/app/sight/corner_eye.py`)."""
    measure: ClassVar[str] = "points"
    """What `standing` counts."""
    anybody: ClassVar[frozenset[str]] = frozenset()
    """The moves that are nobody's own: whoever holds a seat may make them."""
    announced: ClassVar[Announced] = Announced()
    """What home automation is told of it."""

    # --- rules: what may happen ---------------------------------------------------------------------------------------

    @abstractmethod
    def new(self, pack: PackText, setup: Mapping[str, object], chance: Chance) -> P:
        """Return a new game; `setup` says who plays (`players`, clockwise) and what else was agreed on."""

    def renew(self, version: int, pack: PackText, setup: Mapping[str, object], chance: Chance) -> P:
        """Return a game of the record as rules of that version began it; a change of rules must not change it."""
        return self.new(pack, setup, chance)

    @abstractmethod
    def read(self, raw: object) -> M:
        """Return a move from JSON, or refuse it."""

    @abstractmethod
    def write(self, move: M) -> MoveJson:
        """Return a move as JSON; reading it again gives the same move."""

    @abstractmethod
    def legal(self, position: P, eyes: Iterable[str]) -> list[M]:
        """Return the legal moves, with those that only the seats `eyes` may know of."""

    @abstractmethod
    def serialize(self, event: E) -> EventJson:
        """Return an event of the rules as JSON."""

    def by(self, event: E) -> str | None:
        """Return the colour whose event this is; None: nobody's."""
        return self.serialize(event).get("by")

    def signal(self, event: E) -> Signal | None:
        """Return how lamps and buzzer announce an event; None: not at all."""
        return None

    def seconds_to_see(self, event: E) -> float:
        """Return how long people look at what happened: pages keep showing it, and bots wait; 0: in passing."""
        return 0.0

    # --- state: what everybody sees -----------------------------------------------------------------------------------

    @abstractmethod
    def state(self, position: P) -> S:
        """Return the rules' part of the state; the table adds `id`, `version`, `seq` and the devices."""

    def blank_state(self) -> State:
        """Return the state before any game has begun: what pages and programs read while nothing is played."""
        return {
            "game": self.name,
            "round": 0,
            "phase": "none",
            "turn": None,
            "order": [],
            "pending": [],
            "players": {},
            "result": None,
        }

    @abstractmethod
    def standing(self, state: S) -> dict[str, int]:
        """Return how every player stands, for the curve of a game."""

    def tally(self, position: P) -> dict[str, int]:
        """Return how far everybody is toward winning, for the end alone; empty where `standing` says it."""
        return {}

    def summary(self, player: Any) -> str:
        """Return a player's board in a few English words, for the command line."""
        return ", ".join(f"{value} {key}" for key, value in player.items() if key not in ("name", "bot"))

    def view(self, state: S, legal: Sequence[MoveJson], seat: str | None) -> View:
        """Return the position for pages that do not know the game; `legal` are the moves of `seat`."""
        whose = state["turn"]
        title = Text(state["phase"]) if whose is None else Text("turn_of", {"name": name_of(state, whose)})
        rows = tuple(ViewRow(colour, (points,)) for colour, points in self.standing(state).items())
        buttons = tuple(ViewButton(Text(f"do_{move['do']}"), move) for move in legal)
        return View(title, columns=(Text(self.measure),), rows=rows, buttons=buttons)

    # --- secrets: what a seat alone sees ------------------------------------------------------------------------------

    def shown(self, move: M) -> MoveJson:
        """Return a move as everybody may see it."""
        return self.write(move)

    def private(self, position: P, seat: str) -> Mapping[str, object]:
        """Return what a seat alone may see; empty where the game has no secrets."""
        return {}

    def has_secrets(self, position: P) -> bool:
        """Return whether something of this game's record must not be told yet."""
        return False

    # --- the table: buttons, dice and what lies there -----------------------------------------------------------------

    def pressed(self, state: S, button: Button, *, held: bool) -> MoveJson | None:
        """Return the move that a button means now, None where a colour only asks for a look, or refuse.

        A game answers for the buttons that mean something to it, and leaves the others to this one.
        """
        match button:
            case Button.RED | Button.BLUE | Button.GREEN | Button.YELLOW:
                return None
            case Button.THREATS | Button.ROLL | Button.RECALL | Button.UNDO:
                raise unused(button)

    def roll(self, state: S) -> Roll | None:
        """Return the roll of two dice that is asked first; None where real ones are not read."""
        return None

    def has_corner(self, state: S) -> bool:
        """Return whether cards or dice of the marked corner are looked for now; only a game with `corner` says so."""
        del state
        return False

    def corner_asked(self, state: S) -> int | None:
        """Return the open choice that a card or die in the marked corner may answer."""
        return None

    def corner_answer(self, state: S, card: str | None, dice: tuple[CornerFace, ...]) -> CornerAnswer | None:
        """Return the answer to that choice by what has come into the corner, None where nothing there fits."""
        return None

    def fetched(self, state: S) -> MatLayout | None:
        """Return what hands fetch and put away where no camera looks on; None where that is nobody's to tick off."""
        return None

    def relay(self, state: S) -> RelayJson:
        """Return what lies where (`pieces`) and in front of the players (`boards`), to lay a frozen game again."""
        return {"pieces": [], "boards": {}}

    # --- cards --------------------------------------------------------------------------------------------------------

    def packs(self) -> tuple[str, ...]:
        """Return the names of the card packs that come with it."""
        return ()

    def pack_text(self, name_or_folder: str, overlay: str | None) -> PackText:
        """Return the files of a pack; PackFaults tells all that is wrong with it."""
        from companion.cards.loader import PackText  # noqa: PLC0415 - a game with cards has its own

        return PackText(())

    def check_pack(self, path: str, overlay: str | None) -> Iterable[str] | None:
        """Return what a pack at a path holds, line by line, or PackFaults; None where it is no pack of this game."""
        return None

    def check_file(self, path: str) -> Iterable[str] | None:
        """Return what an owner's file beside the packs holds, or PackFaults; None where this game has no such file."""
        return None

    def with_cards(self, position: P, pack: PackText) -> P:
        """Return the same position with cards that somebody has corrected."""
        return position

    def named(self, position: P, thing: str, language: str) -> str | None:
        """Return what a card, piece or place is called in a language; None where nobody has told what it is."""
        return thing.replace("-", " ")

    # --- words, network, scenarios ------------------------------------------------------------------------------------

    def words(self, language: str) -> Mapping[str, str]:
        """Return the game's own lines by their keys, in English where it has no others."""
        return {}

    def spoken(self, event: E, state: S) -> Text | None:
        """Return what is said aloud of an event, and what pages list that do not know the game; None: nothing."""
        return None

    def opening(self, state: S) -> Text | None:
        """Return what is said aloud when a game begins; None: nothing."""
        return None

    def scores(self, state: S) -> dict[str, dict[str, int]] | None:
        """Return by colour what a league adds up of a finished game; None where leagues do not count it."""
        return None

    def points(self, state: S) -> int | None:
        """Return what a finished game is worth beside the same game at other tables; None: it cannot be compared."""
        return None

    def deeds(self, state: S) -> list[tuple[str, str]]:
        """Return what is worth telling of a finished game: a key of the pages' words, and whose it is (or empty)."""
        return []

    def scenario(self, raw: Mapping[str, object], pack: PackText, chance: Chance) -> list[str]:
        """Run a scenario and return what did not hold."""
        return scenario.run(self, raw, partial(self.new, pack), chance)


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
"""A game whose positions, moves and states are its own business."""


def unused(button: Button) -> Refusal:
    """Return the refusal of a button that has no meaning in a game."""
    name = button.value.upper()
    return Refusal("button_unused", None, f"The button {name} means nothing in this game.", button=name)


def name_of(state: State, colour: str) -> str:
    """Return what the player of a colour is called."""
    return state["players"][colour].get("name") or colour.capitalize()
