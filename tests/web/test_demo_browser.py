"""The demo in a real browser: a round by drag, on a drawn table that the real eye reads."""

import io
import os
from pathlib import Path

import pytest
from browsing import CHROMIUM, PHONE, SCREEN, Looking, shoot
from judging import judged
from PIL import Image

from hardware.tabletop.table_contents import standing_on
from tests.bootstrap.demo.evening import SOON, Demo
from tests.serving import Serving
from web.base.app import create_app

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")
PATIENCE = 60_000


class Served(Demo):
    """The demo with its pages."""

    def __init__(self, folder):
        super().__init__(folder)
        self.drawn.seats = ("red",)
        sight = self.evening.sight
        app = create_app(self.evening.session, self.record.folder, sight=sight, playground=self.drawn)
        self.serving = Serving(app)
        self.base = self.serving.base

    def close(self):
        self.evening.close()
        self.serving.close()
        self.record.close()


@pytest.fixture
def demo(tmp_path):
    made = Served(tmp_path)
    yield made
    made.close()


@pytest.fixture
def looking(browser, demo):
    opened = Looking(browser, demo.base)
    yield opened
    opened.close()
    assert opened.wrong == []


def middle(page, selector):
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, film, what, where):
    (x, y), (to_x, to_y) = middle(page, what), middle(page, where)
    page.mouse.move(x, y)
    page.mouse.down()
    for part in (0.35, 0.7, 1.0):
        page.mouse.move(x + part * (to_x - x), y + part * (to_y - y))
        film.shoot(page, 160)
    page.mouse.up()


class Film:
    """A moving picture for the documentation, where COMPANION_SCREENS says."""

    WIDTH, COLOURS = 960, 128
    INKS = ("#c41c22", "#1c4ab6", "#ee6a5c", "#5aa2e6", "#f2c230", "#8a6a48")

    def __init__(self):
        self.folder = os.environ.get("COMPANION_SCREENS")
        self.frames, self.times = [], []

    def shoot(self, page, milliseconds=1100):
        if self.folder:
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            self.frames.append(picture.resize((self.WIDTH, self.WIDTH * picture.height // picture.width)))
            self.times.append(milliseconds)

    def save(self, name):
        if self.folder:
            inks = self.frames[-1].copy()
            for number, colour in enumerate(self.INKS):  # small patches of colour would be left out of so few
                inks.paste(colour, (0, 60 * number, 120, 60 * number + 60))
            palette = inks.quantize(self.COLOURS)
            drawn = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in self.frames]
            first, *rest = drawn
            path = Path(self.folder) / f"{name}.gif"
            first.save(path, save_all=True, append_images=rest, duration=self.times, loop=0, optimize=True)


def test_a_round_is_played_by_drag_and_the_score_changes(demo, looking):
    demo.begun()
    page, film = looking.open("/demo", SCREEN), Film()
    page.set_default_timeout(PATIENCE)
    page.click("#sit button")
    page.wait_for_selector("#do-pass")
    page.click("#workshop > summary")
    assert judged(page, "the demo") == []
    film.shoot(page)
    drag(page, film, '[data-figure="red-1"] .body', '[data-space="1:R3a"]')
    seen(demo, page, film, lambda state: "1:R3a" in state["placed"])
    state = seen(demo, page, film, lambda state: state["turn"] == "red")
    page.wait_for_selector("#do-pass")
    shoot(page, "demo")
    free = next(space for space in ("1:R1a", "1:R1b") if space not in state["placed"])
    page.click('[data-figure="red-2"]')
    film.shoot(page, 500)
    page.click(f'[data-space="{free}"]')
    seen(demo, page, film, lambda state: state["phase"] == "recall")
    page.click("#home")
    seen(demo, page, film, lambda state: state["round"] == 2)
    state = threats_on_the_panel(demo, page, film)
    if state["threats"]:
        space = next(iter(state["threats"]))
        drag(page, film, '[data-figure="red-1"] .body', f'[data-space="{space}"]')
        seen(demo, page, film, lambda state: state["pending"] or space in state["placed"])
    film.save("demo")
    on_a_phone(demo, looking)


def seen(demo, page, film, holds):
    """What the eye has made of the table, and the page of that."""
    state = demo.until(holds)
    page.wait_for_function("seq => Number(document.body.dataset.shown) >= seq", arg=state["seq"])
    film.shoot(page)
    return state


def threats_on_the_panel(demo, page, film):
    """A button is held as long as the finger is on it."""
    page.mouse.move(*middle(page, '[data-button="threats"]'))
    with page.expect_response("**/demo/hands"):
        page.mouse.down()
    page.wait_for_selector('[data-button="threats"].down')
    film.shoot(page, 400)
    page.mouse.up()
    seen(demo, page, film, lambda state: state["spawned"])
    return seen(demo, page, film, lambda state: not state["table"]["todo"])


def on_a_phone(demo, looking):
    """The same on a thumb's screen: cover the lens, and see what the camera sees."""
    page = looking.open("/demo", PHONE, has_touch=True)
    page.set_default_timeout(PATIENCE)
    page.wait_for_selector('[data-figure="red-1"]')
    assert judged(page, "the demo") == []
    page.click("#workshop > summary")
    page.click('[data-switch="cover"]')
    page.wait_for_selector('[data-switch="cover"][aria-pressed="true"]')
    demo.until(lambda state: state["table"]["camera"] == "lost")
    page.click('[data-switch="cover"]')
    demo.until(lambda state: state["table"]["camera"] in ("watching", "unsure"))
    page.click("#seen summary")
    page.wait_for_function("() => document.getElementById('camera').naturalWidth > 0")
    page.click("#seen summary")
    shoot(page, "demo-phone")


def by_thumb(page, what, where):
    """A finger on glass, which the browser would rather take for scrolling."""
    (x, y), (to_x, to_y) = middle(page, what), middle(page, where)
    glass = page.context.new_cdp_session(page)
    glass.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in (0.1, 0.3, 0.5, 0.7, 0.9, 1.0):
        finger = {"x": x + part * (to_x - x), "y": y + part * (to_y - y)}
        glass.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [finger]})
    glass.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_thumb_drags_a_dweller_and_the_page_stays(demo, looking):
    demo.begun()
    page = looking.open("/demo", PHONE, has_touch=True, is_mobile=True)
    page.wait_for_selector('[data-figure="red-1"]')
    page.tap('[data-figure="red-2"]')
    page.wait_for_selector(".picking [data-space='1:R1a']:not(.bare)")
    assert page.locator("[data-space='2:R1a'].bare").count() == 1
    page.tap('[data-figure="red-2"]')
    with page.expect_response("**/demo/hands") as told:
        by_thumb(page, '[data-figure="red-1"] .body', '[data-space="1:R1a"]')
    assert told.value.request.post_data_json["do"] == "move"
    assert page.evaluate("scrollY") == 0
    demo.until(lambda state: "1:R1a" in state["placed"])


