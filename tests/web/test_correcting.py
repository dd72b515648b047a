"""Corrections of anything by form, by the host or a seat for its own board."""

import html
import re

import pytest
from at_the_door import BEARER, tight

from companion.languages.catalogues import codes
from web.base.words import words_in
from web.games.shelter.cards import cards_of
from web.games.shelter.corrections import correction, part, parts

ENGLISH = words_in("en")


def fields(page):
    """What a browser would send of the form: its values as they are shown."""
    form = tight(page[page.index('id="correct"') :])
    sent = {"mark": re.search(r'name="mark" value="(\w+)"', form)[1]}
    for name, inner in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', form):
        sent[name] = re.search(r'<option value="([^"]*)" selected', inner)[1]
    for tag in re.findall(r"<input [^>]*>", form):
        name = re.search(r'name="([^"]+)"', tag)[1]
        value = re.search(r'value="([^"]*)"', tag)
        if 'type="number"' in tag or ("checked" in tag and "radio" in tag):
            sent[name] = value[1]
        elif "checkbox" in tag and "checked" in tag:
            sent[name] = "on"
    return {name: html.unescape(value) for name, value in sent.items()}


def put_right(house, key, *, client=None, language="en", **changes):
    headers = {"Accept-Language": language} | ({} if client else BEARER)
    client = client or house.client()
    sent = fields(client.get(f"/correct/{key}", headers=headers).text)
    return client.post(f"/correct/{key}", data={**sent, **changes}, headers=headers)


def a_full_table(house):
    house.start(
        start={
            "phase": "place",
            "players": {
                "red": {
                    "available": ["plain", "injured", "S", "injured+P"],
                    "items": [{"id": "minigun", "exhausted": True}],
                    "arriving": 1,
                }
            },
            "placed": {"1:R1a": {"by": "blue", "dwellers": ["plain"]}},
            "threats": {"1:R1b": "raider"},
        }
    )


def test_a_form_sent_as_it_was_changes_nothing(house):
    a_full_table(house)
    version = house.state["version"]
    for key, _, _ in parts(ENGLISH, house.state):
        answer = put_right(house, key)
        assert (answer.status_code, answer.location) == (303, f"/correct/{key}?done=1")
    assert house.state["version"] == version


@pytest.mark.parametrize(
    ("key", "changes", "then"),
    [
        ("red", {"name": " Anna Żó "}, {"name": "Anna Żó"}),
        ("red", {"water": "4", "happiness": "7"}, {"resources": {"water": 4}, "happiness": 7}),
        ("red", {"passed": "on", "arriving": "2"}, {"passed": True, "arriving": 2}),
        (
            "red",
            {"plain": "3", "letter_S": "injured+S", "letter_P": ""},
            {"available": ["plain", "plain", "plain", "injured", "injured+S"]},
        ),
        ("red", {"item_0": "", "item_1": "husky"}, {"items": [{"id": "husky", "exhausted": False}]}),
        (
            "red",
            {"item_1": "husky"},
            {"items": [{"id": "minigun", "exhausted": True}, {"id": "husky", "exhausted": False}]},
        ),
    ],
)
def test_a_players_board(house, key, changes, then):
    a_full_table(house)
    assert put_right(house, key, **changes).status_code == 303
    board = house.state["players"]["red"]
    board = {**board, "available": sorted(board["available"])}
    for name, wanted in then.items():
        if name == "resources":
            assert board[name]["water"] == wanted["water"]
        else:
            assert board[name] == (sorted(wanted) if name == "available" else wanted)


def test_a_tick_that_is_taken_away(house):
    a_full_table(house)
    client = house.client()
    sent = fields(client.get("/correct/red", headers=BEARER).text)
    del sent["spent_0"]
    assert client.post("/correct/red", data=sent, headers=BEARER).status_code == 303
    assert house.state["players"]["red"]["items"] == [{"id": "minigun", "exhausted": False}]


def test_rooms_threats_and_figures_of_a_level(house):
    a_full_table(house)
    changes = {"threat_1:R1b": "", "threat_1:R3a": "raider", "stands_1:R1a": "red injured", "stands_1:E": "blue plain"}
    assert put_right(house, "1", **changes).status_code == 303
    state = house.state
    assert state["threats"] == {"1:R3a": "raider"}
    assert state["placed"]["1:R1a"] == {"by": "red", "dwellers": ["injured"]}
    assert state["placed"]["1:E"] == {"by": "blue", "dwellers": ["plain"]}
    assert put_right(house, "1", **{"stands_1:E": ""}).status_code == 303
    assert "1:E" not in house.state["placed"]
    assert put_right(house, "2", room_L1="garden").status_code == 303
    assert house.state["levels"]["2"]["rooms"]["L1"] == "garden"
    assert put_right(house, "2", room_L1="").status_code == 303
    assert "L1" not in house.state["levels"]["2"]["rooms"]


def test_two_dwellers_stand_on_a_linked_space(house):
    house.start()
    cards = cards_of(None)
    linked = [card.id for card in cards.pack.rooms if card.spaces[0].linked or card.spaces[1].linked]
    state = {**house.state, "levels": {"2": {"owner": "red", "rooms": {"R1": linked[0]}}}}
    side = "a" if cards.rooms[linked[0]].spaces[0].linked else "b"
    made = part(ENGLISH, state, cards, "2")
    options = next(one for group in made.groups for one in group.fields if one.name == f"stands_2:R1{side}").options
    assert "red plain injured" in dict(options)
    values = {**made.values, f"stands_2:R1{side}": "red plain injured"}
    assert correction(made, values) == {"placed": {f"2:R1{side}": {"by": "red", "dwellers": ["plain", "injured"]}}}


