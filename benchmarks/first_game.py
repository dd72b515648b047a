"""Play a whole game on phones by what their pages show alone, as somebody does who has never heard of the rules.

What a page wants done now it marks, and only that is tapped (docs/pages.md): yellow, filled on yellow, lit, and what
hands owe on cream. `LOOK` is all that this module knows of the pages.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypeVar

import cv2
import numpy as np
from playwright.sync_api import Error

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from playwright.sync_api import ElementHandle, Page

LOOK: Final = """
() => {
  const probe = document.body.appendChild(document.createElement("i"));
  const paint = (name) => ((probe.style.backgroundColor = `var(${name})`), getComputedStyle(probe).backgroundColor);
  const [signal, slip, lit] = ["--signal", "--slip", "--raised"].map(paint);
  probe.remove();
  const clear = "rgba(0, 0, 0, 0)";
  const fill = (one) => getComputedStyle(one).backgroundColor;
  const below = (one) => (!one || fill(one) !== clear ? one && fill(one) : below(one.parentElement));
  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".visually, .skip");
  const off = ":disabled, [aria-disabled=true], [aria-current], [aria-pressed=true]";
  const mark = (one) => {
    const own = fill(one);
    if (one.matches("input")) return one.required && !one.value ? "field" : "";
    if (own === clear) return below(one) === slip && !one.textContent.trim() ? "owed" : "";
    if (own === signal) return one.matches(".sp") ? "place" : "button";
    if (own === lit) return "place";
    if (own === slip) return "owed";
    return below(one.parentElement) === signal ? "answer" : below(one.parentElement) === slip ? "owed" : "";
  };
  const front = document.querySelector("dialog[open]") ?? document.body;
  return [...front.querySelectorAll("a[href], button, label, input")]
    .filter((one) => !one.matches(off) && seen(one))
    .map((element) => ({ element, mark: mark(element), yellow: fill(element) === signal }))
    .filter((one) => one.mark);
}
"""

TEXT: Final = "document.body.innerText"
CHANGED: Final = f"before => {TEXT} !== before"
SHOWN: Final = "document.body.dataset.shown"
CAUGHT_UP: Final = "shown => Number(document.body.dataset.shown) >= shown"
CODE: Final = "svg.qr"
ENDED: Final = "Boolean(document.querySelector('#podium'))"
A_MOMENT, PATIENCE = 1500, 20_000
"""Milliseconds: so long a thumb waits for something to change, and so long a table waits before it is stuck."""
MOST_TAPS: Final = 3000
TRIES: Final = 3
T = TypeVar("T")


def settled(page: Page, read: Callable[[], T]) -> T:
    """Read from a page that may be on its way to the next one."""
    for _ in range(TRIES):
        try:
            return read()
        except Error:
            page.wait_for_load_state()
    return read()


class StuckError(Exception):
    """Nobody's page says what to do: the pages are at fault."""


@dataclass(slots=True)
class Mark:
    """What a page marks as the thing to do now."""

    element: ElementHandle
    kind: str
    is_yellow: bool

    @property
    def order(self) -> tuple[int, bool]:
        """Return what comes first: a field to fill, a question, a button, a place (in yellow before), what is owed."""
        return ("field", "answer", "button", "place", "owed").index(self.kind), not self.is_yellow


@dataclass(slots=True)
class Counted:
    """What a game took."""

    taps: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    nothing: list[str] = field(default_factory=list)
    """What was marked, tapped, and changed nothing."""
    slipped: int = 0
    """What was gone before the thumb was there."""
    refused: list[str] = field(default_factory=list)
    pauses: int = 0
    """How often nobody's page had a mark for a moment."""


