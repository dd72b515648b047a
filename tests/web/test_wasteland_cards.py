"""The owner's own cards: typed in, copied, exported, imported; every fault is told and nothing is lost."""

import io
import re
import tomllib
from html import unescape

import pytest
from at_the_door import BEARER, tight
from evening_out import begin

CARDS = "/wasteland/cards"


@pytest.fixture
def host(house):
    client = house.client()
    client.environ_base["HTTP_AUTHORIZATION"] = BEARER["Authorization"]
    return client


@pytest.fixture
def own(host):
    assert host.post(f"{CARDS}/begin").status_code == 303
    return host


def data(client):
    return tomllib.loads(client.get(f"{CARDS}/wasteland-cards.toml").text)


def form_of(page):
    """The fields of a simple form as a browser would send them; enough for agendas."""
    return {
        "id": "full-purse",
        "name": "A Purse",
        "activates": ["monster", "critter"],
        "base": "1",
        "count-of.bonuses": "1",
        "bonuses.0.pays": "4",
        "bonuses.0.when": "caps 9",
        "bonuses.0.group": "purse",
        **page,
    }


def test_only_the_host_edits(house):
    client = house.client()
    assert client.get(CARDS).status_code == 303
    for path in (f"{CARDS}/begin", f"{CARDS}/import", f"{CARDS}/agenda/0", f"{CARDS}/agenda/0/copy"):
        assert client.post(path).status_code == 401


def test_it_begins_with_a_copy(host):
    assert "Begin with a copy" in host.get(CARDS).text
    assert host.get(f"{CARDS}/wasteland-cards.toml").status_code == 404
    assert host.post(f"{CARDS}/begin", data={"pack": "nothing"}).status_code == 404
    host.post(f"{CARDS}/begin")
    page = host.get(CARDS).text
    assert "A Full Purse" in page
    assert data(host)["id"] == "mine"


@pytest.mark.parametrize(
    "kind", ["agenda", "enemy", "card", "survivor", "scenario", "perk", "quest", "encounter", "head"]
)
def test_every_kind_has_a_form_that_keeps_what_it_shows(own, kind):
    before = data(own)
    page = own.get(f"{CARDS}/{kind}/0")
    assert page.status_code == 200
    assert own.post(f"{CARDS}/{kind}/0", data=sent(page.text)).status_code == 303
    assert in_order(data(own)) == in_order(before)


TAGS = re.compile(
    r'<input (?:type="checkbox" )?name="(?P<name>[^"]+)" value="(?P<value>[^"]*)"(?P<on>[^>]*)>'
    r'|<input type="checkbox" name="(?P<tick>[^"]+)" checked>'
    r'|<textarea name="(?P<area>[^"]+)"[^>]*>(?P<text>.*?)</textarea>'
    r'|<select name="(?P<select>[^"]+)">.*?<option value="(?P<option>[^"]*)" selected>',
    re.DOTALL,
)


def sent(page):
    """What a browser sends of a form that nobody has touched."""
    found = {}
    whole = tight(page[page.index('id="card"') :])
    for one in TAGS.finditer(whole):
        if one["name"] and ("checkbox" not in one[0] or "checked" in one["on"]):
            found.setdefault(one["name"], []).append(unescape(one["value"]))
        for key, value in ((one["area"], one["text"]), (one["select"], one["option"]), (one["tick"], "on")):
            if key and key != "brush":
                found[key] = [unescape(value)]
    return found


def in_order(pack):
    """Areas have no order."""
    return {**pack, "enemy": [{**row, "areas": set(row["areas"])} for row in pack["enemy"]]}


def test_a_card_is_corrected_and_copied_and_deleted(own):
    place = [card["id"] for card in data(own)["agenda"]].index("full-purse")
    assert own.post(f"{CARDS}/agenda/{place}", data=form_of({"count": "2"})).status_code == 303
    card = data(own)["agenda"][place]
    assert (card["name"], card["count"], card["bonuses"]) == ("A Purse", 2, ["4: caps 9 /purse"])
    copied = own.post(f"{CARDS}/agenda/{place}/copy")
    last = len(data(own)["agenda"]) - 1
    assert copied.headers["Location"].endswith(f"/agenda/{last}")
    assert data(own)["agenda"][last]["id"] == "full-purse-2"
    assert own.post(f"{CARDS}/agenda/{last}/delete").status_code == 303
    assert len(data(own)["agenda"]) == last
    number = len(data(own)["quest"])
    assert own.post(f"{CARDS}/quest/0/copy").status_code == 303
    assert len({quest["number"] for quest in data(own)["quest"]}) == number + 1


def test_a_new_card_with_faults_is_told_and_not_kept(own):
    before = data(own)
    answer = own.post(f"{CARDS}/agenda/new", data={"id": "Bad Id", "activates": "cows", "base": "many", "name": "Odd"})
    assert answer.status_code == 409
    assert answer.text.count("<li>") >= 3
    assert 'value="Bad Id"' in answer.text
    assert data(own) == before
    assert own.post(f"{CARDS}/agenda/new", data=form_of({"id": "fresh"})).status_code == 303
    assert data(own)["agenda"][-1]["id"] == "fresh"


def test_what_another_card_needs_is_not_deleted(own):
    place = [card["id"] for card in data(own)["card"]].index("lucky-net")
    answer = own.post(f"{CARDS}/card/{place}/delete")
    assert answer.status_code == 409
    assert "lucky-net" in answer.text


