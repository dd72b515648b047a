"""What three phones and the big screen show together: the same step, long enough, quietly, by key and to be heard."""

import random
import time

import pytest
from at_the_door import BEARER, SETUP
from browsing import CHROMIUM, PHONE, SCREEN, Looking, by_script, caught_up, shoot, take_seat
from judging import doubled, judged

from companion.languages.catalogues import codes
from companion.table.bots.bot_thread import BotThread
from companion.table.session.intents import SeatBot, StartGame, TableSeen
from companion.table.sight.reading import Reading

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")
NAMES = {"red": "Anna", "blue": "Borys", "green": "Zofia"}
SHOWN = """() => {
  const scene = document.querySelector("#moment > section");
  if (!scene) return null;
  const heads = [...document.querySelectorAll(".m-head p")].filter((one) => !one.hidden);
  return [scene.dataset.key, scene.dataset.step, heads.map((one) => one.textContent.trim()).join()];
}"""


class Live:
    """A table whose scenes are shown, with a phone for each seat and a big screen."""

    def __init__(self, house, browser, *, begun=False, **options):
        self.house = house
        self.looking = Looking(browser, house.serve())
        if not begun:
            house.start(names=NAMES)
        self.phones = {colour: take_seat(self.looking, house, colour, **options) for colour in NAMES}
        self.screen = self.looking.open("/table", SCREEN, **options)
        self.caught_up()

    @property
    def pages(self):
        return [*self.phones.values(), self.screen]

    def caught_up(self):
        for page in self.pages:
            caught_up(page, self.house)
            page.wait_for_function("() => [...document.styleSheets].some((one) => one.href?.includes('moments.css'))")

    def until(self, key, step):
        for page in self.pages:
            page.wait_for_function(
                """([kind, step]) => {
                  const scene = document.querySelector("#moment > section");
                  return scene && scene.dataset.key.startsWith(kind) && scene.dataset.step === step;
                }""",
                arg=[key, str(step)],
            )

    def spawn(self, *dice):
        answer = self.house.tap(None, do="correct", set={"round": 2, "phase": "spawn"})
        assert answer.status_code == 200, answer.json
        self.house.tap(None, do="spawn", dice=[list(one) for one in dice])

    def fight(self, by="red", space="1:R1a", dice=None):
        set_ = {"threats": {space: "raider"}, "turn": by, "players": {by: {"available": ["S", "plain"]}}}
        answer = self.house.tap(None, do="correct", set=set_)
        assert answer.status_code == 200, answer.json
        self.house.tap(None, do="place", by=by, space=space, dwellers=["S"])
        if dice:
            answer = self.house.tap(None, do="choose", by=by, option="roll", dice=[dice])
            assert answer.status_code == 200, answer.json

    def close(self):
        self.looking.close()
        assert self.looking.wrong == []


@pytest.fixture
def live(make_house, browser, request):
    made = Live(make_house(pace=getattr(request, "param", 1.0)), browser)
    yield made
    made.close()


FOUR = ((4, 4), (3, 4), (1, 1), (2, 2))


@pytest.mark.parametrize("live", [1000.0], indirect=True)
def test_three_phones_and_the_screen_show_the_same_level_and_one_tap_goes_on_for_all(live):
    live.spawn(*FOUR)
    for step in range(4):
        live.until("threats", step)
        seen = [page.evaluate(SHOWN) for page in live.pages]
        assert seen == [seen[0]] * 4
        assert seen[0][2] == f"Level {step + 1} of 4"
        if step < 3:
            list(live.phones.values())[step].locator("form[action='/moments/next'] button:visible").click()
    assert live.screen.locator(".m-tabs .now").inner_text().startswith("4")


def test_levels_follow_each_other_by_themselves_on_all_pages_at_once(live):
    """Read page by page as fast as can be: the steps that two pages show never lie apart for long."""
    live.spawn(*FOUR)
    live.until("threats", 0)
    began, apart, steps = time.monotonic(), 0.0, set()
    since = None
    while time.monotonic() - began < 25:
        seen = [(found := page.evaluate(SHOWN)) and found[:2] for page in live.pages]
        steps |= {one[1] for one in seen if one}
        same = all(one == seen[0] for one in seen)
        since = None if same else since or time.monotonic()
        apart = max(apart, time.monotonic() - since if since else 0.0)
        if same and seen[0] is None:
            break
    assert seen == [None] * 4
    assert steps == {"0", "1", "2", "3"}
    assert apart < 1.5


