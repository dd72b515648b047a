"""Render the simulated table as the camera sees it, paper figures included; only what changed is drawn again."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, radians, sin
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.pieces.kinds.figures import FACES as NET_FACES
from companion.pieces.kinds.figures import FOOT, HEIGHT, NET, TOP, corners
from companion.pieces.kinds.mat import MAT, TRACK, TRACKS
from hardware.tabletop.optics import SHADE, SOFT, Lamp
from hardware.tabletop.simulated_dice import corners_of_die, draw_die

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.vision.arrays import Array
    from hardware.tabletop.optics import Viewpoint
    from hardware.tabletop.table_contents import CardOnTable, FigureOnTable, TableContents


CORNERS: Final = np.array(corners())
TILT: Final = atan2((FOOT - TOP) / 2, HEIGHT)
"""The angle that a side leans in."""
FACES: Final = (*((4 + k, 4 + (k + 1) % 4, (k + 1) % 4, k) for k in range(4)), (7, 6, 5, 4), (0, 1, 2, 3))
"""Each face's corners in the order of the net's: upper left, upper right, lower right, lower left."""


@dataclass(frozen=True, slots=True)
class BodyFace:
    """One side of a body: its corners in the world, its normal, and its corners in the net (mm)."""

    corners: Array
    normal: Array
    printed: Array


def corners_of(x: float, y: float, turn: float, *, lying: bool) -> Array:
    """Return the eight corners of a figure whose middle is above this point of the table."""
    points = CORNERS
    if lying:  # on one of its sides, the lid to the right
        flat = np.array([[sin(TILT), 0.0, cos(TILT)], [0.0, 1.0, 0.0], [-cos(TILT), 0.0, sin(TILT)]])
        points = CORNERS @ flat.T
        points = points - [(points[:, 0].min() + points[:, 0].max()) / 2, 0.0, points[:, 2].min()]
    angle = radians(turn)
    spun = np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])
    return np.column_stack([points[:, :2] @ spun.T + (x, y), points[:, 2]])


def faces_of(points: Array) -> list[BodyFace]:
    """Return the six sides of a body, with what is printed on them."""
    middle = points.mean(axis=0)
    found = []
    for face, printed in zip(FACES, NET_FACES, strict=True):
        corners_ = points[list(face)]
        normal = np.cross(corners_[2] - corners_[0], corners_[3] - corners_[1])
        normal /= np.linalg.norm(normal)
        if np.dot(normal, corners_.mean(axis=0) - middle) < 0:
            normal = -normal
        found.append(BodyFace(corners_, normal, np.array(printed)))
    return found


def on_net(face: BodyFace, pixels_per_mm: float) -> Array:
    """Return where a face's corners are in the net's picture (pixels)."""
    return np.column_stack([face.printed[:, 0], NET[1] - face.printed[:, 1]]) * pixels_per_mm


SKIN: Final = np.array((125, 160, 208))
SLEEVE: Final = np.array((120, 105, 95))
HAND_HEIGHT: Final = 45.0
SHADOW: Final = 0.55
FINGERS: Final = ((-26, 42), (-9, 60), (9, 62), (26, 48))
"""How far to the side, and how long."""
ARM: Final = (
    ((70.0, -520.0), (24.0, -190.0), 80.0, True),
    ((24.0, -190.0), (4.0, -100.0), 56.0, False),
    ((4.0, -100.0), (0.0, -72.0), 68.0, False),
    ((-34.0, -92.0), (-54.0, -50.0), 20.0, False),
)
"""Sleeve, wrist, palm and thumb: from, to, how thick, and whether it is cloth; from the finger tips, in mm."""


def draw_hand(canvas: Array, tips: tuple[float, float], view: Viewpoint, lamp: Lamp) -> None:
    """Draw a hand with its shadow; `tips` is the point of the table below its fingers."""
    parts = [*ARM, *(((side * 0.9, -60.0), (float(side), float(length) - 62), 17.0, False) for side, length in FINGERS)]
    light = lamp.colour_at(*tips)
    shade = np.zeros(canvas.shape[:2], np.uint8)
    for first, last, thick, _ in parts:
        points = np.array([(tips[0] + x, tips[1] + y, HAND_HEIGHT) for x, y in (first, last)])
        _stroke(shade, view.project(lamp.shadows(points)), thick * view.scale_at(*tips), 255)
    dark = cv2.GaussianBlur(shade, (31, 31), 0)[..., None].astype(np.float32) / 255
    canvas[:] = (canvas * (1 - (1 - SHADOW) * dark)).astype(np.uint8)
    for first, last, thick, is_cloth in parts:
        points = np.array([(tips[0] + x, tips[1] + y, HAND_HEIGHT) for x, y in (first, last)])
        scale = view.scale_at(tips[0], max(tips[1] + first[1], -400.0), HAND_HEIGHT)
        colour = (SLEEVE if is_cloth else SKIN) * light
        _stroke(canvas, view.project(points), thick * scale, tuple(map(float, colour)))


def _stroke(canvas: Array, points: Array, thick: float, colour: float | tuple[float, ...]) -> None:
    (ax, ay), (bx, by) = np.round(points).astype(int).tolist()
    cv2.line(canvas, (ax, ay), (bx, by), colour, max(1, round(thick)), cv2.LINE_AA)


Pair = tuple[float, float]
PIXELS_PER_MM: Final = 2.5
GROUND: Final = (1060.0, 760.0)
"""The part of the table that is drawn (mm)."""
WOOD: Final = (92, 128, 160)
GRAIN: Final = 7
NOISE: Final = 3.0
BLUR: Final = 0.6
FINE: Final = 4
"""Fractional bits of a pixel's place."""
CARD_SHADOW: Final = 0.8


