"""The demo's page over a pretended playground; and that a real table has nothing of it."""

import random

import pytest
from at_the_door import weight_of
from browsing import by_script

from companion.refusal import Refusal

FIGHT = {
    "round": 3,
    "phase": "place",
    "turn": "red",
    "threats": {"1:R1b": "raider"},
    "players": {"red": {"items": [{"id": "minigun", "exhausted": False}]}},
}


class Ground:
    seats = ("red",)

    def __init__(self, folder):
        self.pictures = folder
        self.done = []
        (folder / "wild-goose.png").write_bytes(b"\x89PNG")
        (folder.parent / "secret.png").write_bytes(b"no")

    def fixed(self):
        return {"mat": [740, 430], "spaces": {}, "buttons": ["red"], "threats": ["wild-goose"]}

    def shown(self):
        return {"version": 3, "cards": [], "figures": []}

    def wanted(self, state):
        return {state["tracks"]["items"][0]: (-120.5, 244.0)}

    def wait(self, version, seconds):
        self.done.append((version, seconds > 0))

    def do(self, deed):
        if deed.get("do") != "bump":
            raise Refusal("not_there", None, "That cannot be done.")
        self.done.append(deed)


@pytest.fixture
def ground(tmp_path):
    folder = tmp_path / "pieces"
    folder.mkdir()
    return Ground(folder)


@pytest.fixture
def demo(make_house, ground):
    house = make_house(playground=ground)
    house.start(players=["red", "blue"], levels=["red", "blue"], bots={"blue": "easy"})
    return house


def test_the_demo_is_small_but_for_the_pictures_of_its_table(demo):
    """Its script draws a whole table; the mat and the cards that lie there come after the page, and are kept."""
    by_script(demo, random.Random(5), lambda state: state["round"] >= 9 and bool(state["placed"]))
    assert weight_of(demo.seated("red"), "/demo") < 66_000


@pytest.mark.parametrize("path", ["/demo", "/demo/table", "/demo/pieces/mat.png", "/demo/camera.jpg"])
def test_a_real_table_has_no_demo(house, path):
    assert house.client().get(path).status_code == 404


def test_a_card_of_the_tracks_that_nobody_has_laid_waits_in_the_tray(demo):
    (card, *_) = demo.session.snapshots.latest.state["tracks"]["items"]
    page = demo.client().get("/demo").get_data(as_text=True)
    assert f'data-card="{card}" data-at="-120.5 244.0"' in page.split('id="wanted"')[1]


def test_the_page_offers_the_seats_that_people_play(demo):
    client = demo.client()
    page = client.get("/demo").get_data(as_text=True)
    assert 'action="/demo/sit"' in page
    assert "/demo/pieces/wild-goose.png" in page
    answer = client.post("/demo/sit")
    assert (answer.status_code, answer.location) == (303, "/demo")
    page = client.get("/demo").get_data(as_text=True)
    assert 'action="/demo/sit"' not in page
    assert not demo.access.is_free("red")
    assert demo.access.is_free("blue")
    assert "do-pass" in page
    answer = client.post("/api/moves", json={"do": "pass", "by": "red"})
    assert answer.status_code == 200


def test_while_a_choice_is_open_nobody_is_sent_to_place_a_dweller(demo):
    client = demo.client()
    client.post("/demo/sit")
    assert 'id="what-now"' in client.get("/demo").get_data(as_text=True)
    by_script(demo, random.Random(1), lambda state: state["turn"] == "red" and bool(state["pending"]))
    page = client.get("/demo").get_data(as_text=True)
    assert 'id="what-now"' not in page
    assert 'id="do-pass"' not in page


def test_a_fight_tells_its_odds_beside_the_table_too(demo):
    client = demo.client()
    client.post("/demo/sit")
    demo.tap(do="correct", set=FIGHT)
    assert "Fights you could begin" in client.get("/demo").get_data(as_text=True)
    demo.tap(do="place", by="red", space="1:R1b")
    page = client.get("/demo").get_data(as_text=True)
    assert "Odds of this fight" in page
    assert "72 %" in page
    assert "Fights you could begin" not in page


def test_every_page_of_the_demo_leads_back_to_its_table(demo, house):
    assert 'href="/demo"' in demo.client().get("/").get_data(as_text=True)
    assert 'href="/demo"' not in house.client().get("/").get_data(as_text=True)


def test_the_hosts_door_says_where_the_demo_tells_its_pin(demo, house):
    assert "a new one at every start" in demo.client().get("/host").get_data(as_text=True)
    assert "at the first start" in house.client().get("/host").get_data(as_text=True)


def test_a_taken_seat_stays_taken(demo):
    first, second = demo.client(), demo.client()
    first.post("/demo/sit")
    second.post("/demo/sit")
    assert first.post("/api/moves", json={"do": "pass", "by": "red"}).status_code == 200
    assert second.post("/api/moves", json={"do": "undo"}).status_code == 401


def test_whoever_comes_later_is_told_where_the_seats_are_and_takes_them_over(demo):
    first, second = demo.client(), demo.client()
    first.post("/demo/sit")
    assert 'id="sit-instead"' not in first.get("/demo").get_data(as_text=True)
    page = second.get("/demo").get_data(as_text=True)
    assert 'id="sit-instead"' in page
    assert "another browser: Red" in page
    assert second.post("/demo/sit", data={"instead": "yes"}).status_code == 303
    assert first.post("/api/moves", json={"do": "pass", "by": "red"}).status_code == 401
    assert second.post("/api/moves", json={"do": "pass", "by": "red"}).status_code == 200


def test_before_the_game_nobody_is_sent_to_the_host(make_house, ground, monkeypatch):
    monkeypatch.setattr(ground, "wanted", lambda _: {})
    page = make_house(playground=ground).client().get("/demo").get_data(as_text=True)
    assert "The table is being laid" in page
    assert "The host starts one" not in page


def test_the_table_is_told_when_it_has_changed(demo, ground):
    assert demo.client().get("/demo/table").json["version"] == 3
    assert ground.done == []
    assert demo.client().get("/demo/table?after=3").json["version"] == 3
    assert ground.done == [(3, True)]
    assert demo.client().get("/demo/table?after=now").status_code == 200


def test_hands_are_handed_over_and_refused(demo, ground):
    assert demo.client().post("/demo/hands", json={"do": "bump"}).json == {"done": True}
    assert ground.done == [{"do": "bump"}]
    answer = demo.client().post("/demo/hands", json={"do": "fly"})
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "not_there")
    assert demo.client().post("/demo/hands", data="x", content_type="application/json").status_code == 400
    foreign = {"Origin": "http://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
    assert demo.client().post("/demo/hands", json={"do": "bump"}, headers=foreign).status_code == 403


def test_pictures_come_from_their_folder_alone(demo):
    with demo.client().get("/demo/pieces/wild-goose.png") as answer:
        assert answer.mimetype == "image/png"
    assert demo.client().get("/demo/pieces/../secret.png").status_code == 404
    assert demo.client().get("/demo/pieces/%2e%2e%2fsecret.png").status_code == 404


def test_without_a_camera_there_is_no_picture(demo):
    assert demo.client().get("/demo/camera.jpg").status_code == 404
