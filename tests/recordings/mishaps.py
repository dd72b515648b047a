"""What may happen to a camera above a table, done to pictures."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from tests.recordings import told
from tests.recordings.projector import Change, Projector, Scene, scenes

MUG = (58, 66, 92)
MUG_RADIUS = 38.0
FROM, MISHAP, TO = 5, 9, 14
"""Three placements of the evening, and what happens after the first."""
SETUP = {
    **told.EVENING_SETUP,
    "start": {
        **told.EVENING_SETUP["start"],
        "phase": "place",
        "threats": {"3:R1a": "dust-bunny", "1:R1b": "sock-nibbler", "4:R1a": "wild-goose"},
    },
}
MOVES = [told.placed("red", "1:R2a"), told.placed("blue", "1:R3a"), told.placed("green", "1:R1b")]


def as_it_is(picture: Any) -> Any:
    """No mishap."""
    return picture


def begin(played: Projector) -> None:
    """The first of the three placements."""
    played.start(SETUP)
    played.play(scenes("evening", only=slice(FROM, MISHAP)))


def happens(change: Change, name: str = "mishap", seconds: float = 3.0, nth: int = MISHAP - 1) -> Scene:
    """The table as it lay last, changed."""
    (scene,) = scenes("evening", change, only=slice(nth, nth + 1))
    return replace(scene, name=name, seconds=seconds)


def go_on(played: Projector, change: Change = as_it_is) -> None:
    """The other two placements under the same mishap."""
    played.play(scenes("evening", change, only=slice(MISHAP, TO)))


def bumped(picture: Any) -> Any:
    """The arm of the camera was knocked: a little turned, a little moved, a little nearer."""
    tall, wide = picture.shape[:2]
    bend = cv2.getRotationMatrix2D((wide * 0.4, tall * 0.6), 1.3, 1.012)
    bend[:, 2] += (21, -13)
    return cv2.warpAffine(picture, bend, (wide, tall), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


def lamp_changed(picture: Any) -> Any:
    """Somebody has switched the large lamp off; what is left is warmer, and brighter on one side."""
    linear = (picture / 255.0) ** 2.2
    side = np.linspace(0.75, 0.4, picture.shape[1])[None, :, None]
    return (np.clip(linear * side * np.array([0.55, 0.8, 1.05]), 0, 1) ** (1 / 2.2) * 255 + 0.5).astype(np.uint8)


def lens_covered(picture: Any) -> Any:
    """A hand on the lens: nearly no light, and nothing sharp."""
    return cv2.GaussianBlur(picture, (0, 0), 60) // 24


def mugs(played: Projector, tags: set[int]) -> Change:
    """Somebody puts their mugs down on the mat's tags."""
    (_, look), profile = played.looks[-1], played.seeing.profile
    if look.pose is None:
        raise AssertionError("the table is not found")
    spots = look.pose.project(np.array([(*tag.centre, 0.0) for tag in profile.mat_tags if tag.id in tags]))

    def standing(picture: Any) -> Any:
        shown = picture.copy()
        for x, y in spots:
            cv2.circle(shown, (round(x), round(y)), round(MUG_RADIUS), MUG, -1, cv2.LINE_AA)
            inside = tuple(part // 3 for part in MUG)
            cv2.circle(shown, (round(x), round(y)), round(MUG_RADIUS * 0.8), inside, -1, cv2.LINE_AA)
        return shown

    return standing
