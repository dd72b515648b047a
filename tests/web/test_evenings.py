"""Evenings that differ, on the pages without a script."""

from at_the_door import BEARER, PIN
from test_start import READER, answers, asked

from companion.cards.evenings.house_calls import our_calls
from companion.languages import catalogues

DRY = {"id": "dry-pipes", "effects": [{"do": "dry", "of": "water", "where": "top", "until": 3}]}


def get(house, path, language="en"):
    return house.client().get(path, headers={**READER, "Accept-Language": language}).text


def test_a_house_call_is_begun_by_a_switch_and_offered_again(house):
    client = house.client()
    page = asked(client, plays_red="on", plays_blue="on", house_call="on", step="vault")
    page = asked(client, **{**answers(page), "step": "cards"})
    assert answers(page)["house_call"] == "on"
    answer = client.post("/start", data={**answers(page), "pin": PIN}, headers=READER)
    assert answer.headers["Location"] == "/start/phones"
    assert house.state["house_call"]["id"] in {call.id for call in our_calls()}
    assert answers(asked(client))["house_call"] == "on", "the next evening is offered as the last one was"


def test_without_the_switch_there_is_none(house):
    client = house.client()
    page = asked(client, plays_red="on", plays_blue="on", step="cards")
    client.post("/start", data={**answers(page), "pin": PIN}, headers=READER)
    assert "house_call" not in house.state
    assert 'id="house-call"' not in get(house, "/")


def test_everybody_reads_it_in_one_sentence_and_when_it_turns(house):
    house.start(house_calls=[DRY])
    for language in catalogues.codes():
        name = catalogues.catalogue(language, "evenings")["call_dry_pipes"]
        for path in ("/", "/table", "/seat/red"):
            assert name in get(house, path, language), (path, language)
    assert "Top level: no water, until the end of round 3." in get(house, "/")
    house.tap(None, do="correct", set={"round": 3, "phase": "recall"})
    assert house.tap(None, do="recall").status_code == 200
    assert house.state["house_call"]["now"] == []


def test_the_record_keeps_what_it_was_drawn_from(house):
    house.start(house_calls=True)
    game = house.state["id"]
    entries = house.app.extensions["companion"].stories.entries(game)
    kept = entries[0].body["setup"]["house_calls"]
    assert [call["id"] for call in kept] == [call.id for call in our_calls()]


def test_an_owners_file_with_faults_is_refused_with_file_and_line(house):
    folder = house.folder / "house-calls"
    folder.mkdir()
    file = folder / "odd.toml"
    file.write_text('[[call]]\nid = "odd"\nnames = { en = "Odd" }\neffects = [{ do = "rain" }]\n')
    setup = {"players": ["red", "blue"], "levels": ["red", "blue"], "first": "red", "house_calls": True}
    answer = house.client().post("/api/host/games", json={"setup": setup}, headers=BEARER)
    assert answer.status_code >= 400
    assert f"{file}:4: odd: found do = " in str(answer.json)
    file.write_text('[[call]]\nid = "odd"\nnames = { en = "Odd" }\neffects = [{ do = "calm" }]\n')
    assert house.client().post("/api/host/games", json={"setup": setup}, headers=BEARER).status_code == 200