class TableRenderer:
    """Renders the table seen from a viewpoint, from the pictures of the pieces."""

    def __init__(self, pictures: Mapping[str, Array], view: Viewpoint, seed: int = 1) -> None:
        self._pictures = pictures
        self._view = view
        width, height = view.size
        noise = np.random.default_rng(seed).normal(0, NOISE, (height, width, 3))
        self._noise = np.round(noise).astype(np.int8)
        self._wood = self._planks(seed)
        self._still: tuple[object, Array] | None = None

    def draw(self, scene: TableContents) -> Array:
        view, lamp = self._view.bumped(scene.bump[:2], scene.bump[2]), Lamp(scene.lamp)
        key = (scene.cards, scene.lamp, scene.bump)
        if self._still is None or self._still[0] != key:
            self._still = (key, self._ground(scene.cards, view, lamp))
        canvas = self._still[1].copy()
        eye = view.eye
        for figure in sorted(scene.figures, key=lambda one: -((one.x - eye[0]) ** 2 + (one.y - eye[1]) ** 2)):
            self._figure(canvas, figure, view, lamp)
        for die in scene.dice:
            cast_shadow(canvas, corners_of_die(die), view, lamp)
            draw_die(canvas, die, view, lamp)
        if scene.hand is not None:
            draw_hand(canvas, scene.hand, view, lamp)
        return canvas

    # --- what stands still --------------------------------------------------------------------------------------------

    def _ground(self, cards: tuple[CardOnTable, ...], view: Viewpoint, lamp: Lamp) -> Array:
        """Render wood, mat and cards from above, then through the lens, in the lamp's light, with sensor noise."""
        sheet = self._wood.copy()
        self._lay(sheet, self._pictures["mat.png"], (0.0, 0.0), MAT, 0.0)
        for track, middle in TRACKS.items():
            self._lay(sheet, self._pictures[f"track-{track}.png"], middle, TRACK, 0.0)
        for card in sorted(cards, key=lambda one: one.kind == "threat"):
            self._shade(sheet, card)
            self._lay(sheet, self._pictures[card.file], (card.x, card.y), card.size, card.turn)
        from_sheet = np.array(
            [[1 / PIXELS_PER_MM, 0, -GROUND[0] / 2], [0, -1 / PIXELS_PER_MM, GROUND[1] / 2], [0, 0, 1.0]]
        )
        bend = view.ground @ from_sheet
        seen = cv2.warpPerspective(sheet, bend, view.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        seen = cv2.multiply(cv2.GaussianBlur(seen, (0, 0), BLUR), lamp.field(view), scale=1 / 255)
        return cv2.add(seen, self._noise, dtype=cv2.CV_8U)

    def _lay(self, sheet: Array, picture: Array, middle: Pair, size: Pair, turn: float) -> None:
        """Paste a picture at a place of the table (mm)."""
        rows, columns = picture.shape[:2]
        part, corners = self._place(sheet, middle, size, turn)
        source = np.array([(-0.5, -0.5), (columns - 0.5, -0.5), (columns - 0.5, rows - 0.5)], np.float32)
        bend = cv2.getAffineTransform(source, (corners[:3] - 0.5).astype(np.float32))
        whole = (part.shape[1], part.shape[0])
        cv2.warpAffine(picture, bend, whole, dst=part, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT)

    def _shade(self, sheet: Array, card: CardOnTable) -> None:
        """Draw the line of shadow at a card's edge."""
        part, corners = self._place(sheet, (card.x + 0.6, card.y - 0.8), card.size, card.turn)
        mask = np.zeros(part.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 255, cv2.LINE_AA)
        part[:] = _darker(part, mask, 1 - CARD_SHADOW)

    def _place(self, sheet: Array, middle: Pair, size: Pair, turn: float) -> tuple[Array, Array]:
        """Return the part of the sheet that a card covers, and its corners in it, from the upper left one."""
        half_x, half_y, angle = size[0] / 2, size[1] / 2, np.radians(turn)
        right = np.array([np.cos(angle), np.sin(angle)])
        up = np.array([-np.sin(angle), np.cos(angle)])
        signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))
        spots = np.array([self._spot(middle + x * half_x * right + y * half_y * up) for x, y in signs])
        low = np.floor(spots.min(axis=0)).astype(int)
        high = np.ceil(spots.max(axis=0)).astype(int) + 1
        return sheet[low[1] : high[1], low[0] : high[0]], spots - low

    @staticmethod
    def _spot(middle: Array) -> tuple[float, float]:
        """Return the place of a point of the table on the sheet."""
        return (middle[0] + GROUND[0] / 2) * PIXELS_PER_MM, (GROUND[1] / 2 - middle[1]) * PIXELS_PER_MM

    @staticmethod
    def _planks(seed: int) -> Array:
        width, height = (round(side * PIXELS_PER_MM) for side in GROUND)
        coarse = np.random.default_rng(seed).normal(0, GRAIN, (height // 4, 12)).astype(np.float32)
        grain = np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC))[..., None]
        return np.clip(np.array(WOOD) + grain, 0, 255).astype(np.uint8)

    # --- what stands on it --------------------------------------------------------------------------------------------

    def _figure(self, canvas: Array, figure: FigureOnTable, view: Viewpoint, lamp: Lamp) -> None:
        corners = corners_of(figure.x, figure.y, figure.turn, lying=figure.lying)
        cast_shadow(canvas, corners, view, lamp)
        net, eye = self._pictures[f"figure-{figure.player}.png"], view.eye
        light = lamp.colour_at(figure.x, figure.y)
        for face in faces_of(corners):
            middle = face.corners.mean(axis=0)
            if np.dot(face.normal, eye - middle) > 0:
                shade = light * lamp.falls_on(face.normal, middle)
                self._face(canvas, (net, on_net(face, PIXELS_PER_MM)), shade, view.project(face.corners))

    def _face(self, canvas: Array, printed: tuple[Array, Array], shade: Array, corners: Array) -> None:
        """Paste one side of a body (the net's picture, and where in it), shaded, with the sensor's noise."""
        found = _part_of(canvas, corners, 1)
        if found is None:
            return
        part, corner = found
        picture, source = printed
        bend = cv2.getPerspectiveTransform((source - 0.5).astype(np.float32), (corners - corner).astype(np.float32))
        size = (part.shape[1], part.shape[0])
        seen = cv2.warpPerspective(picture, bend, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        noise = self._noise[corner[1] : corner[1] + size[1], corner[0] : corner[0] + size[0]]
        mask = np.zeros(part.shape[:2], np.uint8)
        fine = np.round((corners - corner) * (1 << FINE)).astype(np.int32)
        cv2.fillConvexPoly(mask, fine, 255, cv2.LINE_AA, FINE)
        share = mask[..., None].astype(np.float32) / 255
        part[:] = np.clip(part * (1 - share) + (seen * shade + noise) * share, 0, 255).astype(np.uint8)


def cast_shadow(canvas: Array, points: Array, view: Viewpoint, lamp: Lamp) -> None:
    """Darken what lies in the shadow of a body."""
    hull = cv2.convexHull(view.project(lamp.shadows(points)).astype(np.float32)).reshape(-1, 2)
    found = _part_of(canvas, hull, SOFT)
    if found is None:
        return
    part, corner = found
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(hull - corner).astype(np.int32), 255, cv2.LINE_AA)
    part[:] = _darker(part, cv2.GaussianBlur(mask, (SOFT, SOFT), 0), SHADE)


def _part_of(canvas: Array, points: Array, around: int) -> tuple[Array, Array] | None:
    """Return the part of a picture around some points, and its corner; None where they are outside."""
    low = np.maximum(np.floor(points.min(axis=0)).astype(int) - around, 0)
    high = np.minimum(np.ceil(points.max(axis=0)).astype(int) + around + 1, (canvas.shape[1], canvas.shape[0]))
    if (high - low).min() < 1:
        return None
    return canvas[low[1] : high[1], low[0] : high[0]], low


def _darker(part: Array, mask: Array, share: float) -> Array:
    kept = 1 - share * mask[..., None].astype(np.float32) / 255
    return (part * kept).astype(np.uint8)
