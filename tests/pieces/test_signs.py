"""The signs: one shape for each meaning, for paper and pages; no template draws another one."""

import re
from math import hypot
from pathlib import Path

import numpy as np
import pytest

from companion.cards import effects as fx
from companion.cards import item_effects
from companion.cards.loader import builtin
from companion.cards.parser import COSTS, REWARDS
from companion.languages import catalogues
from companion.pieces.drawing.pen import INKS
from companion.pieces.drawing.pictures import pictures
from companion.pieces.drawing.raster import PrintedPiece, render
from companion.pieces.drawing.shapes import GRID, LINE, segments_of, shapes
from companion.pieces.drawing.signs import cost_signs, draw_shape, effect_signs, space_signs

WEB = Path(__file__).parents[2] / "web"
TEMPLATES = sorted(WEB.rglob("*.html"))
OF_THE_PAGES = {"hand", "up", "level", "lay", "off", "cubes"}
"""What the pages draw besides: things to do and places, none of which is printed on a card."""
EVERY_ICON = (
    *COSTS.values(),
    *REWARDS.values(),
    *(fx.Pay(resource) for resource in fx.Resource),
    fx.PayAny(),
    fx.GainAny(),
    fx.Happiness(),
    fx.Train(),
    fx.Train(fx.Letter.S),
    *(fx.Refresh(track) for track in fx.Track),
    fx.Exchange(fx.Pay(fx.Resource.WATER), fx.Pay(fx.Resource.FOOD)),
)
EVERY_EFFECT = (
    *(item_effects.RollBonus(use, 2) for use in item_effects.Use),
    *(item_effects.Act(item_effects.Use.EXHAUST, action) for action in item_effects.Action),
    *(item_effects.ScorePer(counted, 2) for counted in item_effects.Counted),
    *(item_effects.CountsAsTrained(item_effects.Use.EXHAUST, letter) for letter in (None, fx.Letter.S)),
    item_effects.Reroll(item_effects.Use.EXHAUST),
)


def printed():
    """Every sign that a card can show: in a cost, a reward, a circle, or for what an item does."""
    found = {icon.sign for icon in fx.icons_of(EVERY_ICON)}
    spaces = [fx.Space(cost=(fx.Pay(fx.Resource.WATER),), fight=9), fx.Space(linked=True, injured_only=True)]
    found |= {sign.shape for space in spaces for sign in space_signs(space)}
    found |= {sign.shape for sign in cost_signs(())}
    found |= {sign.shape for effect in EVERY_EFFECT for sign in effect_signs(effect)}
    for pack in ("standard", "homemade"):
        found |= {sign.shape for item in builtin(pack).items for sign in effect_signs(item.effect)}
    return found | {"linked", "heal"}  # in a circle


def test_every_sign_that_can_be_printed_has_a_shape_and_every_shape_is_printed():
    assert printed() == shapes().keys()


@pytest.mark.parametrize("code", catalogues.codes())
def test_every_sign_has_a_word(code):
    texts = catalogues.texts(code, "pages")
    assert [shape.name for shape in shapes().values() if not texts.get(shape.word)] == []


def test_no_two_signs_are_alike_and_their_tints_are_inks():
    assert len({shape.path for shape in shapes().values()}) == len(shapes())
    assert {shape.tint for shape in shapes().values() if shape.tint} <= INKS.keys()


def test_every_sign_stays_on_its_square():
    pieces = [
        PrintedPiece(name, "sign", (GRID + 10, GRID + 10), lambda pen, name=name: draw_shape(pen, name, 5, 5, GRID))
        for name in shapes()
    ]
    outside = {}
    for name, picture in zip(shapes(), render(pieces, 8), strict=True):
        drawn = np.argwhere((picture < 200).any(axis=2)) / 8 - 5
        assert np.ptp(drawn) > GRID / 2
        if drawn.min() < -0.2 or drawn.max() > GRID + 0.2:
            outside[name] = (float(drawn.min()), float(drawn.max()))
    assert outside == {}
    assert LINE < GRID / 10


@pytest.mark.parametrize(
    ("path", "end", "length"),
    [
        ("M2 11a9 9 0 0 1 18 0", (20, 11), 9 * 3.1416),
        ("M2 11a9 9 0 0 0 18 0", (20, 11), 9 * 3.1416),
        ("M11 2a9 9 0 1 1-9 9", (2, 11), 27 * 1.5708),
        ("M1 1h4v-1H2", (2, 0), 8),
        ("M1 1 4 5", (4, 5), 5),
        ("M0 0q5 0 5 5", (5, 5), 8.12),
        ("M0 0c0 2 2 4 4 4s4 2 4 4", (8, 8), 12.4),
    ],
)
def test_a_path_is_drawn_as_browsers_draw_it(path, end, length):
    here, walked = None, 0.0
    for segment in segments_of(path):
        way = [segment.points[-1]]
        if segment.kind == "C":
            (bx, by), (cx, cy), (dx, dy) = segment.points
            shares = np.linspace(0, 1, 50)[1:, None]
            way = (
                (1 - shares) ** 3 * np.array(here)
                + 3 * (1 - shares) ** 2 * shares * np.array([bx, by])
                + 3 * (1 - shares) * shares**2 * np.array([cx, cy])
                + shares**3 * np.array([dx, dy])
            ).tolist()
        for point in way:
            walked += 0 if here is None or segment.kind == "M" else hypot(point[0] - here[0], point[1] - here[1])
            here = point
    assert here == pytest.approx(end, abs=1e-9)
    assert walked == pytest.approx(length, rel=0.02)


@pytest.mark.parametrize("path", ["M1 1x2", "12", "M1 1z3 4"])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(ValueError, match=r"path|command"):
        segments_of(path)


def test_no_template_draws_a_sign_of_its_own():
    texts = [template.read_text() for template in TEMPLATES]
    drawn = {name for text in texts for name in re.findall(r'<symbol id="i-([\w-]+)"', text)}
    shown = {name for text in texts for name in re.findall(r'href="#i-([\w-]+)"', text)}
    assert drawn == OF_THE_PAGES
    assert shown <= OF_THE_PAGES | shapes().keys()
    assert not shapes().keys() & pictures().keys()
    assert not OF_THE_PAGES & shapes().keys()
