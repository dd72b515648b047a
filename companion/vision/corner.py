"""Read a marked corner: where its sheet lies, which card is in the frame, and what thrown dice show."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import cv2
import numpy as np

from companion.vision.cards.tags import TagFinder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.cards.corner_sheet import CornerSheet
    from companion.vision.arrays import Array
    from companion.vision.cards.card_photo import CardAlbum

DICTIONARY: Final = "APRILTAG_36h11"
CARD_TAGS: Final = range(10, 583)
FOCAL: Final = 0.88375
"""Of the picture's width, where the lens is not measured: 59 degrees."""
LEAST_TAGS: Final = 3
WORST: Final = 3.0
"""Pixels that a corner of a tag may be off on average: more, and the sheet is bent or half covered."""
INNER: Final = 13.5
"""Millimetres of a die's side that are compared: rounded edges stay out."""
COARSE, FINE = 1.6, 3.2
"""Pixels per millimetre of the search, and of the comparison."""
TURN: Final = 6
"""Degrees between two ways that a die is looked for."""
MAYBE, DOUBT, SURE, LEAD = 0.5, 0.7, 0.84, 0.05
"""How alike a place is to be looked at closer, to be a die at all, to be told, and by how much more than any other."""
FAINT: Final = 0.05
"""Of the light between the sheet's black and its white: what varies less is paper with a line on it, and no die."""
APART: Final = 13.0
"""Millimetres between the middles of two dice at least."""
MOST: Final = 3
AROUND: Final = 3.0
"""Millimetres beyond the field in which a die may still lie."""


class FaceSeen(NamedTuple):
    """A die's upper side: which die (None where several have that side), what it shows, and where (mm)."""

    die: int | None
    face: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class CornerSeen:
    """What lies in the corner; dice that cannot be told are `unsure`, and none of them is named."""

    card: str | None = None
    dice: tuple[FaceSeen, ...] = ()
    unsure: bool = False


class FaceTemplate(NamedTuple):
    """A side of a die as it was drawn or shown: which die, what it is called, and its square picture."""

    die: int
    face: str
    picture: Array


@dataclass(frozen=True, slots=True)
class SheetPose:
    """Where the sheet lies before the camera."""

    matrix: Array
    turn: Array
    away: Array

    def flat(self, picture: Array, box: tuple[float, float, float, float], scale: float, height: float = 0.0) -> Array:
        """Return a part of the sheet as seen from straight above, at a height over the paper."""
        x, y, wide, high = box
        plane = np.stack([self.turn[:, 0], self.turn[:, 1], self.turn[:, 2] * height + self.away], axis=1)
        to_mm = np.array([[1 / scale, 0, x + 0.5 / scale], [0, -1 / scale, y + high - 0.5 / scale], [0, 0, 1]])
        size = (round(wide * scale), round(high * scale))
        flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP if scale < COARSE else cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(picture, self.matrix @ plane @ to_mm, size, flags=flags))

    def ground(self, pixel: Array) -> tuple[float, float]:
        """Return the point of the sheet below a pixel."""
        plane = np.stack([self.turn[:, 0], self.turn[:, 1], self.away], axis=1)
        x, y, far = np.linalg.solve(self.matrix @ plane, np.array([*pixel, 1.0]))
        return float(x / far), float(y / far)


