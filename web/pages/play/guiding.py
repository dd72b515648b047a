"""The first game: what the step that has come means, and what one's own board suggests. Two texts at most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.session.intents import Offer
    from web.base.words import Words

MOST: Final = 2


def guide(words: Words, state: dict[str, Any], colour: str, offers: Sequence[Offer]) -> list[str]:
    """The texts for one seat now."""
    asked = [choice["kind"] for choice in state["pending"] if choice["by"] == colour]
    if asked:
        key = f"guide_ask_{asked[0].replace('-', '_')}"
        return [words.text(key if words.has(key) else "guide_ask_other")]
    if state["phase"] == "place":
        keys = _placing(state, colour, offers)
    else:
        keys = [f"guide_{state['phase'] if state['phase'] != 'setup' else 'none'}"]
    return [words.text(key) for key in keys[:MOST]]


def _placing(state: dict[str, Any], colour: str, offers: Sequence[Offer]) -> list[str]:
    player = state["players"][colour]
    if state["turn"] != colour:
        done = player["passed"] or not player["available"]
        return ["guide_passed" if done else "guide_wait"]
    level = str(player["level"])
    tips = {
        "guide_build_now": any(offer.move.get("space") == f"{level}:E" for offer in offers),
        "guide_trained": any(dweller.isupper() for dweller in player["available"]),
        "guide_injured": any(dweller.startswith("injured") for dweller in player["available"]),
        "guide_threats": any(space.startswith(f"{level}:") for space in state["threats"]),
        "guide_start": state["round"] == 1,
    }
    return ["guide_turn", *(key for key, fits in tips.items() if fits)]