def test_what_a_bot_says_replaces_nothing_before_it_could_be_read(live):
    """A camera looks, so the bot says where its dweller goes; it did so 1.1 s after dice had fallen."""
    house = live.house
    for at in (0.0, 10.0):
        house.session.ask(TableSeen(Reading(), at)).result(10)
    bots = BotThread(house.session, polite=True)
    bots.start()
    try:
        house.session.ask(SeatBot("blue", "fair")).result(10)
        live.fight("red", dice=(1, 2))
        live.until("fight", 0)
        lost = next(one for one in reversed(house.session.snapshots.all_newer_than(0, 0)) if one.seconds_to_see)
        assert lost.state["suggestion"] is None
        live.screen.wait_for_selector("#suggested")
        said = next(
            one for one in house.session.snapshots.all_newer_than(lost.seq, 0) if one.state["suggestion"] is not None
        )
        assert said.at - lost.at >= lost.seconds_to_see > 4
        for page in live.pages:
            page.wait_for_selector("#moment > section", state="detached")
    finally:
        bots.close()


@pytest.mark.parametrize("live", [1000.0], indirect=True)
def test_a_screen_reader_hears_what_happens_before_whose_turn_comes_after(live):
    live.spawn(*FOUR)
    live.until("threats", 0)
    blue = live.phones["blue"]
    heard = "() => document.getElementById('heard').textContent"
    assert blue.evaluate(heard).strip().startswith("Level 1. 8. Lay ")
    live.phones["red"].locator("form[action='/moments/next'] button:visible").click()
    blue.wait_for_function("() => document.getElementById('heard').textContent.includes('Seven: nothing')")
    assert blue.get_attribute("#heard", "role") == "status"
    assert "Your turn" in live.phones["red"].evaluate(heard)
    assert "turn" not in blue.evaluate(heard)


@pytest.mark.parametrize("live", [1000.0], indirect=True)
def test_the_keyboard_rolls_goes_on_and_comes_back_to_the_page(live):
    live.fight("red")
    red = live.phones["red"]
    live.until("fight", 0)
    red.evaluate("document.activeElement.blur()")
    for _ in range(8):
        red.keyboard.press("Tab")
        if red.evaluate("document.activeElement.matches('.choice button')"):
            break
    before = live.house.state["seq"]
    red.keyboard.press("Enter")
    red.wait_for_function("seq => Number(document.body.dataset.shown) > seq", arg=before)
    red.wait_for_selector(".m-stamp")
    for _ in range(8):
        if red.evaluate("document.activeElement.matches('[data-fold]')"):
            break
        red.keyboard.press("Tab")
    red.keyboard.press("Enter")
    red.wait_for_selector("#moment > section", state="hidden")
    assert red.evaluate("document.activeElement.id") == "main"
    assert live.phones["blue"].locator(".m-stamp").is_visible()


@pytest.mark.parametrize("live", [1000.0], indirect=True)
def test_nothing_moves_for_those_who_asked_for_less_of_it(live):
    live.spawn(*FOUR)
    live.until("threats", 0)
    assert [page.evaluate("document.getAnimations().length") for page in live.pages] == [0] * 4
    lively = live.looking.open("/table", SCREEN, reduced_motion="no-preference")
    lively.wait_for_function("() => document.getAnimations().length > 0")


@pytest.mark.parametrize("live", [1000.0], indirect=True)
def test_a_page_comes_back_to_where_it_was(live):
    blue = live.phones["blue"]
    blue.evaluate("scrollTo(0, 500)")
    below = blue.evaluate("document.getElementById('main').getBoundingClientRect().top")
    live.fight("red", dice=(6, 6))
    live.until("fight", 0)
    blue.wait_for_function("() => scrollY === 0")
    blue.locator("[data-fold]:visible").click()
    blue.wait_for_function("() => scrollY > 0")
    assert blue.evaluate("document.getElementById('main').getBoundingClientRect().top") == pytest.approx(below, abs=2)


