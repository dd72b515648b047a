"""Films the rounds with a path tracer: `python -m tests.recordings.traced RENDERER.py [PLAY...]`.

The renderer is a Python file of its own that is no part of the project: it makes a scene of a seed (camera, lights,
mat), draws cards, figures and hands, traces light, and says how much of each thing the camera sees. Its surface as it
is used here is the class `Renderer`. Everything that moves is put into its scenes by this module.
"""

import importlib.util
import json
import math
import sys
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np

from companion.cards.loader import builtin
from tests.recordings.plays import Hand, Piece, Play, Shot
from tests.recordings.rounds import PLAYS

HERE = Path(__file__).parent
ART, ART_DOTS = "../art/card_{:03d}.jpg", 2.4  # a millimetre
SLOTS = ("L3", "L2", "L1", "E", "R1", "R2", "R3")
SEATS = {"red": (-170, -480), "blue": (-620, -150), "green": (190, -480), "yellow": (620, -80)}
FINGERTIPS = 42.0  # mm from the middle of the renderer's hand
ALOFT = 38.0
ON_CARD, ON_THREAT, THREAT_UP = 0.8, 1.6, 0.9
FIRST_STICKER, FIRST_THREAT, ELEVATOR = 10, 60, 85
AT_REST, WITH_A_HAND = (32, 60), (16, 46)  # rays a pixel, and how well it is kept
OPTIONS = {
    "height": 700, "tilt": (15, 25), "depth": 5, "denoise": 1, "dict": "36h11", "tag_mm": 18.0,
    "dwellers": (0, 1), "hand_p": 0.0, "glossy": 1, "curl": 1, "distort": 1, "variant": "auto",
}  # fmt: skip


def numbers() -> dict[str, tuple[int, int]]:
    """The renderer's picture and sticker of every card of the pack."""
    pack = builtin("homemade")
    rooms = [card.id for card in (*pack.top_level, *pack.rooms)]
    found = {card: (n, FIRST_STICKER + n) for n, card in enumerate(dict.fromkeys(rooms))}
    threats = dict.fromkeys(card.id for card in pack.threats)
    found |= {card: (FIRST_THREAT + n, FIRST_STICKER + FIRST_THREAT + n) for n, card in enumerate(threats)}
    names = ("elevator", "elevator-red", "elevator-blue", "elevator-green", "elevator-yellow")
    return found | {card: (ELEVATOR, FIRST_STICKER + ELEVATOR + n) for n, card in enumerate(names)}


NUMBERS = numbers()


