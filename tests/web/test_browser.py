"""A real browser: three phones and a big screen play. Screenshots go where COMPANION_SCREENS says."""

import os
import random
from pathlib import Path

import pytest
from at_the_door import PIN

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE, SCREEN = {"width": 390, "height": 844}, {"width": 1920, "height": 1080}
SECOND = 1000

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield launched
        launched.close()


class Looking:
    """Opens pages and keeps what went wrong on them."""

    def __init__(self, browser, base):
        self.browser = browser
        self.base = base
        self.wrong = []
        self.contexts = []

    def open(self, path, size=PHONE, **options):
        context = self.browser.new_context(
            viewport=size, **{"locale": "en", "color_scheme": "dark", "reduced_motion": "reduce", **options}
        )
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10 * SECOND)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda line: self.wrong.append(line.text) if line.type == "error" else None)
        page.on("request", lambda asked: None if asked.url.startswith(self.base) else self.wrong.append(asked.url))
        page.goto(self.base + path)
        return page

    def close(self):
        for context in self.contexts:
            context.close()


@pytest.fixture
def looking(browser, house):
    opened = Looking(browser, house.serve())
    yield opened
    opened.close()
    assert opened.wrong == []


def shoot(page, name):
    """Without the animations of what has just arrived."""
    page.evaluate("scrollTo(0, 0)")
    page.mouse.move(0, 0)
    wide, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= inner, name
    folder = os.environ.get("COMPANION_SCREENS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png")


def caught_up(page, house):
    page.wait_for_function("seq => Number(document.body.dataset.shown) >= seq", arg=house.state["seq"])


def tap_something(page, rng):
    """What a thumb would find first: an open choice, a space, or the pass."""
    for found in (".choice button:not(.no)", ".way", ".choice button", "#do-pass", "#do-recall", "#do-spawn"):
        buttons = page.locator(found)
        if buttons.count():
            buttons.nth(rng.randrange(buttons.count())).click()
            return True
    return False


def take_seat(looking, house, colour):
    page = looking.open(f"/join?seat={colour}&code={house.access.code(colour)}")
    page.click("#claim button")
    page.wait_for_url(f"**/seat/{colour}")
    return page


def whose_move(house):
    pending = [choice["by"] for choice in house.state["pending"] if choice["by"]]
    return pending[0] if pending else house.state["turn"] or "red"


def play_by_thumb(house, phones, until, rng, most=200):
    for _ in range(most):
        if until(house.state):
            return
        page, before = phones[whose_move(house)], house.state["seq"]
        caught_up(page, house)
        assert tap_something(page, rng)
        page.wait_for_function("seq => Number(document.body.dataset.shown) > seq", arg=before)
    pytest.fail(f"after {most} taps: {house.state['round']} {house.state['phase']}")


def by_script(house, rng, until, most=2000):
    """Faster than by thumb, to where the vault is worth looking at."""
    for _ in range(most):
        if until(house.state):
            return
        moves = house.client().get("/api/legal").json["moves"]
        homes = [move for move in moves if move["do"] == "place" and move["space"].endswith("E")]
        answers = [move for move in moves if move["do"] == "choose" and move["option"] != "decline"]
        places = [move for move in moves if move["do"] == "place"]
        others = [move for move in moves if move["do"] != "use"]
        move = rng.choice(answers or homes or places or others)
        answer = house.tap(None, **{key: value for key, value in move.items() if key != "preview"})
        assert answer.status_code == 200, answer.json
    pytest.fail(f"after {most} moves: {house.state['round']} {house.state['phase']}")


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
    assert status.inner_text("h1") == screen.inner_text("h1")
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
    page.evaluate(
        "document.querySelector('.way').dataset.move = JSON.stringify({do: 'pass', by: 'red', if_version: 99})"
    )
    page.click(".way >> nth=0")
    page.wait_for_selector("#said", state="visible")
    looking.wrong.clear()
    assert "version" in page.inner_text("#said")


def test_the_keyboard_alone_suffices(house, looking):
    house.start()
    page = take_seat(looking, house, "red")
    page.locator(".way >> nth=0").focus()
    before = house.state["seq"]
    page.keyboard.press("Enter")
    page.wait_for_function("seq => Number(document.body.dataset.shown) > seq", arg=before)
    assert len(house.state["placed"]) == 1
