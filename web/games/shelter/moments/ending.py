"""The end of a game in the vault: how each score adds up, and what decided it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from web.base.words import name_of
from web.games import endings
from web.games.endings import Ending, SumPart
from web.games.shelter.cards import vault_state

if TYPE_CHECKING:
    from web.games.port import Page, Reader


def page_of(reader: Reader, me: str, *, has_steps: bool) -> Page | None:
    """Return the end of the game that is over; None without a result."""
    words, state = reader.words, vault_state(reader.state)
    result = state["result"]
    if result is None:
        return None
    scores = result["scores"]
    columns = {
        colour: (
            SumPart(score["happiness"] - score["items"] - score["threats"]),
            SumPart(score["items"], "more"),
            SumPart(score["threats"], "less"),
        )
        for colour, score in scores.items()
    }
    points = {colour: score["happiness"] for colour, score in scores.items()}
    places = endings.podium(words, reader.state, points, me, columns)
    title, sub = endings.title(words, places, words.text(f"decided_{result['decided_by']}"))
    story = reader.context.stories.story(state["id"] or "")
    decision = endings.decision(words, reader.state, story) if story else None
    small, large = endings.curves(story, decision.round if decision else None) if story else (None, None)
    return Ending(
        title=title,
        sub=sub,
        me=me,
        places=places,
        unit=words.text("happiness"),
        columns=(words.text("in_hand"), words.text("of_items"), words.text("own_threats")),
        begins=name_of(words, state, state["first"]),
        id=state["id"] or "",
        has_steps=has_steps,
        decision=decision,
        phone_chart=small,
        screen_chart=large,
        curve=words.text("curve"),
    ).page()
