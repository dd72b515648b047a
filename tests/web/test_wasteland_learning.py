"""An evening with the owner's box, of which nobody entered a card: entered by taps while it is played."""

import base64
import re
import tomllib
from html import unescape

import cv2
import pytest
from at_the_door import BEARER, tight
from first_evening import FOUR
from first_evening import evening as first_evening

from companion.vision.cards.card_photo import write_photo
from tests.vision.test_card_photo import photo

LEARN, CARDS = "/wasteland/learn", "/wasteland/cards"


@pytest.fixture
def evening(house):
    """The first turn of red, alone with the box."""
    host = house.client()
    host.environ_base["HTTP_AUTHORIZATION"] = BEARER["Authorization"]
    host.post(f"{CARDS}/begin", data={"pack": "box"})
    form = {"plays_red": "on", "place_red": "1", "pack": "mine", "scenario": "the-commonwealth",
            "survivor_red": "vault-dweller", "first": "red"}  # fmt: skip
    assert host.post("/wasteland/new", data=form).status_code == 303
    while house.state["phase"] == "setup":
        answer(house, house.state["pending"][0]["options"][0])
    return house


def answer(house, option):
    choice = house.state["pending"][0]
    by = {"by": choice["by"]} if choice["by"] else {}
    house.tap(None, do="choose", id=choice["id"], option=option, **by)


def sent_photo(number, seed):
    """A photo of a card, as a phone sends it."""
    return base64.urlsafe_b64encode(write_photo(cv2.resize(photo(number, seed), (420, 560)))).decode()


def link(page, kind):
    found = re.search(rf'href="({LEARN}/{kind}\?[^"]*)"', page)
    return unescape(found[1])


def kept(house):
    host = house.client()
    return tomllib.loads(host.get(f"{CARDS}/wasteland-cards.toml", headers=BEARER).text)


def test_a_drawn_card_is_entered_by_its_title_and_known_the_next_time(evening):
    phone = evening.seated("red")
    evening.tap(phone, do="result", by="red", results=["draw loot"])
    page = phone.get("/seat/red").text
    assert "A card that nobody entered" in page
    form = phone.get(link(page, "card"))
    assert 'value="loot" checked' in form.text
    sent = {"deck": "loot", "name": "Ржавый нож", "kind": "weapon", "letters": ["A"], "to": "/seat/red"}
    assert phone.post(f"{LEARN}/card", data=sent).headers["Location"].endswith("/seat/red")
    assert "Ржавый нож" in phone.get("/seat/red").text
    answer(evening, "equip")
    assert kept(evening)["card"] == [
        {"name": "Ржавый нож", "deck": "loot", "kind": "weapon", "letters": "A", "id": "card-1"}
    ]
    evening.tap(phone, do="result", by="red", results=["draw loot"])
    phone.post(f"{LEARN}/card", data={**sent, "name": "ржавый  НОЖ"})
    assert kept(evening)["card"][0]["count"] == 2
    assert evening.state["players"]["red"]["weapon"]["id"] == "card-1"


def test_a_card_with_faults_comes_back_with_all_of_them(evening):
    phone = evening.seated("red")
    answer = phone.post(f"{LEARN}/enemy", data={"name": "", "level": "many", "type": "critter"})
    assert answer.status_code == 409
    assert answer.text.count("<li>") >= 3
    assert 'value="many"' in answer.text
    assert "enemy" not in kept(evening)


def test_an_encounter_is_entered_by_buttons_and_played(evening):
    phone = evening.seated("red")
    evening.tap(phone, do="encounter", by="red", icon="wasteland", level=1)
    answer(evening, "unknown-wasteland")
    where = link(phone.get("/seat/red").text, "encounter")
    assert phone.get(where).status_code == 200
    form = {"name": "The Well", "back": "wasteland", "open": "on", "count-of.option": "1", "to": "/seat/red"}
    tapped = phone.post(f"{LEARN}/encounter", data={**form, "tap": "option.0.results add caps 1"}).text
    assert 'name="option.0.results" value="caps 1"' in tight(tapped)
    caps = evening.state["players"]["red"]["caps"]
    phone.post(f"{LEARN}/encounter", data={**form, "option.0.results": ["caps 1"], "option.0.results#0": "2"})
    assert evening.state["players"]["red"]["caps"] == caps + 2
    assert evening.state["pending"] == []
    assert kept(evening)["encounter"][0]["option"] == [{"results": ["caps 2"]}]


