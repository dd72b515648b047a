"""What a camera tells of the marked corner: which card was drawn from a real deck, and what thrown dice show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.api import CornerAnswer
from companion.games.wasteland.panel import answer_of

if TYPE_CHECKING:
    from companion.games.api import CornerFace
    from companion.games.wasteland.state_types import WastelandChoice, WastelandState

KINDS: Final = ("drawn", "die")


def asked(state: WastelandState) -> WastelandChoice | None:
    """Return the first open choice, where a card or a die answers it."""
    choice = state["pending"][0] if state["pending"] else None
    return choice if choice is not None and choice["kind"] in KINDS else None


def answer(state: WastelandState, card: str | None, dice: tuple[CornerFace, ...]) -> CornerAnswer | None:
    """Return what the card, or a die that may be the one that is asked, answers; the leftmost of several."""
    choice = asked(state)
    if choice is None:
        return None
    if choice["kind"] == "drawn":
        return CornerAnswer(answer_of(choice, card)) if card in choice["options"] and card is not None else None
    wanted = choice["about"]["die"] - 1
    fitting = [one for one in dice if one.face in choice["options"] and one.die in (wanted, None)]
    best = next((one for one in fitting if one.die is not None), fitting[0] if fitting else None)
    return None if best is None else CornerAnswer(answer_of(choice, best.face), best)