def test_dice_are_data_too(own):
    page = sent(own.get(f"{CARDS}/head/0").text)
    own.post(f"{CARDS}/head/0", data={**page, "dice_1": "", "dice_2": "", "dice_3": ""})
    assert "dice" not in data(own)
    assert "faces are not entered yet" in own.get(CARDS).text
    assert "disabled" in own.get("/start?game=wasteland&pack=mine&plays_red=on&step=more").text
    own.post(f"{CARDS}/head/0", data={**page, "dice_1": "h0 b1", "dice_2": "h0 l1", "dice_3": "l2 0"})
    assert data(own)["dice"] == [["h0", "b1"], ["h0", "l1"], ["l2", "0"]]
    assert own.post(f"{CARDS}/head/0", data={**page, "dice_1": "zz"}).status_code == 409


def test_a_pack_goes_out_and_comes_back(own):
    text = own.get(f"{CARDS}/wasteland-cards.toml").text
    changed = text.replace("A Full Purse", "Deep Pockets")
    file = (io.BytesIO(changed.encode()), "cards.toml")
    assert own.post(f"{CARDS}/import", data={"file": file}).status_code == 303
    assert "Deep Pockets" in own.get(CARDS).text
    answer = own.post(f"{CARDS}/import", data={"toml": changed.replace('type = "critter"', 'type = "cow"')})
    assert answer.status_code == 409
    assert "found" in answer.text
    assert "cow" in answer.text
    assert "Deep Pockets" in own.get(CARDS).text
    large = text + "# " + "x" * 200_000
    assert own.post(f"{CARDS}/import", data={"toml": large}).status_code == 303


@pytest.mark.parametrize("path", ["agenda/999", "agenda/x", "cows/0", "cows/new"])
def test_what_is_not_there(own, path):
    assert own.get(f"{CARDS}/{path}").status_code == 404


def test_buttons_put_a_quest_together_and_nothing_is_kept_before_it_is_sent(own):
    before = data(own)
    form = {"number": ["77"], "name": ["Рынок"]}
    for tap in ("objective add", "objective.0.steps add test S 1", "objective.0.steps letter 0 I",
                "objective.0.steps more 0", "objective.0.results add become idolized",
                "objective.0.results turn 0", "objective.0.results add caps 1", "objective.0.results level 1",
                "objective.0.results more 1", "objective.0.results add xp 1", "objective.0.results drop 2",
                "objective.0.requires add space "):  # fmt: skip
        answer = own.post(f"{CARDS}/quest/new", data={**form, "tap": tap})
        assert answer.status_code == 200
        form = sent(answer.text)
    form["objective.0.requires#0"] = ["Stary Rynek"]
    assert data(own) == before
    assert own.post(f"{CARDS}/quest/new", data=form).status_code == 303
    assert data(own)["quest"][-1] == {
        "number": 77,
        "name": "Рынок",
        "objective": [{
            "requires": ["space stary-rynek"], "steps": ["test SI 2"], "results": ["become vilified", "caps LEVEL+1"],
        }],
    }  # fmt: skip


def test_half_a_quest_keeps_what_was_tapped_and_says_every_fault(own):
    form = {"name": ["Nameless"], "number": [""], "count-of.objective": ["1"], "objective.0.steps": ["test ZZ 2"]}
    answer = own.post(f"{CARDS}/quest/new", data=form)
    assert answer.status_code == 409
    assert "no number" in answer.text
    assert "SPECIAL" in answer.text
    assert 'value="test ZZ 2"' in answer.text


def test_a_map_is_laid_by_tapping(own):
    number = [one["id"] for one in data(own)["scenario"]].index("the-drowned-lights")
    page = own.get(f"{CARDS}/scenario/{number}").text
    laid = own.post(f"{CARDS}/scenario/{number}", data={**sent(page), "brush": "deadly", "tap": "layout put 3 2"})
    assert sent(laid.text)["layout"][-1] == "deadly at 3 2"
    gone = own.post(f"{CARDS}/scenario/{number}", data={**sent(laid.text), "brush": "-", "tap": "layout put 3 2"})
    assert sent(gone.text)["layout"] == data(own)["scenario"][number]["layout"]


def test_it_begins_with_what_lies_in_the_box(host):
    assert host.post(f"{CARDS}/begin", data={"pack": "box"}).status_code == 303
    page = host.get(CARDS).text
    assert "0 of 70" in tight(page)
    assert "The Commonwealth" in page
    assert data(host)["box"]["loot"] == 34


def test_what_can_be_played_of_a_faulty_pack_is_played(own):
    text = own.get(f"{CARDS}/wasteland-cards.toml").text.replace('name = "A Full Purse"', "name = 7", 1)
    assert own.post(f"{CARDS}/import", data={"toml": text}).status_code == 409
    assert own.post(f"{CARDS}/import", data={"toml": text, "partly": "on"}).status_code == 303
    page = own.get(CARDS).text
    assert "Not played until mended" in page
    assert "full-purse" in page
    answer = own.post(
        "/wasteland/new", data={"plays_red": "on", "place_red": "1", "pack": "mine", "cards": "companion"}
    )
    assert answer.status_code == 303


def test_a_game_is_played_with_ones_own_cards_and_goes_on_with_corrected_ones(house, own):
    solo = {"plays_red": "on", "place_red": "1", "survivor_red": "the-netmaker"}
    own.post("/wasteland/new", data={**solo, "pack": "mine", "cards": "companion", "dice": "companion"})
    assert house.state["options"]["pack"] == "mine"
    version = house.state["version"]
    place = [card["id"] for card in data(own)["agenda"]].index("full-purse")
    own.post(f"{CARDS}/agenda/{place}", data=form_of({}))
    assert house.state["version"] == version + 1
    assert house.session.snapshots.latest.position.game.box.agendas[place].name == "A Purse"
    own.post(f"{CARDS}/agenda/new", data=form_of({"id": "one-more"}))
    assert house.state["version"] == version + 1
    begin(house)
    assert house.state["options"]["pack"] == "homemade"
