"""An evening in the wasteland, as a test plays it at a table."""

import random

from companion.refusal import Refusal
from companion.table.session.intents import AskLegal, StartGame, Tap

WAIT = 30
TWO = {
    "players": ["red", "blue"],
    "first": "red",
    "scenario": "the-salt-road",
    "survivors": {"red": "the-netmaker", "blue": "the-pilgrim"},
}


def begin(table, **setup):
    return table.ask(StartGame({**TWO, **setup}, plays="wasteland", seed="1"))


def offers(table, *eyes):
    return [one.move for one in table.session.question(AskLegal(eyes=frozenset(eyes))).result(WAIT)]


def wander(table, seed, steps):
    """Legal moves at random, with an undo or a redo now and then."""
    source = random.Random(seed)
    for _ in range(steps):
        moves = offers(table, *table.state["players"])
        if not moves:
            return
        move = source.choice(moves) if source.random() > 0.08 else {"do": source.choice(["undo", "redo"])}
        if moves[0]["do"] == "end" and source.random() < 0.3:
            move = moves[0]
        try:
            table.ask(Tap(move))
        except Refusal as refusal:
            assert refusal.code in ("nothing_to_undo", "nothing_to_redo"), (move, refusal)
        yield move
