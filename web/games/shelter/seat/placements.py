"""Legal placements: which dwellers may go, where to, and what each way costs, brings and wastes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypedDict

from companion.games.shelter.words import RESOURCES, TRACK_LENGTH
from web.base.words import name_of
from web.games.shelter.cards import card_name, room_name, side_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.cards.effects import IconJson, PrintedIcon
    from companion.games.json_types import MoveJson
    from companion.games.shelter.state import ShelterPlayer
    from companion.table.session.intents import Offer
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, Printed, VaultState


PLAIN: Final = "plain"


@dataclass(frozen=True, slots=True)
class Goer:
    """One kind of dweller that may go, and how many of them there are."""

    key: str
    pose: str
    letter: str
    name: str
    count: int = 1


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


def goers(words: Words, offers: Sequence[Offer], available: Sequence[str] = ()) -> list[Goer]:
    """Return the kinds of dwellers among the legal placements, the plain ones first."""
    kinds = dict.fromkeys(kind for offer in offers for kind in offer.move.get("dwellers", ()))
    return [goer(words, kind, available) for kind in sorted(kinds, key=lambda kind: kind != PLAIN)]


def goer(words: Words, kind: str, available: Sequence[str] = ()) -> Goer:
    pose, letter, name = drawn_as(words, kind)
    short = words.text(f"letter_{letter}") if kind == letter else name
    return Goer(key_of(kind), pose, letter, short, max(1, available.count(kind)))


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
        goers=tuple(dict.fromkeys(key_of(kind) for kind in kinds)),
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


def key_of(kind: str) -> str:
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
