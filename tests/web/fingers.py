"""Fingers on a phone's glass: taps, drags and pinches as Chromium takes them from a touch screen."""

import time
from itertools import pairwise
from math import hypot

MOMENT = 0.05
"""Seconds between two touches, by their own clock: a hurried finger flings, and its next tap only stops that."""


class Fingers:
    """Touches by the browser's own protocol; each gesture ends with every finger lifted."""

    def __init__(self, page):
        self.page = page
        self._at = 0.0
        self._glass = page.context.new_cdp_session(page)

    def _touch(self, kind, *spots):
        points = [{"x": x, "y": y, "id": nth} for nth, (x, y) in enumerate(spots)]
        self._at = max(self._at + MOMENT, time.time())
        self._glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, "timestamp": self._at})

    def tap(self, spot):
        self._touch("touchStart", spot)
        self._touch("touchEnd")

    def press(self, found):
        """Tap the middle of what a locator finds, scrolled to where it can be seen."""
        found.scroll_into_view_if_needed()
        self.tap(middle_of(found.bounding_box()))

    def drag(self, *way, steps=6):
        """Draw one finger along the spots."""
        self._touch("touchStart", way[0])
        for one, other in pairwise(way):
            for step in range(1, steps + 1):
                self._touch("touchMove", _between(one, other, step / steps))
        for _ in range(steps):  # resting, so that nothing is flung
            self._touch("touchMove", way[-1])
        self._touch("touchEnd")

    def pinch(self, middle, before, after, steps=8):
        """Move two fingers apart (or together) around a spot: so far from each other before, and after."""
        for step in range(steps + 1):
            half = (before + (after - before) * step / steps) / 2
            spots = [(middle[0] - half, middle[1]), (middle[0] + half, middle[1])]
            self._touch("touchMove" if step else "touchStart", *spots)
        self._touch("touchEnd")


def _between(one, other, share):
    return tuple(a + (b - a) * share for a, b in zip(one, other, strict=True))


def middle_of(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def apart(one, other):
    return hypot(one[0] - other[0], one[1] - other[1])
