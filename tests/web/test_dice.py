"""Real dice tapped in: for a fight, and level by level for the threats."""

import re

import pytest
from at_the_door import BEARER
from browsing import CHROMIUM, take_seat

from companion.games.api import Roll
from web.pages.dice import tapping

SPAWNING = {"round": 2, "phase": "spawn"}
FIGHTING = {
    "round": 3,
    "phase": "place",
    "turn": "red",
    "threats": {"1:R1b": "raider"},
    "players": {"red": {"items": [{"id": "missile-launcher", "exhausted": False}]}},
}


def text_of(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page.text.partition('id="main"')[2]))


@pytest.mark.parametrize(
    ("tapped", "pairs", "first", "level", "whole"),
    [
        ("", [], None, 1, False),
        ("3", [], 3, 1, False),
        ("34", [[3, 4]], None, 2, False),
        ("345", [[3, 4]], 5, 2, False),
        ("3456", [[3, 4], [5, 6]], None, None, True),
        ("34561111", [[3, 4], [5, 6]], None, None, True),
        ("0789x", [], None, 1, False),
        ("9" * 5000, [], None, 1, False),
    ],
)
def test_every_digit_is_a_die(tapped, pairs, first, level, whole):
    roll = Roll("spawn", ({"do": "spawn"},), levels=(1, 2))
    found = tapping(roll, tapped)
    assert (found.pairs, found.first, found.level, found.is_whole) == (pairs, first, level, whole)


def test_threats_are_tapped_in_level_by_level(house):
    house.start(start=SPAWNING)
    red = house.seated("red")
    assert "Real dice" in text_of(red.get("/seat/red"))
    levels = len(house.state["levels"])
    for level in range(levels):
        page = text_of(red.get(f"/dice?t={'45' * level}"))
        assert f"Level {level + 1}: which dice?" in page
    page = red.get(f"/dice?t={'45' * levels}").text
    (move,) = re.findall(r'name="move" value="([^"]*)"', page)
    answer = red.post("/moves", data={"move": move.replace("&#34;", '"'), "back": "/seat/red"})
    assert answer.status_code == 303
    assert [one["dice"] for one in house.state["spawned"]] == [[4, 5]] * levels


def test_a_fight_takes_two_taps_and_a_reroll_says_which_item(house):
    house.start(start=FIGHTING)
    red = house.seated("red")
    house.tap(red, do="place", space="1:R1b")
    assert "Which dice were thrown?" in text_of(red.get("/dice"))
    page = red.get("/dice?t=11").text
    (move,) = re.findall(r'name="move" value="([^"]*)"', page)
    red.post("/moves", data={"move": move.replace("&#34;", '"'), "back": "/"})
    again = text_of(red.get("/dice?t=66"))
    assert "Missile Launcher: take these dice" in again


def test_where_nothing_is_rolled_the_page_says_so(house):
    red = house.client()
    assert "No roll is asked" in text_of(red.get("/dice", headers=BEARER))
    house.start()
    assert "No roll is asked" in text_of(house.seated("red").get("/dice?t=11"))
    assert house.client().get("/dice").status_code == 401


@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")
def test_dice_are_tapped_over_the_page(house, looking):
    house.start(start=SPAWNING)
    phone = take_seat(looking, house, "red")
    phone.click("#dice-door")
    for level in range(1, len(house.state["levels"]) + 1):
        phone.wait_for_selector(f"#tapped h1:has-text('Level {level}')")
        for die, label in ((2, "first"), (6, "second")):
            phone.wait_for_selector(f"#tapped p:has-text('{label}')")
            face = phone.locator(f"#tapped .faces a[aria-label='{die}']")
            box = face.bounding_box()
            assert min(box["width"], box["height"]) >= 44
            face.click()
    phone.click("#take-1")
    phone.wait_for_selector("#dice-door", state="detached")
    assert {tuple(one["dice"]) for one in house.state["spawned"]} == {(2, 6)}
    assert not phone.is_visible("#sheet")
