"""Bots and odds on the pages: seats handed over and back, a figure to be moved, and odds that the host may switch."""

import html
import re

import pytest
from at_the_door import BEARER, tight

from companion.languages.catalogues import codes
from companion.table.bots import win_forecast
from companion.table.bots.bot_thread import RESTARTED
from companion.table.bots.win_forecast import FAILING
from companion.table.session.intents import DeviceChanged, Foreseen, Propose, TableSeen
from companion.table.sight.reading import Reading
from web.base.words import words_in

FIGHT = {
    "round": 3,
    "phase": "place",
    "turn": "red",
    "threats": {"1:R1b": "raider"},
    "players": {"red": {"items": [{"id": "minigun", "exhausted": False}, {"id": "husky", "exhausted": False}]}},
}
SAID = {"do": "place", "by": "red", "space": "1:R1a"}
CHANCES = {
    "red": {"chance": 0.5, "interval": [0.4, 0.6]},
    "blue": {"chance": 0.3, "interval": [0.2, 0.4]},
    "green": {"chance": 0.2, "interval": [0.1, 0.3]},
}


def text_of(answer):
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.get_data(as_text=True)))


def page(house, path, client=None, **headers):
    return text_of((client or house.client()).get(path, headers=headers))


def suggested(house):
    """A bot at a watched table has said where its dweller goes."""
    house.start(bots={"red": "hard"})
    for at in (0.0, 10.0):
        house.session.ask(TableSeen(Reading(), at)).result(10)
    house.session.ask(Propose(SAID, {"why": "resources", "gain": {"water": 1}})).result(10)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Move a figure for Red A dweller Water Treatment, left Level 1 Because: water +1."),
        ("pl", "Przestaw figurkę za gracza Czerwony Mieszkaniec"),
        ("ru", "Переставьте фигурку за игрока Красный Житель"),
    ],
)
def test_every_page_says_where_a_bots_dweller_goes_and_why(house, language, words):
    suggested(house)
    for path in ("/", "/table", "/seat/red"):
        assert words in page(house, path, **{"Accept-Language": language}), path


def test_anybody_with_a_seat_says_that_the_figure_stands_there(house):
    suggested(house)
    assert "It stands there" not in page(house, "/")
    assert house.client().post("/api/suggestion/done", json={}).status_code == 401
    blue = house.seated("blue")
    assert "It stands there" in page(house, "/", blue)
    assert blue.post("/api/suggestion/done", data={"back": "/seat/blue"}).location == "/seat/blue"
    assert house.state["placed"]["1:R1a"]["by"] == "red"
    assert blue.post("/api/suggestion/done", json={}).json["error"]["code"] == "no_suggestion"
    assert "because: water +1" not in page(house, "/")


def test_a_seat_is_handed_over_and_taken_back(house):
    house.start()
    red = house.seated("red")
    assert "Hand this seat to a bot" in page(house, "/seat/red", red)
    assert red.post("/api/seats/red/bot", json={"character": "hard"}).json == {"seat": "red", "character": "hard"}
    assert house.state["players"]["red"]["bot"] == "hard"
    shown = page(house, "/seat/red", red)
    assert "Bot, hard plays this seat." in shown
    assert "Take this seat back from the bot" in shown
    assert red.post("/api/seats/red/bot", data={"character": "", "back": "/seat/red"}).location == "/seat/red"
    assert house.state["players"]["red"]["bot"] is None
    happened = page(house, "/")
    assert "is played by: Bot, hard" in happened
    assert "is played by a person again" in happened


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/seats/blue/bot", {"character": "hard"}, 403),
        ("/api/seats/red/bot", {"character": "devious"}, 409),
        ("/api/seats/red/bot", {"character": 3}, 400),
        ("/api/seats/pink/bot", {"character": "hard"}, 404),
        ("/api/host/odds", {"win": True}, 403),
    ],
)
def test_what_is_not_theirs_or_no_character_is_refused(house, path, body, status):
    house.start()
    answer = house.seated("red").post(path, json=body)
    assert (answer.status_code, set(answer.json)) == (status, {"error"})


