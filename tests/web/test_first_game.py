"""A first game by people who know nothing but their pages: what these mark as the thing to do leads to the podium."""

import random

import pytest
from at_the_door import PIN
from browsing import CHROMIUM, Looking

from companion.games.shelter.words import COLOURS

first_game = pytest.importorskip("benchmarks.first_game", reason="Playwright is not installed")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")
A_WHILE = 60
"""Taps after which the game is made to end: a whole one is played by the benchmark."""


@pytest.fixture
def house(make_house):
    """A table without camera and panel, where what happens is shown as long as on any other."""
    return make_house(pace=1.0)


@pytest.fixture
def looking(browser, house):
    opened = Looking(browser, house.serve())
    yield opened
    opened.close()
    assert opened.wrong == []


def test_three_phones_come_from_the_empty_table_to_the_podium_by_what_is_lit(house, looking):
    table = first_game.Phones([looking.open("/") for _ in range(3)], random.Random(1))
    first_game.begin(table, PIN)
    assert len(house.state["order"]) == 3
    assert not any(house.access.is_free(colour) for colour in house.state["order"])
    table.play(lambda table: table.counted.taps.total() >= A_WHILE)
    assert house.state["placed"] or house.state["round"] > 1
    house.tap(None, do="correct", set={"last_round": True})
    table.play(lambda table: table.are_at_the_end)
    assert house.state["phase"] == "over"
    assert table.counted.taps["place"] > len(table.pages)


def test_nothing_is_yellow_before_two_sit(looking):
    page = looking.open("/start")
    table = first_game.Phones([page], random.Random(1))
    assert [mark.kind for mark in table.marks(page)] == ["place"] * len(COLOURS)
    page.click("label[for=plays-green]")
    assert [mark.kind for mark in table.marks(page)] == ["place"] * 3
    page.click("label[for=bot-blue]")
    assert [mark.kind for mark in table.marks(page)] == ["button", "place", "place"]


def test_the_page_of_the_codes_follows_those_who_join(house, looking):
    house.start()
    page = looking.open("/start/phones")
    page.wait_for_selector("#phone-red .qr")
    house.seated("red")
    page.wait_for_selector("#phone-blue .qr")
    assert page.locator("#phone-red .ok").count() == 1
