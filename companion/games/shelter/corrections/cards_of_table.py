"""Corrections of cards: where they lie may change, how many there are may not.

A card that is set comes from the deck, else from the discards, else from the track, whose gap refills. A card that it
replaces goes where it came from: the two were taken for each other. A card that is only taken away is discarded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games import fields
from companion.games.fields import flag, malformed
from companion.games.shelter.board import tracks
from companion.games.shelter.cards.hand import set_hand
from companion.games.shelter.turn.asking import ask
from companion.games.shelter.words import (
    COLOUR_NUMBER,
    COLOURS,
    COLUMNS,
    ELEVATOR_COLUMN,
    ELEVATOR_SLOT,
    ITEMS,
    NO_CARD,
    NOBODY,
    OUTWARDS,
    PILE_CLAUSES,
    PILES,
    ROOM_OF,
    ROOMS,
    ROOMS_A_LEVEL,
    SPACE_NUMBER,
    SPACES_A_LEVEL,
    THREATS,
    TRACK_SIZE,
    UNKNOWN,
)
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.position import ShelterPosition


def mapping(raw: dict[str, object], key: str) -> dict[str, object]:
    """Return an object, empty where the key is missing."""
    return fields.an_object(raw.get(key, {}), key)


def colour_of(game: ShelterPosition, raw: object, field: str) -> int:
    """Return the number of a colour that plays."""
    colour = COLOUR_NUMBER.get(raw, -1) if isinstance(raw, str) else -1
    if colour not in game.seats:
        raise Refusal("not_playing", "C1", f"{field}: {str(raw)[:60]!r} is not playing.", field=field)
    return colour


def space_of(name: str, field: str) -> int:
    if name not in SPACE_NUMBER:
        raise Refusal("no_such_space", "P1", f"There is no space {name[:60]!r} in the vault.", field=field)
    return SPACE_NUMBER[name]


def names(raw: object, field: str) -> list[str]:
    if not isinstance(raw, list) or not all(isinstance(name, str) for name in raw):
        raise malformed(field, raw, "a list of names")
    return raw


UNKNOWN_NAME: Final = "unknown"
FULL_LEVEL: Final = 6


def apply(game: ShelterPosition, change: dict[str, object], chance: Chance) -> None:
    """Apply all cards that the set names, pile by pile."""
    row = mapping(change, "tracks")
    for name in row:
        if name not in (PILES[ITEMS], PILES[ROOMS]):
            raise malformed("tracks", name, "items or rooms")
    _items(game, change, row, chance)
    _rooms(game, change, row, chance)
    _threats(game, mapping(change, "threats"), chance)
    _refuse_gaps(game)


def number_of(game: ShelterPosition, pile: int, name: object, field: str) -> int:
    """Return a card's number by its id."""
    if name == UNKNOWN_NAME and game.real_decks:
        return UNKNOWN
    number = game.box.number(pile, name) if isinstance(name, str) else None
    if number is None:
        raise Refusal(
            "unknown_card", "C2", f"{field}: there is no card {str(name)[:60]!r} in this pack.", field=field,
            card=str(name)[:60],
        )  # fmt: skip
    return number


def _track(game: ShelterPosition, pile: int, raw: object) -> list[int]:
    field = f"tracks.{PILES[pile]}"
    cards = [number_of(game, pile, name, field) for name in names(raw, field)]
    if len(cards) > TRACK_SIZE:
        raise Refusal("impossible", "S5", f"{field} has at most {TRACK_SIZE} cards.", field=field)
    return cards


# --- the three piles --------------------------------------------------------------------------------------------------


def _items(game: ShelterPosition, change: dict[str, object], row: dict[str, object], chance: Chance) -> None:
    hands: dict[int, tuple[int, ...]] = {}
    for name, board in mapping(change, "players").items():
        entries = mapping({name: board}, name)
        if "items" in entries:
            hands[colour_of(game, name, "players")] = _hand(game, entries["items"], f"players.{name}.items")
    if not hands and PILES[ITEMS] not in row:
        return
    old = [card >> 1 for colour in hands for card in game.hands[colour].cards]
    new = [card >> 1 for hand in hands.values() for card in hand]
    if PILES[ITEMS] in row:
        old += game.tracks[ITEMS]
        game.tracks[ITEMS] = tuple(_track(game, ITEMS, row[PILES[ITEMS]]))
        new += game.tracks[ITEMS]
    _move(game, chance, ITEMS, (old, new), track_is_set=PILES[ITEMS] in row)
    for colour, hand in hands.items():
        set_hand(game, colour, hand)


