"""Scenarios and moves of the contract, made with cards that a test has put together."""

from functools import partial

from companion.games import scenario
from companion.games.shelter import adapter as shelter
from companion.games.wasteland import adapter as wasteland

make = partial(scenario.make, shelter.GAME)


def run(raw, box, luck):
    """What does not hold of a scenario of the shelter."""
    return scenario.run(shelter.GAME, raw, partial(shelter.begin, box), luck)


def run_in_the_wasteland(raw, box, luck):
    """What does not hold of a scenario of the wasteland."""
    return scenario.run(wasteland.GAME, raw, partial(wasteland.begin, box), luck)
