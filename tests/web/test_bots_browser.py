"""Bots in a real browser: a family at a watched table, and what those see who do not see well."""

import random

import pytest
from at_the_door import PIN
from browsing import CHROMIUM, SCREEN, by_script, take_seat
from judging import doubled, judged

from companion.languages.catalogues import codes
from companion.table.bots import win_forecast
from companion.table.bots.bot_thread import BotThread
from companion.table.session.intents import ChangeSettings, Foreseen, Propose, SeatBot, TableSeen
from companion.table.sight.reading import Reading

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")

CHANCES = {
    "red": {"chance": 0.5, "interval": [0.4, 0.6]},
    "blue": {"chance": 0.3, "interval": [0.2, 0.4]},
    "green": {"chance": 0.2, "interval": [0.1, 0.3]},
}


def watched(house):
    for at in (0.0, 10.0):
        house.session.ask(TableSeen(Reading(), at)).result(10)


@pytest.fixture
def officers(house):
    made = BotThread(house.session)
    made.start()
    yield made
    made.close()


@pytest.mark.usefixtures("officers")
def test_a_seat_is_handed_to_a_bot_that_says_where_its_dweller_goes(house, looking):
    house.start()
    watched(house)
    page, screen = take_seat(looking, house, "red"), looking.open("/table", SCREEN)
    page.click("#hand-over summary")
    page.click("#hand-over button[value=fair]")
    page.wait_for_selector("#suggested button")
    assert "Move a figure for Red" in page.text_content("#suggested")
    screen.wait_for_selector("#suggested")
    page.click("#suggested button")
    screen.wait_for_selector("#suggested", state="detached")
    assert [one["by"] for one in house.state["placed"].values()] == ["red"]
    page.click("#take-back button")
    page.wait_for_selector("#hand-over summary")
    assert house.state["players"]["red"]["bot"] is None


@pytest.mark.parametrize("language", codes())
def test_everybody_can_read_bots_and_odds(house, looking, language):
    house.start()
    by_script(house, random.Random(5), lambda state: state["round"] >= 3 and not state["pending"])
    house.session.ask(ChangeSettings(odds_win=True)).result(10)
    game = house.state["id"]
    estimate = {"playouts": 240, "chances": CHANCES}
    win_forecast.write(house.folder, game, {number: {"version": 1, **estimate} for number in (1, 2, 3)})
    items = [{"id": "minigun", "exhausted": False}]
    board = {"round": 3, "phase": "place", "turn": "red", "placed": {}, "threats": {"1:R1b": "raider"}}
    house.tap(do="correct", set={**board, "players": {"red": {"items": items, "available": ["plain", "plain"]}}})
    watched(house)
    house.session.ask(SeatBot("red", "hard")).result(10)
    house.session.ask(Foreseen(game, 3, 3, estimate)).result(10)
    said = {"do": "place", "by": "red", "space": "1:R2a"}
    house.session.ask(Propose(said, {"why": "room_next_turn", "gain": {"food": 2}, "room": "garden"})).result(10)
    pages = [take_seat(looking, house, "red", locale=language), looking.open("/", locale=language)]
    pages += [looking.open("/history", locale=language), looking.open("/host", locale=language)]
    pages[-1].fill("input[name=pin]", PIN)
    pages[-1].click("#login button")
    pages[-1].wait_for_selector("#new-game", state="attached")
    pages[-1].goto(looking.base + "/host/bots")
    found = judged(looking.open("/table", SCREEN, locale=language), "the big screen")
    for page in pages:
        found += judged(page, page.url)
        found += doubled(page, page.url)
    looking.wrong = [line for line in looking.wrong if "404" not in line]  # the host's picture, without a camera
    assert found == []