def test_a_thumb_lays_a_threat_of_the_box_by_two_taps(demo, looking):
    demo.begun()
    page = looking.open("/demo", PHONE, has_touch=True, is_mobile=True)
    page.wait_for_selector('[data-figure="red-1"]')
    page.tap("#workshop > summary")
    page.tap("#box summary")
    card = page.locator("#box [data-card]").first
    name = card.get_attribute("data-card")
    card.tap()
    page.wait_for_selector("#in-hand:visible")
    shown, felt = page.locator("#in-hand").bounding_box(), page.locator("#felt").bounding_box()
    assert 0 <= felt["y"] < shown["y"], "the table has come to the thumb"
    page.tap("#in-hand")
    page.wait_for_selector("#in-hand", state="hidden")
    card.tap()
    with page.expect_response("**/demo/hands") as told:
        page.tap("[data-space='1:R1a']:not(.bare)")
    assert told.value.request.post_data_json["do"] == "lay"
    assert told.value.ok
    assert demo.drawn.table.card_at("1:R1a", threat=True) == name
    page.wait_for_selector("#in-hand", state="hidden")


# Asked at once: it is drawn anew whenever the table changes.
GOAL = """(() => {
  const { x, y, width, height } = document.querySelector(".goal").getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})()"""


def test_a_card_that_is_wanted_shows_a_thumb_where_it_goes(demo, looking):
    demo.begun()
    wanted = demo.until(lambda _: demo.drawn.table.card_at("items:0"))["tracks"]["items"][0]
    page = looking.open("/demo", PHONE, has_touch=True, is_mobile=True)
    demo.drawn.do({"do": "help", "on": False})
    demo.drawn.do({"do": "carry", "file": f"{wanted}.png", "x": 0, "y": 330})
    page.wait_for_selector(f'#wanted [data-card="{wanted}"]')
    assert page.locator("#felt .goal").count() == 0
    assert page.evaluate("innerWidth") == PHONE["width"], "a tray of many cards does not widen the page"
    page.tap(f'#wanted [data-card="{wanted}"]')
    page.wait_for_selector("#felt.laying:not(.picking) .goal")
    shoot(page, "demo-laying")
    with page.expect_response("**/demo/hands") as told:
        page.touchscreen.tap(*page.evaluate(GOAL))
    assert told.value.ok
    assert demo.drawn.table.card_at("items:0") == wanted
    page.wait_for_selector("#felt .goal", state="detached")


