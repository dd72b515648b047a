"""A player's own page: resources, dwellers, items, where a dweller may go, and what a first game needs explained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypedDict

from companion.games.shelter.words import RESOURCES, TRACK_LENGTH
from web.base.words import name_of
from web.games.shelter.cards import card_name, room_name, sentence, side_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.cards.effects import IconJson, PrintedIcon
    from companion.games.json_types import MoveJson
    from companion.games.shelter.state import ItemState, ShelterPlayer
    from companion.table.session.intents import Offer
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, Printed, VaultState


PLAIN: Final = "plain"


@dataclass(frozen=True, slots=True)
class Goer:
    key: str
    pose: str
    letter: str
    name: str


@dataclass(frozen=True, slots=True)
class PlacementWay:
    """One way to place: with which dwellers, and the move; `note` where the space alone does not say it."""

    label: str
    note: str
    move: MoveJson
    doubled: bool
    goers: tuple[str, ...]
    wasted: tuple[tuple[str, int], ...]


@dataclass(slots=True)
class Target:
    """A space that is open, and who may go there."""

    side: str
    printed: Printed
    threat: str
    ways: list[PlacementWay]


@dataclass(slots=True)
class RoomTargets:
    name: str
    level: int
    owner: str
    owner_name: str
    targets: dict[str, Target]


def drawn_as(words: Words, dweller: str) -> tuple[str, str, str]:
    """Return how a dweller is drawn, its letter, and its name."""
    letter = dweller[-1] if dweller[-1].isupper() else ""
    return "lying" if dweller.startswith("injured") else "standing", letter, dweller_name(words, dweller)


def dweller_name(words: Words, dweller: str) -> str:
    if dweller in (PLAIN, "injured"):
        return words.text(f"dweller_{dweller}")
    if dweller.startswith("injured+"):
        return words.text("dweller_injured_letter", letter=dweller[-1])
    return words.text("dweller_letter", letter=dweller)


def goers(words: Words, offers: Sequence[Offer]) -> list[Goer]:
    """Return the kinds of dwellers among the legal placements, the plain ones first."""
    kinds = dict.fromkeys(kind for offer in offers for kind in offer.move.get("dwellers", ()))
    return [Goer(_key(kind), *drawn_as(words, kind)) for kind in sorted(kinds, key=lambda kind: kind != PLAIN)]


def groups(words: Words, state: VaultState, cards: PackCards, offers: Sequence[Offer]) -> list[RoomTargets]:
    """Return the legal placements by room, top level first."""
    found: dict[str, RoomTargets] = {}
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
            found[room] = RoomTargets(name, int(level), owner, owner_name, {})
        threat = card_name(words, cards, printed.card) if printed.is_threat else ""
        target = Target(side_name(words, move["space"]), printed, threat, [])
        target = found[room].targets.setdefault(move["space"], target)
        target.ways.append(_way(words, state, cards, offer, printed))
    return sorted(found.values(), key=lambda group: group.level)


def _way(words: Words, state: VaultState, cards: PackCards, offer: Offer, printed: Printed) -> PlacementWay:
    kinds = tuple(offer.move.get("dwellers", ()))
    dwellers = " + ".join(dweller_name(words, kind) for kind in kinds)
    worn = [card_name(words, cards, item) for item in offer.move.get("use", ())]
    said = [dwellers] if len(kinds) > 1 else []
    return PlacementWay(
        label=" + ".join([dwellers, *worn]),
        note=" + ".join([*said, *worn]),
        move=offer.move,
        doubled=offer.doubled,
        goers=tuple(dict.fromkeys(_key(kind) for kind in kinds)),
        wasted=_wasted(state["players"].get(offer.move["by"] or ""), printed, times=1 + offer.doubled),
    )


def _wasted(player: ShelterPlayer | None, printed: Printed, times: int) -> tuple[tuple[str, int], ...]:
    """Return the cubes for which there is no room on the tracks (Q1)."""
    if player is None or any(icon.name == "both" for icon in printed.reward):
        return ()
    left = {}
    for name in RESOURCES:
        paid = sum(icon.amount for icon in printed.cost if icon.name == name)
        gained = sum(icon.amount for icon in printed.reward if icon.name == name) * times
        left[name] = max(player["resources"][name] - paid + gained - TRACK_LENGTH, 0) if gained else 0
    return tuple((name, amount) for name, amount in left.items() if amount)


def _key(kind: str) -> str:
    """Return a kind of dweller as a part of an id."""
    return kind.replace("+", "-")


class Preview(TypedDict):
    """What a legal move costs and brings, as it is printed."""

    card: str | None
    cost: list[IconJson]
    reward: list[IconJson]
    doubled: bool
    fight: int | None


def preview(state: VaultState, cards: PackCards, offer: Offer, language: str) -> Preview:
    """Return cost and reward as they are printed, and whether the reward doubles."""
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


def _nothing() -> Preview:
    return {"card": None, "cost": [], "reward": [], "doubled": False, "fight": None}


def _told(icons: tuple[PrintedIcon, ...]) -> list[IconJson]:
    return [icon.as_json() for icon in icons]


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
        goers=goers(words, offers),
        can_pass=any(offer.move["do"] == "pass" for offer in offers),
        passed=player["passed"],
        on_turn=state["turn"] == colour,
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
