"""What the table needs of the world, as protocols, and the health of its components."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NotRequired, Protocol, Self, TypedDict, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from companion.table.record.entries import Damage, Entry
    from companion.table.session.snapshots import Snapshot
    from companion.table.session.state_view import SnapshotState
    from companion.table.sight.reading import Reading

Picture = Any
"""Rows of dots: grey, or blue, green and red. The table itself knows no arrays."""


class DeviceError(Exception):
    """A device does not do what it should; play goes on without it. The text says what to do."""


class Journal(Protocol):
    """The record as the session sees it. What `begin` and `append` return for is on the disk."""

    current: str | None
    damage: list[Damage]
    copy_is_behind: bool
    finished: str | None
    """What became of a restore that was cut short, if there was one."""

    @property
    def games(self) -> Mapping[str, list[Entry]]:
        """The games by their names; each is read when it is asked for."""

    @property
    def broken(self) -> bool:
        """Whether entries are missing or doubtful."""

    def begin(self, game: str, body: Mapping[str, object]) -> Entry: ...

    def append(self, game: str, kind: str, body: Mapping[str, object]) -> Entry: ...

    def entries(self, game: str) -> list[Entry]:
        """Return the good entries of a game."""

    def doubt(self) -> None:
        """Look at all of the record, and add nothing more where it is damaged."""

    def keep_last_good(self) -> Path:
        """Put what is damaged aside and go on from the last good state, because somebody said so."""


class Frame(Protocol):
    """One picture. It belongs to the camera: nothing of it may be used after the `with`."""

    image: Picture
    at: float


class Camera(Protocol):
    """A camera above the table. Whatever goes wrong with it is a DeviceError."""

    @property
    def name(self) -> str:
        """What people would call it."""

    def frame(self, *, full: bool) -> AbstractContextManager[Frame]:
        """Return the next picture: a small one for motion, the full one for looking."""

    def close(self) -> None: ...


class CameraValues(TypedDict, total=False):
    """What of a camera can be held, in the words of a profile's `camera.locked`."""

    exposure_us: float
    gain: float
    colour_gains: list[float]
    temperature: float
    focus: float


@runtime_checkable
class Controls(Protocol):
    """The settings of a camera that can be fixed."""

    @property
    def wave_us(self) -> float:
        """Return the microseconds of a wave of the lamps' light here; nought where it does not come in waves."""

    def values(self) -> CameraValues:
        """Return what the last full picture was taken with; nothing where the camera cannot tell."""

    def hold(self, values: CameraValues) -> None:
        """Take every picture with these from now on; without any, the camera finds them by itself again."""


NOBODY_THERE: Final = "nothing"
"""The pose of nobody."""


class FigureSaid(NamedTuple):
    """What a person said of a space that a camera was in doubt of; the number names the answer."""

    number: int
    space: str
    colour: str
    pose: str
    """`NOBODY_THERE` where no figure stands."""


class Eyes(Protocol):
    """The thread that looks at the table; it puts `TableSeen` into the inbox."""

    def look_now(self) -> None:
        """Look at once because somebody has pressed their button, and answer with `asked`."""

    def learn(self, said: FigureSaid) -> None:
        """Learn from what a person said, so that the like is not asked again."""

    def forget(self, number: int) -> None:
        """Forget an answer that a person has taken back."""


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture for people, as a JPEG, and what was read in it, where there is something."""

    number: int
    jpeg: bytes
    reading: Reading | None = None


class Sight(Protocol):
    """Pictures for people who look on, made only while somebody asks for them."""

    def newer_than(
        self, number: int, *, drawn: bool, place: str = "", timeout: float | None = None
    ) -> ShownPicture | None:
        """Return the newest picture as soon as it is beyond `number`; None after the timeout, or without a camera.

        A `place` cuts it to that place of the mat.
        """


class Playground(Protocol):
    """A simulated table for a page to play on. What hands cannot do is a Refusal."""

    pictures: Path
    """Where the pictures of its pieces are."""
    seats: tuple[str, ...]
    """The colours that people play."""

    def fixed(self) -> dict[str, Any]:
        """Return what never changes: the mat, its spaces, the buttons, the cards in the box."""

    def shown(self) -> dict[str, Any]:
        """Return what lies there, and how the lamps are."""

    def wanted(self, state: SnapshotState) -> dict[str, tuple[float, float]]:
        """Return the cards that somebody has to lay, and where the middle of each goes."""

    def wait(self, version: int, seconds: float) -> None:
        """Wait until something is different, or the time is over."""

    def do(self, deed: dict[str, Any]) -> None:
        """Do what a hand does: move a dweller, lay a card, press a button."""


class Calibrator(Protocol):
    """The calibration, step by step, as a page leads it; what cannot be done is a Refusal."""

    def view(self) -> dict[str, Any]:
        """Return what there is to show now: the steps, the open one's notes and progress, and what may be answered."""

    def act(self, step: str, action: str, fields: Mapping[str, str]) -> None:
        """Open a step, take a picture now, name a card, or store what was found."""

    def show(self, content: bytes) -> None:
        """Pass a photo to the open step."""


