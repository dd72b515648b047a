"""What all pages show together: made from events, played on one clock, and put in words."""

import re
from math import inf

import pytest
from at_the_door import BEARER

from companion.table.session.snapshots import Snapshot
from web.base.stage import Beat, Stage
from web.base.templating import WEB
from web.games.port import recent_of
from web.games.scenes import UNTIL_ANSWERED, Scene, Step, showing
from web.games.shelter.moments import facts

# --- one clock --------------------------------------------------------------------------------------------------------


def scene(seq, at, *steps, group=0, asks=""):
    return Scene("kind", Snapshot(seq, seq, {}, at=at), steps or (Step(3, 7),), None, group, asks)


def shown(scenes, now, moved=(), taps=None):
    found = showing(scenes, list(moved), taps or {}, now)
    return None if found is None else (found.scene.snapshot.seq, found.step)


def test_a_scene_ends_by_itself_and_sooner_when_somebody_goes_on_but_not_before_it_could_be_read():
    one = [scene(1, 10.0)]
    assert [shown(one, now) for now in (9.9, 10.0, 16.9, 17.0)] == [None, (1, 0), (1, 0), None]
    assert [shown(one, now, moved=[11.0]) for now in (12.9, 13.0)] == [(1, 0), None]
    assert [shown(one, now, moved=[15.0]) for now in (14.9, 15.0)] == [(1, 0), None]


def test_steps_follow_each_other_and_a_tap_ends_one_for_everybody():
    one = [scene(1, 10.0, Step(2, 5), Step(1, 4), Step(3, 6))]
    assert [shown(one, now)[1] for now in (10, 14.9, 15, 18.9, 19, 24.9)] == [0, 0, 1, 1, 2, 2]
    assert shown(one, 25) is None
    tapped = {("kind-1", 0): 11.0}
    assert [shown(one, now, taps=tapped)[1] for now in (10.9, 11.0, 14.9, 15.0)] == [0, 1, 1, 2]
    assert [shown(one, now, moved=[10.5])[1] for now in (11.9, 12.0, 12.9, 13.0, 15.9)] == [0, 1, 1, 2, 2]


def test_the_next_scene_waits_until_the_last_one_could_be_read_and_of_a_crowd_one_at_most_waits():
    scenes = [scene(1, 10.0), scene(2, 11.0), scene(3, 20.0)]
    assert [shown(scenes, now) for now in (12.9, 13.0, 19.9, 20.0)] == [(1, 0), (2, 0), (2, 0), (3, 0)]
    crowd = [scene(1, 10.0), scene(2, 11.0), scene(3, 11.5), scene(4, 12.0)]
    assert [shown(crowd, now) for now in (11.4, 11.5, 12.0, 14.9, 15.0)] == [(1, 0), (2, 0), (3, 0), (3, 0), (4, 0)]


def test_a_fight_is_one_of_those_that_wait_however_often_it_goes_on():
    scenes = [scene(1, 10.0), scene(2, 11.0, *UNTIL_ANSWERED, group=2, asks="red"), scene(3, 11.5, group=2)]
    assert [shown(scenes, now) for now in (12.9, 13.0)] == [(1, 0), (3, 0)]
    scenes.append(scene(4, 12.0))
    assert [shown(scenes, now) for now in (11.9, 12.0)] == [(1, 0), (3, 0)]


def test_a_fight_goes_on_at_once_and_waits_for_an_answer_as_long_as_it_takes():
    fight = [scene(1, 10.0, *UNTIL_ANSWERED, group=1, asks="red")]
    assert shown(fight, 10_000.0, moved=[11.0]) == (1, 0)
    fight.append(scene(2, 12.0, Step(4, 8), group=1))
    assert [shown(fight, now) for now in (11.9, 12.0, 19.9, 20.0)] == [(1, 0), (2, 0), (2, 0), None]
    assert showing(fight[:1], [], {}, 11.0).until == inf


def test_the_pace_stretches_everything():
    assert showing([scene(1, 10.0)], [], {}, 17.0, 2.0).until == 24.0


# --- made from events -------------------------------------------------------------------------------------------------


def scenes_of(house):
    return facts.scenes(recent_of(house.session.snapshots, house.state["id"]))


