"""Playing on the picture of the vault, as a thumb, a keyboard and large letters do."""

import random

import pytest
from at_the_door import BEARER
from browsing import CHROMIUM, PHONE, by_script, caught_up, open_sheet, place, take_seat
from judging import doubled, judged

from benchmarks.seating import measured, play_on
from companion.languages.catalogues import codes

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")
SMALL = {"width": 320, "height": 568}
FOUR = ["red", "blue", "green", "yellow"]
ROOMS = {"2": {"rooms": {"L1": "living-room", "R1": "garden", "R2": "lounge"}}}
LIT = """
() => {
  const radios = [...document.querySelectorAll("[name=goer]")];
  const now = "g" + (radios.findIndex((one) => one.checked) + 1);
  const looks = (one) => getComputedStyle(one).getPropertyValue("--thick") !== "";
  const spaces = [...document.querySelectorAll(".sp")];
  const wrong = spaces.filter((one) => looks(one) !== one.classList.contains(now)).map((one) => one.id);
  return { lit: spaces.filter(looks).map((one) => one.id), wrong };
}
"""


AT_AN_END = "scrollY < 2 || document.documentElement.scrollHeight - innerHeight - scrollY < 2"


def asked_over_http(house):
    """What the benchmark asks of a server, asked of this house."""
    client = house.client()

    def ask(path, body):
        answer = client.get(path) if body is None else client.post(path, json=body, headers=BEARER)
        assert answer.status_code == 200, answer.json
        return answer.json

    return ask


def late_game(house):
    house.start(players=FOUR, levels=FOUR)
    play_on(asked_over_http(house), random.Random(3), "red")


def play_lit(page, house, rng):
    """Tap one lit space and what its sheet offers; return whether there was one."""
    goers = page.locator("[name=goer]")
    if not goers.count():
        return False
    goers.nth(rng.randrange(goers.count())).check(force=True)
    found = page.evaluate(LIT)
    assert found["wrong"] == []
    if not found["lit"]:
        return False
    space = rng.choice(found["lit"])[2:].replace("-", ":", 1)
    legal = [move["space"] for move in house.client().get("/api/legal?by=red").json["moves"] if move["do"] == "place"]
    assert space in legal
    open_sheet(page, space)
    lifted = page.locator(".sp.lifted").bounding_box()
    assert lifted["y"] + lifted["height"] < page.locator("#place").bounding_box()["y"]
    assert lifted["y"] > 0
    page.click("#go")
    page.wait_for_selector("#place", state="hidden")
    caught_up(page, house)
    assert house.state["placed"][space]["by"] == "red"
    assert page.locator(f"#s-{space.replace(':', '-')} .fig").count() >= 1
    now, ends = page.locator(f"#s-{space.replace(':', '-')}").bounding_box(), page.evaluate(AT_AN_END)
    assert abs(now["y"] - lifted["y"]) < 2 or ends
    return True


def test_a_whole_game_is_played_by_tapping_what_is_lit(house, looking):
    rng = random.Random(8)
    house.start(players=["red", "blue"], levels=["red", "blue"])
    page = take_seat(looking, house, "red")
    placed = 0
    for _ in range(400):
        state = house.state
        caught_up(page, house)
        if state["phase"] == "over":
            break
        mine = page.locator(".asked .choice button:not(.no)")
        if mine.count():
            mine.nth(rng.randrange(mine.count())).click()
        elif page.locator("#do-spawn, #do-recall").count():
            page.locator("#do-spawn, #do-recall").click()
        elif play_lit(page, house, rng):
            placed += 1
            continue
        elif state["turn"] == "red" and page.locator("#do-pass").count():
            page.click("#do-pass")
        else:
            by_script(house, rng, lambda now, seq=state["seq"]: now["seq"] > seq)
            continue
        page.wait_for_function("seq => Number(document.body.dataset.shown) > seq", arg=state["seq"])
    assert house.state["phase"] == "over"
    assert placed > 15
    assert page.is_hidden("#said")


@pytest.mark.parametrize(("size", "screens"), [(PHONE, 2.5), (SMALL, 4.4)])
@pytest.mark.parametrize("language", codes())
def test_a_late_game_of_four_fits_the_thumb_and_the_eye(house, looking, size, screens, language):
    late_game(house)
    page = take_seat(looking, house, "red", size=size, locale=language)
    found = measured(page)
    assert found.width == size["width"]
    assert found.screens <= screens, found
    assert found.target >= 44, found
    assert found.glyph >= 11, found
    page.locator(".sp.th.g1 >> nth=0").click()
    page.wait_for_selector("#place[open] #act")
    found = measured(page)
    assert (found.target >= 44, found.glyph >= 11) == (True, True), found


