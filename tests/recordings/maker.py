"""Records rounds at the drawn table, hands and all: `python -m tests.recordings.maker`, when the pieces change.

A recording is a folder of pictures and `story.json`: how long each picture stands. What the game must make of
it is told in `test_recordings.py`.
"""

import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from companion.cards.loader import builtin
from hardware.tabletop.simulated_table import SimulatedTable, make_table
from hardware.tabletop.table_contents import standing_on
from tests.hardware.tabletop.evening import SIDES

HERE = Path(__file__).parent
PLAYERS = ("red", "blue")
QUALITY = 55
PASSING, RESTING = 0.4, 2.6  # seconds


@dataclass
class Film:
    """The pictures of one recording."""

    name: str
    table: SimulatedTable
    story: list[dict] = field(default_factory=list)

    def keep(self, seconds: float) -> None:
        folder = HERE / self.name
        folder.mkdir(exist_ok=True)
        name = f"{len(self.story):02d}.jpg"
        cv2.imwrite(str(folder / name), self.table.picture(), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        self.story.append({"picture": name, "seconds": seconds})

    def by_hand(self, place: str, what) -> None:
        """Somebody reaches in, does something and reaches out again."""
        x, y = standing_on(place)
        self.table.reach_in(x, y - 20)
        what()
        self.keep(PASSING)
        self.table.reach_out()
        self.keep(RESTING)

    def close(self) -> None:
        (HERE / self.name / "story.json").write_text(json.dumps(self.story, indent=1) + "\n")


def lay(table: SimulatedTable) -> dict[str, list[str]]:
    """The start for two: the top level, two elevators and four dwellers of each at home."""
    pack = builtin("homemade")
    table.clear()
    table._chance.seed(3)
    for slot, card in zip(SIDES, pack.top_level, strict=True):
        table.lay(card.id, f"1:{slot}")
    table.lay("elevator", "1:E")
    for level, player in enumerate(PLAYERS, 2):
        table.lay(f"elevator-{player}", f"{level}:E")
    return {player: table.bring(player, 4) for player in PLAYERS}


def a_round(table: SimulatedTable) -> None:
    """Four dwellers are put down one by one, then everybody picks up theirs."""
    keys = lay(table)
    film = Film("round", table)
    film.keep(RESTING)
    for player, number, space in (("red", 1, "1:R1a"), ("blue", 1, "1:R1b"), ("red", 2, "1:R2a"), ("blue", 2, "1:R2b")):
        film.by_hand(space, lambda key=keys[player][number], space=space: table.put(key, space, lying=False))
    film.by_hand("1:R1a", lambda: [table.lift(keys[player][number]) for player in PLAYERS for number in (1, 2)])
    film.close()


def a_rough_one(table: SimulatedTable) -> None:
    """The camera is bumped and the lamp goes out between two placements; a hand rests over the table for a while."""
    keys = lay(table)
    film = Film("rough", table)
    film.keep(RESTING)
    film.by_hand("1:R1a", lambda: table.put(keys["red"][1], "1:R1a", lying=False))
    table.bump()
    film.keep(RESTING)
    film.by_hand("1:R1b", lambda: table.put(keys["blue"][1], "1:R1b", lying=False))
    table.switch(lamp=False)
    film.keep(RESTING)
    table.reach_in(-92, 20)
    film.keep(RESTING)
    table.reach_out()
    film.by_hand("1:R2a", lambda: table.put(keys["red"][2], "1:R2a", lying=False))
    film.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        table = make_table(builtin("homemade"), "en", Path(folder))
        a_round(table)
        a_rough_one(table)


if __name__ == "__main__":
    main()
