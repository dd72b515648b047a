import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from at_the_door import BEARER, PIN

from companion.refusal import Refusal
from companion.table.record.data_folder import mark
from companion.table.record.open_game import replay
from web.base.streams import Streams


def body_of(answer, status, code):
    assert answer.status_code == status, answer.data
    error = answer.json["error"]
    assert error["code"] == code
    assert error["message"]
    assert isinstance(error["fields"], dict)
    return error


def test_the_state_has_its_number_as_tag(house):
    client = house.client()
    answer = client.get("/api/state")
    assert answer.json == house.state
    assert answer.headers["ETag"] == f'"{house.state["seq"]}"'
    assert client.get("/api/state", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    house.start()
    assert client.get("/api/state", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 200


def test_a_move_by_a_seat(house):
    house.start()
    red = house.seated("red")
    answer = house.tap(red, do="place", space="1:R1a")
    assert answer.json["version"] == 1
    assert answer.json["events"][0]["event"] == "placed"
    assert house.state["placed"]["1:R1a"]["by"] == "red"


def test_a_refusal_names_the_clause(house):
    house.start()
    both = house.seated("red", "blue")
    assert house.tap(both, do="place", by="red", space="1:R1a").status_code == 200
    assert body_of(house.tap(both, do="place", by="blue", space="1:R1a"), 409, "space_taken")["clause"] == "P1"
    body_of(house.tap(both, do="pass", by="blue", if_version=0), 409, "version_mismatch")


def test_who_may_act(house):
    house.start()
    body_of(house.tap(house.client(), do="pass", by="red"), 401, "no_seat")
    body_of(house.tap(house.seated("blue"), do="pass", by="red"), 403, "not_yours")
    wrong = house.client().post("/api/moves", json={"do": "pass", "by": "red"}, headers={"Authorization": "Bearer no"})
    body_of(wrong, 401, "wrong_token")
    assert house.tap(None, do="pass", by="red").status_code == 200


def test_errors_have_one_shape(house):
    client = house.client()
    body_of(client.get("/nowhere"), 404, "not_found")
    assert body_of(client.get("/api/moves"), 405, "method_not_allowed")
    assert "POST" in client.get("/api/moves").headers["Allow"]
    for data in ("", "{", b"\xff", '{"a":' * 9_000 + "1" + "}" * 9_000, '{"to":' + "9" * 5_000 + "}"):
        body_of(client.post("/api/moves", data=data, headers=BEARER, content_type="application/json"), 400, "malformed")
    body_of(client.post("/api/moves", data="x", headers=BEARER), 415, "malformed")
    body_of(client.post("/api/moves", json=[], headers=BEARER), 400, "malformed")
    body_of(client.post("/api/moves", json={"do": "x" * 70_000}, headers=BEARER), 413, "too_large")
    body_of(client.get("/api/legal?by=pink"), 404, "no_such_seat")
    body_of(client.get("/seat/pink"), 404, "no_such_seat")
    body_of(client.get("/history/none.json"), 404, "no_such_game")


def test_a_bug_is_told_in_the_same_shape(house, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("web.pages.doctor.routes.jsonify", broken)
    body_of(house.client().get("/healthz"), 500, "internal")


def test_legal_moves_say_what_they_cost_and_bring(house):
    house.start(start={"players": {"red": {"available": ["A", "plain"], "resources": {"food": 3}}}})
    moves = house.client().get("/api/legal?by=red").json["moves"]
    by_space = {(move.get("space"), tuple(move.get("dwellers", ()))): move["preview"] for move in moves}
    assert by_space["1:L1a", ("plain",)]["cost"] == [{"icon": "food", "amount": 3}]
    assert by_space["1:R2a", ("A",)]["doubled"] is True
    assert by_space["1:R2a", ("plain",)] == {
        "card": "Diner",
        "cost": [],
        "reward": [{"icon": "food", "amount": 2}],
        "doubled": False,
        "fight": None,
    }


def test_two_phones_at_once_lose_no_move(house):
    house.start()
    phones = {colour: house.seated(colour) for colour in ("red", "blue", "green")}
    wanted = 0

    def hammer(colour):
        done = 0
        for space in ("1:R1a", "1:R1b", "1:R2a", "1:R2b", "1:R3a", "1:R3b", "1:L2a", "1:L1b"):
            done += house.tap(phones[colour], do="place", by=colour, space=space).status_code == 200
        return done

    with ThreadPoolExecutor(3) as pool:
        wanted = sum(pool.map(hammer, phones))
    assert wanted == house.state["version"] == len(house.state["placed"])
    entries = house.record.entries(house.state["id"])
    assert len(entries) == wanted + 1
    assert replay(entries).open_game.state()["placed"] == house.state["placed"]


def test_liveness_tells_its_parts(house):
    answer = house.client().get("/healthz")
    assert answer.json == {
        "ok": True,
        "parts": {"session": "ok", "journal": "ok", "camera": "off", "panel": "off"},
        "table": mark(house.folder),
    }
    house.session.stop()
    stopped = house.client().get("/healthz")
    assert (stopped.status_code, stopped.json["parts"]["session"]) == (503, "stopped")
    body_of(house.tap(None, do="spawn"), 503, "stopped")


def test_metrics_are_prometheus_text(house):
    text = house.client().get("/metrics").text
    assert re.search(r"^companion_streams 0$", text, re.MULTILINE)
    assert text.count("# TYPE") == text.count("# HELP") == 6


def frames_of(stream, number):
    return [next(stream).decode() for _ in range(number)]


def test_a_reader_gets_the_newest_at_once_and_then_what_is_newer(house):
    house.start()
    streams = Streams(house.session.snapshots)
    stream = streams.stream(0, lambda: False)
    retry, first = frames_of(stream, 2)
    assert retry == "retry: 1000\n\n"
    assert first.startswith(f"event: state\nid: {house.state['seq']}\ndata: {{")
    for space in ("1:R1a", "1:R2a", "1:R3a"):
        house.tap(None, do="place", by=house.state["turn"], space=space)
    (newest,) = frames_of(stream, 1)
    assert f"id: {house.state['seq']}\n" in newest
    assert json.loads(newest.partition("data: ")[2]) == house.state
    stream.close()
    assert streams.open == 0


def test_a_reader_who_has_seen_it_waits_and_one_from_the_future_does_not(house):
    streams = Streams(house.session.snapshots, heartbeat=0)
    seq = house.state["seq"]
    assert frames_of(streams.stream(seq, lambda: False), 2)[1] == ": still here\n\n"
    assert frames_of(streams.stream(seq + 999, lambda: False), 2)[1].startswith("event: state")


def test_a_reader_who_waits_is_looked_after_more_often_than_it_is_told_so(house, monkeypatch):
    monkeypatch.setattr("web.base.streams.LOOK", 0.01)
    looks = []
    streams = Streams(house.session.snapshots, heartbeat=0.05)
    told = frames_of(streams.stream(house.state["seq"], lambda: bool(looks.append(1))), 3)
    assert told[1:] == [": still here\n\n"] * 2
    assert len(looks) >= 9


def test_a_page_that_was_made_while_a_scene_was_shown_hears_that_it_is_over(house):
    """It was sent before the scene ended, and listens only since."""
    streams = Streams(house.session.snapshots)
    told = frames_of(streams.stream(house.state["seq"], lambda: False, moments=True), 2)[1]
    assert told == 'event: moment\ndata: {"key": "", "step": 0, "renewed": false}\n\n'


def test_an_event_is_written_once_for_all(house):
    streams = Streams(house.session.snapshots)
    first, second = (frames_of_bytes(streams.stream(0, lambda: False)) for _ in range(2))
    assert first is second


def frames_of_bytes(stream):
    next(stream)
    return next(stream)


def test_streams_end_with_their_reader_and_with_the_session(house):
    streams = Streams(house.session.snapshots, most=1)
    gone = []
    stream = streams.stream(0, lambda: bool(gone))
    with pytest.raises(Refusal, match="listening already"):
        streams.stream(0, lambda: False)
    next(stream)
    next(stream)
    gone.append(True)
    assert list(stream) == []
    assert streams.open == 0
    again = streams.stream(house.state["seq"], lambda: False)
    next(again)
    house.session.stop()
    assert list(again) == []
    stream.close()
    assert streams.open == 0


def test_beyond_the_cap_there_is_a_clear_answer(make_house):
    house = make_house(most_streams=0)
    answer = house.client().get("/api/events")
    body_of(answer, 503, "too_many_streams")
    assert answer.headers["Retry-After"] == "5"


def test_the_host_freezes_and_thaws_and_goes_back_to_other_games(house):
    house.start()
    first = house.state["id"]
    client = house.client()
    body_of(client.post("/api/host/freeze"), 401, "no_host")
    body_of(house.seated("red").post("/api/host/freeze"), 403, "host_only")
    assert client.post("/api/host/freeze", headers=BEARER).status_code == 200
    assert house.state["phase"] == "frozen"
    assert client.post("/api/host/thaw", headers=BEARER).status_code == 200
    house.start()
    assert house.state["id"] != first
    assert client.post(f"/api/host/games/{first}/resume", headers=BEARER).status_code == 200
    assert house.state["id"] == first
    body_of(client.post("/api/host/games/none/resume", headers=BEARER), 404, "no_such_game")
    body_of(client.post("/api/host/games", json={"setup": 3}, headers=BEARER), 400, "malformed")


def test_a_name_is_short_and_a_blank_one_is_the_colour(house):
    client = house.client()
    setup = {"players": ["red", "blue"]}
    for names in ({"red": "A" * 61}, {"red": "A\n"}, {"red": 3}, ["Ann"]):
        answer = client.post("/api/host/games", json={"setup": {**setup, "names": names}}, headers=BEARER)
        body_of(answer, 400, "malformed")
    names = {"red": " ", "blue": "Żółć"}
    client.post("/api/host/games", json={"setup": {**setup, "names": names}}, headers=BEARER)
    assert {colour: player["name"] for colour, player in house.state["players"].items()} == {
        "red": "Red",
        "blue": "Żółć",
    }


def test_the_description_names_every_route(house):
    paths = house.client().get("/api/openapi.json").json["paths"]
    described = {(path, method.upper()) for path, methods in paths.items() for method in methods}
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in house.app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/") or rule.rule in ("/healthz", "/metrics")
    }
    assert described == routes


def test_the_description_is_consistent(house):
    whole = house.client().get("/api/openapi.json").json
    for reference in re.findall(r'"\$ref": ?"#/([^"]+)"', json.dumps(whole)):
        found = whole
        for part in reference.split("/"):
            found = found[part]
    for methods in whole["paths"].values():
        for one in methods.values():
            assert one["summary"]
            assert "200" in one["responses"]


def test_a_pin_makes_a_host(house):
    client = house.client()
    body_of(client.post("/api/host/login", json={"pin": 1}), 400, "malformed")
    body_of(client.post("/api/host/login", json={"pin": "000000"}), 403, "wrong_pin")
    assert client.post("/api/host/login", json={"pin": PIN}).json == {"host": True}
    assert client.post("/api/host/games", json={"setup": {"players": ["red", "blue"]}}).status_code == 200
    assert client.post("/api/host/logout", json={}).json == {"host": False}
    body_of(client.post("/api/host/freeze"), 401, "no_host")
