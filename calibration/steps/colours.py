"""Colours: measure what the figures look like, and check that vision tells the measured colours apart."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, Final

import cv2
import numpy as np

from calibration.measuring.figure_size import FigureSize, SeenFigure, figure_at, is_better, measure_size
from calibration.measuring.measures import Locator, guessed_camera
from calibration.measuring.outline import window
from calibration.measuring.own_figures import CutFigure, FigureLooks, FigureStage, Lesson, learn
from calibration.measuring.papers import CIRCLE_TAG, CIRCLE_TAGS, PLAYERS, circle_middle, circle_tag_middles
from calibration.profiles import memory_json
from calibration.steps.step import GREEN, RED, CalibrationStep, Mark, Note, StepError, fault, fine, hint
from companion.vision.arrays import linear
from companion.vision.camera.pose import Pose, find_pose
from companion.vision.figures.evidence import UNKNOWN, distance_table, load_odds, table_index
from companion.vision.figures.figure_finder import PIXEL_MM, REACH, SIDE
from companion.vision.profile import MatTag
from companion.vision.scene.light import LINEAR
from companion.vision.table_reader import TableReader

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.pieces.sheets.printed_profile import FiguresJson, ProfileJson
    from companion.vision.arrays import Array
    from companion.vision.cards.tags import Tag
    from companion.vision.figures.verdict import FigureVerdict
    from companion.vision.profile import Profile
    from companion.vision.table_reader import LookResult


if TYPE_CHECKING:
    Colours = Mapping[str, tuple[int, int, int]]

SOME: Final = 1e-6
NOTABLE: Final = 0.02
"""Share of the pixels that a measured colour must name wrongly, more than the present one, for a hint on the light."""


def better(
    measured: Colours, present: Colours, figures: Mapping[str, Array], paper: Array
) -> tuple[set[str], set[str]]:
    """Return the players whose measured colour names all figures and the paper better than the present one.

    Beside them the players whose measured colour is notably worse. `figures` are the pixels of each player's figures,
    in linear light relative to white paper like `paper`.
    """
    looks = {(player, True): colour for player, colour in measured.items()}
    looks |= {(player, False): colour for player, colour in present.items()}
    names = list(looks)
    table = distance_table({f"{player} {new}": colour for (player, new), colour in looks.items()})
    odds = np.exp(load_odds()[UNKNOWN])
    groups = [(player, odds[table[table_index(light)]]) for player, light in figures.items()]
    nothing = odds[table[table_index(paper)]]

    def share(taken: set[str]) -> float:
        """Return the share of each figure, and of the paper, that is named right."""
        players = {player: names.index((player, player in taken)) for player in measured.keys() | present.keys()}
        used = sorted(players.values())
        right = [float(np.mean(seen[:, players[one]] / (1 + seen[:, used].sum(axis=1)))) for one, seen in groups]
        return float(np.mean([*right, float(np.mean(1 / (1 + nothing[:, used].sum(axis=1))))]))

    taken = max(measured.keys() - present.keys(), set(measured), key=share)
    open_ones = sorted(measured.keys() & present.keys())
    while better_ones := [player for player in open_ones if share(taken ^ {player}) > share(taken) + SOME]:
        taken ^= {better_ones[0]}
    worse = {player for player in set(open_ones) - taken if share(taken) - share(taken | {player}) > NOTABLE}
    return taken, worse


PAPER: Final = 0.87  # how much light white paper gives back
DARKER: Final = 25  # percentile of a figure's pixels: its darker ones have least shine on them
SHADE: Final = 0.55  # how bright those are beside the same colour lying flat in the light
LEAST_TAGS: Final = 2
PICTURES: Final = 3  # of the figures that are remembered
TOO_LIKE: Final = 30.0  # distance in Lab under which two colours are easily taken for each other
PALE: Final = 12.0  # distance in Lab from the paper under which nobody stands there
TALLEST: Final = 0.8  # of a standing figure, up to where it is looked at: heads differ most
SHADES: Final = np.geomspace(0.08, 1.15, 24)  # in which paper may lie: from a deep shadow to the light
STRONG, STRONGEST = 0.5, 95  # of that percentile of colours in a place: less is mixed with paper, or shadow
SAME_HUE: Final = 0.8  # cosine
ENOUGH: Final = 1000  # pixels of a figure, to judge colours by
LEAST_PART, LEAST_PIXELS = 0.05, 12  # of a place: under that, nobody stands there
SEEN_MM: Final = 100.0  # around a figure, wide enough for a tall one in a steep view
RING_MM: Final = (12.2, 14.2)
CORE: Final = 0.9
SURE: Final = 0.8
Colour = tuple[int, int, int]


@dataclass
class ColourStep(CalibrationStep):
    """Gathers samples of every colour; each picture adds to them."""

    name: ClassVar[str] = "colours"
    _samples: dict[str, list[Array]] = field(default_factory=dict)
    """For each player the pixels of every figure that was seen, in linear light relative to white paper."""
    _paper: list[Array] = field(default_factory=list)
    _taken: dict[str, Colour] = field(default_factory=dict)
    _players: list[str] = field(default_factory=list)
    """The players whose figures were measured, whether the measured colour is taken or the one so far stays."""
    _refused: list[Note] = field(default_factory=list)
    _seen: list[SeenFigure] = field(default_factory=list)
    _size: FigureSize | None = None
    _cut: list[CutFigure] = field(default_factory=list)
    """The figures of the picture at hand."""
    _looks: list[list[FigureLooks]] = field(default_factory=list)
    """What the network saw of the figures of each of the last pictures."""
    _lesson: Lesson | None = None
    _stage: FigureStage | None = None

    def _see(self, picture: Array, label: str) -> list[Note]:
        del label
        profile = self.file.profile()
        locator = Locator(profile, CIRCLE_TAGS)
        tags = locator.finder.find(_grey(picture), thorough=True)
        pose = sheet_pose([tag for tag in tags if tag.id in CIRCLE_TAGS], profile, picture, tags)
        if pose is None:
            return self._on_the_mat(picture, profile)
        missing = []
        self._cut = []
        for number, player in enumerate(PLAYERS):
            for lying in (False, True):
                seen, ring = seen_in(picture, pose, profile, number, lying=lying)
                sample, blank = (None, None) if seen is None else split_pixels(seen)
                self.marks.append(Mark(ring, RED if sample is None else GREEN, player))
                if sample is None:
                    missing.append(f"{player} {'lying' if lying else 'standing'}")
                else:
                    self._samples.setdefault(player, []).append(sample)
                    self._shape(picture, pose, number, sample, lying=lying)
                if blank is not None:
                    self._paper.append(blank)
        if len(missing) == 2 * len(PLAYERS):
            return [fault("circles_empty")]
        empty = [hint("circle_empty", what=what) for what in missing]
        return [*empty, *self._judged(profile), *self._sized(profile), *self._learned(profile)]

    def _shape(self, picture: Array, pose: Pose, number: int, sample: Array, *, lying: bool) -> None:
        """Keep what a figure hides of the paper: it tells how tall it is, how wide, and what it looks like."""
        middle = circle_middle(number, lying=lying)
        patch, white = window(picture, pose, middle, SEEN_MM), paper(picture, pose, middle)
        if patch is None or white is None:
            return
        light = linear(patch.reshape(-1, 3)) / np.maximum(white, 1e-4) * PAPER
        hue = _lab(sample)[:, 1:].mean(axis=0)
        colours = _lab(light)[:, 1:]
        same = colours @ hue > SAME_HUE * np.linalg.norm(hue) * np.linalg.norm(colours, axis=1)
        mask = figure_at(((from_paper(light) > PALE) & same).reshape(patch.shape[:2]))
        if mask is not None:
            eye = pose.eye
            lean = (float((middle[0] - eye[0]) / eye[2]), float((middle[1] - eye[1]) / eye[2]))
            self._seen.append(SeenFigure(mask, lean, lying))
            self._cut.append(CutFigure(patch, mask, white, pose, middle, PLAYERS[number], lying))

    def _learned(self, profile: Profile) -> list[Note]:
        """Return what is known of the own figures by now, and ask for one more picture of those in doubt."""
        self._stage = stage = self._stage or FigureStage(profile)
        known = [one for one in self._cut if one.player in profile.colours]
        self._looks = [*self._looks, [stage.looks(one) for one in known]][-PICTURES:]
        self._lesson = lesson = learn([look for looks in self._looks for look in looks])
        shares = {"before": f"{lesson.before:.0%}", "after": f"{lesson.after:.0%}"}
        notes = [fine("figures_learned", what=", ".join(lesson.learned), **shares)] if lesson.learned else []
        if not notes and known:
            notes = [fine("figures_known", sure=shares["before"])]
        return [*notes, *([hint("figures_alike", what=", ".join(lesson.unsure))] if lesson.unsure else [])]

    def _sized(self, profile: Profile) -> list[Note]:
        """Return what the figures' shapes tell of their size, and ask for one more picture where they do not agree."""
        size, present = measure_size(self._seen), FigureSize(profile.figure_height, profile.figure_base)
        self._size = None
        if size is None:
            return [hint("figures_unsized", height=f"{present.height:g}", base=f"{present.base:g}")]
        if not is_better(size, present, self._seen):
            return [fine("figures_size_stays", height=f"{present.height:g}", base=f"{present.base:g}")]
        self._size = size
        return [fine("figures_sized", height=f"{size.height:g}", base=f"{size.base:g}")]

    def _on_the_mat(self, picture: Array, profile: Profile) -> list[Note]:
        """Without the sheet, sample figures on the mat that the first guess of their colours finds."""
        eyes = TableReader(profile, keep_scenes=True)
        look = eyes.look(picture)
        if look.found is None or look.pose is None:
            return [fault("no_circles")]
        players, found = list(profile.colours), set()
        for verdict in look.found.verdicts:
            if verdict.sure and verdict.figure > SURE:
                player = players[verdict.candidate.player]
                sample, _ = split_pixels(_pixels_of(verdict, look, eyes))
                if sample is not None:
                    self._samples.setdefault(player, []).append(sample)
                    found.add(player)
        if not found:
            return [fault("no_figures")]
        return [hint("mat_figures", players=", ".join(sorted(found))), *self._judged(profile)]

    def colours(self) -> dict[str, Colour]:
        """Return the colour of every player that was seen, but for what is worse than the colours so far."""
        return self._taken

    def _judged(self, profile: Profile) -> list[Note]:
        """Accept measured colours that tell the figures apart as well as the known ones."""
        figures = {player: np.concatenate(self._samples[player]) for player in PLAYERS if player in self._samples}
        measured = {player: encoded(body_colour(pixels)) for player, pixels in figures.items()}
        pale = [player for player, colour in measured.items() if not is_no_paper(colour)]
        good = {player: colour for player, colour in measured.items() if player not in pale}
        seen = {player: figures[player] for player in good}
        kept, worse = better(good, profile.colours, seen, np.concatenate([*self._paper, np.full((1, 3), PAPER)]))
        stay = [player for player in good if player not in kept | worse]
        self._players = list(good)
        self._taken = {player: colour for player, colour in good.items() if player in kept}
        self._refused = [hint("colour_pale", players=", ".join(pale))] if pale else []
        self._refused += [hint("colours_worse", players=", ".join(sorted(worse)))] if worse else []
        self._refused += [fine("colours_stay", players=", ".join(stay))] if stay else []
        return self._notes(profile)

    def _notes(self, profile: Profile) -> list[Note]:
        colours = self._taken
        notes = [fine("colours_seen", players=", ".join(colours))] if colours else []
        notes += self._refused
        in_use = {player: colours.get(player, profile.colours.get(player)) for player in self._players}
        known = [(player, colour) for player, colour in in_use.items() if colour is not None]
        for (one, first), (other, second) in combinations(known, 2):
            if distance(first, second) < TOO_LIKE:
                notes.append(hint("colours_alike", one=one, other=other))
        return notes

    @property
    def progress(self) -> tuple[int, int]:
        return (len(self._players), len(PLAYERS))

    def patch(self) -> ProfileJson:
        if not self._players:
            raise StepError(*self._refused or [fault("no_figures")])
        listed = {player: list(colour) for player, colour in self.colours().items()}
        figures: FiguresJson = {"colours": listed, "measured": sorted(self._players)}
        if self._size is not None:
            figures |= {"height": self._size.height, "base": self._size.base}
        if self._lesson is not None:
            known = self.file.profile().figure_memory
            looks = self._lesson.looks or [look for look in known if not look.player]
            if looks or known:  # what people said at the table is forgotten: one of them may have been wrong
                figures["memory"] = memory_json(looks)
        return {"figures": figures}

    def details(self) -> dict[str, object]:
        """Return colours and size as they will be written."""
        colours = {player: list(colour) for player, colour in self.colours().items()}
        return {"colours": colours, **({} if self._size is None else self._size._asdict())}


