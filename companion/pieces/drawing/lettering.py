"""The letters of the sheets: free ones that know Polish and Russian and come with the companion."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont

PLAIN: Final = "DejaVuSansCondensed"
BOLD: Final = "DejaVuSansCondensed-Bold"


@cache
def register() -> None:
    """Make them known; once is enough."""
    for name in (PLAIN, BOLD):
        with resources.as_file(resources.files("companion.pieces") / "fonts" / f"{name}.ttf") as path:
            registerFont(TTFont(name, str(path)))
