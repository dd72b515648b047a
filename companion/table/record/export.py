"""A game's story as one page that needs nothing else: the result, everybody's curve, every step."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.table.record.entries import RecordError
from companion.table.record.history import Story, story_of
from companion.table.record.verify import DATABASE, JOURNAL, inspect, of_database, of_journal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.record.entries import Damage, Entry
    from companion.table.record.history import StoryStep
    from companion.table.record.open_game import OpenGameState
    from companion.table.record.verify import Inspection


WIDTH, HEIGHT = 640, 200
PAINT: Final = {"red": "#d33", "blue": "#36c", "green": "#2a4", "yellow": "#b80"}
DASHES: Final = {"red": "", "blue": "6 3", "green": "2 3", "yellow": "9 3 2 3"}
STYLE: Final = (
    "body{font:16px/1.4 system-ui,sans-serif;margin:2em auto;max-width:44em;padding:0 1em}"
    "table{border-collapse:collapse;width:100%}td,th{padding:.2em .5em;border-bottom:1px solid #ccc;text-align:left}"
    "svg{width:100%;height:auto;border:1px solid #ccc}"
)


def as_html(story: Story) -> str:
    """Return a page that needs nothing else."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>Game {escape(story.game)}</title><style>{STYLE}</style></head><body>"
        f"<h1>Game {escape(story.game)}</h1>{_trouble(story)}{_standing(story)}{_curve(story)}{_steps(story)}"
        "</body></html>\n"
    )


def _trouble(story: Story) -> str:
    return f"<p><strong>{escape(story.trouble)}</strong></p>" if story.trouble else ""


def _standing(story: Story) -> str:
    state = story.state
    if state is None:
        return ""
    result = state["result"]
    head = f"Round {state['round']}, {state['phase']}."
    if result is not None:
        won = f"Won by {', '.join(result['winners'])}" if result["winners"] else "Won by nobody"
        head = f"{won} (decided by {result['decided_by']})." if "decided_by" in result else f"{won}."
    rows = "".join(
        f"<tr><th>{escape(str(player['name']))}</th><td>{escape(colour)}</td><td>{story.standing[colour]}</td></tr>"
        for colour, player in state["players"].items()
    )
    header = f"<tr><th>Player</th><th>Colour</th><th>{escape(_measure(story))}</th></tr>"
    return f"<p>{escape(head)}</p>{_agreed(state)}<table>{header}{rows}</table>"


def _agreed(state: OpenGameState) -> str:
    """Return the house rules that the game was played by, where there are any."""
    options = dict(state).get("options")
    rules = options.get("house_rules") if isinstance(options, dict) else None
    return f"<p>House rules: {escape(', '.join(rules))}.</p>" if rules else ""


def _measure(story: Story) -> str:
    return story.measure[:1].upper() + story.measure[1:]


