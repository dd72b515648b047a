"""Compile rules and bots with mypyc behind everything else, and take what plays the same games as the sources."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict

from companion.compiled.modules import FAILED, MANIFEST, PACKAGE, SOURCES_ALONE, VARIABLE, Failure, failure, key

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPILED: Final = (
    "games/*.py",
    "games/shelter/**/*.py",
    "seeded_chance.py",
    "bots/worth/*.py",
    "bots/policy/greedy.py",
    "bots/policy/policy.py",
    "bots/policy/search.py",
)
INTERPRETED: Final = (
    "games/api.py",
    "games/json_types.py",
    "games/mat.py",
    "bots/worth/learned.py",
    "bots/worth/vats.py",
)
"""The ports: games that are not compiled inherit from them, which they cannot from a compiled class. Then a module that
reads the file beside it, and what bots know of the other game, whose rules are not compiled."""
TOOLS: Final = PACKAGE.parent / "requirements-compile.txt"
OPTIMIZATION: Final = "COMPANION_COMPILE_LEVEL"
"""Of the C compiler, 0 to 3; 3 without it."""
LONGEST: Final = 3600
"""Seconds: a compiler that has not ended by then never will."""
LOWEST: Final = 19
SETUP: Final = """
from mypyc.build import mypycify
from setuptools import setup

from companion.compiled.build import compiler_options, modules

setup(name="rules", ext_modules=mypycify(compiler_options(modules("companion")), **{level}))
"""
PLAY: Final = """
from companion.compiled import modules
modules.use()
from companion.compiled.games import report
print(report())
"""


class Unavailable(Exception):  # noqa: N818 - no fault: most machines have no compiler
    """What this machine lacks for compiling."""


class BuildFailed(Exception):  # noqa: N818 - that is what it is
    """A build that came to nothing: why, and whether the same would happen again."""

    def __init__(self, why: str, *, final: bool = True) -> None:
        super().__init__(why)
        self.final = final


class DigestsPlayed(TypedDict):
    digest: str
    games: int
    compiled: bool


def modules(package: str) -> list[str]:
    """Return the files that are compiled, as they lie in a tree. Packages stay what they are: they hold no rule."""
    root = Path(package)
    found = {path for pattern in COMPILED for path in root.glob(pattern) if path.name != "__init__.py"}
    return sorted(str(path) for path in found - {root / name for name in INTERPRETED})


def compiler_options(files: list[str]) -> list[str]:
    """Return what mypyc is given: strict types, and no configuration of whoever builds.

    What the files import is judged elsewhere: a wheel is built where NumPy and the other libraries are not.
    """
    return ["--strict", "--config-file=", "--follow-imports=silent", *files]


def compiler() -> str:
    """Return the C compiler; raise `Unavailable` where there is none, or no headers of this Python."""
    named = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    found = next((path for path in map(shutil.which, (named, "gcc", "cc", "clang")) if path), None)
    if found is None:
        raise Unavailable("There is no C compiler. On Debian or Raspberry Pi OS: apt install gcc python3-dev")
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        raise Unavailable(
            "The headers of this Python are missing. On Debian or Raspberry Pi OS: apt install python3-dev"
        )
    return found


def build(folder: Path, tools: Path = TOOLS) -> str:
    """Build into a folder of its own unless it is there already, prove it, and take it; return one line about it."""
    wanted = key()
    if (folder / wanted / MANIFEST).is_file():
        return "The rules are compiled already."
    used = compiler()
    _step_back()
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        aside = folder / "new"
        shutil.rmtree(aside, ignore_errors=True)
        try:
            environment = _tools(aside, tools, used)
            _compile(aside, environment)
            _collect(aside / "source", aside / wanted)
            played = _proved(aside)
            _take(aside / wanted, folder / wanted)
        except BuildFailed as failed:
            _write(folder / FAILED, Failure(key=wanted, why=str(failed), final=failed.final))
            raise
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    return f"The rules are compiled; {played} games from identical seeds are identical."


def is_hopeless(folder: Path) -> bool:
    """Return whether the last build of these sources failed in a way that would repeat itself."""
    failed = failure(folder)
    return failed is not None and failed["final"]


def _step_back() -> None:
    """Compile behind everything else on this machine, for the processor and for the disk."""
    os.nice(LOWEST)
    if shutil.which("ionice"):
        subprocess.run(["ionice", "-c", "3", "-p", str(os.getpid())], check=False, capture_output=True)  # noqa: S603, S607


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep others from building here at the same time; a process that ends lets go."""
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Unavailable("The rules are being compiled.") from error
        yield


