"""What just happened and what a phone missed, in any game: the lines, the newest first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from companion.table.session import events as table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.table.session.snapshots import Snapshot
    from companion.table.session.state_view import SnapshotState

MINUS: Final = "\N{MINUS SIGN}"
NO_MOVES: Final = (
    table.DeviceReported,
    table.DiceThrown,
    table.DiceUnsure,
    table.MoveRefused,
    table.SettingsChanged,
)
"""What happens at the table without anybody's move."""
MOST_MISSED: Final = 14


@dataclass(slots=True)
class FeedLine:
    """One thing that happened: who, what, and what it brought as pictograms with a sign."""

    colour: str
    who: str
    text: str
    effects: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class MissedEvents:
    """The newest line first; `more` when there was more than is told."""

    lines: list[FeedLine] = field(default_factory=list)
    changes: list[tuple[str, str]] = field(default_factory=list)
    more: bool = False
    by_others: bool = False


def newest(told: Callable[[Snapshot], list[FeedLine]], recent: Sequence[Snapshot], most: int) -> list[FeedLine]:
    """Return as many lines as there is room for, the newest first, in any game's words; many events have no line."""
    found: list[FeedLine] = []
    for snapshot in reversed(recent):
        found += reversed(told(snapshot))
        if len(found) >= most:
            break
    return found[:most]


def last_to_move(state: SnapshotState, recent: Sequence[Snapshot]) -> str:
    """Return whose move was the last one, if it was a player's; what bots answered at once goes back with it."""
    bot_seats = {colour for colour, player in state["players"].items() if player.get("bot")}
    for snapshot in reversed(recent):
        first = snapshot.events[0]
        by = snapshot.by(first)
        if by not in bot_seats and not isinstance(first, NO_MOVES):
            return by or ""
    return ""


def missed_events(
    lines_of: Callable[[Sequence[Snapshot]], list[FeedLine]],
    changes: Callable[[SnapshotState, SnapshotState, str], list[tuple[str, str]]],
    snapshots: Sequence[Snapshot],
    colour: str,
    since: int | None,
) -> MissedEvents:
    """Return what happened after snapshot `since`, or after the colour's own last move.

    `lines_of` says what happened, `changes` what it did to the colour's board.
    """
    if since is None:
        since = _own_last(snapshots, colour)
    game = snapshots[-1].state["id"]
    here = [snapshot for snapshot in snapshots if snapshot.state["id"] == game]
    later = [snapshot for snapshot in here if snapshot.seq > since]
    if not later:
        return MissedEvents()
    before = [snapshot for snapshot in here if snapshot.seq <= since]
    lines = lines_of(later)
    return MissedEvents(
        lines=lines[:MOST_MISSED],
        changes=changes((before[-1] if before else later[0]).state, later[-1].state, colour),
        more=len(lines) > MOST_MISSED or not before,
        by_others=any(one.by(event) != colour for one in later for event in one.events),
    )


def _own_last(snapshots: Sequence[Snapshot], colour: str) -> int:
    own = [one.seq for one in snapshots if one.events and one.by(one.events[0]) == colour]
    return own[-1] if own else 0
