"""Fit the learned value by TD(lambda): first to who won, then to what it told of later positions; in numpy alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypedDict

import numpy as np

from companion.bots.worth.features import FEATURES
from companion.bots.worth.learned import Network

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from companion.bots.study.self_play import Arrays, Examples

    Floats = NDArray[np.float32]

BATCH: Final = 128
FASTEST, SLOWEST = 2e-3, 1e-5
"""How far a step goes, at the beginning and at the end."""
DECAY: Final = 1e-4
SLOW, SQUARES = 0.9, 0.999
LEAST: Final = 1e-9


LAMBDA: Final = 0.8
"""How much of who won a target keeps from each later position to the one before it."""


class CurvePoint(TypedDict):
    """After a pass over all examples: the loss on games that were learned from, and on those that were not."""

    sweep: int
    epoch: int
    learned: float
    held_back: float
    brier: float
    """Of those that were not learned from, a seat."""


class Fitting:
    """Fits one network to the positions of games of two, three and four players at once."""

    def __init__(self, hidden: int, seed: int) -> None:
        self._hidden = hidden
        self._random = np.random.default_rng(seed)
        self._begin()

    def _begin(self) -> None:
        """Begin with numbers by chance."""
        seen, hidden = len(FEATURES), self._hidden
        first = self._random.normal(0, 1 / np.sqrt(seen), (seen, hidden))
        last = self._random.normal(0, 0.3 / np.sqrt(hidden), hidden)
        self._network = Network(first, np.zeros(hidden), last, np.zeros(seen))
        self._layers = [self._network.hidden, self._network.bias, self._network.out, self._network.straight]
        self._means = [np.zeros_like(layer) for layer in self._layers]
        self._squares = [np.zeros_like(layer) for layer in self._layers]
        self._steps = 0

    @property
    def network(self) -> Network:
        return self._network

    def sweeps(
        self, learned: Sequence[Examples], held_back: Sequence[Examples], sweeps: int, epochs: int
    ) -> Iterator[CurvePoint]:
        """Fit to who won, then from the beginning to what the fit before told of later positions; yield the curve."""
        sets = [examples.arrays() for examples in learned if len(examples)]
        apart = [examples.arrays() for examples in held_back if len(examples)]
        targets = [one.won for one in sets]
        for sweep in range(1, sweeps + 1):
            if sweep > 1:
                targets = [self._told_later(one) for one in sets]
                self._begin()
            for epoch in self._passes(sets, targets, epochs):
                loss, error = self._measured(apart)
                yield {
                    "sweep": sweep,
                    "epoch": epoch,
                    "learned": round(self._measured(sets)[0], 4),
                    "held_back": round(loss, 4),
                    "brier": round(error, 4),
                }

    def _passes(self, sets: Sequence[Arrays], targets: Sequence[Floats], epochs: int) -> Iterator[int]:
        """Go over all examples so many times, in batches of one number of players."""
        whole = epochs * sum(-(-len(one.won) // BATCH) for one in sets)
        for epoch in range(1, epochs + 1):
            batches = [
                (number, rows)
                for number, one in enumerate(sets)
                for rows in np.array_split(self._random.permutation(len(one.won)), -(-len(one.won) // BATCH))
            ]
            self._random.shuffle(batches)
            for number, rows in batches:
                self._learn(sets[number].seen[rows], targets[number][rows], whole)
            yield epoch

    def _told_later(self, examples: Arrays) -> Floats:
        """Return for each position what is told of the next one, and with it, less and less, of all later ones."""
        told = self._forward(examples.seen)[2]
        targets = examples.won.copy()
        for number in range(len(targets) - 2, -1, -1):
            if not examples.last[number]:
                targets[number] = (1 - LAMBDA) * told[number + 1] + LAMBDA * targets[number + 1]
        return targets

    def _forward(self, seen: Floats) -> tuple[Any, Any, Any]:
        net = self._network
        flat = seen.reshape(-1, seen.shape[2])
        units = np.maximum(flat @ net.hidden + net.bias, 0)
        points = (units @ net.out + flat @ net.straight).reshape(seen.shape[:2])
        powers = np.exp(points - points.max(1, keepdims=True))
        return flat, units, powers / powers.sum(1, keepdims=True)

    def _learn(self, seen: Floats, won: Floats, whole: int) -> None:
        flat, units, told = self._forward(seen)
        wrong = ((told - won) / len(won)).reshape(-1)
        back = np.outer(wrong, self._network.out) * (units > 0)
        self._steps += 1
        pace = FASTEST * (1 - self._steps / whole) + SLOWEST
        slopes = (flat.T @ back, back.sum(0), units.T @ wrong, flat.T @ wrong)
        for layer, mean, square, slope in zip(self._layers, self._means, self._squares, slopes, strict=True):
            pull = slope + DECAY * layer
            np.add(mean, (1 - SLOW) * (pull - mean), out=mean)
            np.add(square, (1 - SQUARES) * (pull * pull - square), out=square)
            steady = np.sqrt(square / (1 - SQUARES**self._steps)) + LEAST
            np.subtract(layer, pace * mean / (1 - SLOW**self._steps) / steady, out=layer)

    def _measured(self, sets: Sequence[Arrays]) -> tuple[float, float]:
        """Return the cross entropy of a position, and the squared error of a seat."""
        losses, errors = [], []
        for seen, won, _ in sets:
            told = self._forward(seen)[2]
            losses.append(-(won * np.log(told + LEAST)).sum(1))
            errors.append(((told - won) ** 2).mean(1))
        if not losses:
            return 0.0, 0.0
        return float(np.concatenate(losses).mean()), float(np.concatenate(errors).mean())
