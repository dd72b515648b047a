"""What an open page makes of a game that ends, is put away, or makes room for another one."""

import evening_out
import pytest
from at_the_door import BEARER
from browsing import CHROMIUM, caught_up, take_seat

from companion.table.session.intents import Freeze


def test_nobody_s_turn_is_shown_of_a_game_put_away(house):
    house.start()
    red = house.seated("red")
    assert "Your turn" in red.get("/seat/red").text
    house.session.ask(Freeze()).result(10)
    page = red.get("/seat/red").text
    assert "Your turn" not in page
    assert 'class="turn you"' not in page
    assert '<li class="on">' not in red.get("/").text


def test_a_finished_game_is_not_being_played(house):
    house.start()
    assert "being played" in house.client().get("/history").text
    house.tap(None, do="correct", set={"round": 3, "phase": "recall", "last_round": True, "pending": []})
    house.tap(None, do="recall")
    assert house.state["phase"] == "over"
    assert "being played" not in house.client().get("/history").text
    assert "being played" not in house.client().get("/host/record", headers=BEARER).text


@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")
def test_an_open_page_gets_the_style_of_the_game_that_begins(house, looking):
    house.start()
    page = take_seat(looking, house, "red")
    caught_up(page, house)
    evening_out.begin(house)
    caught_up(page, house)
    loaded = "[...document.styleSheets].map((one) => new URL(one.href).pathname)"
    page.wait_for_function(f"() => {loaded}.includes('/static/wasteland/wasteland.css')")
    styles = page.evaluate(loaded)
    assert len(styles) == len(set(styles))


@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")
def test_a_seat_that_somebody_else_gives_up_is_nobody_s_turn_any_more(house, looking):
    house.start()
    page = take_seat(looking, house, "red")
    page.wait_for_selector("#turn.you")
    assert house.client().post("/api/seats/red/release", headers=BEARER).status_code == 200
    page.wait_for_selector("#turn:not(.you)")
    assert page.locator("[name=move]").count() == 0
