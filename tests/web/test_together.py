"""Co-operative play on the pages, without a script: how it is begun, what is shared, and how it ends."""

import pytest
from at_the_door import BEARER, PIN, tight
from test_start import READER, answers, asked

from companion.cards.together import CRISES
from companion.languages import catalogues
from companion.table.session.intents import Foreseen

AIMS = {"difficulty": "normal", "aims": ["rooms", "cheer", "quiet"], "crises": ["gang", "storm"]}
ALONE = {"players": ["red"], "levels": ["red"], "first": "red", "together": AIMS}


def get(house, path, language="en"):
    return house.client().get(path, headers={**READER, "Accept-Language": language}).text


def test_one_player_begins_an_evening_alone(house):
    client = house.client()
    page = asked(client, plays_red="on", name_red="Ann", together="hard", step="vault")
    page = asked(client, **{**answers(page), "step": "cards"})
    assert answers(page)["together"] == "hard"
    answer = client.post("/start", data={**answers(page), "pin": PIN}, headers=READER)
    assert answer.headers["Location"] == "/start/phones"
    assert (house.state["order"], house.state["together"]["difficulty"]) == (["red"], "hard")
    again = answers(asked(client))
    assert (again["together"], again["plays_red"]) == ("hard", "on"), "the next evening is offered as the last one was"


def test_alone_against_nobody_is_asked_again(house):
    page = asked(house.client(), plays_red="on", together="", step="vault")
    assert 'role="alert"' in page
    assert 'class="lifts"' not in page
    page = asked(house.client(), together="normal", step="vault")
    assert 'role="alert"' in page


def test_a_difficulty_that_there_is_not_is_no_difficulty(house):
    page = asked(house.client(), plays_red="on", plays_blue="on", together="brutal", step="cards")
    assert "together" not in answers(page)


def test_everybody_sees_the_aims_the_crisis_and_the_break_ins(house):
    house.start(**ALONE)
    house.tap(None, do="correct", set={"round": 2, "together": {"breaches": 3}, "players": {"red": {"happiness": 4}}})
    for path in ("/", "/table", "/seat/red"):
        page = get(house, path)
        assert "A gang" in page
        assert "two more rolls for the top level" in page
        assert "Break-ins 3 of " in page
        assert "Happiness, all told: " in page
        assert 'class="met"' in page, "no threat lies in the vault"
    assert "Round 2 of " in get(house, "/")


def test_a_game_without_it_shows_nothing_of_it(house):
    house.start()
    for path in ("/", "/table", "/seat/red"):
        assert "together" not in get(house, path)


def test_what_the_wasteland_did_is_told_in_every_language(house):
    house.start(**ALONE)
    threats = {"1:L1b": "raider", "1:L3a": "mole-rat"}
    house.tap(None, do="correct", set={"round": 3, "phase": "recall", "threats": threats})
    assert house.tap(None, do="recall").status_code == 200
    assert house.state["threats"] == {"1:L2a": "mole-rat"}, "in a dust storm it marches two spaces"
    assert "Mole Rat marches: Vault Door, left" in get(house, "/"), "the place is the room's, not what lies on it"
    for language in catalogues.codes():
        texts = catalogues.catalogue(language, "pages")
        page = get(house, "/", language)
        assert texts["happened_broke_in"].removeprefix("{card}").partition("{place}")[0] in page, language


def test_the_end_says_who_has_won_and_by_which_aims(house):
    house.start(**ALONE)
    house.tap(None, do="correct", set={"phase": "recall", "together": {"breaches": 90}})
    house.tap(None, do="recall")
    assert house.state["result"]["decided_by"] == "breached"
    page = get(house, "/")
    assert "The vault is lost" in page
    assert "the wasteland broke in too often" in page
    assert "Rooms on every level: " in page
    house.tap(None, do="undo")
    house.tap(None, do="correct", set={"together": {"breaches": 0}, "round": 12})
    house.tap(None, do="recall")
    assert "the crisis deck ran out" in get(house, "/")
    assert "the crisis deck ran out" in get(house, "/table")


@pytest.mark.parametrize("players", [["red"], ["red", "blue"]], ids=["alone", "two"])
@pytest.mark.parametrize("won", [True, False], ids=["won", "lost"])
def test_an_evening_that_is_over_is_told_wherever_games_are(house, players, won):
    easy = {"difficulty": "easy", "aims": ["healthy"], "crises": ["calm"]}
    house.start(players=players, levels=players, together=easy)
    set_ = {"round": 2, "phase": "recall"} if won else {"round": 2, "phase": "recall", "together": {"breaches": 50}}
    house.tap(None, do="correct", set=set_)
    assert house.tap(None, do="recall").status_code == 200
    assert house.state["result"]["winners"] == (players if won else [])
    game = house.state["id"]
    told = [
        f"/history/{game}{rest}" for rest in (".html", ".csv", ".json", ".journal", "?step=0", "/take", "/picture.svg")
    ]
    for path in (
        "/",
        "/table",
        "/history",
        f"/history/{game}?step=0",
        f"/history/{game}/take",
        f"/history/{game}/picture.svg",
        *told,
    ):
        assert house.client().get(path, headers={**READER, **BEARER}).status_code == 200, path
    how = "The vault holds" if won else "The vault is lost"
    assert how in get(house, "/")
    assert f"Together, easy: {how}" in get(house, "/history")


def test_the_same_people_play_together_again(house):
    house.start(**ALONE)
    seat = house.seated("red")
    house.tap(None, do="correct", set={"phase": "over"})
    assert seat.post("/again", headers=READER).status_code in (200, 303)
    assert house.state["phase"] == "place"
    assert house.state["together"]["aims"]


def test_the_chance_to_win_is_everybodys(house):
    house.start(together="normal")
    house.client().post("/api/host/odds", json={"win": True}, headers=BEARER)
    alike = {"chance": 0.4, "interval": [0.3, 0.5]}
    estimate = {"playouts": 240, "chances": dict.fromkeys(house.state["order"], alike)}
    house.session.ask(Foreseen(house.state["id"], 0, 1, estimate)).result(10)
    page = get(house, "/")
    assert page.count("30 to 50 %") == 1
    assert "<span>Together</span>" in tight(page)


def test_the_page_of_the_rules_lists_the_crises_and_the_panel_leads_there(house):
    house.start(**ALONE)
    assert 'href="/rules/together"' in get(house, "/seat/red")
    for language in catalogues.codes():
        page = get(house, "/rules", language)
        assert all(catalogues.catalogue(language, "pages")[f"crisis_{one.key}_does"] in page for one in CRISES)
