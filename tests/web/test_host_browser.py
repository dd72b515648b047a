"""The host in a real browser: what disagrees, what is put right, what is printed on the cards."""

import random
import time

import numpy as np
import pytest
from at_the_door import PIN
from browsing import CHROMIUM, PHONE, SCREEN, by_script, caught_up, shoot, take_seat
from judging import judged

from companion.app.sight.vision_thread import encode_jpeg
from companion.languages.catalogues import codes
from companion.table.session.intents import TableSeen
from companion.table.sight.eye import Window
from companion.table.sight.reading import Figure, Reading

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")

STILL = encode_jpeg(np.full((360, 640, 3), 235, dtype=np.uint8))
PAGES = {
    "corrections": "/correct/",
    "correct-board": "/correct/red",
    "correct-level": "/correct/2",
    "cards": "/host/cards",
    "card": "/host/cards/standard/garden",
    "columns": "/host/columns",
    "settings": "/host/settings",
    "tokens": "/host/tokens",
    "record": "/host/record",
    "going-back": "/host/back",
}


@pytest.fixture
def house(make_house):
    """Its camera has shown a white picture, nothing more."""
    sight = Window(time.monotonic)
    for drawn in (False, True):
        sight.show(STILL, None, drawn=drawn)
    return make_house(sight=sight)


def see(house, *figures):
    """The table as the record has it, with some figures more."""
    state = house.state
    rooms = {f"{level}:{at}": card for level, found in state["levels"].items() for at, card in found["rooms"].items()}
    stands = [
        Figure(space, one["by"], "lying" if dweller == "injured" else "standing")
        for space, one in state["placed"].items()
        for dweller in one["dwellers"]
    ]
    tracks = {f"{name}:{number}": card for name, row in state["tracks"].items() for number, card in enumerate(row)}
    reading = Reading(cards={**rooms, **state["threats"], **tracks}, dwellers=(*stands, *figures))
    for at in (0.0, 10.0):
        house.session.ask(TableSeen(reading, 100.0 * state["seq"] + at)).result(30)


def hosting(looking, size=PHONE, **options):
    page = looking.open("/host", size, **options)
    page.fill("input[name=pin]", PIN)
    page.click("#login button")
    page.wait_for_selector("#new-game", state="attached")
    return page


def in_the_middle(house):
    house.start(names={"red": "Anna", "blue": "Borys"})
    by_script(house, random.Random(5), lambda state: state["round"] >= 4 and len(state["placed"]) == 2)
    board = {"available": ["plain", "plain", "S"], "items": [{"id": "minigun", "exhausted": False}]}
    house.tap(None, do="correct", set={"players": {"red": board, "blue": {"available": ["plain"]}}, "pending": []})


def test_the_table_disagrees_and_a_thumb_settles_it(house, looking):
    in_the_middle(house)
    free = next(space for space in ("1:R1a", "1:R2a", "1:R3a", "1:L1b") if space not in house.state["placed"])
    see(house)
    house.tap(None, do="correct", set={"turn": "red"})
    see(house, Figure(free, "blue", "standing"))
    assert [one["kind"] for one in house.state["table"]["disagreements"]] == ["turn"]
    page = hosting(looking)
    shoot(page, "host-disagrees")
    shoot(take_seat(looking, house, "blue"), "seat-disagrees")
    shoot(looking.open("/table", SCREEN), "table-disagrees")
    page.click("[id^=d-][id$=-right]")
    page.wait_for_selector("#differing", state="detached")
    assert house.state["placed"][free]["by"] == "blue"


def test_everything_is_put_right_by_thumb(house, looking):
    in_the_middle(house)
    page = hosting(looking)
    page.set_viewport_size(SCREEN)
    shoot(page, "host-wide")
    page.set_viewport_size(PHONE)
    for name, path in PAGES.items():
        page.goto(looking.base + path)
        shoot(page, name)
    page.goto(f"{looking.base}/correct/red")
    page.locator("input[name=water][value='4']").check(force=True)
    page.select_option("[name=letter_P]", "injured+P")
    page.click("#correct > button")
    page.wait_for_selector(".done")
    board = house.state["players"]["red"]
    assert board["resources"]["water"] == 4
    assert "injured+P" in board["available"]
    page.select_option("[name=letter_S]", "S")
    page.locator("input[name=plain][value='7']").check(force=True)
    page.click("#correct > button")
    page.wait_for_selector(".wrong")
    looking.wrong.clear()  # the browser's word for what was refused
    shoot(page, "correct-refused")
    page.goto(f"{looking.base}/host/cards")
    page.click("#garden button")
    page.wait_for_selector("#garden.compared")


def test_a_game_is_put_away_and_laid_again(house, looking):
    in_the_middle(house)
    page = hosting(looking)
    page.click("form[action='/api/host/freeze'] button")
    page.wait_for_selector("#relay")
    shoot(page, "put-away")
    page.click("form[action='/api/host/thaw'] button")
    page.wait_for_selector("#relay", state="detached")
    caught_up(page, house)
    assert house.state["phase"] == "place"


@pytest.mark.parametrize("language", codes())
def test_axe_finds_nothing_on_the_hosts_pages(house, looking, language):
    in_the_middle(house)
    page, found = hosting(looking, locale=language), []
    for path in ("/host", *PAGES.values(), "/correct/game", "/correct/tracks", "/host/cards/standard/shotgun"):
        page.goto(looking.base + path)
        found += judged(page, path)
    assert found == []
