"""A card is edited by thumb and by keys: its picture follows every tap, and its text is in step, one tap away."""

import pytest
from at_the_door import BEARER
from browsing import PHONE, SCREEN, shoot
from judging import judged

from benchmarks.seating import measured
from companion.cards.loader import overlay_path

GARDEN, SHOTGUN, GOOSE = (
    "/host/cards/standard/garden",
    "/host/cards/standard/shotgun",
    "/host/cards/homemade/wild-goose",
)
SMALL = {"width": 320, "height": 568}
PICTURE = "document.getElementById('picture').getAttribute('src')"
LOADED = "() => document.getElementById('picture').complete && document.getElementById('picture').naturalWidth > 300"
FOCUSED = "document.activeElement.id"


def opened(looking, path, size=PHONE, **options):
    page = looking.open(path, size, extra_http_headers=BEARER, **options)
    page.wait_for_function(LOADED)
    return page


def after(page, act):
    """Do something to the card, and wait until page and picture have followed."""
    before = int(page.evaluate("document.body.dataset.drafted ?? 0"))
    act()
    page.wait_for_function("before => Number(document.body.dataset.drafted) > before", arg=before)
    page.wait_for_function(LOADED)


def left(page):
    return page.input_value("[name=left]")


def test_the_picture_follows_every_tap_and_the_text_is_in_step(house, looking):
    page = opened(looking, GARDEN)
    page.evaluate("window.same = true")
    shown = {page.evaluate(PICTURE)}
    for button, text in (
        ("left-reward-0-more", "free -> 3F (letter L)"),
        ("left-cost-add-0", "1W -> 3F (letter L)"),
        ("left-letter-P", "1W -> 3F (letter P)"),
        ("left-reward-add-14", "1W -> 3F 1W<->1F (letter P)"),
    ):
        after(page, lambda button=button: page.click(f"#{button}"))
        assert left(page) == text
        shown.add(page.evaluate(PICTURE))
    assert len(shown) == 5
    after(page, lambda: page.click("#left-cost-add-6"))
    assert "price can be paid only where" in page.inner_text("#fault-left")
    shoot(page, "card-fault")
    page.click("#notation summary")
    after(page, lambda: (page.fill("[name=left]", "2E -> item (linked)"), page.keyboard.press("Enter")))
    assert page.locator("#fault-left").count() == 0
    assert page.locator("#left-cost-0-more, #left-reward-0-drop").count() == 2
    assert page.get_attribute("#left-linked", "aria-pressed") == "true"
    assert "2 energy" in page.get_attribute("#picture", "alt")
    assert page.evaluate("window.same"), "no other page was loaded"
    assert not overlay_path(house.folder, "standard").exists()
    page.click("#keep")
    page.wait_for_url("**/host/cards/standard#garden")
    assert 'left = "2E -> item (linked)"' in overlay_path(house.folder, "standard").read_text()


def test_keys_alone_edit_a_card_and_the_focus_stays_near(looking):
    page = opened(looking, GARDEN)
    page.focus("#left-cost-add-0")
    after(page, lambda: page.keyboard.press("Enter"))
    assert page.evaluate(FOCUSED) == "left-cost-add-0"
    for presses in (1, 2, 3):
        page.focus("#left-cost-0-more")
        after(page, lambda: page.keyboard.press("Space"))
        assert left(page).startswith(f"{presses + 1}W ->")
        assert page.evaluate(FOCUSED) == "left-cost-0-more"
    page.focus("#left-cost-0-drop")
    after(page, lambda: page.keyboard.press("Enter"))
    assert left(page).startswith("free ->")
    assert page.evaluate(FOCUSED).startswith("left-cost")


def test_taps_that_come_fast_all_count(looking):
    page = opened(looking, GARDEN)
    after(
        page, lambda: page.evaluate("for (let n = 0; n < 3; n++) document.getElementById('left-reward-0-more').click()")
    )
    page.wait_for_function("() => Number(document.body.dataset.drafted) >= 3")
    assert left(page) == "free -> 5F (letter L)"


@pytest.mark.parametrize("size", [PHONE, SMALL])
@pytest.mark.parametrize("path", [GARDEN, SHOTGUN, GOOSE])
def test_a_card_fits_the_thumb_and_the_eye(looking, path, size):
    page = opened(looking, path, size)
    if path == GARDEN:
        for button in ("left-reward-add-6", "left-reward-add-14", "right-cost-add-6"):
            after(page, lambda button=button: page.click(f"#{button}"))
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    found = measured(page)
    assert (found.width, found.target >= 44, found.glyph >= 11) == (size["width"], True, True), found


def test_axe_finds_nothing_where_something_is_at_fault(looking):
    page = opened(looking, GARDEN)
    after(page, lambda: page.click("#left-cost-add-6"))
    after(page, lambda: page.click("#left-reward-add-14"))
    page.evaluate("document.getElementById('notation').open = true")
    assert judged(page, GARDEN) == []
    page.set_viewport_size(SCREEN)
    shoot(page, "card-wide")
