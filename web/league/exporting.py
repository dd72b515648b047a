"""The evening to take away: for a spreadsheet, or for a program."""

from __future__ import annotations

import csv
import io
import json
from typing import Any, Final

STANDINGS: Final = ("rank", "name", "table", "colour", "games", "wins", "happiness", "cubes", "dwellers", "items")
RESULTS: Final = ("ended", "table", "game", "rounds", "decided_by", "colour", "name", "won")
SCORES: Final = ("happiness", "cubes", "dwellers", "items")
BEGINS_A_FORMULA: Final = ("=", "+", "-", "@", "\t")


def standings_csv(picture: dict[str, Any]) -> str:
    """The standings, a line each."""
    return _table(STANDINGS, [[one[key] for key in STANDINGS] for one in picture["standings"]])


def games_csv(picture: dict[str, Any]) -> str:
    """Every player of every game, a line each."""
    lines = [
        [*(result[key] for key in RESULTS[:5]), colour, score["name"], int(score["won"]), *(score[k] for k in SCORES)]
        for result in picture["results"]
        for colour, score in result["players"].items()
    ]
    return _table((*RESULTS, *SCORES), lines)


def as_json(picture: dict[str, Any]) -> str:
    """Standings and games, without what the tables are doing now."""
    kept = {key: picture[key] for key in ("since", "standings", "results")}
    return json.dumps(kept, ensure_ascii=False, indent=1) + "\n"


def _table(head: tuple[str, ...], lines: list[list[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([[_harmless(value) for value in line] for line in lines])
    return out.getvalue()


def _harmless(value: Any) -> Any:
    """A name that a spreadsheet would take for a formula is a text."""
    return f"'{value}" if isinstance(value, str) and value.startswith(BEGINS_A_FORMULA) else value
