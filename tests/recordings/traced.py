"""Film rounds in worlds of our own renderer, path-traced, with hands.

usage: python -m tests.recordings.traced OUT [--worlds 0:4] [--kept] [--samples 8] [--depth 3] [--play evening]
           [--shots 20] [--quality 80]

In each world another round is improvised, or the same `--play` is played. Each has a folder: its pictures, story.json
with what lies there and what must be recorded, the profile of the table, the pictures of its deck.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.measuring.measures import Locator
from calibration.steps.mat_position import empty_mat
from companion.cards.loader import builtin
from companion.vision.profile import parse_profile
from tests.recordings.improvised import PACK, Round, improvise
from tests.recordings.plays import Hand, Piece, Play, Shot
from tests.recordings.rounds import PLAYS
from tests.rendering import scenes
from tests.rendering.pictures import PX_PER_MM
from tests.rendering.rooms import make_room, mirrored
from tests.rendering.tracing import Tracer, developed
from tests.rendering.truth import truth
from tests.rendering.worlds import (
    CARD,
    LIFT_CARD,
    SPACES,
    THREAT,
    World,
    draw,
    make_world,
    profile,
    with_pack,
    write_world,
)

SLOTS = ("L3", "L2", "L1", "E", "R1", "R2", "R3")
SEATS = {"red": (-170, -480), "blue": (-620, -150), "green": (190, -480), "yellow": (620, -80)}
FINGERTIPS = 42.0  # mm from where an arm is aimed at
ALOFT = 38.0
SLEEVE = scenes.Finish(0.15, 1.0)  # smooth: a lamp is mirrored in it
STAGE = 8  # of a world's chances: what is the same in every picture of a round
NOISE = (0.002, 0.03)
MAT_FILE = "mat.jpg"
ART_DOTS, ART_QUALITY = 2.4, 60  # a millimetre of a card's picture, as an owner enrols it


def place_of(name: str) -> tuple[int, int, int | None]:
    """Return level and column from 0, and the space of a room."""
    level, _, slot = name.partition(":")
    space = "ab".index(slot[-1]) if slot[-1] in "ab" else None
    return int(level) - 1, SLOTS.index(slot[:2] if space is not None else slot), space


def place_name(level: int, column: int, space: int | None) -> str:
    return f"{level + 1}:{SLOTS[column]}{'' if space is None or SLOTS[column] == 'E' else 'ab'[space]}"


def middle_of(name: str) -> Any:
    """Return the middle of a slot, or of a space on it."""
    level, column, space = place_of(name)
    at = scenes.place(level, column)
    if space is not None:
        return at + SPACES["ab"[space]]
    return at + SPACES["E"] if SLOTS[column] == "E" else at


def card_name(name: str) -> str:
    """Return what the pack calls a card of a world's deck."""
    kind, _, card = name.partition("-")
    return card if kind != LIFT_CARD else f"elevator-{card}" if card else "elevator"


class Stage:
    """A world's table, camera and light, which stay as they are for a whole round."""

    def __init__(self, world: World, play: Play, samples: int, depth: int) -> None:
        self.world = with_pack(world, builtin(PACK))
        self.play = play
        self.looks = draw(self.world)
        self.noise = float(np.exp(self._chance(0).uniform(*np.log(NOISE))))
        self._camera = scenes.camera_of(self.world, self._chance(1))
        self._room = make_room(self._chance(2))
        self._tracer = Tracer(self.looks, samples, depth)
        self.held: Any = None

    def _chance(self, part: int) -> Any:
        return self.world.chance(STAGE, part)

    def scene_of(self, shot: Shot | None) -> Any:
        """Return the scene of a shot; of none, the empty mat."""
        scene = scenes.empty_table(self.world, 0, self._camera, self._chance(3))
        if shot is None:
            return scene
        rng = self._chance(4)
        finish = scenes.Finish(rng.uniform(0.35, 0.6), self.world.habits["sleeves"])
        if self.play.mirrors:
            finish = SLEEVE
        for piece in (*shot.rooms, *shot.threats):
            self._lay(scene, piece, finish)
        threats = {piece.place for piece in shot.threats}
        for piece in shot.figures:
            self._put(scene, piece, middle_of(piece.place) + piece.off, 0.9 if piece.place in threats else 0.0)
        scenes.put_things(scene, self._chance(5))
        if shot.hand is not None:
            self._reach(scene, shot.hand)
        return scene

    def picture(self, scene: Any) -> Any:
        """Trace the light; the camera keeps the white and the exposure of the first picture, or sets them anew."""
        seed = int(self._chance(6).integers(1 << 30))  # the same rays: what does not move does not flicker
        light, field = self._tracer.trace(scene, self._room, seed)
        light = field.through_lens(light)
        if self.held is None and not self.play.meters:
            self.held = light
        return developed(light, self._chance(7), self.held, grain=0.0)  # noise is new whenever a picture is shown

    def lay_cards(self) -> None:
        """The empty mat has been seen: the cards lie there from now on."""
        if self.play.mirrors:  # the lamp is moved when the camera is set
            self._room = mirrored(self._room, self._camera.eye, middle_of(self.play.mirrors))
        else:
            self.held = None  # the camera is set anew

    def _lay(self, scene: Any, piece: Piece, finish: Any) -> None:
        level, column, space = place_of(piece.place)
        kind = "threat" if space is not None else "elevator" if SLOTS[column] == "E" else "room"
        name = f"{kind}-{piece.name}"
        if kind == "elevator":
            name = LIFT_CARD + piece.name.removeprefix("elevator") if self.world.tagged else LIFT_CARD
        middle = middle_of(piece.place) + np.array([0, 5]) if kind == "threat" else scenes.place(level, column)
        size = THREAT if kind == "threat" else CARD
        laid = scenes.Laid(name, kind, level, column, space, middle + piece.off, np.radians(piece.turned), size)
        scenes.lay(scene, np.random.default_rng(piece.seed), laid, finish)

    def _put(self, scene: Any, piece: Piece, where: Any, height: float) -> None:
        level, column, space = place_of(piece.place)
        told = {"colour": piece.name, "tipped": piece.pose == "lying", "level": level, "col": column}
        told |= {"space": space or 0, "on_threat": height > 0}
        scenes.put(scene, np.random.default_rng(piece.seed), told, where, scenes.ON_CARD + height)

    def _reach(self, scene: Any, hand: Hand) -> None:
        tips, start = middle_of(hand.place) + hand.beside, np.array(SEATS[hand.seat])
        ahead = (tips - start) / np.linalg.norm(tips - start)
        whose = self.world.chance(STAGE, 100 + list(SEATS).index(hand.seat))
        scenes.reach(scene, whose, tips - ahead * FINGERTIPS, start)
        if hand.carries:
            self._put(scene, Piece(hand.carries, hand.place, pose="standing", seed=1), tips, ALOFT)
            scene.dwellers.pop()  # it stands nowhere