def sheet_pose(marks: list[Tag], profile: Profile, picture: Array, tags: list[Tag]) -> Pose | None:
    """Return the pose above the middle of the sheet, which serves as a small mat of its own."""
    if len(marks) < LEAST_TAGS:
        return None
    size = (picture.shape[1], picture.shape[0])
    camera = guessed_camera(tags, profile, size) or profile.camera
    middles = circle_tag_middles()
    sheet = tuple(MatTag(number, middles[number], CIRCLE_TAG) for number in CIRCLE_TAGS)
    return find_pose(marks, replace(profile, camera=camera, mat_tags=sheet, cards={}), size)


def seen_in(picture: Array, pose: Pose, profile: Profile, player: int, *, lying: bool) -> tuple[Array | None, Array]:
    """Return a place's pixels in linear light relative to white paper (None: out of the picture), and its outline."""
    x, y = circle_middle(player, lying=lying)
    ring = pose.project(np.array([[x + dx * 9, y + dy * 9, 0] for dx, dy in _around()]))
    reach = (profile.figure_height if lying else profile.figure_base) / 2
    top = profile.figure_base / 2 if lying else TALLEST * profile.figure_height
    outline = pose.project(np.array([[x + dx * reach, y + dy * reach, z] for dx, dy in _around() for z in (0.0, top)]))
    seen, white = pixels_within(picture, outline), paper(picture, pose, (x, y))
    return (None if seen is None or white is None else seen / np.maximum(white, 1e-4) * PAPER), ring


