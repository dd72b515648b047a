"""Measure how well two real dice are read: throws of all kinds of dice in all kinds of light, and non-throws.

usage: python -m benchmarks.throwing [FOLDER for pictures of what was not read right]
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from benchmarks.rays import Cube, Light, Make, Sight, picture_of
from companion.vision.camera.pose import Pose
from companion.vision.dice.dice import read_dice

if TYPE_CHECKING:
    from collections.abc import Callable

Rows = list[tuple[str, str, str]]
VERDICTS: Final = ("right", "wrong", "read all the same", "unsure", "missed")
MIDDLE: Final = (190.0, -190.5)
SIZE: Final = (110.0, 44.0)
A_KIND: Final = 40
SIDE: Final = 16.0
SOME: Final = 0.25
REACH: Final = 1.2
"""Share of the corner that is drawn."""
FOCAL: Final = 0.88375
BODIES: Final = {
    "white": ((0.86, 0.88, 0.88), (0.02, 0.02, 0.02)),
    "ivory": ((0.55, 0.75, 0.82), (0.03, 0.03, 0.05)),
    "black": ((0.02, 0.02, 0.02), (0.8, 0.8, 0.8)),
    "red": ((0.03, 0.02, 0.5), (0.85, 0.85, 0.85)),
    "blue": ((0.45, 0.12, 0.03), (0.85, 0.85, 0.85)),
    "green": ((0.08, 0.25, 0.02), (0.85, 0.85, 0.85)),
    "yellow": ((0.03, 0.55, 0.75), (0.02, 0.02, 0.02)),
    "orange": ((0.02, 0.2, 0.8), (0.85, 0.9, 0.9)),
    "wood": ((0.2, 0.4, 0.6), (0.03, 0.04, 0.08)),
}
GROUNDS: Final = {"paper": 0.85, "wood": 0.28, "felt": 0.06}
CAMERAS: Final = ((1600, 1200), (1600, 1200), (2304, 1296), (1920, 1080))
SKIN: Final = (118.0, 150.0, 200.0)


@dataclass(frozen=True, slots=True)
class Throw:
    """A picture with the pose of its camera, and what the dice show; None where nobody can or may say."""

    picture: Any
    pose: Pose
    values: tuple[int, ...] | None


class Thrower:
    """Makes random throws."""

    def __init__(self, seed: int) -> None:
        self.chance = np.random.default_rng(seed)

    def between(self, low: float, high: float) -> float:
        """Return a random number between two."""
        return float(self.chance.uniform(low, high))

    def make(self) -> Make:
        """Return dice of a random make, as shops have them."""
        body, pip = BODIES[str(self.chance.choice(list(BODIES)))]
        side, spread = self.between(15.0, 16.6), self.between(0.235, 0.285)
        radius = self.between(1.05, 0.42 * side * spread)  # those of a six do not touch
        return Make(
            body,
            pip,
            side=side,
            radius=radius,
            ace=radius * (self.between(1.2, 1.5) if self.chance.random() < SOME else 1.0),
            spread=spread,
            rounded=self.between(0.7, 3.0),
            dimple=self.between(0.0, 0.9),
            gloss=self.between(0.0, 0.6),
        )

    def light(self) -> Light:
        """Return a lamp or a window somewhere, dim or bright, warm or cold."""
        warm = self.between(-0.25, 0.25)
        return Light(
            (self.between(-900, 900), self.between(-500, 900), self.between(700, 1900)),
            self.between(40, 400),
            self.between(0.35, 0.9),
            self.between(0.12, 0.4),
            (1 - max(warm, 0), 1 - abs(warm) / 3, 1 + min(warm, 0)),
        )

    def sight(self) -> Sight:
        """Return a camera 60 to 85 cm above, tilted and a little turned."""
        size = CAMERAS[int(self.chance.integers(len(CAMERAS)))]
        height, lean = self.between(620, 850), np.radians(self.between(3, 26))
        eye = np.array([self.between(-60, 60), -height * np.tan(lean), height])
        ahead = np.array([self.between(-15, 15), self.between(-15, 15), 0.0]) - eye
        ahead /= np.linalg.norm(ahead)
        turn = self.between(-0.05, 0.05)
        right = np.array([np.cos(turn), np.sin(turn), 0.0])
        right -= ahead * (right @ ahead)
        right /= np.linalg.norm(right)
        rotation = np.stack([right, np.cross(ahead, right), ahead])
        focal = FOCAL * size[0] * self.between(0.96, 1.04) * min(1.0, height / 700)
        matrix = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
        return Sight(rotation, -rotation @ eye, matrix)

    def places(self, count: int, apart: float, side: float) -> Any:
        """Return places in the corner at this distance from one another."""
        half = np.array(SIZE) / 2 - side * 0.55
        while True:
            found = self.chance.uniform(-half, half, (count, 2)) + MIDDLE
            if all(np.linalg.norm(a - b) > apart for a, b in combinations(found, 2)):
                return found

    def cubes(self, make: Make, count: int = 2, apart: float = 1.45) -> list[Cube]:
        """Return dice that lie flat and apart."""
        places = self.places(count, apart * make.side, make.side)
        turns = self.chance.uniform(0, 2 * np.pi, count)
        return [Cube(int(self.chance.integers(1, 7)), *place, turn) for place, turn in zip(places, turns, strict=True)]

    def taken(self, cubes: list[Cube], make: Make, values: tuple[int, ...] | None, cover: Any | None = None) -> Throw:
        """Return the picture that a camera takes, with its blur, noise and compression."""
        ring = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (0.0, SIDE)]
        sight = self.sight()
        seen = sight.project(np.array(ring) * (*SIZE, 1) / (2, 2, 1) * REACH + (*MIDDLE, 0))
        low, high = np.floor(seen.min(axis=0)), np.ceil(seen.max(axis=0))
        sight, size = sight.cut(low), (int(high[0] - low[0]), int(high[1] - low[1]))
        ground = partial(_ground, str(self.chance.choice(list(GROUNDS))), int(self.chance.integers(99)))
        picture = picture_of(cubes, make, self.light(), sight, size, ground)
        if cover is not None:
            cv2.fillPoly(picture, [np.rint(sight.project(cover)).astype(np.int32)], SKIN, cv2.LINE_AA)
        return Throw(
            self._sensed(picture), Pose(sight.rotation, sight.shift, sight.matrix, np.zeros(5), 0.3, 6), values
        )

    def _sensed(self, picture: Any) -> Any:
        """Return what lens, sensor and compression make of it."""
        picture = cv2.GaussianBlur(picture, (0, 0), self.between(0.35, 1.0))
        picture = np.clip(picture + self.chance.normal(0, self.between(1, 4.5), picture.shape), 0, 255).astype(np.uint8)
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(self.chance.integers(80, 96))]
        return cv2.imdecode(cv2.imencode(".jpg", picture, quality)[1], cv2.IMREAD_COLOR)

    # --- kinds of throws ----------------------------------------------------------------------------------------------

    def flat(self) -> Throw:
        """Return an ordinary throw."""
        make = self.make()
        cubes = self.cubes(make)
        return self.taken(cubes, make, _values(cubes))

    def touching(self) -> Throw:
        """Return a throw of two that touch, or nearly."""
        make = self.make()
        way = self.between(0, 2 * np.pi)
        first, second = self.cubes(make)
        far = make.side * self.between(1.0, 1.1)
        x, y = MIDDLE
        first = replace(first, x=x - np.cos(way) * far / 2, y=y - np.sin(way) * far / 2, turn=way)
        turn = way + self.between(-0.1, 0.1)
        second = replace(second, x=x + np.cos(way) * far / 2, y=y + np.sin(way) * far / 2, turn=turn)
        return self.taken([first, second], make, _values([first, second]))

    def cocked(self) -> Throw:
        """Return a throw with one die leaning on something."""
        make = self.make()
        cubes = self.cubes(make)
        lean, way = np.radians(self.between(18, 45)), self.between(0, 2 * np.pi)
        return self.taken([cubes[0], replace(cubes[1], lean=lean, way=way)], make, None)

    def covered(self) -> Throw:
        """Return a throw with something hiding a part of an upper face."""
        make = self.make()
        cubes = self.cubes(make)
        die, way = cubes[0], self.between(0, 2 * np.pi)
        out = np.array([np.cos(way), np.sin(way)])
        side = np.array([-out[1], out[0]])
        start = np.array([die.x, die.y]) + out * self.between(-3.5, 1.0)
        ring = [start - side * 9, start + side * 9, start + side * 9 + out * 60, start - side * 9 + out * 60]
        return self.taken(cubes, make, None, np.c_[ring, np.full(4, make.side + 1)])

    def others(self) -> Throw:
        """Return a throw of one die alone, or three."""
        make = self.make()
        cubes = self.cubes(make, 1 if self.chance.random() < 0.5 else 3, 1.25)  # noqa: PLR2004 - as often
        return self.taken(cubes, make, None)


def _values(cubes: list[Cube]) -> tuple[int, ...]:
    return tuple(sorted(cube.value for cube in cubes))


def _ground(name: str, seed: int, points: Any) -> Any:
    """Draw paper with the mat's faint lines, grained wood, or cloth."""
    level = GROUNDS[name]
    x, y = points[:, 0], points[:, 1]
    if name == "wood":
        shade = level * (1 + 0.25 * np.sin(x * 0.9 + np.sin(y * 0.03 + seed) * 6 + seed))
        return shade[:, None] * np.array([0.55, 0.8, 1.1])
    if name == "felt":
        rough = np.random.default_rng(seed).normal(1, 0.25, len(points))
        return (level * rough)[:, None] * np.array([0.9, 1.6, 0.7])
    colour = np.full((len(points), 3), level)
    edge = (np.abs(np.abs(x - MIDDLE[0]) - SIZE[0] / 2) < 0.2) | (np.abs(np.abs(y - MIDDLE[1]) - SIZE[1] / 2) < 0.2)  # noqa: PLR2004
    colour[edge] = 0.55
    return colour


