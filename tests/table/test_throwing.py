"""Real dice: offered to whoever rolls, and never played by themselves."""

import pytest
from at_the_table import Eye, reading_of

from companion.games.api import Button
from companion.games.shelter.events import FightRolled
from companion.refusal import Refusal
from companion.table.session.events import DiceUnsure
from companion.table.session.intents import ButtonPressed, Speaker, TableSeen, Tap
from companion.table.sight.reading import Reading

REROLLER = "fat-man"


@pytest.fixture
def fighting(table):
    table.start(start={"threats": {"1:R1a": "raider"}})
    lie(table, (2, 100, 0), (2, 120, 0))
    table.tap("place", by="red", space="1:R1a")
    answer_until(table, "fight")
    lie(table, (2, 100, 0), (2, 120, 0))
    return table


def answer_until(table, kind):
    while table.state["pending"][0]["kind"] != kind:
        choice = table.state["pending"][0]
        table.tap("choose", by=choice["by"], option=choice["options"][0])


def lie(table, *dice, looks=2, hand=False, unsure=False):
    """The dice lie there for some looks, each as a value with its place."""
    for _ in range(looks):
        seen = [{"value": value, "at": [x, y]} for value, x, y in dice]
        reading = {**reading_of(table.state), "dice": seen, "hand": hand, "unsure": ["dice"] if unsure else []}
        table.ask(TableSeen(Reading.from_json(reading), 0.0))


def events(table):
    return table.session.snapshots.latest.events_as_json()


def offer(table):
    return table.state["table"].get("dice")


def test_dice_thrown_for_a_roll_are_offered_and_wait_for_a_word(fighting):
    version = fighting.state["version"]
    lie(fighting, (3, 140, 10), (5, 90, -20))
    pending = fighting.state["pending"][0]
    move = {"do": "choose", "by": "red", "id": pending["id"], "option": "roll", "dice": [[3, 5]]}
    assert offer(fighting) == {
        "kind": "fight",
        "id": pending["id"],
        "by": "red",
        "dice": [[3, 5]],
        "unsure": False,
        "moves": [move],
    }
    assert fighting.state["version"] == version
    answer = fighting.tap(**move)
    assert (3, 5) in answer.events[0]
    assert offer(fighting) is None


def test_dice_that_lay_there_before_are_no_throw(fighting):
    lie(fighting, (2, 100, 0), (2, 120, 0), looks=4)
    assert offer(fighting) is None
    lie(fighting, (2, 100, 0), (6, 150, 0), looks=4)
    assert offer(fighting) is None


def test_dice_thrown_before_the_camera_has_looked_again_are_a_throw(table):
    """Nothing else moves when a roll is asked on a phone: the first look after it may be of the dice."""
    table.start(start={"threats": {"1:R1a": "raider"}})
    lie(table, (2, 100, 0), (2, 120, 0))
    table.tap("place", by="red", space="1:R1a")
    answer_until(table, "fight")
    lie(table, (3, 140, 10), (5, 90, -20))
    assert offer(table)["dice"] == [[3, 5]]


def test_dice_that_nobody_has_seen_before_may_have_lain_there(table):
    table.start(start={"threats": {"1:R1a": "raider"}})
    table.tap("place", by="red", space="1:R1a")
    answer_until(table, "fight")
    lie(table, (3, 140, 10), (5, 90, -20))
    assert offer(table) is None


def test_one_look_is_not_enough_and_what_was_taken_up_is_offered_no_longer(fighting):
    lie(fighting, (3, 140, 10), (5, 90, -20), looks=1)
    assert offer(fighting) is None
    lie(fighting, (3, 140, 10), (4, 90, -20), looks=1)
    assert offer(fighting) is None
    lie(fighting, (3, 140, 10), (4, 90, -20), looks=1)
    assert offer(fighting)["dice"] == [[3, 4]]
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


def test_dice_that_cannot_be_read_are_said_and_not_offered(fighting):
    lie(fighting, unsure=True)
    assert offer(fighting)["unsure"]
    assert offer(fighting)["moves"] == []
    lie(fighting, (2, 100, 0), (2, 120, 0))  # whatever hid them is gone: they have not been thrown
    assert offer(fighting) is None
    assert fighting.state["table"]["camera"] == "watching"


