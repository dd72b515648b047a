"""The eye's vision: companion.vision with the table's profile. It is imported on the eye's own thread."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from companion.table.reading import Reading

if TYPE_CHECKING:
    from pathlib import Path

    from companion.table.eye import Vision

NO_PROFILE: Final = "There is no profile {path} yet: calibrate the camera on the page /calibrate, or play by phone."
BAD_PROFILE: Final = "The profile {path} cannot be used: {faults}. Calibrate again, or put it right."
QUALITY: Final = 80


def opened(path: Path) -> Vision:
    """Vision by the profile as it is on the disk now; without one, what to do about it."""
    from companion.vision.profile import ProfileError, load_profile  # noqa: PLC0415 - OpenCV is loaded late

    if not path.exists():
        return Blind(NO_PROFILE.format(path=path.name))
    try:
        return Seeing(load_profile(path))
    except ProfileError as error:
        return Blind(BAD_PROFILE.format(path=path.name, faults="; ".join(error.faults)))


class Seeing:
    """Reads what lies on the table."""

    def __init__(self, profile: Any) -> None:
        from companion.vision.eyes import Eyes  # noqa: PLC0415 - OpenCV is loaded late
        from companion.vision.profile import ProfileError  # noqa: PLC0415
        from companion.vision.watcher import Watcher  # noqa: PLC0415

        eyes = Eyes(profile)
        if eyes.faults:
            raise ProfileError(eyes.faults)
        self.why = ""
        self._watcher = Watcher(eyes)
        self._small: tuple[Any, float] = (None, 0.0)
        self._drawn: Any = None

    @property
    def resting(self) -> bool:
        """Whether nothing moved in the last small picture."""
        return self._watcher.resting

    def due(self, small: Any, at: float) -> bool:
        """Take in a small picture; whether a full one is to be read."""
        from companion.vision.motion import luma  # noqa: PLC0415

        self._small = (luma(small), at)
        return self._watcher.due(*self._small)

    def read(self, full: Any, *, whole: bool = False) -> Reading:
        """Read what has changed in a full picture, or all of it; steadied over time."""
        steady = self._watcher.look(full, *self._small, whole=whole)
        look = self._watcher.last
        self._drawn = None if look is None else replace(look, reading=steady)
        return Reading.from_json(steady.to_json())

    def jpeg(self, full: Any, *, drawn: bool) -> bytes:
        """A full picture for people, with what was seen drawn in."""
        if drawn and self._drawn is not None:
            from companion.vision.drawing import draw  # noqa: PLC0415

            full = draw(full, self._drawn, self._watcher.eyes.profile)
        return encoded(full)


class Blind:
    """Pictures that nobody can read yet."""

    resting = False

    def __init__(self, why: str) -> None:
        self.why = why

    def due(self, small: Any, at: float) -> bool:
        """Nothing is read."""
        del small, at
        return False

    def read(self, full: Any, *, whole: bool = False) -> Reading:
        """Nothing is known of the table."""
        del full, whole
        return Reading(table="lost")

    def jpeg(self, full: Any, *, drawn: bool) -> bytes:
        """The picture as it is."""
        del drawn
        return encoded(full)


def encoded(picture: Any) -> bytes:
    """A picture as a JPEG."""
    import cv2  # noqa: PLC0415 - OpenCV is loaded late

    found, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not found:
        raise ValueError("a picture that cannot be a JPEG")
    return bytes(data)
