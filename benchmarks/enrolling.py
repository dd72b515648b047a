"""Measure the enrolment of a deck: somebody lays card after card, and the machine takes, names and keeps them.

The person is simulated and takes three seconds a card, in which a hand moves over the table. The camera's time goes in
tenths of a second, as a real one's; what the machine works is measured, and counted at its real length.

A deck in a minute is measured on drawn photographs of shuffled decks without stickers.
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
import numpy as np

from calibration.guide import LiveStep
from calibration.measuring.papers import cards_of
from calibration.profiles import ProfileFile
from calibration.steps.deck import DeckStep
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
from tests.calibration import laid_decks

if TYPE_CHECKING:
    from companion.pieces.drawing.raster import PrintedPiece
    from companion.vision.arrays import Array

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


PHOTOGRAPHS: Final = 3
PRINTED, STRANGE = range(100, 106), range(200, 203)
"""Seeds of shuffled decks: our printed cards, every other deck in sleeves; and art and lettering that is nobody's."""
THUMBNAIL: Final = (44, 32)  # pixels by which two pictures of a card are known to be of one
INNER, OUTER = 0.76, 1.16  # of a card: what of the one picture is looked for in the other


@dataclass
class NamedCards:
    """What became of the cards of some shuffled decks."""

    cards: int = 0
    found: int = 0
    right: int = 0
    wrong: int = 0
    seconds: list[float] = field(default_factory=list)
    """Of a processor, for the photographs of each deck."""


def name_decks(seeds: range, *, strange: bool = False) -> NamedCards:
    """Lay each shuffled deck out in three photographs, and count what is named by its title alone."""
    cv2.setNumThreads(1)
    named, printed = NamedCards(), laid_decks.printed_deck(tags=False)
    for seed in seeds:
        chance = np.random.default_rng(seed)
        ids = [(card.name, card.kind, card.title) for card in printed]
        deck = laid_decks.strange_deck(chance, ids) if strange else printed
        deck = [deck[index] for index in chance.permutation(len(deck))]
        each = -(-len(deck) // PHOTOGRAPHS)
        with tempfile.TemporaryDirectory() as folder:
            file = ProfileFile(Path(folder) / "profile.json")
            file.know(cards_of(builtin("homemade")))
            step, worked = DeckStep(file, pack="homemade"), 0.0
            kept = _Kept(step)
            for first in range(0, len(deck), each):
                laid = deck[first : first + each]
                picture, corners = laid_decks.photograph(laid, chance, sleeved=bool(seed % 2))
                began = time.process_time()
                step.see(picture)
                worked += time.process_time() - began
                kept.count(picture, laid, corners)
                named.found += len(step.marks)
        named.cards += len(deck)
        named.right += kept.right
        named.wrong += kept.wrong
        named.seconds.append(worked)
    return named


@dataclass
class _Kept:
    """Compares the names of the pictures that a step keeps with the cards that were laid."""

    step: DeckStep
    right: int = 0
    wrong: int = 0
    _named: set[str] = field(default_factory=set)
    _doubtful: dict[str, Array] = field(default_factory=dict)
    """What the doubtful cards look like on their photograph: a later one may settle them."""

    def count(self, picture: Array, laid: list[laid_decks.LaidCard], corners: list[Array]) -> None:
        """Count what a photograph has named."""
        for mark in self.step.marks:
            away = [float(np.linalg.norm(mark.points.mean(axis=0) - one.mean(axis=0))) for one in corners]
            owner = laid[int(np.argmin(away))].name
            if mark.label == "?":
                self._doubtful[owner] = _cut(picture, corners[int(np.argmin(away))])
            else:
                self._named.add(mark.label)
                self._tell(is_own=mark.label == owner)
        for name in {card for card in self.step.file.profile().cards if self.step.deck.lights(card)} - self._named:
            self._named.add(name)
            kept = _small(cv2.imread(str(self.step.deck.folder(name) / f"{self.step.light}.jpg")), INNER)
            like = {
                card: max(_likeness(shown, kept), _likeness(shown, kept[::-1, ::-1]))
                for card, shown in self._doubtful.items()
            }
            self._tell(is_own=max(like, key=lambda card: like[card], default="") == name)

    def _tell(self, *, is_own: bool) -> None:
        self.right, self.wrong = self.right + is_own, self.wrong + (not is_own)


def _likeness(shown: Array, kept: Array) -> float:
    """Return how like a card on a photograph is to a picture that was kept, which may be cut a little askew."""
    return float(cv2.matchTemplate(shown, np.ascontiguousarray(kept), cv2.TM_CCOEFF_NORMED).max())


def _cut(picture: Array, corners: Array) -> Array:
    """Cut a card out of a photograph of which it is known where it lies, with a rim."""
    width, height = THUMBNAIL[0] * 4, THUMBNAIL[1] * 4
    page = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    wide = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * OUTER
    bend = cv2.getPerspectiveTransform(np.asarray(wide, dtype=np.float32), page)
    return _small(np.asarray(cv2.warpPerspective(picture, bend, (width, height))), 1.0, OUTER)


def _small(picture: Array, part: float, scale: float = 1.0) -> Array:
    """Return the middle part of a picture, as small as a thumbnail, in colours without the light's gradient."""
    size = (round(THUMBNAIL[0] * scale), round(THUMBNAIL[1] * scale))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    small -= cv2.GaussianBlur(small, (0, 0), THUMBNAIL[1] / 4)
    across, along = (round(side * (1 - part) / 2) for side in size)
    return np.ascontiguousarray(small[along : size[1] - along, across : size[0] - across])


def of_decks() -> list[tuple[str, str, str]]:
    """Return the rows of a deck in a minute."""
    ours, strange = name_decks(PRINTED), name_decks(STRANGE, strange=True)
    seconds = sorted([*ours.seconds, *strange.seconds])
    decks = f"{len(PRINTED)} shuffled decks of printed cards, without stickers, on any cloth"
    return [
        (f"{decks}: cards found", "", _share(ours.found, ours.cards)),
        ("... named by title, of all; of those found", "98 %", _named(ours)),
        ("... named wrongly", "0", f"{ours.wrong}"),
        (f"{len(STRANGE)} of strange art and lettering: named by title, of all; of those found", "", _named(strange)),
        ("... named wrongly", "0", f"{strange.wrong}"),
        (
            "the machine's work for three photographs, p50, longest (s of a processor)",
            "60",
            f"{seconds[len(seconds) // 2]:.0f}, {seconds[-1]:.0f}",
        ),
    ]


def _named(named: NamedCards) -> str:
    return f"{_share(named.right, named.cards)}; {_share(named.right, named.found)}"


def _share(some: int, every: int) -> str:
    return f"{some / max(every, 1):.1%} of {every}"
