"""How much chance to win a bot gives away: its moves in kept positions against the strongest, by many playouts each.

`python -m benchmarks.regretting --playouts 20000` plays on where `regret.jsonl` has fewer; it may be ended at any time.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, Final, TypedDict

from companion.bots.policy.budget import Budget
from companion.bots.policy.characters import make
from companion.bots.policy.greedy import LEAST, Greedy
from companion.bots.policy.policy import MOST_ROUNDS, choice_of, guessed, play_on, step, who_decides
from companion.bots.study.tally import mean_interval
from companion.cards.loader import builtin
from companion.games.shelter.cards.box import Box
from companion.games.shelter.moves import PASSES, read
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.words import COLOURS, PLACE
from companion.seeded_chance import QuickLuck

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.rows import Rows
    from companion.games.shelter.game import ShelterGame
    from companion.games.shelter.moves import Move

FILE: Final = Path(__file__).with_name("regret.jsonl")
POSITIONS: Final = 200
CANDIDATES: Final = 6
"""So many spaces are looked at: those that a fair bot likes best."""
MILLISECONDS: Final = 50.0
FIRST: Final = 32
"""Playouts of every candidate; the better half goes on with twice as many, down to two."""
AT_LEAST: Final = 4
"""The others get this part of what these two get: a bot may choose them, and what it gave away has to be known."""


class Tried(TypedDict):
    """A move, how often it was played on, and the victories of the even and of the odd playouts."""

    move: dict[str, Any]
    playouts: int
    won: list[float]


class Kept(TypedDict):
    """A position: the decision of a game of greedy players that a seed leads to, and what became of its moves."""

    players: int
    seed: str
    decision: int
    tried: list[Tried]


class Regret(TypedDict):
    mean: float
    low: float
    high: float
    worst_tenth: float
    positions: int
    playouts: float
    fewest: int


class Valuer:
    """Values the moves of kept positions."""

    def __init__(self) -> None:
        self.box = Box(builtin("standard"))
        self.source = random.Random(1)
        self._luck = QuickLuck(self.source)
        self.greedy = Greedy(self.box, self.source)

    def position(self, kept: Kept) -> ShelterGame:
        """Play a game up to the decision."""
        self.source.seed(kept["seed"])
        game = new_game(self.box, TableSetup(COLOURS[: kept["players"]]), self._luck)
        left = kept["decision"]
        while True:
            if game.phase == PLACE and choice_of(game, who_decides(game)) is None:
                left -= 1
                if left < 0:
                    return game
            step(game, dict.fromkeys(game.seats, self.greedy), self._luck)

    def found(self, number: int) -> Kept:
        """Return the position of a number, with the moves that are worth a look."""
        players = 2 + number % 3
        seed = f"regret/{number}"
        self.source.seed(seed)
        game, decisions = new_game(self.box, TableSetup(COLOURS[:players]), self._luck), 0
        while game.result is None:
            decisions += game.phase == PLACE and choice_of(game, who_decides(game)) is None
            step(game, dict.fromkeys(game.seats, self.greedy), self._luck)
        wanted = random.Random(seed).randrange(decisions)
        while True:
            kept: Kept = {"players": players, "seed": seed, "decision": wanted % decisions, "tried": []}
            moves = self.candidates(self.position(kept))
            if len(moves) > 1:
                kept["tried"] = [{"move": dict(move.as_json()), "playouts": 0, "won": [0.0, 0.0]} for move in moves]
                return kept
            wanted += 1

    def candidates(self, game: ShelterGame) -> list[Move]:
        """Return the likeliest move of each of the spaces that a fair bot likes best."""
        ranked = sorted(self.greedy.ranked(self.greedy.outlook(game, game.turn)), key=lambda pair: -pair[0])
        found: dict[tuple[int, int, str], Move] = {}
        for worth, move in ranked:
            if worth > LEAST:
                found.setdefault((move.do, move.space, move.item), move)
        return list(found.values())[:CANDIDATES] or [PASSES[game.turn]]

    def play(self, game: ShelterGame, seed: str, tried: Tried, until: int) -> None:
        """Play a move on until it was played on so often; every move of a position meets the same decks and dice."""
        move, seat = read(tried["move"]), game.turn
        for nth in range(tried["playouts"], until):
            self.source.seed(f"{seed}/{nth}")
            twin = guessed(game, self.source, self._luck)
            twin.play(move, self._luck)
            play_on(twin, dict.fromkeys(game.seats, self.greedy), self._luck, game.round + MOST_ROUNDS)
            winners = twin.result.winners if twin.result is not None else game.seats
            tried["won"][nth % 2] += 1 / len(winners) if seat in winners else 0.0
        tried["playouts"] = max(until, tried["playouts"])

    def value(self, kept: Kept, playouts: int) -> None:
        """Value the moves of a position: all of them a little, the better half on and on, and the others to a part."""
        game, left, until = self.position(kept), list(kept["tried"]), min(max(FIRST, playouts // AT_LEAST), playouts)
        while True:
            for tried in left:
                self.play(game, kept["seed"], tried, until)
            if until >= playouts:
                return
            left.sort(key=chance, reverse=True)
            left = left[: max(2, len(left) // 2)]
            until = playouts if len(left) == 2 else min(2 * until, playouts)  # noqa: PLR2004 - a pair is compared to the end


def chance(tried: Tried) -> float:
    return sum(tried["won"]) / max(1, tried["playouts"])


def half(tried: Tried, which: int) -> float:
    return tried["won"][which] / max(1, (tried["playouts"] + 1 - which) // 2)


def loss(chosen: Tried, moves: list[Tried]) -> float:
    """Return what a move gives away beside the strongest: found by one half of the playouts, measured by the other."""
    most = max(tried["playouts"] for tried in moves)
    sure = [tried for tried in moves if tried["playouts"] == most]
    found = 0.0
    for which in (0, 1):
        best = max(sure, key=lambda tried: half(tried, which))
        found += (half(best, 1 - which) - half(chosen, 1 - which)) / 2
    return found


def positions(file: Path = FILE) -> list[Kept]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def _written(file: Path, kept: list[Kept]) -> None:
    new = file.with_suffix(".tmp")
    new.write_text("".join(json.dumps(one) + "\n" for one in kept), encoding="utf-8")
    new.replace(file)


def measure(policy: str, budget: Budget, file: Path = FILE) -> Regret:
    """Let a bot choose in every position, and return its loss of chances in points."""
    valuer = Valuer()
    losses, playouts = [], []
    valued = [one for one in positions(file) if all(tried["playouts"] for tried in one["tried"])]
    for kept, found in _choices(valuer, policy, budget, valued):
        losses.append(100 * loss(found, kept["tried"]))
        playouts.append(max(tried["playouts"] for tried in kept["tried"]))
    losses.sort(reverse=True)
    tenth = losses[: max(1, len(losses) // 10)]
    low, high = mean_interval(losses)
    return {
        "mean": sum(losses) / len(losses),
        "low": low,
        "high": high,
        "worst_tenth": sum(tenth) / len(tenth),
        "positions": len(losses),
        "playouts": sum(playouts) / len(playouts),
        "fewest": min(playouts),
    }


def rows() -> Rows:
    """Return how much those that think give away, and how well that is known; greedy to compare with."""
    found = {who: measure(who, Budget(milliseconds=MILLISECONDS, clock=process_time)) for who in ("valued", "greedy")}
    one = found["valued"]
    return [
        ("positions of two to four players, valued so far", f"{POSITIONS}", f"{one['positions']}"),
        (
            "playouts of the best moves of a position: mean, fewest",
            "20,000",
            f"{one['playouts']:,.0f}, {one['fewest']}",
        ),
        *(row for who in found for row in _of(who, found[who])),
    ]


def _of(who: str, found: Regret) -> Rows:
    thinks = f", {MILLISECONDS:.0f} ms of its core a move" if who != "greedy" else ""
    mean = f"{found['mean']:.1f} ({found['low']:.1f} to {found['high']:.1f})"
    return [
        (f"mean loss of winning chance in points, {who}{thinks}", "1.0", mean),
        ("... of the worst tenth", "4", f"{found['worst_tenth']:.1f}"),
    ]


def _choices(valuer: Valuer, policy: str, budget: Budget, kept: list[Kept]) -> Iterator[tuple[Kept, Tried]]:
    """Yield every position with what the bot chose; a move that nobody had looked at is played on as often."""
    for one in kept:
        game = valuer.position(one)
        player = make(policy, valuer.box, random.Random(one["seed"]), budget)
        move = player.choose(game, game.turn)
        same = [tried for tried in one["tried"] if _goes_to(tried["move"]) == _goes_to(dict(move.as_json()))]
        if not same:
            most = max(tried["playouts"] for tried in one["tried"])
            same = [{"move": dict(move.as_json()), "playouts": 0, "won": [0.0, 0.0]}]
            valuer.play(game, one["seed"], same[0], min(most, 4 * FIRST))
        yield one, same[0]


def _goes_to(move: dict[str, Any]) -> tuple[str, ...]:
    return move["do"], move.get("space", ""), move.get("item", "")


def parser() -> argparse.ArgumentParser:
    asked = argparse.ArgumentParser(prog="python -m benchmarks.regretting", description=__doc__)
    asked.add_argument("--playouts", type=int, default=20_000, help="Of each of the two best moves of a position.")
    asked.add_argument("--positions", type=int, default=POSITIONS)
    asked.add_argument("--minutes", type=float, default=0.0, help="Of its core, at most; 0: until it is done.")
    asked.add_argument("--file", type=Path, default=FILE)
    return asked


def main() -> None:
    """Play on where there are fewer playouts than asked for."""
    given = parser().parse_args()
    valuer, kept = Valuer(), positions(given.file)
    for number in range(len(kept), given.positions):
        kept.append(valuer.found(number))
    for one in kept:
        if given.minutes and process_time() > 60 * given.minutes:
            break
        if max(tried["playouts"] for tried in one["tried"]) < given.playouts:
            valuer.value(one, given.playouts)
            _written(given.file, kept)
    _written(given.file, kept)


if __name__ == "__main__":
    main()
