"""What a league is shown as: every table in short, and how the evening stands. Made of the broker, read by pages."""

from __future__ import annotations

from typing import TypedDict

from companion.table.ports import HintJson


class PlayerInShort(TypedDict):
    """A player of a game that is being played."""

    name: str
    happiness: int | None
    if_ended_now: int | None


class StateInShort(TypedDict):
    """What a league shows of a table's state."""

    id: str | None
    seq: int
    game: str
    round: int
    phase: str
    turn: str | None
    last_round: bool
    players: dict[str, PlayerInShort]
    winners: list[str]
    camera: str
    disagreements: int


class FinalScore(TypedDict):
    """How a player came out; what is counted breaks ties in this order."""

    name: str
    won: bool
    happiness: int
    cubes: int
    dwellers: int
    items: int


class Finished(TypedDict):
    game: str
    ended: str
    rounds: int
    decided_by: str
    players: dict[str, FinalScore]


class StandingJson(TypedDict):
    """A line of the standings, for pages and exports."""

    rank: int
    name: str
    table: str
    colour: str
    games: int
    wins: int
    happiness: int
    cubes: int
    dwellers: int
    items: int


class FinishedThere(Finished):
    """A finished game, and the table that it was played at."""

    table: str


class LeagueTableJson(TypedDict):
    name: str
    online: bool
    changed: int
    state: StateInShort | None


class BrokerJson(HintJson):
    """Whether the broker is there, and what to do where it is not."""

    online: bool


class LeaguePicture(TypedDict):
    """All that a league knows at one moment."""

    seq: int
    since: str
    broker: BrokerJson
    tables: list[LeagueTableJson]
    standings: list[StandingJson]
    results: list[FinishedThere]
    earlier: int
    counted: int
    faults: list[str]