def _tools(aside: Path, tools: Path, used: str) -> dict[str, str]:
    """Return an environment with mypyc: that of this Python, or one that is brought for this build alone."""
    aside.mkdir()
    path = [str(aside / "source")]
    if find_spec("mypyc") is None or find_spec("setuptools") is None:
        if not tools.is_file():
            raise BuildFailed(f"mypy is not installed, and there is no {tools.name} that says which is needed.")
        brought = aside / "tools"
        asked = ("install", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes")
        pip = [sys.executable, "-m", "pip", *asked, "--target", str(brought), "-r", str(tools)]
        _run(pip, aside, dict(os.environ), "mypy could not be brought", final=False)
        path.append(str(brought))
    return {**os.environ, "CC": used, "PYTHONPATH": os.pathsep.join(path), VARIABLE: SOURCES_ALONE}


def _compile(aside: Path, environment: dict[str, str]) -> None:
    source = aside / "source"
    shutil.copytree(PACKAGE, source / PACKAGE.name, ignore=_what_is_no_source)
    level = {"opt_level": environment.get(OPTIMIZATION, "3"), "debug_level": "0"}
    (source / "setup.py").write_text(SETUP.format(level=level), encoding="utf-8")
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    _run(command, source, environment, "The rules did not compile")


def _what_is_no_source(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not name.endswith((".py", ".pyi")) and not (Path(folder) / name).is_dir()] + [
        "__pycache__"
    ]


def _collect(source: Path, target: Path) -> None:
    """Move what was compiled to a folder of its own, with a list of it."""
    target.mkdir()
    found: dict[str, tuple[str, int]] = {}
    library = ""
    for path in sorted((*source.glob("*.so"), *(source / PACKAGE.name).rglob("*.so"))):
        name = ".".join((*path.parent.relative_to(source).parts, path.name.partition(".")[0]))
        moved = target / f"{name}.so"
        shutil.move(path, moved)
        found[name] = (moved.name, moved.stat().st_size)
        library = name if name.endswith("__mypyc") else library
    if not library:
        raise BuildFailed("The rules did not compile: no library came of it.")
    _write(target / MANIFEST, {"library": library, "files": found})


def _proved(aside: Path) -> int:
    """Play the same games with both; return how many, or raise where they differ."""
    compiled, plain = (_played(where) for where in (str(aside), SOURCES_ALONE))
    if compiled["digest"] != plain["digest"] or not compiled["compiled"] or plain["compiled"]:
        raise BuildFailed("Compiled and interpreted games differ.")
    return plain["games"]


def _played(where: str) -> DigestsPlayed:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), VARIABLE: where}
    said = _run([sys.executable, "-c", PLAY], PACKAGE.parent, environment, "The games could not be played")
    found: DigestsPlayed = json.loads(said.splitlines()[-1])
    return found


def _run(command: list[str], folder: Path, environment: dict[str, str], what: str, *, final: bool = True) -> str:
    """Run a command of this build; where it fails, raise with the last line that it said."""
    try:
        done = subprocess.run(  # noqa: S603 - our own commands, and no word of them comes from outside
            command,
            cwd=folder,
            env=environment,
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=LONGEST,
        )
    except subprocess.TimeoutExpired as error:
        raise BuildFailed(f"{what}: it took more than {LONGEST} s.", final=final) from error
    if done.returncode:
        said = [line.strip() for line in (done.stdout + "\n" + done.stderr).splitlines() if line.strip()]
        telling = [line for line in said if "error" in line.lower()] or said or [f"it ended with {done.returncode}"]
        raise BuildFailed(f"{what}: {telling[-1]}", final=final)
    return done.stdout


def _take(built: Path, target: Path) -> None:
    """Put a proved build in its place, whole or not at all, and clear the others away."""
    for path in built.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())
    shutil.rmtree(target, ignore_errors=True)  # one that was damaged
    built.rename(target)
    for old in target.parent.iterdir():
        if old.is_dir() and old not in (target, built.parent):
            shutil.rmtree(old, ignore_errors=True)
    with suppress(FileNotFoundError):
        (target.parent / FAILED).unlink()


def _write(path: Path, what: object) -> None:
    new = path.with_suffix(".tmp")
    new.write_text(json.dumps(what), encoding="utf-8")
    new.replace(path)
