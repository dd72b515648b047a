"""What is printed of the wasteland: the tiles of a pack's map, and their backs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.loader import pack_of, pack_text
from companion.cards.wasteland.words import TileBack
from companion.pieces.drawing.raster import PrintedPiece
from companion.pieces.drawing.signs import PrintedWords
from companion.pieces.kinds.map_tiles import TILE, draw_map_back, draw_map_tile

if TYPE_CHECKING:
    from companion.cards.wasteland.types import WastelandPack
    from companion.pieces.drawing.pen import Pen

SHEETS: Final = ("tiles", "backs")


@dataclass(frozen=True, slots=True)
class PrintedMap:
    """The tiles of a pack in a language."""

    pack: WastelandPack
    language: str
    sheets: tuple[str, ...] = SHEETS

    @property
    def title(self) -> str:
        return self.pack.id

    @property
    def words(self) -> PrintedWords:
        return PrintedWords.of(self.language, {})

    def pieces(self, sheet: str) -> tuple[PrintedPiece, ...]:
        """Return every tile once, or as many backs as facedown tiles have."""
        if sheet == "tiles":
            return tuple(
                PrintedPiece(tile.id, "tile", TILE, partial(self._face, number))
                for number, tile in enumerate(self.pack.tiles)
            )
        backs = {back: sum(tile.back is back for tile in self.pack.tiles) for back in TileBack}
        return tuple(
            PrintedPiece(f"back-{back.value}", "tile", TILE, partial(self._back, back), count=count)
            for back, count in backs.items()
            if count
        )

    def _face(self, number: int, pen: Pen) -> None:
        draw_map_tile(pen, self.words, self.pack.tiles[number])

    def _back(self, back: TileBack, pen: Pen) -> None:
        draw_map_back(pen, self.words, back)


def printed(pack: str, language: str, _address: str) -> PrintedMap:
    """Return what is printed of a pack, by its name, folder or file; PackFaults tells all that is wrong with it."""
    return PrintedMap(pack_of(pack_text(pack)), language)
