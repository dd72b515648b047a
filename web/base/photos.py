"""Pictures of games that were put away, beside the record."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from companion.refusal import Refusal
from companion.table.record.files import put
from web.base.films import newest

if TYPE_CHECKING:
    from pathlib import Path

    from companion.table.ports import Sight

FOLDER: Final = "photos"
_NAME: Final = re.compile(r"[\w-]+\.jpg", re.ASCII)


def take(folder: Path, sight: Sight, game: str, version: int) -> str | None:
    """A picture of the table as it lies now; its name, or None where no camera gives one."""
    try:
        picture = newest(sight)
    except Refusal:
        return None
    name = f"{game}-{version}.jpg"
    try:
        put(folder / FOLDER / name, picture.jpeg)
    except OSError:
        return None  # a game can be put away without its picture
    return name


def find(folder: Path, name: str) -> Path:
    """The file of a picture, or a refusal."""
    path = folder / FOLDER / name
    if not _NAME.fullmatch(name) or not path.is_file():
        raise Refusal("no_such_photo", None, "There is no such picture.")
    return path
