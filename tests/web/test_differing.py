"""The table disagrees: said in words to everybody, settled by the seat concerned or the host."""

import re

import pytest
from at_the_door import BEARER

from companion.languages.catalogues import codes
from companion.table.session.intents import HOST, TableSeen
from companion.table.sight.eye import Window
from companion.table.sight.reading import Figure, Reading
from web.base.words import words_in
from web.games.shelter.cards import cards_of
from web.games.shelter.disagreements import disagreements


def seen(house, *figures):
    state = house.state
    rooms = {f"{level}:{at}": card for level, found in state["levels"].items() for at, card in found["rooms"].items()}
    tracks = {f"{name}:{number}": card for name, row in state["tracks"].items() for number, card in enumerate(row)}
    reading = Reading(cards={**rooms, **state["threats"], **tracks}, dwellers=tuple(figures))
    for at in (0.0, 10.0):
        house.session.ask(TableSeen(reading, at + state["seq"])).result(30)
    return house.state["table"]["disagreements"]


def buttons(page):
    return re.findall(r'id="d-\d+-(\w+)"', page)


def test_the_seat_concerned_settles_it_and_others_only_read_of_it(house):
    house.start()
    seen(house)
    house.tap(None, do="correct", set={"round": 1})
    (one,) = seen(house, Figure("1:R1a", "blue", "standing"))
    assert (one["kind"], one["by"]) == ("turn", "blue")
    red, blue = house.seated("red"), house.seated("blue")
    for page in (blue.get("/seat/blue"), house.client().get("/host", headers=BEARER)):
        assert "not their turn" in page.text
        assert buttons(page.text) == ["moved", "right", "ignore"]
    assert "To be settled by Blue" in red.get("/seat/red").text
    assert buttons(red.get("/seat/red").text) == []
    assert house.tap(red, do="resolve", id=one["id"], option="right").status_code == 403
    assert house.tap(blue, do="resolve", id=one["id"], option="right").status_code == 200
    assert house.state["placed"]["1:R1a"]["by"] == "blue"
    assert "differing" not in blue.get("/seat/blue").text


@pytest.mark.parametrize(
    ("one", "told"),
    [
        ({"kind": "extra", "seen": "blue"}, "Blue stands on: Diner, left, Level 2"),
        ({"kind": "extra", "seen": "blue", "expected": "red"}, "Red stands there already"),
        ({"kind": "extra", "seen": "blue", "expected": "blue"}, "too many"),
        ({"kind": "missing", "expected": "blue"}, "Blue should stand on"),
        ({"kind": "pose", "seen": "lying", "expected": "standing"}, "Blue lies on"),
        ({"kind": "pose", "seen": "standing", "expected": "lying"}, "In the record they lie"),
        ({"kind": "pose", "seen": "blue"}, "The injured belong"),
        ({"kind": "rule", "seen": "blue", "clause": "P4"}, "rules do not allow"),
        ({"kind": "card", "seen": "lounge", "expected": "diner"}, "Lounge lies there, the record has Diner"),
        ({"kind": "card", "expected": "diner"}, "nothing lies there"),
        ({"kind": "card", "seen": "lounge", "place": "rooms:1"}, "Room track, place 2: Lounge"),
        ({"kind": "card", "seen": "elevator-red", "place": "2:E"}, "(Red) lies there"),
        ({"kind": "card", "seen": "lounge", "place": "3:R2"}, "Right of the elevator, 2, Level 3: Lounge"),
        ({"kind": "rule", "place": "2:R1a,1:R1b"}, "left, Level 2, "),
    ],
)
def test_every_kind_has_its_words(house, one, told):
    house.start()
    names = {"R1": "diner"}
    state = {**house.state, "levels": {**house.state["levels"], "2": {"owner": "red", "rooms": names}}}
    nothing = {"id": 3, "place": "2:R1a", "seen": None, "expected": None, "by": "blue", "clause": None, "options": []}
    state["table"] = {**state["table"], "disagreements": [{**nothing, **one}]}
    for language in codes()[1:]:
        assert disagreements(words_in(language), state, cards_of(None), HOST)[0].text
    assert told in disagreements(words_in("en"), state, cards_of(None), HOST)[0].text


