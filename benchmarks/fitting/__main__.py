"""Fit the network of figures to frames with truth, and write it; `--odds` learns the log odds of pixels instead.

usage: python -m benchmarks.fitting [--profile PROFILE] [--rounds 30] [--kept DIR] [--check FOLDER] FOLDER...
"""

import argparse
import json
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from benchmarks.fitting.samples import LYING, NOTHING, STANDING, Samples, gather
from companion.vision.arrays import Array
from companion.vision.figures import crops
from companion.vision.figures.crops import CROP_SIDE
from companion.vision.figures.evidence import load_odds
from companion.vision.figures.network import FigureNet
from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader

VISION = Path(crops.__file__).parent.parent
NETWORK, BEFORE, LEARNED = (VISION / name for name in ("figures.onnx", "figures-doubt.onnx", "learned.json"))
TEMPERS = [
    (heat, voice) for voice in (0.0, 0.15, 0.3, 0.5, 0.7) for heat in np.arange(0.6, 1.6, 0.05).round(2).tolist()
]
SOME = 1e-6
ROUNDS = 30
WHOLE, LIKELY = 0.9, 0.5


def parser() -> argparse.ArgumentParser:
    """Return what may be asked for."""
    asking = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asking.add_argument("folders", nargs="+", type=Path)
    asking.add_argument("--profile", type=Path, help="of folders that have none of their own")
    asking.add_argument("--odds", action="store_true", help="learn the log odds of pixels (frames with masks)")
    asking.add_argument("--rounds", type=int, default=ROUNDS)
    asking.add_argument("--seed", type=int, default=0, help="of the order in which everything is seen")
    asking.add_argument("--kept", type=Path, help="a folder for what was seen once: learning again is faster")
    asking.add_argument("--check", type=Path, action="append", default=[], help="worlds that are not learned from")
    asking.add_argument("--out", type=Path)
    return asking


def main() -> None:
    """Fit, tell how well it does on worlds kept apart, and write."""
    asked = parser().parse_args()
    cv2.setNumThreads(1)
    eyes = TableReader(load_profile(asked.profile), keep_scenes=True) if asked.profile else None
    if asked.odds:
        learn_odds(eyes, asked)
    else:
        learn_figures(eyes, asked)


def learn_odds(eyes: TableReader | None, asked: argparse.Namespace) -> None:
    from benchmarks.fitting import odds  # noqa: PLC0415 - each has tools of its own

    found = odds.learn(eyes, asked.folders) if eyes else None
    if found is None:
        raise SystemExit("--odds: it takes --profile, and no frame in these folders has a mask beside it")
    _keep(odds=np.round(found * 10).astype(int).tolist())


def learn_figures(eyes: TableReader | None, asked: argparse.Namespace) -> None:
    from benchmarks.fitting import learning  # noqa: PLC0415 - PyTorch is a tool of this alone

    log_odds, started = load_odds(), time.monotonic()
    samples = gather(eyes, asked.folders, log_odds, asked.kept)
    apart = gather(eyes, asked.check, log_odds, asked.kept) if asked.check else samples

    def net_of(net: learning.Network, heat: float = 1.0, voice: float = 0.0) -> FigureNet:
        return FigureNet(learning.exported(net), BEFORE.read_bytes(), heat, voice)

    def tell_round(turn: int, loss: float, net: learning.Network) -> None:
        told = f", kept apart: {tell(chances(net_of(net), apart), apart)}" if turn % 5 == 0 else ""
        sys.stdout.write(f"{(time.monotonic() - started) / 60:5.1f} min, round {turn}: loss {loss:.3f}{told}\n")
        sys.stdout.flush()

    net = learning.learn(samples, asked.rounds, asked.seed, tell_round)
    tried = [(off(chances(net_of(net, *how), apart), apart), how) for how in TEMPERS]
    heat, voice = min(tried)[1]
    (asked.out or NETWORK).write_bytes(learning.exported(net))
    if not asked.out:
        _keep(figures={"heat": heat, "voice": voice})
    told = tell(chances(net_of(net, heat, voice), apart), apart)
    sys.stdout.write(
        f"learned from {len(samples)} candidates; heat {heat:.2f}, voice {voice:.2f}; kept apart: {told}\n"
    )


def _keep(**what: object) -> None:
    kept = json.loads(LEARNED.read_text(encoding="utf-8")) | what
    LEARNED.write_text(json.dumps(kept), encoding="utf-8")


def chances(net: FigureNet, samples: Samples) -> Array:
    """Return what is said of the middles of samples' crops."""
    edge = (samples.crops.shape[1] - CROP_SIDE) // 2
    middle = np.ascontiguousarray(samples.crops[:, edge : edge + CROP_SIDE, edge : edge + CROP_SIDE])
    return net.answer(middle, samples.measures, samples.sizes)


def off(told: Array, samples: Samples) -> float:
    """Return how far off what is said is: the mean of the logarithms of what is true."""
    return float(-np.log(told[np.arange(len(told)), samples.kinds] + SOME).mean())


def tell(chances: Array, samples: Samples) -> str:
    """Return how many are judged wrongly."""
    whole = (samples.kinds != NOTHING) & (samples.visible >= WHOLE)
    thought = chances[:, NOTHING] < LIKELY
    lying = chances[:, LYING] > chances[:, STANDING]
    wrong = whole & thought & (lying != (samples.kinds == LYING))
    others = samples.kinds == NOTHING
    return (
        f"{whole.sum()} figures, {wrong.sum()} poses wrong, {(whole & ~thought).sum()} not seen,"
        f" {(thought & others).sum()} of {others.sum()} others taken for figures"
    )


if __name__ == "__main__":
    main()
