"""The drawn dice and tracks, and that the real vision reads them; measured is it elsewhere."""

import pytest

from companion.pieces.kinds.mat import DICE, DICE_SIZE
from companion.vision.dice.dice import read_dice
from hardware.tabletop.simulated_table import NoSuchThingError
from hardware.tabletop.table_contents import track_at, track_places


@pytest.fixture
def read(set_up):
    table, eyes = set_up

    def values():
        picture = table.picture()
        found = read_dice(picture, eyes.look(picture).pose, eyes.profile.dice, eyes.profile.dice_size)
        return None if found is None else sorted(die.value for die in found)

    return values


def test_thrown_dice_are_read_in_every_light_and_from_where_the_camera_was_pushed(table, read):
    for number in range(6):
        table.throw()
        table.switch(lamp=number % 3 > 0)
        if number > 2:
            table.bump()
        assert read() == sorted(die.value for die in table.scene.dice)


def test_they_fall_into_their_corner_and_never_where_they_lay(table):
    for _ in range(50):
        before = table.scene.dice
        table.throw()
        assert all(
            abs(die.x - DICE[0]) <= DICE_SIZE[0] / 2 and abs(die.y - DICE[1]) <= DICE_SIZE[1] / 2
            for die in table.scene.dice
        )
        assert all(abs(die.x - old.x) + abs(die.y - old.y) > 4 for die in table.scene.dice for old in before)


def test_one_that_leans_and_one_that_is_gone_are_not_read(table, read):
    table.throw()
    table.cock("die-1")
    assert read() is None
    table.cock("die-1", 0.0)
    table.shove("die-1", 0.0, 200.0)
    assert read() is None
    table.shove("die-2", 20.0, 200.0)
    assert read() == []
    table.shove("die-2", DICE[0] + DICE_SIZE[0] / 4, DICE[1])
    table.shove("die-1", DICE[0] - DICE_SIZE[0] / 4, DICE[1])
    table.set_die("die-1", 6)
    assert read() == sorted([6, table.die("die-2").value])


def test_without_dice_the_corner_is_empty(table, read):
    assert read() == []
    with pytest.raises(NoSuchThingError, match="die-1"):
        table.die("die-1")


def test_cards_on_the_tracks_are_read_where_they_lie(table, look, pack):
    items, rooms = [card.id for card in pack.items[:3]], [card.id for card in pack.rooms[:2]]
    for number, card in enumerate(items):
        table.lay(card, f"items:{number}")
    for number, card in enumerate(rooms):
        table.lay(card, f"rooms:{number}")
    assert look()["tracks"] == {"items": items, "rooms": [*rooms, None]}
    table.take("items:1", threat=False)
    assert table.card_at("items:1") is None
    assert look()["tracks"]["items"] == [items[0], None, items[2]]


def test_every_place_of_a_track_is_found_by_its_middle(table):
    for place in track_places():
        table.lay("trombone", place)
        (laid,) = table.scene.cards
        assert track_at(laid.x, laid.y) == place
        table.take(place, threat=False)
    assert track_at(0.0, 0.0) is None
