"""Measure the enrolment of a deck: somebody lays card after card, and the machine takes, names and keeps them.

The person is simulated and takes three seconds a card, in which a hand moves over the table. The camera's time goes in
tenths of a second, as a real one's; what the machine works is measured, and counted at its real length.
"""

from __future__ import annotations

import json
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import cv2

from calibration.guide import LiveStep
from calibration.measuring.papers import cards_of
from calibration.profiles import ProfileFile
from calibration.steps.enrolment import CardStep
from companion.cards.loader import builtin
from companion.pieces.drawing.raster import render
from companion.pieces.sheets.all_pieces import PrintedBox
from companion.pieces.sheets.printed_profile import profile_of
from companion.vision.time.watcher import luma
from hardware.cameras.capture import shrink
from hardware.tabletop.optics import Viewpoint
from hardware.tabletop.rendering import PIXELS_PER_MM, TableRenderer
from hardware.tabletop.table_contents import CardOnTable, TableContents

if TYPE_CHECKING:
    from companion.pieces.drawing.raster import PrintedPiece

PERSON: Final = 3.0
"""Seconds in which somebody takes the next card up and lays it down."""
ANSWER: Final = 3.0
"""Seconds in which somebody finds the name of a card that has none."""
FRAME: Final = 0.1
SHOWN_HAND: Final = 5
"""Frames with a hand; the rest of the person's time nothing is looked at, which costs the machine nothing either."""
PATIENCE: Final = 3.0
TRIES: Final = 3
WORK: Final = 0.03
"""Seconds from which on it was a look at a full picture, not at a small one."""
PI_5: Final = 3.5
"""How much slower a Pi 5 is taken to be, by the measurements of vision."""


@dataclass
class Course:
    """One light of a deck, from the first card to the last."""

    seconds: float = 0.0
    worked: list[float] = field(default_factory=list)
    taken: int = 0
    asked: int = 0
    again: int = 0
    wrong: int = 0


def measure() -> dict[str, Any]:
    """Return the homemade deck with its tags, then again without them in another light: pictures must name it then."""
    with tempfile.TemporaryDirectory() as folder:
        deck = Deck(Path(folder))
        first = deck.enrol("day", lamp=True, tags=True)
        second = deck.enrol("lamp", lamp=False, tags=False)
    return {"cards": len(deck.cards), "first": first, "second": second}


class Deck:
    """The printed cards, one of each, above which a camera hangs."""

    def __init__(self, folder: Path) -> None:
        cv2.setNumThreads(1)
        pack = builtin("homemade")
        box, known = PrintedBox(pack, "en", "http://table.local/"), cards_of(pack)
        self.cards = [piece for piece in box.pieces("cards") if piece.copy == 1]
        pieces = [*self.cards, *box.pieces("mat")]
        self._view = Viewpoint()
        pictures = dict(zip((piece.file for piece in pieces), render(pieces, PIXELS_PER_MM), strict=True))
        self._painter = TableRenderer(pictures, self._view)
        matrix = self._view.matrix.tolist()
        raw = profile_of(pieces, self._view.size) | {"cards": known}
        raw["camera"] = {"size": list(self._view.size), "matrix": matrix, "distortion": [0, 0, 0, 0]}
        path = folder / "profile.json"
        path.write_text(json.dumps(raw), encoding="utf-8")
        self._file, self._tags = ProfileFile(path), {name: card["tags"] for name, card in known.items()}

    def enrol(self, light: str, *, lamp: bool, tags: bool) -> Course:
        """Lay every card in any order, as people do: a little askew; one that is not taken is laid again."""
        self._file.change({"cards": {name: {"tags": self._tags[name] if tags else []} for name in self._tags}})
        step = CardStep(self._file, light=light)
        live, course, chance = LiveStep(step), Course(), Random(light)
        order = list(self.cards)
        chance.shuffle(order)
        self._rest(live, course, TableContents(lamp=lamp))
        for piece in order:
            before = step.progress[0]
            for _ in range(TRIES):
                self._reach(live, course, TableContents(lamp=lamp), chance)
                self._rest(live, course, TableContents(cards=(_laid(piece, chance),), lamp=lamp))
                if step.waiting is not None:
                    course.asked += 1
                    course.seconds += ANSWER
                    step.act("name", {"card": piece.id})
                if step.progress[0] > before:
                    break
                course.again += 1
            done = step.progress[0] > before
            course.taken += done and step.last == piece.id
            course.wrong += done and step.last != piece.id
        return course

    def _reach(self, live: LiveStep, course: Course, scene: TableContents, chance: Random) -> None:
        """Move a hand over the table, as long as a person needs."""
        for _ in range(SHOWN_HAND):
            hand = (chance.uniform(-40, 40), chance.uniform(-40, 40))
            self._look(live, course, TableContents(cards=scene.cards, lamp=scene.lamp, hand=hand))
        course.seconds += PERSON - SHOWN_HAND * FRAME

    def _rest(self, live: LiveStep, course: Course, scene: TableContents) -> None:
        """Wait at rest until a picture was taken, or patience is over."""
        began = course.seconds
        while not self._look(live, course, scene) and course.seconds < began + PATIENCE:
            pass

    def _look(self, live: LiveStep, course: Course, scene: TableContents) -> bool:
        """Return one picture, and whether it was taken; the next one waits for the machine if that is slow."""
        full = self._painter.draw(scene)
        began = time.perf_counter()
        taken = live.due(luma(shrink(full)), course.seconds)
        if taken:
            live.take(full, course.seconds)
        worked = time.perf_counter() - began
        course.worked.append(worked)
        course.seconds += max(FRAME, worked)
        return taken


def _laid(piece: PrintedPiece, chance: Random) -> CardOnTable:
    turn = chance.gauss(0, 3)
    return CardOnTable(piece.id, piece.file, piece.kind, piece.tag or 0, chance.gauss(0, 4), chance.gauss(0, 4), turn)


def of_calibration() -> list[tuple[str, str, str]]:
    """Return the rows of the page."""
    found = measure()
    first, second, cards = found["first"], found["second"], found["cards"]
    looks = sorted(work for work in first.worked if work > WORK)
    return [
        (
            f"a deck of {cards} printed cards enrolled, {PERSON:.0f} s a card for the person (minutes)",
            "10",
            _minutes(first),
        ),
        ("... taken, named wrongly, laid again because they were not taken", f"{cards}, 0", _counts(first)),
        ("... of it the machine's waiting for rest and looking, a card (s)", "", f"{_machine(first, cards):.2f}"),
        ("a look at a card, p50, longest (ms)", "", f"{looks[len(looks) // 2] * 1000:.0f}, {looks[-1] * 1000:.0f}"),
        (f"the same deck where every look takes {PI_5} times as long (minutes)", "10", f"{_slower(first) / 60:.1f}"),
        ("the second light, no stickers: named by the pictures of the first (minutes)", "10", _minutes(second)),
        ("... taken, named wrongly, laid again; a name asked for", f"{cards}, 0", f"{_counts(second)}; {second.asked}"),
    ]


def _minutes(course: Course) -> str:
    return f"{course.seconds / 60:.1f}"


def _counts(course: Course) -> str:
    return f"{course.taken}, {course.wrong}, {course.again}"


def _machine(course: Course, cards: int) -> float:
    """Return what is left of a card's time without the person's."""
    return (course.seconds - PERSON * (cards + course.again) - ANSWER * course.asked) / cards


def _slower(course: Course) -> float:
    """Return as long as it takes where every picture takes the machine so much longer."""
    return course.seconds + sum(max(0.0, PI_5 * work - max(FRAME, work)) for work in course.worked)
