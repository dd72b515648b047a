"""The map of the wasteland on the pages: what is drawn, what a tap does, and what enemies did by themselves."""

import html
import json
import re

import pytest
from at_the_door import BEARER, House
from evening_out import begin, game_of, moves_of, wander

from web.games.port import recent_of
from web.games.wasteland.moments import facts

ON_A_MAP = {
    "scenario": "the-sunken-bell",
    "decks": {"agendas": ["good-name", "bad-company", "beacon-keeper"]},
    "names": {"red": "Ada", "blue": "Bo"},
}
NOBODY = {"1": None, "2": None, "3": None, "4": None}
CRAB = {"id": "dune-crab", "space": "nave"}
APART = {"red": {"space": "camp-dune"}, "blue": {"space": "camp-well"}}
SPOTS = re.compile(r'<g id="at-([^"]+)"(.*?)>', re.DOTALL)


def lands(page):
    """Attributes of every space that is drawn."""
    found = {}
    for name, rest in SPOTS.findall(page):
        found[name] = {key: html.unescape(value) for key, value in re.findall(r'([\w-]+)="([^"]*)"', rest)}
    return found


def goes(land):
    return json.loads(land["data-goes"])


def do(house, **move):
    answer = house.tap(None, **move)
    assert answer.status_code == 200, answer.json


def test_every_space_is_drawn_and_goals_move(house):
    begin(house, **ON_A_MAP, start={"enemies": NOBODY})
    red = house.seated("red")
    drawn = lands(red.get("/seat/red").text)
    assert set(drawn) == set(game_of(house).map.place_of)
    assert "here" in drawn["camp-fire"]["class"]
    assert goes(drawn["church-quay"]) == {"do": "walk", "by": "red", "to": "church-quay"}
    assert "goal" in drawn["church-quay"]["class"]
    assert "data-asks" not in drawn["church-quay"]
    assert "1 movement point" in drawn["church-quay"]["data-told"]
    assert "data-goes" not in drawn["facedown-7"]
    assert house.tap(red, **goes(drawn["church-quay"])).status_code == 200
    assert house.state["players"]["red"]["space"] == "church-quay"
    assert house.state["actions"] == {"left": 1, "points": 1, "encountered": False, "start_of_turn": False}
    assert "here" in lands(red.get("/seat/red").text)["church-quay"]["class"]


def test_a_walk_that_hurts_or_takes_the_turn_asks_first(house):
    begin(house, **ON_A_MAP, start={"enemies": {**NOBODY, "9": {"id": "salt-hound", "space": "camp-wreck"}}})
    drawn = lands(house.seated("red").get("/seat/red").text)
    assert "Salt Hound attacks" in drawn["camp-wreck"]["data-asks"]
    assert drawn["stairs-pool"]["data-asks"] == "The way costs rads: 1."
    assert drawn["ferry-stairs"]["data-told"] == "Encounter: settlement 2 · 2 movement points · 5 The Sunken Bell"
    far = [name for name, one in drawn.items() if "data-goes" in one and "goal" not in one["class"]]
    assert all("data-asks" in drawn[name] for name in far)
    assert "nave" not in far
    assert "bell-tower" in far


def test_a_facedown_tile_next_door_is_explored_by_a_tap(house):
    begin(house, **{**ON_A_MAP, "decks": {"dangerous-tiles": ["crab-hollow"]}},
          start={"enemies": NOBODY, "players": {"red": {"space": "camp-gate"}}})  # fmt: skip
    red = house.seated("red")
    page = red.get("/seat/red").text
    tile = lands(page)["facedown-7"]
    assert goes(tile) == {"do": "explore", "by": "red", "place": 7}
    assert "dangerous" in tile["class"]
    assert "Explore: Facedown tile 7" in page
    assert house.tap(red, **goes(tile)).status_code == 200
    page = red.get("/seat/red").text
    assert {"crab-nest", "hollow-rim", "hollow-pool"} <= set(lands(page))
    assert "explores: Crab Hollow" in page


@pytest.mark.parametrize(
    ("language", "market", "tile"),
    [
        ("en", "Ferry Stairs", "Facedown tile 1"),
        ("pl", "Schody promowe", "Zakryty kafel 1"),
        ("ru", "Паромная лестница", "Закрытый тайл 1"),
        ("de", "Fährtreppe", "Verdecktes Kartenteil 1"),
    ],
)
def test_spaces_have_their_names_in_every_language(house, language, market, tile):
    begin(house, **ON_A_MAP)
    phone = house.client()
    phone.set_cookie("language", language)
    drawn = lands(phone.get("/table").text)
    assert drawn["ferry-stairs"]["data-name"] == market
    assert drawn["facedown-1"]["data-name"] == tile


def test_a_space_that_is_asked_for_is_tapped(house):
    begin(house, **ON_A_MAP, start={
        "enemies": {**NOBODY, "9": {**CRAB, "space": "drowned-yard"}},
        "players": {"red": {"space": "camp-fire", "hp": 9}, "blue": {"space": "camp-well"}}})  # fmt: skip
    for move in ({"do": "end", "by": "red"}, {"do": "end", "by": "blue"}, {"do": "reveal"}):
        do(house, **move)
    red, blue = house.seated("red"), house.seated("blue")
    drawn = lands(red.get("/seat/red").text)
    asked = [name for name, one in drawn.items() if "data-goes" in one]
    assert asked == ["ferry-quay", "church-quay"]
    assert "data-goes" not in blue.get("/seat/blue").text
    assert house.tap(red, **goes(drawn["ferry-quay"])).status_code == 200
    assert house.state["enemies"]["9"]["space"] == "ferry-quay"


