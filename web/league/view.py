"""A table of the league as a card, the standings as rows, and the evening to take away."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from web.base.words import name_of

if TYPE_CHECKING:
    from web.base.words import Words


@dataclass(frozen=True, slots=True)
class Player:
    colour: str
    name: str
    happiness: int | None
    on_turn: bool
    leads: bool


@dataclass(frozen=True, slots=True)
class TableCard:
    id: str
    seq: int
    name: str
    where: str
    colour: str
    title: str
    over: bool
    notes: list[str]
    players: list[Player]


@dataclass(frozen=True, slots=True)
class StandingRow:
    rank: int
    colour: str
    name: str
    games: int
    wins: int
    happiness: int
    cubes: int
    dwellers: int
    items: int


def id_of(name: str) -> str:
    """Return a card's id in the page, whatever its table is called."""
    return f"t-{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def here(picture: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tables that are there; the others have vanished."""
    return [table for table in picture["tables"] if table["online"] and table["state"] is not None]


def away(picture: dict[str, Any]) -> list[str]:
    """Return who was there and is not now."""
    return [table["name"] for table in picture["tables"] if not table["online"] and table["state"] is not None]


def card(words: Words, table: dict[str, Any]) -> TableCard:
    state = table["state"]
    over = state["phase"] == "over"
    colour, title = _title(words, state)
    where = [words.text("round", n=state["round"])] if state["round"] else []
    if colour or not title:
        key = f"phase_{state['phase']}"
        where.append(words.text(key) if words.has(key) else state["phase"])
    notes = [words.text("last_round")] if state["last_round"] and not over else []
    if state["disagreements"]:
        notes.append(words.text("league_disagrees"))
    return TableCard(
        id=id_of(table["name"]),
        seq=state["seq"],
        name=table["name"],
        where=" · ".join(where),
        colour=colour,
        title=title,
        over=over,
        notes=notes,
        players=_players(words, state),
    )


def _players(words: Words, state: dict[str, Any]) -> list[Player]:
    happy = {colour: player["happiness"] for colour, player in state["players"].items()}
    most = max((one for one in happy.values() if one is not None), default=0)
    return [
        Player(
            colour,
            name_of(words, state, colour),
            happy[colour],
            on_turn=state["phase"] == "place" and state["turn"] == colour,
            leads=colour in state["winners"] if state["winners"] else bool(most) and happy[colour] == most,
        )
        for colour in state["players"]
    ]


def _title(words: Words, state: dict[str, Any]) -> tuple[str, str]:
    """Return the one thing to know: who is to play, who has won, or what is being done."""
    winners = [colour for colour in state["winners"] if colour in state["players"]]
    if state["phase"] == "over" and winners:
        names = ", ".join(name_of(words, state, colour) for colour in winners)
        return winners[0], words.text("won" if len(winners) == 1 else "won_shared", names=names)
    if state["phase"] == "place" and state["turn"] in state["players"]:
        return state["turn"], words.text("turn_of", name=name_of(words, state, state["turn"]))
    key = f"title_{state['phase']}"
    return "", words.text(key) if words.has(key) else ""


def rows(words: Words, standings: list[dict[str, Any]]) -> list[StandingRow]:
    """Return the standings; a bare colour is called by its table."""
    return [
        StandingRow(
            rank=one["rank"],
            colour="" if one["name"] else one["colour"],
            name=one["name"] or f"{words.text('colour_' + one['colour'])}, {one['table']}",
            **{kind: one[kind] for kind in ("games", "wins", "happiness", "cubes", "dwellers", "items")},
        )
        for one in standings
    ]


def since(words: Words, picture: dict[str, Any]) -> str:
    """Return when the evening began, by the clock of the machine that shows it."""
    told = datetime.fromisoformat(picture["since"])
    return words.text("league_since", day=f"{told:%d.%m.}", time=f"{told:%H:%M}")


STANDINGS: Final = ("rank", "name", "table", "colour", "games", "wins", "happiness", "cubes", "dwellers", "items")
RESULTS: Final = ("ended", "table", "game", "rounds", "decided_by", "colour", "name", "won")
SCORES: Final = ("happiness", "cubes", "dwellers", "items")
BEGINS_A_FORMULA: Final = ("=", "+", "-", "@", "\t")


def standings_csv(picture: dict[str, Any]) -> str:
    return _table(STANDINGS, [[one[key] for key in STANDINGS] for one in picture["standings"]])


def games_csv(picture: dict[str, Any]) -> str:
    """Return every player of every game, a line each."""
    lines = [
        [*(result[key] for key in RESULTS[:5]), colour, score["name"], int(score["won"]), *(score[k] for k in SCORES)]
        for result in picture["results"]
        for colour, score in result["players"].items()
    ]
    return _table((*RESULTS, *SCORES), lines)


def as_json(picture: dict[str, Any]) -> str:
    """Return standings and games, without what the tables are doing now."""
    kept = {key: picture[key] for key in ("since", "standings", "results")}
    return json.dumps(kept, ensure_ascii=False, indent=1) + "\n"


def _table(head: tuple[str, ...], lines: list[list[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([[_harmless(value) for value in line] for line in lines])
    return out.getvalue()


def _harmless(value: Any) -> Any:
    """Quote a name that a spreadsheet would take for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(BEGINS_A_FORMULA) else value
