"""Render pieces as pictures, from the very drawing of the sheets."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Final

import pypdfium2
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.pieces.drawing.pen import Pen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy import uint8
    from numpy.typing import NDArray


PIXELS_PER_MM: Final = 8
"""A cell of a mat's tag is then 32 pixels wide, and one of a card's tag 18: edges lie between pixels."""
COLOURS: Final = 64
"""A card has a tint, some inks and their edges: more are not told apart."""
DOTS_PER_INCH: Final = PIXELS_PER_MM * 25.4
_pdfium = threading.Lock()
"""The renderer is one for the whole process, and takes one call at a time."""
A_LITTLE_LESS: Final = 1 - 1e-6
"""Sizes are rounded up to whole pixels: 5920.0001 would be 5921, and every edge between two of them."""


def render(pieces: Sequence[PrintedPiece], pixels_per_mm: float = PIXELS_PER_MM) -> Iterator[NDArray[uint8]]:
    """Yield a picture (height, width, BGR) of each piece."""
    with _pdfium:
        document = pypdfium2.PdfDocument(_one_a_page(pieces))
    try:
        for index in range(len(pieces)):
            with _pdfium:
                page = document[index]
                bitmap = page.render(scale=pixels_per_mm / mm * A_LITTLE_LESS)
                picture = bitmap.to_numpy().copy()
                bitmap.close()
                page.close()
            yield picture
    finally:
        with _pdfium:
            document.close()


def png_of(piece: PrintedPiece, pixels_per_mm: float) -> bytes:
    """Return the picture of one piece as a small PNG file, for a page."""
    from PIL import Image  # noqa: PLC0415 - only who writes files needs it

    (picture,) = render([piece], pixels_per_mm)
    out = BytesIO()
    Image.fromarray(picture[:, :, ::-1]).quantize(COLOURS).save(out, "PNG")
    return out.getvalue()


def _one_a_page(pieces: Sequence[PrintedPiece]) -> bytes:
    out = BytesIO()
    canvas = Canvas(out, pageCompression=0, invariant=1)
    for piece in pieces:
        canvas.setPageSize((piece.size[0] * mm, piece.size[1] * mm))
        piece.draw(Pen(canvas))
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def write_pictures(pieces: Sequence[PrintedPiece], folder: Path) -> None:
    """Write one PNG a piece, and `manifest.json` with what each is and its size in mm."""
    from PIL import Image  # noqa: PLC0415 - only who writes files needs it

    folder.mkdir(parents=True, exist_ok=True)
    backs = {piece.back.id: piece.back for piece in pieces if piece.back is not None}
    every = [*pieces, *backs.values()]
    for piece, picture in zip(every, render(every), strict=True):
        rgb = Image.fromarray(picture[:, :, ::-1])
        rgb.save(folder / piece.file, dpi=(DOTS_PER_INCH, DOTS_PER_INCH), compress_level=4)
    manifest = [_entry(piece) for piece in every]
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def _entry(piece: PrintedPiece) -> dict[str, object]:
    size = [round(side, 2) for side in piece.size]
    entry: dict[str, object] = {"id": piece.id, "kind": piece.kind, "file": piece.file, "mm": size}
    if piece.tag is not None:
        entry["tag"] = piece.tag
    if piece.count > 1:
        entry["count"] = piece.count
    if piece.back is not None:
        entry["back"] = piece.back.file
    return entry


@dataclass(frozen=True, slots=True)
class PrintedPiece:
    """One piece; `draw` is given a pen whose origin is the piece's lower left corner."""

    id: str
    kind: str
    size: tuple[float, float]
    draw: Callable[[Pen], None] = field(repr=False)
    tag: int | None = None
    """The tag printed on it, if any."""
    copy: int = 1
    """Which of several with the same id: cards' copies share one."""
    count: int = 1
    """How many alike the box has."""
    back: PrintedPiece | None = None
    """What is printed on the other side, where every card of a deck has to look alike."""

    @property
    def file(self) -> str:
        return f"{self.id}.png" if self.copy == 1 else f"{self.id}.{self.copy}.png"


def drawn(draw: Callable[..., None], *given: object) -> Callable[[Pen], None]:
    """Return a drawing whose pen is all that is still to be given."""
    return lambda pen: draw(pen, *given)
