"""A world: what stays the same through all of its pictures - figures, deck, mat, table, camera - and its profile.

Worlds are kept apart, not pictures: those of the kinds in `KEPT` (figures, art, lenses) are never learned from.
"""

import json
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.cards.loader import builtin
from companion.pieces.drawing.raster import render
from companion.pieces.sheets.all_pieces import PrintedBox
from tests.rendering import pictures
from tests.rendering.figures import sculpt

PEOPLE = ["walker", "walker", "walker", "stout", "stout", "robed"]
LEARNED = {
    "figures": [*PEOPLE, "pawn", "capsule", "cone", "meeple", "tent", "pyramid", "heap", "heap", "heap"],
    "art": ["own", "own", "printed", "shapes", "shapes", "photograph", "pattern"],
}
GROWN = 5000
"""From this seed on worlds have more families of figures and more of each, since a picture takes as long without them.

Films and measurements of those before stay what they are.
"""
MORE_FIGURES = ["bighead"] * 3 + ["longbody"] * 3 + ["bust"] * 2 + ["totem"] * 2
KEPT = {"figures": ["robot", "beast", "standee"], "art": ["page", "swirls"]}
CARD, THREAT, GAP, LEVELS, COLUMNS, LIFT = (88.0, 63.0), (40.0, 56.0), 4.0, 5, 7, 3
MAT, MAT_TAG, CARD_TAG = (740.0, 430.0), 32.0, 18.0
SPACES = {"a": (-20.24, -8.82), "b": (20.24, -8.82), "E": (0.0, -6.0)}
MAT_TAGS = [(-348.0, 193.0), (348.0, 193.0), (348.0, -193.0), (-348.0, -193.0), (0.0, 193.0), (0.0, -193.0)]
COLOURS = {"red": (190, 30, 36), "blue": (32, 76, 170), "green": (38, 126, 58), "yellow": (232, 182, 32)}
ROOMS, THREATS, FIRST_TAG, LIFT_TAG, LIFT_CARD = 28, 8, 10, 90, "lift"
SIZES = ((1152, 864), (1280, 720), (1280, 960), (1152, 864))
TABLE = (1900.0, 1500.0)
SCULPTS, MORE_SCULPTS = (1, 5), (2, 7)
CROWDS, MORE_CROWDS = [(0, 12), (8, 46), (24, 66), (40, 66)], [(0, 14), (30, 66), (50, 66), (60, 66)]


@dataclass(frozen=True)
class Sculpt:
    """One shape of figure."""

    family: str
    parts: list
    height: float


@dataclass(frozen=True)
class World:
    """All of a world but its pictures; `roles` are the paints of the parts that have not the player's colour."""

    seed: int
    kept: bool
    sculpts: list
    height: float
    base: float
    colours: dict
    roles: dict
    gloss: float
    art: str
    mat: str
    tags: dict  # every card's name, with its tag
    tagged: bool
    size: tuple
    focal: float
    lens: tuple
    tilt: float
    habits: dict

    @property
    def name(self):
        return f"{'kept' if self.kept else 'world'}_{self.seed:04d}"

    @property
    def matrix(self):
        return [[self.focal, 0, self.size[0] / 2], [0, self.focal, self.size[1] / 2], [0, 0, 1]]

    def chance(self, *what):
        """Return the chance of one of its parts: no part's choices move another's."""
        return np.random.default_rng([self.seed, int(self.kept), *what])