def _hand(game: ShelterPosition, raw: object, field: str) -> tuple[int, ...]:
    if not isinstance(raw, list):
        raise malformed(field, raw, "a list of items")
    hand = []
    for item in raw:
        entry = {"id": item} if isinstance(item, str) else item
        if not isinstance(entry, dict) or not set(entry) <= {"id", "exhausted"}:
            raise malformed(field, entry, "an item such as {id, exhausted}")
        number = number_of(game, ITEMS, entry.get("id"), field)
        if number == UNKNOWN:
            raise malformed(field, UNKNOWN_NAME, "an item that somebody can name")
        hand.append(2 * number + flag(entry.get("exhausted", False), f"{field}.exhausted"))
    return tuple(hand)


def _threats(game: ShelterPosition, change: dict[str, object], chance: Chance) -> None:
    if not change:
        return
    after = dict(game.vault.threats)
    old, new = [], []
    for name, card in change.items():
        space = space_of(name, "threats")
        if (
            space % SPACES_A_LEVEL == ELEVATOR_SLOT
            or ROOM_OF[space] >= len(game.vault.rooms)
            or (game.vault.room_face(space) is None and card is not None)
        ):
            raise Refusal("impossible", "T3", f"There is no space {name} for a threat to lie on.", space=name)
        if space in after:
            old.append(after.pop(space))
        if card is not None:
            after[space] = number_of(game, THREATS, card, f"threats.{name}")
            new.append(after[space])
    spaces = [space_of(name, "threats") for name in change]
    _forget_questions(game, THREATS, spaces)
    _move(game, chance, THREATS, (old, new), track_is_set=False)
    _ask_again(game, THREATS, [space for space in spaces if after.get(space) == UNKNOWN])
    game.vault = game.vault.with_threats(after)


def _rooms(game: ShelterPosition, change: dict[str, object], row: dict[str, object], chance: Chance) -> None:
    levels = mapping(change, "levels")
    if not levels and PILES[ROOMS] not in row:
        return
    before = game.vault.rooms
    after = _wanted_rooms(game, levels)
    _refuse_odd_top(game, after)
    changed = [index for index in range(ROOMS_A_LEVEL, len(before)) if before[index] != after[index]]
    old = [before[index] for index in changed if before[index] != NO_CARD]
    new = [after[index] for index in changed if after[index] != NO_CARD]
    if any(card < len(game.box.top_level) for card in new):
        raise Refusal("impossible", "S1", "A red-backed room lies on the top level.", field="levels")
    if PILES[ROOMS] in row:
        old += game.tracks[ROOMS]
        game.tracks[ROOMS] = tuple(_track(game, ROOMS, row[PILES[ROOMS]]))
        new += game.tracks[ROOMS]
    _move(game, chance, ROOMS, (old, new), track_is_set=PILES[ROOMS] in row)
    game.vault = game.vault.with_rooms(after)
    if "last_round" not in change and levels and game.together is None:
        game.last_round = game.last_round or any(
            game.vault.rooms_on(level) == FULL_LEVEL for level in range(1, len(game.owners))
        )


def _wanted_rooms(game: ShelterPosition, levels: dict[str, object]) -> list[int]:
    rooms = game.vault.rooms.copy()
    numbers = {str(level + 1): level for level in range(len(game.owners))}
    for name, raw in levels.items():
        if name not in numbers:
            raise Refusal("no_such_level", "V1", f"There is no level {name[:20]!r} in the vault.", field="levels")
        level = numbers[name]
        entry = mapping({name: raw}, name)
        owner = None if game.owners[level] == NOBODY else COLOURS[game.owners[level]]
        if entry.get("owner", owner) != owner or not set(entry) <= {"owner", "rooms"}:
            raise Refusal("fixed", "S2", f"Level {name} has its owner for the whole game.", field=f"levels.{name}")
        for column, card in mapping(entry, "rooms").items():
            if column not in COLUMNS or column == COLUMNS[ELEVATOR_COLUMN]:
                raise Refusal("no_such_room", "V1", f"There is no room at {column[:20]!r}.", field=f"levels.{name}")
            index = level * ROOMS_A_LEVEL + COLUMNS.index(column)
            rooms[index] = NO_CARD if card is None else number_of(game, ROOMS, card, f"levels.{name}.{column}")
            if rooms[index] == UNKNOWN:
                raise malformed(f"levels.{name}.{column}", UNKNOWN_NAME, "a room that somebody can name")
    return rooms


