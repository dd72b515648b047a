"""What hands may do on the page, and what is refused."""

import pytest

from companion.games.api import COLOURS, Button
from companion.refusal import Refusal
from hardware.tabletop.table_contents import middle_of, standing_on


def at(place):
    x, y = middle_of(place) if len(place) == 4 and place[-1] != "E" else standing_on(place)
    return {"x": x, "y": y}


def track(place):
    x, y = middle_of(place)
    return {"x": x, "y": y}


def lies(drawn, place, **how):
    return drawn.table.card_at(place, **how)


def test_a_dweller_let_go_near_a_space_stands_on_it(drawn):
    [key] = drawn.table.bring("red", 1)
    x, y = standing_on("1:L2a")
    drawn.do({"do": "move", "figure": key, "x": x + 14, "y": y - 9})
    figure = drawn.table.figure(key)
    assert drawn.table.space_of(figure) == "1:L2a"
    assert abs(figure.x - x) < 6
    drawn.do({"do": "tip", "figure": key})
    assert drawn.table.figure(key).lying
    drawn.do({"do": "move", "figure": key, "x": 0, "y": 190})
    assert drawn.table.space_of(drawn.table.figure(key)) is None
    drawn.do({"do": "move", "figure": key, "x": 0, "y": -230})
    assert drawn.table.figure(key).y == drawn.table._home(key)[1]


def test_all_go_home(drawn):
    for player, space in (("red", "1:L2a"), ("blue", "3:E")):
        [key] = drawn.table.bring(player, 1)
        drawn.table.put(key, space)
    [beside] = drawn.table.bring("red", 1)
    drawn.table.move(beside, 90.0, 25.0)
    assert drawn.table.space_of(drawn.table.figure(beside)) is None
    drawn.do({"do": "home"})
    assert not any(drawn.table.is_out(one) for one in drawn.table.scene.figures)


def test_threats_and_rooms_are_laid_carried_and_taken(drawn):
    drawn.do({"do": "lay", "card": "wild-goose", **at("1:R1a")})
    assert lies(drawn, "1:R1a", threat=True) == "wild-goose"
    drawn.do({"do": "carry", "file": "wild-goose.png", **at("1:L1b")})
    assert lies(drawn, "1:R1a", threat=True) is None
    assert lies(drawn, "1:L1b", threat=True) == "wild-goose"
    drawn.do({"do": "carry", "file": "wild-goose.png", "x": 0, "y": -240})
    assert lies(drawn, "1:L1b", threat=True) is None
    drawn.do({"do": "lay", "card": "tea-room", **at("2:L1")})
    assert lies(drawn, "2:L1") == "tea-room"


def test_a_card_carried_to_no_place_is_put_back(drawn):
    drawn.do({"do": "lay", "card": "wild-goose", **at("1:R1a")})
    with pytest.raises(Refusal, match="its place"):
        drawn.do({"do": "carry", "file": "wild-goose.png", "x": 0, "y": 200})
    assert lies(drawn, "1:R1a", threat=True) == "wild-goose"


@pytest.mark.parametrize("name", ["lamp", "help"])
def test_switches_show(drawn, name):
    shown = {"lamp": "lamp", "help": "helping"}[name]
    for on in (False, True):
        drawn.do({"do": name, "on": on})
        assert drawn.shown()[shown] is on


def test_the_lens_the_hand_and_the_arm(drawn):
    drawn.do({"do": "cover", "on": True})
    assert drawn.shown()["covered"]
    with drawn.camera.frame(full=False) as frame:
        assert frame.image.mean() < 8
    drawn.do({"do": "cover", "on": False})
    drawn.do({"do": "hand", "on": True, "x": 0, "y": 20})
    assert drawn.shown()["hand"] == [0, 20]
    drawn.do({"do": "hand", "on": False})
    assert drawn.shown()["hand"] is None
    before = drawn.shown()["version"]
    drawn.do({"do": "bump"})
    assert drawn.shown()["version"] > before
    assert drawn.table.scene.bump != (0.0, 0.0, 0.0)


