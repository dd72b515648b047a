"""The table disagrees: the seat concerned, or the host, says which of the two is right."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.refusal import Refusal
from companion.table.sight.follow_table import settled
from companion.table.sight.reconcile import RESOLUTIONS

if TYPE_CHECKING:
    from companion.table.session.intents import Speaker
    from companion.table.session.state import Desk
    from companion.table.sight.difference import Difference


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


def as_json(desk: Desk, number: int, one: Difference) -> dict[str, Any]:
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
