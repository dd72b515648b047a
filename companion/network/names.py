"""Names as a network takes them."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

LONGEST_LABEL: Final = 63


def label(name: str) -> str:
    """A name as it can stand before `.local`: letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_LABEL].rstrip("-") or "table"
