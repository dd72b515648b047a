"""Compile the rules with mypyc, and prove that they play the same games as the interpreted ones."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
BUILD = HERE / "build" / "compiled"
COMPILED = ("companion/games/*.py", "companion/games/shelter/**/*.py")
INTERPRETED = ("companion/games/api.py", "companion/games/json_types.py", "companion/games/mat.py")
"""The ports: games that are not compiled inherit from them, which they cannot from a compiled class."""
SETUP = f"""
from pathlib import Path
from mypyc.build import mypycify
from setuptools import setup

files = sorted({{str(path) for pattern in {COMPILED} for path in Path().glob(pattern)}} - {{*{INTERPRETED}}})
setup(name="rules", ext_modules=mypycify(["--config-file", "mypy.ini", *files], opt_level="3", debug_level="0"))
"""


def build() -> None:
    """Make a tree beside the source in which the rules are compiled and everything else is the same."""
    shutil.rmtree(BUILD, ignore_errors=True)
    shutil.copytree(HERE / "companion", BUILD / "companion", ignore=shutil.ignore_patterns("__pycache__"))
    (BUILD / "setup.py").write_text(SETUP, encoding="utf-8")
    (BUILD / "mypy.ini").write_text("[mypy]\nstrict = True\n", encoding="utf-8")
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    done = subprocess.run(command, cwd=BUILD, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"The rules did not compile:\n{done.stdout}{done.stderr}")
    shutil.rmtree(BUILD / "build", ignore_errors=True)
    shutil.copy(
        HERE / "pyproject.toml", BUILD
    )  # after the build, which would take it for its own: the version is in it


def run(tree: Path, module: str, *arguments: str) -> dict[str, float]:
    """Run a module of the benchmarks on the rules of a tree; what it printed as JSON."""
    path = os.pathsep.join([str(tree), str(HERE)])
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        check=True,
        capture_output=True,
        text=True,
        cwd=tree,
        env={**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"},
    )
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


if __name__ == "__main__":
    build()
    compiled, interpreted = run(BUILD, "benchmarks.identical"), run(HERE, "benchmarks.identical")
    if compiled["digest"] != interpreted["digest"] or not compiled["compiled"] or interpreted["compiled"]:
        raise SystemExit(f"Compiled and interpreted games differ: {compiled} {interpreted}")
    print(f"Compiled into {BUILD}; {interpreted['games']} games from identical seeds are identical.")
