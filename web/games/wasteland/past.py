"""The way back through a game, an entry a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.table.record.export import formats_of
from web.base.charts import chart
from web.base.words import name_of
from web.games.port import HistoryEntry, PastGame

if TYPE_CHECKING:
    from companion.table.record.history import Story, StoryStep
    from web.base.words import Words
    from web.games.wasteland.names import Names


GAME: Final = "wasteland"


def past(words: Words, story: Story, *, current: bool) -> PastGame:
    """A game as the history shows it: influence at the end, remaining HP before."""
    state = story.state or {}
    result = state["result"]
    numbers = result["influence"] if result else story.standing
    return PastGame(
        game=story.game,
        began=story.steps[0].at[:16].replace("T", " "),
        round=state["round"],
        players=[
            (
                colour,
                name_of(words, state, colour),
                numbers.get(colour, 0),
                bool(result) and colour in result["winners"],
            )
            for colour in story.colours
        ],
        chart=chart(story.steps, story.colours),
        current=current,
        over=story.over,
        trouble=story.trouble is not None,
        kinds=formats_of(story),
        name=words.text("wname"),
        unit=words.text("winfluence" if story.over else "wremaining"),
        curve=words.text("wcurve"),
    )


def entries(words: Words, names: Names, story: Story) -> list[HistoryEntry]:
    """The newest first."""
    playing = story.state["players"] if story.state else {}
    return [
        HistoryEntry(step.nth, step.by if step.by in playing else "", _text(words, names, step, playing), step.round)
        for step in reversed(story.steps)
    ]


def _text(words: Words, names: Names, step: StoryStep, playing: object) -> str:
    who = names.player(step.by) if isinstance(playing, dict) and step.by in playing else ""
    key = f"wdid_{step.do.replace('-', '_')}"
    done = words.text(key) if words.has(key) else step.do
    what = " ".join(_word(words, names, word) for word in step.values)
    return " ".join(part for part in (f"{who}:" if who else "", done, what) if part)


def _word(words: Words, names: Names, word: str) -> str:
    key = f"wopt_{word.replace('-', '_')}"
    if words.has(key):
        return words.text(key)
    verb, _, thing = word.partition(":")
    return names.of(thing or verb)
