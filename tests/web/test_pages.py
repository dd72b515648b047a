import random
import re
from pathlib import Path

import pytest
from at_the_door import BEARER, PIN, weight_of
from browsing import by_script

from companion.games.api import Button
from companion.languages.catalogues import codes
from companion.table.session.events import MoveRefused
from companion.table.session.intents import ButtonPressed

WEB = Path(__file__).parents[2] / "web"
PROMISED = '<p class="s" id="fair"><a href="/fair">Fingerprint 0123 4567 89ab cdef</a></p>, number'
"""What a promise adds to a page; the games of most tests begin with a seed."""
PAGES = ("/", "/table", "/seat/red", "/seat/yellow", "/join", "/host", "/history")


def play_a_round(house):
    """The first legal thing of everybody, until the dwellers have gone home."""
    rounds = house.state["round"]
    while house.state["round"] == rounds and house.state["phase"] != "over":
        moves = [move for move in house.client().get("/api/legal").json["moves"] if move["do"] != "use"]
        move = next((move for move in moves if move["do"] in ("choose", "place")), moves[0])
        answer = house.tap(None, **{key: value for key, value in move.items() if key != "preview"})
        assert answer.status_code == 200, answer.json


@pytest.mark.parametrize("language", codes())
def test_every_page_in_every_language_and_phase(house, language):
    def look():
        for path in PAGES:
            for headers in ({}, BEARER):
                answer = house.client().get(path, headers={**headers, "Accept-Language": language})
                assert answer.status_code == 200, path
                assert f'lang="{language}"' in answer.text

    look()
    house.start(names={"red": "Ann & <Bo>"})
    look()
    play_a_round(house)
    look()
    play_a_round(house)
    look()
    house.client().post("/api/host/freeze", headers=BEARER)
    look()


def test_a_finished_game_has_its_podium_and_curve(house):
    house.start(start={"players": {"blue": {"happiness": 5}}})
    house.tap(None, do="correct", set={"last_round": True})
    play_a_round(house)
    assert house.state["phase"] == "over"
    screen = house.client().get("/table").text
    assert 'class="m-podium"' in screen
    assert len(re.findall(r"<path class=.line-(red|blue|green)", screen)) == 3
    assert "Blue wins" in house.client().get("/").text
    game = house.state["id"]
    for kind in ("html", "csv", "json", "journal"):
        answer = house.client().get(f"/history/{game}.{kind}")
        assert answer.status_code == 200
        assert "attachment" in answer.headers["Content-Disposition"]


def test_whose_turn_it_is_stands_large_and_the_choice_is_the_players_alone(house):
    house.start()
    assert "<h1>Red\N{RIGHT SINGLE QUOTATION MARK}s turn</h1>" in house.client().get("/").text
    red = house.seated("red")
    assert "<h1>Your turn</h1>" in red.get("/seat/red").text
    assert 'name="move"' not in house.client().get("/seat/red").text
    assert 'name="move"' not in red.get("/seat/blue").text
    house.tap(
        None,
        do="correct",
        set={"players": {"red": {"available": ["plain"]}}, "levels": {"3": {"rooms": {"R1": "garden"}}}},
    )
    house.tap(red, do="place", by="red", space="3:R1a")
    assert "Your income" in house.seated("blue").get("/seat/blue").text
    assert "Your income" not in red.get("/seat/red").text


def test_names_cannot_smuggle_markup(house):
    house.start(names={"red": "<script>alert(1)</script>"})
    for path in PAGES:
        assert "<script>alert" not in house.client().get(path, headers=BEARER).text


def test_the_forms_work_without_the_script(house):
    client = house.client()
    answer = client.post("/api/host/login", data={"pin": PIN})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/host")
    form = {
        "plays_red": "on",
        "plays_green": "on",
        "place_red": "2",
        "place_green": "1",
        "level_red": "2",
        "level_green": "3",
        "first": "red",
        "name_red": " Ann ",
        "cards": "table",
        "rule_income_automatic": "on",
        "pack": "homemade",
    }
    assert client.post("/api/host/games", data=form).status_code == 303
    state = house.state
    assert state["order"] == ["green", "red"]
    assert (state["levels"]["2"]["owner"], state["levels"]["3"]["owner"]) == ("red", "green")
    assert state["players"]["red"]["name"] == "Ann"
    assert state["first"] == "red"
    assert state["options"] == {"pack": "homemade", "cards": "table", "house_rules": {"income_automatic": True}}
    claimed = house.client().post("/api/seats/red/claim", data={"code": house.access.code("red")})
    assert (claimed.status_code, claimed.headers["Location"]) == (303, "/seat/red")


