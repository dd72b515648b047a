"""Games to walk through at random."""

import json
import random
from functools import cache

from companion.cards.wasteland.loader import builtin
from companion.games.wasteland.box import WastelandBox
from companion.games.wasteland.game import WastelandTable, new_game
from companion.games.wasteland.state import private_of, state_of
from companion.seeded_chance import SeededLuck


@cache
def the_box():
    return WastelandBox(builtin("homemade"))


def a_game(players=2, seed=0, table_dice=False, table_cards=False, scenario="the-salt-road", survivors=None, ways=None):
    table = WastelandTable(tuple(range(players)), scenario)
    table.table_dice, table.table_cards = table_dice, table_cards
    table.survivors = survivors or {}
    table.ways = ways or table.ways
    return new_game(the_box(), table, SeededLuck(seed))


def any_legal(game, source):
    """A legal move, often the end of a turn, so that rounds go by; now and then one that only a seat may know of."""
    moves = game.legal_moves(source.choice(game.seats)) if source.random() < 0.3 else game.legal_moves()
    if moves and moves[0].do == "end" and source.random() < 0.35:
        return moves[0]
    return source.choice(moves) if moves else None


def random_walk(game, seed, rounds=60, steps=400):
    """The game after every move, with the move and its events."""
    source, luck = random.Random(seed), SeededLuck(seed)
    for _ in range(steps):
        move = any_legal(game, source)
        if move is None or game.result is not None or game.round > rounds:
            return
        events = game.play(move, luck)
        yield move, events


def walked(seed, steps=120, **table):
    """A game some way along."""
    game = a_game(seed=seed, **table)
    for _ in random_walk(game, seed, steps=steps):
        pass
    return game


def everything(game):
    """All that the seats know of a game together, comparable."""
    return json.dumps([state_of(game), [private_of(game, seat) for seat in game.seats]], sort_keys=True)
