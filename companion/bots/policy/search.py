"""The policies `mcts` and `valued`: a tree over placements and their choices, grown from guessed decks and dice.

The tree is open-loop: its branches are moves, and what dice and decks bring is drawn anew each time it is walked.
The order of the decks is hidden, so each walk begins by shuffling them.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING, Final

from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import (
    MOST_ROUNDS,
    choice_of,
    guessed,
    move_of_the_table,
    moves_of,
    open_choice,
    who_decides,
)
from companion.bots.worth.answers import AT_ONCE
from companion.bots.worth.learned import LearnedValue
from companion.bots.worth.win_chance import chances
from companion.games.shelter.words import COLOURS, NOBODY, RECALL, SPAWN
from companion.seeded_chance import QuickLuck

if TYPE_CHECKING:
    import random

    from companion.bots.policy.budget import Budget
    from companion.bots.worth.learned import Network
    from companion.games.shelter.cards.box import Box
    from companion.games.shelter.game import ShelterGame
    from companion.games.shelter.moves import Move


Key = tuple[int, int, tuple[int, ...], tuple[str, ...], str, str]
WEIGHED: Final = frozenset({"build", "item", "letter"})
"""Choices that branch; the others are answered as greedy answers them, which never goes to and fro."""

TEMPERATURE: Final = 0.35
CURIOSITY: Final = 0.9
LITTLE_CURIOSITY: Final = 0.25
"""With a learned value: it differs less from walk to walk than what comes of playing on."""
WIDE: Final = 3
WIDENING: Final = 0.45
SETTLED_EVERY: Final = 8
"""So many walks lie between two looks at whether it is settled."""


class Branch:
    """A move in the tree: its prior from greedy's ranking, and the results of the walks through it."""

    __slots__ = ("below", "move", "prior", "visits", "won")

    def __init__(self, move: Move | None, prior: float) -> None:
        self.move = move
        self.prior = prior
        self.visits = 0
        self.won = [0.0] * len(COLOURS)
        self.below: dict[Key, Branch] = {}

    def value(self, seat: int) -> float:
        """Return the estimated chance of a seat to win."""
        return self.won[seat] / self.visits if self.visits else 0.5


class SearchResult:
    """The result of a search: the moves considered, the most visited first."""

    def __init__(self, root: Branch, seat: int, walks: int) -> None:
        self.seat = seat
        self.walks = walks
        self.branches = sorted(root.below.values(), key=lambda branch: -branch.visits)
        self.chances = [won / root.visits if root.visits else 0.0 for won in root.won]


