"""Moves from phones, undo and redo, and the questions what may be done and with which cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from companion.canonical import refuse_unless_writable
from companion.refusal import Refusal
from companion.table.session.events import HandsAsked, MoveRedone, MoveUndone
from companion.table.session.handlers import answers, bot_seats, figures_said, real_dice
from companion.table.session.handlers.table_seen import look_again
from companion.table.session.intents import Offer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.canonical import JsonObject
    from companion.cards.loader import PackText
    from companion.games.json_types import MoveJson
    from companion.table.session.intents import AskLegal, Speaker, Tap
    from companion.table.session.state import SessionState


def undo(session: SessionState, to: int | None, speaker: Speaker) -> None:
    """Go back by one move, or to a version. What bots have played at once since a person's move goes back with it."""
    back = bot_seats.behind_bots(session) if to is None else to
    session.recorded.refuse_unless_undoable(back)
    _refuse_unless_own(session, session.open_game.timeline.since(back), speaker)
    session.do(lambda: session.recorded.undo(back))
    figures_said.take_back(session)
    session.events.append(MoveUndone(back))


def redo(session: SessionState, speaker: Speaker) -> None:
    """Go forth again to where the last undo came from."""
    session.recorded.refuse_unless_redoable()
    _refuse_unless_own(session, session.open_game.timeline.again(), speaker)
    session.do(session.recorded.redo)
    session.events.append(MoveRedone())


def _refuse_unless_own(session: SessionState, moves: Sequence[object] | None, speaker: Speaker) -> None:
    """Refuse unless it is one person's move, the speaker's; `moves` is None where the line leads elsewhere."""
    if speaker.host:
        return
    people = [move for move in moves or () if move is None or not bot_seats.was_played_at_once(session, move)]
    whose = {session.open_game.rules.write(move).get("by") for move in people if move is not None}
    if len(people) == 1 and whose and whose <= speaker.seats:
        return
    by = whose.pop() if len(whose) == 1 else None
    raise Refusal("not_your_move", None, "A seat takes back its own last move; more than that the host does.", by=by)


ANYBODY: Final = frozenset({"undo", "redo", "resolve", "rethrow"})


def handle(session: SessionState, tap: Tap) -> None:
    """Do a move of the contract."""
    raw = tap.move
    if not isinstance(raw, dict) or not isinstance(raw.get("do"), str):
        raise Refusal("malformed", None, "A move is an object that says what to do.", field="do")
    refuse_unless_writable(raw, "move")
    refuse_unless_version(session, raw.get("if_version") if tap.if_version is None else tap.if_version)
    move: JsonObject = {key: value for key, value in raw.items() if key != "if_version"}
    move = refuse_unless_theirs(session, move, tap.speaker)
    _do(session, move, tap.speaker)
    look_again(session)


def _do(session: SessionState, move: JsonObject, speaker: Speaker) -> None:
    """What the table does itself; everything else is a move of the rules."""
    match move["do"]:
        case "undo":
            _undo(session, move, speaker)
        case "redo":
            _only(move, {"do", "by"})
            redo(session, speaker)
        case "correct":
            _correct(session, move, speaker)
        case "choose":
            answers.choose(session, move, speaker)
        case "resolve":
            answers.resolve(session, move, speaker)
        case "rethrow":
            real_dice.again(session, move, speaker)
        case _:
            session.play(move, speaker.name)
            figures_said.placed(session, cast("MoveJson", move))
            if session.open_game.rules.mat is not None and move["do"] == session.open_game.rules.mat.recall["do"]:
                figures_said.recalled(session)
            _ask_for_hands(session, move)


def _ask_for_hands(session: SessionState, move: JsonObject) -> None:
    """Tell that a figure is to be moved for somebody who is not at the table."""
    mat, by = session.open_game.rules.mat, move.get("by")
    if by in session.hands.away and mat is not None and mat.placement(cast("MoveJson", move)) is not None:
        session.events.append(HandsAsked(str(by), cast("MoveJson", move)))


