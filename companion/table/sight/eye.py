"""The thread between camera and inbox: it waits for rest, has the picture read, and shows it to people who look on."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, runtime_checkable

from companion.table.fence import Fence
from companion.table.ports import DeviceError, FigureSaid, ShownPicture
from companion.table.session.intents import DeviceChanged, Intent, TableSeen

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.table.ports import Camera, Picture
    from companion.table.sight.reading import Reading


EVERY: Final = 0.25
WATCHED: Final = 3.0
"""Seconds after somebody's last question in which they may ask again."""
NEVER: Final = -1e9


class Wanted(NamedTuple):
    """A kind of picture: with what was seen drawn in or not; cut to a place of the mat, or (empty) the whole table."""

    drawn: bool
    place: str = ""


class Window:
    """The port `Sight`: pictures for people who look on, made only while somebody looks, a few a second."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._newer = threading.Condition()
        self._shown: dict[Wanted, ShownPicture] = {}
        self._asked: dict[Wanted, float] = {}
        self._made = NEVER
        self._closed = False

    def newer_than(
        self, number: int, *, drawn: bool, place: str = "", timeout: float | None = None
    ) -> ShownPicture | None:
        """Return the newest picture as soon as it is beyond `number`; None after the timeout or at the end."""
        wanted = Wanted(drawn, place)
        with self._newer:
            self._asked[wanted] = self._clock()
            self._newer.wait_for(lambda: self._closed or self._is_newer(number, wanted), timeout)
            self._asked[wanted] = self._clock()
            return self._shown[wanted] if self._is_newer(number, wanted) else None

    def wanted(self) -> list[Wanted]:
        """Return which pictures are due now; a place that nobody asks for any more is forgotten."""
        now = self._clock()
        with self._newer:
            for one in [one for one, asked in self._asked.items() if one.place and now - asked >= WATCHED]:
                del self._asked[one]
                self._shown.pop(one, None)
            if now - self._made < EVERY:
                return []
            return [one for one, asked in self._asked.items() if now - asked < WATCHED]

    def show(self, jpeg: bytes, reading: Reading | None, *, drawn: bool, place: str = "") -> None:
        wanted = Wanted(drawn, place)
        with self._newer:
            self._made = self._clock()
            last = self._shown.get(wanted)
            self._shown[wanted] = ShownPicture(1 if last is None else last.number + 1, jpeg, reading)
            self._newer.notify_all()

    def close(self) -> None:
        with self._newer:
            self._closed = True
            self._newer.notify_all()

    def _is_newer(self, number: int, wanted: Wanted) -> bool:
        return wanted in self._shown and self._shown[wanted].number > number


SAID_AGAIN: Final = 0.25
"""Seconds after which what still lies there is said again: how long it must lie is the session's to judge."""
PAUSE: Final = 0.5
"""Seconds to the next try when the camera gives nothing."""
PATIENCE: Final = 1.5
"""So long a button's look waits for rest."""
LOOKS: Final = 3
"""Looks that a figure needs to be believed when the table does not come to rest."""


class Vision(Protocol):
    """Turns pictures into readings: companion.vision with a profile, or nothing, and `why` not."""

    why: str

    @property
    def resting(self) -> bool:
        """Whether nothing moved in the last small picture."""

    def due(self, small: Picture, at: float) -> bool:
        """Take in a small picture; whether a full one is to be read."""

    def read(self, full: Picture, *, whole: bool = False) -> Reading:
        """Read what has changed in a full picture, or all of it; steadied over time."""

    def jpeg(self, full: Picture, *, drawn: bool) -> bytes:
        """A full picture for people, with what was seen drawn in."""

    def cut(self, full: Picture, place: str) -> bytes:
        """A place of the mat and what lies around it, for people; the full picture where nobody knows the place."""


@runtime_checkable
class Learner(Protocol):
    """Vision that learns from what people say."""

    def learn(self, said: FigureSaid) -> object | None:
        """Learn how a figure looks by its latest look; return what was learned, to forget it by."""

    def forget(self, learned: object) -> None:
        """Forget what an answer has taught."""


