"""The pages of a game without a folder of its own, made from what it says of itself: pig, from the examples."""

import pytest
from at_the_door import BEARER, PIN, tight
from browsing import SCREEN

from companion.languages.catalogues import codes
from companion.table.session.intents import Freeze

PAGES = ("/", "/seat/red", "/seat/blue", "/seat/green", "/seat/red/missed", "/table", "/join", "/history")


@pytest.fixture
def begun(pig, house):
    assert pig.name == "pig"
    host = house.client()
    host.post("/api/host/login", data={"pin": PIN})
    form = {
        "game": pig.name,
        "plays_red": "on",
        "plays_blue": "on",
        "place_red": "1",
        "place_blue": "2",
        "name_red": "Ada",
    }
    assert host.post("/api/host/games", data=form).headers["Location"] == "/host"
    return house


def roll(house, by, die):
    answer = house.tap(None, do="roll", by=by, dice=[[die, 6]])
    assert answer.status_code == 200, answer.json


def test_the_host_begins_it_by_a_form(begun):
    host = begun.client()
    host.post("/api/host/login", data={"pin": PIN})
    assert begun.state["order"] == ["red", "blue"]
    assert "New game: Pig" in tight(host.get("/host").text)
    assert host.get("/games/pig/new").headers["Location"] == "/start?game=pig"
    for path in ("/games/pog/new", "/start?game=pog"):
        assert host.get(path).status_code == 404
    assert host.post("/api/host/games", json={"game": "pig", "setup": [], "pack": ""}).status_code == 400


@pytest.mark.parametrize("language", codes())
def test_every_page_of_a_whole_game(begun, language):
    phone, host = begun.seated("red", "blue"), begun.client()
    host.post("/api/host/login", data={"pin": PIN})
    for client in (phone, host):
        client.set_cookie("language", language)
    for _ in range(200):
        state = begun.state
        if state["phase"] == "over":
            break
        if state["pot"] >= 18:
            begun.tap(None, do="hold", by=state["turn"])
        else:
            roll(begun, state["turn"], 6)
        for path in PAGES:
            assert phone.get(path).status_code == 200, path
        for path in ("/host", "/host/back", "/host/record", "/host/bots"):
            assert host.get(path).status_code == 200, path
    assert begun.state["phase"] == "over"


def test_a_seat_has_a_button_for_each_legal_move(begun):
    red, blue = begun.seated("red"), begun.seated("blue")
    roll(begun, "red", 4)
    page = tight(red.get("/seat/red").text)
    assert "Throw the die</button>" in page
    assert "Keep 4 points</button>" in page
    assert "4 points lie on the table." in page
    assert "Ada throws 4: 4 points." in page
    assert 'id="do-undo"' in page
    assert "Throw the die" not in blue.get("/seat/blue").text
    red.post("/moves", data={"move": '{"do": "hold", "by": "red"}', "back": "/seat/red"})
    assert begun.state["players"]["red"]["points"] == 4
    assert "Throw the die" in blue.get("/seat/blue").text
    assert "Ada keeps 4 points." in blue.get("/seat/blue/missed?since=1").text


def test_a_refusal_is_told_in_the_words_of_the_game(begun):
    red = begun.seated("red")
    told = red.post("/api/moves", json={"do": "hold", "by": "red"}, headers={"Accept-Language": "en"})
    assert told.json["error"]["message"] == "Throw first: there is nothing to keep."


def test_the_history_knows_who_won_and_the_host_goes_back(begun):
    begun.tap(None, do="correct", set={"players": {"red": {"points": 48}}})
    roll(begun, "red", 5)
    begun.tap(None, do="hold", by="red")
    client, game = begun.client(), begun.state["id"]
    assert "Ada wins" in client.get("/table").text
    past = tight(client.get("/history").text)
    assert "· Pig" in past
    assert "winner" in past
    assert client.get(f"/history/{game}").status_code == 404
    assert client.get("/correct/", headers=BEARER).headers["Location"] == "/host"
    back = client.get("/host/back", headers=BEARER).text
    assert 'id="b-1"' in back
    assert begun.client().get("/api/legal?by=red").json["moves"] == []
    assert client.get("/rooms").headers["Location"] == "/"


@pytest.mark.parametrize(("path", "size"), [("/seat/red", None), ("/table", SCREEN)])
def test_it_fits_on_a_phone_and_on_the_big_screen(begun, looking, path, size):
    roll(begun, "red", 4)
    page = looking.open(path, **({"size": size} if size else {}))
    assert page.locator("#turn, #top").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_nobody_s_turn_is_shown_of_a_game_put_away(begun):
    red = begun.seated("red")
    assert "Your turn" in red.get("/seat/red").text
    begun.session.ask(Freeze()).result(10)
    page = red.get("/seat/red").text
    assert "Your turn" not in page
    assert "The game is put away" in page


def test_what_people_look_at_is_told_on_every_page_and_the_same_people_play_again(pig, make_house):
    live = make_house(pace=1000.0)
    live.client().post(
        "/api/host/games",
        json={"game": pig.name, "setup": {"players": ["blue", "red"], "names": {"red": "Ada"}}},
        headers=BEARER,
    )
    red = live.seated("red")
    roll(live, "blue", 4)
    assert 'id="moment">\n</div>' in red.get("/seat/red").text
    roll(live, "blue", 1)
    for path in ("/", "/seat/red", "/table"):
        assert 'class="m-told"' in red.get(path).text
    live.tap(None, do="correct", set={"players": {"red": {"points": 49}}})
    roll(live, "red", 6)
    live.tap(None, do="hold", by="red")
    assert live.state["phase"] == "over"
    live.app.extensions["companion"].stage._pace = 0.0
    assert "You won" in red.get("/seat/red").text
    for path in ("/", "/table"):
        page = live.client().get(path).text
        assert page.count('class="m-podium"') == 1
        assert "What decided it" in page
    assert red.post("/again").headers["Location"] == "/seat/red"
    assert (live.state["game"], live.state["phase"], live.state["order"]) == ("pig", "turn", ["blue", "red"])
    assert live.state["players"]["red"]["name"] == "Ada"
