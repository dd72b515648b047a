"""The hardware bench: the companion's own code on simulated chips and cameras, measured in a guest."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path

RUN = Path(__file__).resolve().parent.parent / "tests" / "bench" / "run"


def measure() -> dict[str, float | str]:
    """Boot the bench, run its tests, and bring its figures; a test that fails there ends the benchmark."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        done = subprocess.run([RUN], env={**os.environ, "RESULT": str(result)}, check=False)
        if done.returncode != 0:
            raise SystemExit(f"the hardware bench has failed ({done.returncode}): run tests/bench/run to see it alone")
        figures: dict[str, float | str] = json.loads(result.read_text(encoding="utf-8"))
    return figures
