"""Train the network of `companion/vision/figures/verdict.py`: plain numpy, forward and back, Adam, falling rate."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.fitting.samples import LARGE, Samples
from companion.vision.arrays import Array
from companion.vision.figures.evidence import MIDDLE
from companion.vision.figures.verdict import (
    CROP_SIDE,
    FIRST,
    KINDS,
    LEAST,
    MOST,
    SECOND,
    STEP,
    Net,
    pooled,
    prepare,
    softmax,
    windows,
)

CHANNELS, FIRST_LAYER, SECOND_LAYER, HIDDEN = 3, 24, 40, 64
BATCH, RATE, RATE_ON, WARM_UP = 128, 2e-3, 1.2e-3, 100
PART = 0.6  # of the way that learning on went
DROP, DROP_IN, DROP_MEASURES, DECAY, SOFT = 0.6, 0.2, 0.1, 1e-2, 0.02
TURN, STRETCH, SQUEEZE, SHIFT, NOISE, NOISY = 0.12, 0.04, 0.03, 0.9, 4.0, 0.3
LOUDER, BRIGHTER = 0.12, 0.12  # how much the odds and the contrast of light differ from crop to crop
ALL_STRANGE, GLARING = 0.1, 60  # how often all is strange, and how much at least
HALF_HIDDEN, LIGHTER = 0.8, 0.5  # of what is hidden less is to be learned


@dataclass(slots=True)
class Adam:
    """Steps down, each weight at its own pace."""

    weights: dict[str, Array]
    mean: dict[str, Array]
    power: dict[str, Array]
    count: int = 0

    def step(self, slopes: dict[str, Array], rate: float) -> None:
        """Go one step; what multiplies also shrinks a little."""
        self.count += 1
        for name, slope in slopes.items():
            self.mean[name] = 0.9 * self.mean[name] + 0.1 * slope
            self.power[name] = 0.999 * self.power[name] + 0.001 * slope**2
            pace = np.sqrt(self.power[name] / (1 - 0.999**self.count)) + 1e-8
            way = self.mean[name] / (1 - 0.9**self.count) / pace
            if name.startswith("w"):
                way = way + DECAY * self.weights[name]
            self.weights[name] = np.asarray(self.weights[name] - rate * way, dtype=np.float32)


def learn(samples: Samples, rounds: int, seed: int = 0, start: Net | None = None) -> Net:
    """Learn from samples, each seen turned, shifted and mirrored anew in every round.

    A network to `start` from learns on, more slowly.
    """
    chance = np.random.default_rng(seed)
    fastest = RATE if start is None else RATE_ON
    if start is None:
        clipped = np.clip(samples.measures, LEAST, MOST)
        weights = _start(chance, samples.measures.shape[1])
        net = Net(weights, clipped.mean(axis=0), clipped.std(axis=0) + 1e-3)
    else:
        weights = {name: values.copy() for name, values in start.weights.items()}
        net = Net(weights, start.middle, start.spread)
    blank = {name: np.zeros_like(values) for name, values in weights.items()}
    adam = Adam(weights, dict(blank), dict(blank))
    wanted = np.eye(KINDS, dtype=np.float32)[samples.kinds] * (1 - SOFT) + SOFT / KINDS
    heed = np.where((samples.kinds > 0) & (samples.visible < HALF_HIDDEN), LIGHTER, 1).astype(np.float32)
    turns = rounds * -(-len(samples) // BATCH)
    warm = min(WARM_UP, turns // 10 + 1)
    for turn, batch in enumerate(_batches(len(samples), rounds, chance)):
        terms = prepare(np.stack([altered(crop, chance) for crop in samples.crops[batch]]))
        measured = net.measures(samples.measures[batch])
        measured *= chance.random(measured.shape) > DROP_MEASURES
        rate = fastest * min(1.0, turn / warm) * 0.5 * (1 + np.cos(np.pi * turn / turns))
        adam.step(slopes(weights, (terms, measured), wanted[batch], heed[batch], chance), float(rate))
    return net


def between(start: Net, end: Net, part: float = PART) -> Net:
    """Return a network on the way from one to the one that learned on from it: it keeps more of what the first knew."""
    weights = {name: values + part * (end.weights[name] - values) for name, values in start.weights.items()}
    return Net(weights, start.middle, start.spread)


def altered(crop: Array, chance: np.random.Generator) -> Array:
    """Mirror, turn, stretch and shift a large crop at random and cut the middle out."""
    if chance.random() < 0.5:  # noqa: PLR2004 - every second
        crop = crop[:, ::-1]
    turn, wide = chance.normal(0, TURN), np.exp(chance.normal(0, STRETCH))
    tall = wide * np.exp(chance.normal(0, SQUEEZE))
    cos, sin = np.cos(turn), np.sin(turn)
    bend = np.array([[wide * cos, -tall * sin], [wide * sin, tall * cos]])
    shift = np.full(2, (LARGE - 1) / 2) + chance.normal(0, SHIFT, 2) - bend @ np.full(2, (CROP_SIDE - 1) / 2)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    whole = np.ascontiguousarray(crop)
    cut = cv2.warpAffine(
        whole, np.c_[bend, shift], (CROP_SIDE, CROP_SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    if chance.random() < NOISY:
        cut = np.clip(cut.astype(np.float32) + chance.normal(0, NOISE, cut.shape), 0, 255).astype(np.uint8)
    return _estranged(_lit_otherwise(np.asarray(cut), chance), chance)


def _lit_otherwise(cut: Array, chance: np.random.Generator) -> Array:
    """Make the odds of a crop clearer or duller, and its light harder or softer."""
    steps = np.arange(256)
    odds = MIDDLE + (steps - MIDDLE) * np.exp(chance.normal(0, LOUDER))
    light = 255 * (steps / 255) ** np.exp(chance.normal(0, BRIGHTER))
    table = np.stack([odds, steps, light], axis=-1).clip(0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(cut, table.reshape(256, 1, 3)))


def _estranged(cut: Array, chance: np.random.Generator) -> Array:
    """Make all of a crop strange now and then, as where no card is known: the shape remains."""
    if chance.random() < ALL_STRANGE:
        cut = cut.copy()
        cut[..., 1] = np.minimum(255, cut[..., 1].astype(np.int32) * 4 + GLARING)
    return cut


def slopes(
    weights: dict[str, Array],
    given: tuple[Array, Array],
    wanted: Array,
    heed: Array,
    chance: np.random.Generator | None = None,
) -> dict[str, Array]:
    """Return how the loss of one batch rises with each weight; with `chance` some terms are dropped."""
    terms, measured = given
    n = len(terms)
    seen = windows(terms, FIRST, STEP)
    first = np.maximum(seen @ weights["w1"] + weights["b1"], 0)
    near = windows(first, SECOND, 1)
    second = np.maximum(near @ weights["w2"] + weights["b2"], 0)
    pool = pooled(second)
    everything = np.concatenate([pool.reshape(n, -1), measured], axis=1)
    kept_in, kept = _kept(everything.shape, DROP_IN, chance), _kept((n, weights["w4"].shape[0]), DROP, chance)
    everything = everything * kept_in
    third = np.maximum(everything @ weights["w3"] + weights["b3"], 0) * kept
    off = (softmax(third @ weights["w4"] + weights["b4"]) - wanted) * heed[:, None] / n
    back = (off @ weights["w4"].T) * kept * (third > 0)
    pulled = ((back @ weights["w3"].T) * kept_in)[:, : pool[0].size].reshape(pool.shape)
    to_second = _unpooled(pulled, pool, second) * (second > 0)
    to_first = _spread(to_second @ weights["w2"].T, first.shape) * (first > 0)
    return {
        "w1": _flat(seen).T @ _flat(to_first),
        "b1": _flat(to_first).sum(axis=0),
        "w2": _flat(near).T @ _flat(to_second),
        "b2": _flat(to_second).sum(axis=0),
        "w3": everything.T @ back,
        "b3": back.sum(axis=0),
        "w4": third.T @ off,
        "b4": off.sum(axis=0),
    }


def _start(chance: np.random.Generator, measures: int) -> dict[str, Array]:
    side = ((CROP_SIDE - FIRST) // STEP + 1 - SECOND + 1) // 2
    sizes = {
        "1": (FIRST**2 * CHANNELS, FIRST_LAYER),
        "2": (SECOND**2 * FIRST_LAYER, SECOND_LAYER),
        "3": (side**2 * SECOND_LAYER + measures, HIDDEN),
        "4": (HIDDEN, KINDS),
    }
    weights = {}
    for name, (rows, columns) in sizes.items():
        weights[f"w{name}"] = (chance.normal(0, 1, (rows, columns)) * np.sqrt(2 / rows)).astype(np.float32)
        weights[f"b{name}"] = np.zeros(columns, dtype=np.float32)
    return weights


def _batches(count: int, rounds: int, chance: np.random.Generator) -> Iterator[Array]:
    for _ in range(rounds):
        order = chance.permutation(count)
        for start in range(0, count, BATCH):
            yield order[start : start + BATCH]


def _kept(shape: tuple[int, ...], drop: float, chance: np.random.Generator | None) -> Array:
    if chance is None:
        return np.ones(shape, dtype=np.float32)
    return np.asarray((chance.random(shape) > drop) / (1 - drop), dtype=np.float32)


def _unpooled(pulled: Array, pool: Array, second: Array) -> Array:
    """Return to each two by two what its largest was pulled by."""
    n, rows, columns, channels = pool.shape
    fours = second.reshape(n, rows, 2, columns, 2, channels)
    largest = fours == pool[:, :, None, :, None]
    return np.asarray(np.where(largest, pulled[:, :, None, :, None], 0).reshape(second.shape), dtype=np.float32)


def _spread(rows: Array, shape: tuple[int, ...]) -> Array:
    """Add up what every window gives back to the pixels it saw."""
    n, tall, wide = rows.shape[:3]
    parts = rows.reshape(n, tall, wide, SECOND, SECOND, -1)
    total = np.zeros(shape, dtype=np.float32)
    for down in range(SECOND):
        for right in range(SECOND):
            total[:, down : down + tall, right : right + wide] += parts[:, :, :, down, right]
    return total


def _flat(values: Array) -> Array:
    return np.asarray(values.reshape(-1, values.shape[-1]))
