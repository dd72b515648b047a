"""Crop figure candidates out of a view, oriented and scaled alike for every table, in layers for the network."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from math import hypot
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.vision.figures.figure_finder import FigureFinder
from companion.vision.scene import light

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.camera.top_view import ViewFrame
    from companion.vision.figures.figure_finder import Candidate
    from companion.vision.scene.scene import ExplainedView

CROP_SIDE = 48
STEP = 1 / 24  # of a figure's height: a pixel of a crop
HALF_WAY = 0.4  # of a figure's height: what stays in the middle
AGAINST = 40  # log odds of a pixel that shows no figure, as a byte
STRANGENESS_STEPS = 16  # steps of strangeness kept a unit
LAYERS = 9  # odds of its colour, odds of the others, strangeness; what is seen; what the cards would show
BRIGHTEST = 1.6  # of what is seen, where a white card is 1
ROOTS = 255 * np.sqrt(light.LINEAR / BRIGHTEST)[:, None]
AS_SEEN = np.sqrt((np.arange(256) / 255) ** 2.2 / BRIGHTEST) * 255  # what a card shows, in the steps of what is seen
FLAGS = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


@dataclass(frozen=True, slots=True)
class Layers:
    """One view, layer by layer: packed odds (h, w, 4), strangeness in bytes, what is seen, what cards would show."""

    odds: Array
    strange: Array
    above: Array
    expected: Array
    gain: light.Gain
    frame: ViewFrame
    pose: Pose
    height: float  # of a figure, in mm


def layers(odds: Array, scene: ExplainedView, above: Array, frame: ViewFrame, pose: Pose, height: float) -> Layers:
    """Put a view's layers together."""
    strange = np.asarray(cv2.convertScaleAbs(scene.strange, alpha=STRANGENESS_STEPS))
    return Layers(odds, strange, above, scene.expected.picture, scene.gain, frame, pose, height)


def crop(candidate: Candidate, view: Layers, side: int = CROP_SIDE, others: Array | None = None) -> Array:
    """Crop a candidate, `side` pixels wide: (side, side, layers) bytes; it leans upwards, its foot below the middle.

    `others` marks pixels of the view that belong to figures beside it: they are no evidence for this one.
    """
    space, frame = candidate.space, view.frame
    lean = FigureFinder.lean(space, view.pose)
    middle = np.array([space.x, space.y]) + candidate.foot + np.array(lean) * (view.height * HALF_WAY)
    centre = frame.pixels(middle)
    step = view.height * STEP * frame.scale
    length = max(hypot(*lean), 1e-6)
    up = np.array([lean[0], -lean[1]]) / length * step
    right = np.array([-up[1], up[0]])
    reach = int(side * step * 0.75) + 2
    left, top = (max(0, int(v) - reach) for v in centre)
    part = (slice(top, max(top + 1, int(centre[1]) + reach)), slice(left, max(left + 1, int(centre[0]) + reach)))
    bend = np.array([[right[0], -up[0], 0.0], [right[1], -up[1], 0.0]])
    bend[:, 2] = centre - (left, top) - bend[:, :2] @ np.full(2, (side - 1) / 2)
    odds, strange = view.odds[part], view.strange[part]
    if others is not None:
        odds, strange = odds.copy(), strange.copy()
        odds[others[part]], strange[others[part]] = AGAINST, 0

    def cut(layer: Array) -> Array:
        return np.asarray(cv2.warpAffine(layer, bend, (side, side), flags=FLAGS, borderMode=cv2.BORDER_REPLICATE))

    found = np.empty((side, side, LAYERS), dtype=np.uint8)
    colours = cut(odds)
    found[..., 0] = colours[..., candidate.player]
    colours[..., candidate.player] = 0
    found[..., 1] = reduce(cv2.max, cv2.split(colours))
    found[..., 2] = cut(strange)
    found[..., 3:6] = cv2.LUT(cut(view.above[part]), _normalised(view.gain.at(int(centre[1]), int(centre[0]))))
    found[..., 6:] = cut(view.expected[part])
    return found


ODDS_FOR, CORE, WIDER = 128, 18, np.ones((5, 5), dtype=np.uint8)
ASIDE = 3  # pixels of a crop that a curled card's picture may lie beside its place
FEWEST = 20  # pixels to compare


def likeness_of_card(found: Array) -> float:
    """Return how well what looks like a figure in a crop correlates with what the card shows there, or a little aside.

    A figure hides its card; a card's own picture, moved by a curl or by another card's edge, does not.
    """
    painted = found[..., 6:]
    if not painted.any():
        return 0.0
    side = len(found)
    inside = np.zeros((side, side), dtype=np.uint8)
    cv2.circle(inside, (side // 2, side // 2), CORE, 1, -1)
    mask = cv2.dilate((found[..., 0] > ODDS_FOR).astype(np.uint8) & inside, WIDER)
    if int(mask.sum()) < FEWEST:
        return 0.0
    x, y, wide, tall = cv2.boundingRect(mask)
    expected = cv2.LUT(painted, AS_SEEN)[y - ASIDE : y + tall + ASIDE, x - ASIDE : x + wide + ASIDE]
    seen = found[y : y + tall, x : x + wide, 3:6].astype(np.float32)
    heed = cv2.merge([mask[y : y + tall, x : x + wide].astype(np.float32)] * 3)
    likeness = cv2.matchTemplate(expected.astype(np.float32), seen, cv2.TM_CCOEFF_NORMED, mask=heed)
    return float(np.nan_to_num(likeness, nan=0.0, posinf=0.0, neginf=0.0).max())


def _normalised(gain: Array) -> Array:
    """Return a table that divides light out of a picture's bytes, encoded as roots."""
    return np.asarray(cv2.convertScaleAbs(ROOTS / np.sqrt(np.maximum(gain, 0.02)))).reshape(256, 1, 3)
