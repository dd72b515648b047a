"""A whole evening of four in the wasteland, by thumb: begun, played and ended only by what the pages offer."""

import random
import re

import pytest
from browsing import CHROMIUM, SCREEN, Looking, shoot
from own_process import GONE, Companion, caught_up

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")

COLOURS = ("red", "blue", "green", "yellow")
TAPS = 900
"""More than three times what the evening takes."""
PATIENCE = 120_000
"""Milliseconds: a phone that finds the table again waits longer from try to try."""
SCREENS = 2.5
"""The longest page of whoever is on turn; what is shown to all for a moment lies above it."""
HURT = 5
"""Remaining HP with which somebody would rather rest."""
OFFERED = """() => {
    const seen = (one) => one.getClientRects().length > 0 && !one.closest('dialog:not([open])');
    const shown = (selector) => [...document.querySelectorAll(selector)].filter(seen);
    const all = (selector) => [...document.querySelectorAll(selector)];
    const text = (one) => one.textContent.trim().replace(/\\s+/g, ' ');
    for (const list of all('#walks, #hand')) list.open = false;
    const names = all('#quests b').map((one) => text(one).replace(/^[0-9]+ /, ''));
    return {
        answers: shown('.choice button').map(text),
        actions: shown('#actions button').map((one) => ({ id: one.id, text: text(one) })),
        ends: shown('#do-end, #do-reveal').map((one) => one.id),
        walks: all('#walk button').map((one) => one.id),
        claim: all('#do-claim').length > 0,
        screens: shown('#moment').length ? 0 : document.documentElement.scrollHeight / innerHeight,
        left: Number(shown('#whose .h')[0]?.textContent.match(/[0-9]+/)?.[0] ?? 0),
        quests: all('#map .land').filter((one) => names.some((name) => one.dataset.told.includes(name)))
            .map((one) => one.id.slice(3)),
    };
}"""
"""What somebody reads on a phone: questions, buttons, where one can go, and where quests are."""
OUT_OF_SIGHT = """() => ['.power', '#players', '.shop', '.watch', '#quests'].filter((one) => {
    const box = document.querySelector(one).getBoundingClientRect();
    return box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth || !box.height;
})"""
"""What of the big screen lies outside the picture."""


@pytest.fixture
def companion(tmp_path):
    made = Companion(tmp_path)
    made.start()
    yield made
    made.kill()


@pytest.fixture
def looking(browser, companion):
    opened = Looking(browser, companion.base)
    yield opened
    opened.close()
    assert opened.wrong == []


def begin(looking, companion):
    """The host logs in, taps who plays and which story, and the game begins."""
    host = looking.open("/host")
    host.fill("input[name=pin]", companion.pin)
    host.click("#login button")
    host.click("#doors a[href='/start?game=wasteland']")
    for colour in COLOURS:
        host.click(f"label[for=plays-{colour}]")
    host.click(".foot .go")
    host.click("label:has([value=the-sunken-bell])")
    host.click(".foot .go")
    host.click("label:has([name=cards][value=companion])")
    host.click(".foot .go")
    host.click("#begin")
    host.wait_for_url("**/start/phones")


def seated(looking, screen, colour):
    """The code of a free seat stands on the big screen."""
    code = screen.locator(f".free:has(.fill-{colour}) b").inner_text()
    page = looking.open(f"/join?seat={colour}&code={code}")
    page.set_default_timeout(PATIENCE)
    page.click("#claim button")
    page.wait_for_url(f"**/seat/{colour}")
    return page


class Thumb:
    """Plays for everybody by what each phone shows, and counts its taps."""

    def __init__(self, phones, companion):
        self.phones = phones
        self.companion = companion
        self.taps = 0
        self.chance = random.Random(20)
        self.been = {colour: [] for colour in phones}
        self.screens = []

    def tap(self, page, selector, nth=0):
        before = self.companion.state["seq"]
        page.locator(selector).nth(nth).click()
        self.taps += 1
        page.wait_for_function("seq => Number(document.body.dataset.shown) > seq", arg=before)

    def once(self):
        """One tap of whoever can do something; False when the podium stands on every phone."""
        shown = {}
        for colour, page in self.phones.items():
            caught_up(page, self.companion)
            shown[colour] = page.evaluate(OFFERED)
        colour = next((one for one, page in shown.items() if page["answers"]), None)
        if colour:
            self.answer(self.phones[colour], shown[colour]["answers"])
            return True
        colour = next((one for one, page in shown.items() if page["actions"] or page["ends"]), None)
        if colour is None:
            for page in self.phones.values():
                page.wait_for_selector("#podium")
            return False
        self.screens.append(shown[colour]["screens"])
        self.act(colour, self.phones[colour], shown[colour])
        return True

    def answer(self, page, answers):
        """Roll and keep, be done with shopping, else whatever comes first."""
        wanted = [place for place, text in enumerate(answers) if re.match("Roll|Keep|Done|Go on|Pay", text)]
        self.tap(page, ".choice button", wanted[0] if wanted else self.chance.randrange(len(answers)))

    def act(self, colour, page, shown):
        if shown["claim"]:
            page.click("#hand summary")
            self.tap(page, "#do-claim")
            return
        quests = [one for one in shown["actions"] if "→" in one["text"]]
        others = [one for one in shown["actions"] if not re.search("Camp|Explore|→", one["text"])]
        if quests or (others and shown["left"] >= HURT):
            self.tap(page, f"#{(quests or others)[0]['id']}")
            return
        ways = [f"to-{space}" for space in shown["quests"] if f"to-{space}" in shown["walks"]]
        ways = ways or [way for way in shown["walks"] if way not in self.been[colour][-3:]]
        if ways and shown["actions"]:
            way = self.chance.choice(ways)
            self.been[colour].append(way)
            if not page.locator("#walks").get_attribute("open"):
                page.evaluate("document.getElementById('walks').open = true")
            self.tap(page, f"#{way}")
            return
        rest = [one for one in shown["actions"] if re.search("Camp|Explore", one["text"])]
        self.tap(page, f"#{rest[0]['id']}" if rest else f"#{shown['ends'][0]}")


def what_counts(state):
    return {key: state[key] for key in ("id", "version", "round", "phase", "players", "pending", "enemies", "power")}


def test_four_play_a_whole_evening_by_thumb_and_the_plug_is_pulled_while_the_enemies_act(looking, companion):
    begin(looking, companion)
    screen = looking.open("/table", SCREEN)
    screen.set_default_timeout(PATIENCE)
    thumb = Thumb({colour: seated(looking, screen, colour) for colour in COLOURS}, companion)
    pulled = False
    while thumb.once():
        assert thumb.taps < TAPS, companion.state
        before = companion.state
        if not pulled and before["phase"] == "enemies" and before["pending"]:
            pulled = True
            caught_up(screen, companion)
            assert screen.evaluate(OUT_OF_SIGHT) == []
            shoot(screen, "wasteland-evening")
            companion.kill()
            companion.start()
            assert what_counts(companion.state) == what_counts(before)
            for page in (screen, *thumb.phones.values()):
                caught_up(page, companion)
            looking.wrong = [line for line in looking.wrong if not re.search(GONE, line)]
    assert pulled
    state = companion.state
    assert state["phase"] == "over"
    caught_up(screen, companion)
    assert screen.locator("#podium").count() == 1
    shoot(screen, "wasteland-evening-over")
    assert max(thumb.screens) <= SCREENS
