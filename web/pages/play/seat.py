"""A player's own page: resources, dwellers and items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.games.shelter.words import RESOURCES
from web.games.shelter import items
from web.games.shelter.placement_view import Goer, Group, drawn_as, goers, groups
from web.games.shelter.places import card_name
from web.pages.play.people import name_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.session.intents import Offer
    from web.base.words import Words
    from web.pages.cards.view import Cards


@dataclass(frozen=True, slots=True)
class Held:
    """An item in hand."""

    key: str
    name: str
    text: str
    exhausted: bool
    use: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Seat:
    """Everything of one player."""

    colour: str
    name: str
    happiness: int
    if_ended_now: int
    resources: dict[str, int]
    dwellers: list[tuple[str, str, str]]
    arriving: int
    items: list[Held]
    groups: list[Group]
    goers: list[Goer]
    can_pass: bool
    passed: bool
    on_turn: bool


def seat(words: Words, state: dict[str, Any], cards: Cards, colour: str, offers: Sequence[Offer]) -> Seat:
    """The page of a player who sits at the table."""
    player = state["players"][colour]
    uses = {offer.move["item"]: offer.move for offer in offers if offer.move["do"] == "use"}
    return Seat(
        colour=colour,
        name=name_of(words, state, colour),
        happiness=player["happiness"],
        if_ended_now=player["if_ended_now"],
        resources={resource: player["resources"][resource] for resource in RESOURCES},
        dwellers=[drawn_as(words, dweller) for dweller in player["available"]],
        arriving=player["arriving"],
        items=[_held(words, cards, item, uses) for item in player["items"]],
        groups=groups(words, state, cards, offers),
        goers=goers(words, offers),
        can_pass=any(offer.move["do"] == "pass" for offer in offers),
        passed=player["passed"],
        on_turn=state["turn"] == colour,
    )


def _held(words: Words, cards: Cards, item: dict[str, Any], uses: dict[str, dict[str, Any]]) -> Held:
    use = None if item["exhausted"] else uses.get(item["id"])
    name, told = card_name(words, cards, item["id"]), items.sentence(words, cards, item["id"])
    return Held(item["id"], name, told, item["exhausted"], use)
