"""What a legal move would cost and bring, as data and as a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.table.session.intents import Offer
    from web.games.shelter.icons import Icon
    from web.pages.cards.view import Cards


def preview(state: dict[str, Any], cards: Cards, offer: Offer, language: str) -> dict[str, Any]:
    """Cost and reward as they are printed, and whether the reward doubles."""
    move = offer.move
    if move["do"] == "place":
        printed = cards.at(state, move["space"])
        if printed is None:
            return _nothing()
        return {
            "card": cards.name(printed.card, language),
            "cost": _told(printed.cost),
            "reward": _told(printed.reward),
            "doubled": offer.doubled,
            "fight": printed.fight or None,
        }
    if move["do"] == "choose" and "@" in move["option"]:
        room = move["option"].partition("@")[0]
        return {**_nothing(), "card": cards.name(room, language), "cost": _told(cards.price(room))}
    return _nothing()


def _nothing() -> dict[str, Any]:
    return {"card": None, "cost": [], "reward": [], "doubled": False, "fight": None}


def _told(icons: tuple[Icon, ...]) -> list[dict[str, Any]]:
    return [icon.as_json() for icon in icons]
