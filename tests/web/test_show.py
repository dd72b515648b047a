"""What the big screen makes of threats and fights."""

import re

import pytest

from web.base.words import words_in
from web.games.shelter import screen
from web.games.shelter.cards import cards_in_play


def fought(house):
    recent = house.session.snapshots.all_newer_than(0, 0)
    return screen.fight(words_in("en"), house.state, cards_in_play(house.app.extensions["companion"]), recent)


@pytest.fixture
def fighting(house):
    house.start(names={"red": "Anna"})
    items = [{"id": "minigun", "exhausted": False}, {"id": "fat-man", "exhausted": False}]
    house.tap(None, do="correct", set={"threats": {"1:R1a": "raider"}, "players": {"red": {"items": items}}})
    house.tap(None, do="place", by="red", space="1:R1a")
    return house


def test_a_fight_is_shown_from_the_placement_to_the_next_one(fighting):
    open_one = fought(fighting)
    assert (open_one.who, open_one.what, open_one.need) == ("Anna", "Raider", 9)
    assert (open_one.dice, open_one.won) == ([], None)
    fighting.tap(None, do="choose", by="red", option="use:minigun")
    fighting.tap(None, do="choose", by="red", option="roll", dice=[[2, 3]])
    again = fought(fighting)
    assert (again.dice, again.bonus, again.total, again.won) == ([2, 3], 3, 8, None)
    fighting.tap(None, do="choose", by="red", option="use:fat-man", dice=[[3, 3]])
    won = fought(fighting)
    assert (won.total, won.won) == (9, True)
    page = fighting.client().get("/table").text
    assert "Anna fights: Raider" in page
    assert "Won!" in page
    fighting.tap(None, do="choose", by="red", option=fighting.state["pending"][0]["options"][0])
    fighting.tap(None, do="place", by="blue", space="1:R2a")
    assert fought(fighting) is None


def test_a_lost_fight_says_so(fighting):
    fighting.tap(None, do="choose", by="red", option="roll", dice=[[1, 2]])
    fighting.tap(None, do="choose", by="red", option="keep")
    assert fought(fighting).won is False
    assert "Lost: injured" in fighting.client().get("/table").text


def test_the_spawn_step_is_a_show_until_somebody_places(house):
    house.start()
    empty = {colour: {"passed": True} for colour in ("red", "blue", "green")}
    house.tap(None, do="correct", set={"players": empty})
    house.tap(None, do="recall")
    house.tap(None, do="spawn", dice=[[4, 4], [3, 4], [1, 1], [2, 2]])
    assert screen.is_on(house.state)
    page = house.client().get("/table").text
    assert page.count('class="step at-') == 4
    assert re.search(r'<div class="step at-1 on">', page)
    assert "seven: nothing" in page
    assert "no room there" in page
    assert re.search(r'class="spot threat fresh at-1', page)
    house.tap(None, do="place", by=house.state["turn"], space="1:R3a")
    assert not screen.is_on(house.state)
    assert "fresh at-1" not in house.client().get("/table").text


def test_the_codes_of_free_seats_are_on_the_big_screen(house):
    house.start()
    house.seated("red")
    page = house.client().get("/table").text
    assert house.access.code("blue") in page
    assert house.access.code("red") not in page