def test_a_seat_is_joined_by_its_code(house):
    house.start()
    page = house.client().get("/join").text
    assert all(house.access.code(colour) in page for colour in ("red", "blue", "green"))
    assert page.count('<svg class="qr"') == 3 or page.count('class="qr"') == 3
    red = house.seated("red")
    assert house.access.code("red") not in red.get("/join").text


@pytest.mark.parametrize("path", ["/", "/seat/red", "/table"])
def test_a_page_is_small_with_everything_it_loads(house, path):
    house.start()
    by_script(house, random.Random(5), lambda state: state["round"] >= 9 and bool(state["placed"]))
    assert weight_of(house.seated("red"), path) + len(PROMISED) < 60_000


@pytest.mark.parametrize("path", ["/", "/seat/red", "/table", "/host", "/start?game=wasteland"])
def test_the_layout_of_a_template_is_not_sent(house, path):
    house.start()
    page = house.seated("red").get(path, headers=BEARER).text
    assert [line for line in page.splitlines() if line.startswith(("  ", "\t")) or line.endswith(" />")] == []


def test_the_vault_is_told_in_words_with_who_stands_where(house):
    house.start()
    house.tap(None, do="correct", set={"threats": {"1:R1b": "raider"}, "players": {"red": {"available": ["S"]}}})
    house.tap(None, do="place", by="red", space="1:R1a", dwellers=["S"])
    page = house.client().get("/rooms").text
    assert "Red: Dweller</b>" in page
    assert "Raider on it" in page
    assert page.count("/rules/elevator") == 4


def test_undo_is_offered_for_ones_own_last_move_alone(house):
    house.start()
    red, blue = house.seated("red"), house.seated("blue")
    house.tap(red, do="place", by="red", space="1:R1a")
    assert 'id="do-undo"' in red.get("/seat/red").text
    assert 'id="do-undo"' not in blue.get("/seat/blue").text


def test_hands_over_the_table_take_neither_the_feed_nor_take_back(house):
    house.start()
    red = house.seated("red")
    house.tap(red, do="place", by="red", space="1:R1a")
    feed = what_just_happened(red.get("/seat/red").text)
    assert feed
    house.passing_hands()
    house.session.ask(ButtonPressed(Button.THREATS)).result(20)
    assert [type(event) for event in house.session.snapshots.latest.events] == [MoveRefused]
    page = red.get("/seat/red").text
    assert what_just_happened(page) == feed
    assert 'id="do-undo"' in page


def what_just_happened(page):
    return re.search(r'class="feed".*?<ol>(.*?)</ol>', page, re.DOTALL)[1]


def test_the_screens_in_the_documentation_are_small():
    screens = list((Path(__file__).parents[2] / "docs" / "screens").glob("*.png"))
    assert screens
    assert [screen.name for screen in screens if screen.stat().st_size >= 200_000] == []


def test_what_phones_keep_has_another_address_after_an_update(house, make_house, monkeypatch):
    before = re.search(r"table\.js\?v=\w+", house.client().get("/").text)[0]
    with house.client().get(f"/static/{before}") as kept:
        assert kept.cache_control.max_age == 3600
    monkeypatch.setattr("web.base.templating.crc32", lambda _: 0xABCDEF01)
    assert "table.js?v=abcdef01" in make_house().client().get("/").text
    assert "abcdef01" not in before


@pytest.mark.parametrize("sheet", sorted(WEB.rglob("*.css")), ids=lambda sheet: sheet.name)
def test_no_font_is_set_and_inherited_in_one_declaration(sheet):
    """Browsers drop `font: 600 1rem inherit` whole: `inherit` stands alone or not at all."""
    fonts = re.findall(r"(?<![-\w])font\s*:\s*([^;}]*)", sheet.read_text())
    assert [
        font for font in fonts if re.search(r"\b(inherit|initial|unset|revert)\b", font) and " " in font.strip()
    ] == []
