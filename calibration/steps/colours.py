"""Colours: what the figures really look like, from the sheet with circles, or from figures that stand on the mat."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Final

import cv2
import numpy as np

from calibration.measuring.measures import Locator, guessed_camera
from calibration.measuring.papers import CIRCLE_TAG, CIRCLE_TAGS, PLAYERS, circle_middle, circle_tag_middles
from calibration.notes import Note, StepError, fault, fine, hint
from calibration.steps.step import GREEN, RED, Mark, Step
from companion.vision.camera.pose import Pose, find_pose
from companion.vision.eyes import Eyes
from companion.vision.figures.colours import linear
from companion.vision.figures.figures import PIXEL_MM, REACH, SIDE
from companion.vision.profile import MatTag

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.eyes import Look
    from companion.vision.figures.verdict import Verdict
    from companion.vision.profile import Profile

PAPER: Final = 0.87  # how much light white paper gives back
DARKER: Final = 15  # percentile of a figure's pixels: its darker ones have least shine on them
SHADE: Final = 0.55  # how bright those are beside the same colour lying flat in the light
LEAST_TAGS: Final = 2
TOO_LIKE: Final = 30.0  # distance in Lab under which two colours are easily taken for each other
PALE: Final = 12.0  # distance in Lab from the paper under which nobody stands there
HEIGHTS: Final = (0.3, 0.45, 0.6, 0.72)  # of a standing figure, where its body is looked at
BODY_MM: Final = 2.5
RING_MM: Final = (12.2, 14.2)
CORE: Final = 0.9
SURE: Final = 0.8
Samples = dict[str, list["Array"]]


@dataclass
class ColourStep(Step):
    """Gathers samples of every colour; each picture adds to them."""

    name: ClassVar[str] = "colours"
    _standing: Samples = field(default_factory=dict)
    _lying: Samples = field(default_factory=dict)

    def _see(self, picture: Array, label: str) -> list[Note]:
        del label
        profile = self.file.profile()
        locator = Locator(profile, CIRCLE_TAGS)
        tags = locator.finder.find(_grey(picture), thorough=True)
        pose = sheet_pose([tag for tag in tags if tag.id in CIRCLE_TAGS], profile, picture, tags)
        if pose is None:
            return self._on_the_mat(picture, profile)
        missing = []
        for number, player in enumerate(PLAYERS):
            for lying, samples in ((False, self._standing), (True, self._lying)):
                sample, ring = sampled(picture, pose, profile, number, lying=lying)
                found = sample is not None
                self.marks.append(Mark(ring, GREEN if found else RED, player))
                if sample is None:
                    missing.append(f"{player} {'lying' if lying else 'standing'}")
                else:
                    samples.setdefault(player, []).append(sample)
        if len(missing) == 2 * len(PLAYERS):
            return [fault("circles_empty")]
        return [*(hint("circle_empty", what=what) for what in missing), *self._notes()]

    def _on_the_mat(self, picture: Array, profile: Profile) -> list[Note]:
        """Without the sheet: figures that the first guess of their colours finds anyway."""
        eyes = Eyes(profile, keep_scenes=True)
        look = eyes.look(picture)
        if look.found is None or look.pose is None:
            return [fault("no_circles")]
        players, found = list(profile.colours), set()
        for verdict in look.found.verdicts:
            if verdict.sure and verdict.figure > SURE:
                player = players[verdict.candidate.player]
                samples = self._lying if verdict.lying else self._standing
                samples.setdefault(player, []).append(_body(verdict, look, eyes))
                found.add(player)
        if not found:
            return [fault("no_figures")]
        return [hint("mat_figures", players=", ".join(sorted(found))), *self._notes()]

    def colours(self) -> dict[str, tuple[int, int, int]]:
        """The colour of every player that was seen."""
        found = {}
        for player in PLAYERS:
            samples = self._standing.get(player, []) + self._lying.get(player, [])
            if samples:
                found[player] = encoded(np.median(samples, axis=0))
        return found

    def _notes(self) -> list[Note]:
        colours = self.colours()
        notes = [fine("colours_seen", players=", ".join(colours))] if colours else []
        for (one, first), (other, second) in combinations(colours.items(), 2):
            if distance(first, second) < TOO_LIKE:
                notes.append(hint("colours_alike", one=one, other=other))
        return notes

    @property
    def progress(self) -> tuple[int, int]:
        """Players seen."""
        return (len(self.colours()), len(PLAYERS))

    def patch(self) -> dict[str, Any]:
        """The figures' part of a profile."""
        colours = self.colours()
        if not colours:
            raise StepError(fault("no_figures"))
        listed = {player: list(colour) for player, colour in colours.items()}
        return {"figures": {"colours": listed, "measured": sorted(listed)}}

    def details(self) -> dict[str, Any]:
        """The colours as they will be written."""
        return {"colours": {player: list(colour) for player, colour in self.colours().items()}}


