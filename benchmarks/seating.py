"""Measure a seat's page in a late game of four, in a browser: its length, its smallest glyph and smallest target."""

from __future__ import annotations

import json
import random
import tempfile
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchmarks.paging import PATIENCE, served
from benchmarks.served import TOKEN

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

CHROMIUM: Final = Path("/usr/bin/chromium")
FLAGS: Final = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")
PHONES: Final = ((390, 844), (320, 568))
LATE: Final = 10
"""The round from which a game is late."""
MOST_MOVES: Final = 3000
FULL: Final = {
    "available": ["plain", "plain", "C", "injured"],
    "resources": {"water": 4, "food": 3, "energy": 3},
}
"""A board with three kinds of dwellers and enough to pay with."""

MEASURE: Final = """
() => {
  const [LEAST_GLYPH, LEAST_TARGET] = [11, 43.99];
  const hidden = ".visually, .skip, .sprite, dialog:not([open])";
  const box = (one) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height);
  const shown = (one) => box(one) > 0 && !one.closest(hidden);
  const all = (what) => ["#live", ".rest", "dialog[open]"]
    .flatMap((part) => [...document.querySelectorAll(`${part} :is(${what})`)]).filter(shown);
  const sized = (size, one) => ({ size, what: `${(one.closest("[id]") ?? one).id} ${one.outerHTML.slice(0, 80)}` });
  const none = { size: Infinity, what: "" };
  const least = (sizes) => sizes.reduce((one, other) => (other.size < one.size ? other : one), none);
  const letters = (one) => parseFloat(getComputedStyle(one).fontSize);
  const scale = (one) => Math.hypot(one.getCTM().a, one.getCTM().b);
  const written = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const glyphs = all("*:not(svg, svg *)").filter(written).map((one) => sized(letters(one), one));
  for (const svg of all("svg")) {
    if (svg.querySelector("use:not([width])")) glyphs.push(sized(box(svg), svg));
    for (const use of svg.querySelectorAll("use[width]"))
      glyphs.push(sized(use.getAttribute("width") * scale(use), use));
    for (const text of svg.querySelectorAll("text")) glyphs.push(sized(letters(text) * scale(text), text));
  }
  // WCAG 2.5.8 takes links in running sentences out; who taps a label taps its box.
  const inline = (one) => one.matches("a") && getComputedStyle(one).display === "inline" && written(one.parentElement);
  const reach = (one) => Math.max(box(one), ...[...(one.labels ?? [])].filter(shown).map(box));
  const targets = all("a[href], button, summary, input:not([type=hidden]), select, textarea")
    .filter((one) => !inline(one))
    .map((one) => sized(reach(one), one));
  const { scrollHeight, scrollWidth } = document.documentElement;
  const below = (sizes, most) => sizes.filter((one) => one.size < most);
  const short = [...below(glyphs, LEAST_GLYPH), ...below(targets, LEAST_TARGET)];
  return { height: scrollHeight, width: scrollWidth, glyph: least(glyphs), target: least(targets), short };
}
"""


class SeatFigures(NamedTuple):
    """What a thumb and an eye meet on one page."""

    height: int
    screens: float
    width: int
    glyph: float
    target: float
    smallest: tuple[str, str]
    """Which glyph and which target these are."""
    short: list[str]
    """Every glyph below 11 pixels and every target below 44."""


def measured(page: Page) -> SeatFigures:
    """Return the length of a page, its smallest glyph and its smallest target, in CSS pixels."""
    found, screen = page.evaluate(MEASURE), page.evaluate("innerHeight")
    return SeatFigures(
        height=found["height"],
        screens=found["height"] / screen,
        width=found["width"],
        glyph=found["glyph"]["size"],
        target=found["target"]["size"],
        smallest=(found["glyph"]["what"], found["target"]["what"]),
        short=[f"{one['size']:.1f} {one['what']}" for one in found["short"]],
    )


def play_on(ask: Callable[[str, dict[str, Any] | None], Any], rng: random.Random, colour: str) -> None:
    """Play until it is a player's turn late in the game, rooms first, and fill that player's board."""
    for _ in range(MOST_MOVES):
        state = ask("/api/state", None)
        ready = state["turn"] == colour and state["phase"] == "place" and not state["pending"]
        if state["round"] >= LATE and ready:
            ask("/api/moves", {"do": "correct", "set": {"players": {colour: FULL}}})
            return
        moves = [move for move in ask("/api/legal", None)["moves"] if move["do"] != "use"]
        answers = [move for move in moves if move["do"] == "choose" and move["option"] != "decline"]
        elevators = [move for move in moves if move["do"] == "place" and move["space"].endswith("E")]
        places = [move for move in moves if move["do"] == "place"]
        move = rng.choice(answers or elevators or places or moves)
        ask("/api/moves", {key: value for key, value in move.items() if key != "preview"})
    raise RuntimeError(f"after {MOST_MOVES} moves no late game")


def measure() -> dict[str, SeatFigures]:
    """Return the figures of a seat's page on two phones; nothing where there is no browser."""
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - what is measured without it needs none
    except ImportError:
        return {}
    if not CHROMIUM.exists():
        return {}
    found = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder) / "data", still=True) as (port, _),
        sync_playwright() as playwright,
    ):
        base, bearer = f"http://127.0.0.1:{port}", {"Authorization": f"Bearer {TOKEN}"}

        def ask(path: str, body: dict[str, Any] | None) -> Any:
            data = None if body is None else json.dumps(body).encode()
            asked = urllib.request.Request(  # noqa: S310 - our own address
                base + path, data, {**bearer, "Content-Type": "application/json"}
            )
            with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310 - our own address
                return json.load(answer)

        play_on(ask, random.Random(3), "red")
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        for width, height in PHONES:
            page = browser.new_page(viewport={"width": width, "height": height}, extra_http_headers=bearer)
            page.goto(f"{base}/seat/red")
            found[f"{width}x{height}"] = measured(page)
            page.close()
        browser.close()
    return found
