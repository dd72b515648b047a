"""Play a whole game with the rules alone: two players, random legal moves.

usage: python examples/play_a_game.py [SEED]

Prints the moves of the first round, in the form that the api takes too, and at the end the score.
The same seed plays the same game.
"""

import random
import sys

from companion.cards.loader import builtin
from companion.games.shelter.cards.box import Box
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.state import state_of
from companion.seeded_chance import SeededLuck

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
source, luck = random.Random(seed), SeededLuck(seed)
game = new_game(Box(builtin("homemade")), TableSetup(["red", "blue"]), luck)
while game.result is None:
    move = source.choice(game.legal_moves())
    if game.round == 1:
        print(move.as_json())
    game.play(move, luck)
print(f"{game.round} rounds: {state_of(game)['result']}")