class Search:
    """Searches for the best move of a seat; the game itself is never changed."""

    def __init__(
        self, box: Box, source: random.Random, budget: Budget, rounds: int = 2, network: Network | None = None
    ) -> None:
        self._source = source
        self._luck = QuickLuck(source)
        self._greedy = Greedy(box, source)
        self._budget = budget
        self._rounds = rounds
        self._value = None if network is None else LearnedValue(self._greedy, network)
        self._ranked: list[tuple[float, Move]] = []
        self._guesses = False
        self._curiosity = CURIOSITY

    def choose(self, game: ShelterGame, seat: int) -> Move:
        """Return the most visited move."""
        moves = moves_of(game, seat)
        if len(moves) == 1:
            return moves[0]
        choice = choice_of(game, seat)
        if choice is not None and choice.kind not in WEIGHED:
            return self._greedy.choose(game, seat)
        if choice is None:
            worth, first = max(self._greedy.ranked(self._greedy.outlook(game, seat)), key=lambda pair: pair[0])
            if worth >= AT_ONCE:
                return first
        best = self.think(game, seat, until_settled=True).branches[0].move
        return best if best is not None else moves[0]

    def think(self, game: ShelterGame, seat: int, *, until_settled: bool = False) -> SearchResult:
        """Search as long as the budget lasts, or until the remaining walks can change nothing."""
        since, walks = self._budget.begin(), 0
        root = Branch(None, 1.0)
        self._ranked, self._guesses = [], game.real_decks
        self._curiosity = LITTLE_CURIOSITY if self._asks_value(game) else CURIOSITY
        last = game.round + self._rounds
        while walks < 1 or self._budget.lasts(walks, since):
            if until_settled and walks and not walks % SETTLED_EVERY and self._is_settled(root, walks, since):
                break
            twin = guessed(game, self._source, self._luck)
            while (other := who_decides(twin)) != seat:  # what others still have open waits for nobody
                self._step(twin, other)
            self._walk(twin, root, last)
            walks += 1
        return SearchResult(root, seat, walks)

    def _is_settled(self, root: Branch, walks: int, since: float) -> bool:
        """Return whether no other move can still be visited as often as the first one."""
        visits = sorted([branch.visits for branch in root.below.values()] + [0])
        return visits[-1] - visits[-2] > self._budget.left(walks, since)

    # --- one walk -----------------------------------------------------------------------------------------------------

    def _walk(self, game: ShelterGame, root: Branch, last: int) -> None:
        path = [root]
        branch = root
        while not self._is_over(game, last):
            seat = who_decides(game)
            found = None if seat == NOBODY else self._branches(game, seat, branch)
            if found is None:
                self._step(game, seat)
                continue
            branch = self._descend(branch, found, seat)
            if branch.move is None:
                raise AssertionError("only the root has no move")
            game.play(branch.move, self._luck)
            path.append(branch)
            if not branch.visits:
                break
        result = self._judged(game, last)
        for passed in path:
            passed.visits += 1
            for colour in game.seats:
                passed.won[colour] += result[colour]

    def _judged(self, game: ShelterGame, last: int) -> list[float]:
        """Return everybody's chance where the tree ends: by the learned value, or played on to the end of a round."""
        if self._value is None or not self._asks_value(game):
            while not self._is_over(game, last):
                self._step(game, who_decides(game))
            return chances(game, self._greedy.purses, self._greedy.weights)
        while game.result is None and (game.phase == RECALL or open_choice(game) is not None):
            self._step(game, who_decides(game))
        return self._value.chances(game)

    def _asks_value(self, game: ShelterGame) -> bool:
        """Return whether the learned value is asked. Together it is not: it was learned from games of rivals."""
        return self._value is not None and game.together is None

    def _is_over(self, game: ShelterGame, last: int) -> bool:
        return game.result is not None or (game.phase == SPAWN and game.round >= last) or game.round > MOST_ROUNDS

    def _step(self, game: ShelterGame, seat: int) -> None:
        move = move_of_the_table(game) if seat == NOBODY else self._greedy.choose(game, seat)
        if move is None:
            raise AssertionError("nobody can go on: the table has to name a card first")
        game.play(move, self._luck)

    def _branches(self, game: ShelterGame, seat: int, branch: Branch) -> list[Branch] | None:
        """Return the branches that are possible now, likely first, as many as visits justify; None: not expanded."""
        choice = open_choice(game)
        if choice is not None:
            if choice.kind not in WEIGHED:
                return None
            moves = moves_of(game, seat)
            if len(moves) == 1:
                return None
            return [_below(branch, move, 1 / len(moves)) for move in moves]
        ranked = self._ranked if branch.move is None else []
        if not ranked:
            ranked = self._greedy.ranked(self._greedy.outlook(game, seat))
            ranked.sort(key=lambda pair: -pair[0])
            if branch.move is None and not self._guesses:
                self._ranked = ranked
        if ranked[0][0] >= AT_ONCE or len(ranked) == 1:
            return [_below(branch, ranked[0][1], 1.0)]
        wide = WIDE + int(branch.visits**WIDENING)
        return _likely(branch, ranked[:wide])

    def _descend(self, branch: Branch, found: list[Branch], seat: int) -> Branch:
        """Select a branch by its value, prior and visits (PUCT)."""
        root = self._curiosity * sqrt(branch.visits + 1)
        unknown = branch.value(seat) - 0.03
        best, most = found[0], -1.0
        for one in found:
            value = one.won[seat] / one.visits if one.visits else unknown
            promise = value + root * one.prior / (1 + one.visits)
            if promise > most:
                best, most = one, promise
        return best


def _likely(branch: Branch, ranked: list[tuple[float, Move]]) -> list[Branch]:
    best = ranked[0][0]
    powers = [exp((worth - best) / TEMPERATURE) for worth, _ in ranked]
    whole = sum(powers)
    return [_below(branch, move, power / whole) for (_, move), power in zip(ranked, powers, strict=True)]


def _below(branch: Branch, move: Move, prior: float) -> Branch:
    key = (move.do, move.space, move.dwellers, move.use, move.option, move.item)
    found = branch.below.get(key)
    if found is None:
        found = branch.below[key] = Branch(move, prior)
    else:
        found.prior = prior
    return found
