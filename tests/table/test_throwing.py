"""Real dice: offered to whoever rolls, and never played by themselves."""

import pytest
from at_the_table import Eye, reading_of

from companion.table.intents import TableSeen
from companion.table.reading import Reading


@pytest.fixture
def fighting(table):
    table.start(start={"threats": {"1:R1a": "raider"}})
    lie(table, (2, 100, 0), (2, 120, 0))
    table.tap("place", by="red", space="1:R1a")
    while table.state["pending"][0]["kind"] != "fight":
        choice = table.state["pending"][0]
        table.tap("choose", by=choice["by"], option=choice["options"][0])
    lie(table, (2, 100, 0), (2, 120, 0))
    return table


def lie(table, *dice, looks=2, hand=False):
    """The dice lie there for some looks, each as a value with its place."""

    for _ in range(looks):
        seen = [{"value": value, "at": [x, y]} for value, x, y in dice]
        table.ask(TableSeen(Reading.from_json({**reading_of(table.state), "dice": seen, "hand": hand}), 0.0))


def offer(table):
    return table.state["table"].get("dice")


def test_dice_thrown_for_a_roll_are_offered_and_wait_for_a_word(fighting):
    version = fighting.state["version"]
    lie(fighting, (3, 140, 10), (5, 90, -20))
    pending = fighting.state["pending"][0]
    assert offer(fighting) == {"id": pending["id"], "by": "red", "dice": [3, 5]}
    assert fighting.state["version"] == version
    answer = fighting.tap("choose", by="red", option="roll", dice=[[3, 5]])
    assert [3, 5] in answer.events[0]["what"]
    assert offer(fighting) is None


def test_dice_that_lay_there_before_are_no_throw(fighting):
    lie(fighting, (2, 100, 0), (2, 120, 0), looks=4)
    assert offer(fighting) is None
    lie(fighting, (2, 100, 0), (6, 150, 0), looks=4)
    assert offer(fighting) is None


def test_one_look_is_not_enough_and_what_was_taken_up_is_offered_no_longer(fighting):
    lie(fighting, (3, 140, 10), (5, 90, -20), looks=1)
    assert offer(fighting) is None
    lie(fighting, (3, 140, 10), (4, 90, -20), looks=1)
    assert offer(fighting) is None
    lie(fighting, (3, 140, 10), (4, 90, -20), looks=1)
    assert offer(fighting)["dice"] == [3, 4]
    lie(fighting, looks=1)
    assert offer(fighting) is None


def test_under_a_hand_nothing_is_offered(fighting):
    lie(fighting, (3, 140, 10), (5, 90, -20), looks=3, hand=True)
    assert offer(fighting) is None


def test_without_a_roll_to_make_dice_say_nothing(table):
    table.start()
    lie(table, (3, 140, 10), (5, 90, -20), looks=3)
    assert offer(table) is None
    assert Eye(table).disagreements == []
