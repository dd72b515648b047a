"""An owner compares, corrects and confirms cards and columns, also in the middle of a game."""

import html
import re

import pytest
from at_the_door import BEARER, tight

from companion.cards.loader import builtin, overlay_of, overlay_path
from companion.languages.catalogues import codes


def fields(page):
    """What a browser would send of the form as it is shown."""
    form = tight(page[page.index('id="correct"') : page.index("</form>")])
    sent = {}
    for name, inner in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', form):
        found = re.search(r'<option value="([^"]*)" selected', inner) or re.search(r"<option selected>([^<]*)<", inner)
        sent[name] = found[1]
    for tag in re.findall(r"<input [^>]*>", form):
        name, value = re.search(r'name="([^"]+)"', tag)[1], re.search(r'value="([^"]*)"', tag)
        if "checkbox" not in tag or "checked" in tag:
            sent[name] = value[1] if value else "on"
    return {name: html.unescape(value) for name, value in sent.items()}


def change(house, path, **changes):
    client = house.client()
    sent = {**fields(client.get(path, headers=BEARER).text), **changes}
    return client.post(path, data={name: value for name, value in sent.items() if value}, headers=BEARER)


def pack_of(house, name="standard"):
    return builtin(name, overlay_of(house.folder, name))


@pytest.mark.long
@pytest.mark.parametrize("language", codes())
def test_every_card_has_a_page_and_none_is_changed_by_sending_it_back(house, language):
    headers = {**BEARER, "Accept-Language": language}
    for pack in ("standard", "homemade"):
        listed = house.client().get(f"/host/cards/{pack}", headers=headers).text
        for card in builtin(pack).cards:
            path = f"/host/cards/{pack}/{card.id}"
            assert path in listed
            if language == "en":
                assert change(house, path).status_code == 303
            else:
                assert house.client().get(path, headers=headers).status_code == 200
        assert pack_of(house, pack) == builtin(pack)


def test_a_correction_counts_in_the_running_game_and_survives(house):
    house.start()
    assert change(house, "/host/cards/standard/water-treatment", left="free -> 3W (letter P)").status_code == 303
    house.tap(None, do="place", by="red", space="1:R1a")
    assert house.state["players"]["red"]["resources"]["water"] == 3
    page = house.client().get("/host/cards/standard/water-treatment", headers=BEARER).text
    assert "The pack says: free -&gt; 1W (letter P)" in page
    house.start()
    house.tap(None, do="place", by="red", space="1:R1a")
    assert house.state["players"]["red"]["resources"]["water"] == 3


@pytest.mark.long
def test_confirming_all_of_a_pack_verifies_it(house):
    assert not pack_of(house).verified
    for card in builtin("standard").cards:
        path = f"/host/cards/standard/{card.id}/compared"
        assert house.client().post(path, headers=BEARER).location.endswith(f"#{card.id}")
    assert pack_of(house).verified
    assert "0 to go" in house.client().get("/host/cards", headers=BEARER).text
    house.client().post("/host/cards/standard/raider/compared", headers=BEARER)
    assert not pack_of(house).verified


def test_another_effect_and_another_name(house):
    changes = {"effect": "reroll", "use": "discard", "name_pl": "Nowa strzelba", "confirmed": "on"}
    assert change(house, "/host/cards/standard/shotgun", **changes).status_code == 303
    pack = pack_of(house)
    shotgun = next(card for card in pack.items if card.id == "shotgun")
    assert type(shotgun.effect).__name__ == "Reroll"
    assert pack.names["pl"]["shotgun"] == "Nowa strzelba"
    assert pack.confirmed == {"shotgun"}


def test_another_number_of_cards_counts_from_the_next_game_on(house):
    house.start()
    version = house.state["version"]
    answer = change(house, "/host/cards/standard/raider", copies="9")
    assert "later=1" in answer.location
    assert "from the next game on" in house.client().get(answer.location, headers=BEARER).text
    assert house.state["version"] == version
    house.start()
    assert house.state["decks"]["threats"] > 18


