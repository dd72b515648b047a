"""The host's settings, tokens, backups, and games that are put away."""

import re

import pytest
from at_the_door import BEARER, House, tight

from companion.languages.catalogues import codes
from companion.table.record.backup import restore
from companion.table.session.intents import TableSeen
from companion.table.session.settings import FILE
from companion.table.sight.eye import Window
from companion.table.sight.reading import Reading
from companion.version import version
from web.base import past_games

PICTURE = b"\xff\xd8 the table \xff\xd9"


def host_of(house):
    client = house.client()
    client.post("/api/host/login", json={"pin": "246810"})
    return client


def look(house, laid=()):
    state = house.state
    rooms = {f"{level}:{at}": card for level, found in state["levels"].items() for at, card in found["rooms"].items()}
    rooms |= {f"{level}:E": f"elevator-{found['owner']}" for level, found in state["levels"].items()}
    reading = Reading(cards={**rooms, **state["threats"], **dict(laid)})
    for at in (0.0, 10.0):
        house.session.ask(TableSeen(reading, at + 100 * state["seq"])).result(30)


@pytest.mark.parametrize("path", ["/host/settings", "/host/tokens", "/host/record"])
def test_these_pages_are_the_hosts(house, path):
    assert house.client().get(path).location == "/host"
    for language in codes():
        assert host_of(house).get(path, headers={"Accept-Language": language}).status_code == 200


def test_settings_by_form_are_kept(house):
    form = {"way": "button", "rest": "2,5", "language": "pl"}
    assert host_of(house).post("/api/host/settings", data=form).location == "/host/settings"
    table = house.state["table"]
    assert (table["way"], table["rest"], table["voice"], table["language"]) == ("button", 2.5, False, "pl")
    assert 'way = "button"' in (house.folder / FILE).read_text(encoding="utf-8")
    page = host_of(house).get("/host/settings").text
    assert re.search(r'value="button" checked', page)


def test_settings_by_script(house):
    answer = house.client().post("/api/host/settings", json={"rest": 3, "voice": True}, headers=BEARER)
    assert answer.json == {"way": "stillness", "rest": 3, "voice": True, "language": None, "bots_wait": True}
    for odd in ({"rest": "x"}, {"loud": 1}, {"way": "shouting"}, {"voice": "on"}):
        assert house.client().post("/api/host/settings", json=odd, headers=BEARER).status_code == 400
    assert (
        house.client().post("/api/host/settings", data={"way": "button", "rest": "x"}, headers=BEARER).status_code
        == 400
    )
    assert house.client().post("/api/host/settings", json={"rest": 3}).status_code == 401


def test_a_token_is_shown_once_and_acts_for_the_host_until_it_is_revoked(house):
    host = host_of(house)
    page = host.post("/api/host/tokens", data={"name": "Home <Assistant>"}).text
    secret = re.search(r"<code>([\w-]+)</code>", page)[1]
    listed = host.get("/host/tokens").text
    assert secret not in listed
    assert "Home &lt;Assistant&gt;" in listed
    bearer = {"Authorization": f"Bearer {secret}"}
    assert (
        house.client().post("/api/host/games", json={"setup": {"players": ["red", "blue"]}}, headers=bearer).status_code
        == 200
    )
    number = re.search(r"/api/host/tokens/(\w+)/revoke", listed)[1]
    assert host.post(f"/api/host/tokens/{number}/revoke").status_code == 200
    assert house.client().post("/api/host/freeze", headers=bearer).json["error"]["code"] == "wrong_token"
    assert host.post(f"/api/host/tokens/{number}/revoke").status_code == 404


@pytest.mark.parametrize("name", ["", " ", 3, "a\nb"])
def test_a_token_says_what_it_is_for(house, name):
    assert house.client().post("/api/host/tokens", json={"name": name}, headers=BEARER).status_code == 400


def test_a_backup_can_be_restored(house, tmp_path):
    assert house.client().get("/api/host/backup", headers=BEARER).status_code == 409
    house.start()
    assert house.client().get("/api/host/backup").status_code == 401
    house.tap(None, do="correct", set={"last_round": True})
    while house.state["phase"] != "over":
        moves = house.client().get("/api/legal").json["moves"]
        move = next((move for move in moves if move["do"] in ("choose", "place")), moves[0])
        house.tap(None, **{key: value for key, value in move.items() if key != "preview"})
    answer = house.client().get("/api/host/backup", headers=BEARER)
    assert ".backup" in answer.headers["Content-Disposition"]
    copy = tmp_path / "copy"
    copy.write_bytes(answer.data)
    restore(tmp_path / "elsewhere", copy, last_good=False)
    again = House(tmp_path / "elsewhere")
    assert again.state["id"] == house.state["id"]
    again.close()
    assert house.state["id"] in host_of(house).get("/host/record").text


def test_the_language_of_the_table_comes_with_a_new_game(house):
    form = {"plays_red": "on", "plays_blue": "on", "first": "red", "language": "ru"}
    assert host_of(house).post("/api/host/games", data=form).status_code == 303
    assert house.state["table"]["language"] == "ru"


def test_a_game_is_put_away_with_a_picture_and_laid_again_by_a_list(make_house):
    seen = Window(lambda: 0.0)
    seen.show(PICTURE, None, drawn=True)
    house = make_house(sight=seen)
    house.start(start={"threats": {"1:R1b": "raider"}, "players": {"red": {"items": ["husky"], "happiness": 4}}})
    look(house)
    assert house.client().post("/api/host/freeze", headers=BEARER).status_code == 200
    photo = house.state["table"]["photo"]
    path = f"/api/host/photos/{photo}"
    assert host_of(house).get(path).data == PICTURE
    assert house.client().get(path).status_code == 401
    assert host_of(house).get("/api/host/photos/none.jpg").status_code == 404
    look(house, {"1:R1b": None, "1:R2a": "raider"})
    page = host_of(house).get("/host").text
    assert path in page
    assert "2 pieces do not lie right yet" in page
    assert "does not belong there" in page
    assert "happiness 4" in page
    assert "Husky" in page


