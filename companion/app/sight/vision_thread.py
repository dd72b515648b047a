"""Vision for the table's eye: what it sees with, loaded late and kept small in memory, and the dice corner."""

from __future__ import annotations

import ctypes
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from companion.table.ports import Hint
from companion.table.sight.reading import Reading, Thrown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from calibration.guide import Guide
    from companion.app.sight.camera_choice import CameraChoice
    from companion.games.api import AnyGame
    from companion.table.ports import FigureSaid
    from companion.table.sight.eye import Vision
    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.figures.memory import Answer, KnownLook
    from companion.vision.profile import Profile
    from companion.vision.reading import VisionReading


MMAP_THRESHOLD: Final = -3
PICTURE: Final = 4_000_000
"""From this size on memory goes back to the system as soon as it is free: full pictures, and little else."""


def return_pictures_to_system() -> None:
    """Tell glibc, before the first picture, not to keep the memory of pictures."""
    with suppress(OSError, AttributeError):  # another C library keeps its own house
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, PICTURE)


def trim_memory() -> None:
    """Give a look's memory back to the system: a Pi has little, and the next look may be minutes away."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


NO_PROFILE: Final = "There is no profile {path} yet: calibrate the camera on the page /calibrate, or play by phone."
TRYING: Final = Hint("camera_trial", "Another camera is being tried on the page /calibrate: nothing is read meanwhile.")
BAD_PROFILE: Final = "The profile {path} cannot be used: {faults}. Calibrate again, or put it right."
QUALITY: Final = 80
LOOKS: Final = 2
"""Looks at dice that have come to rest."""


def vision_of(path: Path, corner: Callable[[], AnyGame | None] = lambda: None) -> Vision:
    """Return vision by the profile as it is on disk now; without one, what says what to do about it.

    `corner` is the game that is played, while it asks for cards and dice of its marked corner.
    """
    from companion.vision.profile import ProfileError, load_profile  # noqa: PLC0415 - OpenCV is loaded late

    if not path.exists():
        return SheetVision(path.parent, corner, Hint("no_profile", NO_PROFILE, path=path.name))
    try:
        return ProfileVision(load_profile(path), path.parent, corner, partial(keep_answers, path))
    except ProfileError as error:
        return NoVision(Hint("bad_profile", BAD_PROFILE, path=path.name, faults="; ".join(error.faults)))


def keep_answers(path: Path, said: Sequence[KnownLook]) -> None:
    """Keep in the profile what people said of figures; where it cannot be written, say so and go on."""
    from calibration.profiles import ProfileFile  # noqa: PLC0415 - OpenCV is loaded late
    from calibration.steps.step import StepError  # noqa: PLC0415

    try:
        ProfileFile(path).keep_answers(said)
    except StepError as error:
        sys.stderr.write(f"What was said of a figure is known until the companion ends, and not kept: {error}\n")


class ProfileVision:
    """Reads what lies on the table."""

    def __init__(
        self,
        profile: Profile,
        folder: Path | None = None,
        corner: Callable[[], AnyGame | None] = lambda: None,
        keep: Callable[[Sequence[KnownLook]], None] = lambda said: None,  # noqa: ARG005 - nobody keeps them
    ) -> None:
        """`keep` is given what people have said of figures, whenever that changes."""
        import cv2  # noqa: PLC0415 - OpenCV is loaded late
        import numpy as np  # noqa: PLC0415

        from companion.app.sight.corner_eye import CornerEye  # noqa: PLC0415
        from companion.vision.profile import ProfileError  # noqa: PLC0415
        from companion.vision.table_reader import TableReader  # noqa: PLC0415
        from companion.vision.time.watcher import Watcher  # noqa: PLC0415

        return_pictures_to_system()
        cv2.setNumThreads(1)  # more would take memory, and the other cores from the table
        eyes = TableReader(profile)
        if eyes.faults:
            raise ProfileError(eyes.faults)
        self.why = ""
        self._watcher = Watcher(eyes)
        self._keep = keep
        self._dice = DiceCorner(profile.dice, profile.dice_size)
        self._corner = None if folder is None else CornerEye(folder, corner)
        self._table_due = False
        self._reading = Reading(table="lost")
        trim_memory()
        self._small: tuple[Array, float] = (np.zeros((0, 0), np.uint8), 0.0)
        self._steady: VisionReading | None = None

    @property
    def resting(self) -> bool:
        """Whether nothing moved in the last small picture."""
        return self._watcher.resting

    def due(self, small: Array, at: float) -> bool:
        """Take in a small picture; return whether a full one is to be read."""
        from companion.vision.time.watcher import luma  # noqa: PLC0415

        self._small = (luma(small), at)
        self._table_due = self._watcher.due(*self._small)
        return self._table_due or (self._watcher.resting and self._is_new())

    def _is_new(self) -> bool:
        small = self._small[0]
        return self._dice.is_new(small) or (self._corner is not None and self._corner.is_new(small))

    def read(self, full: Array, *, whole: bool = False) -> Reading:
        """Read what has changed in a full picture, or all of it; steadied over time."""
        if self._table_due or whole:
            self._steady = self._watcher.look(full, *self._small, whole=whole)
            self._reading = Reading.from_json(self._steady.to_json())
            trim_memory()
        look = self._watcher.last
        pose = None if look is None else look.pose
        dice = self._dice.read(full, self._small[0], pose)
        found = replace(self._reading, dice=dice or (), dice_unsure=dice is None)
        return found if self._corner is None else self._corner.read(full, self._small[0], found)

    def learn(self, said: FigureSaid) -> object | None:
        """Learn what was in doubt, and keep what tells of other spaces too; return the answer."""
        answer = self._watcher.eyes.learn(said.space, said.colour, said.pose)
        if answer is not None:
            self._watcher.reconsider(said.space)
            if answer.look is not None:
                self._keep(self._watcher.eyes.said)
        return answer

    def forget(self, learned: object) -> None:
        """Forget what an answer has taught, here and where it is kept."""
        answer = cast("Answer", learned)
        if self._watcher.eyes.forget(answer):
            self._keep(self._watcher.eyes.said)
        self._watcher.reconsider(answer.space)

    def jpeg(self, full: Array, *, drawn: bool) -> bytes:
        """Return a full picture for people, with what was seen drawn in."""
        look = self._watcher.last
        if drawn and look is not None and self._steady is not None:
            from companion.vision.annotate import draw  # noqa: PLC0415

            full = draw(full, replace(look, reading=self._steady), self._watcher.eyes.profile)
        return encode_jpeg(full)

    def cut(self, full: Array, place: str) -> bytes:
        """Return a place of the mat with its neighbours, framed."""
        from companion.vision.annotate import cut_out  # noqa: PLC0415 - OpenCV is loaded late

        look = self._watcher.last
        pose = None if look is None else look.pose
        return encode_jpeg(full if pose is None else cut_out(full, pose, self._watcher.eyes.profile, place))


class DiceCorner:
    """The corner for real dice: read again only where it has changed, twice each time."""

    def __init__(self, middles: tuple[tuple[float, float], ...], size: tuple[float, float]) -> None:
        self._middles = middles
        self._size = size
        self._box: tuple[slice, slice] | None = None
        self._read: Array | None = None
        self._again = 0
        self._dice: tuple[Thrown, ...] | None = ()

    def is_new(self, small: Array) -> bool:
        """Return whether the corner looks different from when it was last read, or is to be read once more."""
        if self._box is None or self._read is None or self._read.shape != small.shape:
            return False
        from companion.vision.time.watcher import difference  # noqa: PLC0415 - OpenCV is loaded late

        changed = difference(self._read[self._box].copy(), small[self._box].copy()).any()
        return bool(changed) or self._again > 0

    def read(self, full: Array, small: Array, pose: Pose | None) -> tuple[Thrown, ...] | None:
        """Return the dice in a full picture, None where they cannot be read; cached while nothing changes."""
        if not self._middles or pose is None:
            return ()
        if self._box is not None and not self.is_new(small):
            return self._dice
        from companion.vision.dice.dice import box_of, read_dice  # noqa: PLC0415

        self._again = LOOKS - 1 if self._again == 0 else self._again - 1
        self._box, self._read = box_of(pose, self._middles, self._size, full.shape, small.shape), small
        found = read_dice(full, pose, self._middles, self._size)
        self._dice = None if found is None else tuple(Thrown(die.value, die.x, die.y) for die in found)
        return self._dice


class NoVision:
    """Stands in while there is no usable profile: pictures are shown, and nothing is read."""

    resting = False

    def __init__(self, why: str) -> None:
        self.why = why

    def due(self, small: Array, at: float) -> bool:
        del small, at
        return False

    def read(self, full: Array, *, whole: bool = False) -> Reading:
        del full, whole
        return Reading(table="lost")

    def jpeg(self, full: Array, *, drawn: bool) -> bytes:
        del drawn
        return encode_jpeg(full)

    def cut(self, full: Array, place: str) -> bytes:
        del place
        return encode_jpeg(full)


class SheetVision(NoVision):
    """Reads nothing but the marked corner: for a table that has no profile, and plays a game without a mat."""

    def __init__(self, folder: Path, corner: Callable[[], AnyGame | None], why: str) -> None:
        from companion.app.sight.corner_eye import CornerEye  # noqa: PLC0415 - OpenCV is loaded late
        from companion.vision.time.watcher import Rest  # noqa: PLC0415

        return_pictures_to_system()
        super().__init__(why)
        self._rest = Rest()
        self._corner = CornerEye(folder, corner)
        self._small: Array | None = None

    def due(self, small: Array, at: float) -> bool:
        from companion.vision.time.watcher import luma  # noqa: PLC0415

        self._small = luma(small)
        self.resting = self._rest.feed(self._small, at)
        return self.resting and self._corner.is_new(self._small)

    def read(self, full: Array, *, whole: bool = False) -> Reading:
        del whole
        found = Reading(table="lost")
        if self._small is not None:
            found = self._corner.read(full, self._small, found)
        trim_memory()
        return found


def encode_jpeg(picture: Array) -> bytes:
    import cv2  # noqa: PLC0415 - OpenCV is loaded late

    found, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not found:
        raise ValueError("a picture that cannot be a JPEG")
    return bytes(data)


class GuidedCalibration:
    """Fills the port `Calibrator`, and chooses what the eye sees with."""

    def __init__(
        self,
        profile: Path,
        changed: Callable[[], None],
        camera: Callable[[], object] = lambda: None,
        choice: CameraChoice | None = None,
        corner: Callable[[], AnyGame | None] = lambda: None,
    ) -> None:
        """`camera` is what the eye looks through; its light is locked where it has `Controls`."""
        self._corner = corner
        self._choice = choice
        self._camera = camera
        self._profile = profile
        self._changed = changed
        self._lock = threading.Lock()
        self._guide: Guide | None = None

    def view(self) -> dict[str, object]:
        return self._made().view()

    def act(self, step: str, action: str, fields: Mapping[str, str]) -> None:
        self._made().act(step, action, fields)

    def show(self, content: bytes) -> None:
        self._made().show(content)

    def vision(self) -> Vision:
        """Return what the eye sees with: the guide while a step is open, otherwise the profile as it is on disk now."""
        if self._choice is not None and self._choice.trying:
            return NoVision(TRYING)
        guide = self._guide
        return guide if guide is not None and guide.is_open else vision_of(self._profile, self._corner)

    def _made(self) -> Guide:
        from calibration.guide import Guide  # noqa: PLC0415 - OpenCV is loaded late

        with self._lock:
            if self._guide is None:
                self._guide = Guide(self._profile, self._changed, self._camera)
            return self._guide