@pytest.fixture
def fighting(house):
    house.start(names={"red": "Anna"})
    items = [{"id": "minigun", "exhausted": False}, {"id": "fat-man", "exhausted": False}]
    board = {"items": items, "available": ["S", "plain"]}
    house.tap(None, do="correct", set={"threats": {"1:R1a": "raider"}, "players": {"red": board}})
    house.tap(None, do="place", by="red", space="1:R1a", dwellers=["S"])
    return house


def test_a_fight_is_told_from_the_placement_to_what_it_brings(fighting):
    (opened,) = scenes_of(fighting)
    assert (opened.kind, opened.asks, opened.steps) == (facts.FIGHT, "red", UNTIL_ANSWERED)
    assert opened.facts == facts.FightFact("red", "1:R1a", ("S",), doubled=False)
    fighting.tap(None, do="choose", by="red", option="use:minigun")
    fighting.tap(None, do="choose", by="red", option="roll", dice=[[2, 3]])
    rolled = scenes_of(fighting)[-1]
    assert (rolled.facts.phase, rolled.facts.dice, rolled.facts.bonus, rolled.facts.total) == ("rolled", (2, 3), 3, 8)
    assert (rolled.facts.items, rolled.asks, rolled.group) == (("minigun",), "red", opened.group)
    fighting.tap(None, do="choose", by="red", option="use:fat-man", dice=[[3, 3]])
    won = scenes_of(fighting)[-1]
    assert (won.facts.phase, won.facts.total, won.asks, won.group) == ("won", 9, "", opened.group)
    assert won.steps[0].least == pytest.approx(1.2 + 4.0)
    asked = fighting.state["pending"][0]
    fighting.tap(None, do="choose", by="red", id=asked["id"], option=asked["options"][0])
    gained = scenes_of(fighting)[-1]
    assert gained.key == won.key
    assert dict(gained.facts.gains) == {"item": 1}
    fighting.tap(None, do="place", by="blue", space="1:R2a")
    assert [one.key for one in scenes_of(fighting)][-1] == won.key


def test_a_fight_taken_back_or_corrected_away_is_shown_no_longer(fighting):
    fighting.tap(None, do="correct", set={"placed": {"1:R1a": None}, "pending": [], "turn": "red"})
    assert scenes_of(fighting) == []
    answer = fighting.tap(None, do="place", by="red", space="1:R1a", dwellers=["plain"])
    assert answer.status_code == 200, answer.json
    assert [one.asks for one in scenes_of(fighting)] == ["red"]
    fighting.tap(None, do="undo")
    assert scenes_of(fighting) == []


def test_a_lost_fight_that_is_left_as_it_is(fighting):
    fighting.tap(None, do="choose", by="red", option="roll", dice=[[1, 2]])
    fighting.tap(None, do="choose", by="red", option="keep")
    lost = scenes_of(fighting)[-1].facts
    assert (lost.phase, lost.dice, lost.fresh) == ("lost", (1, 2), False)


def to_the_spawn(house):
    answer = house.tap(None, do="correct", set={"round": 2, "phase": "spawn"})
    assert answer.status_code == 200, answer.json


def test_threats_are_told_level_by_level(house):
    house.start()
    to_the_spawn(house)
    house.tap(None, do="spawn", dice=[[4, 4], [3, 4], [1, 1], [2, 2]])
    told = scenes_of(house)[-1]
    assert told.kind == facts.THREATS
    assert [(one["level"], one["column"], one["why_not"]) for one in told.facts.levels] == [
        (1, 8, None),
        (2, 7, "seven"),
        (3, 2, "no_room"),
        (4, 4, "no_room"),
    ]
    assert [step.least for step in told.steps] == [3.2, 1.8, 1.8, 1.8]
    assert sum(step.least for step in told.steps) == pytest.approx(told.snapshot.seconds_to_see)


def test_the_recall_tells_who_goes_home_what_comes_off_and_who_was_trained(house):
    house.start()
    house.tap(None, do="correct", set={"threats": {"1:R1a": "raider"}})
    house.tap(None, do="place", by="red", space="1:R1a")
    house.tap(None, do="choose", by="red", option="roll", dice=[[6, 6]])
    for _ in range(40):
        if house.state["phase"] == "recall":
            break
        moves = house.client().get("/api/legal").json["moves"]
        move = next(
            (one for one in moves if one["do"] == "choose"), next((one for one in moves if one["do"] == "pass"), None)
        )
        house.tap(None, **{key: value for key, value in move.items() if key != "preview"})
    house.tap(None, do="recall")
    told = scenes_of(house)[-1]
    assert told.kind == facts.RECALL
    assert told.facts == facts.RecallFact({"red": 1}, (("1:R1a", "raider"),), ())


