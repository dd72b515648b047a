"""What just happened, a line an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from web.base.feed import FeedLine, newest
from web.games.wasteland import printed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words
    from web.games.wasteland.names import Names

MOST: Final = 7
CARDS: Final = ("card", "enemy", "perk", "survivor")
SIGNED: Final = ("caps", "rads")


def lines(words: Words, names: Names, recent: Sequence[Snapshot], most: int = MOST) -> list[FeedLine]:
    """The newest first; events without words of their own are not told."""
    return newest(
        lambda snapshot: [line for event in snapshot.events_as_json() if (line := _line(words, names, event))],
        recent,
        most,
    )


def _line(words: Words, names: Names, event: dict[str, Any]) -> FeedLine | None:
    key = f"wev_{event['event']}"
    if event["event"] == "tested":
        key = "wev_tested_well" if event["success"] else "wev_tested_badly"
    if event["event"] == "survivor_hits":
        key = "wev_hits_kill" if event["killed"] else "wev_hits_short"
    if not words.has(key):
        return None
    by = event.get("by") or ""
    return FeedLine(by, names.player(by) if by else "", words.text(key, **_fields(words, names, event)))


def _fields(words: Words, names: Names, event: dict[str, Any]) -> dict[str, object]:
    """Whatever an event holds, in words."""
    thing = next((str(event[key]) for key in CARDS if event.get(key)), "")
    amount = event.get("amount", event.get("hits", event.get("points", "")))
    return {
        "what": names.of(thing) if thing else _what(words, names, event),
        "n": f"{amount:+d}" if event["event"] in SIGNED else amount,
        "of": event.get("needed", event.get("difficulty", event.get("level", event.get("number", "")))),
        "at": names.space(event.get("at")),
        "type": names.kind(str(event["type"])) if event.get("type") else "",
        "to": names.player(str(event["to"])) if event.get("event") in ("offer", "traded") else "",
        "letter": event.get("letter", ""),
        "round": event.get("round", ""),
    }


def _what(words: Words, names: Names, event: dict[str, Any]) -> str:
    """What an event is about, where it is no card."""
    if event.get("trait"):
        return printed.trait(words, str(event["trait"]))
    if event.get("faction"):
        return names.faction(str(event["faction"]))
    if event.get("agenda"):
        return names.of(str(event["agenda"]))
    if event["event"] in ("quest", "quest_staged", "quest_trashed"):
        return names.quest(event["number"])
    if event["event"] in ("enemy_moved", "enemy_inactive", "enemy_stands_still"):
        return names.enemy(event["number"])
    return ""
