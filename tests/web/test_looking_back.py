"""What decided a finished game, on the pages: in everybody's words, once it has been worked out."""

import random
import re
from html import unescape

import evening_out
import pytest
from at_the_door import SETUP
from browsing import by_script
from test_hidden_chance import finish

from companion.bots.review.review import Effort
from companion.languages.catalogues import codes
from companion.table.bots import reviews
from companion.table.session.intents import StartGame

QUICK = Effort(rough=2, fine=6, wide=2, again=4)


class Asked:
    """In place of what works reviews out."""

    def __init__(self, how=""):
        self.how = how
        self.games = []

    def state(self, game):
        return "waiting" if game in self.games else self.how

    def ask(self, game):
        self.games.append(game)


def played(house, plays="shelter", **setup):
    setup = {**SETUP, **setup} if plays == "shelter" else evening_out.TWO
    house.session.ask(StartGame(setup, plays, seed="evening")).result(10)
    if plays == "shelter":
        by_script(house, random.Random(5), lambda state: state["round"] >= 2)
    else:
        list(evening_out.wander(house, 4, 20))
    finish(house, plays)
    return house.state["id"]


def page(house, game, language="en"):
    answer = house.client().get(f"/history/{game}/review", headers={"Accept-Language": language})
    assert answer.status_code == 200
    return answer.text


def words_of(text):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<svg.*?</svg>|<[^>]*>", " ", text, flags=re.DOTALL)))


@pytest.mark.parametrize("setup", [{}, {"together": "normal"}], ids=["alone", "together"])
def test_the_moments_are_told_in_every_language(make_house, setup):
    house = make_house()
    game = played(house, **setup)
    found = reviews.work_out(house.folder, game, QUICK)
    for language in codes():
        text = page(house, game, language)
        assert text.count('class="vault small"') == len(found["moments"]) == 3
        ids = re.findall(r'\bid="([^"]+)"', text)
        assert len(ids) == len(set(ids))
        for one in found["moments"]:
            assert f"/history/{game}?step={one['nth']}" in text
            assert f"{round(100 * one['before'])}" in words_of(text)
        assert re.findall(r'id="of-(\w+)"', text) == list(house.state["players"])
        assert "review_" not in text
        assert "{" not in words_of(text)


def test_a_better_move_is_told_with_its_reason_and_by_how_much(house, monkeypatch):
    game = played(house)
    found = reviews.work_out(house.folder, game, QUICK)
    first = next(one for one in found["moments"] if one["move"]["do"] == "place")
    first |= {"best": {"do": "place", "by": first["by"], "space": "1:R1b", "dwellers": ["plain"]}, "rolled": True}
    first |= {"before": 0.4, "after": 0.3, "of_best": 0.45, "came": 0.1, "reason": {"why": "room", "room": "library"}}
    monkeypatch.setattr(reviews, "read", lambda *_: found)
    text = words_of(page(house, game))
    assert "A stronger move, by 15 points Dweller → Water Treatment, right, Level 1 Because: to build" in text
    assert "Before 40 % After it 30 % With the other move 45 %" in text
    assert "Then the dice did not help: 10 %." in text


def test_luck_is_called_by_how_far_it_is_from_the_average(house, monkeypatch):
    game = played(house)
    found = reviews.work_out(house.folder, game, QUICK)
    rolls = {"rolls": 5, "came": 4, "expected": 2.5}
    for colour, deviations in (("red", 1.4), ("blue", -1.4), ("green", 0.2)):
        found["players"][colour]["luck"] = {"fights": rolls, "threats": rolls, "deviations": deviations}
        found["players"][colour]["loss"] = 0.0123
    monkeypatch.setattr(reviews, "read", lambda *_: found)
    text = words_of(page(house, game))
    for told in ("Red The dice were kind.", "Blue The dice owe something.", "Green The dice were fair.", "1.2 points"):
        assert told in text
    assert "4 of 5 rolls; 2.5 on average" in text
    assert "1,2 Punkte" in words_of(page(house, game, "de"))


def test_the_end_and_the_history_lead_there(house):
    game = played(house)
    for path in ("/", "/seat/red", "/table", "/history"):
        assert f'href="/history/{game}/review"' in house.client().get(path).text, path


def test_a_phone_that_is_early_waits_without_a_hand(make_house):
    asked = Asked()
    house = make_house(reviewer=asked)
    game = played(house)
    early = page(house, game)
    assert 'http-equiv="refresh"' not in early
    assert house.client().post(f"/history/{game}/review").location == f"/history/{game}/review"
    assert asked.games == [game]
    assert 'http-equiv="refresh" content="5"' in page(house, game)
    reviews.work_out(house.folder, game, QUICK)
    assert 'id="moment-1"' in page(house, game)


def test_one_that_failed_may_be_asked_for_again(make_house):
    house = make_house(reviewer=Asked("failed"))
    game = played(house)
    text = page(house, game)
    assert "did not work out this time" in text
    assert 'id="ask"' in text


def test_there_is_none_of_a_game_that_is_played_or_that_bots_cannot_judge(make_house):
    house = make_house(reviewer=Asked())
    house.start()
    for game in (house.state["id"], "nothing"):
        assert house.client().get(f"/history/{game}/review").status_code == 404
        assert house.client().post(f"/history/{game}/review").status_code == 404
    other = played(house, "wasteland")
    assert house.client().get(f"/history/{other}/review").status_code == 404
    assert f"/history/{other}/review" not in house.client().get("/").text
