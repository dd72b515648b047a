"""Numbers of thousands of digits are refused wherever they arrive, and the table plays on."""

import evening_out
import pytest
from at_the_door import BEARER, PIN

DIGITS = "9" * 5000
LEVELS = {"levels": {DIGITS: {}}}


def refused(answer, field=None):
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "malformed"), answer.text[:300]
    assert len(answer.text) < 1000
    if field is not None:
        assert answer.json["error"]["fields"]["field"] == field


def still_plays(house):
    assert house.session.failure is None
    assert house.client().get("/healthz").status_code == 200
    before = house.state["version"]
    assert house.tap(None, do="place", by="red", space="1:R1a").status_code == 200
    assert house.state["version"] == before + 1


@pytest.mark.parametrize(
    "body",
    [
        f'{{"do": "correct", "set": {{"levels": {{"{DIGITS}": {{}}}}}}}}',
        f'{{"do": "correct", "set": {{"round": {DIGITS}}}}}',
        f'{{"do": "correct", "set": {{"players": {{"red": {{"happiness": {DIGITS[:400]}}}}}}}}}',
        f'{{"do": "undo", "to": {DIGITS}}}',
        f'{{"do": "choose", "by": "red", "option": "water", "id": {DIGITS}}}',
        f'{{"do": "spawn", "if_version": {DIGITS}}}',
        '{"do": "spawn", "dice": ' + "[" * 30 + "]" * 30 + "}",
        f'{{"do": "spawn", "{DIGITS}": 1}}',
        '{"do": "spawn", "if_version": 1e400}',
    ],
    ids=["level", "round", "happiness", "undo", "choose", "version", "deep", "key", "infinite"],
)
def test_a_move(house, body):
    house.start()
    refused(house.client().post("/api/moves", data=body, content_type="application/json", headers=BEARER), "body")
    refused(house.client().post("/moves", data={"move": body}, headers=BEARER), "move")
    still_plays(house)


@pytest.mark.parametrize("digits", [400, 5000])
@pytest.mark.parametrize(
    "path", ["/api/host/settings", "/api/host/games", "/api/host/odds", "/api/host/login", "/api/seats/red/claim"]
)
def test_every_body(house, path, digits):
    house.start()
    body = f'{{"rest": {DIGITS[:digits]}, "setup": {{}}, "pin": 1, "code": 1}}'
    refused(house.client().post(path, data=body, content_type="application/json", headers=BEARER), "body")
    still_plays(house)


def test_the_rest_in_a_form(house):
    house.start()
    host = house.client()
    host.post("/api/host/login", json={"pin": PIN})
    for rest in (DIGITS, DIGITS[:400], "1e400"):
        refused(host.post("/api/host/settings", data={"way": "button", "rest": rest}), "rest")
    still_plays(house)


def test_the_numbers_of_addresses(house):
    house.start()
    client, game = house.client(), house.state["id"]
    refused(client.get("/api/events", headers={"Last-Event-ID": DIGITS}), "Last-Event-ID")
    refused(client.get(f"/history/{game}?step={DIGITS}"), "step")
    refused(client.get(f"/seat/red/missed?since={DIGITS}"), "since")
    assert client.get(f"/history/{DIGITS}?step=1").status_code == 404
    still_plays(house)


def test_the_number_of_a_card_of_the_other_game(house):
    evening_out.begin(house)
    for place in (DIGITS, "x"):
        answer = house.client().get(f"/wasteland/cards/quest/{place}", headers=BEARER)
        assert answer.status_code == (400 if place == DIGITS else 404)


@pytest.mark.parametrize("key", [DIGITS, "9" * 19, "²", "0", "01"])
def test_a_level_that_there_is_not(make_house, key):
    house = make_house()
    house.start()
    answer = house.tap(None, do="correct", set={"levels": {key: {}}})
    assert (answer.status_code, answer.json["error"]["code"]) in ((409, "no_such_level"), (400, "malformed"))
    still_plays(house)