def verdict_on(throw: Throw) -> str:
    """Return what became of a throw."""
    found = read_dice(throw.picture, throw.pose, (MIDDLE,), SIZE)
    if not found:
        return "unsure" if found is None else "missed"
    if throw.values is None:
        return "read all the same"
    return "right" if tuple(sorted(die.value for die in found)) == throw.values else "wrong"


KINDS: Final[dict[str, tuple[str, str, int]]] = {
    "flat": ("thrown flat and apart: any colour, pips, edges, light, table, camera", "95 % right, none wrong", 10),
    "touching": ("two that touch", "none wrong", 1),
    "cocked": ("one leans by 18 to 45 degrees", "none read", 2),
    "covered": ("something hides a part of an upper face", "none read", 2),
    "others": ("one alone, or three", "none read", 1),
}


def throws(kind: str, seed: int, count: int) -> list[Throw]:
    """Return this many throws of a kind."""
    thrower = Thrower(seed)
    make: Callable[[], Throw] = getattr(thrower, kind)
    return [make() for _ in range(count)]


def measure(seed: int = 9500, a_kind: int = A_KIND, out: Path | None = None) -> Rows:
    """Measure every kind of throw; pictures of what was misread go to a folder, if one is named."""
    rows = []
    for kind, (what, goal, times) in KINDS.items():
        counted: Counter[str] = Counter()
        thrower = Thrower(seed)
        for number in range(a_kind * times):
            throw = getattr(thrower, kind)()
            verdict = verdict_on(throw)
            counted[verdict] += 1
            if out is not None and verdict != ("unsure" if throw.values is None else "right"):
                _keep(out, f"{kind}-{number}-{verdict}-{throw.values}", throw)
        total = sum(counted.values())
        figures = ", ".join(f"{counted[name] / total:.1%} {name}" for name in VERDICTS if counted[name])
        rows.append((f"two dice, {what} (n {total})", goal, figures))
    return rows


def _keep(out: Path, name: str, throw: Throw) -> None:
    from companion.vision.dice.dice import above  # noqa: PLC0415

    out.mkdir(parents=True, exist_ok=True)
    patch = above(throw.picture, throw.pose, MIDDLE, SIZE)
    if patch is not None:
        cv2.imwrite(str(out / f"{name}.png".replace(" ", "")), patch)


def main() -> None:
    """Print the rows."""
    for what, goal, figures in measure(out=Path(sys.argv[1]) if sys.argv[1:] else None):
        print(f"{what}\n    {goal}: {figures}")


if __name__ == "__main__":
    main()
