"""Every page and state in a real browser, for the documentation too: pictures go where COMPANION_SCREENS says."""

import random

import pytest
from browsing import CHROMIUM, PHONE, SCREEN, by_script, caught_up, open_sheet, shoot, take_seat, whose_move

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")
NAMES = {"red": "Anna", "blue": "Borys", "green": "Zofia"}


def fighting(state):
    return any(choice["kind"] == "fight" for choice in state["pending"])


def show(page, house, name):
    caught_up(page, house)
    shoot(page, name)


def test_before_the_game(looking):
    shoot(looking.open("/"), "waiting")
    shoot(looking.open("/table", SCREEN), "table-waiting")
    shoot(looking.open("/history"), "history-empty")
    shoot(looking.open("/join"), "join")
    shoot(looking.open("/nowhere", locale="pl"), "refused")
    looking.wrong = [line for line in looking.wrong if "404" not in line]


def test_in_the_middle_of_a_game(house, looking):
    rng = random.Random(1)
    house.start(names=NAMES)
    screen = looking.open("/table", SCREEN)
    phones = {colour: take_seat(looking, house, colour) for colour in NAMES}
    by_script(house, rng, lambda state: state["round"] >= 9 and len(state["placed"]) >= 5)
    status = looking.open("/")
    show(status, house, "status")
    show(screen, house, "table")
    assert status.text_content("h1") == screen.text_content("h1")
    shoot(looking.open("/", locale="pl", color_scheme="light"), "status-pl-light")
    shoot(looking.open("/", locale="ru"), "status-ru")
    shoot(looking.open("/table", SCREEN, locale="ru", color_scheme="light"), "table-ru-light")
    shoot(looking.open("/rooms"), "rooms")
    by_script(house, rng, fighting)
    show(phones[whose_move(house)], house, "choice")
    by_script(house, rng, lambda state: not state["pending"] and state["phase"] == "place")
    at_a_seat(house, looking, phones[house.state["turn"]])


def at_a_seat(house, looking, page):
    """One's own phone on one's own turn: with a choice of dwellers, explained, and without a connection."""
    board = {"available": ["plain", "S", "injured"], "items": [{"id": "minigun", "exhausted": False}]}
    house.tap(None, do="correct", set={"players": {house.state["turn"]: board}})
    show(page, house, "seat")
    page.click("#more-seat summary")
    page.click("#switch-guide")
    page.wait_for_selector("#guide")
    shoot(page, "seat-guide")
    page.locator("[name=goer] >> nth=1").check(force=True)
    page.locator(".sp.x2 >> nth=0").click()
    page.wait_for_selector("#place[open] #act")
    shoot(page, "seat-sheet", top=False)
    page.click("#act-shut")
    page.locator(".sp.th.g1 >> nth=0").click()
    page.wait_for_selector("#place[open] #chance")
    page.locator(".helpers input").check(force=True)
    shoot(page, "seat-fight", top=False)
    page.click("#act .rule a")
    page.wait_for_selector("#sheet[open]")
    shoot(page, "seat-rule")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.wait_for_selector("#place", state="hidden")
    shoot(looking.open(f"{page.url.removeprefix(looking.base)}/missed?since=1"), "missed")
    page.context.set_offline(True)
    page.wait_for_selector("#behind", state="visible")
    shoot(page, "seat-offline")
    page.context.set_offline(False)
    page.wait_for_selector("#behind", state="hidden")
    looking.wrong = [line for line in looking.wrong if "ERR_INTERNET_DISCONNECTED" not in line]


def test_after_the_game(house, looking):
    rng = random.Random(2)
    house.start(names=NAMES)
    by_script(house, rng, lambda state: state["phase"] == "over")
    shoot(looking.open("/history"), "history")
    steps = looking.open(f"/history/{house.state['id']}?step=90")
    steps.click("#next")
    steps.wait_for_selector("h1 >> text=92")
    shoot(steps, "steps")
    shoot(looking.open("/rules"), "rules")


