"""Chance that can be checked, on the pages: the fingerprint, numbers of phones, and the check after the end."""

import json
import re

import pytest
from at_the_door import BEARER, PIN, SETUP
from test_hidden_chance import finish

from companion.canonical import NO_HASH
from companion.languages.catalogues import codes
from companion.table.record.entries import written
from companion.table.record.export import as_journal
from companion.table.session.intents import StartGame

NUMBER = "0123456789abcdef" * 2
OTHER = "f" * 32


@pytest.fixture
def fair(make_house):
    return make_house(promised=True)


def begin(house, **more):
    house.session.ask(StartGame(SETUP, **more)).result(20)
    return house.state["id"]


def claim(house, colour="red", **more):
    client = house.client()
    answer = client.post(f"/api/seats/{colour}/claim", json={"code": house.access.code(colour), **more})
    assert answer.status_code == 200
    return client, answer.json


def short(promise):
    return " ".join(promise[at : at + 4] for at in range(0, 16, 4))


@pytest.mark.parametrize("path", ["/", "/table", "/start", "/join", "/seat/red", "/host"])
def test_the_fingerprint_stands_on_every_page(fair, path):
    """That of the next game first, then that of the game that is played."""
    shown = fair.state["fair"]["next"]["promise"]
    assert short(shown) in fair.client().get(path, headers=BEARER).text
    begin(fair)
    assert short(shown) in fair.client().get(path, headers=BEARER).text


@pytest.mark.parametrize("language", codes())
def test_the_page_of_the_promise_says_what_it_means(fair, language):
    def page():
        return fair.client().get("/fair", headers={"Accept-Language": language}).text

    before = fair.state["fair"]["next"]["promise"]
    assert before in page()
    begin(fair, number=NUMBER)
    claim(fair, "blue", number=OTHER)
    assert before in page()
    assert fair.state["fair"]["next"]["promise"] not in page()


def test_a_game_with_a_seed_says_so(house):
    house.start()
    assert 'id="fair"' not in house.client().get("/").text
    assert "or with a seed" in house.client().get("/fair").text


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_a_claim_brings_a_number(fair):
    begin(fair)
    _, told = claim(fair, number=NUMBER, promise=fair.state["fair"]["promise"])
    assert told == {"seat": "red", "number": "added"}
    assert fair.state["fair"]["numbers"] == ["red"]
    assert claim(fair, "blue")[1] == {"seat": "blue"}


@pytest.mark.parametrize("number", ["short", 7, [NUMBER], "G" * 32, NUMBER + "\n", {"a": 1}])
def test_a_number_that_cannot_be_used_takes_nobodys_seat(fair, number):
    begin(fair)
    client, told = claim(fair, number=number)
    assert told["seat"] == "red"
    assert told["number"].count("\n") == 0
    assert len(told["number"]) > 10
    assert fair.state["fair"]["numbers"] == []
    assert 'id="do-' in client.get("/seat/red").text or "Your turn" in client.get("/seat/red").text


def test_a_phone_is_asked_for_a_number_until_it_has_added_one(fair):
    begin(fair)
    red, _ = claim(fair)
    assert wants(red.get("/seat/red").text)
    assert not wants(fair.client().get("/seat/red").text)
    promise = red.get("/api/seats/red/number").json["promise"]
    assert promise == fair.state["fair"]["promise"]
    answer = red.post("/api/seats/red/number", json={"number": NUMBER, "promise": promise})
    assert (answer.status_code, answer.json) == (200, {"seat": "red", "taken": True, "version": 1})
    assert not wants(red.get("/seat/red").text)
    assert red.get("/api/seats/red/number").json == {"promise": None}


def wants(page):
    return "number" in re.search(r'data-phone="([^"]*)"', page)[1].split()


def test_what_is_sent_otherwise_is_refused_in_one_line(fair):
    begin(fair)
    red, _ = claim(fair, number=NUMBER)
    path = "/api/seats/red/number"
    assert fair.client().post(path, json={"number": OTHER}).status_code == 401
    assert fair.client().post(path, json={"number": OTHER}, headers=BEARER).status_code == 403
    assert red.post("/api/seats/blue/number", json={"number": OTHER}).status_code == 403
    assert red.post("/api/seats/purple/number", json={"number": OTHER}).status_code == 404
    for body, status, code in (
        ({"number": "x"}, 400, "malformed"),
        ({}, 400, "malformed"),
    ):
        answer = red.post(path, json=body)
        assert (answer.status_code, answer.json["error"]["code"]) == (status, code)
    assert len(fair.record.entries(fair.state["id"])) == 2


def test_a_number_that_comes_too_late_is_not_taken_and_is_nobodys_fault(fair):
    begin(fair)
    red, _ = claim(fair, number=NUMBER)
    for more, why in (({"promise": "0" * 64}, "promise_changed"), ({}, "number_added")):
        answer = red.post("/api/seats/red/number", json={"number": OTHER, **more})
        assert (answer.status_code, answer.json) == (200, {"seat": "red", "taken": False, "why": why})
    assert len(fair.record.entries(fair.state["id"])) == 2


