"""Fit the learned value, to who won or to what playouts tell of siblings, in numpy alone."""

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
TELLING: Final = 30.0
"""How much more than the chance of each position the differences between siblings count, in squared error."""


class CurvePoint(TypedDict):
    """After a pass over all examples: the loss on what was learned from, and on what was not."""

    epoch: int
    learned: float
    held_back: float
    brier: float
    """Of those that were not learned from, a seat."""
    siblings: float
    """The correlation of what is told of siblings with what their playouts told, each less the mean of its family."""


class Fitting:
    """Fits one network to positions of two, three and four players at once, beginning with numbers by chance."""

    def __init__(self, hidden: int, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        seen = len(FEATURES)
        first = self._random.normal(0, 1 / np.sqrt(seen), (seen, hidden))
        last = self._random.normal(0, 0.3 / np.sqrt(hidden), hidden)
        self.network = Network(first, np.zeros(hidden), last, np.zeros(seen))
        self._layers = [self.network.hidden, self.network.bias, self.network.out, self.network.straight]
        self._means = [np.zeros_like(layer) for layer in self._layers]
        self._squares = [np.zeros_like(layer) for layer in self._layers]
        self._steps = 0

    def passes(self, learned: Sequence[Examples], held_back: Sequence[Examples], epochs: int) -> Iterator[CurvePoint]:
        """Go over all examples so many times, in batches of one number of players; yield the curve."""
        sets = [examples.arrays() for examples in learned if len(examples)]
        apart = [examples.arrays() for examples in held_back if len(examples)]
        whole = epochs * sum(_batches(one) for one in sets)
        for epoch in range(1, epochs + 1):
            batches = [
                (number, families)
                for number, one in enumerate(sets)
                for families in np.array_split(self._random.permutation(len(one.starts) - 1), _batches(one))
            ]
            self._random.shuffle(batches)
            for number, families in batches:
                self._learn(sets[number], families, whole)
            loss, error, siblings = self._measured(apart)
            yield {
                "epoch": epoch,
                "learned": round(self._measured(sets)[0], 4),
                "held_back": round(loss, 4),
                "brier": round(error, 4),
                "siblings": round(siblings, 3),
            }

    def _forward(self, seen: Floats) -> tuple[Any, Any, Any]:
        net = self.network
        flat = seen.reshape(-1, seen.shape[2])
        units = np.maximum(flat @ net.hidden + net.bias, 0)
        points = (units @ net.out + flat @ net.straight).reshape(seen.shape[:2])
        powers = np.exp(points - points.max(1, keepdims=True))
        return flat, units, powers / powers.sum(1, keepdims=True)

    def _learn(self, one: Arrays, families: NDArray[np.int64], whole: int) -> None:
        sizes = one.starts[families + 1] - one.starts[families]
        rows = np.concatenate([np.arange(one.starts[family], one.starts[family + 1]) for family in families])
        wanted, movers, every = one.chances[rows], one.movers[rows], np.arange(len(rows))
        flat, units, told = self._forward(one.seen[rows])
        wrong = told - wanted
        apart = _less_mean(wrong[every, movers], np.repeat(np.arange(len(sizes)), sizes))
        apart *= 2 * TELLING * told[every, movers]
        wrong -= apart[:, None] * told
        wrong[every, movers] += apart
        slope = (wrong / len(rows)).reshape(-1).astype(np.float32)
        back = np.outer(slope, self.network.out) * (units > 0)
        self._steps += 1
        pace = FASTEST * (1 - self._steps / whole) + SLOWEST
        slopes = (flat.T @ back, back.sum(0), units.T @ slope, flat.T @ slope)
        for layer, mean, square, steep in zip(self._layers, self._means, self._squares, slopes, strict=True):
            pull = steep + DECAY * layer
            np.add(mean, (1 - SLOW) * (pull - mean), out=mean)
            np.add(square, (1 - SQUARES) * (pull * pull - square), out=square)
            steady = np.sqrt(square / (1 - SQUARES**self._steps)) + LEAST
            np.subtract(layer, pace * mean / (1 - SLOW**self._steps) / steady, out=layer)

    def _measured(self, sets: Sequence[Arrays]) -> tuple[float, float, float]:
        """Return the cross entropy of a position, the squared error of a seat, and how well siblings are told apart."""
        losses, errors, told_apart, were_apart = [np.zeros(0)], [np.zeros(0)], [np.zeros(0)], [np.zeros(0)]
        for one in sets:
            told, every = self._forward(one.seen)[2], np.arange(len(one.seen))
            losses.append(-(one.chances * np.log(told + LEAST)).sum(1))
            errors.append(((told - one.chances) ** 2).mean(1))
            families = np.repeat(np.arange(len(one.starts) - 1), np.diff(one.starts))
            told_apart.append(_less_mean(told[every, one.movers], families))
            were_apart.append(_less_mean(one.chances[every, one.movers], families))
        loss, error, told, were = map(np.concatenate, (losses, errors, told_apart, were_apart))
        if not len(loss):
            return 0.0, 0.0, 0.0
        spread = np.sqrt((told**2).sum() * (were**2).sum())
        return float(loss.mean()), float(error.mean()), float((told * were).sum() / max(spread, LEAST))


def _batches(one: Arrays) -> int:
    return -(-len(one.seen) // BATCH)


def _less_mean(numbers: Any, families: NDArray[np.int64]) -> Any:
    """Return numbers less the mean of their family."""
    return numbers - (np.bincount(families, numbers) / np.bincount(families))[families]
