"""Load compiled rules in place of their sources, where they were built from exactly these for this Python."""

from __future__ import annotations

import json
import os
import sys
from hashlib import sha256
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

VARIABLE: Final = "COMPANION_RULES"
"""`python` keeps to the sources; anything else is the folder of the builds."""
SOURCES_ALONE: Final = "python"
BUILDS: Final = Path(sys.prefix) / "compiled-rules"
PACKAGE: Final = Path(__file__).parents[1]
ABI: Final = EXTENSION_SUFFIXES[0].strip(".").removesuffix(".so")
"""Of Python and the machine, as in `cpython-311-aarch64-linux-gnu`."""
MANIFEST: Final = "manifest.json"
FAILED: Final = "failed.json"
RULES: Final = ("companion.games", "companion.bots", "companion.seeded_chance")
"""Where anything compiled may lie: whatever of it is imported first, all of it comes from the same build."""
REFERRED_TO: Final = (
    "bots/policy/*.py",
    "bots/study/tally.py",
    "bots/worth/*.py",
    "cards/**/*.py",
    "games/*.py",
    "games/shelter/**/*.py",
    "refusal.py",
    "seeded_chance.py",
)
"""The rules, the bots, and what they were compiled against: a field that moved would be looked for where it was."""


class Manifest(TypedDict):
    """What a build consists of."""

    library: str
    files: dict[str, tuple[str, int]]
    """Each module's file in the build, and its size."""


class Failure(TypedDict):
    """Why the last build of these sources came to nothing."""

    key: str
    why: str
    final: bool
    """Whether the same would happen again; a missing network may be there next time."""


def builds(environment: dict[str, str] | None = None) -> Path | None:
    """Return the folder of the builds; None where the sources shall run."""
    wanted = (os.environ if environment is None else environment).get(VARIABLE, "")
    return None if wanted == SOURCES_ALONE else Path(wanted) if wanted else BUILDS


def key(package: Path = PACKAGE) -> str:
    """Return the name of the build that fits: of version, sources, Python and machine."""
    found = sha256(f"{_version_line(package.parent)}\0{ABI}\0{sys.version_info[:2]}".encode())
    for pattern in REFERRED_TO:
        for path in sorted(package.glob(pattern)):
            found.update(f"\0{path.relative_to(package)}\0".encode())
            found.update(path.read_bytes())
    return f"{found.hexdigest()[:16]}-{ABI}"


def _version_line(tree: Path) -> str:
    """Return the line with the version of a tree; an installed package has its own folder of builds."""
    try:
        lines = (tree / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line for line in lines if line.startswith("version = ")), "")


class CompiledRules:
    """A finder of modules. It looks for a build when the first module of the rules is asked for, and not before."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._files: dict[str, Path] | None = None
        self.fault = ""
        """Why a build that fits cannot be loaded."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where the compiled module is; None leaves it to its source."""
        del path, target
        if self._files is None:
            if not name.startswith(RULES):
                return None
            self.look()
        file = (self._files or {}).get(name)
        return None if file is None else spec_from_file_location(name, file)

    def look(self) -> bool:
        """Look for a build, once, and load its library; return whether there is one."""
        if self._files is None:
            self._files = {}
            try:
                library, self._files = _whole(self.folder / key())
                import_module(library)
            except FileNotFoundError:
                self._files = {}
            except (OSError, ValueError, KeyError, TypeError, ImportError) as error:
                self._files, self.fault = {}, f"{type(error).__name__}: {error}"
        return bool(self._files)


def _whole(build: Path) -> tuple[str, dict[str, Path]]:
    """Return the library of a build and the file of each module; raise where one is missing or cut short."""
    manifest: Manifest = json.loads((build / MANIFEST).read_text(encoding="utf-8"))
    found = {}
    for name, (file, size) in manifest["files"].items():
        found[name] = build / file
        if found[name].stat().st_size != size:
            raise ImportError(f"{file} is cut short")
    return str(manifest["library"]), found


def use() -> None:
    """Have the rules loaded from a build from now on, where there is one that fits."""
    folder = builds()
    if folder is not None and _finder() is None:
        sys.meta_path.insert(0, CompiledRules(folder))


def _finder() -> CompiledRules | None:
    return next((one for one in sys.meta_path if isinstance(one, CompiledRules)), None)


def in_use() -> bool:
    """Return whether this process takes the rules from a build."""
    finder = _finder()
    return finder is not None and finder.look()


def fault() -> str:
    """Return why there is no build to take, where one was tried; empty where there is one, or none was tried."""
    finder = _finder()
    if finder is None or finder.look():
        return ""
    failed = failure(finder.folder)
    return finder.fault or ("" if failed is None else failed["why"])


def failure(folder: Path) -> Failure | None:
    """Return why the last build of these very sources failed, if it did."""
    try:
        found: Failure = json.loads((folder / FAILED).read_text(encoding="utf-8"))
        return found if found["key"] == key() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