def _curve(story: Story) -> str:
    """Draw one line a player; told apart by dashes and a word at its end too, not by paint alone."""
    if not story.steps:
        return ""
    top = max([1, *(value for step in story.steps for value in step.standing.values())])
    across = WIDTH * 0.85 / max(1, len(story.steps) - 1)
    lines = []
    for colour in story.colours:
        points = [
            (number * across, HEIGHT - 10 - (HEIGHT - 20) * step.standing.get(colour, 0) / top)
            for number, step in enumerate(story.steps)
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        paint, dash = PAINT.get(colour, "#555"), DASHES.get(colour, "")
        x, y = points[-1]
        lines.append(
            f'<polyline points="{path}" fill="none" stroke="{paint}" stroke-width="2" stroke-dasharray="{dash}"/>'
            f'<text x="{x + 4:.1f}" y="{y + 4:.1f}" fill="{paint}" font-size="12">{escape(colour)}</text>'
        )
    return f'<h2>{escape(_measure(story))}</h2><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img">{"".join(lines)}</svg>'


def _steps(story: Story) -> str:
    rows = "".join(
        f"<tr><td>{step.nth}</td><td>{step.round}</td><td>{escape(step.by)}</td><td>{escape(step.do)}</td>"
        f"<td>{escape(_what(step))}</td></tr>"
        for step in story.steps
    )
    head = "<tr><th>Entry</th><th>Round</th><th>Who</th><th>Did</th><th>What</th></tr>"
    return f"<h2>What happened</h2><table>{head}{rows}</table>"


COLUMNS: Final = ("nth", "at", "kind", "by", "do", "what", "round", "phase", "turn")


def as_journal(entries: Sequence[Entry]) -> str:
    """Return one entry a line, each with its hash: what `replay` and `restore` take."""
    return "".join(f"{entry.line}\n" for entry in entries)


def as_json(story: Story) -> str:
    """Return the story with the state at its end."""
    whole = {
        "id": story.game,
        "trouble": story.trouble,
        "steps": [_as_row(step, story.measure) for step in story.steps],
        "state": story.state,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def as_csv(story: Story) -> str:
    """Return one row an entry, with how everybody stood after it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, *(f"{story.measure} {colour}" for colour in story.colours)])
    for step in story.steps:
        row = _as_row(step, story.measure)
        standing = [step.standing.get(colour, "") for colour in story.colours]
        writer.writerow([*(_cell(row[column]) for column in COLUMNS), *standing])
    return out.getvalue()


def _as_row(step: StoryStep, measure: str) -> dict[str, object]:
    """Return a step by the names of the columns; how everybody stood is called by what it counts."""
    row = {name: _what(step) if name == "what" else getattr(step, name) for name in COLUMNS}
    return {**row, measure.replace(" ", "_"): step.standing}


def _what(step: StoryStep) -> str:
    """Return what was done, in a few words of the contract."""
    return " ".join(step.values)


def _cell(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value


def formats_of(story: Story) -> tuple[str, ...]:
    """Return the formats in which a table hands out this game now; a secret one follows after the end."""
    return tuple(kind for kind in FORMATS if story.over or kind not in SECRET_UNTIL_OVER)


SECRET_UNTIL_OVER: Final = frozenset({"journal"})
"""Formats that hold the seed, the order of every deck and every hand: at a table they are for after the end."""
FORMATS: Final = ("journal", "json", "csv", "html")


def exported(kind: str, entries: Sequence[Entry], story: Story | None = None) -> str:
    """Return a game in one of the formats; `story` is its own, where somebody has it already."""
    match kind:
        case "journal":
            return as_journal(entries)
        case "json":
            return as_json(story or story_of(entries))
        case "csv":
            return as_csv(story or story_of(entries))
        case "html":
            return as_html(story or story_of(entries))
        case _:
            raise ValueError(kind)


_SQLITE: Final = b"SQLite format 3\0"


class NoSuchGameError(RecordError):
    """There is no such game, or no telling which one is meant."""


@dataclass(frozen=True, slots=True)
class FoundGame:
    """A game's good entries, and what is wrong where they were found."""

    entries: list[Entry]
    damage: list[Damage]
    broken: bool


def find(name: str, folder: Path) -> FoundGame:
    """Return the game of that name in the record, or the game in that file."""
    path = Path(name)
    if path.is_file():
        return _of(of_file(path), None, str(path))
    return _of(inspect(folder), name, str(folder))


def of_file(path: Path) -> Inspection:
    """Inspect a backup, a record's own file, or an exported journal."""
    if path.name == DATABASE and (path.parent / JOURNAL).exists():
        return inspect(path.parent)
    if not path.is_file():
        raise RecordError(f"{path} is no file.")
    try:
        with path.open("rb") as file:
            head = file.read(len(_SQLITE))
        return of_database(path) if head == _SQLITE else of_journal(path)
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error


def _of(inspection: Inspection, name: str | None, where: str) -> FoundGame:
    games = inspection.games
    if name is None:
        name = inspection.current or ""
    matching = [game for game in games if game == name] or [game for game in games if name and game.startswith(name)]
    if len(matching) > 1:
        raise NoSuchGameError(f"{name} may be any of {', '.join(matching)}.")
    if not matching and not inspection.damage:
        raise NoSuchGameError(f"There is no game {name!r} in {where}." if name else f"{where} holds no game.")
    entries = games[matching[0]] if matching else []
    return FoundGame(entries, inspection.damage, inspection.broken or not entries)
