"""Film a round with a threat and a fight: one phone and the big screen of a real table, with dice by a seed.

usage: python -m scripts.film [docs/screens/round.webp]

Needs Playwright and Chromium. Animations are set to their times frame by frame, so that a slow machine films the same.
"""

from __future__ import annotations

import io
import secrets
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

from companion.table.record.record import Record
from companion.table.session.intents import Speaker, StartGame, Tap
from companion.table.session.session import Session
from web.base.app import create_app
from web.base.serving import bound, server_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

    from web.base.context import Context

CHROMIUM: Final = "/usr/bin/chromium"
SEED: Final = "film-12"
"""A goose comes in the second round, the third level rolls a seven, and who fights the goose wins."""
NAMES: Final = {"red": "Anna", "blue": "Borys"}
HOST: Final = Speaker(frozenset(), host=True, name="film")
PHONE, SCREEN = (390, 844), (1920, 1080)
SIZE, SCREEN_AT, PHONE_AT = (1120, 560), (20, 52, 810), (850, 20, 240)
"""The picture, and left, top and width of screen and phone in it."""
GROUND, RIM, FINGER = "#0b1117", "#2b3a46", "#f3c330"
QUALITY: Final = 72
SEEK: Final = "time => document.getAnimations().forEach((one) => { one.pause(); one.currentTime = time; })"
"""Set every animation of a page to a time in milliseconds."""
SLOW: Final = 1000.0
"""The pace at which every scene waits for a tap, however slow the machine is."""
PATIENCE, SETTLED = 20, 400
"""Seconds for an answer of the session; milliseconds until a page stands still."""


