"""What is promised of chance: the next game's secret, and the numbers that phones add."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from companion.fair.promise import AddedNumber, is_number, promise_of, promised
from companion.fair.week import is_week, secret_of
from companion.games.api import COLOURS
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.fair.promise import PromiseJson
    from companion.games.chance import Chance
    from companion.table.session.intents import AddNumber, StartGame
    from companion.table.session.state import SessionState


class NextPromiseJson(TypedDict):
    promise: str
    numbers: list[str]


class FairJson(TypedDict):
    """`fair` of a state: what is promised of this game and of the next one, and which seats have added a number."""

    promise: str | None
    """None where this game has no promise: a given seed, the secret of a week, or an older companion."""
    numbers: list[str]
    next: NextPromiseJson
    told: bool
    """Whether this game has been over once, so that its secret may be known, and it takes no number any more."""
    week: str | None
    """The week whose challenge this game is; everybody can work its chance out."""


def opening(session: SessionState, intent: StartGame) -> tuple[str, PromiseJson | None]:
    """Return the secret of a new game and what was promised of it, or the seed that was given."""
    if intent.seed is not None:
        return intent.seed, None
    if intent.week is not None:
        return _of_the_week(intent)
    shown = intent.promise in (None, session.next_promise.promise)
    starter = intent.number if shown and isinstance(intent.number, str) and is_number(intent.number) else None
    return session.next_promise.secret, session.next_promise.opening(starter)


def _of_the_week(intent: StartGame) -> tuple[str, PromiseJson]:
    """Return the secret that every table has in that week; what phones add would make it another."""
    players = intent.setup.get("players")
    if not is_week(intent.week) or not isinstance(players, list):
        raise Refusal("malformed", None, "week is a week of the calendar, such as 2026-W47.", field="week")
    secret = secret_of(str(intent.week), len(players))
    return secret, {"promise": promise_of(secret), "numbers": [], "week": str(intent.week)}


def chance_of(seed: str, fair: PromiseJson | None) -> Chance:
    return SeededLuck(seed) if fair is None else promised(seed, fair)


def add(session: SessionState, intent: AddNumber) -> None:
    """Take a number that follows a promise that was shown: one of each seat, from the phone that holds it."""
    if intent.seat not in COLOURS or intent.seat not in intent.speaker.seats:
        raise Refusal("not_yours", None, "A number comes from the phone that holds the seat.", by=intent.seat[:60])
    if not isinstance(intent.number, str) or not is_number(intent.number):
        raise Refusal("malformed", None, "A number is 32 digits from 0 to f.", field="number")
    number = AddedNumber(intent.seat, intent.number)
    following = session.next_promise
    now = _promise_now(session)
    if now is not None and intent.promise in (None, now):
        chance = session.open_game.promised
        _refuse_a_second(number, () if chance is None else chance.numbers)
        if intent.seat not in session.open_game.rules_state()["players"]:
            raise Refusal("no_such_seat", None, f"{intent.seat} is not playing.", seat=intent.seat)
        session.do(lambda: session.recorded.add_number(number))
    elif intent.promise in (None, following.promise):
        _refuse_a_second(number, following.numbers)
        following.add(number)
    else:
        raise Refusal("promise_changed", None, "Another game is promised by now; the number is not used.")


def _promise_now(session: SessionState) -> str | None:
    """Return the promise of the game that is being played.

    What has been over takes no number any more, not even when the end was taken back: whoever has read the secret by
    then could try numbers until one suits.
    """
    if session.played is None or session.played.trouble is not None or session.open_game.promised is None:
        return None
    if session.open_game.promised.week or session.open_game.is_told:
        return None
    return session.open_game.promised.promise


def _refuse_a_second(number: AddedNumber, numbers: Iterable[AddedNumber]) -> None:
    for one in numbers:
        if one.by == number.by or one.number == number.number:
            raise Refusal("number_added", None, "This seat has added its number already.", by=number.by)


def as_json(session: SessionState) -> FairJson:
    chance = None if session.played is None else session.open_game.promised
    following = session.next_promise
    return {
        "promise": None if chance is None or chance.week else chance.promise,
        "numbers": [] if chance is None else [one.by for one in chance.numbers],
        "next": {"promise": following.promise, "numbers": [one.by for one in following.numbers]},
        "told": chance is not None and session.open_game.is_told,
        "week": chance.week or None if chance is not None else None,
    }
