"""The policies of the second game: random, at a glance, and greedy with playouts of the most promising moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from companion.bots.policy.characters import CHARACTERS
from companion.bots.wasteland import seats, worth
from companion.games.wasteland.box import NOBODY
from companion.games.wasteland.moves import choose
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from companion.games.chance import Chance
    from companion.games.wasteland.game import WastelandGame
    from companion.games.wasteland.moves import WastelandMove

PLAYOUTS, WIDE, LONG, AHEAD = 4, 5, 40, 0
"""Playouts of each of so many moves, each so many decisions long at most, to the end of a round so far ahead."""
MOST_ROUNDS: Final = 60
FIRST: Final = ("done", "go-on", "succeed", "none", "refuse", "stays", "pay", "equip", "heal", "unexhaust", "rest")
WEIGHED: Final = frozenset({"option", "shop", "letter", "perk", "discard", "agenda-discard", "reroll", "start-space"})
"""Choices that are worth a playout of each answer."""


class WastelandPolicy(Protocol):
    """A player of the second game: it chooses a move and never changes the game that it is given."""

    def choose(self, game: WastelandGame, seat: int) -> WastelandMove: ...


class RandomSurvivor:
    """Any legal move."""

    def __init__(self, source: random.Random) -> None:
        self._random = source

    def choose(self, game: WastelandGame, seat: int) -> WastelandMove:
        return self._random.choice(seats.moves_of(game, seat))


class Glancing:
    """What promises most at a glance; a wobble makes it misjudge."""

    def __init__(self, source: random.Random, wobble: float = 0.1) -> None:
        self._random, self._wobble = source, wobble

    def choose(self, game: WastelandGame, seat: int) -> WastelandMove:
        return self.ranked(game, seat)[0][1]

    def ranked(self, game: WastelandGame, seat: int) -> list[tuple[float, WastelandMove]]:
        """Return all moves, the most promising first."""
        moves = seats.moves_of(game, seat)
        judge = self._answer if game.pending else worth.turn_move
        found = [(judge(game, seat, move) + self._wobble * self._random.random(), move) for move in moves]
        return sorted(found, key=lambda pair: -pair[0])

    def _answer(self, game: WastelandGame, _seat: int, move: WastelandMove) -> float:
        """Return how well an answer sounds."""
        choice, option = game.pending[0], str(move.args["option"])
        match choice.kind:
            case "reroll":
                return self._reroll(game, option)
            case "die":
                return self._random.random()
            case "perk" | "letter" | "discard" | "agenda-discard" | "survivor" | "setup-space":
                return self._random.random()
            case "shop":
                return 0.6 if option.startswith(("buy:", "recruit:")) else 0.3 * (option == "done")
            case "trade" | "offer":
                return float(option in ("done", "refuse"))
            case "influence":
                return -float(option)
            case "fight" | "test" | "during-fight":
                return 0.5 * (option in ("roll", "go-on"))
            case _:
                return 1 - FIRST.index(option) / len(FIRST) if option in FIRST else 0.5 * self._random.random()

    def _reroll(self, game: WastelandGame, option: str) -> float:
        contest = game.contest
        if contest is None:
            return 0.0
        kept = worth.throw(game)
        if option == "keep":
            return kept
        return 1.1 + 0.1 * len(option.split("+")) if option[0].isdecimal() else 0.9


class GreedySurvivor:
    """Plays the most promising moves out to the end of the round, several times, and takes what was worth most."""

    def __init__(self, source: random.Random, playouts: int = PLAYOUTS, wobble: float = 0.0) -> None:
        self._random, self._playouts, self._wobble = source, playouts, wobble
        self._glance = Glancing(source)

    def choose(self, game: WastelandGame, seat: int) -> WastelandMove:
        return self.ranked(game, seat)[0][1]

    def ranked(self, game: WastelandGame, seat: int) -> list[tuple[float, WastelandMove]]:
        """Return the moves that were played out with what came of them, the best first."""
        first = self._glance.ranked(game, seat)
        if len(first) == 1 or first[0][1].do == "claim" or (game.pending and game.pending[0].kind not in WEIGHED):
            return first[:1]
        found = [(self._played_out(game, seat, move), move) for _, move in first[:WIDE]]
        found = [(value + self._wobble * self._random.random(), move) for value, move in found]
        return sorted(found, key=lambda pair: -pair[0])

    def _played_out(self, game: WastelandGame, seat: int, move: WastelandMove) -> float:
        total = 0.0
        for nth in range(self._playouts):
            luck = SeededLuck(self._random.getrandbits(40) + nth)
            twin = seats.guessed(game, seat, self._random)
            try:
                twin.play(move, luck)
            except Refusal:
                return -worth.WON  # offered, but not to be had: what is told cannot be guessed
            play_on(twin, {}, luck, twin.round + AHEAD, LONG, self._glance)
            total += worth.position(twin, seat)
        return total / self._playouts


def play_on(
    game: WastelandGame,
    policies: Mapping[int, WastelandPolicy],
    chance: Chance,
    last: int = MOST_ROUNDS,
    most: int = 100_000,
    otherwise: WastelandPolicy | None = None,
) -> int:
    """Play to the end, past a round, or so many decisions; return their number."""
    decisions = 0
    while game.result is None and game.round <= last and decisions < most:
        seat = seats.who_decides(game)
        move = seats.move_of_the_table(game) if seat == NOBODY else None
        if move is None:
            if seat == NOBODY:
                option = seats.options_of(game)[0]
                move = choose(NOBODY, option)
            else:
                policy = policies.get(seat, otherwise)
                if policy is None:
                    raise AssertionError(f"nobody plays seat {seat}")
                move = policy.choose(game, seat)
        game.play(move, chance)
        decisions += 1
    return decisions


HARD_PLAYOUTS: Final = 12
MISJUDGED: Final = 1.0
"""How far, in influence, an easy survivor misjudges a move at most."""


def make(name: str, source: random.Random) -> WastelandPolicy:
    """Return a policy by its name; characters are those of every game."""
    match name:
        case "random":
            return RandomSurvivor(source)
        case "easy":
            return Glancing(source, MISJUDGED)
        case "hard" | "mcts":
            return GreedySurvivor(source, HARD_PLAYOUTS)
        case _ if name == "greedy" or name in CHARACTERS:
            return GreedySurvivor(source)  # a style is one of vaults: survivors have none of their own
        case _:
            raise LookupError(f"there is no policy {name!r}")
