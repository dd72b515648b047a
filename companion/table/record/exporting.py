"""A game for elsewhere: its journal, which can be replayed, or what happened as JSON, a table or a page."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, Final

from companion.table.record.export import page
from companion.table.record.history import Story, told

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.table.record.entries import Entry

COLUMNS: Final = ("nth", "at", "kind", "by", "do", "what", "round", "phase", "turn")


def as_journal(entries: Sequence[Entry]) -> str:
    """One entry a line, each with its hash: what `replay` and `restore` take."""
    return "".join(f"{entry.line}\n" for entry in entries)


def as_json(entries: Sequence[Entry]) -> str:
    """The story with the state at its end."""
    story = told(entries)
    whole = {
        "id": story.game,
        "trouble": story.trouble,
        "steps": [step.as_json(story.measure) for step in story.steps],
        "state": story.state,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def as_csv(entries: Sequence[Entry]) -> str:
    """One row an entry, with how everybody stood after it."""
    story = told(entries)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, *(f"{story.measure} {colour}" for colour in story.colours)])
    for step in story.steps:
        row = step.as_json(story.measure)
        standing = [step.standing.get(colour, "") for colour in story.colours]
        writer.writerow([*(_cell(row[column]) for column in COLUMNS), *standing])
    return out.getvalue()


def _cell(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value


def formats_of(story: Story) -> tuple[str, ...]:
    """The formats in which a table hands out this game now; a secret one follows after the end."""
    return tuple(kind for kind in FORMATS if story.over or kind not in SECRET_UNTIL_OVER)


def as_html(entries: Sequence[Entry]) -> str:
    """A page that needs nothing else."""
    story: Story = told(entries)
    return page(story)


SECRET_UNTIL_OVER: Final = frozenset({"journal"})
"""Formats that hold the seed, the order of every deck and every hand: at a table they are for after the end."""

FORMATS: Final[dict[str, Callable[[Sequence[Entry]], str]]] = {
    "journal": as_journal,
    "json": as_json,
    "csv": as_csv,
    "html": as_html,
}
