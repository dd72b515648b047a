"""The chances to win, round by round, beside the record: found by playing on, so they may be thrown away."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from companion.table.record.files import put

if TYPE_CHECKING:
    from pathlib import Path

FOLDER: Final = "foresight"


def _file(folder: Path, game: str) -> Path:
    return folder / FOLDER / f"{game}.json"


def read(folder: Path, game: str) -> dict[int, dict[str, Any]]:
    """The estimate of each round that there is one of: of its `version`, after so many `playouts`, the `chances`."""
    try:
        raw = json.loads(_file(folder, game).read_text(encoding="utf-8"))
        return {int(number): dict(one) for number, one in sorted(raw.items(), key=lambda pair: int(pair[0]))}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def write(folder: Path, game: str, rounds: dict[int, dict[str, Any]]) -> None:
    """Keep them. A disk without room loses a curve, nothing else."""
    text = ",\n".join(f'"{number}": {json.dumps(one)}' for number, one in sorted(rounds.items()))
    with suppress(OSError):
        put(_file(folder, game), f"{{{text}}}\n".encode())
