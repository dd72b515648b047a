"""Compile the rules for measurements, and run modules of the benchmarks on them or on their sources."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from companion.compiled import build as building
from companion.compiled.build import BuildFailed, Unavailable
from companion.compiled.modules import SOURCES_ALONE, VARIABLE

HERE = Path(__file__).resolve().parent.parent
BUILD = HERE / "build" / "compiled"


def build() -> None:
    """Build into a folder of the tree, unless these sources are built there.

    A build steps back behind everything else for good, for processor and disk: in a process of its own, or everything
    that is measured after it would.
    """
    subprocess.run([sys.executable, "-m", "benchmarks.compiling"], check=True, cwd=HERE)


def _built() -> str:
    try:
        return building.build(BUILD)
    except (Unavailable, BuildFailed) as reason:
        raise SystemExit(str(reason)) from reason


def run(rules: Path | None, module: str, *arguments: str) -> dict[str, float]:
    """Run a module of the benchmarks on compiled rules, or on their sources; what it printed as JSON."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        check=True,
        capture_output=True,
        text=True,
        cwd=HERE,
        env={**os.environ, "PYTHONPATH": str(HERE), VARIABLE: SOURCES_ALONE if rules is None else str(rules)},
    )
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


if __name__ == "__main__":
    print(f"{_built()} It is in {BUILD}.")
