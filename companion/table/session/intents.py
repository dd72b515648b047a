"""Intents and questions: the values that go into the session's inbox."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from companion.games.registry import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from companion.bots.policy.reason_texts import Reason
    from companion.bots.worth.win_chance import EstimateJson
    from companion.games.api import Button, Event
    from companion.games.json_types import EventJson, MoveJson
    from companion.table.record.entries import CampaignJson
    from companion.table.session.snapshots import Snapshot
    from companion.table.sight.reading import Reading


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who speaks: seats, the host, or the table itself."""

    seats: frozenset[str] = frozenset()
    host: bool = False
    name: str = ""

    def may_speak_for(self, colour: str | None) -> bool:
        """Whether this is theirs to say; what is nobody's is anybody's who holds a seat."""
        return self.host or (bool(self.seats) if colour is None else colour in self.seats)


HOST = Speaker(host=True, name="host")
PANEL = Speaker(host=True, name="panel")
CAMERA = Speaker(host=True, name="camera")


@dataclass(frozen=True, slots=True)
class Tap:
    """A move of the contract from a phone, a script or a broker."""

    move: object
    speaker: Speaker = HOST
    if_version: int | None = None


@dataclass(frozen=True, slots=True)
class TableSeen:
    """What the camera saw, and when by a clock that only goes forward."""

    reading: Reading
    at: float = 0.0
    asked: bool = False
    """Whether somebody's button asked for this look."""


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    button: Button
    held: bool = False


@dataclass(frozen=True, slots=True)
class DeviceChanged:
    """A device went, or came back; `hint` says what to do."""

    device: str
    state: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class StartGame:
    setup: Mapping[str, object]
    plays: str = DEFAULT
    pack: str = ""
    """A pack's name or its folder; without one it is the game's own."""
    overlay: Path | None = None
    seed: str | None = None
    """Given, everything follows from it alone: the same game again. Otherwise chance is promised."""
    week: str | None = None
    """The week whose challenge it is: chance is the same at every table."""
    campaign: CampaignJson | None = None
    number: object = None
    """What the phone that begins the game adds to its chance, and the promise (`promise`) that it was shown."""
    promise: object = None
    speaker: Speaker = HOST


@dataclass(frozen=True, slots=True)
class AddNumber:
    """The phone of a seat adds its number to the chance of this game, or of the next where none is being played."""

    seat: str
    number: object
    speaker: Speaker
    promise: object = None
    """The fingerprint that the phone was shown; None: whichever is shown now."""


@dataclass(frozen=True, slots=True)
class ChooseGame:
    game: str
    speaker: Speaker = HOST


@dataclass(frozen=True, slots=True)
class EditCards:
    """The owner has corrected a card of the pack that is being played."""

    pack: str
    overlay: Path | None = None
    speaker: Speaker = HOST


@dataclass(frozen=True, slots=True)
class Freeze:
    """Put the game away for another evening, with a photo's name."""

    photo: str | None = None
    speaker: Speaker = HOST


@dataclass(frozen=True, slots=True)
class Thaw:
    """Take a frozen game up again."""

    speaker: Speaker = HOST


@dataclass(frozen=True, slots=True)
class Decide:
    """The host's word on trouble with the record: `set-aside` an entry, or `keep-last-good` of a damaged record."""

    option: str
    speaker: Speaker = HOST


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    """The host says how the people play, how the table speaks and which odds it shows.

    What is None stays as it is.
    """

    way: str | None = None
    rest: float | None = None
    speaker: Speaker = HOST
    voice: bool | None = None
    language: str | None = None
    odds_fight: bool | None = None
    odds_columns: bool | None = None
    odds_win: bool | None = None
    odds_hint: bool | None = None
    bots_wait: bool | None = None


@dataclass(frozen=True, slots=True)
class SeatBot:
    """A seat is handed to a bot of this character, or taken back (None): by the host, or by the seat itself."""

    seat: str
    character: str | None
    speaker: Speaker = HOST


@dataclass(frozen=True, slots=True)
class Propose:
    """What a bot would do, and why: played at once, or said for people to do on a table that is watched."""

    move: MoveJson
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Follow:
    """Somebody has moved the figure as the bot said; nobody waits for the camera."""

    speaker: Speaker = HOST


@dataclass(frozen=True, slots=True)
class RecordDoubted:
    """A part of the record that the start did not read does not verify."""


@dataclass(frozen=True, slots=True)
class HandsDone:
    """Somebody has done at these places what the table owed."""

    places: tuple[str, ...]
    speaker: Speaker = HOST


@dataclass(frozen=True, slots=True)
class GoAway:
    """A seat is not at the table, or back at it: what it places is done by other hands."""

    seat: str
    away: bool
    speaker: Speaker = HOST


@dataclass(frozen=True, slots=True)
class Foreseen:
    """Everybody's chance to win, estimated for a version of a game."""

    game: str
    version: int
    round: int
    estimate: EstimateJson


@dataclass(frozen=True, slots=True)
class Look:
    """Publish the state as it is, for a reader that has just arrived."""


@dataclass(frozen=True, slots=True)
class AskLegal:
    """What may be done now, by whom; it changes nothing and is answered with a list of `Offer`."""

    by: str | None = None
    eyes: frozenset[str] = frozenset()
    """The seats of the reader: some moves tell of a hand, and only its owner may read them."""


@dataclass(frozen=True, slots=True)
class AskCards:
    """Which cards are being played with; answered with a pack's text, or None without a game."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A legal move, and whether a trained dweller would double its reward."""

    move: MoveJson
    doubled: bool = False


Intent = (
    Tap
    | TableSeen
    | ButtonPressed
    | DeviceChanged
    | StartGame
    | AddNumber
    | ChooseGame
    | EditCards
    | Freeze
    | Thaw
    | Decide
    | ChangeSettings
    | SeatBot
    | Propose
    | Follow
    | HandsDone
    | GoAway
    | Foreseen
    | RecordDoubted
    | Look
)


class AnswerJson(TypedDict):
    version: int
    events: Sequence[EventJson]


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of an intent."""

    snapshot: Snapshot

    @property
    def version(self) -> int:
        return self.snapshot.version

    @property
    def events(self) -> tuple[Event, ...]:
        return self.snapshot.events

    def as_json(self) -> AnswerJson:
        return {"version": self.version, "events": self.snapshot.events_as_json()}
