"""What is secret stays on its owner's phone: recognisable agendas are looked for in everything that goes out."""

import json

import pytest
from at_the_door import BEARER
from evening_out import begin, game_of, hidden, moves_of, names, wander

OPEN = (
    "/", "/table", "/seat/red", "/seat/blue", "/join", "/history", "/host", "/correct/", "/start?game=wasteland",
    "/api/state", "/api/legal", "/api/legal?by=red", "/api/legal?by=blue", "/healthz", "/metrics", "/api/openapi.json",
)  # fmt: skip
HANDS = {"red": {"hand": ["full-purse", "map-of-wrecks"]}, "blue": {"hand": ["good-name", "old-tricks"]}}


def everything(client, house, headers=None):
    """All that a client can read: pages, api, exports, one frame of the stream."""
    game = house.state["id"]
    paths = [*OPEN, *(f"/history/{game}.{kind}" for kind in ("html", "csv", "json", "journal"))]
    found = {path: client.get(path, headers=headers or {}).text for path in paths}
    frames = iter(client.get("/api/events", headers=headers or {}).response)
    found["/api/events"] = next(frames).decode()
    frames.close()
    return found


def leaks(texts, secrets):
    return [(path, secret) for path, text in texts.items() for secret in secrets if secret in text]


def all_but(house, colour=None):
    return names(house, {one for seat, ids in hidden(game_of(house)).items() if seat != colour for one in ids})


def published(house):
    """What leaked into whatever the stream, a broker and the voice are made of, by the hands of that moment."""
    remembered = [one for one in house.session.snapshots.all_newer_than(0, 0) if one.position]
    return [
        (one.seq, secret)
        for one in remembered
        if one.state["phase"] != "over"
        for secret in {card for ids in hidden(one.position.game).values() for card in ids}
        if f'"{secret}"' in one.text + json.dumps(one.events_as_json())
    ]


def test_an_evening_with_recognisable_hands(house, capfd):
    begin(house, start={"players": HANDS})
    red, blue = house.seated("red"), house.seated("blue")
    assert hidden(game_of(house)) == {"red": {"full-purse", "map-of-wrecks"}, "blue": {"good-name", "old-tricks"}}
    house.tap(red, do="answer", by="red", agenda=2, count=3)
    assert leaks(everything(house.client(), house), all_but(house)) == []
    assert leaks(everything(house.client(), house, BEARER), all_but(house)) == []
    assert leaks(everything(red, house), all_but(house, "red")) == []
    assert leaks(everything(blue, house), all_but(house, "blue")) == []
    assert published(house) == []
    said = capfd.readouterr()
    assert leaks({"out": said.out, "err": said.err}, all_but(house)) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_a_wandering_game(house, seed, capfd):
    begin(house, players=["red", "blue", "green"], survivors={})
    red = house.seated("red")
    for number, _ in enumerate(wander(house, seed, 150)):
        if house.state["phase"] == "over":
            return
        if number % 15 == 0:
            last = f"/history/{house.state['id']}"
            assert leaks(everything(house.client(), house), all_but(house)) == [], last
            assert leaks(everything(red, house), all_but(house, "red")) == []
    assert published(house) == []
    said = capfd.readouterr()
    assert leaks({"out": said.out, "err": said.err}, all_but(house)) == []


def test_a_seat_reads_its_own_hand(house):
    begin(house, start={"players": HANDS})
    assert set(house.seated("red").get("/api/state").json["private"]) == {"red"}
    both = house.seated("red", "blue")
    private = both.get("/api/state").json["private"]
    assert [card["id"] for card in private["red"]["hand"]] == ["full-purse", "map-of-wrecks"]
    assert [card["id"] for card in private["blue"]["hand"]] == ["good-name", "old-tricks"]
    assert "private" not in house.client().get("/api/state").json
    assert "private" not in house.client().get("/api/state", headers=BEARER).json
    page = both.get("/seat/red").text
    assert "A Full Purse" in page
    assert "A Good Name" not in page


def test_the_etag_of_a_secret_is_its_own(house):
    begin(house)
    plain = house.client().get("/api/state")
    red = house.seated("red")
    mine = red.get("/api/state", headers={"If-None-Match": plain.headers["ETag"]})
    assert (mine.status_code, plain.headers["ETag"]) == (200, f'"{house.state["seq"]}"')
    assert red.get("/api/state", headers={"If-None-Match": mine.headers["ETag"]}).status_code == 304
    assert "Cookie" in mine.headers["Vary"]


def test_a_claim_is_listed_for_its_seat_alone(house):
    begin(house, start={"players": {"red": {"caps": 25, "hand": ["full-purse", "beacon-keeper", "well-read"]}}})
    red = house.seated("red")
    house.tap(None, do="correct", set={"power": {"shield": 5}})
    claim = {"do": "claim", "by": "red"}
    assert claim in moves_of(house)
    assert claim in [
        {key: move[key] for key in ("do", "by") if key in move} for move in red.get("/api/legal").json["moves"]
    ]
    for client, headers in ((house.client(), {}), (house.client(), BEARER), (house.seated("blue"), {})):
        told = client.get("/api/legal?by=red", headers=headers)
        assert "claim" not in told.text
        assert "claim" not in client.get("/seat/red", headers=headers).text
    house.tap(red, do="claim", by="red")
    while house.state["pending"]:
        choice = house.state["pending"][0]
        house.tap(None, do="choose", by=choice["by"], id=choice["id"], option=choice["options"][0])
    assert house.state["result"]["winners"] == ["red"]


def test_refusals_tell_nothing(house):
    begin(house, start={"players": HANDS})
    blue = house.seated("blue")
    told = [
        house.tap(blue, do="claim", by="blue"),
        house.tap(blue, do="claim", by="red"),
        house.tap(blue, do="loyalty", by="red", agenda=1),
        house.tap(blue, do="answer", by="red", agenda=1, count=1),
        house.tap(blue, do="result", by="blue", results=["draw agenda 1"], drawn=["full-purse"]),
        house.tap(None, do="correct", set={"players": {"blue": {"hand": ["well-read", "full-purse"]}}}),
    ]
    assert [answer.status_code >= 400 for answer in told] == [True] * 6
    secrets = names(house, hidden(game_of(house))["red"])
    assert [answer.text for answer in told if any(secret in answer.text for secret in secrets)] == []


def test_its_journal_waits_for_the_end(house):
    begin(house)
    game = house.state["id"]
    answer = house.client().get(f"/history/{game}.journal", headers=BEARER)
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "secret_until_over")