class Film:
    """Frames of both pages side by side, and how long each is shown."""

    def __init__(self, phone: Page, screen: Page) -> None:
        self.phone, self.screen = phone, screen
        self.frames: list[Image.Image] = []
        self.times: list[int] = []

    def shoot(self, milliseconds: int, finger: tuple[float, float] | None = None) -> None:
        picture = Image.new("RGB", SIZE, GROUND)
        for page, (left, top, width) in ((self.screen, SCREEN_AT), (self.phone, PHONE_AT)):
            seen = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            small = seen.resize((width, round(width * seen.height / seen.width)), Image.Resampling.LANCZOS)
            rim = (left - 4, top - 4, left + small.width + 3, top + small.height + 3)
            ImageDraw.Draw(picture).rounded_rectangle(rim, 8, RIM)
            picture.paste(small, (left, top))
        if finger is not None:
            scale = PHONE_AT[2] / PHONE[0]
            x, y = PHONE_AT[0] + finger[0] * scale, PHONE_AT[1] + finger[1] * scale
            ImageDraw.Draw(picture).ellipse((x - 13, y - 13, x + 13, y + 13), outline=FINGER, width=4)
        self.frames.append(picture)
        self.times.append(milliseconds)

    def moving(self, until: int, every: int = 180) -> None:
        """Film what moves, to its end."""
        for time in range(0, until, every):
            for page in (self.phone, self.screen):
                page.evaluate(SEEK, time)
            self.shoot(every)
        for page in (self.phone, self.screen):
            page.evaluate("document.getAnimations().forEach((one) => one.finish())")

    def tap(self, what: str) -> None:
        """Show where the thumb goes, and tap."""
        found = self.phone.locator(what).first
        found.scroll_into_view_if_needed()
        box = found.bounding_box()
        if box is None:
            raise AssertionError(what)
        self.shoot(550, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
        found.click()

    def save(self, path: Path) -> None:
        first, *rest = self.frames
        first.save(path, save_all=True, append_images=rest, duration=self.times, loop=0, quality=QUALITY, method=4)


def play_the_first_round(session: Session, context: Context) -> None:
    """Place where the top level has room, answer with what is offered first, and call everybody home."""
    while (state := state_of(context))["phase"] != "spawn":
        offers = [offer.move for offer in context.legal(None)]
        wanted = [move for move in offers if move["do"] == "choose" and move["option"] != "decline"]
        wanted += [move for move in offers if move["do"] == "place" and str(move["space"]).startswith("1:")]
        wanted += [move for move in offers if move["do"] == "pass"]
        recalls = state["phase"] == "recall" and not state["pending"]
        session.ask(Tap({"do": "recall"} if recalls else wanted[0], HOST)).result(PATIENCE)


def state_of(context: Context) -> Any:
    """Return the state of the game now."""
    latest = context.session.snapshots.latest
    if latest is None:
        raise AssertionError("a game is being played")
    return latest.state


def open_page(browser: Browser, address: str, size: tuple[int, int], scale: float = 1) -> Page:
    viewport: ViewportSize = {"width": size[0], "height": size[1]}
    made = browser.new_context(viewport=viewport, device_scale_factor=scale, locale="en", color_scheme="dark")
    page = made.new_page()
    page.goto(address)
    return page


def wait_for(film: Film, what: str) -> None:
    """Wait until both pages show it."""
    for page in (film.phone, film.screen):
        page.wait_for_selector(what)


def the_threats(film: Film, context: Context) -> None:
    """Level by level, with a tap that goes on for everybody."""
    film.shoot(1200)
    film.tap("#do-spawn")
    levels = len(state_of(context)["levels"])
    for step in range(levels):
        wait_for(film, f"#moment > section[data-step='{step}']")
        if step == 0:
            film.moving(1620)
        film.shoot(1600)
        if step < levels - 1:
            film.tap("form[action='/moments/next'] button:visible")
    film.tap("[data-fold]:visible")
    end_scene(film, context)


def the_fight(film: Film, context: Context) -> None:
    """Whoever's turn it is fights the first threat: the space, its sheet, the dice."""
    space = next(iter(state_of(context)["threats"]))
    film.tap(f"#s-{space.replace(':', '-')}")
    film.phone.wait_for_selector("#place[open] #act")
    film.phone.wait_for_timeout(SETTLED)
    film.shoot(2000)
    film.tap("#go")
    wait_for(film, ".m-fight")
    film.phone.wait_for_timeout(SETTLED)
    film.shoot(1400)
    film.tap(".choice button")
    wait_for(film, ".m-stamp")
    film.moving(1620)
    film.shoot(2600)
    film.tap("[data-fold]:visible")
    end_scene(film, context)
    film.shoot(1800)


def end_scene(film: Film, context: Context) -> None:
    """Let both pages go on."""
    while (shown := context.stage.showing()) is not None:
        context.stage.go_on(shown.scene.key, shown.step)
    for page in (film.phone, film.screen):
        page.wait_for_selector("#moment > section", state="detached")
        page.wait_for_timeout(SETTLED)


def main(path: Path) -> None:
    """Play the round on the phone, and save what both pages have shown."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        record = Record(Path(folder))
        session = Session(record)
        session.start()
        app = create_app(session, Path(folder), pin="000000", token=secrets.token_hex(), pace=SLOW)
        context: Context = app.extensions["companion"]
        listening = bound(0, "127.0.0.1")
        server = server_of(app, listening)
        threading.Thread(target=server.run, daemon=True).start()
        base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        setup = {"players": list(NAMES), "levels": list(NAMES), "first": "red", "names": NAMES, "cards": "companion"}
        session.ask(StartGame(setup, pack="homemade", seed=SEED)).result(PATIENCE)
        play_the_first_round(session, context)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        phone = open_page(browser, f"{base}/join?seat=red&code={context.access.code('red')}", PHONE)
        phone.click("#claim button")
        phone.wait_for_url("**/seat/red")
        film = Film(phone, open_page(browser, f"{base}/table", SCREEN, 0.5))
        end_scene(film, context)
        the_threats(film, context)
        the_fight(film, context)
        film.save(path)
        browser.close()
        session.stop()
        server.stop()
        record.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/screens/round.webp"))
