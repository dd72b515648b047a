"""Where a dweller may go: the legal placements by room, with what each costs, brings, and would waste."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.games.shelter.words import RESOURCES, TRACK_LENGTH
from web.base.words import name_of
from web.games.shelter.icons import card_name, room_name, side_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.session.intents import Offer
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, Printed
    from web.games.shelter.icons import PrintedIcon


PLAIN: Final = "plain"


@dataclass(frozen=True, slots=True)
class Goer:
    """A kind of dweller that can go somewhere."""

    key: str
    pose: str
    letter: str
    name: str


@dataclass(frozen=True, slots=True)
class PlacementWay:
    """One way to place: with which dwellers, and the move; `note` where the space alone does not say it."""

    label: str
    note: str
    move: dict[str, Any]
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
    """The open spaces of one room."""

    name: str
    level: int
    owner: str
    owner_name: str
    targets: dict[str, Target]


def drawn_as(words: Words, dweller: str) -> tuple[str, str, str]:
    """How a dweller is drawn, its letter, and its name."""
    letter = dweller[-1] if dweller[-1].isupper() else ""
    return "lying" if dweller.startswith("injured") else "standing", letter, dweller_name(words, dweller)


def dweller_name(words: Words, dweller: str) -> str:
    """A dweller in words."""
    if dweller in (PLAIN, "injured"):
        return words.text(f"dweller_{dweller}")
    if dweller.startswith("injured+"):
        return words.text("dweller_injured_letter", letter=dweller[-1])
    return words.text("dweller_letter", letter=dweller)


def goers(words: Words, offers: Sequence[Offer]) -> list[Goer]:
    """The kinds of dwellers among the legal placements, the plain ones first."""
    kinds = dict.fromkeys(kind for offer in offers for kind in offer.move.get("dwellers", ()))
    return [Goer(_key(kind), *drawn_as(words, kind)) for kind in sorted(kinds, key=lambda kind: kind != PLAIN)]


def groups(words: Words, state: dict[str, Any], cards: PackCards, offers: Sequence[Offer]) -> list[RoomTargets]:
    """The legal placements by room, top level first."""
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


def _way(words: Words, state: dict[str, Any], cards: PackCards, offer: Offer, printed: Printed) -> PlacementWay:
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
        wasted=_wasted(state["players"].get(offer.move["by"]), printed, times=1 + offer.doubled),
    )


def _wasted(player: dict[str, Any] | None, printed: Printed, times: int) -> tuple[tuple[str, int], ...]:
    """The cubes for which there is no room on the tracks (Q1)."""
    if player is None or "resources" not in player or any(icon.name == "both" for icon in printed.reward):
        return ()
    left = {}
    for name in RESOURCES:
        paid = sum(icon.amount for icon in printed.cost if icon.name == name)
        gained = sum(icon.amount for icon in printed.reward if icon.name == name) * times
        left[name] = max(player["resources"][name] - paid + gained - TRACK_LENGTH, 0) if gained else 0
    return tuple((name, amount) for name, amount in left.items() if amount)


def _key(kind: str) -> str:
    """A kind of dweller as a part of an id."""
    return kind.replace("+", "-")


def preview(state: dict[str, Any], cards: PackCards, offer: Offer, language: str) -> dict[str, Any]:
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


def _told(icons: tuple[PrintedIcon, ...]) -> list[dict[str, Any]]:
    return [icon.as_json() for icon in icons]
