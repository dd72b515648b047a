"""Answers to open choices: those of the rules, and the table's own questions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.refusal import Refusal
from companion.table.sight.follow_table import settled
from companion.table.sight.reconcile import RESOLUTIONS

if TYPE_CHECKING:
    from companion.table.session.intents import Speaker
    from companion.table.session.state import Asked, Desk
    from companion.table.sight.difference import Difference


def pending(desk: Desk) -> list[dict[str, Any]]:
    """Every open choice, the rules' first."""
    if desk.keeper is None:
        return []
    return [*desk.sitting.rules.state(desk.sitting.game)["pending"], *map(question_as_json, own_questions(desk))]


def own_questions(desk: Desk) -> list[Asked]:
    """The table's own questions that are open."""
    return [question for question in (desk.question, desk.passes) if question is not None]


def question_as_json(question: Asked) -> dict[str, Any]:
    """A question in the shape of an open choice."""
    return {
        "id": question.id,
        "by": question.by,
        "kind": question.kind,
        "place": question.place,
        "options": [option for option, _ in question.ways],
        "clause": question.clause,
    }


def choose(desk: Desk, move: dict[str, Any], speaker: Speaker) -> None:
    """An answer goes to the choice that it names, else to the first one open to its player."""
    question = _meant(desk, move)
    if question is None:
        desk.play(move, speaker.name)
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
    if question is desk.passes:
        _answer_passes(desk, speaker, option)
        return
    way = ways[option]
    if way is not None:
        desk.play(way, speaker.name)
    desk.question = None


def _meant(desk: Desk, move: dict[str, Any]) -> Asked | None:
    """Without a number: what the rules or the table ask that player comes before what is asked of anybody."""
    number, by = move.get("id"), move.get("by")
    if number is not None:
        return next((question for question in own_questions(desk) if question.id == number), None)
    asked = [choice["by"] for choice in _of_rules(desk)]  # no set: a phone may say anything, also what no set holds
    for owner in (by, None):
        if owner in asked:
            return None
        for question in own_questions(desk):
            if question.by == owner:
                return question
    return None


def _of_rules(desk: Desk) -> list[dict[str, Any]]:
    choices: list[dict[str, Any]] = desk.sitting.rules.state(desk.sitting.game)["pending"]
    return choices


def _answer_passes(desk: Desk, speaker: Speaker, option: str) -> None:
    desk.passes = None
    if option == "yes":
        pass_for_all(desk, speaker)


def pass_for_all(desk: Desk, speaker: Speaker) -> None:
    """Everybody who could still place passes, then the dwellers go home."""
    while (state := desk.sitting.rules.state(desk.sitting.game))["phase"] == "place":
        desk.play({"do": "pass", "by": state["turn"]}, speaker.name)
    desk.play({"do": "recall"}, speaker.name)


def shown(desk: Desk) -> list[tuple[int, Difference]]:
    """The disagreements that are open, with their numbers; the same one keeps its number."""
    found = []
    for one in desk.verdict.disagreements:
        if one.key in desk.moved:
            continue
        if one.key not in desk.numbers:
            desk.numbers[one.key] = desk.next_disagreement
            desk.next_disagreement += 1
        found.append((desk.numbers[one.key], one))
    open_keys = {one.key for one in desk.verdict.disagreements}
    for key in [key for key in desk.numbers if key not in open_keys]:
        del desk.numbers[key]
    return found


def disagreement_as_json(desk: Desk, number: int, one: Difference) -> dict[str, Any]:
    """A disagreement of section 4 of the contract; a way out that the rules could not follow is none."""
    ways = [way for way in RESOLUTIONS if way != "right" or _can_follow(desk, one)]
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
    }


def _can_follow(desk: Desk, one: Difference) -> bool:
    """Whether the record could say what the table shows."""
    if desk.reading is None:
        return True
    position = desk.position()
    try:
        for step in settled(position, one, desk.reading):
            position = position.after(step)
    except Refusal:
        return False
    return True


def resolve(desk: Desk, move: dict[str, Any], speaker: Speaker) -> None:
    """One of the ways out of a disagreement."""
    number = move.get("id")
    if type(number) is not int:
        raise Refusal("malformed", None, "id is not the number of a disagreement.", field="id")
    one = dict(shown(desk)).get(number)
    if one is None:
        raise Refusal("no_such_disagreement", None, "No such disagreement is open.", id=number)
    option = move.get("option")
    if option not in RESOLUTIONS:
        ways = ", ".join(RESOLUTIONS)
        raise Refusal("no_such_option", one.clause, f"It is one of: {ways}.", option=str(option)[:60])
    if not speaker.may_speak_for(one.by):
        raise Refusal("not_yours", None, "It takes the seat concerned or the host.", by=one.by)
    if option == "moved":
        desk.moved |= {one.key}
    elif option == "ignore":
        desk.do(lambda: desk.kept.ignore(one.key))
        desk.memory = replace(desk.memory, ignored=desk.memory.ignored | {one.key})
    elif desk.reading is not None:
        for step in settled(desk.position(), one, desk.reading):
            desk.play(step, speaker.name)
    desk.tell("resolved", by=one.by, what=[move["id"], option])