@pytest.mark.parametrize("live", [1000.0], indirect=True)
def test_a_page_without_its_script_shows_the_scene_and_goes_on(live):
    live.spawn(*FOUR)
    live.until("threats", 0)
    plain = take_seat_again(live, "red")
    assert "Level 1 of 4" in plain.inner_text("#moment")
    plain.locator("form[action='/moments/next'] button:visible").click()
    plain.wait_for_load_state()
    plain.goto(live.looking.base + "/seat/red")
    assert "Level 2 of 4" in plain.inner_text("#moment")
    assert "seven: nothing" in plain.inner_text("#moment")


def take_seat_again(live, colour):
    live.house.client().post(f"/api/seats/{colour}/release", headers=BEARER)
    return take_seat(live.looking, live.house, colour, java_script_enabled=False)


@pytest.mark.parametrize("language", codes())
def test_axe_finds_nothing_in_any_scene_and_large_letters_lose_nothing(make_house, browser, language):
    live = Live(make_house(pace=1000.0), browser, locale=language)
    house, found = live.house, []

    def look(name):
        for colour, page in (("red", live.phones["red"]), ("blue", live.phones["blue"]), ("screen", live.screen)):
            found.extend(judged(page, f"{name}, {colour}"))

    live.fight("red")
    live.until("fight", 0)
    look("an open fight")
    house.tap(None, do="choose", by="red", option="roll", dice=[[1, 2]])
    for page in live.pages:
        page.wait_for_selector(".m-stamp")
    look("a lost fight")
    found += doubled(live.looking.open("/", locale=language), "a lost fight")
    house.start(names=NAMES)
    live.spawn(*FOUR)
    live.until("threats", 0)
    look("threats")
    found += doubled(live.looking.open("/", locale=language), "threats")
    house.start(names=NAMES)
    house.tap(None, do="place", by="red", space="1:R1a")
    house.tap(None, do="correct", set={"round": 3, "phase": "recall", "last_round": True, "pending": []})
    house.tap(None, do="recall")
    live.until("recall", 0)
    look("the recall")
    house.app.extensions["companion"].stage._pace = 0.0
    over = take_seat(live.looking, make_free(house, "red"), "red", locale=language)
    over.wait_for_selector("#again")
    found += judged(over, "the end")
    found += doubled(over, "the end")
    found += judged(live.looking.open("/table", SCREEN, locale=language), "the end on the screen")
    live.close()
    assert found == []


def make_free(house, colour):
    house.client().post(f"/api/seats/{colour}/release", headers=BEARER)
    return house


def test_scenes_stand_in_nobody_s_way_and_the_same_people_play_again(make_house, browser):
    """A phone plays on by its own buttons while everything is shown at full length."""
    house = make_house(pace=1.0)
    looking = Looking(browser, house.serve())
    house.session.ask(StartGame({**SETUP, "names": NAMES}, seed="evening")).result(10)
    house.tap(None, do="correct", set={"round": 4, "phase": "spawn", "last_round": True})
    phones = {colour: take_seat(looking, house, colour) for colour in NAMES}
    phones["blue"].click("#do-spawn")
    phones["red"].wait_for_selector(".m-threats")
    began = time.monotonic()
    moved = house.state["turn"]
    caught_up(phones[moved], house)
    pass_on(phones[moved], house)
    assert time.monotonic() - began < 3
    for _ in range(8):
        if house.state["phase"] == "recall":
            break
        pass_on(phones[house.state["turn"]], house)
    phones["green"].click("#do-recall")
    red = phones["red"]
    red.click("#again button", timeout=60_000)
    red.wait_for_url("**/seat/red")
    assert (house.state["round"], house.state["phase"]) == (1, "place")
    assert [player["name"] for player in house.state["players"].values()] == list(NAMES.values())
    looking.close()
    assert looking.wrong == []


def pass_on(page, house):
    before = house.state["seq"]
    page.locator("#do-pass").click()
    page.wait_for_function("seq => Number(document.body.dataset.shown) > seq", arg=before)


