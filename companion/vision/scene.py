"""One look put together: the view from above, which cards lie where, what that should look like, what is different."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision import light
from companion.vision.align import nudge, steps
from companion.vision.arrays import Array
from companion.vision.expected import Expected, Painter
from companion.vision.placing import Placement
from companion.vision.places import ROOM_SLOTS, Slot
from companion.vision.pose import Pose
from companion.vision.profile import Profile
from companion.vision.view import Frame

STRIDE = 4
ROOM_TO_MOVE = 3.0  # mm around a slot
MAT_TRUST = 300.0
MAT_STRIDE = 8
DIM = 0.3  # of the usual gain: a card this dark is something else on top of it
CLIP, BRIGHT, BRIGHT_SHARE = 0.9, 0.55, 0.3  # linear light near white is compressed by cameras
KERNEL = np.ones((3, 3), dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class Windows:
    """The pixels of each slot in a view, all of one size."""

    width: int
    height: int
    corners: dict[str, tuple[int, int]]

    def cut(self, picture: Array, places: list[str], stride: int = 1) -> Array:
        """Stack the windows of some slots."""
        if not places:
            return np.zeros((0, -(-self.height // stride), -(-self.width // stride), *picture.shape[2:]), picture.dtype)
        return np.stack([self.of(picture, place)[::stride, ::stride] for place in places])

    def of(self, picture: Array, place: str) -> Array:
        """Give the window of one slot."""
        x, y = self.corners[place]
        return picture[y : y + self.height, x : x + self.width]


def windows_of(profile: Profile, frame: Frame) -> Windows:
    """Lay a window over every slot."""
    width = round((profile.card[0] + 2 * ROOM_TO_MOVE) * frame.scale)
    height = round((profile.card[1] + 2 * ROOM_TO_MOVE) * frame.scale)
    corners = {}
    for slot in profile.slots:
        middle = frame.pixels(np.array([slot.x, slot.y]))
        corners[slot.name] = (round(middle[0] - width / 2), round(middle[1] - height / 2))
    return Windows(width, height, corners)


@dataclass(frozen=True, slots=True)
class Scene:
    """The view in linear light, the cards known, and how far each pixel is from what they explain."""

    pose: Pose
    seen: Array
    placements: list[Placement]
    expected: Expected
    gain: Array
    strange: Array
    blind: Array
    explained: dict[str, float]


class SceneBuilder:
    """Explains a view by cards on a mat under a light."""

    def __init__(self, profile: Profile, frame: Frame, painter: Painter, pictures: dict[str, Array]) -> None:
        self._profile, self._frame = profile, frame
        self._painter, self._pictures = painter, pictures
        self.windows = windows_of(profile, frame)
        self.slots: dict[str, Slot] = {slot.name: slot for slot in profile.slots}
        self._flat = light.basis(self.windows.height, self.windows.width)

        self.stride = STRIDE

    def footprint(self, slot: Slot, side: str) -> tuple[slice, slice]:
        """Say which sampled pixels of a slot's window a threat on one side of it covers."""
        window, profile = self.windows, self._profile
        middle = (profile.space_offsets[side][0] + profile.card[0] / 2 + ROOM_TO_MOVE) * self._frame.scale / STRIDE
        half = profile.threat[0] / 2 * self._frame.scale / STRIDE
        low = round((profile.card[1] - profile.threat[1] + ROOM_TO_MOVE) * self._frame.scale / STRIDE)
        return slice(low, window.height // STRIDE - 2), slice(max(0, round(middle - half)), round(middle + half))

    def fit(self, seen: Array, placements: list[Placement]) -> tuple[Expected, Array, light.Light]:
        """Paint the placements and fit the light on each; returns also the painting in linear light."""
        expected = self._painter.paint(placements, self._pictures)
        painted = np.asarray(cv2.LUT(expected.picture, light.LINEAR))
        places = [p.slot for p in placements]
        number = np.arange(1, len(placements) + 1)[:, None, None]
        mine = self.windows.cut(expected.owner, places, STRIDE) == number
        fitted = light.fit(
            self.windows.cut(seen, places, STRIDE),
            self.windows.cut(painted, places, STRIDE),
            mine,
            self._flat[::STRIDE, ::STRIDE],
        )
        return expected, painted, fitted

    def align(self, seen: Array, placements: list[Placement]) -> list[Placement]:
        """Move every placement to where its picture fits best."""
        if not placements:
            return []
        expected, painted, fitted = self.fit(seen, placements)
        grey_seen, grey_told, mine = [], [], []
        weights = np.full((1, 3), 1 / 3, dtype=np.float32)
        for index, placement in enumerate(placements):
            told = self._relit(painted, placement, fitted.terms[index])
            grey_told.append(cv2.transform(told, weights))
            grey_seen.append(cv2.transform(self.windows.of(seen, placement.slot), weights))
            mine.append(self.windows.of(expected.owner, placement.slot) == index + 1)
        found = steps(np.stack(grey_seen), np.stack(grey_told), np.stack(mine))
        middles = [self._middle(p.slot) for p in placements]
        return [nudge(p, step, self._frame.scale, m) for p, step, m in zip(placements, found, middles, strict=True)]

    def _middle(self, slot: str) -> tuple[float, float]:
        x, y = self.windows.corners[slot]
        scale = self._frame.scale
        return self._frame.left + (x + self.windows.width / 2) / scale, self._frame.far - (y + self.windows.height / 2) / scale

    def _relit(self, painted: Array, placement: Placement, terms: Array) -> Array:
        """Draw a card's window in its light."""
        planes = np.ascontiguousarray(self._flat[..., : light.GAIN_TERMS])
        gain = cv2.transform(planes, np.ascontiguousarray(terms[:, : light.GAIN_TERMS]))
        veil = (self._flat.reshape(-1, light.VEIL_TERMS) @ terms[:, light.GAIN_TERMS :].T).reshape(gain.shape)
        return np.asarray(self.windows.of(painted, placement.slot) * gain + veil)

    def build(self, pose: Pose, seen: Array, placements: list[Placement], bare: set[str]) -> Scene:
        """Explain a view (linear light) by placements; `bare` are the slots known to be empty."""
        expected, painted, fitted = self.fit(seen, placements)
        areas = self._areas(expected, placements)
        shares = fitted.explained.sum(axis=(1, 2)) / np.maximum(areas, 1)
        gain = self._gain(placements, fitted.terms, shares * areas)
        predicted = self._mat(seen, expected.owner == 0)
        blind = self._unnamed(placements, bare)
        dim = DIM * float(np.median(fitted.terms[:, :, 0])) if placements else 0.0
        for index, placement in enumerate(placements):
            mine = self.windows.of(expected.owner, placement.slot) == index + 1
            told = self._relit(painted, placement, fitted.terms[index])
            cv2.copyTo(told, mine.view(np.uint8), self.windows.of(predicted, placement.slot))
            if fitted.terms[index, :, 0].max() < dim:
                self.windows.of(blind, placement.slot)[mine] = True
        explained = {p.place: float(s) for p, s in zip(placements, shares, strict=True)}
        return Scene(pose, seen, placements, expected, gain, strangeness(seen, predicted), blind, explained)

    def _unnamed(self, placements: list[Placement], bare: set[str]) -> Array:
        """Mark the slots where something lies that has no name."""
        blind = np.zeros((self._frame.height, self._frame.width), dtype=bool)
        named = {p.slot for p in placements if p.card.kind != "threat"} | bare
        for slot in self.slots:
            if slot not in named:
                self.windows.of(blind, slot)[:] = True
        return blind

    def _mat(self, seen: Array, bare: Array) -> Array:
        """Draw the bare mat in its light: a smooth surface through what no card covers, robustly."""
        height, width = bare.shape
        half = MAT_STRIDE // 2
        colours, here = seen[half::MAT_STRIDE, half::MAT_STRIDE], bare[half::MAT_STRIDE, half::MAT_STRIDE]
        points = light.surface(*here.shape)
        if here.sum() < 50:  # noqa: PLR2004 - too little to see the mat by
            return np.zeros_like(seen)
        terms = light.fit_surface(points[here], colours[here])
        small = cv2.resize(points @ terms, (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(np.maximum(small, 0, dtype=np.float32))

    def _areas(self, expected: Expected, placements: list[Placement]) -> Array:
        number = np.arange(1, len(placements) + 1)[:, None, None]
        mine = self.windows.cut(expected.owner, [p.slot for p in placements], STRIDE) == number
        return np.asarray(mine.sum(axis=(1, 2)))

    def _gain(self, placements: list[Placement], terms: Array, trust: Array) -> Array:
        """Spread the cards' gains over the whole view, smoothly: the light a figure stands in."""
        rows = self._profile.levels
        total = np.zeros((rows, len(ROOM_SLOTS), 3), dtype=np.float64)
        weight = np.zeros((rows, len(ROOM_SLOTS), 1), dtype=np.float64)
        for index, placement in enumerate(placements):
            slot = self.slots[placement.slot]
            total[slot.level - 1, slot.column] += trust[index] * terms[index, :, 0]
            weight[slot.level - 1, slot.column] += trust[index]
        if weight.sum() <= 0:
            return np.ones((self._frame.height, self._frame.width, 3), dtype=np.float32)
        everywhere = total.sum(axis=(0, 1)) / weight.sum()
        hold = MAT_TRUST / STRIDE
        grid = np.maximum((total + everywhere * hold) / (weight + hold), 0.02).astype(np.float32)
        first, last = self._profile.slots[0], self._profile.slots[-1]
        corner = self._frame.pixels(np.array([first.x, first.y]))
        step = (self._frame.pixels(np.array([last.x, last.y])) - corner) / (len(ROOM_SLOTS) - 1, max(rows - 1, 1))
        bend = np.array([[1 / step[0], 0, -corner[0] / step[0]], [0, 1 / max(step[1], 1), -corner[1] / max(step[1], 1)]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        size = (self._frame.width, self._frame.height)
        return np.asarray(cv2.warpAffine(grid, bend, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))


def strangeness(seen: Array, predicted: Array) -> Array:
    """Say how far each pixel is from what was predicted near it, in units of what noise and edges explain."""
    told = np.minimum(predicted, CLIP)
    low, high = cv2.erode(told, KERNEL), cv2.dilate(told, KERNEL)
    light_seen = np.minimum(seen, CLIP)
    off = np.maximum(np.maximum(low - light_seen, light_seen - high), 0)
    off /= light.DARK + light.SHARE * np.maximum(told, 0) + BRIGHT_SHARE * np.maximum(told - BRIGHT, 0)
    return np.asarray(cv2.sqrt(cv2.transform(off * off, np.ones((1, 3), dtype=np.float32))))
