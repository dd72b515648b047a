"""Answers to open choices: those of the rules, and the table's own questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.table.session.intents import Speaker
    from companion.table.session.state import Asked, Desk


def pending(desk: Desk) -> list[dict[str, Any]]:
    """Every open choice, the rules' first."""
    if desk.keeper is None:
        return []
    return [*desk.sitting.rules.state(desk.sitting.game)["pending"], *map(as_json, own_questions(desk))]


def own_questions(desk: Desk) -> list[Asked]:
    """The table's own questions that are open."""
    return [question for question in (desk.question, desk.passes) if question is not None]


def as_json(question: Asked) -> dict[str, Any]:
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
