"""The whole state of section 4 of the contract, made from the session's state."""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict, cast

from companion.canonical import text_of
from companion.games.json_types import State
from companion.games.registry import DEFAULT, game_of
from companion.table.ports import HintJson, as_json
from companion.table.record.record import OUTCOMES
from companion.table.session.handlers import answers, hand_tasks, promises, real_dice
from companion.table.sight.difference import coached

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from companion.bots.policy.reason_texts import Reason
    from companion.bots.worth.win_chance import WinShareJson
    from companion.games.json_types import MoveJson
    from companion.games.mat import Difference
    from companion.table.record.entries import DamageJson
    from companion.table.record.open_game import OpenGameState
    from companion.table.session.handlers.answers import DisagreementJson
    from companion.table.session.handlers.promises import FairJson
    from companion.table.session.handlers.real_dice import DiceJson
    from companion.table.session.snapshots import Snapshot
    from companion.table.session.state import SessionState


class TodoJson(TypedDict):
    """Something that the table has still to follow."""

    kind: str
    place: str
    seen: str | None
    expected: str | None
    by: str | None


class TableStateJson(TypedDict):
    """`table` of a state: what the camera sees, and how the people play."""

    camera: str
    disagreements: list[DisagreementJson]
    todo: list[TodoJson]
    picking_up: bool
    way: str
    rest: float
    voice: bool | None
    language: str | None
    bots_wait: bool
    away: list[str]
    """Who is not at the table."""
    dice: NotRequired[DiceJson]
    coach: NotRequired[dict[str, list[dict[str, str]]]]
    """While the layout is laid: its pieces by what is to be said of them."""
    photo: NotRequired[str | None]
    """The picture that was taken when the game was put away."""


class TroubleJson(TypedDict):
    game: str
    nth: int
    why: str


class RecordJson(TypedDict):
    """`record` of a state: whether it is sound."""

    state: str
    damage: list[DamageJson]
    trouble: TroubleJson | None
    restored: NotRequired[str]
    """What became of a restore that was cut short before this start: `finished` or `taken_back`."""


class DeviceJson(HintJson):
    """How a device is, and what to do about it."""

    state: str


class SuggestionJson(TypedDict):
    """Where a bot's dweller goes, and why, until somebody has moved the figure."""

    by: str
    move: MoveJson
    reason: Reason


class ForecastJson(TypedDict):
    """Everybody's chance to win at a version of the game, and from how many playouts it was estimated."""

    version: int
    round: int
    playouts: int
    chances: dict[str, WinShareJson]


class OddsJson(TypedDict):
    """Which odds the host wants to be shown, and the newest chances to win."""

    shown: Sequence[str]
    win: ForecastJson | None


class HandTaskJson(TypedDict):
    """Something that hands still owe the table."""

    do: str
    kind: str
    what: str
    place: str
    by: str | None


class TableState(TypedDict):
    """What the table adds to the state of every game."""

    version: int
    seq: int
    id: str | None
    table: TableStateJson
    panel: str
    devices: dict[str, DeviceJson]
    record: RecordJson
    suggestion: SuggestionJson | None
    hands: list[HandTaskJson]
    odds: OddsJson
    fair: FairJson


class SnapshotState(State, TableState):
    """What readers get: the state of section 4 of the contract; a game's own keys are there as well."""


def state_of(session: SessionState, seq: int) -> SnapshotState:
    """Return the state now; it is the caller's own."""
    state: OpenGameState = (
        {"version": 0, "id": None, **game_of(DEFAULT).blank_state()}
        if session.played is None
        else session.open_game.state()
    )
    return {
        **state,
        "seq": seq,
        "pending": [*state["pending"], *map(answers.question_as_json, answers.own_questions(session))],
        "table": _table(session),
        "panel": session.devices.get("panel", ("off", ""))[0],
        "devices": {name: {"state": what, **as_json(hint)} for name, (what, hint) in sorted(session.devices.items())},
        "record": _record(session),
        "hands": [cast("HandTaskJson", task.as_json()) for task in hand_tasks.owed_by(session)],
        "suggestion": None if session.suggestion is None else session.suggestion.as_json(),
        "odds": {"shown": session.settings.odds, "win": session.foreseen if session.settings.odds_win else None},
        "fair": promises.as_json(session),
    }


def _table(session: SessionState) -> TableStateJson:
    table: TableStateJson = {
        "camera": session.verdict.camera,
        "disagreements": [answers.disagreement_as_json(session, number, one) for number, one in answers.shown(session)],
        "todo": [_todo(one) for one in session.verdict.todo],
        "picking_up": session.verdict.picking_up,
        "way": session.settings.way,
        "rest": session.settings.rest,
        "voice": session.settings.voice,
        "language": session.settings.language,
        "bots_wait": session.settings.bots_wait,
        "away": sorted(session.hands.away),
    }
    thrown = real_dice.as_json(session)
    if thrown is not None:
        table["dice"] = thrown
    coach = _coach(session)
    if coach is not None:
        table["coach"] = coach
    if session.played is not None and session.open_game.frozen is not None:
        table["photo"] = session.open_game.frozen["photo"]
    return table


def _todo(one: Difference) -> TodoJson:
    return {"kind": one.kind, "place": one.place, "seen": one.seen, "expected": one.expected, "by": one.by}


def _coach(session: SessionState) -> dict[str, list[dict[str, str]]] | None:
    """Return the list for laying, while the layout is laid, for the first time or again."""
    if not session.watched or session.reading is None:
        return None
    open_game = session.open_game
    if open_game.frozen is None and open_game.version:
        return None
    return coached(session.reading, session.position().lies(), session.differences())


def _record(session: SessionState) -> RecordJson:
    trouble = session.trouble or (session.played.trouble if session.played is not None else None)
    told: RecordJson = {
        "state": "damaged" if session.journal.broken else "trouble" if trouble else "ok",
        "damage": [damage.as_json() for damage in session.journal.damage],
        "trouble": None if trouble is None else {"game": trouble.game, "nth": trouble.nth, "why": trouble.why},
    }
    if session.journal.finished is not None:
        told["restored"] = OUTCOMES[session.journal.finished]
    return told


def private_of(snapshot: Snapshot, seats: Iterable[str]) -> dict[str, Mapping[str, object]]:
    """Return the secrets of these seats by their colours; empty where a game has none."""
    position = snapshot.position
    if position is None:
        return {}
    secrets = {seat: position.rules.private(position.game, seat) for seat in sorted(seats)}
    return {seat: secret for seat, secret in secrets.items() if secret}


def text_for(snapshot: Snapshot, seats: Iterable[str]) -> str:
    """Return the state as JSON for the phone that holds these seats: with `private` where the game has secrets."""
    private = private_of(snapshot, seats)
    return text_of({**snapshot.state, "private": private}) if private else snapshot.text


def has_secrets(snapshot: Snapshot) -> bool:
    position = snapshot.position
    return position is not None and position.rules.has_secrets(position.game)