def sheet_pose(marks: list[Any], profile: Profile, picture: Array, tags: list[Any]) -> Pose | None:
    """Where the camera stands above the sheet's middle: the sheet is a little mat of its own."""
    if len(marks) < LEAST_TAGS:
        return None
    size = (picture.shape[1], picture.shape[0])
    camera = guessed_camera(tags, profile, size) or profile.camera
    middles = circle_tag_middles()
    sheet = tuple(MatTag(number, middles[number], CIRCLE_TAG) for number in CIRCLE_TAGS)
    return find_pose(marks, replace(profile, camera=camera, mat_tags=sheet, cards={}), size)


def sampled(picture: Array, pose: Pose, profile: Profile, player: int, *, lying: bool) -> tuple[Array | None, Array]:
    """The body colour in a circle, in linear light beside white paper (None: nobody is there), and where it was."""
    x, y = circle_middle(player, lying=lying)
    ring = pose.project(np.array([[x + dx * 9, y + dy * 9, 0] for dx, dy in _around()]))
    heights = (0.25 * profile.figure_base,) if lying else tuple(part * profile.figure_height for part in HEIGHTS)
    spots = [[x + dx * BODY_MM, y + dy * BODY_MM, z] for dx, dy in (*_around(6), (0, 0)) for z in heights]
    seen, white = pixels(picture, pose.project(np.array(spots))), paper(picture, pose, (x, y))
    if seen is None or white is None:
        return None, ring
    body = np.percentile(seen, DARKER, axis=0) / np.maximum(white, 1e-4) * PAPER
    away = distance(encoded(body), encoded(np.full(3, PAPER)))
    return (body / SHADE if away > PALE else None), ring


def paper(picture: Array, pose: Pose, middle: tuple[float, float]) -> Array | None:
    """The light on the paper around a place, in linear light (BGR)."""
    spots = [[middle[0] + dx * r, middle[1] + dy * r, 0.0] for dx, dy in _around() for r in RING_MM]
    seen = pixels(picture, pose.project(np.array(spots)))
    return None if seen is None else np.asarray(np.percentile(seen, 75, axis=0))


def pixels(picture: Array, spots: Array) -> Array | None:
    """Some pixels in linear light; None where the picture does not show them."""
    where = np.rint(spots).astype(int)
    if (where < 0).any() or (where >= (picture.shape[1], picture.shape[0])).any():
        return None
    return linear(picture[where[:, 1], where[:, 0]])


def encoded(light: Array) -> tuple[int, int, int]:
    """Linear BGR as sRGB."""
    part = np.clip(light[::-1], 0, 1)
    srgb = np.where(part <= 0.0031308, part * 12.92, 1.055 * part ** (1 / 2.4) - 0.055)  # noqa: PLR2004 - sRGB's own
    red, green, blue = (round(float(value) * 255) for value in srgb)
    return red, green, blue


def distance(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """How different two colours are, in Lab, lightness counting half."""
    pair = np.array([[one, other]], dtype=np.float32) / 255
    lab = cv2.cvtColor(pair, cv2.COLOR_RGB2LAB)[0]
    return float(np.linalg.norm((lab[0] - lab[1]) * (0.5, 1, 1)))


def _body(verdict: Verdict, look: Look, eyes: Eyes) -> Array:
    """The colour of a figure that was found on the mat, in the light it stands in."""
    if look.found is None or look.found.scene is None or look.pose is None:
        raise ValueError("nothing was found")
    scene, finder, candidate = look.found.scene, eyes.whole.figures, verdict.candidate
    shape = finder.shape(candidate, look.pose) > CORE
    pad = SIDE + 2 * REACH
    rows, columns = np.nonzero(shape)
    factor = PIXEL_MM * eyes.frame.scale
    v = ((rows + candidate.corner[1] - pad) * factor).astype(int).clip(0, scene.seen.shape[0] - 1)
    u = ((columns + candidate.corner[0] - pad) * factor).astype(int).clip(0, scene.seen.shape[1] - 1)
    return np.asarray(np.percentile(scene.seen[v, u] / np.maximum(scene.gain[v, u], 1e-3), DARKER, axis=0) / SHADE)


def _around(count: int = 24) -> list[tuple[float, float]]:
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return [(float(np.cos(angle)), float(np.sin(angle))) for angle in angles]


def _grey(picture: Array) -> Array:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
