"""What is promised of chance now, and what the check of a finished game has found, in a reader's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from companion.fair.promise import STARTER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.fair.check import Draw, Fairness
    from companion.table.session.state_view import SnapshotState
    from web.base.words import Words

SHOWN: Final = 16
"""So many digits of a fingerprint stand at the foot of a page: enough to compare."""
TOP: Final = 10
"""So many cards of a shuffle are listed, from the top."""


def is_played(state: SnapshotState) -> bool:
    """Whether a game is being played, or put away; not one that is over."""
    return bool(state["id"]) and state["result"] is None


def promise_shown(state: SnapshotState) -> str | None:
    """Return the promise of the game that is played, or of the next one."""
    fair = state["fair"]
    return fair["promise"] if is_played(state) else fair["next"]["promise"]


def promise_wanted(state: SnapshotState, colour: str) -> str | None:
    """Return the promise to which the phone of a seat has still to add its number."""
    fair = state["fair"]
    if not is_played(state) or fair["told"]:
        return None if colour in fair["next"]["numbers"] else fair["next"]["promise"]
    return None if colour in fair["numbers"] or colour not in state["players"] else fair["promise"]


def short(promise: str) -> str:
    """Return the beginning of a fingerprint in groups of four."""
    return " ".join(promise[at : at + 4] for at in range(0, SHOWN, 4))


class FairRow(NamedTuple):
    """A line of the check."""

    entry: int
    what: str
    who: str
    colour: str
    fell: str
    verdict: str
    wrong: bool
    by_people: bool


def rows(words: Words, fairness: Fairness, names: Mapping[str, str]) -> list[FairRow]:
    """Return what the companion's own check has found; the page's script works it out again."""
    return [_row(words, draw, names) for draw in fairness.draws]


def _row(words: Words, draw: Draw, names: Mapping[str, str]) -> FairRow:
    by_people = bool(draw.as_json()["by_people"])
    return FairRow(
        entry=draw.entry,
        what=words.text(f"fair_{draw.kind}", n=draw.nth),
        who=words.text("fair_starter") if draw.by == STARTER else names.get(draw.by, ""),
        colour=draw.by if draw.by in names else "",
        fell=told(draw),
        verdict=_verdict(words, draw, by_people=by_people),
        wrong=bool(draw.wrong),
        by_people=by_people,
    )


def _verdict(words: Words, draw: Draw, *, by_people: bool) -> str:
    if draw.wrong:
        return words.text(f"fair_wrong_{draw.wrong}", what=told(draw, draw.follows))
    if draw.kind == "reopened":
        return words.text("fair_told")
    return words.text("fair_added" if draw.kind == "number" else "fair_by_people" if by_people else "fair_follows")


def told(draw: Draw, what: object = None) -> str:
    """Return dice, the first cards of a shuffle from the top, or what people have dealt or put right."""
    fell = draw.fell if what is None else what
    if not isinstance(fell, list):
        return "" if fell is None else str(fell)
    if draw.kind != "shuffle":
        return " ".join(map(str, fell))
    return " ".join(map(str, fell[::-1][:TOP])) + (" …" if len(fell) > TOP else "")
