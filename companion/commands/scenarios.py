"""`companion scenario`: runs scenario files and says what does not hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from companion.cards.faults import PackFaults
from companion.cards.loader import builtin, builtin_names
from companion.games.refusal import Refusal
from companion.games.shelter.box import Box
from companion.games.shelter.scenario import run
from companion.luck import SeededLuck


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def scenario(files: tuple[Path, ...]) -> None:
    """Run scenario FILES; print each failure."""
    boxes: dict[str, Box] = {}
    failed = 0
    for file in files:
        problems = _problems_of(file, boxes)
        failed += bool(problems)
        for problem in problems:
            click.echo(f"{file}: {problem}", err=True)
    click.echo(f"{len(files) - failed} passed, {failed} failed")
    if failed:
        raise SystemExit(1)


def _problems_of(file: Path, boxes: dict[str, Box]) -> list[str]:
    try:
        raw = read_scenario(file)
        return run(raw, _box(raw, boxes), SeededLuck(raw.get("seed", 0)))
    except Refusal as refusal:
        return [f"malformed: {refusal.message}"]


def read_scenario(file: Path) -> dict[str, Any]:
    """A scenario file as an object."""
    try:
        raw = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise Refusal("unreadable", None, f"cannot be read: {error.strerror}") from error
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal("malformed", None, f"is not JSON: {error}") from error
    if not isinstance(raw, dict):
        raise Refusal("malformed", None, "is not an object")
    return raw


def _box(raw: dict[str, Any], boxes: dict[str, Box]) -> Box:
    pack = raw.get("pack", "standard")
    if not isinstance(pack, str) or pack not in builtin_names():
        raise Refusal("malformed", None, f"there is no pack {str(pack)[:60]!r}", field="pack")
    if pack not in boxes:
        try:
            boxes[pack] = Box(builtin(pack))
        except PackFaults as faults:
            raise Refusal("malformed", None, f"pack {pack}: {faults}") from faults
    return boxes[pack]