def split_pixels(light: Array) -> tuple[Array | None, Array]:
    """Split the pixels of a place into a figure's, all of one strong colour (None: no figure), and the paper's."""
    if len(light) < LEAST_PIXELS:
        return None, light
    lab, away = _lab(light), from_paper(light)
    blank = _some(light[away < PALE])
    strong = away > max(PALE, STRONG * float(np.percentile(away, STRONGEST)))
    if strong.sum() < max(LEAST_PIXELS, LEAST_PART * len(light)):
        return None, blank
    hues = lab[:, 1:] / np.maximum(np.linalg.norm(lab[:, 1:], axis=1, keepdims=True), 1e-4)
    main = hues[strong].sum(axis=0)
    same = strong & (hues @ main > SAME_HUE * np.linalg.norm(main))
    return (_some(light[same]) if same.sum() >= LEAST_PIXELS else None), blank


def from_paper(light: Array) -> Array:
    """Return the distance of linear colours (n, 3) from white paper, in light or shadow, as `distance` measures it."""
    shades = _lab(SHADES[:, None] * np.full(3, PAPER))
    return np.asarray(np.linalg.norm((_lab(light)[:, None] - shades) * (0.5, 1, 1), axis=-1).min(axis=1))


def is_no_paper(colour: Colour) -> bool:
    """Return whether a measured colour is clearly not that of paper, in light or shadow."""
    return bool(from_paper(linear(np.array([colour[::-1]])))[0] > PALE)