def test_the_host_seats_bots_and_switches_odds(house):
    assert house.client().get("/host/bots").location == "/host"
    assert "as soon as one has begun" in page(house, "/host/bots", **BEARER)
    house.start(bots={"blue": "easy"})
    assert "Bots and odds" in page(house, "/host", **BEARER)
    shown = tight(house.client().get("/host/bots", headers=BEARER).get_data(as_text=True))
    assert 'name="character" value="easy" class="no" aria-pressed="true"' in shown
    assert (
        house.client().post("/api/seats/blue/bot", data={"character": "fair"}, headers=BEARER).location == "/host/bots"
    )
    assert house.state["players"]["blue"]["bot"] == "fair"
    answer = house.client().post("/api/host/odds", data={"win": "on"}, headers=BEARER)
    assert answer.location == "/host/bots"
    assert house.state["odds"]["shown"] == ["win"]
    assert house.client().post("/api/host/odds", json={"fight": True}, headers=BEARER).json == {
        "shown": ["fight", "win"]
    }
    for odd in ({"moon": True}, {"fight": 1}):
        assert house.client().post("/api/host/odds", json=odd, headers=BEARER).status_code == 400


@pytest.mark.parametrize(("device", "hint"), [("officer", RESTARTED), ("seer", FAILING)])
@pytest.mark.parametrize("language", codes())
def test_the_host_reads_what_is_wrong_with_the_bots_process(house, device, hint, language):
    def shown():
        return html.unescape(page(house, "/host/bots", **BEARER, **{"Accept-Language": language}))

    house.session.ask(DeviceChanged(device, "failing", hint)).result(10)
    assert words_in(language).text(f"device_{hint.code}") in shown()
    house.session.ask(DeviceChanged(device, "ok")).result(10)
    assert words_in(language).text(f"device_{hint.code}") not in shown()


def test_the_hosts_form_begins_with_bots(house):
    form = {"plays_red": "on", "plays_blue": "on", "place_red": "1", "place_blue": "2", "level_red": "2"}
    form |= {"level_blue": "3", "first": "red", "bot_blue": "fair", "bot_green": "hard"}
    assert house.client().post("/api/host/games", data=form, headers=BEARER).status_code == 303
    assert {colour: one["bot"] for colour, one in house.state["players"].items()} == {"red": None, "blue": "fair"}


def test_a_fight_shows_its_odds_before_it_is_fought(house):
    house.start()
    red = house.seated("red")
    house.tap(do="correct", set=FIGHT)
    sheet = page(house, "/seat/red/at/1:R1b", red)
    assert "Odds 28 % As it is: 28 %" in sheet
    assert "Minigun +3 before the roll: 72 %" in sheet
    assert "Minigun" not in page(house, "/seat/red/at/1:R1b")
    house.tap(do="place", by="red", space="1:R1b")
    for path in ("/seat/red", "/table", "/"):
        assert "Odds of this fight Raider fight 9 As it is 28 % With Minigun 72 %" in page(house, path)
    house.client().post("/api/host/odds", json={"fight": False}, headers=BEARER)
    assert "Odds of this fight" not in page(house, "/seat/red", red)


def test_rolling_again_has_odds_of_its_own(house):
    house.start()
    house.tap(do="correct", set={**FIGHT, "players": {"red": {"items": [{"id": "fat-man", "exhausted": False}]}}})
    house.tap(do="place", by="red", space="1:R1b")
    assert "With Fat Man" in page(house, "/table")
    house.tap(do="choose", by="red", option="roll", dice=[[1, 1]])
    assert "Odds of this fight Raider fight 9 Rolling again 28 %" in page(house, "/table")