def test_without_a_camera_the_list_stands_there_unticked(house):
    house.start()
    house.client().post("/api/host/freeze", headers=BEARER)
    assert house.state["table"]["photo"] is None
    page = host_of(house).get("/host").text
    assert "Lay it like this" in page
    assert "do not lie right" not in page


def test_what_the_host_decides_about_a_whole_record_is_refused(house):
    house.start()
    for option, status in (("keep-last-good", 409), ("set-aside", 409), (3, 400)):
        answer = house.client().post("/api/host/decide", json={"option": option}, headers=BEARER)
        assert answer.status_code == status


def test_the_way_back_is_told_round_by_round_and_leads_there(house):
    house.start(names={"red": "Anna"})
    assert house.client().get("/host/back").location == "/host"
    house.tap(None, do="place", by="red", space="1:R1a")
    house.tap(None, do="place", by="blue", space="1:R2a")
    house.tap(None, do="correct", set={"round": 2})
    page = host_of(house).get("/host/back").text
    assert re.findall(r"<h2>(Round \d)</h2>", page) == ["Round 2", "Round 1"]
    assert "Anna: placed on Water Treatment" in page
    assert page.index('id="b-3"') < page.index('id="b-1"')
    assert (
        host_of(house).post("/moves", data={"move": '{"do": "undo", "to": 1}', "back": "/host/back"}).status_code == 303
    )
    assert house.state["placed"].keys() == {"1:R1a"}


def test_another_game_of_the_record_is_gone_on_with(house):
    house.start()
    first = house.state["id"]
    house.start()
    path = f"/api/host/games/{first}/resume"
    assert path in host_of(house).get("/host/record").text
    assert host_of(house).post(path, data={}).status_code in (200, 303)
    assert house.state["id"] == first
    assert path not in host_of(house).get("/host/record").text


def test_a_game_is_put_away_without_its_picture_where_none_can_be_had(make_house, monkeypatch):
    monkeypatch.setattr("web.base.streams.PICTURE_PATIENCE", 0.01)
    monkeypatch.setattr("web.base.streams.FRESH", 0.01)
    seen = Window(lambda: 0.0)
    house = make_house(sight=seen)
    house.start()
    look(house)
    assert house.client().post("/api/host/freeze", headers=BEARER).status_code == 200
    assert house.state["table"]["photo"] is None
    house.client().post("/api/host/thaw", headers=BEARER)
    seen.show(PICTURE, None, drawn=True)
    (house.folder / "photos").write_text("in the way", encoding="utf-8")
    assert house.client().post("/api/host/freeze", headers=BEARER).status_code == 200
    assert house.state["table"]["photo"] is None


def test_the_list_names_figures_and_every_kind_of_dweller(house):
    board = {
        "available": ["plain", "plain", "injured", "S", "injured+P"],
        "items": [{"id": "husky", "exhausted": True}],
    }
    placed = {"1:R1a": {"by": "red", "dwellers": ["injured"]}, "1:R2a": {"by": "blue", "dwellers": ["plain"]}}
    house.start(start={"phase": "place", "players": {"red": board}, "placed": placed})
    house.client().post("/api/host/freeze", headers=BEARER)
    page = host_of(house).get("/host").text
    assert [told for told in ("Red: lying", "Blue: standing") if told not in page] == []
    people = "Dweller 2 · Injured 1 · Trained S · Injured, trained P"
    assert all(told in page for told in people.split(" · "))
    assert "Husky (exhausted)" in page


def ordered(house, *parts):
    page = host_of(house).get("/host").get_data(as_text=True)
    assert all(f'id="{part}"' in page for part in parts)
    return sorted(parts, key=lambda part: page.index(f'id="{part}"'))


def test_the_hosts_page_begins_with_what_an_evening_asks_for(house):
    whole = ["acts", "seats", "new", "doors", "camera", "house", "logout"]
    assert ordered(house, *sorted(whole[1:])) == ["new", "seats", "doors", "camera", "house", "logout"]
    house.start()
    assert ordered(house, *sorted(whole)) == whole
    assert 'class="button no" id="new-game"' in tight(host_of(house).get("/host").text)
    house.tap(do="correct", set={"phase": "over"})
    assert ordered(house, "seats", "new", "acts") == ["acts", "new", "seats"]
    assert 'class="button" id="new-game"' in tight(host_of(house).get("/host").text)


def test_the_hosts_page_ends_with_the_version(house):
    page = host_of(house).get("/host", headers={"Accept-Language": "en"}).text
    assert f'<p class="s" id="version">Version {version()}</p>' in page


@pytest.mark.parametrize("path", ["/host/back", "/host/record", "/history"])
def test_a_record_that_has_not_grown_is_replayed_once(house, monkeypatch, path):
    read = []
    for name in ("look", "extended", "story_of"):
        once = getattr(past_games, name)
        monkeypatch.setattr(past_games, name, lambda *given, once=once, name=name: read.append(name) or once(*given))
    house.start()
    client = host_of(house)
    for _ in range(3):
        assert client.get(path).status_code == 200
    assert read == ["look", "story_of"]
    house.tap(do="place", by="red", space="1:R1a")
    client.get(path)
    client.get(path)
    assert read == ["look", "story_of", "extended", "story_of"], "of what has grown, what is new is read"
