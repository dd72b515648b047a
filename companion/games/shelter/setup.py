"""Setting up a game (S): levels, players, decks and tracks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.effects import Gain
from companion.cards.together import FEWEST_TOGETHER
from companion.games import fields
from companion.games.shelter import call, position
from companion.games.shelter.board import tracks
from companion.games.shelter.board.vault import Vault
from companion.games.shelter.cards.hand import set_hand
from companion.games.shelter.game import ShelterGame
from companion.games.shelter.together import wasteland
from companion.games.shelter.turn import rewards
from companion.games.shelter.turn.asking import first_turn
from companion.games.shelter.words import (
    COLOUR_NUMBER,
    COLOURS,
    ITEMS,
    NO_CARD,
    NOBODY,
    PILES,
    RESOURCE_NUMBER,
    ROOMS,
    ROOMS_A_LEVEL,
    SPACE_NAMES,
)
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.cards.evenings.house_calls import HouseCall
    from companion.games.chance import Chance
    from companion.games.shelter.cards.box import Box

SETUP: Final = frozenset(
    {
        "players",
        "levels",
        "first",
        "cards",
        "house_rules",
        "decks",
        "discards",
        "names",
        "bots",
        "start",
        "options",
        "together",
        "house_calls",
    }
)
FEWEST, MOST = 2, 4
DWELLERS_AT_THE_START = 2


class Stack:
    """A stacked deck: the named cards on top, or nothing but them."""

    def __init__(self, top: Sequence[str], *, only: bool = False) -> None:
        self.top = top
        self.only = only


class TableSetup:
    """What the players have agreed on before the first move."""

    def __init__(self, players: Sequence[str], levels: Sequence[str] | None = None, first: str | None = None) -> None:
        self.players = list(players)
        self.levels = list(levels if levels is not None else players)
        self.first = first if first is not None else (self.players[0] if self.players else "")
        self.rules = position.HouseRules()
        self.real_decks = False
        self.stacks: dict[str, Stack] = {}
        self.discards: dict[str, list[str]] = {}
        self.together: wasteland.Agreed | None = None
        self.house_calls: tuple[HouseCall, ...] = ()


def new_game(box: Box, table: TableSetup, chance: Chance) -> ShelterGame:
    """Return a game in its first round, ready for the first placement.

    Everybody has an empty tracker and two dwellers (S3); three items and three rooms lie face up (S5).
    """
    seats = _seats(table.players, FEWEST if table.together is None else FEWEST_TOGETHER)
    owners = (NOBODY, *_owners(table.levels, seats))
    game = ShelterGame(box)
    game.rules = table.rules
    game.lay_out(seats, owners, _starting_vault(box, owners))
    game.real_decks = table.real_decks
    game.first = _first(table.first, seats)
    for colour in seats:
        game.plain[colour] = DWELLERS_AT_THE_START
    for pile, name in enumerate(PILES):
        _shuffle(game, chance, pile, table.stacks.get(name), table.discards.get(name, []))
    tracks.deal(game, chance, ITEMS)
    tracks.deal(game, chance, ROOMS)
    if table.together is not None:
        game.together = wasteland.draw_evening(game, chance, table.together)
    if table.house_calls:
        game.call = call.draw_call(game, chance, table.house_calls)
    first_turn(game)
    game.events = []
    if game.rules.even_seats:
        _give_head_starts(game, chance)
    if game.call is not None:
        _give_gifts(game, game.call)
    return game


def _give_head_starts(game: ShelterGame, chance: Chance) -> None:
    """Give each what the pack gives to the seat, in the order of the first turn (S3, by option).

    Of several starts chance draws one.
    """
    starts = game.box.head_starts.get(len(game.seats))
    if starts is None:
        raise Refusal(
            "no_head_start",
            "S3",
            f"The pack {game.box.pack_id} has no head starts for {len(game.seats)} players: begin without even_seats.",
            pack=game.box.pack_id,
            n=len(game.seats),
        )
    drawn = starts[0]
    if len(starts) > 1:
        drawn = starts[chance.shuffle(game.shuffles, list(range(len(starts))))[0]]
        game.shuffles += 1
    place = game.seats.index(game.first)
    for colour, icons in zip((*game.seats[place:], *game.seats[:place]), drawn, strict=True):
        for icon in icons:
            if isinstance(icon, Gain):
                rewards.gain_cubes(game, colour, RESOURCE_NUMBER[icon.resource.value], icon.amount)
            else:
                rewards.gain_happiness(game, colour, icon.amount)


def _give_gifts(game: ShelterGame, drawn: HouseCall) -> None:
    """Give everybody what the house call begins with (W3)."""
    for gift in call.gifts(drawn):
        for colour in game.seats:
            if gift.resource < 0:
                rewards.gain_happiness(game, colour, gift.amount)
            else:
                rewards.gain_cubes(game, colour, gift.resource, gift.amount)


def _seats(players: Sequence[str], fewest: int) -> tuple[int, ...]:
    """Return the seats clockwise: two to four (C1), together one is enough (U1); a colour each."""
    unknown = [name for name in players if name not in COLOUR_NUMBER]
    if unknown or len(set(players)) != len(players) or not fewest <= len(players) <= MOST:
        raise Refusal(
            "bad_players",
            "C1",
            f"{fewest} to {MOST} players, each with a colour of their own out of {', '.join(COLOURS)}.",
            players=[str(name)[:20] for name in players],
        )
    return tuple(COLOUR_NUMBER[name] for name in players)


def _owners(levels: Sequence[str], seats: tuple[int, ...]) -> tuple[int, ...]:
    if sorted(levels) != sorted(COLOURS[colour] for colour in seats):
        raise Refusal(
            "bad_levels", "S2", "Every player has one level below the top one.", levels=[str(n)[:20] for n in levels]
        )
    return tuple(COLOUR_NUMBER[name] for name in levels)


def _first(name: str, seats: tuple[int, ...]) -> int:
    """Return who begins: the table chooses (S6)."""
    colour = COLOUR_NUMBER.get(name, NOBODY)
    if colour not in seats:
        raise Refusal("bad_first", "S6", "The first player is one of the players.", first=str(name)[:20])
    return colour


def _starting_vault(box: Box, owners: tuple[int, ...]) -> Vault:
    """Return the red-backed rooms around the red-backed elevator (S1), and the players' levels, empty (S2)."""
    rooms = [NO_CARD] * (len(owners) * ROOMS_A_LEVEL)
    columns = [column for column in range(ROOMS_A_LEVEL) if column != ROOMS_A_LEVEL // 2]
    for column, kind in zip(columns, box.top_level, strict=False):
        rooms[column] = kind
    vault = Vault(box)
    vault.build_elevators(owners)
    return vault.with_rooms(rooms)


def _shuffle(game: ShelterGame, chance: Chance, pile: int, stack: Stack | None, discards: list[str]) -> None:
    """Shuffle a deck; what was stacked lies on top (S4)."""
    rest = list(game.box.decks[pile])
    top = [_pick(game, pile, rest, name) for name in (stack.top if stack else [])]
    game.discards[pile] = [_pick(game, pile, rest, name) for name in discards]
    under = [] if stack and stack.only else chance.shuffle(game.shuffles, rest)
    game.shuffles += 1
    game.decks[pile] = [*under, *reversed(top)]


def _pick(game: ShelterGame, pile: int, rest: list[int], name: str) -> int:
    """Take a named card out of those that are left of the box (C2)."""
    number = game.box.numbers[pile].get(name)
    if number is None or number not in rest:
        raise Refusal("unknown_card", "C2", f"There is no {name[:60]!r} left among the {PILES[pile]}.", card=name[:60])
    rest.remove(number)
    return number


def table_from_json(setup: dict[str, object]) -> TableSetup:
    """Return what a setup says; the fields of a scenario and of the host page are the same."""
    for key in setup:
        if key not in SETUP:
            raise fields.malformed("setup", key, "one of " + ", ".join(sorted(SETUP)))
    table = TableSetup(_names(setup, "players"), _names(setup, "levels") if "levels" in setup else None)
    if "first" in setup:
        table.first = setup["first"] if isinstance(setup["first"], str) else ""
    options = fields.an_object(setup.get("options", {}), "options")
    table.rules = position.read_house_rules(setup.get("house_rules", options.get("house_rules", {})))
    if setup.get("together") is not None:
        table.together = wasteland.agreed_from_json(setup["together"])
    if setup.get("house_calls") is not None:
        table.house_calls = call.calls_from_json(setup["house_calls"])
    table.real_decks = fields.by_table(setup.get("cards", options.get("cards", "companion")), "cards")
    for pile, named in _piles(setup, "decks").items():
        only = isinstance(named, dict)
        table.stacks[pile] = Stack(_cards(named.get("only") if isinstance(named, dict) else named), only=only)
    for pile, named in _piles(setup, "discards").items():
        table.discards[pile] = _cards(named)
    return table


def _piles(setup: dict[str, object], key: str) -> dict[str, object]:
    piles = setup.get(key, {})
    if not isinstance(piles, dict) or not set(piles) <= set(PILES):
        raise fields.malformed(key, piles, "an object of " + ", ".join(PILES))
    return piles


def _cards(raw: object) -> list[str]:
    if not isinstance(raw, list) or not all(isinstance(name, str) for name in raw):
        raise fields.malformed("decks", raw, "a list of cards")
    return raw


def _names(raw: dict[str, object], key: str) -> list[str]:
    value = raw.get(key)
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise Refusal("malformed", None, f"{key} is not a list of colours", field=key)
    return value


def with_box(game: ShelterGame, box: Box) -> ShelterGame:
    """Return the position with the cards of another box, if they are the same cards and nothing loses its space."""
    if box.names != game.box.names or box.decks != game.box.decks or len(box.top_level) != len(game.box.top_level):
        raise Refusal("other_cards", "C2", "That pack has other cards; a game keeps the cards it began with.")
    changed = game.copy()
    changed.box = box
    vault = Vault(box)
    vault.build_elevators(game.owners)
    vault.open_to, vault.fresh = game.vault.open_to, game.vault.fresh
    changed.vault = vault.with_rooms(game.vault.rooms).with_threats(game.vault.threats)
    for space in (*game.placed, *game.vault.threats):
        if game.vault.room_face(space) is not None and changed.vault.room_face(space) is None:
            name = SPACE_NAMES[space]
            raise Refusal("other_cards", "V2", f"Something lies on {name}, which that pack does not have.", space=name)
    for colour, hand in enumerate(game.hands):
        set_hand(changed, colour, hand.cards)
    return changed
