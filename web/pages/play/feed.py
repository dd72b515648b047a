"""What just happened: the last events, a line each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from companion.games.shelter.words import RESOURCES, SPACE_NAMES
from web.games.shelter.icons import card_name, space_name
from web.pages.bots import view
from web.pages.play.people import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from web.base.words import Words
    from web.pages.cards.view import Cards

    Happened = tuple[dict[str, Any], Sequence[dict[str, Any]]]
    """The events of one snapshot, after the state that they led to."""

MOST: Final = 5
MINUS: Final = "\N{MINUS SIGN}"
SILENT: Final = frozenset({"paid", "gained", "happiness", "dweller", "item", "spawned", "drawn"})
NO_MOVES: Final = frozenset({"device", "thrown", "dice_unsure", "refused", "settings"})
"""What happens at the table without anybody's move."""
WITH_SPACE: Final = frozenset({"placed", "rolled", "won", "defeated", "injured", "healed"})
WITH_CARD: Final = frozenset({"built", "item_used", "item_discarded", "item_ready"})


@dataclass(slots=True)
class Line:
    """One thing that happened: who, what, and what it brought as pictograms with a sign."""

    colour: str
    who: str
    text: str
    effects: list[tuple[str, str]] = field(default_factory=list)


def lines(
    words: Words,
    cards: Cards,
    recent: Sequence[Happened],
    most: int = MOST,
) -> list[Line]:
    """The newest first."""
    return newest(lambda state, events: _lines(words, cards, state, events), recent, most)


def newest(
    told: Callable[[dict[str, Any], Sequence[dict[str, Any]]], list[Line]], recent: Sequence[Happened], most: int
) -> list[Line]:
    """As many lines as there is room for, the newest first, in any game's words; many events have no line."""
    found: list[Line] = []
    for state, events in reversed(recent):
        found += reversed(told(state, events))
        if len(found) >= most:
            break
    return found[:most]


def last_to_move(state: dict[str, Any], recent: Sequence[Happened]) -> str:
    """Whose move was the last one, if it was a player's; what bots have answered at once goes back with it."""
    bot_seats = {colour for colour, player in state["players"].items() if player.get("bot")}
    for _, (first, *_) in reversed(recent):
        if first.get("by") not in bot_seats and first["event"] not in NO_MOVES:
            return str(first.get("by") or "")
    return ""


def _lines(words: Words, cards: Cards, state: dict[str, Any], events: Sequence[dict[str, Any]]) -> list[Line]:
    told: list[Line] = []
    for event in events:
        line = _line(words, cards, state, event)
        if line is not None:
            told.append(line)
        effect = _effect(event)
        colour = str(event.get("by", ""))
        if effect is not None:
            if not told or told[-1].colour != colour:
                told.append(Line(colour, name_of(words, state, colour), ""))
            told[-1].effects.append(effect)
    spawned = sum(one.get("event") == "spawned" and one["what"][0]["spawned"] for one in events)
    if any(event["event"] == "spawned" for event in events):
        told.append(
            Line("", "", words.count("happened_spawned", spawned) if spawned else words.text("happened_none_spawned"))
        )
    return told


def _effect(event: dict[str, Any]) -> tuple[str, str] | None:
    what = event.get("what", [])
    match event["event"]:
        case "paid":
            name = RESOURCES[what[0]] if isinstance(what[0], int) else str(what[0])
            return name, f"{MINUS}{what[1]}"
        case "gained":
            return str(what[0]), f"+{what[1]}"
        case "happiness":
            return "happiness", f"+{what[0]}"
        case "dweller":
            return "dweller", "+1"
        case "item":
            return "item", "+1"
        case _:
            return None


def _line(words: Words, cards: Cards, state: dict[str, Any], event: dict[str, Any]) -> Line | None:
    name, what = str(event["event"]), event.get("what", [])
    said = view.happened(words, state, cards, event)
    if said is not None:
        return Line(str(event["by"]), name_of(words, state, str(event["by"])), said)
    key = f"happened_{name}"
    if name in SILENT or not words.has(key):
        return None
    colour = str(event.get("by", ""))
    fields: dict[str, object] = {}
    if name in WITH_SPACE and isinstance(what[0], int) and 0 <= what[0] < len(SPACE_NAMES):
        fields["place"] = space_name(words, state, cards, SPACE_NAMES[what[0]])
    elif name in WITH_SPACE:
        return None
    if name in WITH_CARD:
        fields["card"] = card_name(words, cards, str(what[0]))
    if name == "rolled":
        dice, bonus = what[1], what[2]
        fields |= {"dice": " + ".join(map(str, dice)), "total": sum(dice) + bonus, "n": what[3]}
    if name == "trained":
        fields["letter"] = what[0]
    if name == "round":
        fields["n"] = what[0]
    return Line(colour, name_of(words, state, colour) if colour else "", words.text(key, **fields))
