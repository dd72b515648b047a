"""One picture's scene: cards as people lay them, figures that stand, lean and lie, things, arms, the camera."""

from dataclasses import dataclass, field
from typing import NamedTuple

import cv2
import numpy as np

from tests.rendering import pictures
from tests.rendering.figures import whole
from tests.rendering.shapes import Mesh, about_x, about_z, ball, box, laid, lathe, merged, moved, tube, turned
from tests.rendering.worlds import CARD, COLUMNS, GAP, LEVELS, LIFT, LIFT_CARD, MAT, SPACES, TABLE, THREAT

GRID = 6  # parts of a card a side: cards are bent
TABLE_Z, MAT_Z, CARD_Z, ON_CARD = -1.5, -0.8, 0.0, 0.5
WANDER = 4.2  # mm: how far from a space's middle people put figures
IN_LINE = 0.35  # of what lies: along the line of sight, where it looks most like a standing one
NEAR_BY = 0.62  # of a base and a base: two on one space stand that far from its middle
SKINS = np.array([(233, 190, 162), (205, 150, 115), (150, 98, 70), (92, 60, 44)], dtype=float)


class Finish(NamedTuple):
    """How a surface takes light: its roughness, and a clear coat over it (0 to 1)."""

    rough: float
    coat: float = 0.0


@dataclass(frozen=True)
class Piece:
    """A thing in a scene: its mesh, and a colour for each point or a place in the deck (`shown`) with its `uv`."""

    name: str
    kind: str  # table, mat, card, threat, figure, thing or hand
    mesh: Mesh
    finish: Finish
    colours: np.ndarray | None = None  # (n, 3) sRGB, 0 to 255
    shown: str = ""
    uv: np.ndarray | None = None


@dataclass(frozen=True)
class Camera:
    """A pinhole with a lens before it: `turn` and `shift` lead from the table to the camera."""

    matrix: np.ndarray
    lens: np.ndarray
    turn: np.ndarray
    shift: np.ndarray
    size: tuple

    @property
    def eye(self):
        return -self.turn.T @ self.shift

    def project(self, points, lens=True):
        """Return where points (n, 3) in mm appear, in pixels."""
        bend = self.lens if lens else None
        found, _ = cv2.projectPoints(
            np.asarray(points, dtype=float).reshape(-1, 1, 3),
            cv2.Rodrigues(self.turn)[0],
            self.shift,
            self.matrix,
            bend,
        )
        return found.reshape(-1, 2)


@dataclass
class Scene:
    """A table in one moment."""

    world: object
    seed: int
    camera: Camera
    pieces: list = field(default_factory=list)
    cards: list = field(default_factory=list)
    dwellers: list = field(default_factory=list)
    hands: list = field(default_factory=list)


def camera_of(world, rng):
    """Place the camera so that all of the mat is in sight, as a household does it."""
    matrix = np.array(world.matrix)
    tilt, side = np.radians(world.tilt + rng.normal(0, 1)), world.habits["side"] + rng.normal(0, 0.04)
    aim = np.array([rng.normal(0, 10), rng.normal(0, 10), 0])
    corners = np.array([(x * MAT[0] / 2, y * MAT[1] / 2, 0) for x in (-1, 1) for y in (-1, 1)])
    for distance in np.arange(450.0, 1600, 15):
        eye = aim + about_z(side) @ np.array([0, -np.sin(tilt), np.cos(tilt)]) * distance
        ahead = (aim - eye) / distance
        right = about_z(side) @ np.array([1.0, 0, 0])
        roll = rng.normal(0, 0.008)
        down = np.cross(ahead, right)
        right, down = right * np.cos(roll) + down * np.sin(roll), down * np.cos(roll) - right * np.sin(roll)
        turn = np.stack([right, down, ahead])
        camera = Camera(matrix, np.array(world.lens), turn, -turn @ eye, world.size)
        seen = camera.project(corners) / world.size
        if seen.min() > rng.uniform(0.02, 0.06) and seen.max() < 0.97:
            return camera
    return camera


def place(level, column):
    """Return the middle of a slot."""
    return np.array([(column - LIFT) * (CARD[0] + GAP), ((LEVELS - 1) / 2 - level) * (CARD[1] + GAP)])


