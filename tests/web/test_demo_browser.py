"""The demo in a real browser: a round by drag, on a drawn table that the real eye reads."""

import threading

import pytest
from browsing import CHROMIUM, PHONE, SCREEN, Looking, shoot
from waitress import wasyncore

from tests.bootstrap.demo.evening import Demo
from web.app import create_app
from web.serving import bound, server_of

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}
PATIENCE = 60_000


class Served(Demo):
    """The demo with its pages."""

    def __init__(self, folder):
        super().__init__(folder)
        self.drawn.seats = ("red",)
        sight = self.evening.sight
        app = create_app(self.evening.session, self.record.folder, sight=sight, playground=self.drawn)
        self.listening = bound(0, "127.0.0.1")
        self.server = server_of(app, self.listening)
        self.running = threading.Thread(target=self.server.run, daemon=True)
        self.running.start()
        self.base = f"http://127.0.0.1:{self.listening.getsockname()[1]}"

    def close(self):
        self.evening.close()
        self.server.task_dispatcher.shutdown(timeout=10)
        self.server.trigger.pull_trigger(lambda: wasyncore.close_all(self.server._map, ignore_all=True))
        self.running.join(10)
        self.listening.close()
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


def drag(page, what, where):
    (x, y), (to_x, to_y) = middle(page, what), middle(page, where)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to_x) / 2, (y + to_y) / 2)
    page.mouse.move(to_x, to_y)
    page.mouse.up()


def judged(page):
    found = []
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        for one in axe.Axe().run(page, options=RULES).response["violations"]:
            found += [f"{scheme}: {one['id']}: {node['html'][:160]}" for node in one["nodes"]]
    return found


def test_a_round_is_played_by_drag_and_the_score_changes(demo, looking):
    demo.begun()
    page = looking.open("/demo", SCREEN)
    page.set_default_timeout(PATIENCE)
    page.click("#sit button")
    page.wait_for_selector("#do-pass")
    assert judged(page) == []
    drag(page, '[data-figure="red-1"] .body', '[data-space="1:R3a"]')
    demo.until(lambda state: "1:R3a" in state["placed"])
    state = demo.until(lambda state: state["turn"] == "red")
    page.wait_for_selector("#do-pass")
    shoot(page, "demo")
    free = next(space for space in ("1:R1a", "1:R1b") if space not in state["placed"])
    page.click('[data-figure="red-2"]')
    page.click(f'[data-space="{free}"]')
    demo.until(lambda state: state["phase"] == "recall")
    page.click('[data-deed*="home"]')
    demo.until(lambda state: state["round"] == 2)
    page.wait_for_function("() => document.getElementById('what-now')")
    on_a_phone(demo, looking)


def on_a_phone(demo, looking):
    """The same on a thumb's screen: the panel's button, held as long as the finger is on it."""
    page = looking.open("/demo", PHONE, has_touch=True)
    page.set_default_timeout(PATIENCE)
    page.wait_for_selector('[data-figure="red-1"]')
    assert judged(page) == []
    page.locator('[data-button="threats"]').scroll_into_view_if_needed()
    page.mouse.move(*middle(page, '[data-button="threats"]'))
    with page.expect_response("**/demo/hands"):
        page.mouse.down()
    page.wait_for_selector('[data-button="threats"].down')
    page.mouse.up()
    demo.until(lambda state: state["spawned"] and not state["table"]["todo"])
    page.click('[data-switch="cover"]')
    page.wait_for_selector('[data-switch="cover"][aria-pressed="true"]')
    demo.until(lambda state: state["table"]["camera"] == "lost")
    page.click('[data-switch="cover"]')
    demo.until(lambda state: state["table"]["camera"] == "watching")
    page.click("#seen summary")
    page.wait_for_function("() => document.getElementById('camera').naturalWidth > 0")
    page.click("#seen summary")
    shoot(page, "demo-phone")
