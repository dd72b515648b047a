"""What a game shows on the pages: the port that a folder of web/games fills; the folder is named as the game."""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import web.games
from companion.games import registry
from companion.games.registry import game_of
from web.base.words import spoken
from web.games.asking import WHO
from web.games.scenes import told

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.bots.review.review import ReviewJson
    from companion.games.json_types import MoveJson
    from companion.table.record.history import Story
    from companion.table.session.intents import Offer, Speaker, StartGame
    from companion.table.session.snapshots import Snapshot, Snapshots
    from companion.table.session.state_view import SnapshotState
    from web.base.context import Context
    from web.base.words import Words
    from web.games.charts import Chart
    from web.games.feed import FeedLine, MissedEvents
    from web.games.forms import FormPart
    from web.games.keepsake import TablePicture
    from web.games.scenes import Scene

GENERIC: Final = "generic"
"""The folder of the pages of a game that has none of its own."""
LARGEST_PACK: Final = 2 * 1024 * 1024
"""Bytes of a pack that its owner brings; all cards of a box are a tenth of it."""


class Page(NamedTuple):
    """A template and what it is given."""

    template: str
    fields: Mapping[str, object]


class HostMove(NamedTuple):
    """A move that the host may make for the table: its name, and the key of its label."""

    do: str
    label: str


class Door(NamedTuple):
    """A link with its words, by their keys in the catalogues."""

    href: str
    label: str
    hint: str = ""
    name: str = ""
    """What follows the label: the title of a game whose name is in no catalogue."""
    place: int = 5
    """Where it stands among those of other pages."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Whom a page is made for, and what of: one snapshot from its first line to its last."""

    words: Words
    snapshot: Snapshot
    who: Speaker
    context: Context
    scene: Scene | None = None
    """What is shown to everybody now, or to this reader, who has to answer something in it."""
    step: int = 0

    @property
    def state(self) -> SnapshotState:
        return self.snapshot.state

    def recent(self) -> list[Snapshot]:
        """Return the snapshots of the current game in which something happened, oldest first."""
        return recent_of(self.context.session.snapshots, self.state["id"])

    def as_seat(self, colour: str) -> Reader:
        """Return the reader of one seat's own page: acts for it where the seat or the host reads, else for nobody."""
        who = self.who
        seats = frozenset({colour}) if colour in who.seats or who.host else frozenset[str]()
        return replace(self, who=type(who)(seats, who.host, who.name))


def recent_of(snapshots: Snapshots, game: str | None) -> list[Snapshot]:
    """Return the snapshots of a game in which something happened, oldest first."""
    return [one for one in snapshots.all_newer_than(0, 0) if one.events and one.state["id"] == game]


@dataclass(frozen=True, slots=True)
class Moment:
    """A scene for one reader: its template, what it is given, and the step."""

    kind: str
    key: str
    step: int
    template: str
    fields: Mapping[str, object]
    """With `says`: what a voice says of each step, and `mark` where the same scene may change."""
    may_act: bool = False
    """Whether the reader holds a seat, or is the host."""
    own: bool = False
    """Whether this reader is asked something in it, and sees it before all others."""
    big: bool = False
    """Whether it is read from the sofa."""


@dataclass(frozen=True, slots=True)
class Head:
    """The one large thing of the status page."""

    round: str
    phase: str
    camera: str
    camera_text: str
    colour: str
    title: str
    sub: str
    last_round: bool


@dataclass(frozen=True, slots=True)
class WayOut:
    """One button of a disagreement; `brings` is what the seat would have more or less of, as pictograms with a sign."""

    option: str
    move: MoveJson
    brings: tuple[tuple[str, str], ...] = ()


class PurseLine(NamedTuple):
    """One resource of a cost, and how much of it somebody has."""

    icon: str
    costs: int
    has: int


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Where table and record differ; `ways` is empty for those whom it does not concern."""

    id: int
    by: str
    name: str
    text: str
    clause: str
    place: str
    ways: tuple[WayOut, ...]
    purse: tuple[PurseLine, ...] = ()
    """Where something cannot be paid: what it costs, and what is there."""


@dataclass(frozen=True, slots=True)
class HandLine:
    """One thing that hands owe the table: a sign, what to do, where, and the places that are done with it."""

    sign: str
    """`lay`, `off` or `move`."""
    what: str
    where: str
    places: tuple[str, ...]
    colour: str = ""
    """Whose figure it is."""
    level: str = ""
    cells: tuple[int, ...] = ()
    """Where that is in the small picture of the level: the left edges of its cells."""


@dataclass(frozen=True, slots=True)
class LaidPiece:
    """One piece of a layout; `verdict` is empty where no camera looks on."""

    place: str
    piece: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Relaying:
    """What lies on the mat, group by group, and what lies in front of the players."""

    groups: list[tuple[str, list[LaidPiece]]]
    boards: list[tuple[str, str, str]]
    left: int


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One entry to which the host may go back."""

    nth: int
    colour: str
    text: str
    round: int


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game of the record; `name`, `unit` and `curve` are texts: what it is called, and what its numbers are."""

    game: str
    began: str
    round: int
    players: list[tuple[str, str, int, bool]]
    chart: Chart
    current: bool
    trouble: bool
    kinds: tuple[str, ...]
    over: bool
    decided: int | None = None
    name: str = ""
    told: tuple[str, ...] = ()
    """More lines for whoever asks how it was."""
    unit: str = ""
    curve: str = ""
    has_steps: bool = False
    """Whether it can be looked at step by step."""
    has_review: bool = False
    """Whether the companion can tell what decided it."""


class CampaignText(NamedTuple):
    """A campaign in the reader's words: for each evening its title, what is told before it, and what it is like."""

    id: str
    title: str
    evenings: Sequence[tuple[str, str, str]]