def test_who_only_watches_moves_nothing(house):
    begin(house, **ON_A_MAP)
    for path in ("/", "/table", "/seat/red"):
        page = house.client().get(path).text
        assert 'id="at-camp-fire"' in page
        assert "data-goes" not in page


def test_a_scenario_without_a_map_has_none(house):
    begin(house)
    for path in ("/", "/table", "/seat/red"):
        page = house.seated("red").get(path).text
        assert 'id="map"' not in page
        assert "map.css" not in page


def test_whoever_begins_sees_which_stories_have_a_map(house):
    page = house.client().get("/start?game=wasteland&plays_red=on&plays_blue=on&step=scenario", headers=BEARER).text
    assert page.count("with its map") == 3
    assert "with its map: 13 tiles" in page
    assert page.count("the map is told by hand") == 2


def test_what_enemies_did_is_shown_with_their_ways(make_house):
    house = make_house(pace=1000.0)
    begin(house, **ON_A_MAP, start={"enemies": {**NOBODY, "9": CRAB}, "players": APART})
    do(house, do="end", by="red")
    do(house, do="end", by="blue")
    do(house, do="reveal")
    [scene] = facts.scenes(recent_of(house.session.snapshots, house.state["id"]))
    [critters, shield] = scene.facts.acted
    assert (critters.kind, critters.ways) == ("critter", (("nave", "church-quay"),))
    assert shield.ways == ()
    assert scene.steps[1].least > scene.steps[2].least
    page = house.client().get("/table").text
    assert (
        "Dune Crab goes to Church Quay" in page.replace("Church Quay 4", "Church Quay") or "Dune Crab goes to" in page
    )
    assert page.count('class="arrow"') == 1


def test_the_phase_is_shown_on_after_a_fight(make_house):
    house = make_house(pace=1000.0)
    enemies = {**NOBODY, "8": {**CRAB, "space": "camp-dune"}, "9": CRAB}
    begin(house, **ON_A_MAP, start={"enemies": enemies, "players": APART})
    do(house, do="end", by="red")
    do(house, do="end", by="blue")
    do(house, do="reveal")
    for _ in range(20):
        if not house.state["pending"]:
            break
        asked = house.state["pending"][0]
        option = next((one for one in asked["options"] if one in ("roll", "keep", "go-on")), asked["options"][0])
        do(house, do="choose", by=asked["by"], id=asked["id"], option=option)
    scenes = facts.scenes(recent_of(house.session.snapshots, house.state["id"]))
    told = [one for scene in scenes if scene.kind == facts.ENEMIES for one in scene.facts.acted]
    assert [way for one in told for way in one.ways] == [("nave", "church-quay")]
    assert all(len(scene.steps) == scene.facts.revealed + len(scene.facts.acted) for scene in scenes
               if scene.kind == facts.ENEMIES)  # fmt: skip


@pytest.mark.parametrize("seed", range(2))
def test_every_page_of_a_wandering_game_on_a_map(house, seed):
    begin(house, scenario="the-drowned-lights", survivors={}, options={"cards": "table"} if seed else {})
    phone = house.seated("red")
    for number, _ in enumerate(wander(house, seed, 80)):
        if number % 8:
            continue
        for path in ("/", "/seat/red", "/table", "/history"):
            assert phone.get(path).status_code == 200, path
        walks = {move["to"] for move in moves_of(house) if move["do"] == "walk" and move.get("by") == "red"}
        drawn = lands(phone.get("/seat/red").text)
        assert {name for name, one in drawn.items() if "walk" in one.get("data-goes", "")} == walks


def test_a_restart_in_the_middle_of_the_enemy_phase_changes_nothing(tmp_path):
    house = House(tmp_path)
    enemies = {**NOBODY, "8": {**CRAB, "space": "facedown-6"}, "9": CRAB}
    players = {"red": {"space": "ferry-quay"}, "blue": {"space": "camp-gate"}}
    begin(house, **ON_A_MAP, start={"enemies": enemies, "players": players})
    for move in ({"do": "end", "by": "red"}, {"do": "end", "by": "blue"}, {"do": "reveal"}):
        do(house, **move)
    before = {key: house.state[key] for key in ("map", "enemies", "pending", "phase", "activating", "players")}
    house.close()
    again = House(tmp_path)
    try:
        assert {key: again.state[key] for key in before} == before
        assert before["phase"] == "enemies"
        asked = again.state["pending"][0]
        do(again, do="choose", by=asked["by"], id=asked["id"], option=asked["options"][0])
    finally:
        again.close()


def test_quests_and_what_the_points_left_reach_stand_on_the_map(house):
    begin(house, scenario="the-drowned-lights", start={"quests": [2], "actions": {"left": 1, "points": 1}})
    page = house.seated("red").get("/seat/red").text
    told = dict(re.findall(r'<g id="at-([a-z-]+)"[^>]*?data-told="([^"]*)"', page))
    assert [space for space, text in told.items() if "2 Oil for the Lamps" in text] == ["lighthouse", "market"]
    assert page.count('class="flag"') == 2
    near = [space for space, text in told.items() if "with the points that are left" in text]
    assert near
    assert all("1 movement point" in told[space] for space in near)
