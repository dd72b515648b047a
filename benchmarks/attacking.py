"""Send hostile requests to every game's pages: none may be answered by 500, nothing may grow."""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
REQUESTS = 20_000
AT_ONCE = 8
RAW = 1_000
WARM = 2_000
"""Requests after which everything has been loaded, and memory is looked at for the first time."""


def attack(requests: int = REQUESTS) -> dict[str, float]:
    """Send so many, a third of them to each game, half of them several at a time; a failure says how to repeat it."""
    sys.path.insert(0, str(HERE / "tests" / "web"))
    hostile: Any = importlib.import_module("hostile")
    hostile.with_pig()
    sent = statuses = 0
    grown = 0.0
    leftovers = [0, 0, 0]
    for game in hostile.GAMES:
        with tempfile.TemporaryDirectory() as folder:
            tempfile.tempdir = str(Path(folder) / "temporary")  # other programs use the usual one
            Path(tempfile.tempdir).mkdir()
            attacked = hostile.Attack(game, f"soak {game}", Path(folder) / "data")
            attacked.run(WARM, at_once=AT_ONCE)
            memory, before = hostile.resident(), hostile.leftovers()
            attacked.run(requests // 6)
            attacked.run(requests // 6, at_once=AT_ONCE)
            grown = max(grown, hostile.resident() - memory)
            left = [now - then for now, then in zip(hostile.leftovers(), before, strict=True)]
            leftovers = list(map(max, leftovers, left))
            sent += sum(attacked.codes.values())
            statuses = max(statuses, len(attacked.codes))
            hostile.raw_bytes(attacked.house.serve(), "soak", RAW // 3)
            attacked.close()
        tempfile.tempdir = None
    threads, files, temporary = leftovers
    return {
        "sent": sent,
        "raw": RAW // 3 * 3,
        "statuses": statuses,
        "grown": grown,
        "threads": threads,
        "files": files,
        "temporary": temporary,
    }