class NextEvening(NamedTuple):
    """An evening of a campaign that is begun: how the one before ended (None: there is none), and who plays."""

    campaign: str
    number: int
    won_before: bool | None
    names: Mapping[str, str]
    """Who plays, clockwise; an empty name is the colour's."""


class GamePages(Protocol):
    """Everything the pages ask of a game; what has a body is optional."""

    status_label: str = "nav_status"
    host_doors: Sequence[Door] = ()
    """Links of this game on the host's page, while it is played."""
    default_pack: str = ""
    """What is played with where nobody names a pack."""
    has_steps: bool = False
    """Whether a game of the record can be looked at step by step."""
    nobody: str = "start_nobody_plays"
    """What the first page says while nobody plays, by the key of the sentence."""
    hero: str = ""
    """The template of the picture on that page."""
    house_doors: Sequence[Door] = ()
    """Links to what its owner puts right of its cards and board, while it is played."""
    no_columns: str = "columns_none"
    """What the page of columns says where a game has none, by the key of the sentence; empty: it has them."""
    bots_hint: str = "bots_hint_any"
    """What a bot does in this game, and what it leaves to people, by the key of the sentence."""
    asks: Sequence[str] = (WHO,)
    """The steps of the questions before a game."""
    intro: Sequence[str] = ()
    """What one does in it and how one wins, by the keys of the sentences."""

    def head(self, words: Words, state: SnapshotState) -> Head:
        """Return whose turn it is and what comes next, for the head of every page."""

    def status(self, reader: Reader) -> Page:
        """Return the status page."""

    def seat(self, reader: Reader, colour: str) -> Page:
        """Return a player's own page; without the seat it shows what lies open and offers nothing."""

    def space(self, reader: Reader, colour: str, place: str, asked: tuple[str, str]) -> Page | None:  # noqa: ARG002
        """Return what a seat can do at one place of the table; `asked` says which way of it, and with whom."""
        return None

    def screen(self, reader: Reader) -> Page:
        """Return the big screen; the route adds how to join."""

    def missed(self, reader: Reader, colour: str, since: int | None) -> MissedEvents:
        """Return what happened after snapshot `since`, or after this colour's own last move."""

    def past(self, words: Words, story: Story, *, current: bool) -> PastGame | None:
        """Return a game as the history lists it; None where not even its first entry can be replayed."""

    def entries(self, reader: Reader) -> list[HistoryEntry]:
        """Return the history of the game that is played, newest first."""

    def start(self, reader: Reader, setup: object, pack: object) -> StartGame:
        """Return the new game that was agreed on, or raise a refusal."""

    def house_calls(self, reader: Reader) -> Sequence[str]:  # noqa: ARG002 - a default
        """Return the twists of which one may be drawn for an evening, each in a sentence or two."""
        return ()

    def campaigns(self, reader: Reader) -> Sequence[CampaignText]:  # noqa: ARG002 - a default
        """Return the campaigns of linked evenings that can be played."""
        return ()

    def next_evening(self, reader: Reader, evening: NextEvening, form: Mapping[str, str]) -> StartGame | None:  # noqa: ARG002
        """Return the next evening of a campaign, with the cards that the form names; None where there is none."""
        return None

    def of_the_week(self, reader: Reader, week: str, players: int) -> StartGame | None:  # noqa: ARG002 - a default
        """Return the game that is the same at every table in a week; None where there is none of this game."""
        return None

    def new_game(self, reader: Reader, asked: Mapping[str, str]) -> Page:
        """Return one step of the questions before a game; `asked` has what was answered so far."""

    def setup_of(self, form: Mapping[str, str]) -> dict[str, object]:
        """Return the setup that the form of a new game describes."""

    def scenes(self, recent: Sequence[Snapshot]) -> list[Scene]:
        """Return what all pages show together of the snapshots of a game, in order."""
        return told(recent)

    def happened(self, reader: Reader, snapshot: Snapshot) -> list[FeedLine]:  # noqa: ARG002 - a default
        """Return what happened in one snapshot as lines, in order."""
        return []

    def moment(self, reader: Reader, scene: Scene, me: str) -> Page:  # noqa: ARG002 - a default
        """Return a scene in the reader's words; `me` is the colour whose own page it is, if it is one."""
        lines = self.happened(reader, scene.snapshot)
        says = spoken(*(" ".join(part for part in (line.who, line.text) if part) for line in lines))
        return Page("table/told.html", {"lines": lines, "says": [says]})

    def ending(self, reader: Reader, me: str) -> Page | None:  # noqa: ARG002 - a default
        """Return the end of a game that is over: who won, how it adds up, what decided it."""
        return None

    def again(self, reader: Reader, setup: dict[str, object]) -> StartGame | None:  # noqa: ARG002 - a default
        """Return the next game with the same people, from what the last one began with; None: it takes a form."""
        return None

    def host_moves(self, state: SnapshotState) -> Sequence[HostMove]:  # noqa: ARG002 - a default
        """Return the moves of this phase that are nobody's own."""
        return ()

    def in_words(self, reader: Reader) -> Page | None:  # noqa: ARG002 - a default
        """Return the whole table as a list, for readers of words."""
        return None

    def differing(self, reader: Reader) -> Sequence[Disagreement]:  # noqa: ARG002 - a default
        """Return where table and record disagree."""
        return ()

    def hands(self, reader: Reader) -> Sequence[HandLine]:  # noqa: ARG002 - a default
        """Return what hands owe the table, in words."""
        return ()

    def laying(self, reader: Reader) -> Relaying | None:  # noqa: ARG002 - a default
        """Return what has to lie where, while a layout is laid."""
        return None

    def step(self, reader: Reader, story: Story, nth: int) -> Page | None:  # noqa: ARG002 - a default
        """Return one step of a game of the record; None where the game has no such page."""
        return None

    def review(self, reader: Reader, story: Story, review: ReviewJson) -> Page | None:  # noqa: ARG002 - a default
        """Return what decided a finished game; None where the game has no such page."""
        return None

    def table_picture(self, reader: Reader, story: Story) -> TablePicture | None:  # noqa: ARG002 - a default
        """Return the table at the end of a game, for a picture to take away; None: results alone."""
        return None

    def previews(self, reader: Reader, offers: Sequence[Offer]) -> Sequence[object]:  # noqa: ARG002
        """Return cost and reward of each legal move, as they are printed."""
        return [None] * len(offers)

    def parts(self, words: Words, state: SnapshotState) -> Sequence[tuple[str, str, str]] | None:  # noqa: ARG002
        """Return key, title and colour of each part that can be corrected by form; None: it is done elsewhere."""
        return None

    def part(self, reader: Reader, key: str) -> FormPart | None:  # noqa: ARG002 - a default
        """Return one part as a form."""
        return None

    def correction(self, part: FormPart, values: Mapping[str, str]) -> dict[str, object]:  # noqa: ARG002 - a default
        """Return what was changed in a form, in the shape of a `correct` move."""
        return {}

    def rules(self, reader: Reader) -> Page | None:  # noqa: ARG002 - a default
        """Return what the page of the rules shows below its entries."""
        return None

    def rule(self, reader: Reader, key: str) -> Page | None:  # noqa: ARG002 - a default
        """Return what the game itself says of an icon, a card or another part of its rules."""
        return None

    def own_words(self, words: Words) -> Words:
        """Return the reader's words with those that the game brings itself."""
        return words

    def card_name(self, reader: Reader, card: str) -> str:  # noqa: ARG002 - a default
        """Return the name of a card that a refusal names."""
        return reader.words.text("card_unknown")


class GameDoors(NamedTuple):
    """What the host finds of a game, whichever game is played."""

    new_game: Door
    game: str
    cards: Door | None = None


def doors() -> list[GameDoors]:
    """Return what the games beside the first one offer the host."""
    own = [import_module(f"web.games.{name}.routes").DOORS for name in names() if find_spec(f"web.games.{name}.routes")]
    others = [game_of(name) for name in registry.names() if name not in names()]
    return own + [
        GameDoors(Door(f"/start?game={one.name}", "new_game", name=one.title), game=one.name) for one in others
    ]


@cache
def names() -> tuple[str, ...]:
    """Return the games that have pages of their own."""
    found = pkgutil.iter_modules(web.games.__path__)
    return tuple(one.name for one in found if one.ispkg and one.name != GENERIC)


def pages_of(game: str) -> GamePages:
    """Return the pages of a game, loaded with the first of them; a game without a folder has generic ones."""
    if game in names():
        found: GamePages = import_module(f"web.games.{game}.pages").PAGES
        return found
    generic: GamePages = import_module(f"web.games.{GENERIC}.pages").pages_for(game)
    return generic