class Stage:
    """One play's scene: what stands still is made once."""

    def __init__(self, renderer: Any, play: Play) -> None:
        studio = play.studio
        self.renderer, self.play = renderer, play
        w, h = studio.size
        own = {
            "w": w,
            "h": h,
            "spp": AT_REST[0],
            "hfov": studio.across,
            "mini": studio.figures,
            "no_card_tags": not studio.stickers,
        }
        self.options = SimpleNamespace(**OPTIONS, **own)
        scene = renderer.make_scene(studio.seed, self.options)
        scene["dict"], scene["tag_mm"] = self.options.dict, self.options.tag_mm
        sleeved = next(quad for quad in scene["quads"] if quad["name"].startswith(("room", "elevator")))
        self.sleeve = {name: sleeved[name] for name in ("rough", "coat", "coat_rough")}
        scene["quads"] = [quad for quad in scene["quads"] if quad["layer"] < 3]
        scene["meshes"] = [mesh for mesh in scene["meshes"] if mesh["kind"] == "token"]
        scene["cards"], scene["dwellers"], scene["hands"] = [], [], []
        self.noise = scene["isp"]["noise"]
        scene["isp"]["noise"] = 0.0  # whoever shows the picture adds it, new every time, as a sensor does
        self.scene = scene
        self.base = scene["isp"]["ev"]
        self.exposed: float | None = None
        self.balance: Any = None
        self.hand = self._any_hand()

    # --- a shot -------------------------------------------------------------------------------------------------------

    def scene_of(self, shot: Shot) -> dict[str, Any]:
        scene = deepcopy(self.scene)
        for room in shot.rooms:
            self._card(scene, room, "elevator" if room.place.endswith("E") else "room")
        for threat in shot.threats:
            self._card(scene, threat, "threat")
        covered = {threat.place for threat in shot.threats}
        for number, figure in enumerate(shot.figures):
            level, col, space = place_of(figure.place)
            x, y = self.renderer.space_centre(level, col, space or 0) + np.array(figure.off)
            low = ON_THREAT if figure.place in covered else ON_CARD
            self._figure(scene, f"dw{number}", figure, (x, y, low))
            told = {"colour": figure.name, "tipped": figure.pose == "lying", "level": level, "col": col}
            scene["dwellers"].append({"obj": f"dw{number}", **told, "space": space or 0})
        if shot.hand is not None:
            self._hand(scene, shot.hand)
        return scene

    def picture(self, scene: dict[str, Any]) -> Any:
        """Trace the light, and keep the exposure and the white of the first picture where the camera is fixed."""
        light = self.renderer.render_mitsuba(scene, self.options)
        if self.play.studio.fixed:
            if self.balance is None:
                mean = light.reshape(-1, 3).mean(0)
                self.balance = (mean.mean() / mean) ** (1 - scene["isp"]["wb_residual"])
            light = light * self.balance
            scene["isp"]["wb_residual"] = 1.0
            bright = float(np.percentile(light.mean(2), 70))
            self.exposed = self.exposed or bright
            scene["isp"]["ev"] = self.base + math.log2(bright / self.exposed)
        return self.renderer.isp(light, scene)

    def truth(self, scene: dict[str, Any]) -> dict[str, Any]:
        """What lies there, in the words of a reading, each with the share of it that is visible."""
        found, _ = self.renderer.ground_truth(scene)
        cards: dict[str, dict[str, Any]] = {"rooms": {}, "threats": {}}
        for card in found["cards"]:
            kind = "threats" if card["kind"] == "threat" else "rooms"
            name = place_name(card["level"], card["col"], card["space"])
            cards[kind][name] = {"card": card["uid"].partition("@")[0], "visible": round(card["visible"], 3)}
        dwellers = [
            {
                "space": place_name(one["level"], one["col"], None if SLOTS[one["col"]] == "E" else one["space"]),
                "player": one["colour"],
                "pose": "lying" if one["tipped"] else "standing",
                "visible": round(one["visible"], 3),
            }
            for one in found["dwellers"]
        ]
        return {"hand": bool(scene["hands"]), **cards, "dwellers": dwellers}

    # --- what lies and stands there -----------------------------------------------------------------------------------

    def _card(self, scene: dict[str, Any], piece: Piece, kind: str) -> None:
        r = self.renderer
        level, col, space = place_of(piece.place)
        threat = kind == "threat"
        middle = r.space_centre(level, col, space) + np.array([0, 5]) if threat else r.slot_centre(level, col)
        x, y = middle + np.array(piece.off)
        size = (r.THREAT_W, r.THREAT_H) if threat else (r.CARD_W, r.CARD_H)
        number, sticker = NUMBERS[piece.name]
        art, turned, up = r.card_art(number), math.radians(piece.turned), THREAT_UP if threat else 0.0
        corners = r.quad(x, y, *size, turned, up)
        corners[:, 2] += np.random.default_rng(piece.seed).uniform(0, 1.2, 4)  # sleeves never lie flat
        tag = None
        if self.play.studio.stickers:
            art, tag = self._stuck(art, sticker, size)
            tag = np.array([[math.cos(turned) * u - math.sin(turned) * v + x,
                             math.sin(turned) * u + math.cos(turned) * v + y, up + 0.5] for u, v in tag])  # fmt: skip
        name = f"{piece.name}@{piece.place}"
        scene["quads"].append({"name": name, "v": corners, "tex": art, "layer": 4 if threat else 3, **self.sleeve})
        told = {"uid": name, "card_id": number, "kind": kind, "level": level, "col": col, "space": space}
        lies = {"tag_id": sticker, "centre": [x, y], "angle_deg": piece.turned, "v": corners, "tagv": tag}
        scene["cards"].append({**told, **lies})

    def _stuck(self, art: Any, sticker: int, size: tuple[float, float]) -> tuple[Any, Any]:
        """A sticker in the upper right corner of a card's picture, and where its corners are (mm from the middle)."""
        dots, side = self.renderer.PX_PER_MM, self.options.tag_mm
        code = cv2.aruco.getPredefinedDictionary(self.renderer.DICTS[self.options.dict])
        image = self.renderer.tag_img(code, sticker, int(side * dots))
        art, tall, wide = art.copy(), *image.shape[:2]
        top, left = dots, art.shape[1] - wide - dots
        art[top : top + tall, left : left + wide] = image
        u = (left + wide / 2) / dots - size[0] / 2
        v = size[1] / 2 - (top + tall / 2) / dots
        return art, [(u + side / 2 * a, v + side / 2 * b) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]

    def _figure(self, scene: dict[str, Any], name: str, piece: Piece, where: tuple[float, float, float]) -> None:
        r = self.renderer
        corners, faces = r.mini_mesh(self.play.studio.figures)
        if piece.pose == "lying":
            corners = laid_down(r, corners)
        corners = corners @ r.rotz(math.radians(piece.turned)).T + np.array(where)
        paint = r.srgb2lin(np.array(r.COLOURS[piece.name]))
        scene["meshes"].append({"name": name, "v": corners, "f": faces, "col": paint, "rough": 0.35, "kind": "mini"})

    # --- hands --------------------------------------------------------------------------------------------------------

    def _any_hand(self) -> tuple[list[dict[str, Any]], Any, float]:
        """One of the renderer's hands with its sleeve, where it is, and which way it points."""
        aside: dict[str, Any] = {"meshes": [], "hands": []}
        told = self.renderer.add_hand(aside, np.random.default_rng(self.play.studio.seed))
        middle = np.array(told["target_mm"])
        back = middle - aside["meshes"][1]["v"][:, :2].mean(0)
        return aside["meshes"], middle, math.atan2(back[1], back[0])

    def _hand(self, scene: dict[str, Any], hand: Hand) -> None:
        level, col, space = place_of(hand.place)
        spot = (
            self.renderer.space_centre(level, col, space)
            if space is not None
            else self.renderer.slot_centre(level, col)
        )
        tips = spot + np.array(hand.beside)
        ahead = tips - np.array(SEATS[hand.seat])
        ahead = ahead / np.linalg.norm(ahead)
        meshes, middle, points = self.hand
        turn = self.renderer.rotz(math.atan2(ahead[1], ahead[0]) - points)
        goal = np.append(tips - ahead * FINGERTIPS, 0.0)
        for mesh in meshes:
            corners = (mesh["v"] - np.append(middle, 0.0)) @ turn.T + goal
            scene["meshes"].append({**mesh, "v": corners})
        scene["hands"].append({"seat": hand.seat, "target_mm": [float(v) for v in tips]})
        if hand.carries:
            self._figure(scene, "carried", Piece(hand.carries, ""), (*tips, ALOFT))


