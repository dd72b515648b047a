"""The page of a league, served; and an evening worth looking at."""

from companion.table.session.intents import AskLegal, Tap
from tests.network.mosquitto import WAIT
from tests.serving import Serving
from web.league.app import create_app

NAMES = [
    "Anna",
    "Jan",
    "Ola",
    "Piotr",
    "Marta",
    "Leon",
    "Zofia",
    "Tomek",
    "Ewa",
    "Kuba",
    "Hania",
    "Igor",
    "Maja",
    "Adam",
    "Lena",
    "Filip",
    "Iga",
    "Olek",
    "Nina",
    "Marek",
    "Ada",
    "Staś",
    "Kasia",
    "Wit",
]
COLOURS = ["red", "blue", "green", "yellow"]


class Hall:
    """A league's page at a port of its own."""

    def __init__(self, league):
        self.league = league
        self.app = create_app(league.snapshots)
        self.serving = Serving(self.app)
        self.base = self.serving.base

    def close(self):
        self.league.snapshots.close()
        self.serving.close()


def play(place, rng, until, most=3000):
    """As somebody who wants to get on: happiness where it can be had."""
    for _ in range(most):
        if until(place.state):
            return
        moves = [offer.move for offer in place.table.session.question(AskLegal()).result(WAIT)]
        homes = [move for move in moves if move["do"] == "place" and move["space"].endswith("E")]
        answers = [move for move in moves if move["do"] == "choose" and move["option"] != "decline"]
        places = [move for move in moves if move["do"] == "place"]
        others = [move for move in moves if move["do"] != "use"]
        place.table.ask(Tap(rng.choice(answers or homes or places or others)))
    raise AssertionError(place.state["phase"])


def evening(places, rng):
    """Every table has played a game or two and is in the middle of another; one has just ended, one disagrees."""
    people = [rng.sample(NAMES, len(NAMES)) for _ in range(3)]
    for number, place in enumerate(places):
        for game in range(2 + number % 2):
            start(place, number, game, people[game][3 * number : 3 * number + 3])
            last = game == 1 + number % 2
            rounds = 3 + (number + game) % 4
            play(place, rng, lambda state, rounds=rounds: state["round"] == rounds and state["phase"] == "place")
            if last and number != 5:
                continue
            place.table.tap("correct", set={"last_round": True})
            play(place, rng, lambda state: state["phase"] == "over")
    places[2].table.tap("correct", set={"last_round": True})


def start(place, number, game, people):
    """Two or three play; at the seventh table nobody has typed a name."""
    players = COLOURS[: 2 + (number + game) % 2] if number != 3 or game else COLOURS[:3]
    names = dict(zip(players, people, strict=False)) if number != 6 else {}
    place.table.start(players=players, levels=players, first="red", names=names)
