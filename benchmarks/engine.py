"""Decisions a second: the Shelter engine beside python-chess and Catanatron, random play, moves listed each time."""

from __future__ import annotations

import json
import random
import statistics
import sys
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SLICE = 0.6  # seconds; short slices in turn, so that a noisy machine is noisy for everybody
ROUNDS = 12


class Ours:
    """Random games of the standard pack for two, three and four players in turn."""

    name = "shelter"

    def __init__(self, seed: int) -> None:
        from companion.cards.loader import builtin  # noqa: PLC0415 - imported where it is measured
        from companion.games.shelter.cards.box import Box  # noqa: PLC0415
        from companion.seeded_chance import QuickLuck  # noqa: PLC0415

        self.random = random.Random(seed)
        self.luck = QuickLuck(self.random)
        self.box = Box(builtin("standard"))
        self.games = 0

    def new_game(self) -> Any:
        """Return the next table."""
        from companion.games.shelter.setup import TableSetup, new_game  # noqa: PLC0415

        players = ["red", "blue", "green", "yellow"][: 2 + self.games % 3]
        self.games += 1
        return new_game(self.box, TableSetup(players), self.luck)

    def play(self, until: float) -> int:
        """Play until the clock says so; the decisions made."""
        decisions = 0
        pick = self.random.random
        while process_time() < until:
            game = self.new_game()
            while game.result is None:
                moves = game.legal_moves()
                game.play(moves[int(pick() * len(moves))], self.luck)
                decisions += 1
        return decisions


class Chess:
    """Random games of python-chess, of 200 moves at most."""

    name = "python-chess"

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def play(self, until: float) -> int:
        """Play until the clock says so; the decisions made."""
        import chess  # noqa: PLC0415

        decisions = 0
        pick = self.random.random
        while process_time() < until:
            board = chess.Board()
            for _ in range(200):
                moves = list(board.legal_moves)
                if not moves:
                    break
                board.push(moves[int(pick() * len(moves))])
                decisions += 1
        return decisions


class Catan:
    """Random games of Catanatron for four players."""

    name = "catanatron"

    def __init__(self, seed: int) -> None:
        random.seed(seed)

    def play(self, until: float) -> int:
        """Play until the clock says so; the decisions made."""
        from catanatron import Color, Game, RandomPlayer  # noqa: PLC0415

        decisions = 0
        while process_time() < until:
            game = Game([RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)])
            game.play()
            decisions += len(game.state.actions)
        return decisions


def _rate(play: Callable[[float], int]) -> float:
    start = process_time()
    decisions = play(start + SLICE)
    return decisions / (process_time() - start)


def rates(players: list[Any], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Decisions a second of each, slice by slice in turn; the first round only warms up."""
    found: dict[str, list[float]] = {player.name: [] for player in players}
    for number in range(rounds + 1):
        for player in players:
            rate = _rate(player.play)
            if number:
                found[player.name].append(rate)
    return found


def ratio(one: list[float], other: list[float]) -> float:
    """Return the median of the ratios of neighbouring slices."""
    return statistics.median(mine / theirs for mine, theirs in zip(one, other, strict=True))


def copying(ours: Ours) -> float:
    """Return how many decisions one copy costs."""
    game = ours.new_game()
    for _ in range(150):
        moves = game.legal_moves()
        game.play(ours.random.choice(moves), ours.luck)
        if game.result is not None:
            game = ours.new_game()
    start = perf_counter()
    for _ in range(20_000):
        game.copy()
    one_copy = (perf_counter() - start) / 20_000
    return one_copy * _rate(ours.play)


def measure() -> dict[str, float]:
    """Return the ratios, with the absolutes that they were taken from."""
    ours = Ours(1)
    found = rates([ours, Chess(1), Catan(1)])
    return {
        "shelter, decisions a second": statistics.median(found["shelter"]),
        "python-chess, decisions a second": statistics.median(found["python-chess"]),
        "catanatron, decisions a second": statistics.median(found["catanatron"]),
        "shelter / python-chess": ratio(found["shelter"], found["python-chess"]),
        "shelter / catanatron": ratio(found["shelter"], found["catanatron"]),
        "copy, in decisions": copying(ours),
    }


def compiled_against_interpreted(compiled: Path) -> dict[str, float]:
    """Return the same slices compiled and from the sources, and python-chess beside them, in turn."""
    from benchmarks.compiling import run  # noqa: PLC0415 - that module measures with this one

    ratios, beside_chess, rates_compiled = [], [], []
    for seed in range(ROUNDS // 2):
        fast = run(compiled, "benchmarks.engine", str(seed))
        slow = run(None, "benchmarks.engine", str(seed))
        ratios.append(fast["shelter"] / slow["shelter"])
        beside_chess.append(fast["shelter"] / fast["python-chess"])
        rates_compiled.append(fast["shelter"])
    return {
        "compiled / interpreted": statistics.median(ratios),
        "compiled / python-chess": statistics.median(beside_chess),
        "compiled, decisions a second": statistics.median(rates_compiled),
    }


if __name__ == "__main__":
    seed = int(sys.argv[1])
    found = rates([Ours(seed), Chess(seed)], rounds=2)
    print(json.dumps({name: statistics.median(values) for name, values in found.items()}))
