"""Small learned networks, forward only: is it a figure, does it stand or lie? Made by `benchmarks/fitting`."""

import base64
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from companion.vision.arrays import Array
from companion.vision.figures.crops import FINE
from companion.vision.figures.evidence import MIDDLE

FIRST, STEP, SECOND = 5, 2, 3  # sides of the two layers' windows, and how far the first moves at a time
MOST_SHADE, DARK = 1.5, 6.0
STEADY = 0.5  # scale of the measures beside the pictures
LEAST, MOST = -8.0, 12.0  # of a measure
LIGHT = np.log((np.arange(256) + DARK) / 255).astype(np.float32)
STRANGE = (np.log1p(np.arange(256) / FINE) - 1).astype(np.float32)
ODDS = ((np.arange(256) - MIDDLE) / 60).astype(np.float32)
KINDS = 3  # nothing, standing, lying
CLEAR = 0.01  # left of doubt; of 1,694 candidates a mirror then moved none by more than .03


def prepare(crops: Array) -> Array:
    """Turn crops (n, side, side, 3) of bytes into the network's terms: light is told against the figure's own."""
    odds, light = ODDS[crops[..., 0]], LIGHT[crops[..., 2]]
    mine = np.clip((odds + 0.3) * 2, 0, 1) + np.float32(1e-3)
    own = (light * mine).sum(axis=(1, 2), keepdims=True) / mine.sum(axis=(1, 2), keepdims=True)
    shade = np.clip(light - own, -MOST_SHADE, MOST_SHADE)
    return np.stack([odds, STRANGE[crops[..., 1]], shade], axis=-1)


def windows(pictures: Array, side: int, step: int) -> Array:
    """Lay every window of a layer into a row: (n, rows, columns, side * side * channels)."""
    seen = np.lib.stride_tricks.sliding_window_view(pictures, (side, side), axis=(1, 2))[:, ::step, ::step]
    n, rows, columns = seen.shape[:3]
    return np.ascontiguousarray(seen.transpose(0, 1, 2, 4, 5, 3)).reshape(n, rows, columns, -1)


def pooled(pictures: Array) -> Array:
    """Keep the largest of every two by two."""
    n, rows, columns, channels = pictures.shape
    return np.asarray(pictures.reshape(n, rows // 2, 2, columns // 2, 2, channels).max(axis=(2, 4)))


def softmax(drives: Array) -> Array:
    """Turn drives into probabilities."""
    grown = np.exp(drives - drives.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True))


@dataclass(frozen=True, slots=True)
class Net:
    """Two layers of windows, one of everything, one of the answer; `middle` and `spread` of the measures."""

    weights: dict[str, Array]
    middle: Array
    spread: Array

    def measures(self, values: Array) -> Array:
        """Scale measures (n, m) as they were scaled when learning."""
        scaled = (np.clip(values, LEAST, MOST) - self.middle) / self.spread
        return np.asarray(scaled * STEADY, dtype=np.float32)

    def answer(self, crops: Array, values: Array) -> Array:
        """Say for each crop (n, side, side, 3) with its measures: nothing, standing, lying."""
        return Nets((self,)).answer(crops, values)

    def forward(self, seen: Array, measured: Array) -> Array:
        """Say the same of crops' terms laid into windows, with scaled measures, as they are."""
        keep = self.weights
        first = np.maximum(seen @ keep["w1"] + keep["b1"], 0)
        second = np.maximum(windows(first, SECOND, 1) @ keep["w2"] + keep["b2"], 0)
        everything = np.concatenate([pooled(second).reshape(len(seen), -1), measured], axis=1)
        third = np.maximum(everything @ keep["w3"] + keep["b3"], 0)
        return softmax(third @ keep["w4"] + keep["b4"])


@dataclass(frozen=True, slots=True)
class Nets:
    """Some networks that learned the same in another order: what one is wrongly sure of the others doubt."""

    each: tuple[Net, ...]

    def answer(self, crops: Array, values: Array) -> Array:
        """Say what they say on average; of what leaves them any doubt also mirrored."""
        if not len(crops):
            return np.zeros((0, KINDS), dtype=np.float32)
        terms = prepare(crops)
        said = self._said(terms, values)
        open_ = np.flatnonzero(~_are_clear(said))
        if len(open_):
            said[open_] = (said[open_] + self._said(terms[open_][:, :, ::-1], values[open_])) / 2
        return said

    def _said(self, terms: Array, values: Array) -> Array:
        seen = windows(terms, FIRST, STEP)
        return np.asarray(np.mean([net.forward(seen, net.measures(values)) for net in self.each], axis=0))


def _are_clear(said: Array) -> Array:
    """Mark what is nothing, or a figure and how it lies, beyond what its mirror could change."""
    nothing, stands, lies = said.T
    pose = np.maximum(stands, lies) > (1 - 2 * CLEAR) * (stands + lies)
    return np.asarray((nothing > 1 - CLEAR) | ((nothing < CLEAR) & pose))


@cache
def load_nets() -> Nets:
    """Load what was learned: once for all regions."""
    kept = json.loads(files("companion.vision").joinpath("learned.json").read_text(encoding="utf-8"))["nets"]
    return Nets(tuple(_net(one) for one in kept))


def _net(kept: dict[str, dict[str, object]]) -> Net:
    weights = {name: unpack(kept[name]) for name in ("w1", "b1", "w2", "b2", "w3", "b3", "w4", "b4")}
    return Net(weights, unpack(kept["middle"]), unpack(kept["spread"]))


def pack(values: Array) -> dict[str, object]:
    """Keep an array in half precision as text."""
    return {
        "shape": list(values.shape),
        "data": base64.b64encode(np.asarray(values, dtype="<f2").tobytes()).decode("ascii"),
    }


def unpack(kept: dict[str, object]) -> Array:
    """Give back an array."""
    flat = np.frombuffer(base64.b64decode(str(kept["data"])), dtype="<f2").astype(np.float32)
    shape = kept["shape"]
    if not isinstance(shape, list):
        raise TypeError("learned.json: a shape is a list")
    return flat.reshape([int(side) for side in shape])