class CornerReader:
    """Finds the sheet, names the card by its tag or its photos, and reads dice by their sides."""

    def __init__(
        self,
        corner: CornerSheet,
        tags: Mapping[int, str] = MappingProxyType({}),
        faces: Sequence[FaceTemplate] = (),
        album: CardAlbum | None = None,
    ) -> None:
        """`tags` name the cards of the set that was printed, `faces` are the sides of the dice."""
        self._corner = corner
        self._tags = dict(tags)
        self._album = album
        self._sheet = TagFinder(DICTIONARY, tuple(corner.tags))
        self._cards = TagFinder(DICTIONARY, tuple(tags))
        self._faces = [(one.die, one.face) for one in faces]
        self._coarse = [_template(one.picture, corner.die, COARSE) for one in faces]
        self._fine = [_template(one.picture, corner.die, FINE) for one in faces]

    def find(self, picture: Array, matrix: Array | None = None) -> SheetPose | None:
        """Return where the sheet lies in a picture, None where it is not seen; `matrix` is the lens, if measured."""
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
        found = {tag.id: tag for tag in self._sheet.find(grey)}
        if len(found) < LEAST_TAGS:
            return None
        if matrix is None:
            high, wide = grey.shape
            matrix = np.array([[FOCAL * wide, 0, wide / 2], [0, FOCAL * wide, high / 2], [0, 0, 1.0]])
        half = self._corner.tag / 2
        around = ((-half, half), (half, half), (half, -half), (-half, -half))
        spots = [(x + right, y + up, 0.0) for tag in found for x, y in [self._corner.tags[tag]] for right, up in around]
        seen = np.concatenate([tag.outer for tag in found.values()]).astype(np.float64)
        known, turned, away = cv2.solvePnP(np.array(spots), seen, matrix, None, flags=cv2.SOLVEPNP_IPPE)
        if not known:
            return None
        again, _ = cv2.projectPoints(np.array(spots), turned, away, matrix, None)
        if float(np.linalg.norm(again[:, 0] - seen, axis=1).mean()) > WORST:
            return None
        return SheetPose(matrix, np.asarray(cv2.Rodrigues(turned)[0]), away[:, 0])

    def read(self, picture: Array, pose: SheetPose) -> CornerSeen:
        dice, unsure = self._dice(picture, pose)
        return CornerSeen(self._card(picture, pose), dice, unsure)

    def _card(self, picture: Array, pose: SheetPose) -> str | None:
        """Name the card in the frame: by the tag that is printed on it, else by photos of it."""
        x, y, wide, high = self._corner.card
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
        spots = [(tag, *pose.ground(tag.centre)) for tag in self._cards.find(grey)]
        names = {self._tags[tag.id] for tag, right, up in spots if x < right < x + wide and y < up < y + high}
        if len(names) == 1:
            return names.pop()
        if names or self._album is None:
            return None
        named, _ = self._album.name(pose.flat(picture, self._corner.card, 4.0))
        return named.card if named is not None and named.is_sure else None

    def _dice(self, picture: Array, pose: SheetPose) -> tuple[tuple[FaceSeen, ...], bool]:
        """Read the upper sides: they lie in the plane of a die's height."""
        if not self._faces:
            return (), False
        x, y, wide, high = self._corner.field
        box = (x - AROUND, y - AROUND, wide + 2 * AROUND, high + 2 * AROUND)
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
        places = self._places(pose.flat(grey, box, COARSE, self._corner.die))
        fine = pose.flat(grey, box, FINE, self._corner.die)
        low, high_light = np.percentile(pose.flat(grey, (0.0, 0.0, *self._corner.size), 1.0), (2, 98))
        clear = [one for one in places if _contrast(fine, one) > FAINT * float(high_light - low)]
        found = [one for one in (self._face(fine, place) for place in clear) if one is not None]
        told = [one for one in found if one.face]
        if len(told) > MOST or len(told) < min(len(found), MOST):
            return (), True
        found = told
        dice = [one._replace(x=one.x / FINE + box[0], y=box[1] + box[3] - one.y / FINE) for one in found]
        return tuple(sorted(dice, key=lambda one: one.x)), False

    def _places(self, patch: Array) -> list[tuple[float, float, int]]:
        """Return where a die may lie, and how it is turned: the best first, none beside another."""
        found: list[tuple[float, float, float, int]] = []
        for degrees in range(0, 360, TURN):
            turned, back = _turned(patch, degrees)
            scores = np.max([cv2.matchTemplate(turned, one, cv2.TM_CCOEFF_NORMED) for one in self._coarse], axis=0)
            half = self._coarse[0].shape[0] / 2 - 0.5
            for row, column in np.argwhere((scores > MAYBE) & (scores <= 1.0)):
                x, y = (float(one) for one in back @ (column + half, row + half, 1.0))
                if half < x < patch.shape[1] - half and half < y < patch.shape[0] - half:
                    found.append((float(scores[row, column]), x, y, degrees))
        found.sort(reverse=True)
        places: list[tuple[float, float, int]] = []
        for _, x, y, degrees in found:
            if all(np.hypot(x - one[0], y - one[1]) > APART * COARSE for one in places):
                places.append((x, y, degrees))
        return places[: 2 * MOST]

    def _face(self, patch: Array, place: tuple[float, float, int]) -> FaceSeen | None:
        """Compare a place with every side, turned and moved a little: no die at all, or one without a face."""
        x, y = place[0] * FINE / COARSE, place[1] * FINE / COARSE
        reach = round(INNER * FINE / 2 + 2 * FINE)
        best: dict[tuple[int, str], tuple[float, float, float]] = {}
        quarters = [place[2] + quarter for quarter in (0, 90, 180, 270)]
        for degrees in (whole + step for whole in quarters for step in (-6, -3, 0, 3, 6)):
            shift = cv2.getRotationMatrix2D((x, y), degrees, 1.0)
            shift[:, 2] += reach - np.array([x, y])
            window = cv2.warpAffine(patch, shift, (2 * reach + 1,) * 2, borderMode=cv2.BORDER_REPLICATE)
            back = cv2.invertAffineTransform(shift)
            for name, template in zip(self._faces, self._fine, strict=True):
                scores = cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED)
                _, score, _, (column, row) = cv2.minMaxLoc(scores)
                if score > best.get(name, (0.0,))[0]:
                    half = template.shape[0] / 2 - 0.5
                    spot = back @ (column + half, row + half, 1.0)
                    best[name] = (score, float(spot[0]), float(spot[1]))
        ranked = sorted(best.items(), key=lambda one: -one[1][0])
        (die, face), (score, left, top) = ranked[0]
        other = max((one[0] for (_, name), one in ranked if name != face), default=0.0)
        if score < DOUBT:
            return None
        if score < SURE or score - other < LEAD:
            return FaceSeen(None, "", left, top)
        twins = [one[0] for (number, name), one in ranked if name == face and number != die]
        return FaceSeen(die if score - max(twins, default=0.0) >= LEAD else None, face, left, top)