class CameraPicker(Protocol):
    """The cameras that are plugged in, and which of them looks; what cannot be done is a Refusal."""

    def view(self) -> dict[str, Any]:
        """Return the cameras with their sizes, the one on trial, and what is to be said of it."""

    def act(self, action: str, camera: str, size: str) -> None:
        """Try a camera, keep it, or go back to the one before."""


class PhoneEye(Protocol):
    """The phone that is the table's camera, one at a time."""

    def view(self) -> dict[str, Any]:
        """Return whether there is one, whether it is there now, and whether the table looks through it."""

    def code(self) -> str:
        """Return the code by which a phone becomes the camera; it works once."""

    def pair(self, code: str) -> str | None:
        """Return what the phone that brings the code holds from now on; None for a wrong code."""

    def appoint(self) -> str:
        """Return what the host's own phone holds from now on."""

    def dismiss(self) -> None:
        """Have none any more."""

    def holds(self, secret: object) -> bool:
        """Whether this phone is the camera."""

    def take(self, picture: bytes, *, photo: bool = False, moving: bool = False) -> None:
        """Take in a picture; what is none is a Refusal."""

    def hear(self, *, moving: bool) -> bool:
        """Note how the phone is; return whether it should send a picture at once."""


class PanelCheck(Protocol):
    """The check of the panel's wiring, part by part; what cannot be done is a Refusal."""

    def view(self) -> dict[str, Any]:
        """Return the parts, what was found of each, and which one is asked for now."""

    def act(self, do: str, answer: str) -> None:
        """Begin, answer or end the check."""


class Machine(Protocol):
    """The machine below the table; what it does not do is a Refusal."""

    @property
    def ours(self) -> bool:
        """Whether it stands beside the table for good: nobody's laptop is set up or switched off."""

    @property
    def own_wifi(self) -> tuple[str, str] | None:
        """Name and password of the Wi-Fi that it has opened, while it is open."""

    @property
    def joining(self) -> str:
        """The Wi-Fi that it is about to join."""

    @property
    def trouble(self) -> Hint | None:
        """Why a Wi-Fi was not joined."""

    def open_own_wifi(self) -> None: ...

    def has_closed(self) -> None:
        """Note that the own Wi-Fi is not there any more."""

    def view(self) -> dict[str, Any]:
        """Return its name, time zone, the Wi-Fis in reach, the loudspeakers, and what is to be said."""

    def zones(self) -> list[str]:
        """Return the time zones that it may be set to."""

    def act(self, do: str, fields: Mapping[str, str]) -> None:
        """Switch off, restart, or change one thing."""

    def switch_off(self) -> None: ...


class Reviewer(Protocol):
    """Looks at finished games, behind everything else."""

    def state(self, game: str) -> str:
        """Return `waiting` while a review is worked out or waits for its turn, `failed`, or nothing."""
        ...

    def ask(self, game: str) -> None:
        """Have a game reviewed; one that waits already is not asked for twice."""
        ...