def test_tonights_columns_are_told_where_threats_still_come(house):
    house.start()
    places = [one["place"] for one in house.state["hands"]]
    house.client().post("/api/hands/done", json={"place": places}, headers=BEARER)
    shown = page(house, "/")
    assert "The next threats" in shown
    assert "2 The Wasteland, right" in shown
    assert "Level 1 83 %" in page(house, "/table")
    house.tap(do="correct", set={"last_round": True})
    assert "The next threats" not in page(house, "/table")
    house.tap(do="correct", set={"last_round": False})
    house.client().post("/api/host/odds", json={"columns": False}, headers=BEARER)
    assert "The next threats" not in page(house, "/table")


def test_the_chance_to_win_is_a_bar_with_its_uncertainty(house):
    house.start()
    house.client().post("/api/host/odds", json={"win": True}, headers=BEARER)
    estimate = {"playouts": 240, "chances": CHANCES}
    house.session.ask(Foreseen(house.state["id"], 0, 1, estimate)).result(10)
    for path in ("/", "/table"):
        shown = page(house, path)
        assert "Red 50 % 40 to 60 %" in shown
        assert "From 240 games played on" in shown
    assert house.client().get("/api/state").json["odds"]["win"]["chances"] == CHANCES


def test_the_history_draws_the_chances_over_the_rounds(house):
    house.start()
    house.tap(do="correct", set={"round": 3})
    one = {"version": 0, "playouts": 240, "chances": CHANCES}
    win_forecast.write(house.folder, house.state["id"], {1: one})
    assert 'class="chances"' not in house.client().get("/history").get_data(as_text=True)
    win_forecast.write(house.folder, house.state["id"], {1: one, 2: one, 3: one, 9: one})
    drawn = house.client().get("/history").get_data(as_text=True)
    assert drawn.count("<polygon") == 3
    assert 'points="0.0,60.0 170.0,60.0 340.0,60.0"' in drawn


def test_a_seat_may_take_back_what_a_bot_has_answered(house):
    house.start(bots={"blue": "fair"})
    red = house.seated("red")
    house.tap(red, do="place", by="red", space="1:R1a")
    house.session.ask(Propose({"do": "place", "by": "blue", "space": "1:R2a"}, {"why": "answer"})).result(10)
    assert 'id="do-undo"' in red.get("/seat/red").get_data(as_text=True)
    assert house.tap(red, do="undo").status_code == 200
    assert house.state["placed"] == {}


def test_two_good_moves_are_told_to_whose_turn_it_is_once_the_host_allows_it(house):
    house.start()
    red, blue = house.seated("red"), house.seated("blue")
    assert "What would you do?" not in page(house, "/seat/red", red)
    answer = house.client().post("/api/host/odds", json={"hint": True}, headers=BEARER)
    assert "hint" in answer.json["shown"]
    assert "What would you do?" in page(house, "/seat/red", red)
    for client, path in ((blue, "/seat/blue"), (blue, "/seat/red"), (house.client(), "/seat/red")):
        assert "What would you do?" not in page(house, path, client)
        assert 'id="hint"' not in client.get(f"{path}?hint=on").get_data(as_text=True)
    version = house.state["version"]
    for language in codes():
        shown = red.get("/seat/red?hint=on", headers={"Accept-Language": language}).get_data(as_text=True)
        section = shown.partition('id="hint"')[2].partition("</section>")[0]
        assert section.count("<li>") == 2
        assert words_in(language).text("bot_because", why="").rstrip(".") in section
        assert "→" in section
    assert house.state["version"] == version
    told = {red.get("/seat/red?hint=on").get_data(as_text=True).partition('id="hint"')[2] for _ in range(2)}
    assert len(told) == 1


def test_an_open_choice_is_answered_by_the_hint_too(house):
    house.start(start=FIGHT)
    house.client().post("/api/host/odds", json={"hint": True}, headers=BEARER)
    red = house.seated("red")
    house.tap(red, do="place", by="red", space="1:R1b")
    section = red.get("/seat/red?hint=on").get_data(as_text=True).partition('id="hint"')[2].partition("</section>")[0]
    assert section.count("<li>") == 1
