"""Play games from given seeds and digest every move and state: compiled and interpreted rules must agree."""

from __future__ import annotations

import hashlib
import json
import random

from companion.cards.loader import builtin
from companion.games.registry import games
from companion.games.shelter import legal
from companion.games.shelter.cards.box import Box
from companion.games.shelter.events import NAMES
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.state import state_of
from companion.seeded_chance import QuickLuck

GAMES = 300


def digest() -> str:
    """Return one digest of all games: the moves listed, the move made, what happened, and every fiftieth state."""
    found = hashlib.sha256()
    boxes = [Box(builtin(name)) for name in ("standard", "homemade")]
    for seed in range(GAMES):
        source = random.Random(seed)
        luck = QuickLuck(source)
        game = new_game(boxes[seed % 2], TableSetup(["red", "blue", "green", "yellow"][: 2 + seed % 3]), luck)
        number = 0
        while game.result is None:
            moves = game.legal_moves()
            move = source.choice(moves)
            events = game.play(move, luck)
            number += 1
            found.update(f"{len(moves)}{move.as_json()}{[NAMES[type(event)] for event in events]}".encode())
            if number % 50 == 0 or game.result is not None:
                found.update(json.dumps(state_of(game)).encode())
    return found.hexdigest()


if __name__ == "__main__":
    games()  # what the table asks is loaded as well, and must load when it is compiled
    print(json.dumps({"digest": digest(), "games": GAMES, "compiled": not legal.__file__.endswith(".py")}))
