"""The cards in play, as pages want to know them: names of cards, rooms and sides, and what is printed on a space."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from companion.cards.effects import PrintedIcon, Space, icons_of
from companion.cards.item_effects import sentence_of
from companion.cards.loader import builtin
from companion.games.shelter.state import ShelterState
from companion.languages.catalogues import DEFAULT
from companion.table.session.state_view import TableState

if TYPE_CHECKING:
    from companion.cards.loader import PackText
    from companion.cards.pack import ItemCard, Pack, RoomCard, ThreatCard
    from companion.games.json_types import State
    from web.base.context import Context
    from web.base.words import Words


def sentence(words: Words, cards: PackCards, item: str) -> str:
    """Return the effect of an item, and what becomes of the card."""
    card = cards.items.get(item)
    return words.text("item_unknown") if card is None else sentence_of(card.effect, words.text)


def rooms_of(state: VaultState, level: str) -> dict[str, str]:
    """Return the rooms of a level by their columns; none of a level that is not there."""
    found = state["levels"].get(level)
    return found["rooms"] if found else {}


def room_name(words: Words, state: VaultState, cards: PackCards, space: str) -> str:
    """Return the room (or elevator) that a space belongs to."""
    level, slot = space.split(":")
    room = rooms_of(state, level).get(slot[:2])
    return cards.name("elevator" if slot == "E" or room is None else room, words.language)


def space_name(words: Words, state: VaultState, cards: PackCards, space: str) -> str:
    """Return what one says of a space: the threat on it, else the room."""
    threat = state["threats"].get(space)
    if threat is not None:
        return card_name(words, cards, threat)
    return room_name(words, state, cards, space)


def card_name(words: Words, cards: PackCards, card: str) -> str:
    """Return a card's name; one that nobody has told is unknown."""
    return words.text("card_unknown") if card == "unknown" else cards.name(card, words.language)


def side_name(words: Words, space: str) -> str:
    """Return left or right; nothing for an elevator."""
    return "" if space.endswith("E") else words.text("side_left" if space.endswith("a") else "side_right")


class VaultState(ShelterState, TableState):
    """The state of a snapshot: what the rules say, and what the table adds."""


def vault_state(state: State) -> VaultState:
    """Return the state of a snapshot of this game, or of the time before the first one, as what it is."""
    return cast("VaultState", state)


UNKNOWN = "unknown"
SIDES = {"a": "left", "b": "right", "E": ""}


@dataclass(frozen=True, slots=True)
class Printed:
    card: str
    cost: tuple[PrintedIcon, ...] = ()
    reward: tuple[PrintedIcon, ...] = ()
    letter: str = ""
    fight: int = 0
    linked: bool = False
    injured_only: bool = False
    is_threat: bool = False


class PackCards:
    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.rooms: dict[str, RoomCard] = {card.id: card for card in (*pack.top_level, *pack.rooms)}
        self.threats: dict[str, ThreatCard] = {card.id: card for card in pack.threats}
        self.items: dict[str, ItemCard] = {card.id: card for card in pack.items}
        self.columns = pack.columns

    def __contains__(self, card: str) -> bool:
        return card in self.rooms or card in self.threats or card in self.items

    def name(self, card: str, language: str) -> str:
        """Return a card's name; an id that the pack does not have stands for itself."""
        names = self.pack.names
        return names.get(language, {}).get(card) or names.get(DEFAULT, {}).get(card, card)

    def price(self, room: str) -> tuple[PrintedIcon, ...]:
        card = self.rooms.get(room)
        return icons_of(card.build_cost or ()) if card else ()

    def room_sides(self, room: str) -> dict[str, Printed]:
        """Return the spaces of a room card by their side, `a` or `b`; a room may have one space (V2)."""
        card = self.rooms.get(room)
        sides = zip("ab", card.spaces, strict=True) if card else ()
        return {side: _printed(room, space) for side, space in sides if space is not None}

    def room_spaces(self, room: str) -> tuple[Printed, ...]:
        return tuple(self.room_sides(room).values())

    def sides_of(self, state: VaultState, room: str) -> list[str]:
        """Return the sides of a room of the vault (`2:R1`) where it has a space; both of a card that is not known."""
        level, column = room.split(":")
        card = rooms_of(state, level).get(column)
        return [] if card is None else list(self.room_sides(card) if card in self.rooms else "ab")

    def threat(self, threat: str) -> Printed:
        card = self.threats.get(threat)
        return _printed(threat, card.space if card else Space(), is_threat=True)

    def elevator(self, owner: str | None) -> Printed:
        """Return what a player's elevator shows, or that of the top level."""
        return _printed("elevator", self.pack.elevator_of(owner))

    def spaces(self, card: str) -> tuple[Printed, ...]:
        """Return what a card of any kind shows; nothing of an item."""
        return (self.threat(card),) if card in self.threats else self.room_spaces(card)

    def at(self, state: VaultState, space: str) -> Printed | None:
        """Return what counts on a space of the vault: the threat that covers it, else what the room shows."""
        threat = state["threats"].get(space)
        if threat is not None:
            return self.threat(threat)
        level, slot = space.split(":")
        if level not in state["levels"]:
            return None
        if slot == "E":
            return self.elevator(state["levels"][level]["owner"])
        return self.room_sides(state["levels"][level]["rooms"].get(slot[:2], "")).get(slot[2:])


def _printed(card: str, space: Space, *, is_threat: bool = False) -> Printed:
    return Printed(
        card=card,
        cost=icons_of(space.cost),
        reward=icons_of(space.reward),
        letter=space.letter.value if space.letter else "",
        fight=space.fight or 0,
        linked=space.linked,
        injured_only=space.injured_only,
        is_threat=is_threat,
    )


@lru_cache(maxsize=8)
def cards_of(text: PackText | None) -> PackCards:
    """Return the cards of a game; those of the standard pack where there is none yet."""
    return PackCards(builtin("standard") if text is None else text.pack())


def cards_in_play(context: Context) -> PackCards:
    """Return the cards in play; those of the standard pack before the first game, and beside another one."""
    text = context.pack()
    return cards_of(text if text is not None and "rooms.toml" in dict(text.files) else None)
