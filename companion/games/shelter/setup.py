"""Setting up a game (S): levels, players, decks and tracks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.shelter.board import tracks
from companion.games.shelter.board.vault import Vault
from companion.games.shelter.game import Game
from companion.games.shelter.house_rules import HouseRules
from companion.games.shelter.turn.asking import first_turn
from companion.games.shelter.words import (
    COLOUR_NUMBER,
    COLOURS,
    ITEMS,
    NO_CARD,
    NOBODY,
    PILES,
    ROOMS,
    ROOMS_A_LEVEL,
    THREATS,
)
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.chance import Chance
    from companion.games.shelter.cards.box import Box

FEWEST, MOST = 2, 4
DWELLERS_AT_THE_START = 2


class Stack:
    """A deck that somebody has stacked: the named cards on top, or nothing but them."""

    def __init__(self, top: Sequence[str], *, only: bool = False) -> None:
        self.top = top
        self.only = only


class Table:
    """What the people at the table have agreed on before the first move."""

    def __init__(self, players: Sequence[str], levels: Sequence[str] | None = None, first: str | None = None) -> None:
        self.players = list(players)
        self.levels = list(levels if levels is not None else players)
        self.first = first if first is not None else (self.players[0] if self.players else "")
        self.rules = HouseRules()
        self.real_decks = False
        self.stacks: dict[str, Stack] = {}
        self.discards: dict[str, list[str]] = {}


def new_game(box: Box, table: Table, chance: Chance) -> Game:
    """A game in its first round, ready for the first placement."""
    seats = _seats(table.players)
    owners = (NOBODY, *_owners(table.levels, seats))
    game = Game(box)
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
    first_turn(game)
    game.events = []
    return game


def _seats(players: Sequence[str]) -> tuple[int, ...]:
    unknown = [name for name in players if name not in COLOUR_NUMBER]
    if unknown or len(set(players)) != len(players) or not FEWEST <= len(players) <= MOST:
        raise Refusal(
            "bad_players",
            "C1",
            f"2 to 4 players, each with a colour of their own out of {', '.join(COLOURS)}.",
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
    colour = COLOUR_NUMBER.get(name, NOBODY)
    if colour not in seats:
        raise Refusal("bad_first", "S6", "The first player is one of the players.", first=str(name)[:20])
    return colour


def _starting_vault(box: Box, owners: tuple[int, ...]) -> Vault:
    """S1: the red-backed rooms around the red-backed elevator; S2: the players' levels, empty."""
    rooms = [NO_CARD] * (len(owners) * ROOMS_A_LEVEL)
    columns = [column for column in range(ROOMS_A_LEVEL) if column != ROOMS_A_LEVEL // 2]
    for column, kind in zip(columns, box.top_level, strict=False):
        rooms[column] = kind
    vault = Vault(box)
    vault.dig(owners)
    return vault.with_rooms(rooms)


def _shuffle(game: Game, chance: Chance, pile: int, stack: Stack | None, discards: list[str]) -> None:
    """S4: the deck is shuffled, what was stacked lies on top."""
    rest = list(game.box.decks[pile])
    top = [_pick(game, pile, rest, name) for name in (stack.top if stack else [])]
    game.discards[pile] = [_pick(game, pile, rest, name) for name in discards]
    under = [] if stack and stack.only else chance.shuffle(game.shuffles, rest)
    game.shuffles += 1
    game.decks[pile] = [*under, *reversed(top)]


def _pick(game: Game, pile: int, rest: list[int], name: str) -> int:
    number = game.box.numbers[pile].get(name)
    if number is None or number not in rest:
        raise Refusal("unknown_card", "C2", f"There is no {name[:60]!r} left among the {PILES[pile]}.", card=name[:60])
    rest.remove(number)
    return number


def table_from_json(raw: dict[str, Any]) -> Table:
    """A table from the fields that a scenario and the host page share."""
    table = Table(_names(raw, "players"), _names(raw, "levels") if "levels" in raw else None)
    if "first" in raw:
        table.first = raw["first"] if isinstance(raw["first"], str) else ""
    return table


def _names(raw: dict[str, Any], key: str) -> list[str]:
    value = raw.get(key)
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise Refusal("malformed", None, f"{key} is not a list of colours", field=key)
    return value


__all__ = ["ITEMS", "ROOMS", "THREATS", "Stack", "Table", "new_game", "table_from_json"]