def test_the_page_is_told_what_never_changes(drawn):
    fixed = drawn.fixed()
    assert fixed["buttons"] == ["red", "blue", *(button for button in Button if button not in COLOURS)]
    assert len(fixed["spaces"]) == 65
    assert "wild-goose" in fixed["threats"]


WRONG = [
    {},
    {"do": "explode"},
    {"do": ["move"]},
    {"do": "move", "figure": "red-1", "x": "left", "y": 0},
    {"do": "move", "figure": "red-1", "x": float("nan"), "y": 0},
    {"do": "move", "figure": "red-1", "x": 1e9, "y": 0},
    {"do": "move", "figure": 3, "x": 0, "y": 0},
    {"do": "move", "figure": "red-99", "x": 0, "y": 0},
    {"do": "tip", "figure": "nobody"},
    {"do": "lay", "card": "ace-of-spades", "x": -92, "y": 67},
    {"do": "lay", "card": "wild-goose", "x": 0, "y": 200},
    {"do": "lay", "card": "tea-room", "x": 0, "y": 0},
    {"do": "carry", "file": "../profile.json", "x": 0, "y": 0},
    {"do": "cover", "on": 1},
    {"do": "press", "button": "self-destruct"},
]


@pytest.mark.parametrize("deed", WRONG, ids=str)
def test_what_hands_cannot_do_is_refused(drawn, deed):
    before = drawn.table.scene
    with pytest.raises(Refusal):
        drawn.do(deed)
    assert drawn.table.scene.figures == before.figures
    assert set(drawn.table.scene.cards) == set(before.cards)


def test_dice_are_thrown_shoved_and_leaned(drawn):
    before = drawn.shown()["dice"]
    drawn.do({"do": "throw"})
    thrown = drawn.shown()["dice"]
    assert len(before) == len(thrown) == 2
    assert all(one["at"] != old["at"] for one, old in zip(thrown, before, strict=True))
    key = thrown[0]["key"]
    drawn.do({"do": "shove", "die": key, "x": 10, "y": 190})
    drawn.do({"do": "cock", "die": key})
    assert drawn.shown()["dice"][0] == {**thrown[0], "at": [10, 190], "leans": True}
    drawn.do({"do": "cock", "die": key})
    assert not drawn.shown()["dice"][0]["leans"]
    with pytest.raises(Refusal, match="no die"):
        drawn.do({"do": "shove", "die": "die-9", "x": 0, "y": 0})


def test_cards_of_the_tracks_are_laid_carried_and_taken(drawn):
    drawn.do({"do": "lay", "card": "trombone", **track("items:0")})
    drawn.do({"do": "lay", "card": "tea-room", **track("rooms:2")})
    assert (lies(drawn, "items:0"), lies(drawn, "rooms:2")) == ("trombone", "tea-room")
    drawn.do({"do": "carry", "file": "tea-room.png", **at("2:L1")})
    assert (lies(drawn, "rooms:2"), lies(drawn, "2:L1")) == (None, "tea-room")
    with pytest.raises(Refusal, match="its track"):
        drawn.do({"do": "carry", "file": "trombone.png", **at("2:R1")})
    drawn.do({"do": "carry", "file": "trombone.png", "x": 0, "y": 330})
    assert lies(drawn, "items:0") is None


def test_what_the_tracks_lack_is_told(drawn):
    state = {"tracks": {"items": ["trombone", "unknown"], "rooms": ["tea-room"]}, "table": {"todo": []}}
    drawn.do({"do": "lay", "card": "tea-room", **track("rooms:0")})
    assert drawn.wanted(state) == {}
    drawn.do({"do": "help", "on": False})
    assert drawn.wanted(state) == {"trombone": middle_of("items:0")}
    state["table"]["todo"] = [
        {"kind": "card", "place": "1:R1a", "expected": "wild-goose"},
        {"kind": "card", "place": "2:R1", "expected": ""},
        {"kind": "extra", "place": "1:R1b", "expected": None},
    ]
    assert drawn.wanted(state) == {"trombone": middle_of("items:0"), "wild-goose": middle_of("1:R1a")}
