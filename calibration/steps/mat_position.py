"""Table: measure in one picture where the mat's tags are, how large the stickers are, and the lens' distortion."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final

import cv2
import numpy as np

from calibration.measuring.measures import Located, Locator, scale_at, tilt_of
from calibration.steps.aim import lens_seen, mat_marks, notes_beside, notes_on
from calibration.steps.lighting import FREE, LightStep
from calibration.steps.step import Note, NoteLevel, StepError, fault, fine, hint
from companion.table.record.data_folder import put
from companion.vision.camera.pose import find_pose
from companion.vision.profile import CameraModel
from companion.vision.scene.mat import photograph
from companion.vision.table_reader import TableReader

if TYPE_CHECKING:
    from companion.pieces.sheets.printed_profile import CameraJson, MatJson, MatTagJson, ProfileJson
    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.cards.tags import Tag
    from companion.vision.profile import Profile

ASKEW, FARTHEST = 0.8, 20.0  # mm a mat tag may be off before it is written down, and before it is another mat
DOUBTFUL, CERTAIN = 2.0, 3.0  # times the uncertainty of where a tag should be: nearer, it may lie where it should
ALONE: Final = 0.6  # of what the others disagree by without the next likely one: else any of them may be askew
LENS_OFF: Final = (0.01, 0.005, 0.005, 0.02, 0.03)  # what a known lens may be off: focal length, centre, k1 and k2
GUESS_OFF: Final = (0.1, 0.02, 0.02, 0.15, 0.15)  # the same of a guessed one; lengths as shares of the width
MAT_OFF: Final = 0.5  # mm that a mat's tags seem to be off because it does not lie flat
SLOPES: Final = (6, 8, 9, 10, 11)  # OpenCV's columns for these
STICKER_OFF: Final = 0.06  # of a sticker's size
FEW_STICKERS: Final = 3
ROUGH: Final = 1.5  # pixels
FEW_TAGS: Final = 3
MAT_FILE: Final = "mat.png"
ENOUGH: Final = 4


@dataclass
class TableStep(LightStep):
    """Measures the mat in one picture; a later picture replaces an earlier one.

    A camera that still adjusts to its light by itself has it locked first.
    """

    name: ClassVar[str] = "table"
    _patch: ProfileJson | None = None
    _mat: Array | None = None

    def _see(self, picture: Array, label: str) -> list[Note]:
        del label
        profile = self.file.profile()
        located = Locator(profile).locate(picture)
        self.marks = mat_marks(located, profile)
        if located.other_lens is not None:
            return [fault("lens_differs", **lens_seen(located, profile))]
        about = notes_on(picture, located, profile)
        faults = [note for note in about if note.level is NoteLevel.FAULT]
        if located.pose is None or any(note.code in ("no_table", "blurred", "black") for note in faults):
            return faults
        if located.pose.tags < FEW_TAGS:
            return [fault("few_tags", seen=located.pose.tags)]
        if self.light == FREE and not self.found:
            self.act("hold", {})
        light = self.light_notes(picture, located)
        if self.eager:
            return light
        patch, notes = measured(located, located.pose, self.file.raw(), profile)
        if self.found:
            patch["camera"]["locked"] = self.found
        self._patch = patch
        self._mat, about_mat = empty_mat(picture, located, located.pose, profile)
        notes = [*notes, about_mat]
        return [*notes, *light, *(note for note in about if note.level is not NoteLevel.FINE)]

    @property
    def progress(self) -> tuple[int, int]:
        return (int(bool(self._patch) and not self.eager), 1)

    def patch(self) -> ProfileJson:
        """Return where the tags are, how large stickers are, and what the camera is like."""
        if not self._patch:
            raise StepError(fault("no_picture_yet"))
        return self._patch

    def keep(self) -> list[Note]:
        """Write the picture of the empty mat beside the profile first, which names it."""
        patch = self.patch()
        if self._mat is not None:
            done, data = cv2.imencode(".png", self._mat)
            if not done:
                raise StepError(fault("no_picture_yet"))
            try:
                put(self.file.folder / MAT_FILE, bytes(data))
            except OSError as error:
                raise StepError(fault("not_written", file=MAT_FILE, why=error.strerror or str(error))) from error
            patch["table"] = {**patch.get("table", {}), "picture": MAT_FILE}
        return super().keep()


def empty_mat(picture: Array, located: Located, pose: Pose, profile: Profile) -> tuple[Array | None, Note]:
    """Return the mat from straight above if nothing lies on it, else why it is not taken."""
    if located.seen(profile.card_of_tag()):
        return None, hint("mat_not_empty")
    rows = tuple((float(a), float(b), float(c)) for a, b, c in pose.matrix)
    lens = tuple(float(value) for value in pose.distortion)
    reader = TableReader(replace(profile, camera=CameraModel(located.size, rows, lens), mat_picture=None))
    reading = reader.look(picture).reading
    if reading.hand:
        return None, hint("hand_over")
    if reading.rooms or reading.threats or reading.dwellers:
        return None, hint("mat_not_empty")
    return photograph(picture, pose, profile), fine("mat_taken")


def measured(located: Located, pose: Pose, raw: ProfileJson, profile: Profile) -> tuple[ProfileJson, list[Note]]:
    """Return what one picture shows of the mat, as a patch, with notes on it."""
    camera, notes = _camera(located, pose, raw, profile)
    table: MatJson = {}
    moved, doubtful = askew(located, pose, profile)
    if moved:
        table["mat_tags"] = [_moved(tag, moved) for tag in raw["table"]["mat_tags"]]
        notes += [hint("tag_askew", tag=number, mm=round(by, 1)) for number, (_, by) in moved.items()]
    notes += [hint("tag_doubtful", tag=number, mm=round(by, 1)) for number, by in doubtful.items()]
    size, count = sticker_size(located, pose, profile)
    if size is not None and abs(size - profile.card_tag) > STICKER_OFF * profile.card_tag:
        table["card_tag"] = round(size, 1)
        notes.append(hint("stickers_differ", mm=round(size, 1), expected=profile.card_tag, count=count))
    patch: ProfileJson = {"camera": camera, "table": table} if table else {"camera": camera}
    eye, tilt = [round(float(value)) for value in pose.eye], round(tilt_of(pose), 1)
    beside = [{"code": note.code, **note.fields} for note in notes_beside(pose, profile, located.size)]
    patch["camera"]["stands"] = {"eye": eye, "tilt": tilt, "outside": beside}
    where = fine("table_found", tags=pose.tags, error=round(pose.error, 2), cm=round(eye[2] / 10), tilt=round(tilt))
    return patch, [where, *notes]


def _camera(located: Located, pose: Pose, raw: ProfileJson, profile: Profile) -> tuple[CameraJson, list[Note]]:
    """Return the picture's size, and the lens as far as the mat shows it, where nothing better is known."""
    known = raw.get("camera", {})
    camera: CameraJson = {"size": list(located.size)}
    if not located.guessed and profile.camera.size == located.size and known.get("distortion") is not None:
        return camera, [hint("table_rough", px=round(pose.error, 1))] if pose.error > ROUGH else []
    camera["matrix"] = [[round(float(value), 3) for value in row] for row in pose.matrix]
    camera["distortion"] = [round(float(value), 5) for value in pose.distortion]
    return camera, [hint("lens_from_mat", focal=round(float(pose.matrix[0, 0])))] if located.guessed else []


