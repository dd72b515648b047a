"""Run the learned network that says of a crop: nothing, a standing figure or a lying one; by OpenCV's own `dnn`."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.vision.figures.crops import BRIGHTEST, HALF_WAY, LAYERS, STEP, STRANGENESS_STEPS
from companion.vision.figures.evidence import MIDDLE
from companion.vision.figures.memory import FEATURES

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.figures.memory import FigureMemory

KINDS = 3  # nothing, standing, lying
DRAWN = 2  # layers drawn from geometry: a base, and a body standing on it
BODY = 0.7  # of a base
CLEAR = 0.98  # the largest chance from which nobody else is asked
LOGS, HIDDEN = "logs", "hidden"  # the network's outputs: what it says, and what it sees before it says it
AT_ONCE = 2  # crops: more take more memory and no less time


def prepare(crops: Array, sizes: Array) -> Array:
    """Convert crops (n, side, side, layers) of bytes to the network's input (n, layers, side, side).

    `sizes` are (n, 3): a figure's height and base in mm, and how far it leans a mm up.
    """
    n, side = crops.shape[:2]
    told = np.asarray(cv2.LUT(crops.reshape(n * side, side, LAYERS), _tables())).reshape(n, side, side, LAYERS)
    found = np.empty((n, LAYERS + DRAWN, side, side), dtype=np.float32)
    found[:, :LAYERS] = told.transpose(0, 3, 1, 2)
    found[:, LAYERS:] = drawn(sizes, side)
    return found


def drawn(sizes: Array, side: int) -> Array:
    """Draw where a figure standing at the foot of each crop would have its base and its body: (n, 2, side, side)."""
    tall, wide, lean = (np.asarray(part, dtype=np.float32)[:, None, None] for part in sizes.T)
    steps = np.arange(side, dtype=np.float32) - np.float32((side - 1) / 2)
    across, down = steps[None, None, :], steps[None, :, None]
    radius, foot, top = wide / tall / 2 / STEP, lean * HALF_WAY / STEP, lean * (1 - HALF_WAY) / STEP
    base = np.sqrt(across**2 + (down - foot) ** 2) - radius
    body = np.sqrt(across**2 + (down - np.clip(down, -top, foot)) ** 2) - radius * BODY
    return np.clip(0.5 - np.stack([base, body], axis=1) / 2, 0, 1)


@cache
def _tables() -> Array:
    """Return what each layer's bytes mean to the network: (256, 1, layers)."""
    steps = np.arange(256, dtype=np.float32)
    odds, strange, seen = (steps - MIDDLE) / 60, np.log1p(steps / STRANGENESS_STEPS) - 1, steps / 128 - 1
    painted = np.sqrt((steps / 255) ** 2.2 / BRIGHTEST) * 255 / 128 - 1
    return np.stack([odds, odds, strange, *[seen] * 3, *[painted] * 3], axis=-1).astype(np.float32).reshape(256, 1, -1)


class FigureNet:
    """The network, loaded once for all regions; looks may come from several threads.

    Where it is in doubt, the crop is judged mirrored as well, and those before are asked, which have seen fewer shapes
    and more of pawns, hands and glare: theirs is a smaller voice.
    """

    def __init__(self, kept: bytes, before: bytes, heat: float, voice: float) -> None:
        self._net, self._before = (_loaded(one) for one in (kept, before))
        self.heat, self.voice = heat, voice
        self._lock = Lock()

    def answer(self, crops: Array, measures: Array, sizes: Array, memory: FigureMemory | None = None) -> Array:
        """Return the probabilities of nothing, standing and lying of each crop: (n, 3).

        `memory` knows the table's own figures.
        """
        chances, features = self.answer_with_features(crops, measures, sizes)
        return chances if memory is None else memory.settle(chances, features)

    def answer_with_features(self, crops: Array, measures: Array, sizes: Array) -> tuple[Array, Array]:
        """Return the probabilities of each crop (n, 3), and what the network sees in it (n, features), of length 1."""
        told = [(np.zeros((0, KINDS), dtype=np.float32), np.zeros((0, FEATURES), dtype=np.float32))]
        with self._lock:
            for first in range(0, len(crops), AT_ONCE):
                some = slice(first, first + AT_ONCE)
                told.append(self._told(crops[some], inputs(measures[some], sizes[some]), sizes[some]))
        chances, features = (np.concatenate(parts) for parts in zip(*told, strict=True))
        return chances, features / np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1e-6)

    def _told(self, crops: Array, measured: Array, sizes: Array) -> tuple[Array, Array]:
        seen = prepare(crops, sizes)
        _set(self._net, seen, measured)
        logs, features = (np.array(part) for part in self._net.forward([LOGS, HIDDEN]))
        doubt = np.flatnonzero(self._chances(logs).max(axis=1) < CLEAR)
        if len(doubt):
            both = np.concatenate([seen[doubt], seen[doubt][..., ::-1]])
            twice = np.tile(measured[doubt], (2, 1))
            mirrored = _run(self._net, both[len(doubt) :], measured[doubt])
            before = _run(self._before, both, twice).reshape(2, len(doubt), KINDS).mean(axis=0)
            logs[doubt] = ((logs[doubt] + mirrored) / 2 + self.voice * before) / (1 + self.voice)
        return self._chances(logs), features

    def _chances(self, logs: Array) -> Array:
        grown = np.exp(logs / self.heat)
        return np.asarray(grown / grown.sum(axis=1, keepdims=True))


def _loaded(kept: bytes) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(np.frombuffer(kept, dtype=np.uint8))


def _run(net: cv2.dnn.Net, seen: Array, measured: Array) -> Array:
    """Return the logarithms of the chances, up to a sum, of crops that are prepared."""
    _set(net, seen, measured)
    return np.array(net.forward())


def _set(net: cv2.dnn.Net, seen: Array, measured: Array) -> None:
    net.setInput(np.ascontiguousarray(seen), "crops")
    net.setInput(measured, "measures")


def inputs(measures: Array, sizes: Array) -> Array:
    """Return what the network is told beside the crops: the measures, and a figure's shape in this view."""
    tall, wide, lean = sizes.T
    return np.asarray(np.column_stack([measures, wide / tall, lean * 2, tall / 30]), dtype=np.float32)


@cache
def load_net() -> FigureNet:
    """Load the trained networks."""
    kept = files("companion.vision")
    tempered = json.loads(kept.joinpath("learned.json").read_text(encoding="utf-8"))["figures"]
    net, before = (kept.joinpath(name).read_bytes() for name in ("figures.onnx", "figures-doubt.onnx"))
    return FigureNet(net, before, float(tempered["heat"]), float(tempered["voice"]))
