"""Undo and redo: a seat takes back its own last move alone, the host anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from companion.canonical import refuse_unless_writable
from companion.refusal import Refusal
from companion.table.session.handlers import answers, bot_seats, real_dice
from companion.table.session.handlers.table_seen import look_again

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.session.intents import Speaker, Tap
    from companion.table.session.state import Desk


def undo(desk: Desk, to: int | None, speaker: Speaker) -> None:
    """Back by one move, or to a version. What bots have played at once since a person's move goes back with it."""
    back = bot_seats.behind_bots(desk) if to is None else to
    desk.kept.refuse_unless_undoable(back)
    _refuse_unless_own(desk, desk.sitting.timeline.since(back), speaker)
    desk.do(lambda: desk.kept.undo(back))
    desk.tell("undone", to=back)


def redo(desk: Desk, speaker: Speaker) -> None:
    """Forth again to where the last undo came from."""
    desk.kept.refuse_unless_redoable()
    _refuse_unless_own(desk, desk.sitting.timeline.again(), speaker)
    desk.do(desk.kept.redo)
    desk.tell("redone")


def _refuse_unless_own(desk: Desk, moves: Sequence[Any] | None, speaker: Speaker) -> None:
    """One move of a person, and it is this one's; `moves` is None where the line leads elsewhere."""
    if speaker.host:
        return
    people = [move for move in moves or () if move is None or not bot_seats.was_played_at_once(desk, move)]
    whose = {desk.sitting.rules.write(move).get("by") for move in people if move is not None}
    if len(people) == 1 and whose and whose <= speaker.seats:
        return
    by = whose.pop() if len(whose) == 1 else None
    raise Refusal("not_your_move", None, "A seat takes back its own last move; more than that the host does.", by=by)


ANYBODY: Final = frozenset({"undo", "redo", "resolve", "rethrow"})
Doing = Callable[["Desk", dict[str, Any], "Speaker"], None]


def handle(desk: Desk, tap: Tap) -> None:
    """A move of the contract."""
    raw = tap.move
    if not isinstance(raw, dict) or not isinstance(raw.get("do"), str):
        raise Refusal("malformed", None, "A move is an object that says what to do.", field="do")
    refuse_unless_writable(raw, "move")
    refuse_unless_version(desk, raw.get("if_version") if tap.if_version is None else tap.if_version)
    move = {key: value for key, value in raw.items() if key != "if_version"}
    move = refuse_unless_theirs(desk, move, tap.speaker)
    DOINGS.get(move["do"], _play)(desk, move, tap.speaker)
    look_again(desk)


def refuse_unless_version(desk: Desk, version: object) -> None:
    """Nothing is done to a state that the speaker has not seen."""
    if version is None:
        return
    if type(version) is not int:
        raise Refusal("malformed", None, "if_version is not a version.", field="if_version")
    if version != desk.version:
        raise Refusal(
            "version_mismatch",
            None,
            f"The game is at version {desk.version}, not {version}.",
            version=desk.version,
            if_version=version,
        )


def refuse_unless_theirs(desk: Desk, move: dict[str, Any], speaker: Speaker) -> dict[str, Any]:
    """A seat speaks for itself, the host for all."""
    if speaker.host:
        return move
    by = move.get("by")
    anybody = _is_anybodys(desk, move)
    if by is None and not anybody and len(speaker.seats) == 1:
        (by,) = speaker.seats
        if move.get("do") != "choose" or "id" not in move:
            move = {**move, "by": by}
    allowed = speaker.may_speak_for(by if isinstance(by, str) else None)
    if not allowed or (by is None and not anybody):
        raise Refusal("not_yours", None, "That is not yours to say: it takes the seat or the host.", by=by)
    if move.get("do") == "choose" and "id" in move:
        return _with_whose_choice(desk, move, speaker)
    return move


def _is_anybodys(desk: Desk, move: dict[str, Any]) -> bool:
    """Some moves are nobody's own, and so are answers to a choice that is asked of all."""
    if move["do"] == "choose":
        return "id" in move and any(one["id"] == move["id"] and one["by"] is None for one in answers.pending(desk))
    return move["do"] in ANYBODY or (desk.keeper is not None and move["do"] in desk.sitting.rules.anybody)


def _with_whose_choice(desk: Desk, move: dict[str, Any], speaker: Speaker) -> dict[str, Any]:
    """The answer with whose it is, so that they may take it back."""
    for choice in answers.pending(desk):
        if choice["id"] != move["id"]:
            continue
        if not speaker.may_speak_for(choice["by"]):
            raise Refusal("not_yours", None, "That choice is another player's.", by=choice["by"], id=choice["id"])
        return move if choice["by"] is None else {"by": choice["by"], **move}
    return move


def _play(desk: Desk, move: dict[str, Any], speaker: Speaker) -> None:
    desk.play(move, speaker.name)


def _undo(desk: Desk, move: dict[str, Any], speaker: Speaker) -> None:
    _only(move, {"do", "to", "by"})
    to = move.get("to")
    if to is not None and type(to) is not int:
        raise Refusal("malformed", None, "to is not a version.", field="to")
    undo(desk, to, speaker)


def _redo(desk: Desk, move: dict[str, Any], speaker: Speaker) -> None:
    _only(move, {"do", "by"})
    redo(desk, speaker)


def _only(move: dict[str, Any], known: set[str]) -> None:
    for key in move:
        if key not in known:
            raise Refusal("malformed", None, f"{str(key)[:60]!r} is no field of {move['do']}.", field=str(key)[:60])


def _correct(desk: Desk, move: dict[str, Any], speaker: Speaker) -> None:
    """A state that is sent back holds the table's own questions, too: they are not the rules' to be said."""
    said = move.get("set")
    if isinstance(said, dict) and isinstance(said.get("pending"), list):
        own = [answers.question_as_json(question) for question in answers.own_questions(desk)]
        move = {**move, "set": {**said, "pending": [one for one in said["pending"] if one not in own]}}
    _play(desk, move, speaker)


DOINGS: Final[dict[str, Doing]] = {
    "correct": _correct,
    "undo": _undo,
    "redo": _redo,
    "choose": answers.choose,
    "resolve": answers.resolve,
    "rethrow": real_dice.again,
}
