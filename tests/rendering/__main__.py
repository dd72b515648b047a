"""Render pictures of random worlds with their truth.

usage: python -m tests.rendering OUT --worlds 0:40 --frames 8 [--kept] [--bare] [--linked] [--samples 8] [--masks]
"""

import argparse
import json
import sys
import time
from pathlib import Path

import cv2

from tests.rendering.rooms import make_room
from tests.rendering.scenes import make_scene
from tests.rendering.tracing import Tracer, photographed
from tests.rendering.truth import truth
from tests.rendering.worlds import draw, linked, make_world, without_mat, write_world


def parser():
    """Return what may be asked for."""
    asking = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asking.add_argument("out", type=Path)
    asking.add_argument("--worlds", default="0:40", help="first and after the last, as 0:40")
    asking.add_argument("--frames", type=int, default=8, help="of each world")
    asking.add_argument("--kept", action="store_true", help="worlds of kinds that are never learned from")
    asking.add_argument(
        "--bare", action="store_true", help="no mat and no stickers; begun.jpg is the table as it began"
    )
    asking.add_argument("--linked", action="store_true", help="two figures on most spaces")
    asking.add_argument("--samples", type=int, default=8, help="rays a pixel")
    asking.add_argument("--depth", type=int, default=3, help="surfaces that a ray meets at most, the light included")
    asking.add_argument("--masks", action="store_true", help="also which piece each pixel shows")
    return asking


def main():
    asked = parser().parse_args()
    first, after = (int(part) for part in asked.worlds.split(":"))
    for seed in range(first, after):
        world = make_world(seed, asked.kept)
        world = without_mat(world) if asked.bare else world
        world = linked(world) if asked.linked else world
        folder = asked.out / world.name
        looks = draw(world)
        write_world(world, looks, folder)
        tracer = Tracer(looks, asked.samples, asked.depth)
        if asked.bare:
            _begin(world, tracer, folder)
        for number in range(asked.frames):
            started = time.perf_counter()
            render(world, tracer, number, folder, masks=asked.masks)
            sys.stdout.write(f"{world.name} {number}: {time.perf_counter() - started:.1f} s\n")
            sys.stdout.flush()


def _begin(world, tracer, folder):
    """Render the table before the first move: the step `table` takes the rest of it for its ground."""
    rng = world.chance(2, 0)
    light, field = tracer.trace(make_scene(world, 0, begun=True), make_room(rng), int(rng.integers(1 << 30)))
    (folder / "begun.jpg").write_bytes(photographed(field.through_lens(light), rng).tobytes())


def render(world, tracer, number, folder, *, masks=False):
    """Render one picture of a world and write it with its truth."""
    rng = world.chance(2, number)
    scene = make_scene(world, number)
    told, pieces = truth(scene)
    light, field = tracer.trace(scene, make_room(rng), int(rng.integers(1 << 30)))
    stem = folder / f"w_{world.seed:04d}_{number:03d}"
    stem.with_suffix(".jpg").write_bytes(photographed(field.through_lens(light), rng).tobytes())
    stem.with_suffix(".json").write_text(json.dumps(told), encoding="utf-8")
    if masks:
        cv2.imwrite(f"{stem}_id.png", pieces)


if __name__ == "__main__":
    main()
