"""The marked corner at a table of the second game: drawn cards and thrown dice are told by the camera."""

import pytest
from in_the_wasteland import begin

from companion.table.session.intents import TableSeen
from companion.table.sight.reading import CornerDie, Reading

BOARD = {"space": "reef", "weapon": "flare-pistol", "letters": "SP"}
CRAB = {"1": {"id": "dune-crab", "space": "reef"}}


@pytest.fixture
def fighting(table):
    """Red has thrown for a fight with real dice; others lie in the corner from before."""
    start = {"players": {"red": BOARD}, "enemies": CRAB, "turn": "red", "actions": {"left": 2}}
    begin(table, options={"dice": "table"}, start=start)
    lie(table, [(0, "hb1", 110, 20), (1, "a0", 130, 20), (2, "l2", 150, 20)])
    table.tap("fight", by="red", enemy=1)
    if table.state["pending"][0]["kind"] == "fight":
        table.tap("choose", by="red", option="roll")
    assert table.state["pending"][0]["kind"] == "die"
    return table


def lie(played, dice=(), card=None, looks=2, **how):
    seen = tuple(CornerDie(*one) for one in dice)
    for nth in range(looks):
        played.ask(TableSeen(Reading(corner_dice=seen, corner_card=card, **how), float(nth)))


def shown(table):
    return table.state["contest"]["dice"]


def test_thrown_dice_are_keyed_in_by_the_camera(fighting):
    thrown = [(2, "hl1", 112, 60), (0, "b1", 131, 70), (1, "ha0", 150, 40)]
    fighting.ask(TableSeen(Reading(corner_dice=tuple(CornerDie(*one) for one in thrown)), 0.0))
    assert fighting.state["pending"][0]["kind"] == "die"
    lie(fighting, thrown, looks=1)
    assert shown(fighting) == ["b1", "ha0", "hl1"]
    assert fighting.state["pending"][0]["kind"] != "die"


def test_dice_that_lay_there_before_are_not_a_throw(fighting):
    lie(fighting, [(0, "hb1", 110, 20), (1, "a0", 131, 21), (2, "l2", 150, 20)], looks=4)
    assert fighting.state["pending"][0]["about"]["die"] == 1


def test_dice_in_doubt_or_below_a_hand_are_not_taken(fighting):
    thrown = [(0, "b1", 131, 70), (1, "ha0", 150, 40), (2, "hl1", 112, 60)]
    lie(fighting, thrown, corner_unsure=True)
    lie(fighting, thrown, hand=True)
    lie(fighting, thrown, table="lost")
    assert fighting.state["pending"][0]["kind"] == "die"


def test_a_die_that_several_may_be_answers_from_left_to_right(fighting):
    lie(fighting, [(None, "b1", 112, 60), (1, "ha0", 131, 70), (2, "hl1", 150, 40)])
    assert shown(fighting) == ["b1", "ha0", "hl1"]


@pytest.fixture
def drawing(table):
    """Somebody is asked which card was drawn."""
    begin(table, options={"cards": "table"})
    for _ in range(40):
        choice = table.state["pending"][0] if table.state["pending"] else None
        if choice is not None and choice["kind"] == "drawn" and "boat-hook" in choice["options"]:
            return table
        if choice is not None:
            table.tap(
                "choose", id=choice["id"], option=choice["options"][0], **({"by": choice["by"]} if choice["by"] else {})
            )
        else:
            table.tap("result", by="red", results=["draw loot 2"])
    raise AssertionError(table.state["pending"])


def test_a_drawn_card_is_told_once_it_is_laid_into_the_frame(drawing):
    asked = drawing.state["pending"][0]["id"]
    lie(drawing, card="anchor")
    assert drawing.state["pending"][0]["id"] == asked
    lie(drawing, card="boat-hook")
    after = drawing.state["pending"][0]
    assert after["id"] != asked
    lie(drawing, card="boat-hook", looks=3)
    assert drawing.state["pending"][0]["id"] == after["id"]
    lie(drawing, card="flare-pistol")
    assert after["id"] not in [one["id"] for one in drawing.state["pending"]]
