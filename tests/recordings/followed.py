"""Show filmed rounds to a session, and count: moves that are recorded without a tap, after a doubt, and wrongly.

usage: python -m tests.recordings.followed FOLDER... [--keep benchmarks/kitchens.jsonl]

FOLDER is a round that `traced` filmed, or a folder of such. When the table has rested and a move is not recorded, it is
said; what is recorded and was not done is taken back first. A kept round is a line: the world, which is the seed, and
what became of its moves.
"""

import argparse
import json
import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.refusal import Refusal
from companion.table.session.intents import HOST, Tap
from tests.recordings.projector import WAIT, Projector, scenes

STORY = "story.json"
SECONDS = re.compile(r" [\d.]+ s:")
Move = dict[str, Any]


@dataclass
class Followed:
    """What became of the moves of rounds."""

    right: int = 0
    doubts: list[str] = field(default_factory=list)
    """Moves that people had to say."""
    wrong: list[str] = field(default_factory=list)
    """Moves that were recorded, and nobody had made."""
    disagreements: list[str] = field(default_factory=list)
    """What the table was said to be wrong about when it had rested, and was not."""
    phantoms: list[str] = field(default_factory=list)
    rests: int = 0
    whole: int = 0
    """Rests at which all that lay there was read right, in a second or two of looks and with what was seen before."""
    left: int = 0
    """Moves of rounds that could not be played on."""

    def add(self, other: "Followed") -> None:
        for name in ("right", "rests", "whole", "left"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("doubts", "wrong", "disagreements", "phantoms"):
            getattr(self, name).extend(getattr(other, name))

    @property
    def moves(self) -> int:
        return self.right + len(self.doubts) + self.left

    def counted(self) -> dict[str, int]:
        """Return the counts that are kept of a round."""
        told = {name: len(getattr(self, name)) for name in ("doubts", "wrong", "disagreements", "phantoms")}
        rests = {"rests": self.rests, "whole": self.whole}
        return {"moves": self.moves, "right": self.right, "left": self.left, **told, **rests}


def read_kept(path: Path) -> dict[str, dict[str, int]]:
    """Return the kept rounds by their worlds."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return {one.pop("world"): one for one in lines}


def follow(folder: Path) -> Followed:
    """Play one round, as it was filmed."""
    told = json.loads((folder / STORY).read_text())
    steps = {one["name"]: one for one in told["scenes"] if one["name"]}
    with tempfile.TemporaryDirectory() as record:
        played = Projector(Path(record), str(folder.resolve()))
        try:
            played.start(told["setup"])
            return _follow(played, steps, folder.name)
        finally:
            played.end()


def _follow(played: Projector, steps: dict[str, dict[str, Any]], name: str) -> Followed:
    found, done = Followed(), 0
    left = sum(len(step["moves"]) for step in steps.values())
    for scene in scenes(played.name):
        played.play([scene])
        if not scene.name:
            continue
        step, at = steps[scene.name], f"{name} {scene.name}"
        found.rests += 1
        made, wanted = played.moves[done:], step["moves"]
        found.disagreements += [f"{at}: {one}" for one in played.state["table"]["disagreements"]]
        same = next((n for n, pair in enumerate(zip(made, wanted, strict=False)) if pair[0] != pair[1]), None)
        same = min(len(made), len(wanted)) if same is None else same
        found.right += same
        found.wrong += [f"{at}: {move}" for move in made[same:]]
        found.doubts += [f"{at}: {move}, {_why(played, move)}" for move in wanted[same:]]
        left -= len(wanted)
        try:
            for _ in made[same:]:
                _say(played, {"do": "undo"})
            for move in (*wanted[same:], *step["taps"]):
                _say(played, move)
        except Refusal as refusal:
            found.left += left
            found.wrong.append(f"{at}: {refusal}")
            break
        done = len(played.moves)
    found.whole = played.verdicts.whole
    found.phantoms = [f"{name} {one}" for one in played.verdicts.phantoms]
    return found


def _say(played: Projector, move: Move) -> None:
    played.session.ask(Tap(move, HOST)).result(WAIT)


def _why(played: Projector, move: Move) -> str:
    """Return what was read where a move was not recorded."""
    reading = played.heard[-1][1]
    space = str(move.get("space", ""))
    asked = [one["kind"] for one in played.state["pending"]]
    there = [f"{one.player} {one.pose}" for one in reading.dwellers if one.space == space]
    doubt = [place for place in (space, space.rstrip("ab")) if place and place in reading.unsure]
    return f"table {reading.table}, hand {reading.hand}, seen {there}, unsure {doubt}, asked {asked}"


def parser() -> argparse.ArgumentParser:
    """Return what may be asked for."""
    asking = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asking.add_argument("folders", type=Path, nargs="+")
    asking.add_argument("--keep", type=Path, help="add a line for each round, and leave out those that have one")
    return asking


def main() -> None:
    """Print what became of every round."""
    asked, every = parser().parse_args(), Followed()
    kept = {} if asked.keep is None or not asked.keep.exists() else read_kept(asked.keep)
    rounds = [one for given in asked.folders for one in (given, *sorted(given.iterdir()))]
    for folder in [one for one in rounds if (one / STORY).exists() and one.name not in kept]:
        one = follow(folder)
        every.add(one)
        if asked.keep is not None:
            with asked.keep.open("a") as file:
                file.write(json.dumps({"world": folder.name, **one.counted()}) + "\n")
        print(f"{folder.name}: {one.right} of {one.moves} without a tap, {len(one.wrong)} wrong", flush=True)  # noqa: T201
    for name in ("doubts", "wrong", "disagreements"):
        print(name, *getattr(every, name), sep="\n  ")  # noqa: T201
    looks = Counter(SECONDS.sub(":", one) for one in every.phantoms)
    print("phantoms", *(f"{one}, in {times} looks" for one, times in looks.items()), sep="\n  ")  # noqa: T201
    print(f"{every.whole} of {every.rests} rests read as they were")  # noqa: T201
    print(f"{every.right} of {every.moves} moves without a tap, {len(every.wrong)} wrong, {every.left} left")  # noqa: T201


if __name__ == "__main__":
    main()
