"""An evening alone and one together in a real browser: from the first page to how it ended, on phones and screen."""

import pytest
from at_the_door import PIN
from browsing import CHROMIUM, SCREEN, Looking, caught_up, shoot, take_seat
from judging import doubled, judged

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")
TWO = {"players": ["red", "blue"], "levels": ["red", "blue"], "first": "red", "names": {"red": "Anna", "blue": "Borys"}}
EVENING = {"difficulty": "normal", "aims": ["rooms", "cheer", "quiet"], "crises": ["gang", "storm"]}


def test_an_evening_alone(house, looking):
    page = looking.open("/start")
    page.select_option("#together", "normal")
    page.click("label[for=plays-red]")
    page.fill("[name=name_red]", "Anna")
    assert not judged(page, "together-start")
    shoot(page, "together-start")
    page.click(".foot .go")
    page.wait_for_selector(".lifts")
    page.click(".foot .go")
    page.wait_for_selector("#begin")
    page.fill("#pin", PIN)
    page.click("#begin")
    page.wait_for_selector("#phones")
    page.click("#phone-red form button")
    page.wait_for_selector("#phone-red .ok")
    page.click("#play")
    page.wait_for_selector("#shared summary")
    page.click("#shared summary")
    page.wait_for_selector("#shared .aims")
    assert not judged(page, "together-seat")
    shoot(page, "together-seat")
    house.tap(None, do="correct", set={"phase": "recall", "round": 50})
    house.tap(None, do="recall")
    page.wait_for_selector(".m-shared .aims")
    assert page.inner_text("#moment h2").casefold() == "the vault is lost"


def test_an_evening_together(make_house, browser):
    house = make_house(pace=1.0)
    house.start(**TWO, together=EVENING)
    looking = Looking(browser, house.serve())
    phones = [take_seat(looking, house, colour) for colour in TWO["players"]]
    pages = [*phones, looking.open("/table", SCREEN)]
    threats = {"1:L1b": "raider", "1:L3a": "mole-rat"}
    house.tap(None, do="correct", set={"round": 2, "phase": "recall", "threats": threats})
    assert house.tap(None, do="recall").status_code == 200
    for page in pages:
        caught_up(page, house)
        page.wait_for_selector(".m-crisis")
        assert "raider breaks in" in page.inner_text("#moment").casefold()
    shoot(pages[-1], "together-recall")
    house.tap(None, do="correct", set={"phase": "recall", "threats": None, "players": {"red": {"happiness": 30}}})
    house.tap(None, do="correct", set={"phase": "over"})
    for page in pages:
        page.wait_for_selector(".m-shared .aims")
    assert not judged(phones[0], "together-end")
    assert not doubled(phones[1], "together-end")
    shoot(pages[-1], "together-end")
    looking.close()
    assert looking.wrong == []
