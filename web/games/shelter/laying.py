"""The list by which a layout is laid, for the first time or again, ticked off where a camera looks on."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from companion.games.registry import game_of
from web.base.words import name_of
from web.games.port import LaidPiece, Relaying
from web.games.shelter.disagreements import piece_name, place_name
from web.games.shelter.icons import card_name

if TYPE_CHECKING:
    from web.base.words import Words
    from web.games.shelter.cards import PackCards


VERDICTS = ("wrong", "missing", "unsure", "lies")


def relaying(words: Words, state: dict[str, Any], cards: PackCards) -> Relaying | None:
    """While a layout is laid; None otherwise."""
    coach = state["table"].get("coach")
    if state["phase"] != "frozen" and coach is None:
        return None
    verdicts = {(one["place"], one["piece"]): verdict for verdict in VERDICTS for one in (coach or {}).get(verdict, ())}
    listed: list[dict[str, str]] = game_of(state["game"]).relay(state)["pieces"]
    known = {(one["place"], one["piece"]) for one in listed}
    strangers = [{"place": place, "piece": piece} for place, piece in verdicts if (place, piece) not in known]
    groups: dict[str, list[LaidPiece]] = {}
    for one in (*listed, *strangers):
        level, _, _ = one["place"].partition(":")
        title = words.text(f"track_{level}") if level in ("items", "rooms") else words.text("level", n=level)
        groups.setdefault(title, []).append(_laid(words, state, cards, one, verdicts))
    boards = [
        (colour, name_of(words, state, colour), _board(words, cards, state, colour)) for colour in state["players"]
    ]
    return Relaying(list(groups.items()), boards, sum(verdict in ("wrong", "missing") for verdict in verdicts.values()))


def _laid(
    words: Words, state: dict[str, Any], cards: PackCards, one: dict[str, str], verdicts: dict[tuple[str, str], str]
) -> LaidPiece:
    return LaidPiece(
        place=place_name(words, state, cards, one["place"], with_room=False),
        piece=_piece(words, state, cards, one["piece"]),
        verdict=verdicts.get((one["place"], one["piece"]), ""),
    )


def _piece(words: Words, state: dict[str, Any], cards: PackCards, piece: str) -> str:
    """A card, an elevator, or somebody's dweller."""
    colour, _, dweller = piece.partition(" ")
    if not dweller:
        return piece_name(words, cards, piece)
    pose = words.text("pose_injured" if dweller.startswith("injured") else "pose_plain")
    return f"{name_of(words, state, colour)}: {pose}"


def _board(words: Words, cards: PackCards, state: dict[str, Any], colour: str) -> str:
    """What the camera does not see."""
    board = state["players"][colour]
    cubes = [f"{words.text(f'resource_{name}')} {amount}" for name, amount in board["resources"].items() if amount]
    people = [_dweller(words, name, count) for name, count in Counter(board["available"]).items()]
    items = [
        card_name(words, cards, item["id"]) + (f" ({words.text('exhausted')})" if item["exhausted"] else "")
        for item in board["items"]
    ]
    return " · ".join((f"{words.text('happiness')} {board['happiness']}", *cubes, *people, *items))


def _dweller(words: Words, dweller: str, count: int) -> str:
    hurt, _, letter = dweller.partition("+")
    if letter:
        return words.text("dweller_injured_letter", letter=letter)
    if hurt in ("plain", "injured"):
        return f"{words.text(f'dweller_{hurt}')} {count}"
    return words.text("dweller_letter", letter=dweller)
