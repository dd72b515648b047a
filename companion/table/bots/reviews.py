"""Reviews of finished games, beside the record: each is worked out once, and may be thrown away."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypedDict, cast

from companion.canonical import seal, unseal
from companion.games.registry import game_of
from companion.refusal import Refusal
from companion.table.record.checkpoint import entries_of, look
from companion.table.record.data_folder import put
from companion.table.record.open_game import replay

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from companion.bots.review.review import Effort, ReviewJson
    from companion.table.record.entries import Entry
    from companion.table.record.open_game import OpenGame

FOLDER: Final = "reviews"
_FORMAT: Final = 1
"""Of the file, and of how a review is worked out."""


class KeptReview(TypedDict):
    """A review, of which entry and by which rules."""

    format: int
    nth: int
    rules: int
    review: ReviewJson


def _file(folder: Path, game: str) -> Path:
    return folder / FOLDER / f"{game}.json"


def read(folder: Path, game: str, plays: str, nth: int) -> ReviewJson | None:
    """Return the review of a game whose last entry is `nth`; None where it is missing, older, or of other rules."""
    try:
        raw = unseal(_file(folder, game).read_text(encoding="utf-8").strip())
    except (OSError, ValueError):
        return None
    if raw is None or (raw["format"], raw["nth"], raw["rules"]) != (_FORMAT, nth, game_of(plays).version):
        return None
    return cast("ReviewJson", raw["review"])


def can_be_reviewed(plays: str) -> bool:
    """Return whether the companion can judge the moves of a game: `companion.bots` judges its positions."""
    return game_of(plays).has_bots and not game_of(plays).bench


def work_out(folder: Path, game: str, effort: Effort | None = None) -> ReviewJson:
    """Return the review of a game that is over; it is kept, and worked out only where it has not been."""
    found = look(folder)
    last = None if found is None else found.games.get(game)
    if last is None:
        raise Refusal("no_such_game", None, f"There is no game {game[:60]} in a sound record.")
    entries = entries_of(folder, last)
    plays, nth = str(entries[0].body["plays"]), entries[-1].nth
    known = read(folder, game, plays, nth)
    if known is not None:
        return known
    made = review_of(entries, effort)
    kept: KeptReview = {"format": _FORMAT, "nth": nth, "rules": game_of(plays).version, "review": made}
    with suppress(OSError):  # a disk without room: it is told now, and found again another time
        put(_file(folder, game), f"{seal({**kept})}\n".encode())
    return made


def review_of(entries: Sequence[Entry], effort: Effort | None = None) -> ReviewJson:
    """Review the line of moves that led to the end; what was undone on the way is left out."""
    from companion.bots.review.review import PlayedStep, review  # noqa: PLC0415 - pages read what was kept, no more

    if not can_be_reviewed(str(entries[0].body["plays"])):
        raise Refusal("no_review", None, "Bots do not play this game, so nobody can judge its moves.")
    after: dict[int, Any] = {}
    events: dict[int, tuple[Any, ...]] = {}

    def watch(entry: Entry, open_game: OpenGame) -> None:
        after[entry.nth] = open_game.game.copy()
        events[entry.nth] = tuple(open_game.game.events) if entry.kind == "move" else ()

    replayed = replay(entries, watch=watch)
    open_game = replayed.open_game
    if open_game is None or replayed.trouble is not None:
        raise Refusal("no_review", None, f"The game cannot be replayed: {replayed.trouble}.")
    if open_game.game.result is None:
        raise Refusal("not_over", None, "The game is not over, so there is nothing to look back on.")
    line, moves = open_game.timeline.line(), open_game.timeline.moves()
    steps = [
        PlayedStep(nth, after[before], cast("Any", move), events[nth])
        for (before, nth), (move, _) in zip(pairwise(line), moves, strict=True)
        if move is not None
    ]
    return review(steps, open_game.game, entries[0].game, effort)


def step_back() -> None:
    """Let everything else on this machine go first, the bots too, who have the lowest usual priority."""
    with suppress(OSError, AttributeError):  # where the system knows no such class, the usual lowest one stays
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
