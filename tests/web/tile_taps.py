"""A tile of the map, entered by thumb on a phone: taps, drags and letters are counted, at the first evening's pace.

A tile of our own pack is made again on an empty one: its spaces, borders, icons, terrain and landmarks. What hands do
meanwhile with the printed tile is not counted; a tap is counted with the time in which somebody reads and finds it.
"""

from dataclasses import dataclass
from itertools import product
from math import dist

from fingers import Fingers, middle_of
from first_evening import SECONDS_OF_A_LETTER, SECONDS_OF_A_TAP

from companion.cards.wasteland import lattice

MIDDLES = [
    tuple(sum(lattice.on_paper(point)[axis] for point in one.points) / 3 for axis in (0, 1))
    for one in lattice.TRIANGLES
]

NEW = "a[href='/wasteland/cards/tile/new']"


@dataclass
class Entered:
    """What one tile took."""

    tile: str
    taps: int = 0
    letters: int = 0

    @property
    def seconds(self):
        return self.taps * SECONDS_OF_A_TAP + self.letters * SECONDS_OF_A_LETTER


class TileThumb:
    """Somebody with a phone and a printed tile."""

    def __init__(self, page, tile):
        self.page, self.tile, self.count = page, tile, Entered(tile.id)
        self.fingers = Fingers(page)

    def enter(self):
        """Enter the tile from the list of cards to the list of cards."""
        if not self.page.locator(NEW).is_visible():
            self._tap("#k-tile summary")
        self._tap(NEW)
        self.page.wait_for_url("**/tile/new")
        self.page.wait_for_selector("#tile:visible")
        order = list(dict.fromkeys(self.tile.pattern))
        spots = best_cut(self.tile.pattern)
        for letter in order:
            self._triangle(spots[letter])
            self._print(next(one for one in self.tile.spaces if one.area == letter))
        for way in strokes(relettered(self.tile.pattern), self._shown()):
            self.count.taps += 1
            self.page.locator("#tile > svg[role]").scroll_into_view_if_needed()
            self.fingers.drag(*[self._spot(nth) for nth in way])
        if self.tile.back is not None:
            self._tap(f"[name=back][value={self.tile.back.value}]")
        self._tap("#card > button:last-of-type")
        self.page.wait_for_url("**/wasteland/cards#k-tile")
        return self.count

    def _print(self, space):
        """Tap what is printed in the space that was tapped last."""
        if space.encounter is not None:
            level = "" if space.encounter.value.startswith("vault") else f" {space.level}"
            self._tap(f"[data-value='{space.encounter.value}{level}']")
            if not level and space.level is not None:
                self._type("level", str(space.level))
        for word in (*(one.value for one in space.terrain), *(one.value if one else "random" for one in space.enemies)):
            self._tap(f".chips [data-value='{word}']")
        if space.name:
            self._type("name", space.name)

    def _tap(self, found):
        self.count.taps += 1
        self.fingers.press(self.page.locator(found).first)

    def _type(self, name, text):
        self.count.taps += 1
        self.count.letters += len(text)
        self.page.locator(f".space:visible [name$=_{name}]").fill(text)

    def _shown(self):
        """Return the tile as it is cut on the page."""
        return "".join(self.page.input_value("[name=pattern]").split())

    def _spot(self, nth):
        return middle_of(self.page.locator("#tile polygon").nth(nth).bounding_box())

    def _triangle(self, nth):
        self.count.taps += 1
        self.fingers.press(self.page.locator("#tile polygon").nth(nth))


def cut(spots):
    """Return how the form cuts a tile whose spaces have these middles."""
    return "".join(min(spots, key=lambda letter: dist(one, MIDDLES[spots[letter]])) for one in MIDDLES)


def best_cut(pattern):
    """Return a triangle in every space, so that few triangles fall to another: a look at the tile finds them."""
    own = {letter: [nth for nth, one in enumerate(pattern) if one == letter] for letter in dict.fromkeys(pattern)}

    def wrong(spots):
        return sum(one != other for one, other in zip(pattern, cut(spots), strict=True))

    spots = {letter: min(found, key=lambda nth: sum(dist(MIDDLES[nth], MIDDLES[one]) for one in found))
             for letter, found in own.items()}  # fmt: skip
    for letter, _ in product(own, range(3)):
        spots[letter] = min(own[letter], key=lambda nth: wrong({**spots, letter: nth}))
    return spots


def strokes(pattern, now):
    """Yield drags that put the borders right: from a triangle of the space over neighbours that belong to it."""
    left = {nth for nth, (one, other) in enumerate(zip(pattern, now, strict=True)) if one != other}
    right = {nth for nth in range(len(pattern)) if nth not in left}
    while left:
        way = next([begin, nth] for nth, begin in product(sorted(left), sorted(right)) if joined(pattern, begin, nth))
        while more := [nth for nth in sorted(left - set(way)) if joined(pattern, way[-1], nth)]:
            way.append(more[0])
        left -= set(way)
        right |= set(way)
        yield way


def joined(pattern, one, other):
    return pattern[one] == pattern[other] and near(one, other)


def near(one, other):
    """Return whether two triangles share a side."""
    return len(set(lattice.TRIANGLES[one].points) & set(lattice.TRIANGLES[other].points)) == 2


def relettered(pattern):
    """The pattern with its spaces lettered in the order in which they are tapped."""
    letters = dict(zip(dict.fromkeys(pattern), "abcdefgh", strict=False))
    return "".join(letters[one] for one in pattern)


def table(counts):
    """Return what every tile took, a line each."""
    return "\n".join(f"{one.tile}: {one.taps} taps, {one.letters} letters, {one.seconds:.0f} s" for one in counts)