def cut_side(picture: Array, pose: SheetPose, corner: CornerSheet) -> Array:
    """Return the upper side of the die on the sheet's square, as a template of it."""
    x, y = corner.spot
    half = corner.die / 2
    return pose.flat(picture, (x - half, y - half, corner.die, corner.die), 2 * FINE, corner.die)


def _template(picture: Array, die: float, scale: float) -> Array:
    """Return the inside of a side, grey, at a scale."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture  # noqa: PLR2004
    side = round(die * scale)
    small = np.asarray(cv2.resize(grey, (side, side), interpolation=cv2.INTER_AREA))
    rim = round((die - INNER) / 2 * scale)
    return small[rim : side - rim, rim : side - rim]


def _contrast(patch: Array, place: tuple[float, float, int]) -> float:
    """Return how much the inside of a side that may lie here varies in light."""
    x, y, half = round(place[0] * FINE / COARSE), round(place[1] * FINE / COARSE), round(INNER * FINE / 2)
    return float(patch[max(0, y - half) : y + half, max(0, x - half) : x + half].std())


def _turned(patch: Array, degrees: int) -> tuple[Array, Array]:
    """Return a patch turned about its middle, whole, and the way back from its pixels."""
    high, wide = patch.shape[:2]
    side = int(np.ceil(np.hypot(high, wide)))
    shift = cv2.getRotationMatrix2D((wide / 2 - 0.5, high / 2 - 0.5), degrees, 1.0)
    shift[:, 2] += (side / 2 - wide / 2, side / 2 - high / 2)
    turned = cv2.warpAffine(patch, shift, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned), np.asarray(cv2.invertAffineTransform(shift))
