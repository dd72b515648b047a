"""The table is right: the moves that make the record follow a difference, at a person's word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.refusal import Refusal
from companion.table.sight.difference import LYING, Difference
from companion.table.sight.explain import Move, Position, newcomer_of, ways_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.sight.reading import Reading

TRACKS = ("items", "rooms")


def settled(position: Position, difference: Difference, reading: Reading) -> list[Move]:
    """The moves after which the record says what the table shows."""
    state = position.state()
    if difference.kind in ("card", "drawn"):
        return [_correct(_card(state, difference))]
    poses = [
        figure.pose for figure in reading.dwellers if (figure.space, figure.player) == (difference.place, difference.by)
    ]
    if difference.kind == "extra" and difference.expected is None:
        return _placed_out_of_turn(position, difference, poses) or [_put(state, difference, poses)]
    return [_put(state, difference, poses)]


def _correct(change: dict[str, Any]) -> Move:
    return {"do": "correct", "set": change}


def _placed_out_of_turn(position: Position, difference: Difference, poses: Sequence[str]) -> list[Move]:
    """A wrong turn that is right after all is still a placement, with what it pays and gains."""
    turn = [] if position.state()["turn"] == difference.by else [_correct({"turn": difference.by})]
    try:
        after = position.after(turn[0]) if turn else position
    except Refusal:
        return []
    ways = ways_of(newcomer_of(difference, poses), after.legal())
    return [*turn, ways[0]] if ways else []


def _put(state: dict[str, Any], difference: Difference, poses: Sequence[str]) -> Move:
    """Figures stand where they stand; nothing is paid or gained."""
    space = difference.place
    boards: dict[str, Any] = {}
    old = state["placed"].get(space)
    if old is not None:
        _add(state, boards, old["by"], old["dwellers"])
    standing = None
    if poses and difference.by is not None:
        if difference.by not in state["players"]:
            raise Refusal("not_playing", "C1", f"{difference.by[:20]!r} is not playing.", by=difference.by[:20])
        dwellers = ["injured" if pose == LYING else "plain" for pose in poses]
        _take(state, boards, difference.by, dwellers)
        standing = {"by": difference.by, "dwellers": dwellers}
    change: dict[str, Any] = {"placed": {space: standing}, "players": boards}
    if difference.kind == "extra" and state["turn"] == difference.by and state["phase"] == "place":
        change["turn"] = _next(state, str(difference.by), boards)
    return _correct(change)


def _board(state: dict[str, Any], boards: dict[str, Any], colour: str) -> list[str]:
    board = boards.setdefault(colour, {"available": list(state["players"][colour]["available"])})
    available: list[str] = board["available"]
    return available


def _add(state: dict[str, Any], boards: dict[str, Any], colour: str, dwellers: Sequence[str]) -> None:
    _board(state, boards, colour).extend(dwellers)


def _take(state: dict[str, Any], boards: dict[str, Any], colour: str, dwellers: Sequence[str]) -> None:
    """A dweller of that pose leaves the supply, one of the other pose if there is none."""
    available = _board(state, boards, colour)
    for dweller in dwellers:
        injured = dweller == "injured"
        alike = sorted(available, key=lambda one: (one.startswith("injured") != injured, len(one), one))
        if alike:
            available.remove(alike[0])


def _next(state: dict[str, Any], colour: str, boards: dict[str, Any]) -> str:
    order: list[str] = state["order"]
    at = order.index(colour)
    for other in [*order[at + 1 :], *order[: at + 1]]:
        player = state["players"][other]
        available = boards.get(other, player)["available"]
        if available and not player["passed"]:
            return other
    return colour


def _card(state: dict[str, Any], difference: Difference) -> dict[str, Any]:
    place, seen = difference.place, difference.seen
    first, _, second = place.partition(":")
    if first in TRACKS:
        row = list(state["tracks"][first])
        row[int(second) : int(second) + 1] = [] if seen is None else [seen]
        return {"tracks": {first: row}}
    if place in state["threats"] or second[-1:] in ("a", "b"):
        return {"threats": {place: seen}}
    if second == "E":
        raise Refusal("fixed", "S2", "The order of the elevators is fixed for the whole game.", place=place)
    return {"levels": {first: {"rooms": {second: seen}}}}