def test_a_page_that_nobody_looks_at_leaves_its_connection(house, looking):
    house.start()
    page = looking.open("/")
    seat = take_seat(looking, house, "red")
    streams = house.app.extensions["companion"].streams
    for one in (page, seat):
        one.wait_for_selector("#behind", state="hidden")
        one.clock.install()
        one.evaluate("Object.defineProperty(document, 'hidden', {get: () => window.turned, configurable: true})")
        turn_away(one, away=True)
        one.clock.run_for(31_000)
    assert streams.wait_until(1, 20)
    assert page.evaluate("source.readyState") == 2
    assert seat.evaluate("source.readyState") == 1
    turn_away(page, away=False)
    assert streams.wait_until(2, 20)


def turn_away(page, *, away):
    page.evaluate(f"window.turned = {str(away).lower()}; document.dispatchEvent(new Event('visibilitychange'))")


BUTTONS = """
() => {
  const family = getComputedStyle(document.body).fontFamily;
  return [...document.querySelectorAll("button, .button")].filter((one) => one.offsetWidth).map((one) => {
    const font = getComputedStyle(one);
    return [one.textContent.trim(), parseFloat(font.fontSize), Number(font.fontWeight), font.fontFamily === family];
  });
}
"""


@pytest.mark.parametrize("size", [PHONE, SCREEN])
def test_buttons_are_read_at_arm_s_length(house, looking, size):
    """In the page's own font, not in the small thin one that browsers give to buttons."""
    house.start()
    items = [{"id": "minigun", "exhausted": False}]
    house.tap(None, do="correct", set={"threats": {"1:R1a": "raider"}, "players": {"red": {"items": items}}})
    page = take_seat(looking, house, "red", size=size)
    found = page.evaluate(BUTTONS)
    open_sheet(page, "1:R1a")
    found += page.evaluate(BUTTONS)
    page.click("#go")
    page.wait_for_selector(".choice button")
    for path in ("/seat/red", "/", "/table", "/join", "/history", "/host"):
        page.goto(looking.base + path)
        found += page.evaluate(BUTTONS)
    assert len(found) > 20
    assert [one for one in found if one[1] < 15 or one[2] < 500 or not one[3]] == []


def test_a_refusal_is_told_where_the_thumb_is(house, looking):
    house.start()
    page = take_seat(looking, house, "red")
    open_sheet(page, "1:R1a")
    page.evaluate("by('go').value = JSON.stringify({do: 'pass', by: 'red', if_version: 99})")
    page.click("#go")
    page.wait_for_selector("#said", state="visible")
    looking.wrong.clear()
    assert "happened meanwhile" in page.inner_text("#said")
    page.click("#said a")
    page.wait_for_selector("#sheet #rule-title")
    assert page.inner_text("#sheet #rule-title") == "This page is behind"


def test_the_rules_are_searched_while_one_types(house, looking):
    house.start()
    page = looking.open("/rules")
    page.fill("#search input", " Injur")
    found = page.locator(".entries details[open]").evaluate_all("all => all.map(one => one.id)")
    assert found[0] == "entry-injury"
    assert "entry-fights" in found
    assert page.locator(".entries details:visible").count() == len(found)
    assert page.locator("#besides").is_hidden()
    page.fill("#search input", "")
    assert page.locator(".entries details:visible").count() > 50


def test_a_turn_is_played_before_any_script_has_arrived(house, looking):
    house.start()
    page = take_seat(looking, house, "red", java_script_enabled=False)
    page.click("#s-1-R1a")
    page.wait_for_url("**/seat/red/at/1:R1a")
    page.click("#go")
    page.wait_for_url("**/seat/red#s-1-R1a")
    assert list(house.state["placed"]) == ["1:R1a"]
    assert page.locator("#vault .fig").count() == 1
    assert page.locator("#s-1-R1a .r").inner_text().strip() == "+1"
    page.click("#do-undo")
    page.wait_for_url("**/seat/red")
    assert house.state["placed"] == {}
    page.click("#more-seat summary")
    page.click("#switch-guide")
    page.wait_for_selector("#guide")
    page.click("#as-list")
    page.wait_for_url("**/seat/red?view=list")
    page.click(".way >> nth=0")
    page.wait_for_url("**/seat/red?view=list")
    assert len(house.state["placed"]) == 1
    page.goto(f"{looking.base}/seat/red/at/1:R2a")
    page.click("#act .rule a")
    page.wait_for_url("**/rules/*")