def test_thousands_of_numbers_are_slowed_down_and_fill_nothing(fair):
    begin(fair)
    red, _ = claim(fair, number=NUMBER)
    codes = {red.post("/api/seats/red/number", json={"number": f"{n:032x}"}).status_code for n in range(300)}
    assert codes == {200, 429}
    assert len(fair.record.entries(fair.state["id"])) == 2


def test_the_phone_that_begins_adds_its_number_by_the_form(fair):
    client = fair.client()
    page = client.get("/start?step=cards&plays_red=on&plays_blue=on").text
    promise = re.search(r'data-adds="([0-9a-f]{64})"', page)[1]
    form = {"plays_red": "on", "plays_blue": "on", "pin": PIN, "number": NUMBER, "promise": promise}
    assert client.post("/start", data={**form, "pin": "000000"}).status_code == 403
    assert client.post("/start", data=form).status_code == 303
    assert fair.state["fair"]["numbers"] == ["start"]
    back = client.post("/start", data={**form, "step": "who"}).headers["Location"]
    assert "number" not in back
    assert "pin" not in back


@pytest.mark.parametrize("path", ["/join", "/join?seat=blue", "/start/phones"])
def test_forms_that_take_a_seat_name_the_promise(fair, path):
    begin(fair)
    page = fair.client().get(path).text
    assert f'data-adds="{fair.state["fair"]["promise"]}"' in page
    assert "phone/number.js" in page


# --- the check --------------------------------------------------------------------------------------------------------


def test_a_game_that_is_not_over_is_not_checked(fair):
    game = begin(fair)
    for headers in ({}, BEARER):
        answer = fair.client().get(f"/history/{game}/fair", headers=headers)
        assert (answer.status_code, answer.json["error"]["code"]) == (409, "secret_until_over")
    assert fair.client().get("/history/none/fair").status_code == 404


@pytest.mark.parametrize("language", codes())
def test_a_game_is_checked_after_its_end(fair, language):
    game = begin(fair, number=NUMBER)
    claim(fair, "blue", number=OTHER)
    fair.tap(None, do="spawn", dice=[[1, 2]])
    finish(fair, "shelter")
    assert f"/history/{game}/fair" in fair.client().get("/history").text
    assert f"/history/{game}/fair" in fair.client().get("/").text
    page = fair.client().get(f"/history/{game}/fair", headers={"Accept-Language": language}).text
    first = fair.record.entries(game)[0].body
    assert first["seed"] in page
    assert first["fair"]["promise"] in page
    assert NUMBER in page
    assert OTHER in page
    assert 'class="verdict"' in page
    assert "✗" not in page
    fair.tap(None, do="undo")
    assert fair.client().get(f"/history/{game}/fair").status_code == 409


def test_an_older_game_says_that_it_cannot_be_checked(house):
    house.start()
    game = house.state["id"]
    finish(house, "shelter")
    page = house.client().get(f"/history/{game}/fair").text
    assert "before chance could be checked" in page
    assert "fair.js" not in page


def forged(entries, wrong):
    """The same game, chained anew, with a roll and a card that nobody rolled and shuffled; named otherwise."""
    made, before = [], NO_HASH
    for entry in entries:
        body = entry.body
        if entry.nth in (wrong, 0):
            chance = body["chance"]
            if "dice" in chance:
                chance["dice"][0] = [7 - number for number in chance["dice"][0]]
            else:
                chance["shuffled"][1].reverse()
        one = written("forged", entry.nth, before, entry.kind, body)
        made.append(one)
        before = one.hash
    return made


def play_and_forge(house):
    """Play the game to its end, and put one beside it in the record that cheats."""
    game = house.state["id"]
    house.tap(None, do="correct", set={"phase": "spawn"})
    for colour in SETUP["players"]:
        house.tap(None, do="pass", by=colour)
    house.tap(None, do="recall")
    house.tap(None, do="spawn")
    finish(house, "shelter")
    entries = house.record.entries(game)
    rolled = next(entry.nth for entry in entries if "dice" in entry.body.get("chance", {}))
    cheat = forged(entries, rolled)
    house.record.take_all(cheat)
    return cheat


def test_what_does_not_follow_is_red(fair):
    begin(fair, number=NUMBER)
    play_and_forge(fair)
    page = fair.client().get("/history/forged/fair").text
    assert 'class="verdict bad"' in page
    rows = re.findall(r'<li class="bad">.*?</li>', page, re.DOTALL)
    assert len(rows) == 2
    assert any("Shuffle 1" in row and "should be" in row for row in rows)
    assert any("Roll 0" in row and "should be" in row for row in rows)


def test_the_export_of_a_forged_game_is_a_journal_like_any_other(fair):
    begin(fair)
    cheat = play_and_forge(fair)
    assert fair.client().get("/history/forged.journal").text == as_journal(cheat)
    assert json.loads(as_journal(cheat).splitlines()[0])["fair"]["promise"]
