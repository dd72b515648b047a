"""The version of the companion, and whether its rules run compiled."""

from __future__ import annotations

from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

from companion.compiled.modules import in_use

NAME: Final = "table-companion"
UNKNOWN: Final = "unknown"
TREE: Final = Path(__file__).parents[1]
RULES: Final = Path(__file__).parent / "games"


@cache
def version(tree: Path = TREE, name: str = NAME) -> str:
    """Return the version: of the source tree where there is one, else of the installed package.

    The tree is asked first, since an editable installation keeps the version of the day it was installed.
    """
    import tomllib  # noqa: PLC0415 - only who asks for the version pays for these two
    from importlib import metadata  # noqa: PLC0415

    try:
        project = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        if project["name"] == name:
            return str(project["version"])
    except (OSError, ValueError, KeyError):
        pass  # no tree of ours: this is installed, or a compiled copy of the packages alone
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return UNKNOWN


def runs_compiled(rules: Path = RULES) -> bool:
    """Return whether Python loads the rules as extension modules: of a build, or beside the sources as in a wheel."""
    return in_use() or any(path.name.endswith(tuple(EXTENSION_SUFFIXES)) for path in rules.rglob("*"))


def described() -> str:
    """Return both in one line."""
    return f"companion {version()}, rules {'compiled' if runs_compiled() else 'interpreted'}"