def test_the_pictures_of_the_documentation(make_house, browser):
    live = Live(make_house(pace=1000.0), browser)
    house, red, blue = live.house, live.phones["red"], live.phones["blue"]
    live.spawn(*FOUR)
    live.until("threats", 0)
    shoot(red, "threats")
    shoot(live.screen, "table-threats")
    shoot(live.looking.open("/", locale="ru", color_scheme="light"), "threats-ru-light")
    red.locator("form[action='/moments/next'] button:visible").click()
    live.until("threats", 1)
    shoot(red, "threats-nothing")
    for size, name in ((PHONE, "hands"), (SCREEN, "hands-wide")):
        shoot(live.looking.open("/hands", size), name)
    house.start(names=NAMES)
    items = [{"id": "minigun", "exhausted": False}, {"id": "fat-man", "exhausted": False}]
    house.tap(None, do="correct", set={"players": {"red": {"items": items}}})
    live.fight("red")
    live.until("fight", 0)
    shoot(red, "fight")
    shoot(live.screen, "table-fight")
    house.tap(None, do="choose", by="red", option="roll", dice=[[2, 3]])
    red.wait_for_selector(".m-thrown")
    shoot(red, "fight-again")
    house.tap(None, do="choose", by="red", option="use:fat-man", dice=[[6, 5]])
    for page in live.pages:
        page.wait_for_selector(".m-stamp.won")
    asked = house.state["pending"][0]
    house.tap(None, do="choose", by="red", id=asked["id"], option=asked["options"][0])
    for page in (red, live.screen):
        page.wait_for_selector(".m-gain")
    shoot(red, "fight-won")
    shoot(live.screen, "table-fight-won")
    house.start(names=NAMES)
    live.fight("red", dice=(1, 2))
    for page in live.pages:
        page.wait_for_selector(".m-stamp.lost")
    shoot(blue, "fight-lost")
    shoot(live.screen, "table-fight-lost")
    live.close()


def test_the_pictures_of_the_last_round_and_the_recall(make_house, browser):
    live = Live(make_house(pace=1000.0), browser)
    house, red = live.house, live.phones["red"]
    rooms = {"L1": "garden", "L2": "lounge", "L3": "science-lab", "R1": "medbay", "R2": "living-room"}
    board = {"available": ["plain"], "resources": {"food": 6, "water": 6, "energy": 6}}
    house.tap(None, do="correct", set={"levels": {"2": {"rooms": rooms}}, "players": {"red": board}})
    house.tap(None, do="place", by="red", space="2:E")
    while not house.state["last_round"]:
        asked = house.state["pending"][0]
        house.tap(None, do="choose", by=asked["by"], id=asked["id"], option=asked["options"][-1])
    live.until("last-round", 0)
    shoot(red, "last-round")
    shoot(live.screen, "table-last-round")
    house.start(names=NAMES)
    placed = {
        "1:R1a": {"by": "red", "dwellers": ["plain"]},
        "1:L1a": {"by": "red", "dwellers": ["plain"]},
        "1:R2b": {"by": "green", "dwellers": ["plain"]},
    }
    everybody = {colour: {"available": [], "passed": True} for colour in NAMES}
    position = {"placed": placed, "threats": {"1:R1a": "raider"}, "players": everybody, "phase": "recall"}
    answer = house.tap(None, do="correct", set=position)
    assert answer.status_code == 200, answer.json
    house.tap(None, do="recall")
    live.until("recall", 0)
    shoot(red, "recall")
    shoot(live.screen, "table-recall")
    live.close()


def test_the_pictures_of_the_end(make_house, browser):
    house = make_house()
    house.start(names=NAMES)
    by_script(house, random.Random(2), lambda state: state["phase"] == "over")
    live = Live(house, browser, begun=True)
    winner, *others = sorted(NAMES, key=lambda colour: colour not in house.state["result"]["winners"])
    for page in live.pages:
        page.wait_for_selector("#podium")
        assert page.evaluate("getComputedStyle(document.querySelector('#podium .line-red')).fill") == "none"
    shoot(live.phones[winner], "over")
    shoot(live.phones[others[0]], "over-other")
    shoot(live.screen, "table-over")
    shoot(live.looking.open("/", locale="pl", color_scheme="light"), "over-pl-light")
    live.close()