def body_colour(light: Array) -> Array:
    """Return the colour of a player's figures. Edges and shine are mixed with white: the purer half counts."""
    white = light.min(axis=1) / np.maximum(light.max(axis=1), 1e-4)
    return np.asarray(np.percentile(light[white <= np.median(white)], DARKER, axis=0) / SHADE)


def pixels_within(picture: Array, outline: Array) -> Array | None:
    """Return the pixels inside the hull of some points, in linear light; None where some are out of the picture."""
    hull = cv2.convexHull(np.rint(outline).astype(np.int32))
    if (hull < 0).any() or (hull >= (picture.shape[1], picture.shape[0])).any():
        return None
    x, y, width, height = cv2.boundingRect(hull)
    inside = np.zeros((height, width), dtype=np.uint8)
    cv2.fillConvexPoly(inside, hull - (x, y), 1)
    return linear(picture[y : y + height, x : x + width][inside > 0])


def paper(picture: Array, pose: Pose, middle: tuple[float, float]) -> Array | None:
    """Return the light on the paper around a place, in linear light (BGR)."""
    spots = [[middle[0] + dx * r, middle[1] + dy * r, 0.0] for dx, dy in _around() for r in RING_MM]
    seen = pixels(picture, pose.project(np.array(spots)))
    return None if seen is None else np.asarray(np.percentile(seen, 75, axis=0))