def test_a_quest_is_entered_where_it_is_carried_out(evening):
    phone = evening.seated("red")
    evening.tap(phone, do="quest", by="red", quest=14, objective=1)
    form = phone.get(link(phone.get("/seat/red").text, "quest")).text
    assert 'value="14"' in form
    sent = {"number": "14", "name": "Fourteen", "count-of.objective": "1", "objective.0.results": ["xp 1", "trash"],
            "to": "/seat/red"}  # fmt: skip
    phone.post(f"{LEARN}/quest", data=sent)
    assert evening.state["quests"] == []
    assert kept(evening)["quest"][0]["number"] == 14


def test_who_is_not_at_the_table_enters_nothing(evening):
    stranger = evening.client()
    assert stranger.get(f"{LEARN}/card").status_code == 401
    assert stranger.post(f"{LEARN}/card", data={"name": "X"}).status_code == 401
    assert evening.seated("red").get(f"{LEARN}/cows").status_code == 400


def test_the_library_is_fetched_and_ticked_off_on_every_page(evening):
    phone = evening.seated("red")
    assert "Fetch card 14" in tight(phone.get("/join").text)
    evening.tap(phone, do="result", by="red", results=["add 47"])
    page = tight(phone.get("/hands").text)
    assert "Fetch card 47" in page
    assert "wasteland encounter" in page
    assert phone.post("/api/hands/done", data={"place": ["quest:14", "deck:47"], "back": "/hands"}).status_code == 303
    assert evening.state["hands"] == []
    evening.tap(phone, do="undo")
    assert [(one["do"], one["place"]) for one in evening.state["hands"]] == [("take", "deck:47")]
    assert "Put card 47 away" in tight(phone.get("/hands").text)


def test_results_are_put_together_by_buttons(evening):
    phone = evening.seated("red")
    form = {"to": "/seat/red", "by": "red", "level": "2"}
    page = phone.post(f"{LEARN}/result", data={**form, "tap": "results add caps 1"}).text
    assert 'name="results" value="caps 1"' in tight(page)
    caps = evening.state["players"]["red"]["caps"]
    sent = {**form, "results": ["caps 1", "heal 1"], "results#0": "LEVEL+1"}
    assert phone.post(f"{LEARN}/result", data=sent).status_code == 303
    assert evening.state["players"]["red"]["caps"] == caps + 3


def test_what_lies_in_the_shop_is_entered_there(evening):
    phone = evening.seated("red")
    where = link(phone.get("/seat/red").text, "card")
    assert "deck=asset" in where
    phone.post(f"{LEARN}/card", data={"deck": "asset", "name": "Lamp", "kind": "aid", "cost": "2", "to": "/"})
    assert evening.state["shop"].count("lamp") == 1


def test_a_card_that_was_photographed_is_named_by_the_next_photo(evening):
    phone = evening.seated("red")
    evening.tap(phone, do="result", by="red", results=["draw loot"])
    form = {"deck": "loot", "to": "/seat/red"}
    page = phone.post(f"{LEARN}/card", data={**form, "tap": "photo", "photo": sent_photo(1, 1)}).text
    assert "Not taken before" in page
    cut = re.search(r'name="cut" value="([^"]+)"', tight(page))[1]
    named = {**form, "name": "Rusty Knife", "kind": "aid", "cut": cut}
    assert phone.post(f"{LEARN}/card", data=named).status_code == 303
    evening.tap(phone, do="result", by="red", results=["draw loot"])
    page = tight(phone.post(f"{LEARN}/card", data={**form, "tap": "photo", "photo": sent_photo(1, 2)}).text)
    assert "was taken before" in page
    assert 'name="name" value="Rusty Knife"' in page
    assert 'name="id" value="rusty-knife"' in page
    page = tight(phone.post(f"{LEARN}/card", data={**form, "tap": "photo", "photo": sent_photo(2, 3)}).text)
    assert "Rusty Knife" not in page
    assert phone.post(f"{LEARN}/card", data={**form, "tap": "photo", "photo": "bm8gcGljdHVyZQ=="}).status_code == 400


def test_from_the_box_to_the_first_turn_in_ten_minutes(house):
    """As one pair of thumbs would need for all four; phones work at the same time, so a table is faster."""
    thumbs = first_evening(house)
    assert house.state["turn"] in ("red", "blue", "green", "yellow")
    assert house.state["hands"] == []
    assert [player["name"] for player in house.state["players"].values()] == ["Ada", "Błażej", "Chloé", "Дима"]
    taps, letters = sum(one.taps for one in thumbs), sum(one.letters for one in thumbs)
    assert taps <= 50
    assert letters == sum(map(len, FOUR.values()))
    assert sum(one.seconds - one.served for one in thumbs) <= 600