Shifts = dict[int, tuple[list[float], float]]


def askew(located: Located, pose: Pose, profile: Profile) -> tuple[Shifts, dict[int, float]]:
    """Return tags of the mat that are not where they should be: their real middles, and how far off (mm).

    Each tag is compared with what the others say; the worst is set aside, as long as enough are left. One that may as
    well lie where it should, since lens and mat are known only so well, is doubtful: how far off it seems to be (mm).
    """
    wanted = {tag.id: tag.centre for tag in profile.mat_tags}
    seen = {tag.id: tag for tag in located.tags if tag.id in wanted}
    lens = tuple(float(value) for value in pose.distortion)
    rows = tuple((float(a), float(b), float(c)) for a, b, c in pose.matrix)
    profile = replace(profile, camera=CameraModel(located.size, rows, lens), cards={})
    found: Shifts = {}
    while len(seen) > ENOUGH:
        others = {number: [tag for other, tag in seen.items() if other != number] for number in seen}
        poses = {number: find_pose(rest, profile, located.size) for number, rest in others.items()}
        fits = {
            number: _fit(seen[number], others[number], by, profile, guessed=located.guessed)
            for number, by in poses.items()
            if by is not None
        }
        likely = sorted(fits, key=lambda number: fits[number].rest_px)[:2]
        by_others = poses[likely[0]] if likely else None
        if by_others is None:
            break
        worst = likely[0]
        spot = by_others.ground(seen[worst].centre[None])[0]
        off = float(np.linalg.norm(spot - wanted[worst]))
        if not ASKEW < off < FARTHEST or fits[worst].away < DOUBTFUL:
            break
        lone = all(fits[worst].rest_px < ALONE * fits[other].rest_px for other in likely[1:])
        if fits[worst].away < CERTAIN or not lone:
            return found, {worst: off}
        found[worst] = ([round(float(value), 1) for value in spot], off)
        del seen[worst]
    return found, {}