def pixels(picture: Array, spots: Array) -> Array | None:
    """Return some pixels in linear light; None where the picture does not show them."""
    where = np.rint(spots).astype(int)
    if (where < 0).any() or (where >= (picture.shape[1], picture.shape[0])).any():
        return None
    return linear(picture[where[:, 1], where[:, 0]])


def encoded(light: Array) -> tuple[int, int, int]:
    part = np.clip(light[::-1], 0, 1)
    srgb = np.where(part <= 0.0031308, part * 12.92, 1.055 * part ** (1 / 2.4) - 0.055)  # noqa: PLR2004 - sRGB's own
    red, green, blue = (round(float(value) * 255) for value in srgb)
    return red, green, blue


def distance(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """Return the distance of two colours in Lab, with half the weight on lightness."""
    pair = np.array([[one, other]], dtype=np.float32) / 255
    lab = cv2.cvtColor(pair, cv2.COLOR_RGB2LAB)[0]
    return float(np.linalg.norm((lab[0] - lab[1]) * (0.5, 1, 1)))


def _pixels_of(verdict: FigureVerdict, look: LookResult, eyes: TableReader) -> Array:
    """Return the pixels of a figure that was found on the mat, relative to the light on it."""
    if look.found is None or look.found.scene is None or look.pose is None:
        raise ValueError("nothing was found")
    scene, finder, candidate = look.found.scene, eyes.whole.figures, verdict.candidate
    shape = finder.shape(candidate, look.pose) > CORE
    pad = SIDE + 2 * REACH
    rows, columns = np.nonzero(shape)
    factor = PIXEL_MM * eyes.frame.scale
    v = ((rows + candidate.corner[1] - pad) * factor).astype(int).clip(0, scene.above.shape[0] - 1)
    u = ((columns + candidate.corner[0] - pad) * factor).astype(int).clip(0, scene.above.shape[1] - 1)
    return np.asarray(LINEAR[scene.above[v, u]] / np.maximum(scene.gain.whole()[v, u], 1e-3))


def _around(count: int = 24) -> list[tuple[float, float]]:
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return [(float(np.cos(angle)), float(np.sin(angle))) for angle in angles]


def _grey(picture: Array) -> Array:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))


def _some(light: Array) -> Array:
    return np.asarray(light[:: 1 + len(light) // ENOUGH])


def _lab(light: Array) -> Array:
    """Convert linear BGR (n, 3) to Lab."""
    return np.asarray(cv2.cvtColor(np.clip(light, 0, 1).astype(np.float32)[None], cv2.COLOR_LBGR2LAB)[0])
