"""A real browser, and what every page in it has to keep to."""

import io
import os
from pathlib import Path

from PIL import Image

CHROMIUM = Path("/usr/bin/chromium")
OFF = [
    # Suggestions under the address bar are pages in a process of their own, made beforehand for every window, as is a
    # process for the next page: together they cost more than what a test opens.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess"),
    # Playwright's own list, which ours takes the place of.
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay"),
    *("HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
]
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(OFF)}",
    "--js-flags=--no-opt --no-maglev",  # no page lives long enough to make use of what is compiled a second time
]
PHONE, SCREEN = {"width": 390, "height": 844}, {"width": 1920, "height": 1080}
SECOND = 1000


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
        page.set_default_timeout(20 * SECOND)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda line: self.wrong.append(line.text) if line.type == "error" else None)
        page.on("request", lambda asked: None if asked.url.startswith(self.base) else self.wrong.append(asked.url))
        page.goto(self.base + path)
        return page

    def close(self):
        """Leave every page before it is closed: Chromium may wait for ever for one that is being loaded anew."""
        wrong = list(self.wrong)  # what goes wrong on an empty page is nobody's fault
        for context in self.contexts:
            for page in context.pages:
                leave(page)
            context.close()
        self.wrong = wrong


def leave(page):
    from playwright.sync_api import Error  # noqa: PLC0415 - who has no browser has no Playwright either

    try:
        page.goto("about:blank")
    except Error:  # it was on its way to another page
        page.wait_for_load_state()
        page.goto("about:blank")


def shoot(page, name, *, top=True):
    """A picture for the documentation, of a page that never scrolls sideways; from its top, or as it is scrolled."""
    if top:
        page.evaluate("scrollTo(0, 0)")
    page.mouse.move(0, 0)
    wide, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= inner, name
    folder = os.environ.get("COMPANION_SCREENS")
    if folder:
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(256)  # a third of the bytes
        picture.save(Path(folder) / f"{name}.png", optimize=True)


def caught_up(page, house):
    page.wait_for_function("seq => Number(document.body.dataset.shown) >= seq", arg=house.state["seq"])


def take_seat(looking, house, colour, **options):
    page = looking.open(f"/join?seat={colour}&code={house.access.code(colour)}", **options)
    page.click("#claim button")
    page.wait_for_url(f"**/seat/{colour}")
    return page


def open_sheet(page, space):
    """Tap a space of the vault; its sheet comes from below."""
    page.click(f"#s-{space.replace(':', '-')}")
    page.wait_for_selector("#place[open] #act")


def place(page, space):
    """Tap a space, and the button of its sheet."""
    open_sheet(page, space)
    page.click("#go")
    page.wait_for_selector("#place", state="hidden")


def whose_move(house):
    pending = [choice["by"] for choice in house.state["pending"] if choice["by"]]
    return pending[0] if pending else house.state["turn"] or "red"


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
    raise AssertionError(f"after {most} moves: {house.state['round']} {house.state['phase']}")