class Phones:
    """The people around a table, who know nothing but what their pages show."""

    def __init__(self, pages: Sequence[Page], rng: random.Random) -> None:
        self.pages = list(pages)
        self.counted = Counted()
        self._rng = rng

    @property
    def are_at_the_end(self) -> bool:
        """Whether every page shows the podium."""
        return all(map(self._is_at_the_end, self.pages))

    @staticmethod
    def _is_at_the_end(page: Page) -> bool:
        return bool(settled(page, lambda: page.evaluate(ENDED)))

    def marks(self, page: Page) -> list[Mark]:
        """Return what a page marks, in the order in which it is done."""
        return settled(page, lambda: self._look(page))

    def _look(self, page: Page) -> list[Mark]:
        found = page.evaluate_handle(LOOK)
        every = [one.get_properties() for one in found.get_properties().values()]
        marks = [
            Mark(element, one["mark"].json_value(), one["yellow"].json_value())
            for one in every
            if (element := one["element"].as_element()) is not None
        ]
        return sorted(marks, key=lambda mark: mark.order)

    def next_mark(self, page: Page) -> Mark | None:
        """Return what is to be done first on a page; of several alike, any."""
        marks = self.marks(page)
        return self._rng.choice([one for one in marks if one.order == marks[0].order]) if marks else None

    def tap(self, page: Page, mark: Mark, text: str = "") -> None:
        """Tap, or type a text; then wait until the page shows something else."""
        before, label = settled(page, lambda: page.evaluate(TEXT)), ""
        began = perf_counter()
        try:
            label = " ".join((mark.element.inner_text() or "").split())
            if mark.kind == "field":
                mark.element.fill(text)
            else:
                mark.element.click(timeout=A_MOMENT)
        except Error:
            self.counted.slipped += 1
            return
        self.counted.taps[mark.kind] += 1
        try:
            if mark.kind != "field":
                page.wait_for_function(CHANGED, arg=before, timeout=A_MOMENT)
                page.wait_for_load_state()
        except Error:
            self.counted.nothing.append(f"{mark.kind}: {label}")
        self.counted.seconds.setdefault(mark.kind, []).append(perf_counter() - began)
        if page.is_visible("#said"):
            self.counted.refused.append(f"{label}: {page.inner_text('#said')}")
        self._settle()

    def _settle(self) -> None:
        """Wait until every page shows the same table: who takes turns around one sees what the others did."""
        shown = max(self._shown(page) for page in self.pages)
        for page in self.pages:
            page.wait_for_function(CAUGHT_UP, arg=shown, timeout=PATIENCE)

    def _shown(self, page: Page) -> int:
        return int(settled(page, lambda: page.evaluate(SHOWN)) or 0)

    def play(self, until: Callable[[Phones], bool]) -> None:
        """Take turns, each doing what their own page says, until it is over."""
        nobody = 0
        for turn in range(MOST_TAPS):
            if until(self):
                return
            page = self.pages[turn % len(self.pages)]
            mark = self.next_mark(page)
            if mark is not None:
                nobody = 0
                self.tap(page, mark)
                continue
            nobody += 1
            if nobody >= len(self.pages):
                self._wait(page, nobody)
        raise StuckError(f"not over after {MOST_TAPS} taps")

    def _wait(self, page: Page, nobody: int) -> None:
        """Wait for a moment, since no page had a mark."""
        self.counted.pauses += nobody == len(self.pages)
        if nobody * A_MOMENT > PATIENCE:
            raise StuckError("\n---\n".join(one.evaluate(TEXT) for one in self.pages))
        try:
            page.wait_for_function(CHANGED, arg=page.evaluate(TEXT), timeout=A_MOMENT)
        except Error:
            return


def begin(table: Phones, pin: str) -> None:
    """Go from the empty table to everybody's own page, as the first phone's pages lead."""
    host, sat = table.pages[0], 0
    while not settled(host, lambda: host.query_selector(CODE)):
        marks = table.marks(host)
        places = [one for one in marks if one.kind == "place"]
        if places and sat < len(table.pages):
            sat += 1
            table.tap(host, places[0])
        elif marks:
            table.tap(host, marks[0], pin)
        else:
            raise StuckError(host.evaluate(TEXT))
    waiting = list(table.pages[1:])
    while code := settled(host, lambda: host.query_selector(CODE)):
        mark = table.next_mark(host)
        if mark is not None:
            table.tap(host, mark)
            continue
        guest, before = waiting.pop(0), host.evaluate(TEXT)
        guest.goto(read_address(host, code) if len(waiting) % 2 else printed_address(host))
        mark = table.next_mark(guest)
        if mark is None:
            raise StuckError(guest.evaluate(TEXT))
        table.tap(guest, mark)
        host.wait_for_function(CHANGED, arg=before)
    mark = table.next_mark(host)
    if mark is None:
        raise StuckError(host.evaluate(TEXT))
    table.tap(host, mark)


def read_address(page: Page, code: ElementHandle) -> str:
    """Return what a camera reads from a code on a page."""
    picture = cv2.imdecode(np.frombuffer(code.screenshot(scale="css"), dtype=np.uint8), cv2.IMREAD_GRAYSCALE)
    larger = cv2.resize(picture, None, fx=3, fy=3, interpolation=cv2.INTER_NEAREST)
    found, *_ = cv2.QRCodeDetector().detectAndDecode(larger)
    if not found:
        raise StuckError(f"no camera reads the code on {page.url}")
    return found


def printed_address(page: Page) -> str:
    """Return the address that a page says to open."""
    found = re.search(r"https?://\S+", page.evaluate(TEXT))
    if found is None:
        raise StuckError(page.evaluate(TEXT))
    return found[0]
