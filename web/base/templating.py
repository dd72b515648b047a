"""How templates are read: what lays out their source is not sent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jinja2.ext import Extension

if TYPE_CHECKING:
    from jinja2 import Environment

LAYOUT: Final = re.compile(r"^[ \t]+|[ \t]+(?=/>)", re.MULTILINE)


class Unindented(Extension):
    """A source without the indentation of its lines and the space before `/>`."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002 - Jinja's
        """Return the source as it is compiled; its lines keep their numbers."""
        return LAYOUT.sub("", source)


def install(environment: Environment) -> None:
    """Leave out of every page what lays out its template: indentation, and the lines of Jinja's own tags."""
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.add_extension(Unindented)
