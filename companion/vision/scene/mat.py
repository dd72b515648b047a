"""The bare mat as it should look: its picture in the light of this look, or a smooth surface of one hue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.vision.arrays import Array, median
from companion.vision.camera.top_view import ViewFrame, look_down, sight_lines
from companion.vision.scene import light

if TYPE_CHECKING:
    from companion.vision.camera.pose import Pose
    from companion.vision.profile import Profile

STRIDE = 8
FEW_POINTS = 50
FAINT, OTHER_HUE = 0.004, 0.2  # light; and how far the logarithm of one colour may be from that of all three
NO_MAT = 1.1  # strangeness: more than noise and unlike light make of the bare mat
DARK_MAT = 0.02  # linear light: what is darker says little of the light on it
BLOCK, SOME = 24, 3  # pixels: in blocks of this size a mat of one hue is smooth; every third of them tells it
FEW_BLOCKS, MANY_BLOCKS = 30, 400  # are too few, and enough, to judge a mat by
NOISY = 0.05  # square root of light: a block this dark has contrast from noise
GRAIN, GRAINED = 0.12, 0.45  # contrast of a block with a pattern, and the share of such blocks of a mat that has one
SLIGHT = 0.04  # contrast of a pattern that can be recognised
NEAR = (11, 11)  # half pixels of a view, about 18 mm: where a pattern is looked for
ALIKE, FADED = 0.8, 0.6  # correlation with the pattern, and share of its contrast, from which on it is seen
GREY = np.full((1, 3), 1 / 3, dtype=np.float32)
SCALE = 1.25  # pixels a millimetre of a mat's picture
LEAST_LIGHT = 0.05  # of the light in the mat's picture


@dataclass(slots=True)
class MatPicture:
    """The empty mat from straight above, pixel by pixel of a view; black where it is not known."""

    picture: Array

    def part(self, whole: ViewFrame, frame: ViewFrame) -> MatPicture:
        """Return the part that another frame shows; it sees what is learned of the whole."""
        x, y = round((frame.left - whole.left) * whole.scale), round((whole.far - frame.far) * whole.scale)
        return MatPicture(self.picture[y : y + frame.height, x : x + frame.width])

    def under(self, lit: Array) -> Array:
        """Return how the mat should look in some light (linear, of every pixel)."""
        return np.asarray(cv2.multiply(light.in_linear_light(self.picture), lit))

    def learn(self, rows: slice, columns: slice, above: Array, lit: Array) -> None:
        """Take over how an empty place looks, without the light on it (`lit`, of the whole view)."""
        seen = light.in_linear_light(above[rows, columns]) / np.maximum(lit[rows, columns], 0.05)
        self.picture[rows, columns] = np.clip(np.clip(seen, 0, 1) ** (1 / 2.2) * 255, 1, 255)


def photograph(picture: Array, pose: Pose, profile: Profile) -> Array:
    """Return the mat from straight above, as a profile keeps it; black where the picture does not show it."""
    wide, tall = profile.mat
    frame = ViewFrame(-wide / 2, tall / 2, SCALE, round(wide * SCALE), round(tall * SCALE))
    return look_down(picture, sight_lines(pose, frame).maps())


def load_mat(profile: Profile, frame: ViewFrame) -> MatPicture | None:
    """Load the mat's picture of a profile into a view; None where there is none that can be read."""
    if profile.mat_picture is None:
        return None
    whole = cv2.imread(str(profile.mat_picture))
    if whole is None:
        return None
    wide, tall = profile.mat
    across, along = whole.shape[1] / wide, whole.shape[0] / tall
    left, top = frame.left + wide / 2, tall / 2 - frame.far
    bend = np.array([[across / frame.scale, 0, left * across], [0, along / frame.scale, top * along]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return MatPicture(np.asarray(cv2.warpAffine(whole, bend, (frame.width, frame.height), flags=flags)))


@dataclass(frozen=True, slots=True)
class BareMat:
    """The mat of one look: the light on its picture, or the smooth mat itself."""

    smooth: Array
    known: bool = True
    """Whether this is what the mat looks like; a mat with a pattern that nobody has photographed is not known."""


def mat_under(above: Array, bare: Array, gain: light.Gain, picture: MatPicture | None = None) -> BareMat:
    """Estimate the bare mat, or the light on its picture: a smooth surface through what no card covers (`bare`).

    A sleeve across the table is smooth too: only what has the mat's own colour, in the light on it, is used. `above` is
    a view in bytes: little of it is wanted in linear light.
    """
    height, width = bare.shape
    half = STRIDE // 2
    few, here = (part[half::STRIDE, half::STRIDE] for part in (above, bare))
    colours, lit = light.in_linear_light(few), gain.every(STRIDE, half)
    if picture is not None:
        own = light.in_linear_light(picture.picture[half::STRIDE, half::STRIDE])
        here = here & (own.max(axis=-1) > DARK_MAT)
        colours = (colours + FAINT) / (own + FAINT)
    points = light.surface(*here.shape)
    if here.sum() < FEW_POINTS:  # too little to see the mat by
        return BareMat(np.zeros((height, width, 3), dtype=np.float32))
    own = _of_one_hue(colours[here], lit[here])
    terms = light.fit_surface(points[here][own], colours[here][own])
    known = picture is not None or not _has_pattern(above, bare)
    smooth = np.asarray(cv2.resize(points @ terms, (width, height), interpolation=cv2.INTER_LINEAR))
    return BareMat(np.maximum(smooth, 0, out=smooth), known)


def _has_pattern(above: Array, bare: Array) -> bool:
    """Return whether most of the mat is not smooth: it has a picture, dots, or a weave that a camera sees."""
    height, width = (side // BLOCK * BLOCK for side in bare.shape)
    rows = bare[:height, :width].reshape(height // BLOCK, BLOCK, width).all(axis=1)
    whole = rows.reshape(height // BLOCK, width // BLOCK, BLOCK).all(axis=2)
    down, right = np.nonzero(whole)
    if len(down) < FEW_BLOCKS:
        return False
    some = slice(None, None, max(1, len(down) // MANY_BLOCKS))
    tiled = above[:height, :width].reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK, 3)[:, ::SOME, :, ::SOME]
    blocks = np.sqrt(light.in_linear_light(tiled[down[some], :, right[some]]))
    contrast = blocks.std(axis=(1, 2)).max(axis=-1) / np.maximum(blocks.mean(axis=(1, 2, 3)), NOISY)
    return bool((contrast > GRAIN).mean() > GRAINED)


def shows_pattern(seen: Array, told: Array) -> Array:
    """Mark where the pattern of the mat is seen as told, but darker: a shadow lies there, and nothing else."""
    size = (seen.shape[1] // 2, seen.shape[0] // 2)
    one, other = (
        np.sqrt(np.maximum(cv2.transform(cv2.resize(part, size, interpolation=cv2.INTER_AREA), GREY), 0))
        for part in (seen, told)
    )
    mean_one, mean_other = cv2.blur(one, NEAR), cv2.blur(other, NEAR)
    spread_one = np.sqrt(np.maximum(cv2.blur(one * one, NEAR) - mean_one**2, 0))
    spread = np.sqrt(np.maximum(cv2.blur(other * other, NEAR) - mean_other**2, 0))
    alike = (cv2.blur(one * other, NEAR) - mean_one * mean_other) > ALIKE * spread_one * spread
    deep = spread_one * mean_other > FADED * spread * mean_one  # something thin and bright fades what it covers
    clear = alike & deep & (spread > SLIGHT * np.maximum(mean_other, NOISY)) & (mean_one < mean_other)
    return np.asarray(cv2.resize(clear.astype(np.uint8), seen.shape[1::-1], interpolation=cv2.INTER_NEAREST)) > 0


def is_veiled(strange: Array) -> bool:
    """Return whether a slot without texture does not look like the mat either: something smooth is above it."""
    return float(median(strange.ravel())) > NO_MAT


def _of_one_hue(colours: Array, lit: Array) -> Array:
    """Mark those of some points (n, 3) that have the hue which most of them have in their light."""
    body = np.log((colours + FAINT) / (lit + FAINT))
    off = body - median(body, axis=0)
    own = np.abs(off - off.mean(axis=1, keepdims=True)).max(axis=1) < OTHER_HUE
    return np.asarray(own if own.sum() >= FEW_POINTS else np.ones_like(own))