def test_the_sixth_room_and_the_end_of_the_deck_make_the_last_round(house):
    house.start()
    rooms = {"L1": "garden", "L2": "lounge", "L3": "science-lab", "R1": "medbay", "R2": "living-room"}
    board = {"available": ["plain"], "resources": {"food": 6, "water": 6, "energy": 6}}
    house.tap(None, do="correct", set={"levels": {"2": {"rooms": rooms}}, "players": {"red": board}})
    house.tap(None, do="place", by="red", space="2:E")
    for _ in range(8):
        if house.state["last_round"]:
            break
        asked = house.state["pending"][0]
        house.tap(None, do="choose", by=asked["by"], id=asked["id"], option=asked["options"][-1])
    told = scenes_of(house)[-1]
    assert (told.kind, told.facts) == (facts.LAST_ROUND, facts.LastRoundFact("red"))


# --- in words ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def live(make_house):
    """A table whose scenes are shown, as slowly as a test needs."""
    return make_house(pace=1000.0)


def test_every_page_shows_the_same_step_and_says_what_happens(live):
    live.start(names={"red": "Anna"})
    to_the_spawn(live)
    red = live.seated("red")
    live.tap(None, do="spawn", dice=[[4, 4], [3, 4], [1, 1], [2, 2]])
    stage = live.app.extensions["companion"].stage
    for step, says in enumerate(("Level 1 of 4", "Level 2 of 4")):
        beat = stage.now()
        assert (beat.key.partition("-")[0], beat.step) == ("threats", step)
        for client, path in ((red, "/seat/red"), (live.client(), "/seat/blue"), (live.client(), "/"), (red, "/table")):
            page = client.get(path).text
            assert f'data-key="{beat.key}"' in page
            assert f'data-at="{step}">{says}' in page.replace("\n", "")
            assert "seven: nothing" in page
        assert 'action="/moments/next"' not in live.client().get("/").text
        assert 'action="/moments/next"' in red.get("/seat/red").text
        assert red.post("/moments/next", data={"key": beat.key, "step": step}).status_code == 303
    assert live.client().post("/moments/next", data={"key": beat.key, "step": 2}).status_code == 401
    red.post("/moments/next", data={"key": beat.key, "step": 0})
    assert stage.now().step == 2


def test_who_is_asked_answers_in_the_scene_and_nowhere_else(live):
    live.start(names={"red": "Anna"})
    live.tap(None, do="correct", set={"threats": {"1:R1a": "raider"}})
    red, blue = live.seated("red"), live.seated("blue")
    live.tap(red, do="place", by="red", space="1:R1a")
    own, other = red.get("/seat/red").text, blue.get("/seat/blue").text
    assert own.index('id="moment"') < own.index('class="choice"') < own.index('id="main"')
    assert own.count('class="choice"') == 1
    assert "You fight" in own
    assert "Anna fights" in other
    assert 'class="choice"' not in other
    live.tap(red, do="choose", by="red", option="roll", dice=[[1, 2]])
    page = blue.get("/seat/blue").text
    assert "Nothing gained" in page
    assert "Lay the dweller on its side" in page


def test_who_is_asked_something_sees_it_before_what_the_others_still_look_at(live):
    live.start()
    live.tap(None, do="correct", set={"threats": {"1:R1a": "raider", "1:R2a": "raider"}})
    red, blue = live.seated("red"), live.seated("blue")
    live.tap(red, do="place", by="red", space="1:R1a")
    live.tap(red, do="choose", by="red", option="roll", dice=[[1, 2]])
    live.tap(blue, do="place", by="blue", space="1:R2a")
    assert "You fight" in blue.get("/seat/blue").text
    assert "Nothing gained" in red.get("/seat/red").text
    assert "Nothing gained" in live.client().get("/table").text


