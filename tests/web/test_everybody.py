"""Everybody plays: axe-core judges every page in every language and scheme, keys play a turn, text doubles, and nothing
is too small for a thumb or an eye.
"""

import random

import evening_out
import pytest
from at_the_door import PIN, TOKEN
from browsing import CHROMIUM, PHONE, SCREEN, by_script, caught_up, take_seat
from judging import doubled, judged

from benchmarks import every_page
from companion.bots.review.review import Effort
from companion.languages.catalogues import codes
from companion.table.bots import reviews

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")

OPEN = (
    *("/", "/table", "/seat/red", "/seat/yellow", "/join", "/history", "/history/game-1?step=30", "/nowhere"),
    *("/rooms", "/rules", "/rules/living-room"),
)


def looked_at(page, base, paths, judge):
    """Judge these pages one after another, on the screen that they are for."""
    found = []
    for path in paths:
        page.set_viewport_size(SCREEN if path == "/table" else PHONE)
        page.goto(base + path)
        found += judge(page, path)
    return found


def behind_the_pin(house):
    """Every page of the host: those that the application has, and one of each that wants a name."""
    rules = [rule for rule in house.app.url_map.iter_rules() if "GET" in rule.methods and not rule.arguments]
    paths = [str(rule) for rule in rules if str(rule).startswith(("/host", "/correct"))]
    return [*paths, "/correct/red", "/correct/rooms", "/host/cards/standard", "/host/cards/standard/garden"]


def seldom_seen(house):
    """Pages that nothing else here leads to."""
    known = {*OPEN, *behind_the_pin(house), "/seat/red/missed"}
    every = every_page.addresses(house.app, house.state["id"], TOKEN)
    return [path for path in every if path.partition("?")[0] not in known]


def in_the_middle_of_a_game(house):
    """A board with everything on it: items, injured and trained dwellers, threats, an open choice."""
    house.start(names={"red": "Anna", "blue": "Borys"})
    by_script(house, random.Random(5), lambda state: state["round"] >= 5 and len(state["placed"]) >= 3)
    board = {"available": ["plain", "S", "injured"], "resources": {"water": 4, "food": 3, "energy": 2}}
    board["items"] = [{"id": "minigun", "exhausted": False}, {"id": "husky", "exhausted": True}]
    house.tap(None, do="correct", set={"players": {"red": board}, "threats": {"1:R1b": "raider"}})
    by_script(house, random.Random(6), lambda state: bool(state["pending"]))


def hosting(looking, language):
    page = looking.open("/host", locale=language)
    page.fill("input[name=pin]", PIN)
    page.click("#login button")
    page.wait_for_selector("#new-game", state="attached")
    return page


@pytest.mark.parametrize("language", codes())
def test_axe_finds_nothing_on_any_page(house, looking, language):
    found = judged(looking.open("/", locale=language), "before the game")
    found += judged(looking.open("/table", SCREEN, locale=language), "the big screen before the game")
    found += judged(looking.open("/host", locale=language), "the host's door")
    in_the_middle_of_a_game(house)
    found += looked_at(looking.open("/", locale=language), looking.base, OPEN, judged)
    for colour in ("red", "blue", "green"):
        page = take_seat(looking, house, colour, locale=language)
        page.click("#more-seat summary")
        page.click("#switch-guide")
        page.wait_for_selector("#switch-guide[aria-checked=true]")
        found += judged(page, f"the seat of {colour}")
        page.goto(f"{looking.base}/seat/{colour}/missed")
        found += judged(page, f"what {colour} missed")
    house.tap(None, do="correct", set={"last_round": True, "pending": []})
    by_script(house, random.Random(7), lambda state: state["phase"] == "over")
    found += judged(looking.open("/table", SCREEN, locale=language), "the end")
    found += judged(looking.open("/history", locale=language), "the history of a finished game")
    reviews.work_out(house.folder, "game-1", Effort(rough=2, fine=2, wide=1, again=3))
    found += judged(looking.open("/history/game-1/review", locale=language), "what decided it")
    looking.wrong = [line for line in looking.wrong if "404" not in line]
    assert found == []


