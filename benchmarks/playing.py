"""Measure a first game on three phones beside a big screen: what it takes, and how soon all of them see an act."""

from __future__ import annotations

import json
import random
import statistics
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchmarks.paging import served
from benchmarks.seating import CHROMIUM, FLAGS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

    from benchmarks.first_game import Counted, Mark

PIN: Final = "135790"
PHONE, SCREEN = {"width": 390, "height": 844}, {"width": 1920, "height": 1080}
ACTS: Final = {"place": "a dweller placed", "spawn": "threats rolled", "choose": "an answer", "recall": "the recall"}
ACTS_OF_PAGES: Final = {"done": "hands' work ticked off", "next": "the next level of the threats"}
FEWEST: Final = 5
"""Acts of a kind of which something can be said."""

# A frame is painted when a message that was sent from its animation callback arrives.
PROBE: Final = """
window.taps = [];
window.painted = [];
const now = () => performance.timeOrigin + performance.now();
addEventListener("pointerdown", (event) => taps.push(performance.timeOrigin + event.timeStamp), true);
const afterPaint = () => requestAnimationFrame(() => {
  const line = new MessageChannel();
  line.port1.onmessage = () => painted.push(now());
  line.port2.postMessage(0);
});
new MutationObserver(afterPaint).observe(document, { subtree: true, attributeFilter: ["data-shown", "data-step"] });
"""
FORGET: Final = "() => { taps.length = painted.length = 0; }"
ANY_PAINTED: Final = "painted.length > 0"


class Played(NamedTuple):
    """What a game took, and after how many milliseconds the last of all pages showed each act."""

    counted: Counted
    joining: int
    """Taps from the empty table to three own pages."""
    last: dict[str, list[float]]


def measure() -> Played | None:
    """Play a whole game; nothing where there is no browser."""
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - what is measured without it needs none
    except ImportError:
        return None
    if not CHROMIUM.exists():
        return None
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        with served(Path(folder) / "data", PIN) as (port, _):
            played = _play(browser, f"http://127.0.0.1:{port}")
        browser.close()
    return played


def _play(browser: Browser, base: str) -> Played:
    from benchmarks.first_game import Phones, begin, settled  # noqa: PLC0415 - it needs a browser

    phones = [_opened(browser, f"{base}/", PHONE) for _ in range(3)]
    screen = _opened(browser, f"{base}/table", SCREEN)
    last: dict[str, list[float]] = {}

    class Watched(Phones):
        """Phones whose acts are timed on every page."""

        def tap(self, page: Page, mark: Mark, text: str = "") -> None:
            """Tap, and note when each page has shown what came of it."""
            every = [*self.pages, screen]
            for one in every:
                settled(one, partial(one.evaluate, FORGET))
            sent: list[Request] = []

            def note(request: Request) -> None:
                sent.append(request)

            page.on("request", note)
            super().tap(page, mark, text)
            page.remove_listener("request", note)
            act = next((found for one in sent if (found := _act(one))), "")
            if act and (taken := _taken(page, every)) is not None:
                last.setdefault(act, []).append(taken)

    table = Watched(phones, random.Random(1))
    begin(table, PIN)
    joining = table.counted.taps.total()
    table.play(lambda table: table.are_at_the_end)
    return Played(table.counted, joining, last)


def _opened(browser: Browser, address: str, size: Any) -> Page:
    page = browser.new_context(viewport=size, locale="en", color_scheme="dark").new_page()
    page.add_init_script(PROBE)
    page.goto(address)
    return page


def _act(sent: Request) -> str:
    """Return which act a request is, empty for what only looks."""
    if sent.method != "POST":
        return ""
    name = sent.url.rpartition("/")[2]
    return str(json.loads(sent.post_data or "{}").get("do", "")) if name == "moves" else name


def _taken(tapped: Page, every: list[Page]) -> float | None:
    """Return after how many milliseconds the last page was painted; nothing where a page had nothing to show."""
    from playwright.sync_api import Error  # noqa: PLC0415 - it needs a browser

    try:
        for page in every:
            page.wait_for_function(ANY_PAINTED, timeout=1000)
        began = tapped.evaluate("taps[0]")
        return None if began is None else max(page.evaluate("painted[0]") for page in every) - began
    except Error:
        return None


def rows() -> list[tuple[str, str, str]]:
    """Return the rows of docs/measured.md."""
    played = measure()
    if played is None:
        return [("a first game on three phones: no Chromium and Playwright here", "", "not measured")]
    counted, found = played.counted, []
    answers = counted.taps["place"]
    found += [
        ("a first game on three phones, no television, only what pages mark is tapped: ended", "yes", "yes"),
        ("... dead ends, and pages loaded again by hand", "0, 0", "0, 0"),
        ("... taps from the empty table to three own pages", "", f"{played.joining}"),
        ("... taps to the podium; of these on places, on yellow, answers, on what hands owe", "", _taps(counted)),
        ("... taps that changed nothing, were refused, came too late", "", _idle(counted)),
        ("... places tapped; moments in which nobody's page marked anything", "", f"{answers}, {counted.pauses}"),
    ]
    found += [
        (
            f"... seconds from a tap on {name} to its page changed: p50",
            "",
            f"{statistics.median(counted.seconds[kind]):.2f}",
        )
        for kind, name in (("place", "a place"), ("button", "yellow"), ("answer", "an answer"), ("owed", "hands' work"))
        if counted.seconds.get(kind)
    ]
    for act, name in {**ACTS, **ACTS_OF_PAGES}.items():
        taken = played.last.get(act, [])
        if len(taken) >= FEWEST:
            found.append(
                (
                    f"tap to visible on three phones and the screen, the last of them, {name}: p50, p95 (ms)",
                    "150",
                    _both(taken),
                )
            )
    return found


def _both(taken: list[float]) -> str:
    ordered = sorted(taken)
    late = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"{statistics.median(ordered):.0f}, {late:.0f} (of {len(ordered)})"


def _taps(counted: Counted) -> str:
    kinds = ", ".join(str(counted.taps[kind]) for kind in ("place", "button", "answer", "owed"))
    return f"{counted.taps.total()}; {kinds}"


def _idle(counted: Counted) -> str:
    return f"{len(counted.nothing)}, {len(counted.refused)}, {counted.slipped}"
