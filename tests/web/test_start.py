"""From the empty table to a game, without a script: one question a page, and the PIN at the end."""

import random
import re
from html.parser import HTMLParser

import pytest
from at_the_door import PIN
from browsing import by_script

READER = {"Accept": "text/html", "Accept-Language": "en"}
WHO = {"plays_red": "on", "name_red": "Ann & <Bo>", "bot_blue": "fair", "plays_green": "on"}


class Form(HTMLParser):
    """What a browser would send of the form of a new game: hidden fields, and what is checked or selected."""

    def __init__(self, page):
        super().__init__()
        self.sent, self.select = {}, ""
        self.feed(page.split('id="new-game"')[1].split("</form>")[0])

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag == "input" and (found.get("type") not in ("checkbox", "radio") or "checked" in found):
            self.sent[found["name"]] = found.get("value", "on")
        elif tag == "select":
            self.select = found["name"]
        elif tag == "option" and "selected" in found:
            self.sent[self.select] = found.get("value", "")


def answers(page):
    return Form(page).sent


def asked(client, **sent):
    answer = client.get("/start", query_string=sent, headers=READER)
    assert answer.status_code == 200
    return answer.text


def test_the_empty_table_says_what_the_game_is_and_asks_one_thing(house):
    page = house.client().get("/", headers=READER).text
    assert page.count("button go") == 1
    assert "the most happiness wins" in page
    other = house.client().get("/?plays=wasteland", headers=READER).text
    assert 'href="/start?game=wasteland"' in other
    assert "influence" in other


def test_a_game_begins_by_four_pages_without_a_script(house):
    client = house.client()
    assert 'name="level_' not in asked(client)
    page = asked(client, **WHO, step="vault")
    assert answers(page)["first"] == "red"
    page = asked(client, **answers(page), up="green")
    page = asked(client, **{**answers(page), "first": "green"}, step="cards")
    final = {**answers(page), "cards": "table", "rule_income_automatic": "on", "bot_blue": "hard"}
    assert "PIN" in page
    answer = client.post("/start", data={**final, "pin": PIN}, headers=READER)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/start/phones")
    state = house.state
    assert [level["owner"] for level in state["levels"].values()] == [None, "red", "green", "blue"]
    assert (state["order"], state["first"]) == (["red", "blue", "green"], "green")
    assert (state["players"]["red"]["name"], state["players"]["blue"]["bot"]) == (WHO["name_red"], "hard")
    assert state["options"] == {"pack": "homemade", "cards": "table", "house_rules": {"income_automatic": True}}
    assert client.get("/host", headers=READER).text.count('id="logout"') == 1, "the phone is the host's now"


def test_a_wrong_pin_stays_on_the_page_and_keeps_every_answer(house):
    client = house.client()
    page = asked(client, **WHO, step="cards")
    sent = {**answers(page), "cards": "table", "pin": "000000"}
    again = client.post("/start", data=sent, headers=READER)
    assert again.status_code == 403
    assert 'id="pin-wrong"' in again.text
    assert {**answers(again.text), "pin": ""} == {**sent, "pin": ""}
    assert "000000" not in again.text
    assert house.state["id"] is None


def test_the_pin_is_in_no_address(house):
    client = house.client()
    sent = {**answers(asked(client, **WHO, step="cards")), "pin": PIN, "step": "vault"}
    answer = client.post("/start", data=sent, headers=READER)
    assert answer.status_code == 303
    assert PIN not in answer.headers["Location"]
    assert "step=vault" in answer.headers["Location"]
    assert house.state["id"] is None


def test_nobody_begins_a_game_without_the_pin(house):
    seat = house.seated("red")
    for client in (house.client(), seat):
        sent = answers(asked(client, **WHO, step="cards"))
        assert client.post("/start", data={**sent, "pin": ""}, headers=READER).status_code == 403
    assert house.state["id"] is None


@pytest.mark.parametrize("step", ["vault", "cards"])
def test_one_alone_does_not_get_further_than_who_plays(house, step):
    page = asked(house.client(), plays_red="on", step=step)
    assert 'role="alert"' in page
    assert "plays-red" in page


def test_who_played_last_is_asked_again(house):
    house.start(names={"red": "Ann"}, bots={"green": "easy"})
    found = answers(asked(house.client()))
    assert (found["plays_red"], found["name_red"], found["bot_green"]) == ("on", "Ann", "easy")
    assert "plays_yellow" not in found


def test_phones_are_handed_out_one_after_the_other(house):
    house.start(bots={"green": "easy"})
    client = house.client()
    page = client.get("/start/phones", headers=READER).text
    assert page.count('class="qr"') == 1
    assert house.access.code("red") in page
    assert house.access.code("blue") not in page
    data = {"code": house.access.code("red"), "back": "/start/phones"}
    taken = client.post("/api/seats/red/claim", data=data, headers=READER)
    assert taken.headers["Location"] == "/start/phones"
    page = client.get("/start/phones", headers=READER).text
    assert house.access.code("blue") in page
    assert 'href="/seat/red"' in page
    page = client.get("/start/phones?skip=blue", headers=READER).text
    assert 'class="qr"' not in page
    assert house.client().get("/start/phones?skip=mauve.").status_code == 200


def test_before_a_game_there_is_nobody_to_hand_a_phone_to(house):
    assert house.client().get("/start/phones").status_code == 200


