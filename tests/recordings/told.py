"""What people say to the companion while the traced rounds are played, and every move that must come of it."""

from typing import Any

Move = dict[str, Any]
TRACKS = {"rooms": ["mushroom-cellar", "bunk-room", "sewing-nook"], "items": ["slingshot", "otter", "wardrobe"]}


def choose(by: str, option: str, **more: Any) -> Move:
    return {"do": "choose", "by": by, "option": option, **more}


def placed(by: str, space: str, dweller: str = "plain") -> Move:
    return {"do": "place", "by": by, "space": space, "dwellers": [dweller]}


def drawn(card: str) -> Move:
    return {"do": "choose", "option": card}


PASSES = {"do": "choose", "option": "yes"}

EVENING_SETUP = {
    "players": ["red", "blue", "green", "yellow"],
    "levels": ["red", "blue", "green", "yellow"],
    "first": "red",
    "cards": "table",
    "start": {
        "round": 2,
        "phase": "spawn",
        "tracks": TRACKS,
        "threats": {"3:R1a": "dust-bunny"},
        "levels": {
            "2": {"rooms": {"L1": "soup-kitchen", "R1": "cocoa-infirmary"}},
            "3": {"rooms": {"R1": "rain-barrel", "L1": "story-corner"}},
            "4": {"rooms": {"R1": "hopscotch-lane", "L1": "pedal-room"}},
            "5": {"rooms": {"R1": "drawing-board", "L1": "tea-room"}},
        },
        "players": {
            "red": {"available": ["plain", "plain"]},
            "blue": {"available": ["plain", "injured"]},
            "green": {"available": ["plain", "plain", "S"]},
            "yellow": {"available": ["plain", "plain"], "resources": {"water": 1, "food": 5}},
        },
    },
}
SPAWN = {"do": "spawn", "dice": [[4, 5], [3, 4], [3, 4], [4, 4], [3, 4]]}
WON, LOST = {"dice": [[5, 4]]}, {"dice": [[1, 2]]}
EVENING_TAPS = {
    "start": [SPAWN],
    "green fights": [choose("green", "roll", **WON), choose("green", "water")],
    "red fights": [choose("red", "roll", **LOST)],
    "blue is hurt": [choose("blue", "food"), choose("blue", "water"), choose("red", "energy")],
    "green trained": [choose("green", "S")],
    "all are home": [PASSES],
}
EVENING_MOVES = [
    SPAWN,
    drawn("sock-nibbler"),
    drawn("wild-goose"),
    placed("red", "1:R2a"),
    placed("blue", "1:R3a"),
    placed("green", "1:R1b"),
    choose("green", "roll", **WON),
    choose("green", "water"),
    placed("yellow", "5:R1b"),
    choose("yellow", "mushroom-cellar@right"),
    placed("red", "3:R1a"),
    choose("red", "roll", **LOST),
    placed("blue", "2:R1b", "injured"),
    choose("blue", "food"),
    choose("blue", "water"),
    choose("red", "energy"),
    placed("green", "1:R1a", "S"),
    {"do": "pass", "by": "yellow"},
    {"do": "pass", "by": "green"},
    {"do": "recall"},
]
"""`green trained` is the one question: which of green's dwellers stands there, only green can say."""

AFTERNOON_SETUP = {
    "players": ["blue", "green"],
    "levels": ["blue", "green"],
    "first": "blue",
    "cards": "table",
    "start": {
        "round": 2,
        "phase": "spawn",
        "tracks": TRACKS,
        "threats": {"3:R2b": "tunnel-toad"},
        "levels": {
            "2": {"rooms": {"R1": "log-lifters-den", "R2": "clover-nook"}},
            "3": {"rooms": {"L1": "periscope-post", "R1": "trampoline-hall", "R2": "pigeon-post"}},
        },
        "players": {
            "blue": {"available": ["plain", "plain", "plain"], "resources": {"water": 1, "food": 5}},
            "green": {"available": ["plain", "plain"]},
        },
    },
}
ONE_THREAT = {"do": "spawn", "dice": [[3, 4], [4, 4], [3, 4]]}
AFTERNOON_TAPS = {
    "start": [ONE_THREAT],
    "green fights": [choose("green", "roll", **LOST)],
    "blue trains": [choose("blue", "food")],
    "all are home": [choose("blue", "S")],
}
AFTERNOON_MOVES = [
    ONE_THREAT,
    drawn("prickly-hedgehog"),
    placed("blue", "1:R1b"),
    placed("green", "1:R2a"),
    placed("blue", "2:E"),
    choose("blue", "mushroom-cellar@left"),
    placed("green", "2:R1a"),
    choose("green", "roll", **LOST),
    placed("blue", "1:L1a"),
    choose("blue", "food"),
    {"do": "recall"},
    choose("blue", "S"),
]