@pytest.mark.parametrize(
    ("path", "changes"),
    [
        ("/host/cards/standard/garden", {"left": "free - 3F"}),
        ("/host/cards/standard/garden", {"copies": "many"}),
        ("/host/cards/standard/shotgun", {"effect": "exchange"}),
        ("/host/cards/standard/shotgun", {"use": "eat"}),
        ("/host/columns/standard", {"elevator": "gold"}),
    ],
)
def test_what_makes_no_sense_is_told_and_not_kept(house, path, changes):
    house.start()
    answer = change(house, path, **changes)
    assert answer.status_code == 400
    assert "nothing was kept" in answer.text
    assert not overlay_path(house.folder, "standard").exists()
    assert house.state["version"] == 0


def test_v2_a_space_that_is_emptied_is_not_there(house):
    house.start()
    path = "/host/cards/standard/water-treatment"
    assert change(house, path, right="").status_code == 303
    assert pack_of(house).top_level[3].spaces[1] is None
    assert fields(house.client().get(path, headers=BEARER).text)["right"] == "none"
    assert "1:R1b" not in house.client().get("/table", headers=BEARER).text
    assert house.tap(None, do="place", by="red", space="1:R1b").json["error"]["clause"] == "P1"
    assert change(house, path, left="").status_code == 400


def test_v2_a_space_that_somebody_stands_on_goes_with_the_next_game(house):
    house.start()
    house.tap(None, do="place", by="red", space="1:R1b")
    answer = change(house, "/host/cards/standard/water-treatment", right="none")
    assert "later=1" in answer.location
    assert house.state["placed"].keys() == {"1:R1b"}
    house.start()
    assert house.tap(None, do="place", by="red", space="1:R1b").json["error"]["clause"] == "P1"


def test_columns_and_elevators(house):
    house.start()
    changes = {"column_1": "3", "column_2": "2", "elevator": "pay-room -> 3H build"}
    assert change(house, "/host/columns/standard", **changes).location.endswith("done=1")
    assert pack_of(house).columns[:4] == (None, 3, 2, 4)
    assert pack_of(house).elevator.reward[0].amount == 3
    assert fields(house.client().get("/host/columns", headers=BEARER).text)["column_1"] == "3"


def test_an_elevator_of_one_colour_is_corrected_and_made_like_the_others_again(house):
    house.start()
    path = "/host/columns/standard"
    change(house, path, **{"elevator-red": "free -> 2W"})
    assert pack_of(house).elevators.keys() == {"red"}
    house.tap(None, do="place", by="red", space="2:E")
    assert house.state["players"]["red"]["resources"]["water"] == 2
    assert fields(house.client().get(path, headers=BEARER).text)["elevator-red"] == "free -> 2W"
    change(house, path, **{"elevator-red": ""})
    assert pack_of(house).elevators == {}


def test_c4_a_card_of_ones_own_begins_like_another(house):
    house.start()
    answer = house.client().post("/host/cards/standard/garden/like", headers=BEARER)
    assert answer.location == "/host/cards/standard/garden-2?later=1", "a game keeps the number of its cards"
    path = "/host/cards/standard/garden-2"
    assert change(house, path, left="free -> 1H", name_en="Rose garden").status_code == 303
    added = pack_of(house).rooms[-1]
    assert (added.id, added.copies, added.spaces[0].reward[0].amount) == ("garden-2", 1, 1)
    assert "Rose garden" in house.client().get("/host/cards/standard", headers=BEARER).text
    assert house.client().post("/host/cards/standard/garden/like", headers=BEARER).location.count("garden-3") == 1
    assert 'id="like"' not in house.client().get("/host/cards/standard/diner", headers=BEARER).text
    house.start()
    assert house.state["decks"]["rooms"] == 24 + 2 - 3


def test_these_are_the_hosts(house):
    for path in ("/host/cards", "/host/cards/standard/raider", "/host/columns"):
        assert house.client().get(path).location == "/host"
    for path in ("/host/cards/standard/raider", "/host/cards/standard/raider/compared", "/host/columns/standard"):
        assert house.client().post(path, data={}).status_code == 401
    for path in ("/host/cards/none", "/host/cards/standard/none"):
        assert house.client().get(path, headers=BEARER).status_code == 404


def test_a_disk_that_does_not_take_it(house):
    (house.folder / "corrections").write_text("in the way", encoding="utf-8")
    answer = house.client().post("/host/cards/standard/raider/compared", headers=BEARER)
    assert answer.status_code == 503
