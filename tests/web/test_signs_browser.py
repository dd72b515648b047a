"""The signs of paper and of pages, drawn at the same size by the pen and by the browser, are the same."""

import cv2
import numpy as np
from at_the_door import BEARER

from companion.pieces.drawing.pen import INK
from companion.pieces.drawing.raster import PrintedPiece, render
from companion.pieces.drawing.shapes import GRID, shapes
from companion.pieces.drawing.signs import draw_shape

SIDE = 66
DARK = 95  # of grey: the line, and none of the tints that paper has within it
ALL_OF_THEM = """(names) => {
    const all = document.createElement("div");
    all.id = "all";
    all.style = "position:fixed;inset:0;z-index:99;background:#fff;color:INK;display:flex;flex-wrap:wrap";
    all.innerHTML = names.map((name) => `<svg width="66" height="66"><use href="#i-${name}"/></svg>`).join("");
    document.body.append(all);
}"""


def alike(one, other):
    """The share of dark points that both have, a point's breadth aside."""
    around = np.ones((3, 3), np.uint8)
    shared = (one & cv2.dilate(other, around)).sum() + (other & cv2.dilate(one, around)).sum()
    return shared / (one.sum() + other.sum())


def test_paper_and_pages_draw_the_same_signs(looking):
    names = list(shapes())
    size = {"width": SIDE * len(names), "height": SIDE}
    page = looking.open("/host/cards/standard/diner", size, extra_http_headers=BEARER)
    page.evaluate(ALL_OF_THEM.replace("INK", INK), names)
    shot = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
    pieces = [
        PrintedPiece(name, "sign", (GRID, GRID), lambda pen, name=name: draw_shape(pen, name, 0, 0, GRID))
        for name in names
    ]
    paper = [cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) < DARK for picture in render(pieces, SIDE / GRID)]
    pages = [shot[:SIDE, place * SIDE : (place + 1) * SIDE] < DARK for place in range(len(names))]
    paper, pages = ([one.astype(np.uint8) for one in drawn] for drawn in (paper, pages))
    found = {name: round(float(alike(*both)), 2) for name, *both in zip(names, paper, pages, strict=True)}
    assert {name: share for name, share in found.items() if share < 0.97} == {}
    others = [alike(one, other) for place, one in enumerate(paper) for other in pages[place + 1 :]]
    assert max(others) < 0.97
