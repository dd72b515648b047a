"""The list by which a layout is laid, for the first time or again, ticked off where a camera looks on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.games.registry import game_of
from companion.games.shelter.house_rules import NAMES
from companion.games.shelter.words import COLOURS
from web.games.shelter.icons import card_name
from web.pages.play.disagreements import piece_name, place_name
from web.pages.play.people import name_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from web.base.words import Words
    from web.pages.cards.view import Cards


VERDICTS = ("wrong", "missing", "unsure", "lies")


@dataclass(frozen=True, slots=True)
class Laid:
    """One piece; `verdict` is empty where nobody looks on."""

    place: str
    piece: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Relaying:
    """What lies on the mat, level by level, and what lies in front of the players."""

    groups: list[tuple[str, list[Laid]]]
    boards: list[tuple[str, str, str]]
    left: int


def relaying(words: Words, state: dict[str, Any], cards: Cards) -> Relaying | None:
    """While a layout is laid; None otherwise."""
    coach = state["table"].get("coach")
    if state["phase"] != "frozen" and coach is None:
        return None
    verdicts = {(one["place"], one["piece"]): verdict for verdict in VERDICTS for one in (coach or {}).get(verdict, ())}
    listed: list[dict[str, str]] = game_of(state["game"]).relay(state)["pieces"]
    known = {(one["place"], one["piece"]) for one in listed}
    strangers = [{"place": place, "piece": piece} for place, piece in verdicts if (place, piece) not in known]
    groups: dict[str, list[Laid]] = {}
    for one in (*listed, *strangers):
        level, _, _ = one["place"].partition(":")
        title = words.text(f"track_{level}") if level in ("items", "rooms") else words.text("level", n=level)
        groups.setdefault(title, []).append(_laid(words, state, cards, one, verdicts))
    boards = [
        (colour, name_of(words, state, colour), _board(words, cards, state, colour)) for colour in state["players"]
    ]
    return Relaying(list(groups.items()), boards, sum(verdict in ("wrong", "missing") for verdict in verdicts.values()))


def _laid(
    words: Words, state: dict[str, Any], cards: Cards, one: dict[str, str], verdicts: dict[tuple[str, str], str]
) -> Laid:
    return Laid(
        place=place_name(words, state, cards, one["place"], with_room=False),
        piece=_piece(words, state, cards, one["piece"]),
        verdict=verdicts.get((one["place"], one["piece"]), ""),
    )


def _piece(words: Words, state: dict[str, Any], cards: Cards, piece: str) -> str:
    """A card, an elevator, or somebody's dweller."""
    colour, _, dweller = piece.partition(" ")
    if not dweller:
        return piece_name(words, cards, piece)
    pose = words.text("pose_injured" if dweller.startswith("injured") else "pose_plain")
    return f"{name_of(words, state, colour)}: {pose}"


def _board(words: Words, cards: Cards, state: dict[str, Any], colour: str) -> str:
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


def setup_of(form: Mapping[str, Any]) -> dict[str, Any]:
    """Players clockwise, their levels from the second one down, who begins, decks, house rules and bots.

    Colours that were given the same place keep the order of the box.
    """
    players = [colour for colour in COLOURS if form.get(f"plays_{colour}")]
    seated = sorted(players, key=lambda colour: str(form.get(f"place_{colour}", "")))
    first = form.get("first", "")
    names = {colour: str(form.get(f"name_{colour}", "")).strip()[:24] for colour in players}
    return {
        "players": seated,
        "levels": sorted(players, key=lambda colour: str(form.get(f"level_{colour}", ""))),
        "first": first if first in players else (seated[0] if seated else ""),
        "cards": "table" if form.get("cards") == "table" else "companion",
        "house_rules": {name: True for name in NAMES if form.get(f"rule_{name}")},
        "names": {colour: name for colour, name in names.items() if name},
        "bots": {colour: form[f"bot_{colour}"] for colour in players if form.get(f"bot_{colour}")},
    }
