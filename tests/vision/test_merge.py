"""A part of the table read anew, put into what was read of the whole."""

from companion.vision.reading import CardSeen, Dweller, VisionReading, merge

BEFORE = VisionReading(
    "whole",
    "found",
    rooms={"1:R1": CardSeen("garden", 0.9), "2:R1": CardSeen("lounge", 0.9)},
    threats={"1:R1a": CardSeen("raider", 0.9), "2:R1b": CardSeen("fire", 0.9)},
    tracks={"items": ("husky", None, None)},
    dwellers=(Dweller("1:R1b", "red", "standing", 0.9), Dweller("2:R1a", "blue", "lying", 0.9)),
    unsure=("1:E", "1:R1", "2:E", "2:L1a"),
    glares={"1:R1a": 0.6, "2:L1b": 0.7},
)


def test_nothing_seen_anew_is_taken_over_and_the_rest_is_kept():
    """Level 1 is read again, and nothing is found there; of level 2 everything stays, doubts and glares too."""
    merged = merge(BEFORE, VisionReading("part", "found"), {"1:R1", "1:E"})
    assert merged == VisionReading(
        "part",
        "found",
        rooms={"2:R1": CardSeen("lounge", 0.9)},
        threats={"2:R1b": CardSeen("fire", 0.9)},
        tracks={"items": ("husky", None, None)},
        dwellers=(Dweller("2:R1a", "blue", "lying", 0.9),),
        unsure=("2:E", "2:L1a"),
    )
    assert merged.glares == {"2:L1b": 0.7}


def test_what_is_seen_anew_stands_beside_it_in_order():
    fresh = VisionReading(
        "part",
        "found",
        rooms={"1:R1": CardSeen("armory", 0.8)},
        threats={"1:R1b": CardSeen("fire", 0.8)},
        dwellers=(Dweller("1:R1a", "green", "standing", 0.8),),
        unsure=("1:E",),
        glares={"1:R1b": 0.8},
    )
    merged = merge(BEFORE, fresh, {"1:R1", "1:E"})
    assert {place: seen.card for place, seen in merged.rooms.items()} == {"1:R1": "armory", "2:R1": "lounge"}
    assert {place: seen.card for place, seen in merged.threats.items()} == {"1:R1b": "fire", "2:R1b": "fire"}
    assert [one.space for one in merged.dwellers] == ["1:R1a", "2:R1a"]
    assert merged.unsure == ("1:E", "2:E", "2:L1a")
    assert merged.glares == {"1:R1b": 0.8, "2:L1b": 0.7}