def test_a_phone_marks_where_the_table_goes_on(looking):
    page = looking.open("/demo", PHONE, has_touch=True, is_mobile=True)
    page.wait_for_selector(".playground.more-left.more-right #felt")
    page.evaluate("document.getElementById('felt').scrollLeft = 0")
    page.wait_for_selector(".playground.more-right:not(.more-left) #felt")
    page.evaluate("document.getElementById('felt').scrollLeft = 10000")
    page.wait_for_selector(".playground.more-left:not(.more-right) #felt")
    page.set_viewport_size(SCREEN)
    page.wait_for_selector(".playground:not(.more-left):not(.more-right) #felt")


def lying(demo, holds):
    """The dice, as soon as something is true of them."""
    table = demo.drawn.table
    while not holds({die.key: die for die in table.scene.dice}):
        version = table.version
        assert table.wait(version, SOON) != version
    return {die.key: die for die in table.scene.dice}


def test_on_a_phone_dice_are_thrown_by_a_tap_and_dragged(demo, looking):
    demo.begun()
    page = looking.open("/demo", PHONE)
    page.wait_for_selector(".die")
    before = lying(demo, bool)
    page.locator("[data-die=die-1]").click()
    thrown = lying(demo, lambda dice: dice["die-1"] != before["die-1"])
    assert thrown["die-2"] != before["die-2"]
    page.wait_for_selector(f'[data-die=die-1][aria-label$="{thrown["die-1"].value}"]')
    page.evaluate("felt.scrollLeft = (felt.scrollWidth - felt.clientWidth) / 2 + 123")  # both far from the edges
    drag(page, Film(), "[data-die=die-1] .body", "[data-space='3:R1a']")
    moved = lying(demo, lambda dice: dice["die-1"] != thrown["die-1"])["die-1"]
    assert (moved.x, moved.y) == pytest.approx(standing_on("3:R1a"), abs=6)
    assert moved.value == thrown["die-1"].value
    page.click("#workshop > summary")
    page.click("#throw")
    lying(demo, lambda dice: dice["die-2"] != thrown["die-2"])


def test_four_taps_lead_from_the_first_page_to_a_dweller_in_the_vault(demo, looking):
    demo.begun()
    page, taps = looking.open("/", PHONE, has_touch=True, is_mobile=True), []

    def tap(what):
        page.tap(what)
        taps.append(what)

    page.set_default_timeout(PATIENCE)
    tap("#try a")
    tap("#sit button")
    page.wait_for_selector("#what-now")
    page.wait_for_selector(".spot.lit")
    assert page.locator("#workshop[open]").count() == 0
    assert page.locator(".way").count() == 1
    way = page.get_attribute("#lit", "data-way")
    tap(".figure.mine >> nth=0")
    tap(f'[data-space="{way}"]')
    seen(demo, page, Film(), lambda state: way in state["placed"])
    assert len(taps) <= 6
    page.wait_for_selector(".way", state="detached")
    assert judged(page, "the demo") == []


def test_a_phone_shows_the_vault_in_the_middle_and_what_to_do_below_it(demo, looking):
    demo.begun()
    page = looking.open("/demo", PHONE, has_touch=True, is_mobile=True)
    page.wait_for_selector('[data-figure="red-1"]')
    elevator = page.locator('[data-file="elevator-red.png"]').bounding_box()
    assert abs(elevator["x"] + elevator["width"] / 2 - PHONE["width"] / 2) < 8
    waits = page.locator('[data-figure="red-1"] .body').bounding_box()
    assert 0 < waits["x"] < PHONE["width"]
    task = page.locator("#task").bounding_box()
    assert waits["y"] < task["y"]
    assert task["y"] + task["height"] <= PHONE["height"]


def test_keys_alone_place_a_dweller(demo, looking):
    demo.begun()
    page = looking.open("/demo", SCREEN)
    page.set_default_timeout(PATIENCE)
    page.focus("#sit button")
    page.keyboard.press("Enter")
    page.wait_for_selector(".spot.lit")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.figure.mine')"):
            break
    page.keyboard.press("Enter")
    space = page.evaluate("document.activeElement.dataset.space")
    assert space == page.get_attribute("#lit", "data-way")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(page.inner_text("#what-now b"))
    page.keyboard.press("Enter")
    demo.until(lambda state: space in state["placed"])
