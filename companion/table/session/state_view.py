"""The whole state of section 4 of the contract, out of what lies on the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.canonical import text_of
from companion.table.ports import as_json
from companion.table.session.handlers import answers, real_dice
from companion.table.sight.coach import coached

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.table.session.snapshots import Snapshot
    from companion.table.session.state import Desk
    from companion.table.sight.difference import Difference


NO_GAME: Final[dict[str, Any]] = {
    "version": 0,
    "id": None,
    "game": "shelter",
    "round": 0,
    "phase": "none",
    "turn": None,
    "first": None,
    "order": [],
    "options": {},
    "last_round": False,
    "pending": [],
    "players": {},
    "levels": {},
    "placed": {},
    "threats": {},
    "spawned": [],
    "tracks": {"items": [], "rooms": []},
    "decks": {},
    "discards": {},
    "result": None,
}


def state_of(desk: Desk, seq: int) -> dict[str, Any]:
    """The state now."""
    state = dict(NO_GAME) if desk.keeper is None else desk.sitting.state()
    state["seq"] = seq
    state["pending"] = [*state["pending"], *map(answers.question_as_json, answers.own_questions(desk))]
    state["table"] = _table(desk)
    state["panel"] = desk.devices.get("panel", ("off", ""))[0]
    state["devices"] = {name: {"state": what, **as_json(hint)} for name, (what, hint) in sorted(desk.devices.items())}
    state["record"] = _record(desk)
    state["suggestion"] = None if desk.suggestion is None else desk.suggestion.as_json()
    state["odds"] = {"shown": desk.settings.odds, "win": desk.foreseen if desk.settings.odds_win else None}
    return state


def _table(desk: Desk) -> dict[str, Any]:
    table: dict[str, Any] = {
        "camera": desk.verdict.camera,
        "disagreements": [answers.disagreement_as_json(desk, number, one) for number, one in answers.shown(desk)],
        "todo": [_todo(one) for one in desk.verdict.todo],
        "picking_up": desk.verdict.picking_up,
        "way": desk.settings.way,
        "rest": desk.settings.rest,
        "voice": desk.settings.voice,
        "language": desk.settings.language,
    }
    thrown = real_dice.as_json(desk)
    if thrown is not None:
        table["dice"] = thrown
    coach = _coach(desk)
    if coach is not None:
        table["coach"] = coach
    if desk.keeper is not None and desk.sitting.frozen is not None:
        table["photo"] = desk.sitting.frozen["photo"]
    return table


def _todo(one: Difference) -> dict[str, Any]:
    return {"kind": one.kind, "place": one.place, "seen": one.seen, "expected": one.expected, "by": one.by}


def _coach(desk: Desk) -> dict[str, Any] | None:
    """While the layout is laid, for the first time or again."""
    if not desk.watched or desk.reading is None:
        return None
    sitting = desk.sitting
    if sitting.frozen is None and sitting.version:
        return None
    return coached(desk.reading, sitting.state())


def _record(desk: Desk) -> dict[str, Any]:
    """What is wrong with the record, if anything, and what the host may decide."""
    trouble = desk.trouble or (desk.keeper.trouble if desk.keeper is not None else None)
    return {
        "state": "damaged" if desk.journal.broken else "trouble" if trouble else "ok",
        "damage": [damage.as_json() for damage in desk.journal.damage],
        "trouble": None if trouble is None else {"game": trouble.game, "nth": trouble.nth, "why": trouble.why},
    }


def private_of(snapshot: Snapshot, seats: Iterable[str]) -> dict[str, Any]:
    """The secrets of these seats by their colours; empty where a game has none."""
    position = snapshot.position
    if position is None:
        return {}
    told = {seat: position.rules.private(position.game, seat) for seat in sorted(seats)}
    return {seat: secret for seat, secret in told.items() if secret}


def text_for(snapshot: Snapshot, seats: Iterable[str]) -> str:
    """The state as JSON for the phone that holds these seats: with `private` where the game has secrets."""
    private = private_of(snapshot, seats)
    return text_of({**snapshot.state, "private": private}) if private else snapshot.text


def has_secrets(snapshot: Snapshot) -> bool:
    """Whether hands are still held in the game that is being played."""
    position = snapshot.position
    return position is not None and position.rules.has_secrets(position.game)
