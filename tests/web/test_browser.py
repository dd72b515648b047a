"""A real browser: three phones and a big screen play. Screenshots go where COMPANION_SCREENS says."""

import random

import pytest
from at_the_door import PIN
from browsing import CHROMIUM, SCREEN, by_script, caught_up, shoot, take_seat, whose_move

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")


def tap_something(page, rng):
    """What a thumb would find first: an open choice, a space, or the pass."""
    for found in (".choice button:not(.no)", ".way:visible", ".choice button", "#do-pass", "#do-recall", "#do-spawn"):
        buttons = page.locator(found)
        if buttons.count():
            buttons.nth(rng.randrange(buttons.count())).click()
            return True
    return False


def play_by_thumb(house, phones, until, rng, most=200):
    for _ in range(most):
        if until(house.state):
            return
        page, before = phones[whose_move(house)], house.state["seq"]
        caught_up(page, house)
        assert tap_something(page, rng)
        page.wait_for_function("seq => Number(document.body.dataset.shown) > seq", arg=before)
    pytest.fail(f"after {most} taps: {house.state['round']} {house.state['phase']}")


def test_three_phones_and_a_big_screen_play_some_rounds(house, looking):
    rng = random.Random(1)
    status = looking.open("/")
    shoot(status, "waiting")
    house.start()
    screen = looking.open("/table", SCREEN)
    phones = {colour: take_seat(looking, house, colour) for colour in ("red", "blue", "green")}
    play_by_thumb(house, phones, lambda state: state["round"] == 3 and len(state["placed"]) == 2, rng)
    caught_up(status, house)
    caught_up(screen, house)
    assert "round 3" in status.inner_text("#bar").lower()
    assert status.text_content("h1") == screen.text_content("h1")
    by_script(house, rng, lambda state: state["round"] >= 9 and len(state["placed"]) >= 5)
    for page in (*phones.values(), status, screen):
        caught_up(page, house)
    shoot(status, "status")
    shoot(screen, "table")
    by_script(house, rng, lambda state: any(choice["kind"] in ("income", "resource") for choice in state["pending"]))
    asked = phones[whose_move(house)]
    caught_up(asked, house)
    shoot(asked, "choice")
    by_script(house, rng, lambda state: not state["pending"] and state["phase"] == "place")
    caught_up(phones[house.state["turn"]], house)
    shoot(phones[house.state["turn"]], "seat")
    look_at_the_rest(house, looking, screen, rng)


def look_at_the_rest(house, looking, screen, rng):
    shoot(looking.open("/", locale="pl", color_scheme="light"), "status-pl-light")
    shoot(looking.open("/", locale="ru"), "status-ru")
    shoot(looking.open("/join"), "join")
    host = looking.open("/host")
    host.fill("input[name=pin]", PIN)
    host.click("#login button")
    host.wait_for_selector("#new-game", state="attached")
    shoot(host, "host")
    by_script(house, rng, lambda state: state["phase"] == "spawn")
    house.tap(None, do="spawn")
    caught_up(screen, house)
    shoot(screen, "table-threats")
    house.tap(None, do="correct", set={"last_round": True})
    by_script(house, rng, lambda state: state["phase"] == "over")
    caught_up(screen, house)
    screen.wait_for_selector("#podium")
    shoot(screen, "table-over")
    shoot(looking.open("/history"), "history")


def test_a_phone_that_slept_catches_up_and_says_that_it_was_behind(house, looking):
    house.start()
    page = looking.open("/")
    caught_up(page, house)
    page.context.set_offline(True)
    page.evaluate("source.close(); source.onerror()")
    assert page.is_visible("#behind")
    for space in ("1:R1a", "1:R2a", "1:R3a"):
        house.tap(None, do="place", by=house.state["turn"], space=space)
    page.context.set_offline(False)
    page.evaluate("listen()")
    caught_up(page, house)
    page.wait_for_selector("#behind", state="hidden")
    assert page.locator(".vault .figure").count() == 3


def test_a_refusal_is_told_where_the_thumb_is(house, looking):
    house.start()
    page = take_seat(looking, house, "red")
    page.evaluate("document.querySelector('.way').value = JSON.stringify({do: 'pass', by: 'red', if_version: 99})")
    page.click(".way >> nth=0")
    page.wait_for_selector("#said", state="visible")
    looking.wrong.clear()
    assert "happened meanwhile" in page.inner_text("#said")


def test_the_keyboard_alone_suffices(house, looking):
    house.start()
    page = take_seat(looking, house, "red")
    page.locator(".way >> nth=0").focus()
    before = house.state["seq"]
    page.keyboard.press("Enter")
    page.wait_for_function("seq => Number(document.body.dataset.shown) > seq", arg=before)
    assert len(house.state["placed"]) == 1