def laid_down(renderer: Any, corners: Any) -> Any:
    """A figure on its side: it rests on the rim of its base and on whatever else sticks out."""
    rim = corners[corners[:, 2] < 2.5][:, 1].min()
    above = corners[corners[:, 2] > 5]
    lean = math.atan(float(((above[:, 1] - rim) / (above[:, 2] - 2)).min()))
    lying = corners @ renderer.rotx(math.pi / 2 + lean).T
    middle = (lying[:, 1].min() + lying[:, 1].max()) / 2
    return lying - np.array([0, middle, lying[:, 2].min()])


def place_of(name: str) -> tuple[int, int, int | None]:
    """Level and column from 0, and the space of a room."""
    level, _, slot = name.partition(":")
    space = "ab".index(slot[-1]) if slot[-1] in "ab" else None
    return int(level) - 1, SLOTS.index(slot[:2] if space is not None else slot), space


def place_name(level: int, col: int, space: int | None) -> str:
    return f"{level + 1}:{SLOTS[col]}{'' if space is None else 'ab'[space]}"


def profile_of(play: Play, like: dict[str, Any]) -> dict[str, Any]:
    """The profile of the filmed table: the mat of the frames, this play's camera without its lens, the pack's cards."""
    (w, h), studio = play.studio.size, play.studio
    focal = w / 2 / math.tan(math.radians(studio.across) / 2)
    matrix = [[round(focal, 3), 0, w / 2], [0, round(focal, 3), h / 2], [0, 0, 1]]
    cards = {}
    for card, (number, sticker) in NUMBERS.items():
        if card.startswith("elevator-") and not studio.stickers:
            continue
        kind = "elevator" if number == ELEVATOR else "threat" if number >= FIRST_THREAT else "room"
        cards[card] = {"kind": kind, "tags": [sticker] if studio.stickers else [], "art": [ART.format(number)]}
    camera = {"size": [w, h], "matrix": matrix, "distortion": [0, 0, 0, 0]}
    return {**like, "camera": camera, "cards": cards}


