"""The vault folded at its elevator shaft: each wing a column of rooms, every space with who of this seat may use it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from companion.games.shelter import events as shelter
from companion.games.shelter.turn.paying import ROOMS_OF_A_FULL_LEVEL
from companion.games.shelter.words import COLUMNS, ELEVATOR_COLUMN, OUTWARDS, RESOURCES, SPACE_NAMES
from web.base.words import name_of
from web.games.feed import MINUS
from web.games.shelter import feed
from web.games.shelter.cards import card_name, side_name, vault_state
from web.games.shelter.odds import percent_to_win
from web.games.shelter.seat.placements import Goer, drawn_as, goer, goers, key_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.cards.effects import PrintedIcon
    from companion.games.shelter.state import PlacedState
    from companion.table.session.intents import Offer
    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, Printed, VaultState

WANTS: Final = ("water", "food", "energy", "happiness", "item", "dweller", "train")
"""What a player can ask the vault for; what brings none of it is dimmed."""


@dataclass(frozen=True, slots=True)
class StandingFigure:
    colour: str
    pose: str
    letter: str


@dataclass(slots=True)
class VaultSpace:
    """One space to tap: what is printed, who stands there, and which dwellers of this seat may go."""

    place: str
    printed: Printed
    label: str
    """All of it in words."""
    goers: list[str]
    doubled: list[str]
    """The goers whose reward doubles."""
    gives: list[str]
    """What of `WANTS` it brings."""
    percent: int | None
    """The chance to win its fight as it is, where odds are shown."""
    figures: list[StandingFigure]
    order: list[str]
    """All goers of the page, as it lists them."""
    brought: list[tuple[str, str]] = field(default_factory=list)
    """What the seat's newest placement brought, where this is its space."""

    @property
    def classes(self) -> list[str]:
        """How it may look, and which choice of the page lights or dims it: dwellers and wants by their numbers."""
        threat, crowded = self.printed.is_threat, self.printed.linked or bool(self.printed.cost)
        looks = {"th": threat, "low": threat or crowded, "tk": bool(self.figures), "new": bool(self.brought)}
        return [
            *(name for name, fits in looks.items() if fits),
            *(f"g{self.order.index(key) + 1}" for key in self.goers),
            *(f"x{self.order.index(key) + 1}" for key in self.doubled),
            *(f"w{WANTS.index(want) + 1}" for want in self.gives),
        ]

    @property
    def key(self) -> str:
        return f"s-{self.place.replace(':', '-')}"


@dataclass(frozen=True, slots=True)
class FoldedRoom:
    """A room in its wing; the row counts from the elevator."""

    key: str
    column: str
    name: str
    row: int
    spaces: list[VaultSpace]


@dataclass(frozen=True, slots=True)
class FoldedLevel:
    number: str
    owner: str
    owner_name: str
    rows: int
    elevator: VaultSpace
    wings: tuple[list[FoldedRoom], list[FoldedRoom]]
    """The rooms left and right of the elevator, nearest the elevator first."""
    open: bool
    """Whether its rooms are shown; else it is one line."""
    lit: bool
    """Whether any dweller of this seat may go anywhere on it."""

    @property
    def sixth(self) -> int | None:
        """The wing in which one more room would end the game (B5)."""
        if not self.owner or sum(map(len, self.wings)) != ROOMS_OF_A_FULL_LEVEL - 1:
            return None
        return min((0, 1), key=lambda side: len(self.wings[side]))

    def plan(self, side: int) -> list[FoldedRoom | None]:
        """Return the places for rooms of a wing from left to right, as they lie on the table."""
        rooms = [*self.wings[side], *[None] * (len(OUTWARDS[side]) - len(self.wings[side]))]
        return rooms if side else rooms[::-1]


@dataclass(frozen=True, slots=True)
class FoldedVault:
    levels: list[FoldedLevel]
    playing: bool
    """Whether this seat may place a dweller now."""


def folded(
    words: Words, snapshot: Snapshot, cards: PackCards, colour: str, offers: Sequence[Offer], recent: Sequence[Snapshot]
) -> FoldedVault:
    """Return the vault for a seat with these legal moves; `recent` is what happened in this game."""
    state = vault_state(snapshot.state)
    ways: dict[str, list[Offer]] = {}
    for offer in offers:
        if offer.move["do"] == "place":
            ways.setdefault(offer.move["space"], []).append(offer)
    order = [one.key for one in goers(words, offers)]
    draft = _Draft(words, snapshot, state, cards, colour, ways, newest_gains(state, colour, recent), order)
    return FoldedVault([_level(draft, number) for number in state["levels"]], bool(ways))


@dataclass(frozen=True, slots=True)
class _Draft:
    words: Words
    snapshot: Snapshot
    state: VaultState
    cards: PackCards
    colour: str
    ways: dict[str, list[Offer]]
    brought: dict[str, list[tuple[str, str]]]
    order: list[str]


def _level(draft: _Draft, number: str) -> FoldedLevel:
    level = draft.state["levels"][number]
    owner = level["owner"] or ""
    left, right = (_wing(draft, number, side) for side in OUTWARDS)
    elevator = _space(draft, f"{number}:{COLUMNS[ELEVATOR_COLUMN]}")
    if elevator is None:
        raise AssertionError(number)
    lit = any(space.goers for space in (elevator, *(space for room in (*left, *right) for space in room.spaces)))
    return FoldedLevel(
        number=number,
        owner=owner,
        owner_name=name_of(draft.words, draft.state, owner) if owner else draft.words.text("level_top"),
        rows=max(1, len(left), len(right)),
        elevator=elevator,
        wings=(left, right),
        open=lit or (not draft.ways and bool(left or right)),
        lit=lit,
    )


