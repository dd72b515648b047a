"""The end of a game in the wasteland: whose influence was enough, and which agendas it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from web.games import endings
from web.games.endings import Ending, SumPart
from web.games.wasteland.names import Names

if TYPE_CHECKING:
    from companion.games.wasteland.state_types import WastelandEnd, WastelandPrivate, WastelandState
    from web.base.words import Words
    from web.games.endings import PodiumPlace
    from web.games.port import Page, Reader


def page_of(reader: Reader, me: str) -> Page | None:
    """Return the end of the game that is over; None without a result."""
    words, state, position = reader.words, cast("WastelandState", reader.state), reader.snapshot.position
    result = state["result"]
    if result is None or position is None:
        return None
    names = Names(words, position.game.box, state)
    hands = {
        colour: cast("WastelandPrivate", position.rules.private(position.game, colour)) for colour in state["order"]
    }
    lines = {
        colour: tuple(SumPart(card["influence"], name=names.of(card["id"])) for card in hand["hand"])
        for colour, hand in hands.items()
    }
    points = {colour: result["influence"].get(colour, 0) for colour in state["order"]}
    places = endings.podium(words, reader.state, points, me, lines=lines)
    title, sub = _title(words, result, places)
    needed = next((hand["needed"] for hand in hands.values()), 0)
    story = reader.context.stories.story(reader.state["id"] or "")
    small, large = endings.curves(story, None) if story else (None, None)
    return Ending(
        title=title,
        sub=f"{sub} · {words.text('wneeded', n=needed)}" if needed else sub,
        me=me,
        places=places,
        unit=words.text("winfluence"),
        columns=(),
        begins=names.player(state["first"]),
        id=reader.state["id"] or "",
        phone_chart=small,
        screen_chart=large,
        curve=words.text("wcurve"),
    ).page()


def _title(words: Words, result: WastelandEnd, places: list[PodiumPlace]) -> tuple[str, str]:
    """Return who won and how; where nobody did, a faction has, or no survivor is left."""
    how = words.text(f"wdecided_{result['decided_by'].replace('-', '_')}")
    if result["winners"]:
        return endings.title(words, places, how)
    return lost_by_all(words, result), how


def lost_by_all(words: Words, result: WastelandEnd) -> str:
    return words.text("wfactions_won" if result["decided_by"] == "common-loss" else "wlost_all")