def refuse_unless_version(session: SessionState, version: object) -> None:
    """Refuse to act on a state that the speaker has not seen."""
    if version is None:
        return
    if type(version) is not int:
        raise Refusal("malformed", None, "if_version is not a version.", field="if_version")
    if version != session.version:
        raise Refusal(
            "version_mismatch",
            None,
            f"The game is at version {session.version}, not {version}.",
            version=session.version,
            if_version=version,
        )


def refuse_unless_theirs(session: SessionState, move: JsonObject, speaker: Speaker) -> JsonObject:
    """Return the move with whose it is; a seat speaks for itself, the host for all."""
    if speaker.host:
        return move
    by = move.get("by")
    anybody = _is_anybodys(session, move)
    if by is None and not anybody and len(speaker.seats) == 1:
        (by,) = speaker.seats
        if move.get("do") != "choose" or "id" not in move:
            move = {**move, "by": by}
    allowed = speaker.may_speak_for(by if isinstance(by, str) else None)
    if not allowed or (by is None and not anybody):
        raise Refusal("not_yours", None, "That is not yours to say: it takes the seat or the host.", by=by)
    if move.get("do") == "choose" and "id" in move:
        return _with_whose_choice(session, move, speaker)
    return move


def _is_anybodys(session: SessionState, move: JsonObject) -> bool:
    """Whether a move is nobody's own, as answers are to a choice that is asked of all."""
    if move["do"] == "choose":
        return "id" in move and any(one["id"] == move["id"] and one["by"] is None for one in answers.pending(session))
    return move["do"] in ANYBODY or (session.played is not None and move["do"] in session.open_game.rules.anybody)


def _with_whose_choice(session: SessionState, move: JsonObject, speaker: Speaker) -> JsonObject:
    """Return the answer with whose it is, so that they may take it back."""
    for choice in answers.pending(session):
        if choice["id"] != move["id"]:
            continue
        if not speaker.may_speak_for(choice["by"]):
            raise Refusal("not_yours", None, "That choice is another player's.", by=choice["by"], id=choice["id"])
        return move if choice["by"] is None else {"by": choice["by"], **move}
    return move


def _undo(session: SessionState, move: JsonObject, speaker: Speaker) -> None:
    _only(move, {"do", "to", "by"})
    to = move.get("to")
    if to is not None and type(to) is not int:
        raise Refusal("malformed", None, "to is not a version.", field="to")
    undo(session, to, speaker)


def _only(move: JsonObject, known: set[str]) -> None:
    for key in move:
        if key not in known:
            raise Refusal("malformed", None, f"{str(key)[:60]!r} is no field of {move['do']}.", field=str(key)[:60])


def _correct(session: SessionState, move: JsonObject, speaker: Speaker) -> None:
    """Play a correction without the table's own questions, which a state that is sent back holds too.

    One that changes nothing is no entry: a page that is sent twice, or again and again, would fill the disk with it.
    """
    said = move.get("set")
    pending = said.get("pending") if isinstance(said, dict) else None
    if isinstance(said, dict) and isinstance(pending, list):
        own: list[object] = [answers.question_as_json(question) for question in answers.own_questions(session)]
        move = {**move, "set": {**said, "pending": [one for one in pending if one not in own]}}
    session.play(move, speaker.name, unless_same=True)


def legal_offers(session: SessionState, question: AskLegal) -> list[Offer]:
    """Return the legal moves of a player, or of everybody; what is nobody's is everybody's."""
    if session.played is None or session.open_game.frozen is not None:
        return []
    position = session.position()
    rules = session.open_game.rules
    moves = [rules.write(move) for move in rules.legal(session.open_game.game, question.eyes)]
    return [
        Offer(move, position.rules.mat is not None and position.mat.doubles(position, move))
        for move in moves
        if question.by is None or move.get("by") in (question.by, None)
    ]


def pack_played(session: SessionState) -> PackText | None:
    return None if session.played is None else session.open_game.pack
