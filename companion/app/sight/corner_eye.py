"""What a marked corner is read with: the tags and sides that a game prints, and what an owner has shown."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol

from companion.pieces.drawing.raster import render
from companion.table.sight.reading import CornerDie
from companion.vision.cards.card_photo import CardAlbum, read_photo
from companion.vision.corner import CornerReader, FaceTemplate
from companion.vision.time.watcher import difference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from companion.cards.corner_sheet import CornerSheet
    from companion.games.api import AnyGame
    from companion.pieces.drawing.raster import PrintedPiece
    from companion.table.sight.reading import Reading
    from companion.vision.arrays import Array
    from companion.vision.corner import CornerSeen

DIE: Final = "die"
LOOKS: Final = 2
"""Looks that must agree on what lies in the corner."""
PIXELS: Final = 8


class CornerPrints(Protocol):
    """Of what is printed of a game, what lies in its marked corner."""

    def tags(self) -> Mapping[int, str]:
        """Return the card that each tag names."""
        ...

    def sides(self) -> Sequence[tuple[int, str, PrintedPiece]]:
        """Return every side of the dice: which die, what the side is called, and how it is printed."""
        ...


def prints_of(game: AnyGame) -> CornerPrints:
    """Return our own printed set of a game."""
    found: CornerPrints = import_module(game.sheets).printed(game.home_pack, "en", "")
    return found


def drawn_faces(prints: CornerPrints) -> list[FaceTemplate]:
    """Return the sides of a set's dice as they are printed."""
    sides = prints.sides()
    pictures = render([piece for _, _, piece in sides], PIXELS)
    return [FaceTemplate(die, face, picture) for (die, face, _), picture in zip(sides, pictures, strict=True)]


def reader_of(folder: Path, game: AnyGame) -> CornerReader:
    """Return what reads the corner: our printed cards by their tags, others and dice by the owner's photos.

    As long as not every side was shown, the dice are those that we print: others look too much like each other.
    """
    corner = sheet_of(game)
    photos: dict[str, list[Array]] = {}
    sides: list[FaceTemplate] = []
    for file in sorted((folder / corner.photos).glob("*~*~*.jpg")):
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
    all_shown = (folder / corner.photos / corner.all_shown).is_file()
    prints = prints_of(game)
    return CornerReader(corner, prints.tags(), sides if all_shown else drawn_faces(prints), album)


def sheet_of(game: AnyGame) -> CornerSheet:
    if game.corner is None:
        raise AssertionError(f"{game.name} has no marked corner")
    return game.corner


class CornerEye:
    """Looks at the marked corner: read again only when the table has changed, twice each time."""

    def __init__(self, folder: Path, wanted: Callable[[], AnyGame | None], matrix: Array | None = None) -> None:
        """`wanted` is the game that is played, while it asks for what lies there: nothing is looked at otherwise."""
        self._folder = folder
        self._wanted = wanted
        self._matrix = matrix
        self._reader: CornerReader | None = None
        self._read_for: tuple[str, ...] = ()
        self._small: Array | None = None
        self._looks: list[CornerSeen | None] = []

    def is_new(self, small: Array) -> bool:
        """Return whether the table looks different from the last look, or one more is due."""
        if self._wanted() is None:
            return False
        if self._small is None or self._small.shape != small.shape or 0 < len(self._looks) < LOOKS:
            return True
        return bool(difference(self._small, small).any())

    def read(self, full: Array, small: Array, reading: Reading) -> Reading:
        """Return a reading with what lies in the corner added to it."""
        game = self._wanted()
        if game is None:
            return reading
        if self.is_new(small):
            again = self._small is not None and 0 < len(self._looks) < LOOKS
            self._looks = [*(self._looks if again else []), self._look(full, game)]
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

    def _look(self, full: Array, game: AnyGame) -> CornerSeen | None:
        """Return what lies there, None where the sheet is not seen."""
        photos = sorted(file.name for file in (self._folder / sheet_of(game).photos).glob("*~*"))
        read_for = (game.name, *photos)
        if self._reader is None or read_for != self._read_for:
            self._reader, self._read_for = reader_of(self._folder, game), read_for
        pose = self._reader.find(full, self._matrix)
        return None if pose is None else self._reader.read(full, pose)


def _named(seen: CornerSeen) -> tuple[str | None, list[tuple[int | None, str]], bool]:
    return seen.card, [(die.die, die.face) for die in seen.dice], seen.unsure