class Eye:
    """The port `Eyes`. Vision is opened on its thread: OpenCV is slow to load."""

    def __init__(
        self,
        camera: Callable[[Callable[[Intent], None]], Camera],
        vision: Callable[[], Vision],
        put: Callable[[Intent], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.window = Window(clock)
        self._camera = camera(self._hear)
        self._opened = vision
        self._fence = Fence(put, ("camera",), failing="off", lost=self._give_up)
        self._put = self._fence.put
        self._clock = clock
        self._vision: Vision | None = None
        self._stands: Reading | None = None
        self._moved = False
        self._said_at = 0.0
        self._asked_at: float | None = None
        self._said: SimpleQueue[FigureSaid | int] = SimpleQueue()
        self._learned: dict[int, object] = {}
        self._stale = threading.Event()
        self._wake = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)

    # --- what others call ---------------------------------------------------------------------------------------------

    @property
    def camera(self) -> Camera:
        return self._camera

    def start(self) -> None:
        self._thread.start()

    def look_now(self) -> None:
        """Look at once because somebody has pressed their button, and answer with `asked`."""
        self._asked_at = self._clock()
        self._wake.set()

    def learn(self, said: FigureSaid) -> None:
        """Learn from what a person said of a figure, before the next look."""
        self._said.put(said)
        self._wake.set()

    def forget(self, number: int) -> None:
        """Forget an answer that a person has taken back."""
        self._said.put(number)
        self._wake.set()

    def reload(self) -> None:
        """Use the changed profile from the next picture on."""
        self._stale.set()
        self._wake.set()

    def close(self) -> None:
        self._closed = True
        self._fence.end()
        self._wake.set()
        self.window.close()
        if self._thread.ident is not None:
            self._thread.join()
        self._camera.close()

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        self._fence.run(self.turn)

    def _give_up(self) -> None:
        """Begin anew behind a fault that nobody knows: open the vision again, and forget what stood there."""
        self._vision = self._stands = self._asked_at = None
        self._camera.close()

    def turn(self) -> bool:
        """Take one picture; after a fault, wait a little. Return whether to go on."""
        self._wake.clear()
        vision = self._vision
        if vision is None or self._stale.is_set():
            vision = self._open()
        self._listen(vision)
        try:
            self._look(vision)
        except DeviceError:  # whoever watches the camera has said what to do
            self._stands = self._asked_at = None
            self._wake.wait(PAUSE)
        return not self._closed

    def _open(self) -> Vision:
        self._stale.clear()
        self._stands = None
        self._vision = vision = self._opened()
        if vision.why:
            self._put(DeviceChanged("camera", "off", vision.why))
        return vision

    def _listen(self, vision: Vision) -> None:
        """Pass on what people have said since the last look; vision that does not learn leaves it."""
        while not self._said.empty():
            said = self._said.get()
            if not isinstance(vision, Learner):
                continue
            if isinstance(said, FigureSaid):
                learned = vision.learn(said)
                if learned is not None:
                    self._learned[said.number] = learned
            elif (learned := self._learned.pop(said, None)) is not None:
                vision.forget(learned)

    def _look(self, vision: Vision) -> None:
        with self._camera.frame(full=False) as small:
            due, at = vision.due(small.image, small.at), small.at
        if due:
            with self._camera.frame(full=True) as full:
                self._stands = vision.read(full.image)
                self._show(vision, full.image)
            self._say(at)
        elif self.window.wanted():
            with self._camera.frame(full=True) as full:
                self._show(vision, full.image)
        if vision.resting:
            self._rest(at, settled=not due)
        else:
            self._stir(vision, at)

    def _rest(self, at: float, *, settled: bool) -> None:
        """Nothing moves: repeat what lies there, and answer a button when all has been read."""
        self._moved = False
        if settled and self._asked_at is not None:
            self._answer(at)
        elif at - self._said_at >= SAID_AGAIN:
            self._say(at)

    def _stir(self, vision: Vision, at: float) -> None:
        """Something moves: what lies there is not known, unless a button waits for too long."""
        if not self._moved and self._stands is not None:
            self._moved = True
            self._put(TableSeen(replace(self._stands, hand=True), at))
        if self._asked_at is not None and self._clock() - self._asked_at >= PATIENCE:
            for _ in range(LOOKS):
                with self._camera.frame(full=True) as full:
                    self._stands = vision.read(full.image, whole=True)
            self._answer(at)

    def _say(self, at: float) -> None:
        if self._stands is not None:
            self._said_at = at
            self._put(TableSeen(self._stands, at))

    def _answer(self, at: float) -> None:
        """Answer a look that was asked for; where a hand or a lost table is seen, look again."""
        reading = self._stands
        if reading is None or reading.hand or reading.table != "found":
            self._say(at)
            return
        self._asked_at, self._said_at = None, at
        self._put(TableSeen(reading, at, asked=True))

    def _show(self, vision: Vision, image: Picture) -> None:
        for drawn, place in self.window.wanted():
            jpeg = vision.cut(image, place) if place else vision.jpeg(image, drawn=drawn)
            self.window.show(jpeg, self._stands, drawn=drawn, place=place)

    def _hear(self, intent: Intent) -> None:
        """Pass on the health of the camera; that it is well does not help while nobody can read its pictures."""
        why = self._vision.why if self._vision is not None else ""
        if why and isinstance(intent, DeviceChanged) and intent.state == "ok":
            intent = DeviceChanged("camera", "off", why)
        self._put(intent)
