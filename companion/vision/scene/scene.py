"""Explain a view by known cards under a light, and measure how far each pixel is from that explanation."""

from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.vision.arrays import Array, median
from companion.vision.camera.pose import Pose
from companion.vision.camera.top_view import ViewFrame
from companion.vision.cards.placing import CardPlacement
from companion.vision.places import ROOM_SLOTS, Slot
from companion.vision.profile import Profile
from companion.vision.scene import light
from companion.vision.scene.expected import Expected, ExpectedPainter, alignment_steps, nudge
from companion.vision.scene.light import Gain, Surroundings
from companion.vision.scene.mat import MatPicture, is_veiled, mat_under, shows_pattern

STRIDE = 4
ROOM_TO_MOVE = 3.0  # mm around a slot
STICKER_EDGE = 1.0  # mm from a card's edge to its sticker's quiet zone
MAT_TRUST = 300.0
STRIP = 24  # rows worked on at a time
ROUGH_ROUNDS = 4
DIM = 0.3  # of the usual gain: a card this dark is something else on top of it
CLIP, BRIGHT, BRIGHT_SHARE = 0.9, 0.55, 0.3  # linear light near white is compressed by cameras
ONES = np.ones((1, 3), dtype=np.float32)
GREY = ONES / 3
SHADOW_FROM, SHADOW_COST, DARKEST = 1.5, 3.0, 0.35
STRANGEST = 10.0  # of what is shrunk: one odd pixel is not to outweigh its neighbours
SHADED = 1.0  # strangeness of a shadow through which the mat's pattern is seen
LEVELS = np.arange(256, dtype=np.float32) / 255
SCALES = light.DARK + light.SHARE * LEVELS + BRIGHT_SHARE * np.maximum(LEVELS - BRIGHT, 0)
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
        x, y = self.corners[place]
        return picture[y : y + self.height, x : x + self.width]


def windows_of(profile: Profile, frame: ViewFrame, slots: list[Slot]) -> Windows:
    """Return the windows of all slots, as far as they lie in the view."""
    width = round((profile.card[0] + 2 * ROOM_TO_MOVE) * frame.scale)
    height = round((profile.card[1] + 2 * ROOM_TO_MOVE) * frame.scale)
    corners = {}
    for slot in slots:
        middle = frame.pixels(np.array([slot.x, slot.y]))
        corners[slot.name] = (round(middle[0] - width / 2), round(middle[1] - height / 2))
    return Windows(width, height, corners)


@dataclass(frozen=True, slots=True)
class Fitted:
    """Placements drawn, and the light on each card."""

    placements: list[CardPlacement]
    expected: Expected
    light: light.CardLight

    def explained(self, index: int) -> Array:
        """Return which sampled pixels of a card's window its picture explains."""
        return np.asarray(self.light.explained[index])


@dataclass(frozen=True, slots=True)
class ExplainedView:
    """A view, the known cards in it, and how far each pixel is from what they explain."""

    pose: Pose
    above: Array
    """In bytes: in linear light a whole view is large, so its parts are made where they are wanted."""
    placements: list[CardPlacement]
    expected: Expected
    gain: Gain
    around: Surroundings | None
    """The mat and the light at a quarter of the size; None where an earlier look has told them."""
    on_mat: Array | None
    """The light on the mat's picture, where the profile has one."""
    strange: Array
    blind: Array
    explained: dict[str, float]
    veiled: frozenset[str] = frozenset()
    """Slots without texture that do not show the mat either: a sleeve hides them."""
    mat_known: bool = True
    """Whether it is known what the mat looks like: it is smooth, or has a picture in the profile."""
    _shrunk: list[Array] = field(default_factory=list, repr=False)

    def shrunk(self, size: tuple[int, int]) -> tuple[Array, Array]:
        """Return how much of each of fewer pixels is blind, and how strange it is: shrunk once, asked for often."""
        if not self._shrunk:
            parts = self.blind.astype(np.float32), np.minimum(self.strange, STRANGEST)
            self._shrunk.extend(np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA)) for part in parts)
        blind, strange = self._shrunk
        return blind, strange


