"""Measure the first command of a newcomer: how soon a fresh clone plays, and how soon it plays again."""

from __future__ import annotations

import os
import re
import signal
import statistics
import subprocess
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Final
from urllib.request import urlopen

HERE: Final = Path(__file__).resolve().parent.parent
AGAIN: Final = 5
NOT_A_NEWCOMERS: Final = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV")
PATIENCE: Final = 60


def opened(clone: Path, data: Path) -> float:
    """Return the seconds from `./run` to the first state on its pages."""
    environment = {name: value for name, value in os.environ.items() if name not in NOT_A_NEWCOMERS}
    environment |= {"COMPANION_DATA": str(data), "PATH": _path_without_a_venv()}
    began = perf_counter()
    with subprocess.Popen(
        ["./run"],
        cwd=clone,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            with urlopen(f"{_address(process)}/api/state", timeout=PATIENCE) as answer:  # noqa: S310 - our own address
                answer.read()
            return perf_counter() - began
        finally:
            os.killpg(process.pid, signal.SIGTERM)


def _address(process: subprocess.Popen[str]) -> str:
    """Return where it says that it plays."""
    said = []
    for line in process.stdout or ():
        said.append(line)
        if found := re.search(r"http://[^/\s]+", line):
            return found[0]
    raise RuntimeError("./run told no address: " + "".join(said))


def _path_without_a_venv() -> str:
    inside = os.environ.get("VIRTUAL_ENV", str(HERE / ".venv"))
    return os.pathsep.join(part for part in os.environ["PATH"].split(os.pathsep) if not part.startswith(inside))


def measure() -> dict[str, float]:
    """Time a clone of what is committed. The wheels are there: pip has them in its cache from this environment."""
    with tempfile.TemporaryDirectory() as name:
        clone, data = Path(name) / "clone", Path(name) / "data"
        subprocess.run(["git", "clone", "--quiet", str(HERE), str(clone)], check=True)
        return {
            "first_s": opened(clone, data),
            "again_s": statistics.median(opened(clone, data) for _ in range(AGAIN)),
        }