def make_world(seed, kept=False):
    """Make a world of a seed."""
    rng = np.random.default_rng([seed, int(kept)])
    grown = not kept and seed >= GROWN
    families = KEPT["figures"] if kept else LEARNED["figures"] + (MORE_FIGURES if grown else [])
    chosen = rng.choice(families, rng.integers(1, 3) if rng.random() < 0.7 else 4)
    paper = all(family in {"tent", "pyramid"} for family in chosen)
    height, base = float(rng.uniform(20, 45)), float(rng.uniform(15, 28))
    height, base = max(height, base * 1.2), min(base, height * 0.8)
    sculpts = [
        Sculpt(str(family), sculpt(family, rng.integers(1 << 31), tall, base / 2 * rng.uniform(0.92, 1.05)), tall)
        for family in chosen
        for _ in range(rng.integers(*(MORE_SCULPTS if grown else SCULPTS)))
        for tall in [height * float(np.clip(rng.normal(1, 0.06), 0.85, 1.15))]
    ]
    art = str(rng.choice(KEPT["art"] if kept else LEARNED["art"]))
    wide = kept and rng.random() < 0.5
    size = SIZES[rng.integers(len(SIZES))]
    field_of_view = np.radians(rng.uniform(82, 95) if wide else rng.uniform(50, 72))
    lens = (rng.uniform(-0.26, -0.12), 0.04) if wide else (rng.uniform(-0.09, 0.03), 0.0)
    return World(
        seed=seed,
        kept=kept,
        sculpts=sculpts,
        height=height,
        base=base,
        colours={name: np.clip(np.array(rgb) + rng.normal(0, 16, 3), 5, 250).round() for name, rgb in COLOURS.items()},
        roles=paints(rng, paper or rng.random() < 0.65),
        gloss=float(rng.uniform(0.1, 0.6)) if not paper else 0.9,
        art=art,
        mat=str(rng.choice(["paper", "felt", "picture"], p=[0.5, 0.35, 0.15])),
        tags=_printed_tags(rng) if art == "own" else _tags(),
        tagged=art == "own" or bool(rng.random() < 0.7),
        size=size,
        focal=float(size[0] / 2 / np.tan(field_of_view / 2)),
        lens=(*(float(part) for part in lens), 0.0, 0.0, 0.0),
        tilt=float(rng.uniform(4, 36)),
        habits={
            "fill": float(rng.uniform(0.8 if grown else 0.55, 1)),
            "threats": float(rng.choice([0, 0.12, 0.25])),
            "clear": bool(rng.random() < 0.3),
            "lying": float(rng.uniform(0.25, 0.55)),
            "pairs": float(rng.choice([0, 0.1, 0.35])),
            "crowd": (MORE_CROWDS if grown else CROWDS)[rng.integers(4)],
            "sleeves": float(rng.choice([0, 0, 1]) * rng.uniform(0.3, 1)),
            "sloppy": float(rng.uniform(0.5, 1.6)),
            "side": float(rng.choice([0, 0, 0, 0, np.pi, rng.uniform(-0.35, 0.35)])),
            "wash": float(rng.choice([0, 0, 0.08, 0.18])),
        },
    )


def without_mat(world):
    """Return the same world with its cards on the bare table, and nothing printed for the camera on any of them."""
    art = "printed" if world.art == "own" else world.art
    return replace(world, mat="none", tagged=False, art=art, tags=_tags())


def with_pack(world, pack):
    """Return the same world with one of each of a pack's cards for its deck, named as `room-rain-barrel`.

    Lifts have a sticker each, where cards have stickers: one that is seen at two places names neither.
    """
    rooms = dict.fromkeys(card.id for card in (*pack.top_level, *pack.rooms))
    names = [f"room-{card}" for card in rooms] + [
        f"threat-{card}" for card in dict.fromkeys(c.id for c in pack.threats)
    ]
    names += [LIFT_CARD, *(f"{LIFT_CARD}-{colour}" for colour in world.colours if world.tagged)]
    tags = {name: FIRST_TAG + index for index, name in enumerate(names)}
    if world.art == "own":
        printed = {piece.id: piece.tag for piece in _printed() if piece.copy == 1}
        tags = {name: printed[_printed_id(name)] for name in names}
    return replace(world, tags=tags)


def _printed_id(name):
    kind, _, card = name.partition("-")
    return card if kind != LIFT_CARD else f"elevator-{card}" if card else "elevator"


def linked(world):
    """Return the same world with two figures on most spaces, one player's on most of those, as on linked spaces.

    No hand reaches in: two are not looked for while one does.
    """
    own = {"pairs": 0.5, "alike": 0.6, "crowd": (12, 30), "fill": 0.9, "reach": False}
    return replace(world, habits=world.habits | own)


def _tags():
    names = [f"room-{number:02d}" for number in range(ROOMS)] + [f"threat-{number:02d}" for number in range(THREATS)]
    return {name: FIRST_TAG + index for index, name in enumerate(names)} | {LIFT_CARD: LIFT_TAG}


def _printed():
    return PrintedBox(builtin("homemade"), "en", "").pieces("cards")


def _printed_tags(rng):
    """Choose some of the project's own printed cards."""
    pieces = [piece for piece in _printed() if piece.copy == 1]
    rooms, threats = ([piece for piece in pieces if piece.kind == kind] for kind in ("room", "threat"))
    chosen = [rooms[k] for k in rng.permutation(len(rooms))[:ROOMS]]
    chosen += [threats[k] for k in rng.permutation(len(threats))[:THREATS]]
    lift = next(piece for piece in pieces if piece.kind == "elevator")
    return {f"{piece.kind}-{piece.id}": piece.tag for piece in chosen} | {LIFT_CARD: lift.tag}


@dataclass(frozen=True)
class Looks:
    """A world's pictures, RGB: each card as it lies there, the mat with its tags, the table's top."""

    deck: dict
    mat: np.ndarray
    table: np.ndarray


def draw(world):
    """Draw all of a world's pictures."""
    table = pictures.table_top(world.chance(4), int(TABLE[1]), int(TABLE[0]))
    return Looks(
        deck=_own_deck(world) if world.art == "own" else _deck(world),
        mat=_mat(world) if world.mat != "none" else _under(table),
        table=table,
    )


