"""The head of a page, whichever game is being played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from web.presenting import status
from web.presenting.wasteland import head as wasteland

if TYPE_CHECKING:
    from web.presenting.status import Head
    from web.presenting.words import Words


def head(words: Words, state: dict[str, Any]) -> Head:
    """The head of a state."""
    return wasteland.head(words, state) if state["game"] == "wasteland" else status.head(words, state)
