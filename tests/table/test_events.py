"""The table's own events as programs read them."""

from typing import get_args

import pytest

from companion.refusal import Refusal
from companion.table.session import events

REFUSAL = Refusal("not_yet", "R3", "Dwellers are still being placed.", phase="place")
SAMPLES = [
    (
        events.DeviceReported("camera", "off", "Look."),
        {"event": "device", "device": "camera", "state": "off", "hint": "Look."},
    ),
    (events.SettingsChanged({"rest": 2.0}), {"event": "settings", "rest": 2.0}),
    (events.MoveRefused(REFUSAL), {"event": "refused", **REFUSAL.as_json()}),
    (events.MoveRefused(REFUSAL, "red"), {"event": "refused", "button": "red", **REFUSAL.as_json()}),
    (events.DiceThrown((3, 4), level=2), {"event": "thrown", "what": [2, [3, 4]]}),
    (events.DiceThrown((3, 4), by="red"), {"event": "thrown", "by": "red", "what": [None, [3, 4]]}),
    (events.DiceUnsure(None), {"event": "dice_unsure", "by": None}),
    (events.MoveUndone(None), {"event": "undone", "to": None}),
    (events.MoveRedone(), {"event": "redone"}),
    (events.DisagreementResolved("red", 7, "right"), {"event": "resolved", "by": "red", "what": [7, "right"]}),
    (events.BotSeated("red", "hard"), {"event": "bot_seated", "by": "red", "what": ["hard"]}),
    (events.BotLeft("red"), {"event": "bot_left", "by": "red", "what": [None]}),
    (
        events.BotSuggested("red", {"do": "place"}, {"why": "item"}),
        {"event": "suggested", "by": "red", "what": [{"do": "place"}, {"why": "item"}]},
    ),
    (events.BotExplained("red", {"why": "item"}), {"event": "reason", "by": "red", "what": [{"why": "item"}]}),
    (events.SeatLeft("red"), {"event": "away", "by": "red"}),
    (events.SeatReturned("red"), {"event": "back", "by": "red"}),
    (events.HandsAsked("red", {"do": "place"}), {"event": "asked", "by": "red", "what": [{"do": "place"}]}),
    (events.GameStarted("abc"), {"event": "started", "game": "abc"}),
    (events.GameChosen("abc"), {"event": "chosen", "game": "abc"}),
    (events.GameFrozen(), {"event": "frozen"}),
    (events.GameThawed(), {"event": "thawed"}),
    (events.CardsEdited(), {"event": "cards_edited"}),
    (events.TroubleDecided("set-aside"), {"event": "decided", "option": "set-aside"}),
]


def test_every_event_has_a_sample_here():
    assert {type(event) for event, _ in SAMPLES} == set(get_args(events.TableEvent)) == set(events.NAMES)


@pytest.mark.parametrize(("event", "told"), SAMPLES)
def test_an_event_as_json(event, told):
    assert events.serialize(event) == told
    assert events.by(event) == told.get("by")
