"""A table of the league as a card, the standings as rows, and the evening to take away."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from web.base.words import name_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.league_picture import LeaguePicture, LeagueTableJson, StandingJson, StateInShort
    from web.base.words import Words


@dataclass(frozen=True, slots=True)
class LeaguePlayer:
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
    players: list[LeaguePlayer]


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


def here(picture: LeaguePicture) -> list[tuple[LeagueTableJson, StateInShort]]:
    """Return the tables that are there; the others have vanished."""
    return [(table, state) for table in picture["tables"] if table["online"] and (state := table["state"]) is not None]


def away(picture: LeaguePicture) -> list[str]:
    """Return who was there and is not now."""
    return [table["name"] for table in picture["tables"] if not table["online"] and table["state"] is not None]


def card(words: Words, table: LeagueTableJson, state: StateInShort) -> TableCard:
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


def _players(words: Words, state: StateInShort) -> list[LeaguePlayer]:
    happy = {colour: player["happiness"] for colour, player in state["players"].items()}
    most = max((one for one in happy.values() if one is not None), default=0)
    return [
        LeaguePlayer(
            colour,
            name_of(words, state, colour),
            happy[colour],
            on_turn=state["phase"] == "place" and state["turn"] == colour,
            leads=colour in state["winners"] if state["winners"] else bool(most) and happy[colour] == most,
        )
        for colour in state["players"]
    ]


def _title(words: Words, state: StateInShort) -> tuple[str, str]:
    """Return the one thing to know: who is to play, who has won, or what is being done."""
    winners = [colour for colour in state["winners"] if colour in state["players"]]
    if state["phase"] == "over" and winners:
        names = ", ".join(name_of(words, state, colour) for colour in winners)
        return winners[0], words.text("won" if len(winners) == 1 else "won_shared", names=names)
    turn = state["turn"]
    if state["phase"] == "place" and turn is not None and turn in state["players"]:
        return turn, words.text("turn_of", name=name_of(words, state, turn))
    key = f"title_{state['phase']}"
    return "", words.text(key) if words.has(key) else ""


def rows(words: Words, standings: list[StandingJson]) -> list[StandingRow]:
    """Return the standings; a bare colour is called by its table."""
    return [
        StandingRow(
            rank=one["rank"],
            colour="" if one["name"] else one["colour"],
            name=one["name"] or f"{words.text('colour_' + one['colour'])}, {one['table']}",
            games=one["games"],
            wins=one["wins"],
            happiness=one["happiness"],
            cubes=one["cubes"],
            dwellers=one["dwellers"],
            items=one["items"],
        )
        for one in standings
    ]


def since(words: Words, picture: LeaguePicture) -> str:
    """Return when the evening began, by the clock of the machine that shows it."""
    told = datetime.fromisoformat(picture["since"])
    return words.text("league_since", day=f"{told:%d.%m.}", time=f"{told:%H:%M}")


STANDINGS: Final = ("rank", "name", "table", "colour", "games", "wins", "happiness", "cubes", "dwellers", "items")
GAME: Final = ("ended", "table", "game", "rounds", "decided_by")
SCORES: Final = ("happiness", "cubes", "dwellers", "items")
BEGINS_A_FORMULA: Final = ("=", "+", "-", "@", "\t")


def standings_csv(picture: LeaguePicture) -> str:
    return _table(STANDINGS, [[one[key] for key in STANDINGS] for one in picture["standings"]])


def games_csv(picture: LeaguePicture) -> str:
    """Return every player of every game, a line each."""
    lines: list[list[object]] = [
        [*(result[key] for key in GAME), colour, score["name"], int(score["won"]), *(score[key] for key in SCORES)]
        for result in picture["results"]
        for colour, score in result["players"].items()
    ]
    return _table((*GAME, "colour", "name", "won", *SCORES), lines)


def as_json(picture: LeaguePicture) -> str:
    """Return standings and games, without what the tables are doing now."""
    kept = {"since": picture["since"], "standings": picture["standings"], "results": picture["results"]}
    return json.dumps(kept, ensure_ascii=False, indent=1) + "\n"


def _table(head: tuple[str, ...], lines: Sequence[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([[_harmless(value) for value in line] for line in lines])
    return out.getvalue()


def _harmless(value: object) -> object:
    """Quote a name that a spreadsheet would take for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(BEGINS_A_FORMULA) else value