def film(renderer: Any, play: Play) -> None:
    """Every shot with its truth, and the profile of the table. Pictures that are there are not made again."""
    folder = HERE / play.name
    folder.mkdir(exist_ok=True)
    stage = Stage(renderer, play)
    scenes = [stage.scene_of(shot) for shot in play.shots]
    truths = [stage.truth(scene) for scene in scenes]
    lines = [
        json.dumps({"name": shot.name, "picture": f"{n:02d}.jpg", "seconds": shot.seconds, "truth": truth})
        for n, (shot, truth) in enumerate(zip(play.shots, truths, strict=True))
    ]
    story = ",\n".join(lines)  # a line for each
    (folder / "story.json").write_text(f'{{"noise": {stage.noise:.5f}, "scenes": [\n{story}\n]}}\n')
    like = json.loads((HERE.parent / "frames" / "profile.json").read_text())
    (folder / "profile.json").write_text(json.dumps(profile_of(play, like)) + "\n")
    for number, (shot, scene) in enumerate(zip(play.shots, scenes, strict=True)):
        path = folder / f"{number:02d}.jpg"
        if path.exists() and number:  # by the first one the camera is set
            continue
        stage.options.spp, quality = WITH_A_HAND if shot.hand else AT_REST
        save(path, stage.picture(scene), quality)
        print(play.name, number, shot.name, flush=True)  # noqa: T201 - it takes a while


def save(path: Path, picture: Any, quality: int) -> None:
    cv2.imwrite(str(path), picture, (cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_PROGRESSIVE, 1))


def enrol(renderer: Any) -> None:
    """The pictures of the cards, flat and small, as an owner would have enrolled them."""
    for number in sorted({number for number, _ in NUMBERS.values()}):
        path = HERE / "art" / Path(ART.format(number)).name
        path.parent.mkdir(exist_ok=True)
        art, shrink = renderer.card_art(number)[..., ::-1], ART_DOTS / renderer.PX_PER_MM
        small = cv2.resize(art, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        save(path, small, AT_REST[1])


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("renderer", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path}: no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    tracer = load(Path(sys.argv[1]))
    enrol(tracer)
    for chosen in sys.argv[2:] or list(PLAYS):
        film(tracer, PLAYS[chosen]())
