"""Fit the networks and log odds of vision to frames with truth, and write them.

usage: python -m benchmarks.fitting --profile PROFILE [--odds] [--on] [--rounds 100] [--check FOLDER] FOLDER...
"""

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from benchmarks.fitting import learning, odds
from benchmarks.fitting.samples import LYING, NOTHING, Samples, gather
from companion.vision.figures import verdict as network
from companion.vision.figures.evidence import Evidence
from companion.vision.figures.verdict import CROP_SIDE
from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader

LEARNED = Path(network.__file__).with_name("learned.json")
ROUNDS, SEEDS = 100, (0, 1)
WHOLE, LIKELY = 0.9, 0.5


def parser() -> argparse.ArgumentParser:
    """Return what may be asked for."""
    asking = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asking.add_argument("folders", nargs="+", type=Path)
    asking.add_argument("--profile", type=Path, required=True)
    asking.add_argument("--odds", action="store_true", help="learn the log odds of pixels first (frames with masks)")
    asking.add_argument("--on", action="store_true", help="learn on from the networks there are, for poses")
    asking.add_argument("--rounds", type=int, default=ROUNDS)
    asking.add_argument("--check", type=Path, action="append", default=[], help="frames that are not learned from")
    asking.add_argument("--out", type=Path, default=LEARNED)
    return asking


def main() -> None:
    """Fit, tell how well it does on frames kept apart, and write."""
    asked = parser().parse_args()
    cv2.setNumThreads(1)
    kept = json.loads(LEARNED.read_text(encoding="utf-8"))
    profile = load_profile(asked.profile)
    eyes = TableReader(profile, keep_scenes=True)
    if asked.odds:
        found = odds.learn(eyes, asked.folders)
        if found is None:
            raise SystemExit("--odds: no frame in these folders has a mask beside it")
        kept["odds"] = np.round(found * 10).astype(int).tolist()
    log_odds = np.array(kept["odds"], dtype=np.float32) / 10
    eyes.whole.evidence = Evidence(profile.colours, log_odds)
    samples = gather(eyes, asked.folders, log_odds)
    if asked.on:
        starts = network.load_nets().each
        ends = [learning.learn(samples, asked.rounds, seed, net) for seed, net in enumerate(starts)]
        nets = network.Nets(starts, tuple(learning.between(*way) for way in zip(starts, ends, strict=True)))
        kept["poses"] = [packed(net) for net in nets.poses]
    else:
        nets = network.Nets(tuple(learning.learn(samples, asked.rounds, seed) for seed in SEEDS))
        kept |= {"nets": [packed(net) for net in nets.each], "poses": []}
    asked.out.write_text(json.dumps(kept), encoding="utf-8")
    print(f"learned from {len(samples)} candidates: {tell(nets, samples)}")
    if asked.check:
        print(f"kept apart: {tell(nets, gather(eyes, asked.check, log_odds))}")


def packed(net: network.Net) -> dict[str, dict[str, object]]:
    """Keep a network as text."""
    values = {"middle": net.middle, "spread": net.spread, **net.weights}
    return {name: network.pack(value) for name, value in values.items()}


def tell(nets: network.Nets, samples: Samples) -> str:
    """Return how many are judged wrongly."""
    edge = (samples.crops.shape[1] - CROP_SIDE) // 2
    chances = nets.answer(samples.crops[:, edge : edge + CROP_SIDE, edge : edge + CROP_SIDE], samples.measures)
    whole = (samples.kinds != NOTHING) & (samples.visible >= WHOLE)
    thought = chances[:, 0] < LIKELY
    lying = chances[:, LYING] > chances[:, 1]
    wrong = whole & (lying != (samples.kinds == LYING))
    others = samples.kinds == NOTHING
    return (
        f"{whole.sum()} figures, {wrong.sum()} poses wrong, {(whole & ~thought).sum()} not seen,"
        f" {(thought & others).sum()} of {others.sum()} others taken for figures"
    )


if __name__ == "__main__":
    main()
