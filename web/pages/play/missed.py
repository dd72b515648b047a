"""What somebody missed, in either game: the lines since they last looked, and what it did to their own board."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from companion.games.shelter.words import RESOURCES
from web.pages.play import feed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words
    from web.pages.cards.view import Cards


MOST: Final = 14


@dataclass(slots=True)
class Missed:
    """The newest line first; `more` when there was more than is told."""

    lines: list[feed.Line] = field(default_factory=list)
    changes: list[tuple[str, str]] = field(default_factory=list)
    more: bool = False
    by_others: bool = False


def missed(words: Words, cards: Cards, snapshots: Sequence[Snapshot], colour: str, since: int | None = None) -> Missed:
    """What happened after the snapshot `since`, or after this colour's own last move."""

    def told(recent: Sequence[Snapshot]) -> list[feed.Line]:
        return feed.lines(words, cards, recent, MOST + 1)

    return missed_in(told, _changes, snapshots, colour, since)


def missed_in(
    told: Callable[[Sequence[Snapshot]], list[feed.Line]],
    changes: Callable[[dict[str, Any], dict[str, Any], str], list[tuple[str, str]]],
    snapshots: Sequence[Snapshot],
    colour: str,
    since: int | None,
) -> Missed:
    """The same for any game: `told` says what happened, `changes` what it did to a board."""
    if since is None:
        since = _own_last(snapshots, colour)
    game = snapshots[-1].state["id"]
    here = [snapshot for snapshot in snapshots if snapshot.state["id"] == game]
    later = [snapshot for snapshot in here if snapshot.seq > since]
    if not later:
        return Missed()
    before = [snapshot for snapshot in here if snapshot.seq <= since]
    lines = told(later)
    return Missed(
        lines=lines[:MOST],
        changes=changes((before[-1] if before else later[0]).state, later[-1].state, colour),
        more=len(lines) > MOST or not before,
        by_others=any(one.by(event) != colour for one in later for event in one.events),
    )


def _own_last(snapshots: Sequence[Snapshot], colour: str) -> int:
    own = [one.seq for one in snapshots if one.events and one.by(one.events[0]) == colour]
    return own[-1] if own else 0


def _changes(before: dict[str, Any], after: dict[str, Any], colour: str) -> list[tuple[str, str]]:
    """Pictograms with a sign: what one has more or less of."""
    old, new = before["players"].get(colour), after["players"].get(colour)
    if not old or not new:
        return []
    pairs = [(name, new["resources"][name] - old["resources"][name]) for name in RESOURCES]
    pairs.append(("happiness", new["happiness"] - old["happiness"]))
    pairs.append(("dweller", new["total"] - old["total"]))
    pairs.append(("item", len(new["items"]) - len(old["items"])))
    return [(name, f"+{less}" if less > 0 else f"{feed.MINUS}{-less}") for name, less in pairs if less]


COOKIE: Final = "phone"
NAMES: Final = ("guide", "sound", "shake", "speak")
AT_FIRST: Final = frozenset({"sound", "shake"})
_NONE: Final = "none"


def switched_on(cookie: str | None) -> frozenset[str]:
    """The switches that are on; a phone that has chosen nothing is nudged, quietly and without a voice."""
    return AT_FIRST if cookie is None else frozenset(cookie.split(".")) & frozenset(NAMES)


def cookie_of(switches: frozenset[str]) -> str:
    """The cookie that says so."""
    return ".".join(sorted(switches)) or _NONE
