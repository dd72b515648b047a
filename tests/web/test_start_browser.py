"""The first evening in a real browser: from the empty table to the first dweller, by thumb and keys."""

import pytest
from at_the_door import PIN
from browsing import CHROMIUM, PHONE, SCREEN, open_sheet, shoot
from judging import doubled, judged

from companion.languages.catalogues import codes

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")
SMALL_AGAIN = """() => {
  document.documentElement.style.fontSize = document.body.style.fontFamily = "";
}"""
NARROW = {"width": 320, "height": 640}


class Thumb:
    """A thumb that counts what it taps."""

    def __init__(self, page):
        self.page = page
        self.taps = 0

    def tap(self, what):
        self.page.click(what)
        self.taps += 1


def begin(page, between=lambda _: None):
    """Two people and a bot, from the first page to the codes; `between` looks at every page."""
    thumb = Thumb(page)
    between("waiting")
    thumb.tap("#start")
    page.wait_for_selector(".tiles")
    thumb.tap("label[for=plays-red]")
    page.fill("[name=name_red]", "Ann")
    thumb.tap("label[for=plays-green]")
    thumb.tap("label[for=bot-blue]")
    between("start-who")
    thumb.tap(".foot .go")
    page.wait_for_selector(".lifts")
    between("start-vault")
    thumb.tap(".foot .go")
    page.wait_for_selector("#begin")
    between("start-cards")
    page.fill("#pin", PIN)
    thumb.tap("#begin")
    page.wait_for_selector("#phones")
    between("start-phones")
    thumb.tap("#phone-red form button")
    page.wait_for_selector("#phone-red .ok")
    thumb.tap("#play")
    page.wait_for_url("**/seat/red")
    return thumb


def test_a_dozen_taps_lead_from_the_empty_table_to_the_first_dweller(house, looking):
    page = looking.open("/")

    def look(name):
        shoot(page, name)
        page.set_viewport_size(SCREEN)
        shoot(page, f"{name}-wide")
        page.set_viewport_size(PHONE)

    thumb = begin(page, look)
    open_sheet(page, "1:R1a")
    thumb.tap("#go")
    page.wait_for_selector("#place", state="hidden")
    assert list(house.state["placed"]) == ["1:R1a"]
    assert thumb.taps + 1 <= 12, "and the one that has opened the sheet"
    assert house.state["players"]["blue"]["bot"] == "fair"


def test_it_takes_no_script(house, looking):
    page = looking.open("/", java_script_enabled=False)
    begin(page)
    assert house.state["players"]["red"]["name"] == "Ann"


def test_an_elevator_that_is_moved_by_a_key_keeps_the_focus(looking):
    page = looking.open("/start?step=vault&plays_red=on&plays_green=on&plays_blue=on")
    page.focus(".up[value=green]")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.value") == "green"
    assert page.evaluate("[...document.querySelectorAll('.up')].map((one) => one.value)") == ["red", "green", "blue"]


def test_keys_alone_lead_to_the_codes(house, looking):
    page = looking.open("/start")

    def reach(wanted):
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate(f"document.activeElement.matches({wanted!r})"):
                return
        raise AssertionError(wanted)

    for field in ("#plays-red", "#bot-blue"):
        reach(field)
        page.keyboard.press("Space")
    for button in (".foot .go", ".foot .go"):
        reach(button)
        with page.expect_navigation():
            page.keyboard.press("Enter")
    reach("#pin")
    page.keyboard.type(PIN)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url.endswith("/start/phones")
    assert house.state["order"] == ["red", "blue"]


@pytest.mark.parametrize("language", codes())
def test_axe_finds_nothing_from_the_first_page_to_the_codes(looking, language):
    page, found = looking.open("/", locale=language), []

    def look(name):
        page.evaluate("scrollTo(0, document.body.scrollHeight)")  # below the strip of what hands should do is nothing
        found.extend(judged(page, name))

    begin(page, look)
    assert found == []


@pytest.mark.parametrize("language", codes())
def test_large_letters_on_a_narrow_phone_lose_nothing(looking, language):
    page, found = looking.open("/", NARROW, locale=language), []

    def look(name):
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= NARROW["width"], (name, wide)
        found.extend(doubled(page, name))
        page.reload() if name in ("waiting", "start-phones") else page.evaluate(SMALL_AGAIN)

    begin(page, look)
    assert found == []