def sheet(size, middle, angle, height, bend):
    """Return a card's mesh, bent by a few mm, and its texture's coordinates."""
    part = np.linspace(0, 1, GRID + 1)
    u, v = (grid.ravel() for grid in np.meshgrid(part, part))
    x, y = (u - 0.5) * size[0], (0.5 - v) * size[1]
    lift = bend[0] * (2 * u - 1) ** 2 + bend[1] * (2 * v - 1) ** 2 + bend[2] * np.maximum(0, u + v - 1.6) ** 2
    points = np.column_stack([x, y, lift - min(0, float(lift.min()))]) @ about_z(angle).T + [*middle, height]
    steps = np.arange(GRID * (GRID + 1)).reshape(GRID, GRID + 1)[:, :-1].ravel()
    faces = np.vstack(
        [
            np.column_stack([steps, steps + GRID + 1, steps + 1]),
            np.column_stack([steps + 1, steps + GRID + 1, steps + GRID + 2]),
        ]
    )
    return Mesh(points, faces), np.column_stack([u, v])


def outline(size, middle, angle, height=0.0):
    """Return the corners of a flat card, from the upper left clockwise."""
    corners = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) / 2 * size
    return np.column_stack([corners @ about_z(angle)[:2, :2].T + middle, np.full(4, height)])


def make_scene(world, number, *, begun=False):
    """Make the scene of a number: the same world and number make the same scene.

    One that has just `begun` has its upper row and its lifts, and nothing else.
    """
    rng = world.chance(1, number)
    scene = empty_table(world, number, camera_of(world, rng), rng)
    free = _lay_cards(scene, rng, begun=begun)
    if begun:
        return scene
    _put_figures(scene, rng, free)
    put_things(scene, rng)
    hands = int(rng.choice([0, 1, 2], p=[0.75, 0.18, 0.07]))
    for _ in range(hands if world.habits.get("reach", True) else 0):
        _reach(scene, rng)
    return scene


def empty_table(world, number, camera, rng):
    """Return a scene with nothing on its table but the mat."""
    scene = Scene(world, number, camera)
    flat = Finish(rng.uniform(0.3, 0.9), rng.choice([0, 0, rng.uniform(0, 0.6)]))
    for name, kind, size, z, finish in (
        ("table", "table", TABLE, TABLE_Z, flat),
        ("mat", "mat", MAT, MAT_Z, flat if world.mat == "none" else Finish(0.85)),
    ):
        mesh, uv = sheet(size, (0, 0), 0, z, (0, 0, 0))
        scene.pieces.append(Piece(name, kind, mesh, finish, shown=name, uv=uv))
    return scene


def _lay_cards(scene, rng, *, begun):
    """Lay rooms, lifts and threats; return the spaces to put figures on."""
    world, habits = scene.world, scene.world.habits
    rooms = list(rng.permutation([name for name in world.tags if name.startswith("room")]))
    threats = list(rng.permutation([name for name in world.tags if name.startswith("threat")]))
    fixed = sorted(rooms)[: COLUMNS - 1] if world.mat == "none" else []
    rooms = [name for name in rooms if name not in fixed]
    finish = Finish(rng.uniform(0.35, 0.6), habits["sleeves"])
    free = []
    for level in range(LEVELS):
        for column in range(COLUMNS):
            is_fixed = bool(fixed) and level == 0 and column != LIFT
            if column != LIFT and not is_fixed and (begun or rng.random() > habits["fill"] or not rooms):
                continue
            name, kind = (LIFT_CARD, "elevator") if column == LIFT else (None, "room")
            if name is None:
                name = fixed[column - (column > LIFT)] if is_fixed else rooms.pop()
            middle = place(level, column) + rng.normal(0, 1.2 * habits["sloppy"], 2)
            angle = rng.normal(0, 0.022 * habits["sloppy"])
            lay(scene, rng, Laid(name, kind, level, column, None, middle, angle, CARD), finish)
            for number, side in enumerate("E" if column == LIFT else "ab"):
                at = place(level, column) + SPACES[side]
                has = kind == "room" and threats and not begun and rng.random() < habits["threats"]
                free.append((level, column, number, at, bool(has)))
                if has:
                    own = np.add(at, (0, 5)) + rng.normal(0, 1.8, 2)
                    lay(
                        scene,
                        rng,
                        Laid(threats.pop(), "threat", level, column, number, own, rng.normal(0, 0.06), THREAT),
                        finish,
                    )
    return free


class Laid(NamedTuple):
    """A card as it lies."""

    name: str
    kind: str
    level: int
    column: int
    space: int | None
    middle: np.ndarray
    angle: float
    size: tuple


