"""Write a bot of your own, and let it play against the bot `greedy`.

usage: python examples/write_a_bot.py [SEED]

Prints the happiness of each seat at the end; greedy wins nearly always, so there is room for your ideas.
"""

import random
import sys

from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import moves_of, play_on
from companion.cards.loader import builtin
from companion.games.shelter.cards.box import Box
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.state import state_of
from companion.games.shelter.words import COLOURS
from companion.seeded_chance import SeededLuck


class Happiest:
    """A policy: tries every move on a copy of the game, with dice of its own, and keeps the happiest outcome."""

    def choose(self, game, seat):
        """Return one legal move of the seat; the game itself stays as it is."""

        def outcome(move):
            tried = game.copy()
            tried.play(move, SeededLuck("imagined"))
            player = state_of(tried)["players"][COLOURS[seat]]
            return player["happiness"], player["arriving"] + player["total"], sum(player["resources"].values())

        return max(moves_of(game, seat), key=outcome)


seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
box, luck = Box(builtin("homemade")), SeededLuck(seed)
game = new_game(box, TableSetup(["red", "blue"]), luck)
red, blue = game.seats
play_on(game, {red: Happiest(), blue: Greedy(box, random.Random(seed))}, luck)
for seat, policy in ((red, "Happiest"), (blue, "Greedy")):
    print(f"{COLOURS[seat]}, {policy}: {state_of(game)['players'][COLOURS[seat]]['if_ended_now']}")
