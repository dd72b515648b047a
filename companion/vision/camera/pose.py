"""Estimate the camera's pose above the mat: PnP from tags, refined together with the lens' distortion."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.arrays import Array, median
from companion.vision.cards.tags import Tag
from companion.vision.places import Slot
from companion.vision.profile import CameraModel, Profile

WORST_PX = 3.0
CARD_WORST_PX, ROUGH_PX = 9.0, 14.0
NEAR_SLOT_MM = 25.0
TAGS_FOR_LENS = 3
ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Pose:
    """The camera's pose in the mat's frame (mm); `error` is the typical reprojection error in pixels."""

    rotation: Array
    shift: Array
    matrix: Array
    distortion: Array
    error: float
    tags: int

    @property
    def eye(self) -> Array:
        """The camera's position, in mm from the middle of the mat."""
        return np.asarray(-self.rotation.T @ self.shift)

    def shifted(self, x: float, y: float) -> "Pose":
        """Return the pose for a crop of the picture that begins at another pixel."""
        matrix = self.matrix.copy()
        matrix[0, 2] += x
        matrix[1, 2] += y
        return replace(self, matrix=matrix)

    def project(self, points: Array) -> Array:
        """Project points of the mat (n, 3) to pixels (n, 2)."""
        turn = cv2.Rodrigues(self.rotation)[0]
        flat = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 1, 3)
        return np.asarray(cv2.projectPoints(flat, turn, self.shift, self.matrix, self.distortion)[0].reshape(-1, 2))

    def ground(self, pixels: Array) -> Array:
        """Find where pixels (n, 2) meet the plane of the mat, in mm (n, 2)."""
        points = np.ascontiguousarray(pixels, dtype=np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(points, self.matrix, self.distortion).reshape(-1, 2)
        directions = np.c_[rays, np.ones(len(rays))] @ self.rotation
        eye = self.eye
        return np.asarray(eye[:2] - directions[:, :2] * (eye[2] / directions[:, 2:]))


@dataclass(frozen=True, slots=True)
class _Sights:
    """Points of the mat in mm, the pixels they were seen at, and the id of each one's tag."""

    plane: Array
    pixels: Array
    owner: Array

    def and_those(self, other: "_Sights") -> "_Sights":
        return _Sights(
            np.vstack([self.plane, other.plane]),
            np.vstack([self.pixels, other.pixels]),
            np.concatenate([self.owner, other.owner]),
        )

    def without(self, owner: int) -> "_Sights":
        keep = self.owner != owner
        return _Sights(self.plane[keep], self.pixels[keep], self.owner[keep])


def find_pose(tags: list[Tag], profile: Profile, size: tuple[int, int]) -> Pose | None:
    """Estimate the pose from the tags in a picture of `size` (width, height); None when they do not agree."""
    seen: dict[int, list[Tag]] = {}
    for tag in tags:
        seen.setdefault(tag.id, []).append(tag)
    once = {tag: found[0] for tag, found in seen.items() if len(found) == 1}
    camera, guessed = fit_camera(profile.camera, size)
    sights = _mat_sights(once, profile)
    seen_of_mat = len(set(sights.owner.tolist()))
    while len(sights.plane) >= 10:  # noqa: PLR2004 - two tags of five points
        pose, worst = _solve(sights, camera, guessed, WORST_PX)
        if pose is not None:
            # With a guessed lens far tags are off; with another mat's profile most of them contradict each other.
            return pose if guessed or 2 * pose.tags >= seen_of_mat else None
        sights = sights.without(worst)
    lifts = _lift_sights(once, profile)
    if len(sights.plane) + len(lifts.plane) < 8:  # noqa: PLR2004 - fewer could agree by chance
        return None
    rough = _solve(sights.and_those(lifts), camera, guessed, ROUGH_PX)[0]
    if rough is None:
        return None
    rooms = _room_sights(once, profile, rough)
    return _solve(sights.and_those(rooms), camera, guessed, CARD_WORST_PX)[0] if len(rooms.plane) > 5 else None  # noqa: PLR2004


def fit_camera(camera: CameraModel, size: tuple[int, int]) -> tuple[CameraModel, bool]:
    """Scale the camera model to a picture of another size; for another shape only a guess is left (True)."""
    width, height = size
    if camera.size == size:
        return camera, False
    factor = width / camera.size[0]
    same_shape = abs(camera.size[1] * factor - height) < 2  # noqa: PLR2004 - rounding
    matrix = np.array(camera.matrix) * [[factor], [factor], [1.0]]
    if not same_shape:
        matrix[:2, 2] = width / 2, height / 2
    rows = tuple((float(a), float(b), float(c)) for a, b, c in matrix)
    return replace(camera, size=size, matrix=rows, distortion=camera.distortion if same_shape else None), not same_shape


def _mat_sights(once: dict[int, Tag], profile: Profile) -> _Sights:
    plane, pixels, owner = [], [], []
    for mark in profile.mat_tags:
        tag = once.get(mark.id)
        if tag is None:
            continue
        x, y, half = *mark.centre, mark.size / 2
        plane += [(x + half * dx, y + half * dy, 0.0) for dx, dy in ((-1, 1), (1, 1), (1, -1), (-1, -1), (0, 0))]
        pixels += [*tag.outer, tag.centre]
        owner += [mark.id] * 5
    return _Sights(_rows(plane, 3), _rows(pixels, 2), np.array(owner, dtype=np.int64))


def _lift_sights(once: dict[int, Tag], profile: Profile) -> _Sights:
    """Take the elevators' tags as points: their slots are known without a pose."""
    plane, pixels, owner = [], [], []
    slots = {slot.level: slot for slot in profile.slots if slot.is_elevator}
    lifts = [c for c in profile.cards.values() if c.kind == "elevator" and len(c.tags) == profile.levels]
    for level, number in [(level, tag) for card in lifts for level, tag in enumerate(card.tags, start=1)]:
        if number in once:
            x, y = _sticker_at(slots[level], profile)
            half = profile.card_tag / 2
            plane += [(x + half * dx, y + half * dy, 0.0) for dx, dy in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
            pixels += list(once[number].outer)
            owner += [number] * 4
    return _Sights(_rows(plane, 3), _rows(pixels, 2), np.array(owner, dtype=np.int64))


def _room_sights(once: dict[int, Tag], profile: Profile, rough: Pose) -> _Sights:
    """Take the middles of rooms' and elevators' tags as points, each in the slot that a rough pose gives."""
    kinds = {tag: card.kind for tag, card in profile.card_of_tag().items()}
    plane, pixels, owner = [], [], []
    for number, tag in once.items():
        if kinds.get(number) not in {"room", "elevator"}:
            continue
        spot = rough.ground(tag.centre[None])[0]
        places = [_sticker_at(slot, profile) for slot in profile.slots]
        x, y = min(places, key=lambda place: (place[0] - spot[0]) ** 2 + (place[1] - spot[1]) ** 2)
        if abs(x - spot[0]) < NEAR_SLOT_MM and abs(y - spot[1]) < NEAR_SLOT_MM:
            plane.append((x, y, 0.0))
            pixels.append(tag.centre)
            owner.append(number)
    return _Sights(_rows(plane, 3), _rows(pixels, 2), np.array(owner, dtype=np.int64))


def _sticker_at(slot: Slot, profile: Profile) -> tuple[float, float]:
    """Return where the sticker of a card in a slot should be: in its top right corner."""
    inset = profile.card_tag * 0.65 + 1
    return slot.x + profile.card[0] / 2 - inset, slot.y + profile.card[1] / 2 - inset


def _rows(values: Sequence[object], width: int) -> Array:
    return np.array(values, dtype=np.float64).reshape(-1, width)


def _solve(sights: _Sights, camera: CameraModel, guessed: bool, worst_px: float) -> tuple[Pose | None, int]:
    """Fit the pose; return with it the tag with the largest error."""
    matrix = np.array(camera.matrix, dtype=np.float64)
    given = np.array(camera.distortion or (), dtype=np.float64)
    lens = np.zeros(max(5, len(given)))
    lens[: len(given)] = given
    found, turn, shift = cv2.solvePnP(sights.plane, sights.pixels, matrix, lens, flags=cv2.SOLVEPNP_IPPE)
    if not found:
        return None, int(sights.owner[0])
    turn, shift, matrix, lens = _refine(sights, (turn, shift, matrix, lens), guessed)
    there = cv2.projectPoints(sights.plane, turn, shift, matrix, lens)[0].reshape(-1, 2)
    off = np.linalg.norm(there - sights.pixels, axis=1)
    worst = int(sights.owner[int(np.argmax(off))])
    if not np.isfinite(off).all() or off.max() > worst_px * max(1.0, camera.size[0] / 1600):
        return None, worst
    rotation = np.asarray(cv2.Rodrigues(turn)[0])
    pose = Pose(rotation, shift.reshape(3), matrix, lens, float(median(off)), len(set(sights.owner.tolist())))
    above = pose.eye[2] > 0 and rotation[2, 2] < 0
    return (pose if above else None), worst


def _refine(
    sights: _Sights, start: tuple[Array, Array, Array, Array], guessed: bool
) -> tuple[Array, Array, Array, Array]:
    """Run Gauss-Newton over the pose and k1 (and the focal length where it is only a guess)."""
    turn, shift, matrix, lens = (np.array(part, dtype=np.float64) for part in start)
    free_lens = len(set(sights.owner.tolist())) >= TAGS_FOR_LENS
    columns = [*range(6), *([6, 7] if guessed and free_lens else []), *([10] if free_lens else [])]
    firm = np.zeros(len(columns))
    if free_lens:
        firm[-1] = (0.5 / 0.1) ** 2  # half a pixel of noise against a bend of a tenth
    bend = lens[0]
    for _ in range(ROUNDS):
        there, slopes = cv2.projectPoints(sights.plane, turn, shift, matrix, lens)
        slope = slopes[:, columns]
        off = (sights.pixels - there.reshape(-1, 2)).ravel()
        pull = slope.T @ off
        if free_lens:
            pull[-1] += firm[-1] * (bend - lens[0])
        step = np.linalg.lstsq(slope.T @ slope + np.diag(firm), pull, rcond=None)[0]
        turn, shift = turn + step[:3, None], shift + step[3:6, None]
        if guessed and free_lens:
            focal = matrix[0, 0] + (step[6] + step[7]) / 2
            matrix[0, 0] = matrix[1, 1] = max(focal, 50.0)
        if free_lens:
            lens[0] = float(np.clip(lens[0] + step[-1], -0.6, 0.6))
        if np.abs(step).max() < 1e-6:  # noqa: PLR2004 - nothing moves any more
            break
    return turn, shift, matrix, lens
