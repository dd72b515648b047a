"""Tune greedy's weights by self-play: a little more of one against a little less.

Every step throws a coin for each weight, makes it a little more for the one and a little less for the other, lets the
two play some games, and moves all weights a little towards whoever did better (SPSA). The steps grow smaller; what
comes out is the mean of the last half of the walk.
"""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, fields
from math import exp, log
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import MOST_ROUNDS, play_on
from companion.bots.worth import weights as weights_module
from companion.bots.worth.weights import DEFAULT, Weights
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.words import COLOURS
from companion.seeded_chance import QuickLuck

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.games.shelter.cards.box import Box
    from companion.games.shelter.game import ShelterGame

NAMES: Final = tuple(field.name for field in fields(Weights))
ROUND: Final = Weights(**{name: float(f"{value:.1g}") for name, value in asdict(DEFAULT).items()})
"""Where a walk begins that is to know nothing but the size of things: every weight with one digit."""

NUDGE: Final = 0.15
"""How much more or less of a weight the two companies have at first, as a part of it."""
STRIDE: Final = 0.25
CALM: Final = 20
"""So many steps pass before they grow smaller."""
LEAD: Final = 0.02
"""What a point of happiness more counts beside a victory; it tells more than the victory alone, and sooner."""
MOST_LEAD: Final = 15


@dataclass(frozen=True, slots=True)
class TuningStep:
    """One step of the walk: the weights so far, and how much better one side did than the other."""

    number: int
    weights: Weights
    better: float


class Duel:
    """Games of one player with some weights against others with other weights, in rotating seats."""

    def __init__(self, box: Box, players: int, seed: int) -> None:
        self._box = box
        self._players = players
        self._seed = seed

    def _play(self, one: Weights, other: Weights, number: int) -> tuple[ShelterGame, int]:
        """The game of a number, and the colour of the one."""
        source = random.Random(f"{self._seed}/duel/{number}")
        luck = QuickLuck(source)
        game = new_game(self._box, TableSetup(COLOURS[: self._players]), luck)
        mine = game.seats[number % self._players]
        policies = {seat: Greedy(self._box, source, one if seat == mine else other) for seat in game.seats}
        play_on(game, policies, luck, MOST_ROUNDS)
        return game, mine

    def won(self, one: Weights, other: Weights, number: int) -> float:
        """The share of the victory that the one gets."""
        return _share(*self._play(one, other, number))

    def better(self, one: Weights, other: Weights, number: int) -> float:
        """Return how much better the one does than its fair share, its lead counted a little."""
        game, mine = self._play(one, other, number)
        if game.result is None:
            return 0.0
        scores = game.result.scores
        lead = scores[mine].happiness - max(scores[seat].happiness for seat in game.seats if seat != mine)
        return _share(game, mine) - 1 / self._players + LEAD * max(-MOST_LEAD, min(MOST_LEAD, lead))


def _share(game: ShelterGame, mine: int) -> float:
    result = game.result
    return 1 / len(result.winners) if result is not None and mine in result.winners else 0.0


class Tuning:
    """A random walk from some weights to better ones; reproducible by its seed."""

    def __init__(self, box: Box, players: int, seed: int, games: int) -> None:
        self._duel = Duel(box, players, seed)
        self._games = games
        self._source = random.Random(f"{seed}/tuning")

    def walk(self, start: Weights, steps: int) -> Iterator[TuningStep]:
        here = {name: log(value) for name, value in asdict(start).items()}
        for number in range(steps):
            coins = {name: self._source.choice((-1, 1)) for name in NAMES}
            nudge = NUDGE / (1 + number / CALM) ** 0.1
            more, less = (
                Weights(**{name: exp(here[name] + way * nudge * coins[name]) for name in NAMES}) for way in (1, -1)
            )
            numbers = range(number * self._games, (number + 1) * self._games)
            better = sum(self._duel.better(more, less, one) for one in numbers) / self._games
            stride = STRIDE / (1 + number / CALM) ** 0.6
            for name in NAMES:
                here[name] += stride * nudge * better * coins[name]
            yield TuningStep(number, Weights(**{name: exp(value) for name, value in here.items()}), better)


def settled(walked: list[TuningStep]) -> Weights:
    """Return the result of a walk: the geometric mean of its last half, rounded to two digits."""
    last = walked[len(walked) // 2 :]
    means = {name: exp(sum(log(getattr(step.weights, name)) for step in last) / len(last)) for name in NAMES}
    return Weights(**{name: float(f"{value:.2g}") for name, value in means.items()})


def written(found: Weights, how: str) -> str:
    """The module `weights` with other numbers, each beside its comment, and the command that found them."""
    lines = []
    for line in Path(weights_module.__file__).read_text(encoding="utf-8").splitlines():
        name = line.strip().partition(":")[0]
        if name in NAMES:
            comment = line.partition("  #")[2]
            lines.append(f"    {name}: float = {getattr(found, name):g}" + (f"  #{comment}" if comment else ""))
        else:
            lines.append(line)
    lines[0] = f"{lines[0]}\n\n# Found by: {how}"
    return "\n".join(lines) + "\n"