@dataclass(frozen=True, slots=True)
class _TagFit:
    """How far a tag is from where the others say, in standard deviations, and how well those agree without it (px)."""

    away: float
    rest_px: float


def _fit(tag: Tag, others: list[Tag], pose: Pose, profile: Profile, *, guessed: bool) -> _TagFit:
    """Compare a tag with the others: far from them every small fault of lens, pose or a mat that is not flat grows."""
    wanted = {mark.id: mark.centre for mark in profile.mat_tags}
    turn = cv2.Rodrigues(pose.rotation)[0]
    width = profile.camera.size[0]

    def slopes(tags: list[Tag]) -> tuple[Array, Array]:
        points = np.array([[*wanted[one.id], 0.0] for one in tags])
        there, every = cv2.projectPoints(points, turn, pose.shift, pose.matrix, pose.distortion)
        by = np.array(every, dtype=np.float64)
        by[:, 6] = by[:, 6] + by[:, 7]  # one focal length
        return np.asarray(there).reshape(-1, 2), by[:, [*range(6), *SLOPES]]

    there, by_others = slopes(others)
    off = there - np.array([one.centre for one in others])
    rest = float((off**2).mean())
    noise = max(rest, (MAT_OFF * scale_at(pose, *wanted[tag.id])) ** 2)
    spread = np.array(GUESS_OFF if guessed else LENS_OFF) * (width, width, width, 1.0, 1.0)
    known = by_others.T @ by_others / noise + np.diag([*np.zeros(6), *(1 / spread**2)])
    spot, mine = slopes([tag])
    doubt = mine @ np.linalg.inv(known) @ mine.T + noise * np.eye(2)
    away = (tag.centre - spot[0]).reshape(2)
    return _TagFit(float(np.sqrt(away @ np.linalg.solve(doubt, away))), float(np.sqrt(rest)))


def _moved(tag: MatTagJson, moved: dict[int, tuple[list[float], float]]) -> MatTagJson:
    return {**tag, "centre": moved[tag["id"]][0]} if tag.get("id") in moved else tag


def sticker_size(located: Located, pose: Pose, profile: Profile) -> tuple[float | None, int]:
    """Return the size of the cards' stickers, by the mat's scale, and how many were measured."""
    stickers = located.seen(profile.card_of_tag())
    sides = [_side(tag, pose) for tag in stickers]
    return (float(np.median(sides)), len(sides)) if len(sides) >= FEW_STICKERS else (None, len(sides))


def _side(tag: Tag, pose: Pose) -> float:
    ground = pose.ground(tag.outer)
    return float(np.linalg.norm(ground - np.roll(ground, 1, axis=0), axis=1).mean())