class Secure(Protocol):
    """Secure pages beside the plain ones, by an authority of the table's own; what cannot be done is a Refusal."""

    def view(self) -> dict[str, Any]:
        """Return whether they are on, where, for which names, until when, and what is to be said."""

    def address(self) -> str:
        """Return where they are now; empty while there are none."""

    def authority(self) -> bytes:
        """Return the certificate that phones install, as PEM."""

    def act(self, do: str) -> None:
        """Switch on or off, or begin anew with another authority."""


class Doctor(Protocol):
    """Checks everything that the table needs."""

    def __call__(self, running: Running) -> Sequence[Check]:
        """Return all checks; `running` tells how the parts of this companion are."""


class Lamps(Protocol):
    """The lamps and the buzzer. They must not keep the session waiting."""

    def show(self, snapshot: Snapshot) -> None: ...


class Voice(Protocol):
    """What is said aloud. It must not keep the session waiting."""

    def tell(self, snapshot: Snapshot) -> None: ...


class Nobody:
    """Lamps, a voice and eyes that are not there."""

    def show(self, snapshot: Snapshot) -> None: ...

    def tell(self, snapshot: Snapshot) -> None: ...

    def look_now(self) -> None: ...

    def learn(self, said: FigureSaid) -> None: ...

    def forget(self, number: int) -> None: ...

    def newer_than(
        self, number: int, *, drawn: bool, place: str = "", timeout: float | None = None
    ) -> ShownPicture | None: ...


class Hint(str):
    """An English sentence with its code and fields, so that pages can translate it. Fields may be hints themselves."""

    __slots__ = ("code", "fields")
    code: str
    fields: dict[str, str]

    def __new__(cls, code: str, text: str, /, **fields: object) -> Self:
        """`text` is the English one, its fields in braces."""
        values = {name: value if isinstance(value, Hint) else str(value) for name, value in fields.items()}
        made = super().__new__(cls, text.format(**values) if values else text)
        made.code, made.fields = code, values
        return made

    def __str__(self) -> str:
        """Return itself, so that str() of an error that carries it keeps code and fields."""
        return self


class HintJson(TypedDict):
    """What to do about a device: the sentence, and what it is made of where that is known."""

    hint: str
    code: NotRequired[str]
    fields: NotRequired[dict[str, Any]]


def as_json(hint: str) -> HintJson:
    """Return a hint as a state shows it: the sentence, with code and fields where they are known."""
    if not isinstance(hint, Hint):
        return {"hint": hint}
    fields = {name: as_json(value) if isinstance(value, Hint) else value for name, value in hint.fields.items()}
    return {"hint": str.__str__(hint), "code": hint.code, "fields": fields}


class Health(StrEnum):
    """Health of one component."""

    OK = "ok"
    NOTE = "note"
    """Not as it could be; people can play."""
    FAIL = "fail"
    """Does not work."""


@dataclass(frozen=True, slots=True)
class Running:
    """A companion that runs: a word for each of its parts, and `devices` of its state."""

    parts: dict[str, str]
    devices: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def hint(self, device: str) -> Mapping[str, Any]:
        """Return what to do about a device, as a state shows it; empty where it has said nothing."""
        said = self.devices.get(device, {})
        return said if said.get("hint") else {}


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor. `needed`: there is no playing without it, or the configuration names it."""

    name: str
    state: Health
    code: str
    fields: dict[str, object] = field(default_factory=dict)
    needed: bool = False

    @property
    def is_bad(self) -> bool:
        return self.needed and self.state is Health.FAIL


def ok(name: str, /, **fields: object) -> Check:
    return Check(name, Health.OK, f"{name}_ok", fields)


def note(name: str, what: str, /, **fields: object) -> Check:
    """Return a check that people can play without."""
    return Check(name, Health.NOTE, f"{name}_{what}", fields)


def fail(name: str, what: str, /, *, needed: bool, **fields: object) -> Check:
    return Check(name, Health.FAIL, f"{name}_{what}", fields, needed)
