"""Refusals in the reader's words: what a correction cannot be, by the clause that stands in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.refusal import Refusal
    from web.presenting.words import Words


def why(words: Words, refusal: Refusal) -> str:
    """One sentence; what has no words of its own says so with the clause and what the rules say."""
    for key in (f"cannot_{refusal.code}", f"cannot_{refusal.clause}"):
        if words.has(key):
            return words.text(key)
    return words.text("cannot_be", clause=refusal.clause or "?", why=refusal.message)