def truth_of(scene: Any) -> dict[str, Any]:
    """Return what lies there in the words of a reading, each with the share of it that is visible."""
    told, _ = truth(scene)
    cards: dict[str, dict[str, Any]] = {"rooms": {}, "threats": {}}
    for one in told["cards"]:
        kind = "threats" if one["kind"] == "threat" else "rooms"
        name = place_name(one["level"], one["col"], one["space"])
        cards[kind][name] = {"card": card_name(one["name"]), "visible": round(one["visible"], 3)}
    dwellers = [
        {
            "space": place_name(one["level"], one["col"], one["space"]),
            "player": one["colour"],
            "pose": "lying" if one["tipped"] else "standing",
            "visible": round(one["visible"], 3),
        }
        for one in told["dwellers"]
    ]
    return {"hand": bool(scene.hands), **cards, "dwellers": dwellers}


def film(world: World, play: Play, folder: Path, asked: argparse.Namespace, told: Round | None = None) -> None:
    """Film every shot of a play in a world."""
    stage = Stage(world, play, asked.samples, asked.depth)
    write_world(stage.world, stage.looks, folder)
    for name in stage.looks.deck:
        shrink(folder / "art" / f"{name}.jpg")
    own = profile(stage.world)
    own["cards"] = {card_name(name): card for name, card in own["cards"].items()}
    empty = stage.picture(stage.scene_of(None))
    stage.lay_cards()
    read = parse_profile(own, folder)
    located = Locator(read).locate(empty)
    mat, note = (None, "no table") if located.pose is None else empty_mat(empty, located, located.pose, read)
    if mat is not None:
        save(folder / MAT_FILE, mat, asked.quality)
        own["table"]["picture"] = MAT_FILE
    else:
        sys.stdout.write(f"{folder.name}: the empty mat is not taken: {note}\n")
    (folder / "profile.json").write_text(json.dumps(own) + "\n")
    lines, setup = [], json.dumps(None if told is None else told.setup)
    for number, shot in enumerate(play.shots[: asked.shots]):
        scene, started = stage.scene_of(shot), time.perf_counter()
        line = {"name": shot.name, "picture": f"{number:02d}.jpg", "seconds": shot.seconds, "truth": truth_of(scene)}
        if told is not None and shot.name:
            step = told.steps[shot.name]
            line |= {"moves": step.moves, "taps": step.taps}
        lines.append(json.dumps(line))
        path = folder / f"{number:02d}.jpg"
        save(path, stage.picture(scene), asked.quality)
        story = f'{{"noise": {stage.noise:.5f}, "setup": {setup}, "scenes": [\n' + ",\n".join(lines) + "\n]}\n"
        (folder / "story.json").write_text(story)  # as far as it is filmed
        sys.stdout.write(f"{folder.name} {number}/{len(play.shots)}: {time.perf_counter() - started:.1f} s\n")
        sys.stdout.flush()


def save(path: Path, picture: Any, quality: int) -> None:
    cv2.imwrite(str(path), picture, (cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_PROGRESSIVE, 1))


def shrink(path: Path) -> None:
    """Make the picture of a card as small as an owner's."""
    scale = ART_DOTS / PX_PER_MM
    save(path, cv2.resize(cv2.imread(str(path)), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), ART_QUALITY)


def parser() -> argparse.ArgumentParser:
    """Return what may be asked for."""
    asking = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asking.add_argument("out", type=Path)
    asking.add_argument("--worlds", default="0:4", help="first and after the last, as 0:4")
    asking.add_argument("--kept", action="store_true", help="worlds of kinds that are never learned from")
    asking.add_argument("--samples", type=int, default=8, help="rays a pixel")
    asking.add_argument("--depth", type=int, default=3, help="surfaces that a ray meets at most, the light included")
    asking.add_argument("--play", choices=sorted(PLAYS), help="a written round, instead of an improvised one")
    asking.add_argument("--shots", type=int, default=10_000, help="end a round after so many pictures")
    asking.add_argument("--quality", type=int, default=80, help="of the JPEGs")
    return asking


def main() -> None:
    asked = parser().parse_args()
    first, after = (int(part) for part in asked.worlds.split(":"))
    for seed in range(first, after):
        world = make_world(seed, asked.kept)
        told = None if asked.play else improvise(seed)
        folder = asked.out / world.name
        if not (folder / "story.json").exists():
            film(world, told.play if told else PLAYS[asked.play](), folder, asked, told)


if __name__ == "__main__":
    main()