def test_the_end_is_shown_on_every_page_and_the_same_people_play_again(live):
    live.start(names={"red": "Anna", "blue": "Borys"}, levels=["blue", "red", "green"])
    live.tap(
        None, do="correct", set={"round": 3, "phase": "recall", "last_round": True, "pending": [], "first": "blue"}
    )
    live.tap(None, do="correct", set={"players": {"red": {"happiness": 4}, "blue": {"happiness": 2}}})
    red, blue = live.seated("red"), live.seated("blue")
    assert red.post("/again").status_code == 409
    live.tap(None, do="recall")
    live.app.extensions["companion"].stage._pace = 0.0
    assert "You won" in red.get("/seat/red").text
    assert "You are number 2" in blue.get("/seat/blue").text
    for path in ("/", "/table"):
        page = live.client().get(path).text
        assert "Anna wins" in page
        assert 'action="/again"' not in page
    assert live.client().post("/again").status_code == 401
    old = live.state["id"]
    assert red.post("/again").headers["Location"] == "/seat/red"
    state = live.state
    assert state["id"] != old
    assert (state["round"], state["first"], state["order"]) == (1, "blue", ["red", "blue", "green"])
    assert [level["owner"] for level in state["levels"].values()] == [None, "blue", "red", "green"]
    assert [player["name"] for player in state["players"].values()] == ["Anna", "Borys", "Green"]
    assert {player["happiness"] for player in state["players"].values()} == {0}


def test_nobody_begins_a_game_for_others_by_playing_again(live):
    live.start(players=["red", "blue"], levels=["red", "blue"])
    green = live.client()
    live.tap(None, do="correct", set={"round": 3, "phase": "recall", "last_round": True, "pending": []})
    live.tap(None, do="recall")
    live.start(players=["red", "green"], levels=["red", "green"])
    green = live.seated("green")
    live.start(players=["red", "blue"], levels=["red", "blue"])
    live.tap(None, do="correct", set={"round": 3, "phase": "recall", "last_round": True, "pending": []})
    live.tap(None, do="recall")
    before = live.state["id"]
    assert green.post("/again").status_code == 403
    assert live.state["id"] == before
    assert live.client().post("/again", headers=BEARER).status_code == 303


# --- the stream -------------------------------------------------------------------------------------------------------


def test_a_beat_tells_scene_and_step_and_whether_to_load_the_page_anew(house):
    assert Beat("fight-3", 1, 5).frame(Beat("", 0, 5)) == (
        b'event: moment\ndata: {"key": "fight-3", "step": 1, "renewed": false}\n\n'
    )
    assert b'"renewed": true' in Beat("", 0, 6).frame(Beat("", 0, 5))
    stage = Stage(house.session.snapshots, pace=0)
    stage.renew()
    assert stage.now() == Beat("", 0, 1)


def test_what_was_tapped_away_does_not_come_back_when_the_next_one_is(fighting):
    stage = Stage(fighting.session.snapshots, pace=1000.0)
    fighting.tap(None, do="choose", by="red", option="roll", dice=[[1, 2]])
    fighting.tap(None, do="choose", by="red", option="keep")
    fighting.tap(None, do="correct", set={"round": 2, "phase": "spawn", "pending": []})
    fighting.tap(None, do="spawn", dice=[[1, 1]] * 4)
    lost = stage.now()
    stage.go_on(lost.key, lost.step)
    threats = stage.now()
    assert [beat.key.partition("-")[0] for beat in (lost, threats)] == ["fight", "threats"]
    stage.go_on(threats.key, threats.step)
    assert stage.now() == threats._replace(step=1)


def test_the_codes_of_free_seats_are_on_the_big_screen(house):
    house.start()
    house.seated("red")
    page = house.client().get("/table").text
    assert house.access.code("blue") in page
    assert house.access.code("red") not in page


def test_the_style_of_scenes_reaches_nothing_else():
    """It is loaded on every page of the game, after the style of that page."""
    sheet = re.sub(
        r"/\*.*?\*/", "", (WEB / "pages" / "table" / "moments.css").read_text(encoding="utf-8"), flags=re.DOTALL
    )
    selectors = [part.strip() for rule in re.findall(r"([^{}]+)\{", sheet) for part in rule.split(",")]
    own = re.compile(r"[.]m-|#moment|#again|^[.]screen |[.]lit |^@|^(from|to|\d+%)$|:not\(")
    assert [one for one in selectors if one and not own.search(one)] == []
    assert len(selectors) > 100
