"""Find the table by its cards alone, where nothing is printed for the camera: by their grid, and the elevators.

Cards are rectangles of a known size, laid in a grid of a known pitch. Their outlines tell the plane and the grid; which
column and which level is which is told by the elevators, the only cards that have a column of their own. What is known
by its picture then says exactly where the camera stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.vision.arrays import median
from companion.vision.camera.pose import Pose, fit_camera
from companion.vision.cards.card_features import CardFeatures
from companion.vision.cards.card_grid import find_cards
from companion.vision.cards.card_match import BlockMatcher
from companion.vision.places import ELEVATOR, ROOM_SLOTS

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.cards.card_grid import FoundCard
    from companion.vision.cards.card_match import CardArt
    from companion.vision.places import Slot
    from companion.vision.profile import CameraModel, CardProfile, Profile

SCALE: Final = 0.5  # pixels a millimetre in which cards are compared
FINE: Final = 1.0  # the same where they are located
REACH: Final = 3  # pixels
FINE_REACH: Final = 7
BLOCKS: Final = (4, 4)
ALIKE, LEAD = 0.5, 0.03  # of a card that is named; how far ahead of one of the other kind an elevator is
LOCATED: Final = 0.6
LIKELY: Final = 0.45  # of what has the outline of a card
MOST: Final = 0.7  # of the cards of a grid that lie on the table's places
CHOICES: Final = 40
AHEAD: Final = 0.15  # of how much the elevators' column is like elevators, before any other
FEW: Final = 3  # cards that a grid is told by at least
STRAY: Final = 0.3  # of the pitch that a card may lie off the grid
LIFTS: Final = 2  # elevators that tell the column at least
ROUNDS: Final = 3
OFF_MM: Final = 9.0  # from its place, of a card that is counted


@dataclass(frozen=True, slots=True)
class _Cell:
    """A card in the grid: its column and row, its corners in pixels, and whether it looks like an elevator."""

    column: int
    row: int
    corners: Array
    lift: bool


class CardsPose:
    """Finds the pose of the camera in pictures of cards that it knows."""

    def __init__(self, profile: Profile, arts: list[CardArt]) -> None:
        self._profile = profile
        self._arts = [art for art in arts if art.card.kind in {"room", "elevator"}]
        self._features: CardFeatures | None = None
        self._rooms = [(art.card, art.picture) for art in arts if art.card.kind == "room"]
        self._lifts = [(art.card, art.picture) for art in arts if art.card.kind == "elevator"]
        self._coarse = [self._album(some, SCALE) for some in (self._rooms, self._lifts)]
        self._fine: dict[tuple[int, int], BlockMatcher] = {}
        self._pitch = np.array([profile.card[0] + profile.gap, profile.card[1] + profile.gap])

    @property
    def can(self) -> bool:
        """Whether enough is known of the cards: without a picture of the elevators there is no column to begin at."""
        return bool(self._lifts)

    def find(self, picture: Array, before: Pose | None = None) -> Pose | None:
        """Return the pose; `before` is the last one, which holds while the cards lie where it has them."""
        camera = fit_camera(self._profile.camera, (picture.shape[1], picture.shape[0]))[0]
        if before is not None:
            pose = self._located(picture, before, camera, max(2 * FEW, before.tags // 2))
            if pose is not None:
                return pose
        for cells in (self._known(picture, camera), self._outlined(picture, camera)):
            for pose in self._placed(picture, cells, camera):
                exact = self._located(picture, pose, camera)
                if exact is not None:
                    return exact
        return None

    # --- the grid -----------------------------------------------------------------------------------------------------

    def _known(self, picture: Array, camera: CameraModel) -> list[_Cell]:
        """Return the cards that are recognised by key points of their pictures, as far as they lie in one grid."""
        if self._features is None:
            self._features = CardFeatures(self._arts)
        seen = self._features.find(picture)
        return self._grid([one.corners for one in seen], [one.card.kind == "elevator" for one in seen], camera)

    def _outlined(self, picture: Array, camera: CameraModel) -> list[_Cell]:
        """Return what has a card's outline and looks like one that is known, as far as it lies in one grid."""
        sizes = [self._profile.card, self._profile.threat]
        found = [card for card in find_cards(picture, sizes) if card.size == self._profile.card]
        named = [self._kinds(picture, card) for card in found]
        up = sum(ways[0][0] - ways[1][0] for ways in named)
        turn = 0 if up >= 0 else 2
        kept = [(card, ways[turn // 2]) for card, ways in zip(found, named, strict=True) if ways[turn // 2][0] > LIKELY]
        return self._grid(
            [np.roll(card.corners, turn, axis=0) for card, _ in kept], [way[1] for _, way in kept], camera
        )

    def _grid(self, corners: list[Array], lifts: list[bool], camera: CameraModel) -> list[_Cell]:
        """Return the cards that lie in one grid, with their columns and rows in it."""
        rings = [_straight(one, camera) for one in corners]
        laid: dict[int, tuple[int, int]] = {}
        for seed in range(len(rings)):
            cells = self._grown(rings, seed)
            if len(cells) > len(laid):
                laid = cells
        if len(laid) < FEW:
            return []
        return [_Cell(*cell, corners[index], lifts[index]) for index, cell in laid.items()]

    def _kinds(self, picture: Array, card: FoundCard) -> list[tuple[float, bool]]:
        """Return for both ways up how like any card it is, and whether it is an elevator."""
        told = []
        for turn in (0, 2):
            window = _window(picture, np.roll(card.corners, turn, axis=0), card.size, SCALE, REACH)
            room, lift = (self._likeness(album, window, REACH) for album in self._coarse)
            told.append((max(room, lift), lift > ALIKE and lift > room + LEAD))
        return told

    @staticmethod
    def _likeness(album: BlockMatcher, window: Array, reach: int) -> float:
        return float(album.compare(window, reach).whole().scores.max()) if album.cards else -1.0

    def _grown(self, rings: list[Array], seed: int) -> dict[int, tuple[int, int]]:
        """Return column and row of each card that lies in the grid of one of them, from its neighbours outwards."""
        half = np.array(self._profile.card) / 2
        flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        cells = {seed: (0, 0)}
        bend = cv2.getPerspectiveTransform(rings[seed].astype(np.float32), flat.astype(np.float32))
        middles = np.array([ring.mean(axis=0) for ring in rings])
        for reach in (1, 2, 4, 8):
            spots = cv2.perspectiveTransform(middles[:, None].astype(np.float64), bend)[:, 0] / self._pitch
            near = np.rint(spots)
            good = (np.abs(spots - near) < STRAY).all(axis=1) & (np.abs(near) <= reach).all(axis=1)
            cells = {int(index): (int(near[index, 0]), int(near[index, 1])) for index in np.flatnonzero(good)}
            if seed not in cells:
                return {}
            goal = np.concatenate([flat + np.array(cells[index]) * self._pitch for index in cells])
            seen = np.concatenate([rings[index] for index in cells])
            bend = np.asarray(cv2.findHomography(seen, goal, cv2.RANSAC, 6.0)[0])
            if bend.shape != (3, 3):
                return {}
        taken: dict[tuple[int, int], int] = {}
        for index, cell in cells.items():
            taken.setdefault(cell, index)
        return {index: cell for cell, index in taken.items()}

    # --- which column, which level ------------------------------------------------------------------------------------

    def _placed(self, picture: Array, cells: list[_Cell], camera: CameraModel) -> list[Pose]:
        """Return the poses that the grid may be seen from, those first that have most elevators in their column."""
        if not cells:
            return []
        columns, rows = [cell.column for cell in cells], [cell.row for cell in cells]
        levels, wide = self._profile.levels, len(ROOM_SLOTS)
        ranked: list[tuple[int, int, Pose]] = []
        for column in range(min(columns), max(columns) + 1):
            for top in range(min(rows) - levels + 1, max(rows) + 1):
                inside = [
                    cell
                    for cell in cells
                    if -ELEVATOR <= cell.column - column < wide - ELEVATOR and 0 <= cell.row - top < levels
                ]
                if len(inside) < MOST * len(cells):
                    continue
                right = sum(cell.lift for cell in inside if cell.column == column)
                wrong = sum(cell.lift for cell in inside if cell.column != column)
                pose = self._pose(inside, column, top, camera)
                if pose is not None:
                    ranked.append((right - 2 * wrong, len(ranked), pose))
        ranked.sort(key=lambda one: -one[0])
        told = [(self._lifts_at(picture, pose), -number, pose) for _, number, pose in ranked[:CHOICES]]
        told.sort(key=lambda one: one[:2], reverse=True)
        if not told or told[0][0] < LIFTS * ALIKE or (len(told) > 1 and told[0][0] < told[1][0] + AHEAD):
            return []
        return [told[0][2]]

    def _lifts_at(self, picture: Array, pose: Pose) -> float:
        """Return how much like elevators all is that lies where a pose has them."""
        return sum(self._lift_at(picture, pose, slot) for slot in self._profile.slots if slot.is_elevator)

    def _lift_at(self, picture: Array, pose: Pose, slot: Slot) -> float:
        half = np.array(self._profile.card) / 2
        place = np.c_[np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half + np.array([slot.x, slot.y]), np.zeros(4)]
        corners = pose.project(place)
        if (corners < 0).any() or (corners >= [picture.shape[1], picture.shape[0]]).any():
            return 0.0
        window = _window(picture, corners, self._profile.card, FINE, FINE_REACH)
        return max(self._likeness(self._alone(1, at), window, FINE_REACH) for at in range(len(self._lifts)))

    def _pose(self, cells: list[_Cell], column: int, top: int, camera: CameraModel) -> Pose | None:
        slots = {(slot.column, slot.level): slot for slot in self._profile.slots}
        half = np.array(self._profile.card) / 2
        points, pixels = [], []
        for cell in cells:
            slot = slots.get((cell.column - column + ELEVATOR, cell.row - top + 1))
            if slot is not None:
                points.append(np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half + np.array([slot.x, slot.y]))
                pixels.append(cell.corners)
        if len(points) < FEW:
            return None
        return _solved(np.concatenate(points), np.concatenate(pixels), camera, len(points))

    # --- exactly ------------------------------------------------------------------------------------------------------

    def _located(self, picture: Array, pose: Pose, camera: CameraModel, least: int = FEW) -> Pose | None:
        """Return the pose by which all cards that are known by their pictures lie in their places; None if few do."""
        best = pose
        for _ in range(ROUNDS):
            points, pixels = self._seen(picture, best)
            if len(points) < least:
                return None
            again = _solved(np.concatenate(points), np.concatenate(pixels), camera, len(points))
            if again is None:
                return None
            moved = np.abs(again.project(points[0]) - best.project(points[0])).max()
            best = again
            if moved < 0.3:  # noqa: PLR2004 - pixels
                break
        return best

    def _seen(self, picture: Array, pose: Pose) -> tuple[list[Array], list[Array]]:
        """Return the places of cards that are known by their pictures, and where they are seen."""
        half = np.array(self._profile.card) / 2
        ring = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half
        points, pixels = [], []
        size = np.array([picture.shape[1], picture.shape[0]])
        for slot in self._profile.slots:
            place = np.c_[ring + np.array([slot.x, slot.y]), np.zeros(4)]
            corners = pose.project(place)
            if (corners < 0).any() or (corners >= size).any():
                continue
            kind = int(slot.is_elevator)
            if not self._coarse[kind].cards:
                continue
            window = _window(picture, corners, self._profile.card, SCALE, REACH)
            match = self._coarse[kind].compare(window, REACH).whole()
            at = int(match.scores.argmax())
            if match.scores[at] < LOCATED:
                continue
            window = _window(picture, corners, self._profile.card, FINE, FINE_REACH)
            match = self._alone(kind, at).compare(window, FINE_REACH).whole()
            right, down = match.shifts[0] / FINE
            if np.hypot(right, down) > OFF_MM:
                continue
            points.append(place)
            pixels.append(pose.project(place + np.array([right, -down, 0])))
        return points, pixels

    def _alone(self, kind: int, at: int) -> BlockMatcher:
        """Return one picture by itself, to locate its card by."""
        if (kind, at) not in self._fine:
            self._fine[kind, at] = self._album([(self._rooms, self._lifts)[kind][at]], FINE)
        return self._fine[kind, at]

    def _album(self, some: list[tuple[CardProfile, Array]], scale: float) -> BlockMatcher:
        size = (round(self._profile.card[0] * scale), round(self._profile.card[1] * scale))
        return BlockMatcher(some, size, BLOCKS, 0.6, halves=False)


def _straight(corners: Array, camera: CameraModel) -> Array:
    """Return corners without the lens' bend, in pixels of a lens that has none."""
    matrix = np.array(camera.matrix, dtype=np.float64)
    bend = np.array(camera.distortion or (0.0,) * 5)
    flat = cv2.undistortPoints(corners.reshape(-1, 1, 2).astype(np.float64), matrix, bend, P=matrix)
    return np.asarray(flat.reshape(-1, 2))


def _window(picture: Array, corners: Array, size: tuple[float, float], scale: float, reach: int) -> Array:
    """Rectify a card and `reach` pixels on every side of it."""
    width, height = (round(side * scale) for side in size)
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) + reach - 0.5
    bend = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    # twice as fine, then averaged: a card is smaller here than in the picture
    twice = np.diag([2.0, 2.0, 1.0]) @ bend
    large = cv2.warpPerspective(picture, twice, (2 * (width + 2 * reach), 2 * (height + 2 * reach)))
    return np.asarray(cv2.resize(large, (width + 2 * reach, height + 2 * reach), interpolation=cv2.INTER_AREA))


def _solved(points: Array, pixels: Array, camera: CameraModel, count: int) -> Pose | None:
    """Fit the pose to corners of cards, without those that lie astray."""
    places = points if points.shape[1] == 3 else np.c_[points, np.zeros(len(points))]  # noqa: PLR2004
    matrix = np.array(camera.matrix, dtype=np.float64)
    bend = np.array(camera.distortion or (0.0,) * 5)
    keep = np.ones(len(places), dtype=bool)
    for limit in (30.0, 12.0, 8.0, 8.0):
        found, turn, shift = cv2.solvePnP(places[keep], pixels[keep], matrix, bend, flags=cv2.SOLVEPNP_IPPE)
        if not found:
            return None
        turn, shift = cv2.solvePnPRefineLM(places[keep], pixels[keep], matrix, bend, turn, shift)
        there = cv2.projectPoints(places, turn, shift, matrix, bend)[0].reshape(-1, 2)
        off = np.linalg.norm(there - pixels, axis=1)
        keep = off < limit * max(1.0, camera.size[0] / 1600)
        if keep.sum() < 4 * FEW:
            return None
    rotation = np.asarray(cv2.Rodrigues(turn)[0])
    pose = Pose(rotation, shift.reshape(3), matrix, bend, float(median(off[keep])), count)
    return pose if pose.eye[2] > 0 and rotation[2, 2] < 0 else None
