"""The coach: what of a layout lies already, what is missing or wrong, and the list for laying a game again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.shelter.laying import pieces
from companion.table.sight.difference import differences

if TYPE_CHECKING:
    from companion.games.shelter.laying import Piece
    from companion.table.sight.reading import Reading


def coached(reading: Reading, state: dict[str, Any]) -> dict[str, Any]:
    """The layout piece by piece: what lies, what is missing, what lies wrong, what cannot be told yet."""
    found = {one.place: one for one in differences(reading, state)}
    said: dict[str, Any] = {"lies": [], "missing": [], "wrong": [], "unsure": []}
    for piece in pieces(state):
        said[_verdict(piece, reading, found)].append(piece)
    known = {piece["place"] for piece in pieces(state)}
    for place, one in found.items():
        if place not in known and one.seen is not None:
            said["wrong"].append({"place": place, "piece": one.seen})
    return said


def _verdict(piece: Piece, reading: Reading, found: dict[str, Any]) -> str:
    place = piece["place"]
    if place in reading.unsure or _out_of_sight(place, reading):
        return "unsure"
    if place.endswith(":E") and "elevator" in piece["piece"]:
        if place not in reading.rooms:
            return "missing"
        return "wrong" if place in found and found[place].kind == "card" else "lies"
    if place not in found:
        return "lies"
    return "missing" if found[place].seen is None else "wrong"


def _out_of_sight(place: str, reading: Reading) -> bool:
    """A place of a track that the camera does not see, or where it sees nothing."""
    name, _, number = place.partition(":")
    if name not in ("items", "rooms"):
        return False
    row = reading.tracks.get(name, ())
    return int(number) >= len(row) or row[int(number)] is None