class SceneBuilder:
    """Explains a view by cards on a mat under a light."""

    def __init__(
        self,
        profile: Profile,
        frame: ViewFrame,
        slots: list[Slot],
        painter: ExpectedPainter,
        mat: MatPicture | None = None,
    ) -> None:
        """`mat` is the picture of the empty mat in this frame, where the profile has one."""
        self._profile, self._frame, self._mat = profile, frame, mat
        self._painter = painter
        self.windows = windows_of(profile, frame, slots)
        self.slots: dict[str, Slot] = {slot.name: slot for slot in slots}
        self._flat = light.basis(self.windows.height, self.windows.width)
        self._planes = light.planes(self.windows.height, self.windows.width)

        self.stride = STRIDE

    def footprint(self, side: str) -> tuple[slice, slice]:
        """Return which sampled pixels of a slot's window a threat on one side of it covers."""
        window, profile = self.windows, self._profile
        middle = (profile.space_offsets[side][0] + profile.card[0] / 2 + ROOM_TO_MOVE) * self._frame.scale / STRIDE
        half = profile.threat[0] / 2 * self._frame.scale / STRIDE
        low = max(0, round((profile.card[1] - profile.threat[1] + ROOM_TO_MOVE) * self._frame.scale / STRIDE))
        return slice(low, window.height // STRIDE - 2), slice(max(0, round(middle - half)), round(middle + half))

    def sticker_of_threat(self, side: str) -> tuple[slice, slice]:
        """Return which sampled pixels of a slot's window the sticker of a threat on one side covers."""
        rows, columns = self.footprint(side)
        pixel = STRIDE / self._frame.scale
        first, last = (round((self._profile.card_tag * far + STICKER_EDGE) / pixel) for far in (0.15, 1.15))
        return slice(rows.start + first, rows.start + last), slice(columns.stop - last, columns.stop - first)

    def knows(self, placement: CardPlacement) -> bool:
        """Return whether a card has a picture, so that what it does not explain can be measured."""
        return self._painter.knows(placement.card)

    def fit(self, seen: Array, placements: list[CardPlacement], rounds: int = light.ROUNDS) -> Fitted:
        expected = self._painter.paint(placements, self._frame)
        places = [p.slot for p in placements]
        fitted = light.fit(
            self.windows.cut(seen, places, STRIDE),
            light.in_linear_light(self.windows.cut(expected.picture, places, STRIDE)),
            self._mine(expected, placements),
            self._flat[::STRIDE, ::STRIDE],
            rounds,
        )
        return Fitted(list(placements), expected, fitted)

    def explained_by_rooms(self, seen: Array, rooms: list[tuple[CardPlacement, str]]) -> list[float]:
        """Return how much of one side of each room its own picture explains, in a light of this side's own."""
        if not rooms:
            return []
        places = [room.slot for room, _ in rooms]
        expected = self._painter.paint(list({room.slot: room for room, _ in rooms}.values()), self._frame)
        painted = self.windows.cut(expected.owner, places, STRIDE) > 0
        mine = np.zeros_like(painted)
        for index, (_, side) in enumerate(rooms):
            part = self.footprint(side)
            mine[index][part] = painted[index][part]
        pictures = light.in_linear_light(self.windows.cut(expected.picture, places, STRIDE))
        fitted = light.fit(self.windows.cut(seen, places, STRIDE), pictures, mine, self._flat[::STRIDE, ::STRIDE])
        return [float(share) for share in fitted.explained.sum(axis=(1, 2)) / np.maximum(mine.sum(axis=(1, 2)), 1)]

    def extend(self, seen: Array, fitted: Fitted, placements: list[CardPlacement]) -> Fitted:
        """Draw more placements (the first are those already fitted) and fit the light only where they lie."""
        if len(placements) == len(fitted.placements):
            return fitted
        old = len(fitted.placements)
        touched = {p.slot for p in placements[old:]}
        fresh = [index for index, p in enumerate(placements) if p.slot in touched]
        expected = self._painter.add(fitted.expected, placements, old, self._frame)
        places, mine = [placements[index].slot for index in fresh], self._mine(expected, placements)
        part = light.fit(
            self.windows.cut(seen, places, STRIDE),
            light.in_linear_light(self.windows.cut(expected.picture, places, STRIDE)),
            mine[fresh],
            self._flat[::STRIDE, ::STRIDE],
        )
        terms, explained = light.initial_terms(len(placements)), np.zeros(mine.shape, dtype=bool)
        terms[:old], explained[:old] = fitted.light.terms, fitted.light.explained
        terms[fresh], explained[fresh] = part.terms, part.explained
        return Fitted(list(placements), expected, light.CardLight(terms, explained))

    def _mine(self, expected: Expected, placements: list[CardPlacement]) -> Array:
        number = np.arange(1, len(placements) + 1)[:, None, None]
        return np.asarray(self.windows.cut(expected.owner, [p.slot for p in placements], STRIDE) == number)

    def _relit(self, fitted: Fitted, index: int) -> Array:
        """Draw a card's window in its light."""
        terms = fitted.light.terms[index]
        gain = cv2.transform(self._planes, np.ascontiguousarray(terms[:, : light.GAIN_TERMS]))
        veil = (self._flat.reshape(-1, light.VEIL_TERMS) @ terms[:, light.GAIN_TERMS :].T).reshape(gain.shape)
        painted = self.windows.of(fitted.expected.picture, fitted.placements[index].slot)
        return np.asarray(cv2.add(cv2.multiply(cv2.LUT(painted, light.LINEAR), gain), veil))

    @property
    def frame(self) -> ViewFrame:
        """The part of the plane that this builder explains."""
        return self._frame

    def align(self, seen: Array, placements: list[CardPlacement]) -> list[CardPlacement]:
        """Move every placement to where its picture fits best."""
        if not placements:
            return []
        fitted = self.fit(seen, placements, ROUGH_ROUNDS)
        slots = [p.slot for p in placements]
        told = np.stack([cv2.transform(self._relit(fitted, index), GREY) for index in range(len(placements))])
        shown = np.stack([cv2.transform(self.windows.of(seen, slot), GREY) for slot in slots])
        mine = np.stack([self.windows.of(fitted.expected.owner, slot) == i + 1 for i, slot in enumerate(slots)])
        found = alignment_steps(shown, told, mine)
        middles = [self._middle(slot) for slot in slots]
        return [nudge(p, step, self._frame.scale, m) for p, step, m in zip(placements, found, middles, strict=True)]

    def _middle(self, slot: str) -> tuple[float, float]:
        """Return the middle of a slot's window in mm."""
        x, y = self.windows.corners[slot]
        across, along = x + self.windows.width / 2, y + self.windows.height / 2
        return self._frame.left + across / self._frame.scale, self._frame.far - along / self._frame.scale

    def build(
        self, pose: Pose, above: Array, fitted: Fitted, bare: set[str], around: Surroundings | None = None
    ) -> ExplainedView:
        """Explain a view by fitted placements; `bare` are the slots known to be empty.

        `around` is what an earlier whole look knows of mat and light, where only a part is seen.
        """
        placements, terms, owner = fitted.placements, fitted.light.terms, fitted.expected.owner
        areas = self._mine(fitted.expected, placements).sum(axis=(1, 2))
        shares = fitted.light.explained.sum(axis=(1, 2)) / np.maximum(areas, 1)
        gain = Gain(around.gain) if around else self._gain(placements, terms, shares * areas)
        if around:
            mat, mat_known, small = around.mat, around.mat_known, None
        else:
            bare_mat = mat_under(above, owner == 0, gain, self._mat)
            mat, mat_known = bare_mat.smooth, bare_mat.known
            small = Surroundings.small(mat, gain, mat_known)
            del bare_mat
        on_mat = None if self._mat is None else mat
        predicted = mat if self._mat is None else self._mat.under(mat)
        blind = self._unnamed(placements, bare)
        dim = DIM * float(median(terms[:, :, 0].ravel())) if placements else 0.0
        for index, placement in enumerate(placements):
            mine = self.windows.of(owner, placement.slot) == index + 1
            cv2.copyTo(self._relit(fitted, index), mine.view(np.uint8), self.windows.of(predicted, placement.slot))
            if terms[index, :, 0].max() < dim:
                self.windows.of(blind, placement.slot)[mine] = True
        explained = {p.place: float(s) for p, s in zip(placements, shares, strict=True)}
        strange = strangeness(above, predicted)
        if not mat_known:
            strange[owner == 0] = 0
        elif self._mat is not None:
            shaded = (owner == 0) & shows_pattern(light.in_linear_light(above), predicted)
            strange[shaded] = np.minimum(strange[shaded], SHADED)
        del predicted
        veiled = frozenset(name for name in bare if is_veiled(self.windows.of(strange, name)[::STRIDE, ::STRIDE]))
        for name in veiled:
            self.windows.of(blind, name)[:] = True
        return ExplainedView(
            pose,
            above,
            placements,
            fitted.expected,
            gain,
            small,
            on_mat,
            strange,
            blind,
            explained,
            veiled,
            mat_known,
        )

    def _unnamed(self, placements: list[CardPlacement], bare: set[str]) -> Array:
        """Mark the slots with an unknown card."""
        blind = np.zeros((self._frame.height, self._frame.width), dtype=bool)
        named = {p.slot for p in placements if p.card.kind != "threat"} | bare
        for slot in self.slots:
            if slot not in named:
                self.windows.of(blind, slot)[:] = True
        return blind

    def _gain(self, placements: list[CardPlacement], terms: Array, trust: Array) -> Gain:
        """Interpolate the cards' gains over the whole view: the light that a figure stands in."""
        rows = self._profile.levels
        total = np.zeros((rows, len(ROOM_SLOTS), 3), dtype=np.float64)
        weight = np.zeros((rows, len(ROOM_SLOTS), 1), dtype=np.float64)
        for index, placement in enumerate(placements):
            slot = self.slots[placement.slot]
            total[slot.level - 1, slot.column] += trust[index] * terms[index, :, 0]
            weight[slot.level - 1, slot.column] += trust[index]
        if weight.sum() <= 0:
            return Gain(np.ones((self._frame.height, self._frame.width, 3), dtype=np.float32))
        everywhere = total.sum(axis=(0, 1)) / weight.sum()
        hold = MAT_TRUST / STRIDE
        grid = np.maximum((total + everywhere * hold) / (weight + hold), 0.02).astype(np.float32)
        first, last = self._profile.slots[0], self._profile.slots[-1]
        corner = self._frame.pixels(np.array([first.x, first.y]))
        step = (self._frame.pixels(np.array([last.x, last.y])) - corner) / (len(ROOM_SLOTS) - 1, max(rows - 1, 1))
        bend = np.array(
            [[1 / step[0], 0, -corner[0] / step[0]], [0, 1 / max(step[1], 1), -corner[1] / max(step[1], 1)]]
        )
        return Gain.between(grid, bend, (self._frame.width, self._frame.height))


def strangeness(above: Array, predicted: Array) -> Array:
    """Return how far each pixel of a view is from what was predicted (in linear light) near it, relative to noise.

    Computed in strips that fit into the processor's cache, each with one more row on both sides.
    """
    height = above.shape[0]
    found = np.empty(above.shape[:2], dtype=np.float32)
    for top in range(0, height, STRIP):
        low, first = min(top + STRIP, height), max(top - 1, 0)
        rows = slice(first, min(low + 1, height))
        found[top:low] = _strip(light.in_linear_light(above[rows]), predicted[rows])[top - first : low - first]
    return found


def _strip(seen: Array, predicted: Array) -> Array:
    told, shown = np.clip(predicted, 0, CLIP), np.minimum(seen, CLIP)
    off = cv2.max(cv2.subtract(cv2.erode(told, KERNEL), shown), cv2.subtract(shown, cv2.dilate(told, KERNEL)))
    scale = np.asarray(cv2.LUT(cv2.convertScaleAbs(told, alpha=255), SCALES))
    off = cv2.divide(np.maximum(off, 0), scale)
    strange = np.asarray(cv2.sqrt(cv2.transform(cv2.multiply(off, off), ONES)))
    odd = np.flatnonzero(strange > SHADOW_FROM)
    if len(odd):
        flat, lit, grain = (np.take(part.reshape(-1, 3), odd, axis=0) for part in (told, shown, scale))
        strange.reshape(-1)[odd] = np.minimum(strange.reshape(-1)[odd], _as_shadow(flat, lit, grain))
    return strange


def _as_shadow(told: Array, shown: Array, scale: Array) -> Array:
    """Return the strangeness of pixels (n, 3) if a shadow lies on what was predicted: it grows with the depth."""
    depth = _sums(shown * told) / np.maximum(_sums(told * told), 1e-6)
    depth = np.clip(depth, DARKEST, 1.0)
    off = (shown - depth * told) / (scale * np.maximum(depth, 0.5))
    return np.asarray(np.sqrt(_sums(off * off)) + SHADOW_COST * (1 - depth))[:, 0]


def _sums(values: Array) -> Array:
    """Return the sum of each row of three: (n, 1)."""
    return np.asarray(cv2.transform(values[:, None], ONES))
