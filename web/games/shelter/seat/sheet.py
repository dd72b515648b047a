"""The sheet of one space: what a dweller costs and brings there, what is wasted, the odds, who earns income."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.games.shelter.cards.hand import USE
from companion.games.shelter.turn.rewards import earns_income
from companion.games.shelter.words import COLOUR_NUMBER, COLOURS, NOBODY, RESOURCES, SPACE_NUMBER, TRACK_LENGTH
from companion.refusal import Refusal
from companion.table.bots.turns import game_of
from web.base.words import name_of, plain, rule_of
from web.games.shelter.cards import card_name, sentence, vault_state
from web.games.shelter.odds import fight_before
from web.games.shelter.seat.folded_vault import place_title
from web.games.shelter.seat.placements import Goer, goer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.json_types import MoveJson
    from companion.table.session.intents import Offer
    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, Printed
    from web.games.shelter.odds import FightBefore

TWICE: Final = 2


@dataclass(frozen=True, slots=True)
class SheetWay:
    """One way to place there: these dwellers, with these items."""

    goers: list[Goer]
    name: str
    worn: list[tuple[str, str]]
    """Name and sentence of each item that makes the dweller count as trained."""
    doubled: bool
    move: MoveJson


@dataclass(frozen=True, slots=True)
class TrackForecast:
    """What one track holds after the placement: what stays, what is paid, what comes, and what is lost (Q1)."""

    name: str
    stays: int
    paid: int
    comes: int
    lost: int
    free: int


@dataclass(frozen=True, slots=True)
class FightSwitch:
    """An item that may be used before the roll, as a switch on the sheet; the move uses it once the fight waits."""

    name: str
    bonus: int
    percent: int
    move: MoveJson


@dataclass(frozen=True, slots=True)
class PlaceSheet:
    place: str
    title: str
    level: str
    owner: str
    owner_name: str
    threat: str
    printed: Printed
    ways: list[SheetWay]
    chosen: int
    tracks: list[TrackForecast]
    income: str
    """Who may take an income: a colour, or nobody."""
    income_name: str
    fight: FightBefore | None
    helpers: list[FightSwitch]
    why_not: str
    """Why nobody of this seat may go there now."""
    rule: str
    """What the rules are looked up by for that."""

    @property
    def way(self) -> SheetWay | None:
        return self.ways[self.chosen] if self.ways else None


class SheetAsked(NamedTuple):
    """Which sheet is asked for: the seat, the space, the number of the way to place, the kind of dweller chosen."""

    colour: str
    place: str
    way: str = ""
    goer: str = ""


def sheet(
    words: Words, snapshot: Snapshot, cards: PackCards, offers: Sequence[Offer], asked: SheetAsked
) -> PlaceSheet | None:
    """Return the sheet of a space for a seat; None of a space that is not there."""
    colour, place = asked.colour, asked.place
    state = vault_state(snapshot.state)
    printed = cards.at(state, place) if place in SPACE_NUMBER else None
    if printed is None:
        return None
    ways = [_way(words, cards, offer) for offer in offers if offer.move.get("space") == place]
    ways.sort(key=lambda way: len(way.worn))
    chosen = _chosen(ways, asked.way, asked.goer)
    level, _, _ = place.partition(":")
    owner = state["levels"][level]["owner"] or ""
    earner = _income(snapshot, colour, place)
    fight = fight_before(words, snapshot, cards, colour, place) if ways and printed.fight else None
    refused = None if ways else _refused(snapshot, colour, place)
    return PlaceSheet(
        place=place,
        title=place_title(words, state, cards, place),
        level=level,
        owner=owner,
        owner_name=name_of(words, state, owner) if owner else "",
        threat=card_name(words, cards, printed.card) if printed.is_threat else "",
        printed=printed,
        ways=ways,
        chosen=chosen,
        tracks=_tracks(state["players"][colour]["resources"], printed, ways[chosen]) if ways else [],
        income=earner,
        income_name=name_of(words, state, earner) if earner else "",
        fight=fight,
        helpers=[
            FightSwitch(one.name, one.bonus, one.percent, {"do": "choose", "by": colour, "option": USE + one.item})
            for one in (fight.weapons if fight else ())
        ],
        why_not=plain(words, state, refused) if refused else "",
        rule=rule_of(refused) if refused else "",
    )


def _way(words: Words, cards: PackCards, offer: Offer) -> SheetWay:
    kinds = offer.move.get("dwellers", ())
    worn = [(card_name(words, cards, item), sentence(words, cards, item)) for item in offer.move.get("use", ())]
    who = [goer(words, kind) for kind in kinds]
    return SheetWay(
        goers=who,
        name=" + ".join([*(one.name for one in who), *(name for name, _ in worn)]),
        worn=worn,
        doubled=offer.doubled,
        move=offer.move,
    )


def _chosen(ways: Sequence[SheetWay], number: str, kind: str) -> int:
    """Return the way that was asked for, else the first for the dweller that was chosen, else the first."""
    if number.isascii() and number.isdigit() and int(number) < len(ways):
        return int(number)
    fits = (place for place, way in enumerate(ways) if kind in [one.key for one in way.goers])
    return next(fits, 0)


def _tracks(held: dict[str, int], printed: Printed, way: SheetWay) -> list[TrackForecast]:
    """Return the tracks that the placement changes for certain; a choice may change others."""
    found = []
    times = TWICE if way.doubled else 1
    trades = any(icon.name == "both" for icon in printed.reward)
    for name in RESOURCES:
        paid = sum(icon.amount for icon in printed.cost if icon.name == name)
        gained = 0 if trades else times * sum(icon.amount for icon in printed.reward if icon.name == name)
        stays = max(held[name] - paid, 0)
        comes = min(gained, TRACK_LENGTH - stays)
        if paid or gained:
            free = TRACK_LENGTH - stays - comes
            found.append(TrackForecast(name, stays, paid, comes, gained - comes, free))
    return found


def _income(snapshot: Snapshot, colour: str, place: str) -> str:
    game = game_of(snapshot)
    owner = NOBODY if game is None else earns_income(game, COLOUR_NUMBER[colour], SPACE_NUMBER[place])
    return "" if owner == NOBODY else COLOURS[owner]


def _refused(snapshot: Snapshot, colour: str, place: str) -> Refusal | None:
    """Return how the rules refuse a placement there, by trying one."""
    if snapshot.position is None:
        return None
    try:
        snapshot.position.after({"do": "place", "by": colour, "space": place})
    except Refusal as refusal:
        return refusal
    return None