def test_without_a_camera_the_host_is_told_that_none_is_needed(house):
    page = house.client().get("/host", headers=BEARER).text
    assert "Everything can be played without one" in page
    assert "<img" not in page


def test_what_the_rules_say_is_told_in_words(house):
    house.start()
    house.tap(None, do="correct", set={"turn": "red", "players": {"red": {"resources": {"water": 0, "energy": 0}}}})
    seen(house)
    house.tap(None, do="correct", set={"round": 1})
    (one,) = seen(house, Figure("3:E", "red", "standing"))
    assert (one["kind"], one["clause"], one["why"]["code"]) == ("rule", "P4", "not_your_elevator")
    page = house.seated("red").get("/seat/red").text
    assert "Red stands on: Elevator, Level 3." in page
    assert "do not allow" not in page
    assert "Rule P4" in page


def test_a_way_out_that_cannot_succeed_is_not_offered(house):
    house.start()
    seen(house)
    house.tap(None, do="correct", set={"round": 1})
    (one,) = seen(house, Figure("1:R1a", "red", "standing"), Figure("1:R1a", "red", "standing"))
    assert (one["kind"], one["why"]["code"]) == ("rule", "one_dweller")
    assert one["options"] == ["moved", "ignore"]
    assert buttons(house.seated("red").get("/seat/red").text) == ["moved", "ignore"]


PHOTO = b"\xff\xd8 the place \xff\xd9"


def short_of_energy(house):
    """Blue stands on a space that Blue cannot pay, and sees what is short."""
    house.start()
    seen(house)
    poor = {"players": {"blue": {"resources": {"water": 3, "food": 0, "energy": 0}}}, "turn": "blue"}
    house.tap(None, do="correct", set=poor)
    house.tap(None, do="correct", set={"threats": {}})
    (one,) = seen(house, Figure("1:L1a", "blue", "standing"))
    assert one["why"]["code"] == "cannot_pay"
    return one


def test_it_says_what_is_missing_to_whoever_looks(house):
    one = short_of_energy(house)
    (told,) = disagreements(words_in("en"), house.state, cards_of(None), HOST)
    assert [(line.icon, line.costs, line.has) for line in told.purse] == [("food", 3, 0)]
    for page in (house.seated("blue").get("/seat/blue"), house.client().get("/table"), house.client().get("/")):
        assert f'src="/api/disagreements/{one["id"]}.jpg"' in page.text
        assert "It costs" in page.text
        assert "Blue has" in page.text
    assert "To be settled by Blue" in house.client().get("/table").text


def test_a_way_out_says_what_it_will_do(house):
    house.start()
    seen(house)
    house.tap(None, do="correct", set={"round": 1})
    (one,) = seen(house, Figure("1:R1a", "blue", "standing"))
    assert [move["do"] for move in one["right"]] == ["correct", "place"]
    position = house.session.snapshots.latest.position
    (told,) = disagreements(words_in("en"), house.state, cards_of(None), HOST, position)
    brings = {way.option: way.brings for way in told.ways}
    assert brings == {"moved": (), "right": (("water", "+1"),), "ignore": ()}
    blue = house.seated("blue")
    assert "this is what it brings" in blue.get("/seat/blue").text
    house.tap(blue, do="resolve", id=one["id"], option="right")
    assert house.state["players"]["blue"]["resources"]["water"] == 1


def test_the_picture_of_the_place_is_there_as_long_as_it_is_disagreed_on(make_house, monkeypatch):
    monkeypatch.setattr("web.base.streams.PICTURE_PATIENCE", 0.05)
    monkeypatch.setattr("web.base.streams.FRESH", 0.05)
    window = Window(lambda: 0.0)
    house = make_house(sight=window)
    number = short_of_energy(house)["id"]
    path = f"/api/disagreements/{number}.jpg"
    assert house.client().get(path).json["error"]["code"] == "no_picture"
    window.show(PHOTO, None, drawn=False, place="1:L1a")
    answer = house.client().get(path)
    assert (answer.data, answer.mimetype, answer.headers["Cache-Control"]) == (PHOTO, "image/jpeg", "no-store")
    house.tap(None, do="resolve", id=number, option="ignore")
    assert house.client().get(path).json["error"]["code"] == "no_such_disagreement"
