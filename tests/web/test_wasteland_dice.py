"""The owner's own V.A.T.S. dice: each side is shown to the camera once, then throws are read."""

import cv2
import numpy as np
import pytest
from at_the_door import BEARER

from companion.app.sight.corner_eye import drawn_faces, prints_of, reader_of
from companion.cards.wasteland import loader
from companion.cards.wasteland.corner import CORNER
from companion.cards.wasteland.loader import builtin
from companion.games.wasteland.adapter import GAME
from companion.pieces.drawing.raster import render
from companion.pieces.sheets.wasteland_pieces import PrintedWasteland
from companion.table.sight.eye import Window
from tests.vision.test_corner import Scene
from web.games.wasteland.owner.own_packs import Packs

PACK = builtin("homemade")
THROWN = [(0, "l0", (120, 24), 70.0), (1, "h1", (145, 47), 200.0), (2, "l2", (121, 75), 311.0)]
OTHERS = ["hb1", "bl1", "ba0"]
"""A second side of each die: dice of two sides are shown in a third of the time."""


def dark(picture):
    """A side of another maker's die: light signs on dark blue."""
    blue, green, _ = cv2.split(255 - picture)
    return cv2.merge([blue, green // 2 + 70, np.full_like(blue, 90)])


SIDES = {(one.die, one.face): dark(one.picture) for one in drawn_faces(prints_of(GAME))}


@pytest.fixture(autouse=True)
def _nobody_waits_for_long(monkeypatch):
    monkeypatch.setattr("web.base.streams.PICTURE_PATIENCE", 0.05)
    monkeypatch.setattr("web.base.streams.FRESH", 0.0)


@pytest.fixture(scope="module")
def paper():
    return next(iter(render(PrintedWasteland(PACK, "en").pieces("corner"), 6)))


def table_with(paper, *dice):
    """The sheet below a camera, and dice: which, what is up, where, and how it is turned."""
    scene = Scene(tilt=18, turn=4, far=470)
    scene.flat(paper, (95, 50), CORNER.size, height=0.0)
    for number, face, middle, degrees in dice:
        sides = {(number, nth): SIDES[number, one] for nth, one in enumerate([face, *[OTHERS[number]] * 5])}
        scene.die(sides, number, 0, middle, degrees)
    return scene.shot(0.8)


def show(window, picture):
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()
    window.show(jpeg, None, drawn=False, place="marked-corner")


def test_every_side_is_shown_once_and_a_throw_is_read(make_house, paper):
    window = Window(lambda: 0.0)
    house = make_house(sight=window)
    packs, client = Packs(house.folder), house.client()
    packs.begin("homemade")
    dice = [[face] * 3 + [other] * 3 for (_, face, *_), other in zip(THROWN, OTHERS, strict=True)]
    packs.keep(loader.written({**packs.data(), "dice": dice}))
    assert client.get("/wasteland/dice", headers=BEARER).status_code == 200
    show(window, np.full((1200, 1600, 3), 90, np.uint8))
    refused = client.post("/wasteland/dice", data={"side": "1-l0"}, headers={**BEARER, "Accept": "application/json"})
    assert (refused.status_code, refused.json["error"]["code"]) == (409, "no_sheet")
    for number, sides in enumerate(dice):
        for face in dict.fromkeys(sides):
            assert 'id="ready"' not in client.get("/wasteland/dice", headers=BEARER).text
            show(window, table_with(paper, (number, face, CORNER.spot, 2.0)))
            kept = client.post("/wasteland/dice", data={"side": f"{number + 1}-{face}"}, headers=BEARER)
            assert kept.status_code == 303, kept.text
    assert 'id="ready"' in client.get("/wasteland/dice", headers=BEARER).text
    reader = reader_of(house.folder, GAME)
    thrown = table_with(paper, *THROWN)
    seen = reader.read(thrown, reader.find(thrown))
    assert {(die, face) for die, face, *_ in seen.dice} == {(number, face) for number, face, *_ in THROWN}


def test_only_the_host_shows_sides_and_only_of_dice_that_are_entered(make_house):
    house = make_house()
    assert house.client().post("/wasteland/dice", data={"side": "1-hb1"}).status_code in (401, 403)
    assert house.client().get("/wasteland/dice", headers=BEARER).status_code == 409
    Packs(house.folder).begin("homemade")
    for side in ("4-hb1", "1-nix", "", "../1-hb1"):
        assert house.client().post("/wasteland/dice", data={"side": side}, headers=BEARER).status_code in (400, 409)


def test_beside_cards_that_cannot_be_read_the_page_says_so_and_stays(make_house):
    house = make_house()
    (house.folder / "wasteland-cards.toml").write_bytes(b"[[card]]\nid = \xff")
    for answer in (
        house.client().get("/wasteland/dice", headers=BEARER),
        house.client().post("/wasteland/dice", data={"side": "1-l0"}, headers=BEARER),
    ):
        assert answer.status_code < 500
        assert "wasteland-cards.toml:2" in answer.text