@pytest.mark.parametrize("language", codes())
def test_axe_finds_nothing_on_any_page_of_the_host(house, looking, language):
    in_the_middle_of_a_game(house)
    paths = [*behind_the_pin(house), *seldom_seen(house)]
    found = looked_at(hosting(looking, language), looking.base, paths, judged)
    looking.wrong = []
    assert found == []


@pytest.mark.parametrize("language", codes())
def test_axe_finds_nothing_in_the_second_game(house, looking, language):
    evening_out.begin(house)
    list(evening_out.wander(house, 4, 25))
    found = looked_at(
        hosting(looking, language),
        looking.base,
        (
            "/",
            "/table",
            "/start?game=wasteland&plays_red=on&step=scenario",
            "/start?game=wasteland&plays_red=on&step=more",
        ),
        judged,
    )
    for colour in ("red", "blue"):
        found += judged(take_seat(looking, house, colour, locale=language), f"the seat of {colour}")
    assert found == []


@pytest.mark.parametrize("language", codes())
def test_text_of_twice_the_size_loses_nothing_and_never_scrolls_sideways(house, looking, language):
    in_the_middle_of_a_game(house)
    paths = [*(path for path in OPEN if path != "/table"), *behind_the_pin(house), *seldom_seen(house)]
    found = looked_at(hosting(looking, language), looking.base, paths, doubled)
    for colour in ("red", "blue"):
        found += doubled(take_seat(looking, house, colour, locale=language), f"the seat of {colour}")
    looking.wrong = []
    assert found == []


@pytest.mark.parametrize("game", ["shelter", "wasteland"])
def test_nothing_is_too_small_for_a_thumb_or_an_eye_on_any_page(house, looking, game):
    if game == "shelter":
        in_the_middle_of_a_game(house)
    else:
        evening_out.begin(house)
        list(evening_out.wander(house, 4, 25))
    page = hosting(looking, "en")
    page.request.post(f"{looking.base}/api/seats/red/claim", form={"code": house.access.code("red")})
    every = every_page.addresses(house.app, house.state["id"], TOKEN)
    paths = [path for path in every if path not in every_page.FOR_SCREENS]
    found = list(every_page.walk(page, looking.base, paths))
    looking.wrong = []
    assert {path for path, _, _ in found} >= {"/", "/host", "/hands", "/rules", "/seat/red", "/wasteland/cards"}
    assert [(path, phone, figures.short) for path, phone, figures in found if figures.short] == []


def test_the_keyboard_alone_plays_a_turn(house, looking):
    house.start()
    page = take_seat(looking, house, "red")
    caught_up(page, house)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.sp')"):
            break
    space = page.evaluate("document.activeElement.id")
    page.keyboard.press("Enter")
    page.wait_for_selector("#place[open] #act")
    assert page.evaluate("document.activeElement.id") == "go"
    page.keyboard.press("Escape")
    page.wait_for_selector("#place", state="hidden")
    assert page.evaluate("document.activeElement.id") == space
    page.keyboard.press("Enter")
    page.wait_for_selector("#place[open] #act")
    before = house.state["seq"]
    page.keyboard.press("Enter")
    page.wait_for_function("seq => Number(document.body.dataset.shown) > seq", arg=before)
    assert len(house.state["placed"]) == 1
    assert page.evaluate("document.activeElement.id") == space


def test_a_screen_reader_hears_whose_turn_it_is_and_what_is_asked(house, looking):
    house.start()
    page = take_seat(looking, house, "blue")
    caught_up(page, house)
    house.tap(None, do="place", by="red", space="1:R1a")
    page.wait_for_function("() => document.getElementById('heard').textContent.includes('Your turn')")
    assert page.get_attribute("#heard", "role") == "status"
    house.tap(None, do="correct", set={"levels": {"3": {"rooms": {"R1": "garden"}}}, "turn": "green"})
    house.tap(None, do="place", by="green", space="3:R1a")
    page.wait_for_function("() => document.getElementById('heard').textContent.includes('Your income')")


def test_nothing_moves_for_those_who_asked_for_less_of_it(house, looking):
    house.start()
    by_script(house, random.Random(2), lambda state: bool(state["spawned"]) and state["phase"] == "place")
    page = looking.open("/table", SCREEN, reduced_motion="reduce")
    caught_up(page, house)
    assert page.evaluate("document.getAnimations().length") == 0
