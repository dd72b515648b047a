"""Bots of the second game on the pages: the host's list of chairs, and what the feed says of their moves."""

from at_the_door import BEARER
from evening_out import begin

from companion.bots.policy.characters import CHARACTERS
from companion.games import registry
from companion.table.session.intents import Propose
from web.base.words import words_in


def test_the_host_sees_who_plays_and_everybody_reads_why(house):
    begin(house, bots={"red": "fair"}, scenario="the-sunken-bell")
    page = house.client().get("/host/bots", headers=BEARER)
    assert page.status_code == 200
    assert "Bot, fair" in page.text
    choice = (house.state["pending"] or [None])[0]
    move = (
        {"do": "choose", "by": "red", "id": choice["id"], "option": choice["options"][0]}
        if choice
        else {"do": "end", "by": "red"}
    )
    house.session.ask(Propose(move, {"why": "w_end"})).result(20)
    assert "because: nothing more is worth the danger" in house.client().get("/seat/blue").text


def test_the_pages_of_bots_and_columns_speak_of_the_game_that_is_played(house):
    house.start()
    page = house.client().get("/host/bots", headers=BEARER).text
    assert "it says where its dweller goes" in page
    assert "Bot, builder" in page
    host = house.client().get("/host", headers=BEARER).text
    assert 'href="/host/columns"' in host
    begin(house, bots={"red": "fair"})
    page = house.client().get("/host/bots", headers=BEARER).text.partition("<main")[2]
    assert "wake the enemies at the end of a round" in page
    for word in ("dweller", "builder", "threats", "room"):
        assert word not in page, word
    host = house.client().get("/host", headers=BEARER).text
    assert 'href="/host/columns"' not in host
    assert 'href="/host/cards"' not in host
    assert 'href="/wasteland/cards"' in host
    assert 'href="/host/columns"' not in house.client().get("/calibrate", headers=BEARER).text
    answer = house.client().get("/host/columns", headers=BEARER)
    assert answer.status_code == 200
    assert "The wasteland has a map instead of columns." in answer.text
    assert 'href="/wasteland/cards"' in answer.text
    assert "<select" not in answer.text
    assert "<select" in house.client().get("/host/columns/standard", headers=BEARER).text


def test_a_style_of_vaults_is_no_survivors(house):
    begin(house)
    refused = house.client().post("/api/seats/blue/bot", json={"character": "builder"}, headers=BEARER)
    assert (refused.status_code, refused.json["error"]["code"]) == (409, "no_such_character")
    assert house.client().post("/api/seats/blue/bot", json={"character": "hard"}, headers=BEARER).status_code == 200


def test_every_character_of_a_game_is_known():
    for name in registry.names():
        rules = registry.game_of(name)
        assert set(rules.characters) <= set(CHARACTERS)
        for character in rules.characters:
            assert words_in("en").has(f"bot_{character}")
    assert registry.game_of("shelter").characters == CHARACTERS