def test_round_turn_house_rules_and_open_choices(house):
    a_full_table(house)
    changes = {"round": "4", "turn": "green", "first": "blue", "last_round": "on", "rule_income_automatic": "on"}
    assert put_right(house, "game", **changes).status_code == 303
    state = house.state
    assert (state["round"], state["turn"], state["first"], state["last_round"]) == (4, "green", "blue", True)
    assert state["options"]["house_rules"] == {"income_automatic": True}
    assert put_right(house, "game", phase="recall", turn="").status_code == 303
    assert house.state["phase"] == "recall"


def test_open_choices_are_closed(house):
    house.start(start={"players": {"red": {"resources": {"water": 3, "food": 3, "energy": 3}}}})
    for move in house.client().get("/api/legal?by=red").json["moves"]:
        if not house.state["pending"] and house.state["turn"] == "red" and move["do"] == "place":
            house.tap(None, **{name: move[name] for name in move if name != "preview"})
            if not house.state["pending"]:
                house.tap(None, do="undo")
    assert house.state["pending"]
    assert put_right(house, "game", drop="on").status_code == 303
    assert house.state["pending"] == []


def test_the_tracks(house):
    a_full_table(house)
    lying = house.state["tracks"]["items"]
    wanted = next(card for card in ("globe", "husky", "shotgun", "minigun") if card not in lying)
    assert put_right(house, "tracks", items_0=wanted).status_code == 303
    assert house.state["tracks"]["items"] == [wanted, *lying[1:]]


@pytest.mark.parametrize(
    ("key", "changes", "told"),
    [
        ("red", {"plain": "7"}, "more than seven dwellers"),
        ("2", {"room_R3": "lounge"}, "without a gap"),
        ("1", {"room_L3": ""}, "six red-backed rooms"),
        ("red", {"item_1": "minigun", "item_0": "minigun"}, "lie somewhere else"),
        ("red", {"happiness": "12345"}, "from 0 to 999"),
    ],
)
def test_what_cannot_be_is_told_in_words_and_keeps_what_was_typed(house, key, changes, told):
    a_full_table(house)
    answer = put_right(house, key, **changes)
    assert answer.status_code == 409
    assert told in answer.text
    for name, value in changes.items():
        assert fields(answer.text)[name] == value
    for language in codes()[1:]:
        assert told not in put_right(house, key, language=language, **changes).text


@pytest.mark.parametrize(
    ("changes", "status"),
    [({"water": "x"}, 400), ({"water": "-1"}, 400), ({"item_0": "nothing-like-it"}, 400), ({"water": "٤"}, 400)],
)
def test_what_no_form_sends(house, changes, status):
    a_full_table(house)
    answer = put_right(house, "red", **changes)
    assert answer.status_code == status
    assert "did not understand" in answer.text


def test_a_form_that_is_behind_changes_nothing_and_one_beside_a_move_does(house):
    a_full_table(house)
    client = house.client()
    sent = fields(client.get("/correct/red", headers=BEARER).text)
    house.tap(None, do="correct", set={"players": {"blue": {"happiness": 3}}})
    assert client.post("/correct/red", data={**sent, "food": "5"}, headers=BEARER).status_code == 303
    assert house.state["players"]["blue"]["happiness"] == 3
    answer = client.post("/correct/red", data={**sent, "food": "2"}, headers=BEARER)
    assert answer.status_code == 409
    assert "gone on" in answer.text
    assert fields(answer.text)["food"] == "5"


def test_a_seat_corrects_its_own_board_alone(house):
    a_full_table(house)
    red = house.seated("red")
    assert put_right(house, "red", client=red, water="2").status_code == 303
    assert house.state["players"]["red"]["resources"]["water"] == 2
    assert red.get("/correct/blue").status_code == 403
    assert red.get("/correct/game").status_code == 403
    assert house.client().get("/correct/red").status_code == 401
    index = red.get("/correct/").text
    assert 'href="/correct/red"' in index
    assert 'href="/correct/blue"' not in index


def test_no_such_part_and_no_game(house):
    assert "No game yet" in house.client().get("/correct/", headers=BEARER).text
    assert house.client().get("/correct/red", headers=BEARER).status_code == 404
    house.start()
    assert house.client().get("/correct/9", headers=BEARER).status_code == 404
    house.client().post("/api/host/freeze", headers=BEARER)
    assert put_right(house, "red", water="2").status_code == 409


def test_a_game_that_goes_on_while_a_form_is_sent_is_caught_up_with(house, monkeypatch):
    a_full_table(house)
    home, moves = house.app.extensions["companion"], []
    latest = type(home).latest

    def a_move_behind(self):
        """What a form reads has been followed by a move already, a few times."""
        found = latest.fget(self)
        if moves:
            house.tap(None, do="correct", set={"players": {"blue": {"happiness": moves.pop()}}})
        return found

    monkeypatch.setattr(type(home), "latest", property(a_move_behind))
    sent = fields(house.client().get("/correct/red", headers=BEARER).text)
    moves += [1, 2]
    assert house.client().post("/correct/red", data={**sent, "food": "5"}, headers=BEARER).status_code == 303
    assert house.state["players"]["red"]["resources"]["food"] == 5
    sent = fields(house.client().get("/correct/red", headers=BEARER).text)
    moves += list(range(3, 33))
    answer = house.client().post("/correct/red", data={**sent, "food": "1"}, headers=BEARER)
    assert answer.status_code == 503
    assert house.state["players"]["red"]["resources"]["food"] == 5
