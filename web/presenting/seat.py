"""A player's own page: resources, dwellers, items, and where a dweller may go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.games.shelter.words import RESOURCES
from web.presenting import items
from web.presenting.people import name_of
from web.presenting.places import card_name, room_name, side_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.intents import Offer
    from web.presenting.cards import Cards, Printed
    from web.presenting.words import Words


@dataclass(frozen=True, slots=True)
class Way:
    """One way to place: with which dweller, and the move."""

    label: str
    move: dict[str, Any]
    doubled: bool


@dataclass(slots=True)
class Target:
    """A space that is open, and who may go there."""

    side: str
    printed: Printed
    threat: str
    ways: list[Way]


@dataclass(slots=True)
class Group:
    """The open spaces of one room."""

    name: str
    level: int
    owner: str
    owner_name: str
    targets: dict[str, Target]


@dataclass(frozen=True, slots=True)
class Held:
    """An item in hand."""

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
        dwellers=[_dweller(words, dweller) for dweller in player["available"]],
        arriving=player["arriving"],
        items=[_held(words, cards, item, uses) for item in player["items"]],
        groups=groups(words, state, cards, offers),
        can_pass=any(offer.move["do"] == "pass" for offer in offers),
        passed=player["passed"],
        on_turn=state["turn"] == colour,
    )


def _held(words: Words, cards: Cards, item: dict[str, Any], uses: dict[str, dict[str, Any]]) -> Held:
    use = None if item["exhausted"] else uses.get(item["id"])
    return Held(card_name(words, cards, item["id"]), items.sentence(words, cards, item["id"]), item["exhausted"], use)


def _dweller(words: Words, dweller: str) -> tuple[str, str, str]:
    """How a dweller is drawn, its letter, and its name."""
    letter = dweller[-1] if dweller[-1].isupper() else ""
    return "lying" if dweller.startswith("injured") else "standing", letter, dweller_name(words, dweller)


def dweller_name(words: Words, dweller: str) -> str:
    """A dweller in words."""
    if dweller in ("plain", "injured"):
        return words.text(f"dweller_{dweller}")
    if dweller.startswith("injured+"):
        return words.text("dweller_injured_letter", letter=dweller[-1])
    return words.text("dweller_letter", letter=dweller)


def groups(words: Words, state: dict[str, Any], cards: Cards, offers: Sequence[Offer]) -> list[Group]:
    """The legal placements by room, top level first."""
    found: dict[str, Group] = {}
    for offer in offers:
        move = offer.move
        printed = cards.at(state, move["space"]) if move["do"] == "place" else None
        if printed is None:
            continue
        level, slot = move["space"].split(":")
        room = f"{level}:{slot[:2]}"
        if room not in found:
            owner = state["levels"][level]["owner"] or ""
            owner_name = name_of(words, state, owner) if owner else ""
            name = room_name(words, state, cards, move["space"])
            found[room] = Group(name, int(level), owner, owner_name, {})
        threat = card_name(words, cards, printed.card) if printed.is_threat else ""
        target = Target(side_name(words, move["space"]), printed, threat, [])
        target = found[room].targets.setdefault(move["space"], target)
        target.ways.append(Way(_way(words, cards, move), move, offer.doubled))
    return sorted(found.values(), key=lambda group: group.level)


def _way(words: Words, cards: Cards, move: dict[str, Any]) -> str:
    dwellers = " + ".join(dweller_name(words, dweller) for dweller in move.get("dwellers", ()))
    worn = [card_name(words, cards, item) for item in move.get("use", ())]
    return " + ".join([dwellers, *worn])
