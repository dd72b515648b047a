"""The rounds that are written: what people do at the table. What the game must make of it is in `told`."""

import numpy as np

from tests.recordings.plays import Play

TOP = dict(
    zip(
        ("1:L3", "1:L2", "1:L1", "1:R1", "1:R2", "1:R3"),
        ("rummage-heap", "round-door", "welcome-hall", "hamster-wheel", "dew-catcher", "mushroom-patch"),
        strict=True,
    )
)
EVENING = {
    "2:L1": "soup-kitchen",
    "2:R1": "cocoa-infirmary",
    "3:R1": "rain-barrel",
    "3:L1": "story-corner",
    "4:R1": "hopscotch-lane",
    "4:L1": "pedal-room",
    "5:R1": "drawing-board",
    "5:L1": "tea-room",
}
AFTERNOON = {
    "2:R1": "log-lifters-den",
    "2:R2": "clover-nook",
    "3:L1": "periscope-post",
    "3:R1": "trampoline-hall",
    "3:R2": "pigeon-post",
}
HANDS_SEEN = {"first threat", "green fights", "half are home", "all are home", "threat gone"}


def lay(play: Play, rooms: dict[str, str], elevators: dict[str, str]) -> None:
    """What lies there when the first picture is taken."""
    for place, card in {**TOP, **elevators, **rooms}.items():
        play.room(card, place)


# --- a round of four --------------------------------------------------------------------------------------------------


def evening() -> Play:
    """Threats, a fight won and one lost, a room built, somebody too early, a trained dweller, the recall."""
    play = Play("evening", np.random.default_rng(41))
    colours = ("red", "blue", "green", "yellow")
    lay(play, EVENING, {"1:E": "elevator"} | {f"{n}:E": f"elevator-{player}" for n, player in enumerate(colours, 2)})
    play.threat("dust-bunny", "3:R1a")
    play.start()
    threats_come(play)
    dwellers_go(play)
    somebody_is_hurt(play)
    somebody_is_too_early(play)
    home_again(play)
    return play


def mirrored() -> Play:
    """The evening under a lamp that is mirrored among the cards; few of its hands are seen."""
    play = evening()
    play.name, play.mirrors = "mirrored", "5:E"
    following = [shot.name for shot in play.shots[1:]] + [""]
    play.shots = [shot for shot, name in zip(play.shots, following, strict=True) if shot.name or name in HANDS_SEEN]
    return play


def threats_come(play: Play) -> None:
    play.on_the_way("red", "1:R1b")
    play.threat("sock-nibbler", "1:R1b")
    play.at_work("red", "1:R1b", "first threat")
    play.threat("wild-goose", "4:R1a")
    play.at_work("red", "4:R1a", "second threat")


def dwellers_go(play: Play) -> None:
    play.on_the_way("red", "1:R2a", carries="red", seconds=1.2)  # hesitates, over other spaces
    play.figure("red", "1:R2a")
    play.at_work("red", "1:R2a", "red gathers")
    play.on_the_way("blue", "1:R3a", carries="blue")
    play.figure("blue", "1:R3a")
    play.at_work("blue", "1:R3a", "blue gathers")
    play.figure("green", "1:R1b")
    play.at_work("green", "1:R1b", "green fights", seconds=1.2)
    play.on_the_way("yellow", "5:R1b", carries="yellow")
    play.figure("yellow", "5:R1b")
    play.at_work("yellow", "5:R1b", "yellow builds")
    play.room("mushroom-cellar", "5:R2")
    play.at_work("yellow", "5:R2", "room laid")


def somebody_is_hurt(play: Play) -> None:
    play.figure("red", "3:R1a")
    play.at_work("red", "3:R1a", "red fights")
    play.figure("red", "3:R1a", "lying")
    play.at_work("red", "3:R1a", "red lies")
    play.on_the_way("blue", "2:R1b", carries="blue")
    play.figure("blue", "2:R1b", "lying")
    play.at_work("blue", "2:R1b", "blue is hurt")
    play.figure("blue", "2:R1b")
    play.at_work("blue", "2:R1b", "blue is healed")


def somebody_is_too_early(play: Play) -> None:
    play.figure("yellow", "1:L1a")
    play.at_work("yellow", "1:L1a", "yellow too early")
    play.lift("1:L1a")
    play.at_work("yellow", "1:L1a", "yellow back")
    play.on_the_way("green", "1:R1a", carries="green")
    play.figure("green", "1:R1a")
    play.at_work("green", "1:R1a", "green trained")


def home_again(play: Play) -> None:
    play.on_the_way("green", "1:R1b")
    play.lift("1:R2a", "1:R1a", "1:R1b", "1:R3a")
    play.at_work("green", "1:R3a", "half are home")
    play.lift(*play.figures)
    play.at_work("red", "3:R1a", "all are home")
    play.take_threat("1:R1b")
    play.at_work("green", "1:R1b", "threat gone")


# --- a round of two ---------------------------------------------------------------------------------------------------


def afternoon() -> Play:
    """A threat, a figure on an elevator that builds, a lost fight, an arm that stays, the recall."""
    play = Play("afternoon", np.random.default_rng(7), meters=True)
    lay(play, AFTERNOON, {f"{level}:E": "elevator" for level in (1, 2, 3)})
    play.threat("tunnel-toad", "3:R2b")
    play.start()
    play.on_the_way("green", "2:R1a")
    play.threat("prickly-hedgehog", "2:R1a")
    play.at_work("green", "2:R1a", "threat laid")
    play.on_the_way("blue", "1:R1b", carries="blue", seconds=1.2)
    play.figure("blue", "1:R1b")
    play.at_work("blue", "1:R1b", "blue gathers", seconds=2.4)  # the arm stays
    play.figure("green", "1:R2a")
    play.at_work("green", "1:R2a", "green gathers")
    play.figure("blue", "2:E")
    play.at_work("blue", "2:E", "blue builds")
    play.on_the_way("blue", "2:L1")
    play.room("mushroom-cellar", "2:L1")
    play.at_work("blue", "2:L1", "room laid")
    play.figure("green", "2:R1a")
    play.at_work("green", "2:R1a", "green fights")
    play.figure("green", "2:R1a", "lying")
    play.at_work("green", "2:R1a", "green lies")
    play.figure("blue", "1:L1a")
    play.at_work("blue", "1:L1a", "blue trains")
    play.lift(*play.figures)
    play.at_work("green", "1:R1b", "all are home")
    return play


PLAYS = {"evening": evening, "mirrored": mirrored, "afternoon": afternoon}