def lay(scene, rng, card, finish):
    height = CARD_Z + (0.9 if card.kind == "threat" else 0)
    bend = np.abs(rng.normal(0, 0.5, 3)) * (1, 0.6, 4 if rng.random() < 0.15 else 1)
    mesh, uv = sheet(card.size, card.middle, card.angle, height, bend)
    uid = f"card{len(scene.cards)}"
    kind = "threat" if card.kind == "threat" else "card"
    scene.pieces.append(Piece(uid, kind, mesh, finish, shown=card.name, uv=uv))
    corners = outline(card.size, card.middle, card.angle, height)
    told = {
        "uid": uid,
        "name": card.name,
        "kind": card.kind,
        "level": card.level,
        "col": card.column,
        "space": card.space,
    }
    told |= {"angle_deg": float(np.degrees(card.angle)), "centre_mm": [float(v) for v in card.middle]}
    scene.cards.append(told | {"corners_px": scene.camera.project(corners).round(2).tolist()})


def _put_figures(scene, rng, free):
    world, taken = scene.world, []
    rng.shuffle(free)
    count = int(rng.integers(*world.habits["crowd"]))
    names = list(world.colours)
    for level, column, space, at, on_threat in free[:count]:
        two = rng.random() < world.habits["pairs"]
        turn = rng.uniform(0, np.pi)
        aside, first = np.array([np.cos(turn), np.sin(turn)]) * world.base * NEAR_BY, ""
        for offset in (aside, -aside) if two else ((0, 0),):
            where = at + offset + rng.normal(0, WANDER * (0.3 if two else world.habits["sloppy"]), 2)
            tipped = bool(rng.random() < world.habits["lying"] * (0.4 if two else 1))
            least = world.base * (1.25 if tipped and not two else 1.02)
            if any(np.hypot(*(where - other)) < least for other in taken):
                continue
            taken.append(where)
            colour = names[rng.integers(len(names))]
            if "alike" in world.habits and two:
                first = first or colour
                colour = first if rng.random() < world.habits["alike"] else colour
            told = {
                "colour": colour,
                "tipped": tipped,
                "level": level,
                "col": column,
                "space": space,
                "on_threat": on_threat,
            }
            put(scene, rng, told, where, ON_CARD + (0.9 if on_threat else 0))


def put(scene, rng, told, where, height):
    world = scene.world
    which = int(rng.integers(len(world.sculpts)))
    sculpt = world.sculpts[which]
    mesh = whole(sculpt.parts)
    azimuth = float(rng.uniform(0, 2 * np.pi))
    if told["tipped"] and rng.random() < IN_LINE:
        away = np.arctan2(*(where - scene.camera.eye[:2])[::-1])
        azimuth = float(away + rng.choice([0, np.pi]) + rng.normal(0, 0.25))
    body = laid(mesh, rng) if told["tipped"] else mesh
    if not told["tipped"] and rng.random() < 0.12:  # one edge on a card, a threat or a neighbour's foot
        leaned = turned(mesh, about_x(rng.uniform(0.02, 0.14)))
        body = moved(leaned, (0, 0, -leaned.points[:, 2].min()))
    body = moved(turned(body, about_z(azimuth)), (*where, height))
    own = np.clip(np.asarray(world.colours[told["colour"]]) + rng.normal(0, 4, 3), 0, 255)
    shades = [world.roles.get(role, own) for _, role in sculpt.parts]
    shades = [
        (245, 245, 240) if role == "light" else shade for shade, (_, role) in zip(shades, sculpt.parts, strict=True)
    ]
    shades = [np.clip(shade * rng.normal(1, world.habits["wash"]), 0, 255) for shade in map(np.asarray, shades)]
    colours = np.vstack(
        [np.tile(shade, (len(part.points), 1)) for shade, (part, _) in zip(shades, sculpt.parts, strict=True)]
    )
    name = f"dw{len(scene.dwellers)}"
    finish = Finish(float(np.clip(world.gloss + rng.normal(0, 0.04), 0.08, 0.95)))
    scene.pieces.append(Piece(name, "figure", body, finish, colours=colours))
    told = {"uid": name, "mini": f"{sculpt.family}-{which}", **told, "azimuth_deg": float(np.degrees(azimuth))}
    scene.dwellers.append(told | {"centre_mm": [float(v) for v in where]})


def _plain(mesh, shade):
    return np.tile(np.asarray(shade, dtype=float), (len(mesh.points), 1))


