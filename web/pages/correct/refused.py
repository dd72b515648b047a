"""What a correction cannot be, in the reader's words: by the clause that stands in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from web.base.refusals import plain

if TYPE_CHECKING:
    from companion.refusal import Refusal
    from web.base.words import Words
    from web.pages.cards.view import Cards


def why(words: Words, state: dict[str, Any], cards: Cards, refusal: Refusal) -> str:
    """One sentence."""
    for key in (f"cannot_{refusal.code}", f"cannot_{refusal.clause}"):
        if words.has(key):
            return words.text(key)
    return plain(words, state, cards, refusal)
