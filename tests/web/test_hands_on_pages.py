"""What hands owe the table, on every page: read in every language, ticked off by a tap, said by who is not there."""

import re

import pytest
from at_the_door import BEARER
from browsing import CHROMIUM, SCREEN, take_seat

from web.base.words import words_in

SPAWNING = {"round": 2, "phase": "spawn"}
DICE = [[4, 5], [1, 1], [3, 4]]


def spawned(house):
    house.start(start=SPAWNING)
    house.tap(do="spawn", dice=DICE)
    return next(one for one in house.state["spawned"] if one["space"])


def strip_of(client, path="/", **headers):
    """What the foot of a page says, or the list on the big screen."""
    page = client.get(path, headers=headers).get_data(as_text=True)
    return text_of(re.search(r'<a id="hands".*?</a>|<section class="to-do".*?</section>', page, re.DOTALL))


def slip_of(client, **headers):
    page = client.get("/hands", headers=headers).get_data(as_text=True)
    return text_of(re.search(r'<div class="slip".*?</form>', page, re.DOTALL))


def text_of(found):
    return "" if found is None else re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", found.group()))


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Lay "), ("pl", "Połóż: "), ("ru", "Положите: ")],
)
def test_every_page_says_which_threat_is_laid_where(house, language, words):
    spawned(house)
    for path in ("/", "/table", "/seat/red", "/history", "/join"):
        told = strip_of(house.client(), path, **{"Accept-Language": language})
        assert str(len(house.state["hands"])) in told, path
        assert words in told, path
    slip = slip_of(house.client(), **{"Accept-Language": language})
    assert words_in(language).text("hands_title", n=len(house.state["hands"])) in slip
    assert slip.count(words) == len(house.state["hands"])


def test_a_page_shows_nothing_where_nothing_is_owed(house):
    assert strip_of(house.client()) == ""
    house.start()
    places = [one["place"] for one in house.state["hands"]]
    answer = house.client().post("/api/hands/done", json={"place": places}, headers=BEARER)
    assert answer.status_code == 200
    assert house.state["hands"] == []
    assert strip_of(house.client()) == ""


def test_a_form_ticks_off_without_a_script_and_leads_back(house):
    space = spawned(house)["space"]
    phone = house.seated("red")
    answer = phone.post("/api/hands/done", data={"place": f"{space} items:0", "back": "/seat/red"})
    assert (answer.status_code, answer.location) == (303, "/seat/red")
    assert not {space, "items:0"} & {one["place"] for one in house.state["hands"]}


def test_what_others_have_ticked_off_meanwhile_hinders_nobody(house):
    space = spawned(house)["space"]
    phone = house.seated("red")
    assert phone.post("/api/hands/done", json={"place": space}).status_code == 200
    for places in (f"{space} items:0", space):
        assert phone.post("/api/hands/done", data={"place": places, "back": "/hands"}).status_code == 303
    assert "items:0" not in {one["place"] for one in house.state["hands"]}


@pytest.mark.parametrize("place", [None, 7, [], [1], ["x"] * 101, {}])
def test_what_is_no_place_is_refused(house, place):
    house.start()
    answer = house.client().post("/api/hands/done", json={"place": place}, headers=BEARER)
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (400, "malformed")


def test_only_who_plays_ticks_off(house):
    space = spawned(house)["space"]
    answer = house.client().post("/api/hands/done", json={"place": space})
    assert answer.status_code == 401
    assert 'class="tick"' not in house.client().get("/hands").get_data(as_text=True)
    assert 'class="tick"' in house.seated("red").get("/hands").get_data(as_text=True)


def test_a_seat_says_that_it_is_not_at_the_table(house):
    house.start()
    phone = house.seated("red")
    assert phone.post("/api/seats/red/away", json={"away": True}).get_json() == {"seat": "red", "away": True}
    house.tap(do="place", by="red", space="1:R2a")
    assert "dweller Diner, left, Level 1" in strip_of(house.client())
    answer = phone.post("/api/seats/red/away", data={"away": "no", "back": "/seat/red"})
    assert answer.status_code == 303
    assert house.state["table"]["away"] == []
    assert phone.post("/api/seats/blue/away", json={"away": True}).status_code == 403
    assert phone.post("/api/seats/red/away", json={"away": "perhaps"}).status_code == 400


def test_figures_that_go_home_are_one_line(house):
    house.start()
    house.client().post("/api/seats/red/away", json={"away": True}, headers=BEARER)
    house.tap(do="place", by="red", space="1:R2a")
    house.tap(do="pass", by="blue")
    house.tap(do="pass", by="green")
    house.tap(do="place", by="red", space="1:R1a")
    house.client().post("/api/hands/done", json={"place": ["1:R2a", "1:R1a"]}, headers=BEARER)
    house.tap(do="recall")
    assert "dwellers home (2)" in strip_of(house.client())


# --- in the browser ---------------------------------------------------------------------------------------------------

in_browser = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")


@in_browser
def test_a_tap_ticks_off_on_every_page_and_strikes_it_out_for_a_moment(house, looking):
    space = spawned(house)["space"]
    phone, screen = take_seat(looking, house, "red"), looking.open("/table", SCREEN)
    before = len(house.state["hands"])
    phone.click("#hands")
    phone.click(f'#sheet li[data-places="{space}"] .tick')
    phone.wait_for_selector(f'#sheet li.seen[data-places="{space}"]')
    phone.wait_for_selector("#sheet li.seen", state="detached")
    assert phone.locator("#sheet li").count() == before - 1
    screen.wait_for_function(f"document.querySelector('#to-do h2').textContent.includes('{before - 1}')")
    phone.click("#sheet .all")
    phone.wait_for_selector("#hands", state="detached")
    phone.wait_for_selector("#sheet", state="hidden")
    screen.wait_for_selector("#to-do", state="detached")


@in_browser
def test_a_list_closes_when_other_phones_have_done_all_of_it(house, looking):
    spawned(house)
    phone = take_seat(looking, house, "red")
    held = []
    phone.route("**/hands", lambda route: held.append(route) if not held else route.continue_())
    with phone.expect_request("**/hands"):
        phone.click("#hands")
    places = [one["place"] for one in house.state["hands"]]
    assert house.client().post("/api/hands/done", json={"place": places}, headers=BEARER).status_code == 200
    phone.wait_for_selector("#hands", state="detached")
    with phone.expect_response("**/hands"):
        held[0].continue_()
    phone.evaluate("new Promise((done) => setTimeout(done, 100))")  # whatever it would show, it shows by then
    assert phone.is_hidden("#sheet")


@in_browser
def test_the_strip_hides_nothing_and_is_large_enough(house, looking):
    spawned(house)
    phone = take_seat(looking, house, "red")
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    foot, strip = phone.locator("#foot").bounding_box(), phone.locator("#hands").bounding_box()
    assert strip["height"] >= 44
    assert strip["y"] + strip["height"] <= foot["y"] or foot["y"] + foot["height"] <= strip["y"]
    phone.click("#hands")
    phone.wait_for_selector("#sheet .tick")
    for button in phone.locator("#sheet button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 44


@in_browser
def test_without_a_script_the_list_is_a_page(house, looking):
    space = spawned(house)["space"]
    page = take_seat(looking, house, "red", java_script_enabled=False)
    page.click("#hands")
    page.click(f'li[data-places="{space}"] .tick')
    assert page.url.endswith("/hands")
    assert space not in {one["place"] for one in house.state["hands"]}
