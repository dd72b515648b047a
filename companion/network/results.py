"""The games that a table has finished, for leagues: from the record, and as they end."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, cast

from companion.games.registry import game_of
from companion.table.record.checkpoint import games_of
from companion.table.record.open_game import replay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from companion.table.league_picture import Finished
    from companion.table.record.entries import Entry
    from companion.table.record.open_game import OpenGameState

MOST: Final = 64
"""A table publishes so many games, the latest ones."""


def now() -> str:
    """Return the time as the record writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def result_of(state: OpenGameState, ended: str) -> Finished | None:
    """Return a finished game in short, with all that breaks a tie; None while it is played, or where nobody scores."""
    result = state["result"]
    scores = None if state["phase"] != "over" or result is None else game_of(state["game"]).scores(state)
    if result is None or scores is None:
        return None
    # What breaks a tie is the game's: a league takes 0 for what it does not count.
    ended_game: dict[str, object] = {
        "game": state["id"],
        "ended": ended,
        "rounds": state["round"],
        "decided_by": result.get("decided_by", ""),
        "players": {
            colour: {"name": player["name"], "won": colour in result["winners"], **scores[colour]}
            for colour, player in state["players"].items()
        },
    }
    return cast("Finished", ended_game)


def finished(folder: Path) -> list[Finished]:
    """Return the finished games of a record, the latest of them."""
    games = games_of(folder)
    found = (_of_record(games[game]) for game in list(games)[-MOST:])
    return [result for result in found if result is not None]


def _of_record(entries: list[Entry]) -> Finished | None:
    replayed = replay(entries)
    if replayed.open_game is None or replayed.trouble is not None:
        return None
    return result_of(replayed.open_game.state(), str(entries[-1].body.get("at", "")))


class FinishedGames:
    """The finished games of a table; a game that goes on after its end is removed again."""

    def __init__(self, past: Iterable[Finished] = (), clock: Callable[[], str] = now) -> None:
        self._clock = clock
        self._known = {one["game"]: one for one in past}

    def look(self, state: OpenGameState) -> bool:
        """Take in a state; return whether there is something new to publish."""
        game = state.get("id")
        if game is None:
            return False
        before = self._known.get(game)
        after = result_of(state, before["ended"] if before is not None else self._clock())
        if after is None:
            return self._known.pop(game, None) is not None
        self._known[game] = after
        return after != before

    def as_list(self) -> list[Finished]:
        """Return the latest ones, oldest first."""
        return sorted(self._known.values(), key=lambda one: (one["ended"], one["game"]))[-MOST:]