def test_a_doubt_is_told_aloud_once(fighting):
    said = set()
    for _ in range(4):
        lie(fighting, unsure=True, looks=1)
        latest = fighting.session.snapshots.latest
        said |= {latest.seq for event in latest.events if isinstance(event, DiceUnsure)}
    assert len(said) == 1


def test_a_throw_that_does_not_count_is_made_again(fighting):
    lie(fighting, (3, 140, 10), (5, 90, -20))
    with pytest.raises(Refusal) as refused:
        fighting.ask(Tap({"do": "rethrow"}, Speaker(frozenset({"blue"}), name="blue")))
    assert refused.value.code == "not_yours"
    fighting.tap("rethrow")
    assert offer(fighting) is None
    lie(fighting, (3, 140, 10), (5, 90, -20))
    assert offer(fighting) is None
    lie(fighting, (1, 100, 10), (1, 60, -20))
    assert offer(fighting)["dice"] == [[1, 1]]
    with pytest.raises(Refusal, match="takes nothing"):
        fighting.tap("rethrow", level=1)


def test_with_nothing_thrown_there_is_nothing_to_throw_again(fighting):
    with pytest.raises(Refusal) as refused:
        fighting.tap("rethrow")
    assert refused.value.code == "nothing_thrown"


def test_a_roll_is_made_again_with_real_dice_by_the_item_that_allows_it(table):
    """I2: the item is exhausted, the new roll follows at once; keeping the first one is the other way."""
    table.start(
        start={"threats": {"1:R1a": "raider"}, "players": {"red": {"items": [{"id": REROLLER, "exhausted": False}]}}},
    )
    table.tap("place", by="red", space="1:R1a")
    answer_until(table, "fight")
    table.tap("choose", by="red", option="roll", dice=[[1, 1]])
    choice = next(one for one in table.state["pending"] if one["kind"] == "reroll")
    lie(table)
    lie(table, (6, 140, 10), (5, 90, -20))
    (move,) = offer(table)["moves"]
    assert (move["option"], move["id"], move["dice"]) == (f"use:{REROLLER}", choice["id"], [[5, 6]])
    rolled = [event for event in table.tap(**move).events if isinstance(event, FightRolled)]
    assert rolled[0].dice == (5, 6)


def test_the_threat_step_is_thrown_level_by_level_and_taken_as_one(table):
    """T1: top level first; every throw is said, none is played before somebody takes them."""
    table.start(start={"round": 2, "phase": "spawn"})
    version = table.state["version"]
    lie(table)
    thrown = [(1, 2), (3, 4), (5, 6)]
    assert len(thrown) == len(table.state["levels"])
    for number, (one, other) in enumerate(thrown):
        lie(table, (one, 100 + 20 * number, 10), (other, 60 + 20 * number, -20 * number), looks=1)
        assert len((offer(table) or {"dice": []})["dice"]) == number
        lie(table, (one, 100 + 20 * number, 10), (other, 60 + 20 * number, -20 * number), looks=1)
        assert offer(table)["dice"] == [list(pair) for pair in thrown[: number + 1]]
        assert events(table)[-1]["what"] == [number + 1, [one, other]]
    assert offer(table)["levels"] == [1, 2, 3]
    assert table.state["version"] == version
    lie(table, (2, 10, 10), (2, 20, -20))  # one throw too many changes nothing
    (move,) = offer(table)["moves"]
    table.tap(**move)
    assert [one["dice"] for one in table.state["spawned"]] == [list(pair) for pair in thrown]
    assert offer(table) is None


def test_some_levels_are_thrown_and_the_button_rolls_them_all(table):
    table.start(start={"round": 2, "phase": "spawn"})
    lie(table)
    lie(table, (1, 100, 10), (2, 60, -20))
    lie(table, (3, 120, 10), (3, 40, -20))
    table.tap("rethrow")
    assert offer(table)["dice"] == [[1, 2]]
    table.ask(ButtonPressed(Button.THREATS))
    assert table.state["phase"] == "place"
    assert offer(table) is None