def _wing(draft: _Draft, level: str, columns: tuple[int, ...]) -> list[FoldedRoom]:
    found: list[FoldedRoom] = []
    for column in (COLUMNS[number] for number in columns):
        room = draft.state["levels"][level]["rooms"].get(column)
        if room is None:
            continue
        places = [f"{level}:{column}{side}" for side in draft.cards.sides_of(draft.state, f"{level}:{column}")]
        spaces = [space for place in places if (space := _space(draft, place)) is not None]
        found.append(FoldedRoom(room, column, card_name(draft.words, draft.cards, room), len(found) + 1, spaces))
    return found


def _space(draft: _Draft, place: str) -> VaultSpace | None:
    printed = draft.cards.at(draft.state, place)
    if printed is None:
        return None
    offers = draft.ways.get(place, [])
    kinds = dict.fromkeys(kind for offer in offers for kind in offer.move.get("dwellers", ()))
    twice = dict.fromkeys(kind for offer in offers if offer.doubled for kind in offer.move.get("dwellers", ()))
    standing = draft.state["placed"].get(place)
    percent = percent_to_win(draft.snapshot, draft.colour, place) if printed.fight and standing is None else None
    return VaultSpace(
        place=place,
        printed=printed,
        label=_label(draft, place, printed, [goer(draft.words, kind) for kind in kinds], [*twice], percent),
        goers=[key_of(kind) for kind in kinds],
        doubled=[key_of(kind) for kind in twice],
        gives=_gives(printed),
        percent=percent,
        figures=_figures(draft.words, standing),
        order=draft.order,
        brought=draft.brought.get(place, []),
    )


def _gives(printed: Printed) -> list[str]:
    names = {icon.name for icon in printed.reward}
    if "any" in names:
        names |= set(RESOURCES)
    return [want for want in WANTS if want in names]


def _figures(words: Words, standing: PlacedState | None) -> list[StandingFigure]:
    if standing is None:
        return []
    return [StandingFigure(standing["by"], *drawn_as(words, dweller)[:2]) for dweller in standing["dwellers"]]


def _label(
    draft: _Draft, place: str, printed: Printed, who: Sequence[Goer], twice: Sequence[str], percent: int | None
) -> str:
    """Return a space in words: where it is, what it costs and gives, who stands there or may go."""
    words = draft.words
    said = [place_title(words, draft.state, draft.cards, place)]
    if printed.is_threat:
        said.append(words.text("threat_on", threat=card_name(words, draft.cards, printed.card)))
    if printed.fight:
        odds = "" if percent is None else f", {words.text('percent', n=percent)}"
        said.append(words.text("fight_n", n=printed.fight) + odds)
    cost = icons_in_words(words, printed.cost)
    said.append(f"{words.text('cost')} {cost}" if cost else words.text("free"))
    said.append(f"{words.text('reward')} {icons_in_words(words, printed.reward)}")
    said += [printed.letter] if printed.letter else []
    said += [words.text("icon_linked")] if printed.linked else []
    said += [words.text("icon_injured_only")] if printed.injured_only else []
    standing = draft.state["placed"].get(place)
    if standing is not None:
        said.append(f"{name_of(words, draft.state, standing['by'])}")
    if who:
        doubled = {key_of(kind) for kind in twice}
        names = [f"{one.name} ({words.text('doubled')})" if one.key in doubled else one.name for one in who]
        said.append(words.text("open_to", who=", ".join(names)))
    return ". ".join(said)


def place_title(words: Words, state: VaultState, cards: PackCards, place: str) -> str:
    """Return a space by its room and side: `Garden, left`; an elevator by its level."""
    level, slot = place.split(":")
    room = state["levels"][level]["rooms"].get(slot[:2])
    if room is None:
        return f"{cards.name('elevator', words.language)}, {words.text('level', n=level)}"
    return f"{card_name(words, cards, room)}, {side_name(words, place)}"


def icons_in_words(words: Words, icons: Sequence[PrintedIcon]) -> str:
    """Return printed icons as a list in words."""
    told = []
    for icon in icons:
        letter = f" {icon.letter}" if len(icon.letter) == 1 else ""
        amount = f"{icon.amount} " if icon.amount > 1 else ""
        told.append(f"{amount}{words.text(f'icon_{icon.name}')}{letter}")
    return ", ".join(told)


def newest_gains(state: VaultState, colour: str, recent: Sequence[Snapshot]) -> dict[str, list[tuple[str, str]]]:
    """Return the space of a player's newest placement, with what it cost and brought so far; income is another's."""
    place, total, counting, income = "", dict[str, int](), False, False
    for snapshot in recent:
        for event in snapshot.events:
            own = snapshot.by(event) == colour
            if isinstance(event, shelter.DwellersPlaced):
                place, total = (SPACE_NAMES[event.space], {}) if own else (place, total)
                counting = own
            elif own and counting and isinstance(event, shelter.Event):
                effect = None if income else feed.effect(event)
                if effect is not None:
                    total[effect[0]] = total.get(effect[0], 0) + int(effect[1].replace(MINUS, "-"))
                income = isinstance(event, shelter.IncomeTaken)
    standing = state["placed"].get(place)
    if standing is None or standing["by"] != colour:
        return {}
    return {place: [(name, f"+{n}" if n > 0 else f"{MINUS}{-n}") for name, n in total.items() if n]}
