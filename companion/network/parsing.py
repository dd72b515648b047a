"""Parse what other tables publish, with suspicion: whoever may write to the broker may have written it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from companion.games.api import COLOURS
from companion.refusal import Refusal
from companion.table.outside import read_json

if TYPE_CHECKING:
    from companion.table.league_picture import FinalScore, Finished, PlayerInShort, StateInShort

LARGEST: Final = 256 * 1024
LONGEST_TEXT: Final = 60
MOST_RESULTS: Final = 64
MOST: Final = 1_000_000
PHASES: Final = 24


class GarbageError(Exception):
    """A message that no table sends; the text names what is wrong."""


def decode(payload: bytes) -> object:
    if len(payload) > LARGEST:
        raise GarbageError(f"{len(payload)} bytes are more than the {LARGEST} that are read")
    try:
        return read_json(payload, "the message")
    except Refusal as refusal:
        raise GarbageError(refusal.message) from None


def state_in_short(payload: bytes) -> StateInShort:
    """Parse what a league shows of a state, and drop the rest."""
    raw = _object(decode(payload), "the state")
    players = _in_order(_object(raw.get("players"), "players"), raw.get("order"))
    return {
        "id": None if raw.get("id") is None else _text(raw["id"], "id"),
        "seq": _whole(raw.get("seq"), "seq"),
        "game": _text(raw.get("game"), "game"),
        "round": _whole(raw.get("round", 0), "round"),
        "phase": _text(raw.get("phase"), "phase", PHASES),
        "turn": _colour(raw.get("turn"), "turn"),
        "last_round": raw.get("last_round") is True,
        "players": {str(_colour(colour, "players")): _player(player) for colour, player in players.items()},
        "winners": _winners(raw.get("result")),
        "camera": _text((table := _object(raw.get("table"), "table")).get("camera"), "table.camera", PHASES),
        "disagreements": len(_list(table.get("disagreements"), "table.disagreements")),
    }


def results(payload: bytes) -> list[Finished]:
    found = _list(decode(payload), "the results")
    if len(found) > MOST_RESULTS:
        raise GarbageError(f"{len(found)} results are more than the {MOST_RESULTS} that a table keeps")
    return [_result(_object(one, "a result")) for one in found]


def _in_order(players: dict[str, object], order: object) -> dict[str, object]:
    """Return the players clockwise, where the state says what that is."""
    clockwise = [colour for colour in order if colour in COLOURS] if isinstance(order, list) else []
    return dict(
        sorted(players.items(), key=lambda one: clockwise.index(one[0]) if one[0] in clockwise else len(clockwise))
    )


def _player(raw: object) -> PlayerInShort:
    player = _object(raw, "a player")
    return {
        "name": _text(player.get("name"), "name"),
        "happiness": None if "happiness" not in player else _whole(player["happiness"], "happiness"),
        "if_ended_now": None if "if_ended_now" not in player else _whole(player["if_ended_now"], "if_ended_now"),
    }


def _winners(raw: object) -> list[str]:
    if raw is None:
        return []
    return [str(_colour(one, "winners")) for one in _list(_object(raw, "result").get("winners"), "winners")]


def _result(raw: dict[str, object]) -> Finished:
    players = _object(raw.get("players"), "players")
    return {
        "game": _text(raw.get("game"), "game"),
        "ended": _time(raw.get("ended")),
        "rounds": _whole(raw.get("rounds"), "rounds"),
        "decided_by": _text(raw.get("decided_by"), "decided_by"),
        "players": {str(_colour(colour, "players")): _score(player) for colour, player in players.items()},
    }


def _score(raw: object) -> FinalScore:
    score = _object(raw, "a player")
    return {
        "name": _text(score.get("name"), "name"),
        "won": score.get("won") is True,
        "happiness": _whole(score.get("happiness", 0), "happiness"),
        "cubes": _whole(score.get("cubes", 0), "cubes"),
        "dwellers": _whole(score.get("dwellers", 0), "dwellers"),
        "items": _whole(score.get("items", 0), "items"),
    }


def _object(raw: object, what: str) -> dict[str, object]:
    if not isinstance(raw, dict):
        raise GarbageError(f"{what} is no object")
    return raw


def _list(raw: object, what: str) -> list[object]:
    if not isinstance(raw, list):
        raise GarbageError(f"{what} is no list")
    return raw


def _text(raw: object, what: str, most: int = LONGEST_TEXT) -> str:
    """Return a text without what cannot be shown, shortened if it is very long."""
    if not isinstance(raw, str):
        raise GarbageError(f"{what} is no text")
    shown = "".join(sign for sign in raw[: 4 * most] if sign.isprintable()).strip()
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def _whole(raw: object, what: str) -> int:
    if not isinstance(raw, int) or isinstance(raw, bool) or not -MOST <= raw <= MOST * MOST:
        raise GarbageError(f"{what} is no whole number")
    return raw


def _colour(raw: object, what: str) -> str | None:
    if raw is None:
        return None
    if raw not in COLOURS:
        raise GarbageError(f"{what} names a colour that there is not")
    return str(raw)


def _time(raw: object) -> str:
    try:
        ended_at = datetime.fromisoformat(_text(raw, "ended"))
        there = (ended_at if ended_at.tzinfo else ended_at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):  # of the year 1 there is no hour before
        raise GarbageError("ended is no time") from None
    return there.isoformat(timespec="seconds")
