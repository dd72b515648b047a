"""What the marked corner is read with: the tags and sides that we print, and what an owner has shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.corner import ALL_SHOWN, PHOTOS
from companion.cards.wasteland.loader import builtin
from companion.cards.wasteland.notation import face_name
from companion.pieces.drawing.raster import PrintedPiece, drawn, render
from companion.pieces.kinds.wasteland_tokens import FACE, draw_face
from companion.pieces.sheets.wasteland_pieces import PrintedWasteland
from companion.table.sight.reading import CornerDie
from companion.vision.cards.card_photo import CardAlbum, read_photo
from companion.vision.corner import CornerReader, FaceTemplate
from companion.vision.time.watcher import difference

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.cards.wasteland.types import WastelandPack
    from companion.table.sight.reading import Reading
    from companion.vision.arrays import Array
    from companion.vision.corner import CornerSeen

DIE: Final = "die"
LOOKS: Final = 2
"""Looks that must agree on what lies in the corner."""
OURS: Final = "homemade"
PIXELS: Final = 8


def tags_of_ours() -> dict[int, str]:
    """Return the card that each tag of our printed set names."""
    return PrintedWasteland(builtin(OURS), "en").tags()


def drawn_faces(pack: WastelandPack) -> list[FaceTemplate]:
    """Return the sides of a pack's dice as they are printed."""
    sides = [(number, face) for number, die in enumerate(pack.dice) for face in die]
    pieces = [PrintedPiece("side", "die", (FACE, FACE), drawn(draw_face, number + 1, face)) for number, face in sides]
    pictures = render(pieces, PIXELS)
    return [
        FaceTemplate(number, face_name(face), picture) for (number, face), picture in zip(sides, pictures, strict=True)
    ]


def reader_of(folder: Path) -> CornerReader:
    """Return what reads the corner: our printed cards by their tags, others and dice by the owner's photos.

    As long as not every side was shown, the dice are those that we print: others look too much like each other.
    """
    photos: dict[str, list[Array]] = {}
    sides: list[FaceTemplate] = []
    for file in sorted((folder / PHOTOS).glob("*~*~*.jpg")):
        kind, name, _ = file.stem.split("~")
        picture = read_photo(file.read_bytes())
        if picture is None:
            continue
        if kind == DIE:
            number, _, face = name.partition("-")
            sides.append(FaceTemplate(int(number) - 1, face, picture))
        else:
            photos.setdefault(name, []).append(picture)
    album = CardAlbum(photos) if photos else None
    all_shown = (folder / PHOTOS / ALL_SHOWN).is_file()
    return CornerReader(tags_of_ours(), sides if all_shown else drawn_faces(builtin(OURS)), album)


class CornerEye:
    """Looks at the marked corner: read again only when the table has changed, twice each time."""

    def __init__(self, folder: Path, wanted: Callable[[], bool], matrix: Array | None = None) -> None:
        """`wanted` says whether the game that is played asks for what lies there: nothing is looked at otherwise."""
        self._folder = folder
        self._wanted = wanted
        self._matrix = matrix
        self._reader: CornerReader | None = None
        self._photos: tuple[str, ...] = ()
        self._small: Array | None = None
        self._looks: list[CornerSeen | None] = []

    def is_new(self, small: Array) -> bool:
        """Return whether the table looks different from the last look, or one more is due."""
        if not self._wanted():
            return False
        if self._small is None or self._small.shape != small.shape or 0 < len(self._looks) < LOOKS:
            return True
        return bool(difference(self._small, small).any())

    def read(self, full: Array, small: Array, reading: Reading) -> Reading:
        """Return a reading with what lies in the corner added to it."""
        if not self._wanted():
            return reading
        if self.is_new(small):
            again = self._small is not None and 0 < len(self._looks) < LOOKS
            self._looks = [*(self._looks if again else []), self._look(full)]
            self._small = small
        one, last = self._looks[0], self._looks[-1]
        if last is None:
            return reading
        agreed = len(self._looks) == LOOKS and one is not None and _named(one) == _named(last)
        found = replace(reading, table="found") if reading.table == "lost" else reading
        if not agreed or last.unsure:
            return replace(found, corner_unsure=True)
        dice = tuple(CornerDie(die.die, die.face, die.x, die.y) for die in last.dice)
        return replace(found, corner_card=last.card, corner_dice=dice)

    def _look(self, full: Array) -> CornerSeen | None:
        """Return what lies there, None where the sheet is not seen."""
        photos = tuple(sorted(file.name for file in (self._folder / PHOTOS).glob("*~*")))
        if self._reader is None or photos != self._photos:
            self._reader, self._photos = reader_of(self._folder), photos
        pose = self._reader.find(full, self._matrix)
        return None if pose is None else self._reader.read(full, pose)


def _named(seen: CornerSeen) -> tuple[str | None, list[tuple[int | None, str]], bool]:
    return seen.card, [(die.die, die.face) for die in seen.dice], seen.unsure