def test_a_wrong_code_and_a_wrong_pin_are_told_beside_their_field(house):
    house.start()
    client = house.client()
    answer = client.post("/api/seats/red/claim", data={"code": "nonono"}, headers=READER)
    assert answer.status_code == 403
    assert 'id="claim"' in answer.text
    assert 'aria-invalid="true"' in answer.text
    answer = client.post("/api/host/login", data={"pin": "1", "back": "/wasteland/new"}, headers=READER)
    assert answer.status_code == 403
    assert 'aria-invalid="true"' in answer.text
    assert 'name="back" value="/wasteland/new"' in answer.text
    answer = client.post("/api/host/login", data={"pin": PIN, "back": "/wasteland/new"}, headers=READER)
    assert answer.headers["Location"] == "/wasteland/new"
    answer = client.post("/api/host/login", data={"pin": PIN, "back": "//evil.example"}, headers=READER)
    assert answer.headers["Location"] == "/"


def test_the_wasteland_asks_one_thing_a_page_and_begins_by_the_pin(house):
    client = house.client()
    page = asked(client, game="wasteland")
    assert 'name="bot_red"' in page
    assert 'type="radio"' not in page
    who = {"plays_red": "on", "name_red": "Ann", "plays_green": "on"}
    page = asked(client, **{**answers(page), **who, "step": "scenario"})
    assert "The Salt Road" in page
    page = asked(client, **{**answers(page), "scenario": "low-tide", "step": "cards"})
    page = asked(client, **{**answers(page), "cards": "table", "step": "more"})
    final = {**answers(page), "first": "green", "survivor_green": "the-netmaker"}
    wrong = client.post("/start", data={**final, "pin": "000000"}, headers=READER)
    assert wrong.status_code == 403
    assert {**answers(wrong.text), "pin": ""} == {**final, "pin": ""}
    answer = client.post("/start", data={**final, "pin": PIN}, headers=READER)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/start/phones")
    state = house.state
    assert (state["game"], state["order"], state["first"]) == ("wasteland", ["red", "green"], "green")
    assert (state["options"]["scenario"], state["options"]["cards"]) == ("low-tide", "table")
    assert state["players"]["red"]["name"] == "Ann"
    while house.state["phase"] == "setup":
        choice = house.state["pending"][0]
        assert (choice["kind"], choice["by"]) != ("survivor", "green"), "that was answered"
        house.tap(None, do="choose", by=choice["by"], id=choice["id"], option=choice["options"][-1])
    assert house.state["players"]["green"]["survivor"] == "the-netmaker"
    phones = client.get("/start/phones", headers=READER).text
    assert phones.count("<li class=") >= 5
    assert "Scenario" in phones


def test_a_bot_of_the_last_game_plays_the_wasteland_too(house):
    house.start(names={"red": "Ann"}, bots={"green": "easy"})
    client = house.client()
    found = answers(asked(client, game="wasteland"))
    assert (found["bot_green"], "plays_green" in found) == ("easy", False)
    page = asked(client, **{**found, "game": "wasteland", "plays_red": "on", "step": "more"})
    client.post("/start", data={**answers(page), "pin": PIN}, headers=READER)
    assert (house.state["game"], house.state["players"]["green"]["bot"]) == ("wasteland", "easy")


def test_one_survivor_is_enough(house):
    page = asked(house.client(), game="wasteland", plays_red="on", step="scenario")
    assert 'class="wrong"' not in page


def test_a_game_without_pages_of_its_own_asks_who_plays_and_begins(pig, house):
    client = house.client()
    page = asked(client, game=pig.name, plays_red="on", step="more")
    assert "2 have to play at least" in page
    page = asked(client, **{**answers(page), "plays_blue": "on", "name_red": "Ada", "step": "more"})
    assert "PIN" in page
    answer = client.post("/start", data={**answers(page), "pin": PIN}, headers=READER)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/start/phones")
    assert (house.state["game"], house.state["order"]) == ("pig", ["red", "blue"])
    assert house.state["players"]["red"]["name"] == "Ada"


def test_a_free_seat_is_taken_by_one_tap_on_the_page_of_codes(house):
    house.start()
    client = house.client()
    page = client.get("/join", headers=READER).text
    form = page.split('action="/api/seats/blue/claim"')[1].split("</form>")[0]
    code = re.search(r'name="code" value="(\w+)"', form)[1]
    answer = client.post("/api/seats/blue/claim", data={"code": code}, headers=READER)
    assert answer.headers["Location"] == "/seat/blue"
    assert 'action="/api/seats/blue/claim"' not in client.get("/join").text
    assert f'value="{house.access.code("red")}"' in client.get("/join?seat=red").text


def test_a_seat_that_has_finished_no_game_is_offered_the_guide_once(house):
    house.start(names={"red": "Ann", "blue": "Bo"})
    red = house.seated("red")
    assert 'id="guide-offer"' in red.get("/seat/red").text
    assert 'id="guide-offer"' not in house.client().get("/seat/red").text
    assert red.post("/phone", data={"switch": "known", "back": "/seat/red"}).status_code == 303
    assert 'id="guide-offer"' not in red.get("/seat/red").text
    blue = house.seated("blue")
    blue.post("/phone", data={"switch": "guide", "back": "/seat/blue"})
    page = blue.get("/seat/blue").text
    assert 'id="guide"' in page
    assert 'id="guide-offer"' not in page


def test_who_has_finished_a_game_is_not_offered_the_guide(house):
    house.start(names={"red": "Ann"})
    house.tap(None, do="correct", set={"last_round": True, "pending": []})
    by_script(house, random.Random(7), lambda state: state["phase"] == "over")
    house.start(names={"red": "Ann", "blue": "Bo"})
    assert 'id="guide-offer"' not in house.seated("red").get("/seat/red").text
    assert 'id="guide-offer"' in house.seated("blue").get("/seat/blue").text