def _under(table):
    """Return the part of the table's picture that a mat would lie on."""
    wide, high = (round(side) for side in MAT)
    left, top = (round((whole - part) / 2) for whole, part in zip(TABLE, MAT, strict=True))
    return cv2.resize(table[top : top + high, left : left + wide], (3 * wide, 3 * high))


def paints(rng, plain):
    """Return the colours of the parts that a painter may paint otherwise: none where all are plain."""
    if plain:
        return {}
    skin = np.array([[233, 190, 162], [205, 150, 115], [150, 98, 70], [92, 60, 44]])[rng.integers(4)]
    every = {"skin": skin, "gear": pictures.colour(rng, 30, 200), "light": (245, 245, 240), "dark": (35, 33, 32)}
    every |= {"legs": pictures.colour(rng, 20, 120), "sleeve": skin}
    return {role: np.asarray(paint, dtype=float) for role, paint in every.items() if rng.random() < 0.45}


def _own_deck(world):
    """Print the project's own cards."""
    pieces = {piece.tag: piece for piece in _printed() if piece.copy == 1}
    chosen = [pieces[tag] for tag in world.tags.values()]
    drawn = render(chosen, pictures.PX_PER_MM)
    return {name: np.ascontiguousarray(picture[..., ::-1]) for name, picture in zip(world.tags, drawn, strict=True)}


def _deck(world):
    """Draw a deck; in one of five worlds four cards each are as good as alike."""
    rng, palette = world.chance(3), list(world.colours.values())
    tags = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    alike, deck = rng.random() < 0.2, {}
    for index, (name, number) in enumerate(world.tags.items()):
        own = world.chance(5, index // 4 if alike and name.startswith("room") else 100 + index)
        spaces = [SPACES["a"], SPACES["b"]] if name.startswith("room") else [(0, -6)]
        picture = pictures.card(own, world.art, THREAT if name.startswith("threat") else CARD, spaces, palette)
        for _ in range(8 if alike else 0):
            pictures.blot(rng, picture, pictures.colour(rng), 0.03, 0.12)
        if world.tagged:
            tag, side = pictures.sticker(tags, number, CARD_TAG)
            wide = picture.shape[1] / pictures.PX_PER_MM
            pictures.put_sticker(picture, tag, (wide - side / 2 - 1, side / 2 + 1), side)
        deck[name] = picture
    return deck


def _mat(world):
    """Draw the mat with its tags, 3 pixels a mm."""
    scale = 3
    picture = pictures.mat_ground(world.chance(6), world.mat, int(MAT[1] * scale), int(MAT[0] * scale))
    tags = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for number, (x, y) in enumerate(MAT_TAGS):
        tag, side = pictures.sticker(tags, number, MAT_TAG)
        half = round(side * scale / 2)
        left, top = round((x + MAT[0] / 2) * scale) - half, round((MAT[1] / 2 - y) * scale) - half
        fitted = cv2.resize(tag, (2 * half, 2 * half), interpolation=cv2.INTER_AREA)
        picture[top : top + 2 * half, left : left + 2 * half] = fitted
    return picture


def profile(world):
    """Return the world's profile, in the form of the tables' own."""
    cards = {}
    for name, tag in world.tags.items():
        kind = "elevator" if name.startswith(LIFT_CARD) else name.split("-")[0]
        cards[name] = {"kind": kind, "tags": [tag] if world.tagged else [], "art": [f"art/{name}.jpg"]}
    glued = MAT_TAGS if world.mat != "none" else []
    tags = [{"id": number, "centre": list(at), "size": MAT_TAG} for number, at in enumerate(glued)]
    table = {"mat": list(MAT), "dictionary": "APRILTAG_36h11", "mat_tags": tags, "levels": LEVELS, "card": list(CARD)}
    table |= {"gap": GAP, "threat": list(THREAT), "card_tag": CARD_TAG}
    table["spaces"] = {side: list(at) for side, at in SPACES.items()}
    colours = {name: [int(v) for v in rgb] for name, rgb in world.colours.items()}
    return {
        "table": table,
        "camera": {"size": list(world.size), "matrix": world.matrix, "distortion": list(world.lens)},
        "figures": {"height": round(world.height, 1), "base": round(world.base, 1), "colours": colours},
        "cards": cards,
    }


def write_world(world, looks, folder):
    """Write a world's profile and the pictures of its deck."""
    (folder / "art").mkdir(parents=True, exist_ok=True)
    for name, picture in looks.deck.items():
        cv2.imwrite(str(folder / "art" / f"{name}.jpg"), cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    (folder / "profile.json").write_text(json.dumps(profile(world)), encoding="utf-8")