def test_a_choice_is_where_the_thumb_is_however_far_the_page_is_scrolled(house, looking):
    house.start()
    house.tap(None, do="correct", set={"levels": ROOMS, "turn": "blue"})
    page = take_seat(looking, house, "red")
    house.tap(None, do="place", by="blue", space="2:R1a")
    page.wait_for_selector(".asked .choice")
    for top in (0, 300, 600):
        page.evaluate("top => scrollTo(0, top)", top)
        box = page.locator(".asked .choice button >> nth=0").bounding_box()
        assert 0 < box["y"] < box["y"] + box["height"] < PHONE["height"]
    found = measured(page)
    assert (found.target >= 44, found.glyph >= 11) == (True, True), found


@pytest.mark.parametrize("language", codes())
def test_axe_finds_nothing_on_the_vault_and_its_sheets(house, looking, language):
    late_game(house)
    items = [{"id": "minigun", "exhausted": False}, {"id": "fat-man", "exhausted": False}]
    house.tap(None, do="correct", set={"players": {"red": {"items": items}}})
    page = take_seat(looking, house, "red", locale=language)
    found = judged(page, "the vault")
    page.locator("[name=goer] >> nth=1").check(force=True)
    page.locator("#want-happiness").check(force=True)
    found += judged(page, "the vault for one dweller, one want")
    page.locator("#want-all").check(force=True)
    for kind in (".sp.th.g1", ".sp.x2", ".sp.tk", ".sp:not([class*=g1]):not(.tk)"):
        page.locator(f"details[open] {kind} >> nth=0").evaluate("one => one.click()")
        page.wait_for_selector("#place[open] #act")
        found += judged(page, f"the sheet of {kind}")
        page.keyboard.press("Escape")
        page.wait_for_selector("#place", state="hidden")
    space = page.locator(".sp.th.g1 >> nth=0").get_attribute("id")[2:].replace("-", ":", 1)
    for path in (f"/seat/red/at/{space}", "/seat/red/at/items", "/seat/red/at/rooms", "/seat/red?view=list"):
        page.goto(looking.base + path)
        found += judged(page, path)
        found += doubled(page, path)
    assert found == []


def test_what_is_ticked_counts_at_once_and_is_used(house, looking):
    house.start()
    items = [{"id": "minigun", "exhausted": False}]
    house.tap(None, do="correct", set={"threats": {"1:R1b": "raider"}, "players": {"red": {"items": items}}})
    page = take_seat(looking, house, "red")
    open_sheet(page, "1:R1b")
    assert page.inner_text("#chance") == "28 %"
    page.locator(".helpers input").check(force=True)
    assert page.inner_text("#chance") == "72 %"
    with page.expect_response(lambda answer: "minigun" in (answer.request.post_data or "")):  # it follows the dweller
        page.click("#go")
    assert house.state["players"]["red"]["items"][0]["exhausted"]


def test_the_sheet_follows_the_table(house, looking):
    house.start()
    board = {"available": ["plain", "P"], "resources": {"water": 5}}
    house.tap(None, do="correct", set={"players": {"red": board}})
    page = take_seat(looking, house, "red")
    page.locator("#goer-P").check(force=True)
    open_sheet(page, "1:R1a")
    assert page.locator(".pip-line .lost").count() == 1
    page.click("#act [data-way] >> nth=0")
    page.wait_for_selector("#act [data-way][href$='way=0'][aria-current=true]")
    assert page.locator(".pip-line .lost").count() == 0
    house.tap(None, do="correct", set={"players": {"red": {"resources": {"water": 6}}}})
    page.wait_for_selector(".pip-line .lost")
    assert page.locator("#act [data-way][href$='way=0'][aria-current=true]").count() == 1
    page.mouse.click(195, 40)
    page.wait_for_selector("#place", state="hidden")
    page.wait_for_function("() => document.activeElement.id === 's-1-R1a'")


def test_the_sheet_is_pulled_down(house, looking):
    house.start()
    page = take_seat(looking, house, "red", has_touch=True, is_mobile=True)
    glass = page.context.new_cdp_session(page)
    open_sheet(page, "1:R1a")
    for way, hidden in ((30, False), (300, True)):
        finger = page.locator("#act-title").bounding_box()
        x, y = finger["x"] + 5, finger["y"] + 5
        glass.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        glass.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y + way}]})
        glass.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_selector("#place", state="hidden" if hidden else "visible")