def put_things(scene, rng):
    """Put what lies about on a table: phones, mugs, cubes, dice, pencils, sweets, coins; a player's body beside it."""
    for number in range(int(rng.integers(0, 9))):
        kind = rng.integers(7)
        x = rng.choice([-1, 1]) * rng.uniform(330, 460) if rng.random() < 0.5 else rng.uniform(-420, 420)
        y = rng.choice([-1, 1]) * rng.uniform(190, 330) if abs(x) < 350 else rng.uniform(-300, 300)
        shade, turn = pictures.colour(rng), about_z(rng.uniform(0, np.pi))
        if kind == 0:
            mesh, shade = box((0, 0, 4), (72, 150, 8)), rng.choice([15, 40, 220]) * np.ones(3)
        elif kind == 1:
            radius = rng.uniform(28, 45)
            mesh = lathe([(radius, 0), (radius, 90), (radius - 4, 90), (radius - 4, 60), (1, 60)], 32)
        elif kind == 2:
            size = rng.uniform(8, 16)
            cubes = [
                moved(
                    turned(box((0, 0, size / 2), (size,) * 3), about_z(rng.uniform(0, 3))), (*rng.normal(0, 16, 2), 0)
                )
                for _ in range(rng.integers(1, 5))
            ]
            mesh = merged(cubes)
        elif kind == 3:
            mesh = tube((-85, 0, 4), (85, 0, 4), 3.6, around=6)
        elif kind == 4:
            mesh = merged(ball((*rng.normal(0, 22, 2), 8), rng.uniform(6, 16), 12) for _ in range(rng.integers(1, 6)))
        elif kind == 5:
            mesh = lathe([(11, 0), (11, 2)], 24)
        else:
            mesh = lathe([(rng.uniform(50, 90), 0), (90, 12), (86, 12), (50, 4)], 36)
        mesh = moved(turned(mesh, turn), (x, y, TABLE_Z))
        scene.pieces.append(
            Piece(f"thing{number}", "thing", mesh, Finish(rng.uniform(0.15, 0.9)), colours=_plain(mesh, shade))
        )
    if rng.random() < 0.4:
        body = tube((rng.uniform(-500, 500), -620, 0), (rng.uniform(-400, 400), -560, 420), 150, 110, 20)
        scene.pieces.append(Piece("player", "thing", body, Finish(0.9), colours=_plain(body, pictures.colour(rng))))


def _reach(scene, rng):
    """Reach over the table from anywhere."""
    aim = np.array([rng.uniform(-270, 270), rng.uniform(-140, 140)])
    start = {
        0: (aim[0] + rng.uniform(-160, 160), -480),
        1: (-600, aim[1] - 90),
        2: (600, aim[1] - 90),
        3: (aim[0], 480),
    }[int(rng.integers(4))]
    reach(scene, rng, aim, start)


def reach(scene, rng, aim, start):
    """Reach from one point (mm) towards another: an arm, bare or in a sleeve, a palm and bent fingers."""
    along = (np.asarray(aim) - start) / np.hypot(*(aim - start))
    across, low = np.array([-along[1], along[0]]), rng.uniform(18, 60)

    def at(ahead, beside, up):
        return np.array([*(aim + along * ahead + across * beside), low + up])

    palm = [tube(at(-70, 0, 8), at(-20, 0, 6), 33, 30, 18), tube(at(-230, 0, 30), at(-70, 0, 8), 29, 26, 18)]
    for beside, longest in ((-26, 50), (-9, 70), (9, 74), (26, 61)):
        length = longest * rng.uniform(0.55, 1)
        palm.append(tube(at(-14, beside, 4), at(length * 0.5, beside * 1.15, 4), 9.5, 9))
        palm.append(
            tube(
                at(length * 0.5, beside * 1.15, 4),
                at(length, beside * rng.uniform(0.8, 1.3), -low * rng.uniform(0.2, 0.7)),
                9,
                7.5,
            )
        )
    palm.append(tube(at(-50, rng.choice([-30, 30]), 2), at(8, rng.choice([-50, 50]), -low * 0.4), 10.5, 9))
    hand = merged(palm)
    skin = SKINS[rng.integers(4)] + rng.normal(0, 8, 3)
    uid = f"hand{len(scene.hands)}"
    scene.pieces.append(Piece(uid, "hand", hand, Finish(0.55), colours=_plain(hand, np.clip(skin, 0, 255))))
    arm = tube(at(-720, 0, 95), at(-210, 0, 32), 45, 38, 18)
    shade = skin if rng.random() < 0.25 else pictures.colour(rng)
    scene.pieces.append(Piece(f"{uid}arm", "hand", arm, Finish(0.9), colours=_plain(arm, shade)))
    scene.hands.append({"target_mm": [float(v) for v in aim]})
