"""What a player has: resources, dwellers, items, and what a first game needs explained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.games.shelter.words import RESOURCES
from web.base.words import name_of
from web.games.shelter.cards import card_name, sentence
from web.games.shelter.seat.placements import Goer, RoomTargets, drawn_as, goers, groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.json_types import MoveJson
    from companion.games.shelter.state import ItemState
    from companion.table.session.intents import Offer
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, VaultState


@dataclass(frozen=True, slots=True)
class HeldItem:
    key: str
    name: str
    text: str
    exhausted: bool
    use: MoveJson | None


@dataclass(frozen=True, slots=True)
class Seat:
    colour: str
    name: str
    happiness: int
    if_ended_now: int
    resources: dict[str, int]
    dwellers: list[tuple[str, str, str]]
    arriving: int
    items: list[HeldItem]
    groups: list[RoomTargets]
    goers: list[Goer]
    can_pass: bool
    passed: bool
    on_turn: bool
    out: int
    """How many dwellers stand in the vault."""


def seat(words: Words, state: VaultState, cards: PackCards, colour: str, offers: Sequence[Offer]) -> Seat:
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
        goers=goers(words, offers, player["available"]),
        can_pass=any(offer.move["do"] == "pass" for offer in offers),
        passed=player["passed"],
        on_turn=state["phase"] == "place" and state["turn"] == colour,
        out=sum(len(one["dwellers"]) for one in state["placed"].values() if one["by"] == colour),
    )


def _held(words: Words, cards: PackCards, item: ItemState, uses: dict[str, MoveJson]) -> HeldItem:
    use = None if item["exhausted"] else uses.get(item["id"])
    name, told = card_name(words, cards, item["id"]), sentence(words, cards, item["id"])
    return HeldItem(item["id"], name, told, item["exhausted"], use)


MOST: Final = 2


def guide(words: Words, state: VaultState, colour: str, offers: Sequence[Offer]) -> list[str]:
    """Return what to explain to one seat now."""
    asked = [choice["kind"] for choice in state["pending"] if choice["by"] == colour]
    if asked:
        key = f"guide_ask_{asked[0].replace('-', '_')}"
        return [words.text(key if words.has(key) else "guide_ask_other")]
    if state["phase"] == "place":
        keys = _placing(state, colour, offers)
    else:
        keys = [f"guide_{state['phase'] if state['phase'] != 'setup' else 'none'}"]
    return [words.text(key) for key in keys[:MOST]]


def _placing(state: VaultState, colour: str, offers: Sequence[Offer]) -> list[str]:
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
