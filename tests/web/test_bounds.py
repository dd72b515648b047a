"""Numbers of thousands of digits are refused wherever they arrive, and the table plays on."""

import evening_out
import pytest
from at_the_door import BEARER, PIN

from companion.cards.loader import overlay_path
from companion.languages.catalogues import codes

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


@pytest.mark.parametrize("address", ["http://[", "http://[::1", "http://]", "http://\u212a["])
def test_an_address_that_is_none(house, address):
    """A broken Origin is a foreign one, and a broken Referer leads to the first page."""
    written = address.encode().decode("latin-1")
    answer = house.client().post("/api/moves", json={"do": "spawn"}, headers={**BEARER, "Origin": written})
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "foreign_origin")
    reader = {"Accept": "text/html", "Referer": written}
    page = house.client().post("/api/host/login", data={"pin": "000000"}, headers=reader)
    assert (page.status_code, 'name="back" value="/"' in page.text) == (403, True)
    assert house.client().get("/table", headers={"Referer": written}).status_code == 200


def test_a_host_that_is_no_name(house):
    headers = {"Host": "a" * 300, "Accept": "text/html"}
    answer = house.client().get("/host", headers=headers)
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "foreign_host")


HALF = '"\\ud800"'


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/host/login", f'{{"pin": {HALF}}}'),
        ("/api/seats/red/claim", f'{{"code": {HALF}}}'),
        ("/api/host/tokens", f'{{"name": {HALF}}}'),
        ("/api/host/games", f'{{"setup": {{"players": ["red", "blue"], "names": {{"red": {HALF}}}}}}}'),
        ("/api/moves", f'{{"do": "correct", "set": {{"players": {{"red": {{"name": {HALF}}}}}}}}}'),
        ("/api/moves", f'{{"do": "correct", "set": {{{HALF}: 1}}}}'),
        ("/api/host/decide", f'{{"option": {HALF}}}'),
    ],
    ids=["pin", "code", "token", "names", "name", "key", "option"],
)
def test_half_a_character(house, path, body):
    house.start()
    refused(house.client().post(path, data=body, content_type="application/json", headers=BEARER), "body")
    still_plays(house)


@pytest.mark.parametrize("back", ["/join\nSet-Cookie: a=b", "/\r\n", "/\t/evil.example", "/" + "x" * 70_000, "/\x7f"])
def test_a_way_back_that_no_header_holds_leads_to_the_first_page(house, back):
    house.start()
    for path, fields in (
        ("/language", {"language": "pl"}),
        ("/phone", {"switch": "guide"}),
        ("/moves", {"move": '{"do": "place", "by": "red", "space": "1:R1a"}'}),
    ):
        answer = house.client().post(path, data={**fields, "back": back[:60_000]}, headers=BEARER)
        assert (answer.status_code, answer.headers["Location"]) == (303, "/"), path


@pytest.mark.parametrize("name", ["x" * 5000 + ".jpg", "x" * 250 + ".jpg", ".jpg", "..%2fhost.json", "%00.jpg"])
def test_a_picture_of_an_odd_name(house, name):
    answer = house.client().get(f"/api/host/photos/{name}", headers=BEARER)
    assert answer.status_code == 404


@pytest.mark.parametrize(
    "content",
    [
        b"[[\xff",
        b"quest = 3",
        b"quest = [1, 2]",
        b"[[card",
        b"a = " + b"[" * 5000,
        b"a = " + b"9" * 5000,
        b"",
        b"id = 1",
    ],
    ids=["bytes", "number", "list", "cut", "deep", "digits", "empty", "little"],
)
def test_a_damaged_pack_of_ones_own(house, content):
    """Its page says what is wrong and takes it mended; every other page of the game goes on with ours."""
    own = house.folder / "wasteland-cards.toml"
    own.write_bytes(content)
    host = house.client()
    host.post("/api/host/login", json={"pin": PIN})
    page = host.get("/wasteland/cards")
    assert page.status_code == 200
    for path in ("/wasteland/cards/wasteland-cards.toml", "/wasteland/cards/quest/0", "/wasteland/cards/head/0"):
        assert host.get(path).status_code in (200, 404, 409), path
    assert host.post("/wasteland/cards/quest/0/copy").status_code in (404, 409)
    asked = host.get("/wasteland/new?pack=mine&plays_red=on&step=cards")
    assert 'name="pack" value="homemade"' in host.get(asked.headers["Location"]).text
    assert host.post("/wasteland/new", data={"pack": "mine"}).status_code in (400, 409)
    assert host.post("/wasteland/cards/begin", data={"pack": "homemade"}).status_code == 303
    assert host.get("/wasteland/cards/quest/0").status_code == 200
    aside = own.with_name(own.name + ".damaged")
    assert ('id="damage"' in page.text) == aside.exists() == (content != b"id = 1"), "that one can still be edited"
    assert not aside.exists() or aside.read_bytes() == content


@pytest.mark.parametrize("path", ["/host/cards", "/host/columns", "/host/cards/standard"])
def test_the_cards_of_the_first_game_while_another_is_played(house, pig, path):
    house.client().post(
        "/api/host/games", json={"setup": {"players": ["red", "blue"]}, "game": pig.name}, headers=BEARER
    )
    assert house.state["game"] == pig.name
    assert house.client().get(path, headers=BEARER).status_code == 200


@pytest.mark.parametrize(
    "content",
    [b"\xff", b"[[", b"cards = 3", b"cards = [1]", b"a = " + b"[" * 5000, b"a = " + b"9" * 5000, b"confirmed = 5",
     b"[cards]\ngarden = 3", b"[names]\nen = 4", b"[cards.garden]\nleft = 5"],
    ids=["bytes", "cut", "number", "list", "deep", "digits", "confirmed", "card", "names", "space"],
)  # fmt: skip
@pytest.mark.parametrize("language", codes())
def test_a_damaged_file_of_corrections(house, content, language):
    house.start()
    path = overlay_path(house.folder, "standard")
    path.parent.mkdir()
    path.write_bytes(content)
    host = house.client()
    host.post("/api/host/login", json={"pin": PIN})
    for page in ("/host/cards", "/host/cards/standard/garden", "/host/columns"):
        answer = host.get(page, headers={"Accept": "text/html", "Accept-Language": language})
        assert (answer.status_code, "corrections" in answer.text) == (409, True), page
    for page in ("/host/cards/standard/garden", "/host/cards/standard/garden/compared", "/host/columns/standard"):
        answer = host.post(page)
        assert (answer.status_code, answer.json["error"]["code"]) == (409, "corrections_faulty"), page
    assert path.read_bytes() == content
    for page in ("/", "/seat/red", "/table", "/host", "/rules", "/history", "/correct/"):
        assert host.get(page).status_code in (200, 303), page
    still_plays(house)
