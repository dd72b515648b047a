"""Answers to open choices: those of the rules, and the table's own questions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict

from companion.games.json_types import Choice
from companion.refusal import Refusal
from companion.table.session.events import DisagreementResolved
from companion.table.session.handlers import figures_said
from companion.table.sight.reconcile import RESOLUTIONS, corrections

if TYPE_CHECKING:
    from companion.canonical import JsonObject
    from companion.games.json_types import MoveJson
    from companion.games.mat import Difference
    from companion.refusal import ErrorJson
    from companion.table.session.intents import Speaker
    from companion.table.session.state import OpenQuestion, SessionState


class QuestionJson(Choice):
    """A question of the table itself, among the open choices of a state."""

    place: str


def pending(session: SessionState) -> list[Choice]:
    """Return every open choice, the rules' first."""
    if session.played is None:
        return []
    return [*session.open_game.rules_state()["pending"], *map(question_as_json, own_questions(session))]


def own_questions(session: SessionState) -> list[OpenQuestion]:
    return [question for question in (session.question, session.passes) if question is not None]


def question_as_json(question: OpenQuestion) -> QuestionJson:
    return {
        "id": question.id,
        "by": question.by,
        "kind": question.kind,
        "place": question.place,
        "options": [option for option, _ in question.ways],
        "clause": question.clause,
    }


def choose(session: SessionState, move: JsonObject, speaker: Speaker) -> None:
    """Give an answer to the choice that it names, else to the first one open to its player."""
    question = _meant(session, move)
    if question is None:
        session.play(move, speaker.name)
        return
    ways = dict(question.ways)
    option = move.get("option")
    if not isinstance(option, str) or option not in ways:
        raise Refusal(
            "no_such_option",
            question.clause,
            f"{str(option)[:60]!r} is not offered here; there is: {', '.join(ways)}.",
            option=str(option)[:60],
            options=list(ways),
            kind=question.kind,
            id=question.id,
        )
    if question is session.passes:
        _answer_passes(session, speaker, option)
        return
    way = ways[option]
    if way is not None:
        session.play(way, speaker.name)
    session.question = None


def _meant(session: SessionState, move: JsonObject) -> OpenQuestion | None:
    """Without a number: what the rules or the table ask that player comes before what is asked of anybody."""
    number, by = move.get("id"), move.get("by")
    if number is not None:
        return next((question for question in own_questions(session) if question.id == number), None)
    # no set: a phone may say anything, also what no set holds
    asked = [choice["by"] for choice in session.open_game.rules_state()["pending"]]
    for owner in (by, None):
        if owner in asked:
            return None
        for question in own_questions(session):
            if question.by == owner:
                return question
    return None


def _answer_passes(session: SessionState, speaker: Speaker, option: str) -> None:
    session.passes = None
    if option == "yes":
        pass_for_all(session, speaker)


def pass_for_all(session: SessionState, speaker: Speaker) -> None:
    """Pass for everybody who could still place, then recall; or nobody passes, and what stands in the way is told."""
    mat, ahead = session.position().mat, session.position()
    while (first := mat.before_recall(ahead.state())) is not None:
        ahead = ahead.after(first)
    ahead.after(mat.recall)
    while (first := mat.before_recall(session.position().state())) is not None:
        session.play(first, speaker.name)
    session.play(mat.recall, speaker.name)
    figures_said.recalled(session)


def shown(session: SessionState) -> list[tuple[int, Difference]]:
    """Return the open disagreements with their numbers; the same one keeps its number."""
    found = []
    for one in session.verdict.disagreements:
        if one.key in session.moved:
            continue
        if one.key not in session.numbers:
            session.numbers[one.key] = session.next_disagreement
            session.next_disagreement += 1
        found.append((session.numbers[one.key], one))
    open_keys = {one.key for one in session.verdict.disagreements}
    for key in [key for key in session.numbers if key not in open_keys]:
        del session.numbers[key]
    return found


class DisagreementJson(TypedDict):
    """A disagreement of section 4 of the contract."""

    id: int
    kind: str
    place: str
    seen: str | None
    expected: str | None
    by: str | None
    clause: str | None
    why: ErrorJson | None
    options: list[str]
    right: list[MoveJson]
    """What would be recorded if somebody says that the table is right."""


def disagreement_as_json(session: SessionState, number: int, one: Difference) -> DisagreementJson:
    """A disagreement of section 4 of the contract; a way out that the rules could not follow is none."""
    right = _right(session, one)
    ways = [way for way in RESOLUTIONS if way != "right" or right is not None]
    return {
        "id": number,
        "kind": one.called or one.kind,
        "place": one.place,
        "seen": one.seen,
        "expected": one.expected,
        "by": one.by,
        "clause": one.clause,
        "why": None if one.refusal is None else one.refusal.as_json(),
        "options": ways,
        "right": right or [],
    }


def _right(session: SessionState, one: Difference) -> list[MoveJson] | None:
    """Return the moves after which the record says what the table shows; None where the rules could not follow."""
    if session.reading is None:
        return []
    position = session.position()
    try:
        steps = corrections(position, one, session.reading)
        for step in steps:
            position = position.after(step)
    except Refusal:
        return None
    return steps


def resolve(session: SessionState, move: JsonObject, speaker: Speaker) -> None:
    """Settle a disagreement in one of the ways offered."""
    number = move.get("id")
    if type(number) is not int:
        raise Refusal("malformed", None, "id is not the number of a disagreement.", field="id")
    one = dict(shown(session)).get(number)
    if one is None:
        raise Refusal("no_such_disagreement", None, "No such disagreement is open.", id=number)
    option = move.get("option")
    if not isinstance(option, str) or option not in RESOLUTIONS:
        ways = ", ".join(RESOLUTIONS)
        raise Refusal("no_such_option", one.clause, f"It is one of: {ways}.", option=str(option)[:60])
    if not speaker.may_speak_for(one.by):
        raise Refusal("not_yours", None, "It takes the seat concerned or the host.", by=one.by)
    if option == "moved":
        session.moved |= {one.key}
    elif option == "ignore":
        session.do(lambda: session.recorded.ignore(one.key))
        session.memory = replace(session.memory, ignored=session.memory.ignored | {one.key})
    elif session.reading is not None:
        for step in corrections(session.position(), one, session.reading):
            session.play(step, speaker.name)
    figures_said.resolved(session, one, option)
    session.events.append(DisagreementResolved(one.by, number, option))
