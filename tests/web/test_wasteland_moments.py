"""What all pages show together of a game in the wasteland: fights, the enemy phase, and what comes before the end."""

import re

import pytest
from at_the_door import BEARER
from evening_out import begin

from web.games.port import recent_of
from web.games.scenes import UNTIL_ANSWERED
from web.games.wasteland.moments import facts

AT_THE_REEF = {
    "start": {
        "players": {"red": {"space": "reef", "hp": 13, "rads": 4, "weapon": "flare-pistol", "letters": "SP"}},
        "enemies": {"1": {"id": "dune-crab", "space": "reef"}, "2": {"id": "deserter", "space": "market"}},
    },
    "names": {"red": "Ada"},
    "options": {"dice": "table"},
}


@pytest.fixture
def live(make_house):
    """A table whose scenes are shown for longer than a test takes."""
    made = make_house(pace=1000.0)
    begin(made, **AT_THE_REEF)
    return made


def scenes_of(house):
    return facts.scenes(recent_of(house.session.snapshots, house.state["id"]))


def do(house, **move):
    answer = house.tap(None, **move)
    assert answer.status_code == 200, answer.json


def choose(house, option):
    asked = house.state["pending"][0]
    do(house, do="choose", by=asked["by"], id=asked["id"], option=option)


def judged(house):
    """Keep the dice, and go on to what they bring."""
    while house.state["pending"] and house.state["pending"][0]["kind"] in ("reroll", "during-fight"):
        choose(house, "keep" if house.state["pending"][0]["kind"] == "reroll" else "go-on")


def test_a_fight_is_told_from_its_beginning_to_what_it_brings(live):
    do(live, do="fight", by="red", enemy=1)
    (opened,) = scenes_of(live)
    assert (opened.kind, opened.asks, opened.steps) == (facts.CONTEST, "red", UNTIL_ANSWERED)
    assert opened.facts == facts.ContestFact("red", "dune-crab")
    for _ in range(3):
        choose(live, live.state["pending"][0]["options"][-1])
    rolled = scenes_of(live)[-1]
    assert (rolled.facts.phase, len(rolled.facts.dice), rolled.facts.fresh) == (facts.ROLLED, 3, True)
    assert rolled.group == opened.group
    judged(live)
    told = scenes_of(live)[-1]
    assert told.facts.phase in (facts.WON, facts.LOST)
    assert (told.facts.hits >= told.facts.needed) == (told.facts.phase == facts.WON)
    assert (told.asks, told.group) == ("", opened.group)
    assert told.steps[0].least >= 2.5
    effects = dict(told.facts.effects)
    assert effects.get("hp", 0) == live.state["players"]["red"]["hp"] - 13
    while live.state["pending"]:
        choose(live, live.state["pending"][0]["options"][0])
    do(live, do="result", by="red", results=["caps 3"])
    assert dict(scenes_of(live)[-1].facts.effects).get("caps", 0) == 0


def test_who_fights_is_asked_in_the_scene_and_the_others_see_the_same_dice(live):
    red, blue = live.seated("red"), live.seated("blue")
    do(live, do="fight", by="red", enemy=1)
    own, other = red.get("/seat/red").text, blue.get("/seat/blue").text
    assert own.count('class="choice"') == 1
    assert own.index('id="moment"') < own.index('class="choice"') < own.index('id="main"')
    assert "You fight" in own
    assert "Ada fights" in other
    assert 'class="choice"' not in other
    choose(live, live.state["pending"][0]["options"][-1])
    for client, path in ((red, "/seat/red"), (blue, "/seat/blue"), (live.client(), "/"), (live.client(), "/table")):
        page = client.get(path).text
        assert page.count('class="w-thrown"') == 1, path
    asked = live.state["pending"][0]
    assert f'id="choice-{asked["id"]}"' in red.get("/seat/red").text


def test_a_fight_that_is_taken_back_is_shown_no_longer(live):
    do(live, do="fight", by="red", enemy=1)
    do(live, do="undo")
    assert scenes_of(live) == []


def test_the_enemy_phase_begins_with_the_agenda_and_goes_through_its_types(live):
    for _ in range(2):
        do(live, do="end", by=live.state["turn"])
    do(live, do="reveal")
    told, fight = scenes_of(live)
    assert (told.kind, fight.kind) == (facts.ENEMIES, facts.CONTEST)
    assert told.facts.revealed
    assert [one.kind for one in told.facts.acted] == list(told.facts.types[: len(told.facts.acted)])
    assert len(told.steps) == 1 + len(told.facts.acted)
    assert [step.least for step in told.steps] == [2.5, *[1.6] * len(told.facts.acted)]
    page = live.client().get("/").text
    assert page.count("w-alarm") == 1
    assert "Ada reveals" in page


def test_the_agenda_deck_that_is_passed_is_told(make_house):
    live = make_house(pace=1000.0)
    begin(live, decks={"agendas": {"only": ["lamp-oil-contract", "toll-collector", "good-name"]}})
    for _ in range(2):
        do(live, do="end", by=live.state["turn"])
    do(live, do="reveal")
    told = next(one for one in scenes_of(live) if one.kind == facts.POWER)
    assert (told.facts.passed, told.facts.power) == (True, (("star", 1), ("shield", 1)))
    assert "ran out" in live.client().get("/table").text


def test_the_last_step_but_one_of_a_faction_is_told(live):
    do(live, do="result", by="red", results=["power star 1"])
    assert scenes_of(live) == []
    near = live.state["track"] - 2 - live.state["power"]["star"]
    do(live, do="result", by="red", results=[f"power star {near}"])
    told = scenes_of(live)[-1]
    assert (told.kind, told.facts.near, told.facts.passed) == (facts.POWER, ("star",), False)
    assert "One more step of" in live.client().get("/table").text


def test_a_claim_is_shown_before_the_end(live):
    board = {"hand": ["lamp-oil-contract", "never-alone", "full-purse", "well-read"], "caps": 25}
    do(live, do="correct", set={"power": {"shield": 5, "star": 0}})
    do(live, do="correct", set={"players": {"red": board}})
    do(live, do="claim", by="red")
    told = scenes_of(live)[-1]
    assert (told.kind, told.facts) == (facts.CLAIM, facts.ClaimFact("red"))
    assert "Ada claims victory" in live.client().get("/table").text


def test_every_answer_in_a_fight_has_its_odds_while_the_host_wants_them(live):
    red = live.seated("red")
    assert "% to win, " in red.get("/seat/red").text
    assert "Siegchance" in red.get("/seat/red", headers={"Accept-Language": "de"}).text
    do(live, do="fight", by="red", enemy=1)
    for _ in range(3):
        assert "% to win" not in red.get("/seat/red").text
        choose(live, live.state["pending"][0]["options"][-1])
    asked = live.state["pending"][0]
    assert asked["kind"] == "reroll"
    page = red.get("/seat/red").text
    assert page.count("% to win, ") == len(asked["options"]) - 1
    assert re.search(r"\d of 1 hits: it (lives|dies)\. You lose \d HP\.", page)
    answer = live.client().post("/api/host/odds", json={"fight": False}, headers=BEARER)
    assert "fight" not in answer.json["shown"]
    assert "% to win" not in red.get("/seat/red").text
