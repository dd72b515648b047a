"""Trouble is said once: what comes again and again fills no log, in whatever order it comes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

MOST: Final = 20
"""So many different things about one matter; whoever goes on to invent new ones is not quoted."""


def on_stderr(line: str) -> None:
    """For whoever reads the log."""
    sys.stderr.write(line + "\n")


class Once:
    """Says each line about a matter a single time, until the matter is settled."""

    def __init__(self, say: Callable[[str], None] = on_stderr, matter: str = "MQTT") -> None:
        self._say = say
        self._matter = matter
        self._said: dict[str, set[str]] = {}

    def say(self, about: str, line: str) -> None:
        """Say it, unless it was said."""
        said = self._said.setdefault(about, set())
        if line not in said and len(said) < MOST:
            said.add(line)
            self._say(f"{self._matter}: {line}")

    def settled(self, about: str) -> None:
        """From here on it is news again."""
        self._said.pop(about, None)