def test_a_level_is_opened_and_folded_and_stays_so_until_something_there_is_lit(house, looking):
    house.start()
    house.tap(None, do="correct", set={"turn": "blue"})
    page = take_seat(looking, house, "red")
    assert not page.is_visible("#s-2-E")
    house.tap(None, do="correct", set={"levels": {**ROOMS, "3": {"rooms": {"R1": "armory"}}}})
    page.wait_for_selector("#s-2-R1a", state="visible")
    page.click("#lev-2-n")
    assert not page.is_visible("#s-2-R1a")
    house.tap(None, do="correct", set={"players": {"red": {"happiness": 1}}})
    caught_up(page, house)
    assert not page.is_visible("#s-2-R1a")
    page.click("#lev-2-n")
    assert page.is_visible("#s-2-R1a")
    page.click("#lev-2-n")
    house.tap(None, do="correct", set={"turn": "red", "players": {"red": {"resources": {"water": 4, "food": 4}}}})
    caught_up(page, house)
    assert page.is_visible("#s-2-R1a")


def test_what_one_wants_dims_what_does_not_bring_it(house, looking):
    house.start()
    page = take_seat(looking, house, "red")
    page.locator("#want-water").check(force=True)
    field = "one => getComputedStyle(one).backgroundColor"
    wanted, other = page.locator("#s-1-R1a").evaluate(field), page.locator("#s-1-R3a").evaluate(field)
    assert (wanted != other, other) == (True, "rgba(0, 0, 0, 0)")
    page.locator("#want-all").check(force=True)
    assert page.locator("#s-1-R3a").evaluate(field) == wanted


def test_without_a_script_one_plays_by_links_and_returns_to_where_one_tapped(house, looking):
    house.start()
    house.tap(None, do="correct", set={"players": {"red": {"available": ["plain", "P"]}}})
    page = take_seat(looking, house, "red", java_script_enabled=False)
    page.locator("#goer-P").check(force=True)
    assert page.locator("#s-1-R1a .tag2").is_visible()
    page.locator("#goer-plain").check(force=True)
    assert not page.locator("#s-1-R1a .tag2").is_visible()
    page.click("#s-1-R1a")
    page.click("#act [data-way] >> nth=1")
    page.click("#go")
    page.wait_for_url("**/seat/red#s-1-R1a")
    assert house.state["placed"]["1:R1a"]["dwellers"] == ["plain"]
    assert house.state["players"]["red"]["resources"]["water"] == 2
    assert page.locator("#s-1-R1a .r").inner_text().strip() == "+2"
    assert abs(page.locator("#s-1-R1a").bounding_box()["y"]) < PHONE["height"]


def test_nothing_moves_on_the_vault_for_those_who_asked_for_less_of_it(house, looking):
    house.start()
    page = take_seat(looking, house, "red", reduced_motion="reduce")
    open_sheet(page, "1:R3a")
    assert page.evaluate("document.getAnimations().length") == 0
    page.click("#go")
    page.wait_for_selector("#s-1-R3a.new")
    assert page.evaluate("document.getAnimations().length") == 0


FLOWN = """() => {
  window.flown = [];
  const note = (one) => one.classList?.contains("flies") && flown.push(one.querySelector("use").getAttribute("href"));
  const seen = new MutationObserver((all) => all.forEach((each) => each.addedNodes.forEach(note)));
  seen.observe(document.body, { childList: true });
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_what_an_act_brings_flies_from_where_one_tapped(house, looking, motion):
    house.start()
    page = take_seat(looking, house, "red", reduced_motion=motion)
    page.evaluate(FLOWN)
    before = house.state["players"]["red"]["resources"]
    space = next(
        move["space"]
        for move in house.client().get("/api/legal?by=red").json["moves"]
        if move["do"] == "place" and [one["icon"] for one in move["preview"]["reward"]] == ["food"]
    )
    place(page, space)
    caught_up(page, house)
    now = house.state["players"]["red"]["resources"]
    gained = [f"#i-{name}" for name, amount in now.items() for _ in range(amount - before[name])]
    assert gained
    page.wait_for_function("() => !document.querySelector('.flies')")
    assert page.evaluate("flown") == (gained if motion == "no-preference" else [])
