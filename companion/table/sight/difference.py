"""Where what is seen and what is recorded differ, place by place, and what is left to lay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.mat import STANDING, UNKNOWN, Difference, PieceKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from companion.games.mat import MatLayout, MatPiece
    from companion.table.sight.reading import Reading

CARD, DRAWN = "card", "drawn"
CARDS: Final = (CARD, DRAWN)


def still_there(keys: frozenset[str], found: Iterable[Difference], reading: Reading) -> frozenset[str]:
    """Return those differences that are seen again, or that lie where the reading is not sure."""
    seen = {one.key for one in found}
    return frozenset(key for key in keys if key in seen or key.split(" ")[1] in reading.unsure)


def differences(reading: Reading, layout: MatLayout) -> list[Difference]:
    """Return all differences, but for places that the reading is not sure of."""
    return [one for one in (*_figures(reading, layout), *_cards(reading, layout)) if one.place not in reading.unsure]


def _figures(reading: Reading, layout: MatLayout) -> Iterator[Difference]:
    """Compare figures; those that should stand on a space are of one colour."""
    seen: dict[str, dict[str, list[str]]] = {}
    for figure in reading.dwellers:
        seen.setdefault(figure.space, {}).setdefault(figure.player, []).append(figure.pose)
    standing: dict[str, list[MatPiece]] = {}
    for piece in layout.pieces:
        if piece.kind is PieceKind.FIGURE:
            standing.setdefault(piece.place, []).append(piece)
    for space in sorted(seen.keys() | standing.keys()):
        here = seen.get(space, {})
        expected = standing.get(space, [])
        wanted = expected[0].by if expected else None
        for player, count in layout.guests.get(space, {}).items():
            _leave_out_guests(here, player, count, len(expected) if player == wanted else 0)
        yield from _on_space(space, here, wanted, [piece.pose for piece in expected])


def _leave_out_guests(here: dict[str, list[str]], player: str, count: int, wanted: int) -> None:
    poses = here.get(player, [])
    while poses and count and len(poses) > wanted:
        poses.remove(STANDING if STANDING in poses else poses[0])
        count -= 1
    if not poses:
        here.pop(player, None)


def _on_space(space: str, here: dict[str, list[str]], wanted: str | None, poses: list[str]) -> Iterator[Difference]:
    strangers = [player for player in sorted(here) if player != wanted]
    for player in strangers:
        yield Difference("extra", space, player, wanted, player, len(here[player]))
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


def _cards(reading: Reading, layout: MatLayout) -> Iterator[Difference]:
    expected = {piece.place: piece.what for piece in layout.pieces if piece.kind is PieceKind.CARD}
    seen = reading.cards
    for place in sorted(expected.keys() | seen.keys(), key=layout.rank):
        card, lies = seen.get(place), expected.get(place)
        if card == lies or (card is None and lies == UNKNOWN):
            continue
        if layout.is_compared(place, card) and not layout.is_unread(place, card):
            yield Difference(DRAWN if lies == UNKNOWN else CARD, place, card, lies, layout.whose(place))


# --- laying -----------------------------------------------------------------------------------------------------------


def coached(reading: Reading, layout: MatLayout, found: Sequence[Difference]) -> dict[str, list[dict[str, str]]]:
    """Return the layout piece by piece: what lies, what is missing, what lies wrong, what cannot be told yet."""
    by_place = {(one.place, one.kind in CARDS): one for one in found}
    said: dict[str, list[dict[str, str]]] = {"lies": [], "missing": [], "wrong": [], "unsure": []}
    laid = [piece for piece in layout.pieces if piece.what != UNKNOWN]
    for piece in laid:
        difference = by_place.get((piece.place, piece.kind is PieceKind.CARD))
        said[_verdict(piece, reading, layout, difference)].append(piece.as_json())
    known = {(piece.place, piece.kind is PieceKind.CARD) for piece in laid}
    for (place, is_card), one in by_place.items():
        if (place, is_card) not in known and one.seen is not None:
            said["wrong"].append({"place": place, "piece": one.seen})
    return said


def _verdict(piece: MatPiece, reading: Reading, layout: MatLayout, found: Difference | None) -> str:
    place, card = piece.place, reading.cards.get(piece.place)
    if place in reading.unsure or (piece.kind is PieceKind.CARD and layout.is_unread(place, card)):
        return "unsure"
    if piece.kind is PieceKind.CARD and not layout.is_compared(place, card):
        return "missing" if card is None else "lies"
    if found is None:
        return "lies"
    return "missing" if found.seen is None else "wrong"
