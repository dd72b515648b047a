"""Where what is seen and what is recorded differ, place by place, and what is left to lay."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.games.shelter.laying import UNKNOWN, pieces, track_place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.games.shelter.laying import Piece
    from companion.refusal import Refusal
    from companion.table.sight.reading import Reading


LYING, STANDING = "lying", "standing"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that the table and the record do not agree on.

    `kind` is what is seen (`extra`, `missing`, `pose`, `card`, `drawn`); `called` is what it is to people, where a
    rule says more: `turn`, `pose` or `rule`, with its clause.
    """

    kind: str
    place: str
    seen: str | None
    expected: str | None
    by: str | None = None
    """The seat that it concerns, if it is one's."""
    count: int = 1
    clause: str | None = None
    called: str | None = None
    refusal: Refusal | None = field(default=None, compare=False)
    """What the rules say to it, where they were asked."""

    @property
    def key(self) -> str:
        """The same difference has the same key, whatever else has happened."""
        seen = f"{self.seen}*{self.count}" if self.count > 1 else str(self.seen)
        return f"{self.kind} {self.place} {seen} {self.expected} {self.by}"


def still_there(keys: frozenset[str], found: Iterable[Difference], reading: Reading) -> frozenset[str]:
    """Those differences that are seen again, or that lie where the reading is not sure."""
    seen = {one.key for one in found}
    return frozenset(key for key in keys if key in seen or key.split(" ")[1] in reading.unsure)


def differences(reading: Reading, state: dict[str, Any]) -> list[Difference]:
    """All differences, but for places that the reading is not sure of."""
    found = [*_figures(reading, state), *_rooms(reading, state), *_threats(reading, state), *_tracks(reading, state)]
    return [one for one in found if one.place not in reading.unsure]


# --- figures ----------------------------------------------------------------------------------------------------------


def pose_of(dweller: str) -> str:
    """How a dweller's figure lies on the table (J4)."""
    return LYING if dweller.startswith("injured") else STANDING


def _figures(reading: Reading, state: dict[str, Any]) -> Iterator[Difference]:
    seen: dict[str, dict[str, list[str]]] = {}
    for figure in reading.dwellers:
        seen.setdefault(figure.space, {}).setdefault(figure.player, []).append(figure.pose)
    arriving = arrivals(state)
    for space in sorted(seen.keys() | state["placed"].keys()):
        here = {player: list(poses) for player, poses in seen.get(space, {}).items()}
        standing = state["placed"].get(space)
        wanted = None if standing is None else str(standing["by"])
        poses = [] if standing is None else [pose_of(dweller) for dweller in standing["dwellers"]]
        for player, count in arriving.get(space, {}).items():
            _leave_out_arrivals(here, player, count, len(poses) if player == wanted else 0)
        yield from _on_space(space, here, wanted, poses)


def arrivals(state: dict[str, Any]) -> dict[str, Counter[str]]:
    """New dwellers, who may stand on their icons until the recall (N1)."""
    spaces: dict[str, Counter[str]] = {}
    for colour, player in state["players"].items():
        for space in player["arriving_at"]:
            spaces.setdefault(space, Counter())[colour] += 1
    return spaces


def _leave_out_arrivals(here: dict[str, list[str]], player: str, count: int, wanted: int) -> None:
    poses = here.get(player, [])
    while poses and count and len(poses) > wanted:
        poses.remove(STANDING if STANDING in poses else poses[0])
        count -= 1
    if not poses:
        here.pop(player, None)


def _on_space(space: str, here: dict[str, list[str]], wanted: str | None, poses: list[str]) -> Iterator[Difference]:
    strangers = [player for player in sorted(here) if player != wanted]
    for player in strangers:
        lying = here[player]
        yield Difference("extra", space, player, wanted, player, len(lying))
    if wanted is None:
        return
    found = here.get(wanted, [])
    if len(found) < len(poses):
        if not strangers:
            yield Difference("missing", space, wanted if found else None, wanted, wanted, len(poses) - len(found))
    elif len(found) > len(poses):
        yield Difference("extra", space, wanted, wanted, wanted, len(found) - len(poses))
    elif sorted(found) != sorted(poses):
        yield Difference("pose", space, ",".join(sorted(found)), ",".join(sorted(poses)), wanted)


# --- cards ------------------------------------------------------------------------------------------------------------


def _card(place: str, seen: str | None, expected: str | None, by: str | None) -> Iterator[Difference]:
    if seen == expected or (seen is None and expected == UNKNOWN):
        return
    yield Difference("drawn" if expected == UNKNOWN else "card", place, seen, expected, by)


def _rooms(reading: Reading, state: dict[str, Any]) -> Iterator[Difference]:
    expected: dict[str, tuple[str, str | None]] = {}
    for number, level in state["levels"].items():
        for column, card in level["rooms"].items():
            expected[f"{number}:{column}"] = (card, level["owner"])
    seen = {place: card for place, card in reading.rooms.items() if not place.endswith(":E")}
    for place in sorted(expected.keys() | seen.keys()):
        card, owner = expected.get(place, (None, owner_of(state, place)))
        yield from _card(place, seen.get(place), card, owner)
    yield from _elevators(reading, state)


def owner_of(state: dict[str, Any], place: str) -> str | None:
    """Whose level a place is on."""
    level = state["levels"].get(place.partition(":")[0])
    return None if level is None or level["owner"] is None else str(level["owner"])


def _elevators(reading: Reading, state: dict[str, Any]) -> Iterator[Difference]:
    """Elevators are compared where the camera can tell their colours."""
    for place, card in sorted(reading.rooms.items()):
        owner = owner_of(state, place)
        if place.endswith(":E") and card.startswith("elevator-") and owner and card != f"elevator-{owner}":
            yield Difference("card", place, card, f"elevator-{owner}", owner)


def _threats(reading: Reading, state: dict[str, Any]) -> Iterator[Difference]:
    for space in sorted(reading.threats.keys() | state["threats"].keys()):
        yield from _card(space, reading.threats.get(space), state["threats"].get(space), owner_of(state, space))


def _tracks(reading: Reading, state: dict[str, Any]) -> Iterator[Difference]:
    """A place of a track that shows nothing is being refilled, or cannot be read: no difference."""
    for name in sorted(reading.tracks):
        lying = state["tracks"].get(name, [])
        for number, card in enumerate(reading.tracks[name]):
            if card is not None:
                expected = lying[number] if number < len(lying) else None
                yield from _card(track_place(name, number), card, expected, None)


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
