"""What is taken away from an evening: a picture, the play for BG Stats, a text."""

import io
import json
import random
import re
from datetime import datetime
from html import unescape
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import evening_out
import pytest
from at_the_door import SETUP
from browsing import by_script
from PIL import Image
from test_hidden_chance import finish

from companion.pieces.drawing import raster
from companion.pieces.drawing.svg import SvgCanvas
from companion.table.session.intents import StartGame

NAMES = {"red": "Łucja <3", "blue": "Бабушка & Co"}
SETUPS = {
    "shelter": {**SETUP, "names": {**NAMES, "green": "Żółć"}},
    "wasteland": {**evening_out.TWO, "names": NAMES},
}


@pytest.fixture(params=SETUPS)
def evening(request, make_house):
    house = make_house()
    house.session.ask(StartGame(SETUPS[request.param], request.param, seed="evening")).result(10)
    if request.param == "shelter":
        by_script(house, random.Random(5), lambda state: state["round"] >= 3)
    else:
        list(evening_out.wander(house, 4, 20))
    finish(house, request.param)
    return house


def names_of(house, colours=None):
    return {player["name"] for colour, player in house.state["players"].items() if colours is None or colour in colours}


def handed_over(page):
    link = unescape(re.search(r'href="(https://app.bgstatsapp.com/[^"]*)"', page)[1])
    return json.loads(unquote(link.partition("?data=")[2]))


def test_a_play_is_handed_over_as_bg_stats_takes_it(evening):
    page = evening.client().get(f"/history/{evening.state['id']}/take").text
    play = handed_over(page)
    winners = evening.state["result"]["winners"]
    assert play["sourcePlayId"] == evening.state["id"]
    assert play["game"]["name"].endswith("The Board Game")
    assert {one["name"] for one in play["players"]} == names_of(evening)
    assert {one["name"] for one in play["players"] if one["winner"]} == names_of(evening, winners)
    assert [one["startPlayer"] for one in play["players"]].count(True) == 1
    best = max(one["score"] for one in play["players"])
    assert all((one["rank"] == 1) == (one["score"] == best) for one in play["players"])
    datetime.strptime(play["playDate"], "%Y-%m-%d %H:%M:%S")  # noqa: DTZ007 - the form alone


def test_the_text_has_everybody_in_order(evening):
    page = evening.client().get(f"/history/{evening.state['id']}/take").text
    told = unescape(re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)[1]).splitlines()
    assert "The Board Game" in told[0]
    lines = told[1 : 1 + len(evening.state["players"])]
    scores = [int(line.rpartition(": ")[2]) for line in lines]
    assert {line.removeprefix("* ").rpartition(": ")[0] for line in lines} == names_of(evening)
    assert scores == sorted(scores, reverse=True) or told[1].startswith("* ")


def test_the_picture_says_who_played_in_both_kinds(evening):
    client, path = evening.client(), f"/history/{evening.state['id']}/picture"
    drawn = client.get(f"{path}.svg")
    assert drawn.mimetype == "image/svg+xml"
    root = ET.fromstring(drawn.data)  # noqa: S314 - our own
    words = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert " ".join(filter(None, words)).count("Łucja") >= 1
    assert any("Бабушка" in (word or "") for word in words)
    png = Image.open(io.BytesIO(client.get(f"{path}.png").data))
    wide, high = (float(root.get(side).removesuffix("mm")) for side in ("width", "height"))
    assert png.width == 1600
    assert png.width / png.height == pytest.approx(wide / high, rel=0.01)
    assert len(png.getcolors()) > 5


def test_a_picture_is_drawn_once_for_everybody(evening, monkeypatch):
    drawn = []
    real = raster.png_of
    monkeypatch.setattr(raster, "png_of", lambda *piece: drawn.append(piece) or real(*piece))
    path = f"/history/{evening.state['id']}/picture.png"
    first, second = (evening.client().get(path).data for _ in range(2))
    assert (len(drawn), first) == (1, second)


def test_nothing_is_taken_from_a_game_that_is_played_or_not_there(make_house):
    house = make_house()
    house.start()
    for game in (house.state["id"], "nothing"):
        for what in ("take", "picture.svg", "picture.png"):
            assert house.client().get(f"/history/{game}/{what}").status_code == 404
    assert house.client().get("/history/x/picture.gif").status_code == 404


def test_a_saved_state_ends_every_group_it_began():
    canvas = SvgCanvas()
    canvas.saveState()
    canvas.translate(1, 2)
    canvas.rotate(90)
    canvas.scale(2, 2)
    canvas.restoreState()
    canvas.setFont("Helvetica", 5)
    canvas.drawString(0, 0, "a < b")
    ET.fromstring(f"<svg>{canvas.text}</svg>")  # noqa: S314 - our own
    assert canvas.text.count("<g ") == canvas.text.count("</g>") == 3