def _refuse_odd_top(game: ShelterPosition, rooms: list[int]) -> None:
    top = [card for card in rooms[:ROOMS_A_LEVEL] if card != NO_CARD]
    lost = len(top) < ROOMS_A_LEVEL - game.vault.rooms[:ROOMS_A_LEVEL].count(NO_CARD)
    if lost or len(set(top)) != len(top) or any(card not in game.box.top_level for card in top):
        raise Refusal("impossible", "S1", "The top level is made of the six red-backed rooms.", field="levels.1")


def _refuse_gaps(game: ShelterPosition) -> None:
    """Refuse rooms that do not fill outwards from the elevator (B3) and threats that lie on no space (T3)."""
    for level in range(1, len(game.owners)):
        for outwards in OUTWARDS:
            row = [game.vault.rooms[level * ROOMS_A_LEVEL + column] != NO_CARD for column in outwards]
            if row != sorted(row, reverse=True):
                raise Refusal(
                    "impossible", "B3", f"A room on level {level + 1} is not beside another.", level=level + 1
                )
    for space in game.vault.threats:
        if game.vault.room_face(space) is None:
            raise Refusal("impossible", "T3", "A threat would lie where there is no space.", field="levels")


# --- conservation -----------------------------------------------------------------------------------------------------


def _forget_questions(game: ShelterPosition, pile: int, places: list[int]) -> None:
    game.pending = [
        choice
        for choice in game.pending
        if not (choice.kind == "drawn" and choice.data == pile and choice.place in places)
    ]


def _ask_again(game: ShelterPosition, pile: int, places: list[int]) -> None:
    """Ask again for cards that are still unknown after the correction."""
    for place in places:
        ask(game, NOBODY, "drawn", PILE_CLAUSES[pile], pile, place)


def _move(
    game: ShelterPosition, chance: Chance, pile: int, cards: tuple[list[int], list[int]], *, track_is_set: bool
) -> None:
    """Replace old cards by new ones; every card stays somewhere."""
    displaced, wanted = cards[0].copy(), []
    for card in cards[1]:
        if card in displaced:
            displaced.remove(card)
        else:
            wanted.append(card)
    unknown = displaced.count(UNKNOWN)
    game.unknown[pile] -= unknown
    displaced = [card for card in displaced if card != UNKNOWN]
    if track_is_set:
        _forget_questions(game, pile, list(range(TRACK_SIZE)))
    for card in wanted:
        if card == UNKNOWN:
            _draw_unknown(game, pile, displaced)
            continue
        _fetch(game, chance, pile, card, displaced, track_is_set=track_is_set)
    game.discards[pile] += displaced
    if track_is_set:
        _ask_again(game, pile, [place for place, card in enumerate(game.tracks[pile]) if card == UNKNOWN])


def _draw_unknown(game: ShelterPosition, pile: int, displaced: list[int]) -> None:
    """Take a card that nobody can name from the deck; the card that it was mistaken for goes there instead."""
    if displaced:
        game.decks[pile].append(displaced.pop(0))
    elif not tracks.left_in_deck(game, pile):
        raise Refusal("impossible", "C2", f"There is no card left in the deck of {PILES[pile]}.", pile=PILES[pile])
    game.unknown[pile] += 1


def _fetch(
    game: ShelterPosition, chance: Chance, pile: int, card: int, displaced: list[int], *, track_is_set: bool
) -> None:
    """Take a card from where it is; the card that it replaces goes there instead."""
    for source in (game.decks[pile], game.discards[pile]):
        if card in source:
            place = len(source) - 1 - source[::-1].index(card)
            if displaced:
                source[place] = displaced.pop(0)
            else:
                source.pop(place)
            return
    if pile != THREATS and not track_is_set and card in game.tracks[pile]:
        place = game.tracks[pile].index(card)
        if displaced:
            tracks.lay(game, pile, place, displaced.pop(0))
        else:
            tracks.refill(game, chance, pile, place)
        return
    name = game.box.names[pile][card]
    raise Refusal("impossible", "C2", f"All cards {name} of the pack already lie somewhere else.", card=name)
