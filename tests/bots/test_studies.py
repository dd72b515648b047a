"""Studies: intervals, win chances, calibration, and the page with its charts."""

import random
import re
from xml.etree import ElementTree as ET

import pytest

from companion.bots.study import reliability
from companion.bots.study import report as charts
from companion.bots.study import report as pages
from companion.bots.study.tally import Tally, mean_interval, share_interval
from companion.bots.study.tournament import Study, Tournament
from companion.bots.worth.win_chance import WinEstimator
from companion.cards.loader import builtin
from companion.games.shelter.cards.box import Box
from companion.games.shelter.setup import TableSetup, new_game
from companion.seeded_chance import QuickLuck

BOX = Box(builtin("standard"))


def test_wilson_interval_is_the_textbook_one():
    low, high = share_interval(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert share_interval(0, 0) == (0.0, 1.0)
    assert share_interval(0, 10)[0] == 0.0
    assert mean_interval([3.0]) == (3.0, 3.0)


def test_win_chances_add_up_and_know_their_uncertainty():
    source = random.Random(1)
    game = new_game(BOX, TableSetup(["red", "blue", "green"]), QuickLuck(source))
    estimate = WinEstimator(BOX, source).estimate(game, 12)
    assert estimate.playouts == 12
    assert sum(estimate.chance(colour) for colour in game.seats) == pytest.approx(1)
    bar = estimate.as_json()["chances"]
    assert set(bar) == {"red", "blue", "green"}
    assert all(one["interval"][0] <= one["interval"][1] for one in bar.values())


def test_playouts_stop_when_nobody_waits_for_them():
    source = random.Random(1)
    game = new_game(BOX, TableSetup(["red", "blue"]), QuickLuck(source))
    assert WinEstimator(BOX, source).estimate(game, 50, lambda: False).playouts == 1


def test_a_finished_game_has_its_winner():
    game = Tournament(BOX, ["greedy"], 2, 3).play(0).game
    estimate = WinEstimator(BOX, random.Random(1)).estimate(game, 5)
    assert estimate.chance(game.result.winners[0]) == 0.75


def test_calibration_of_one_who_knows():
    told = [reliability.MidGameEstimate([1.0, 0.0], [1.0, 0.0]), reliability.MidGameEstimate([0.0, 1.0], [0.0, 1.0])]
    report = reliability.report(told)
    assert (report["brier"], report["brier_of_1_over_n"], report["better_by"]) == (0, 0.5, 1)
    assert [row["count"] for row in report["reliability"]] == [2, 2]


def test_calibration_looks_at_the_middle_of_games():
    told = list(reliability.Calibration(BOX, 2, 1, 4).games(3))
    assert len(told) == 3
    for one in told:
        assert sum(one.chances) == pytest.approx(1)
        assert sum(one.won) == pytest.approx(1)


def test_a_study_makes_a_page_whose_charts_are_sound():
    tally, study = Tally(2), Study(2)
    for played in Tournament(BOX, ["greedy"], 2, 5).games(4):
        tally.add(played)
        study.add(played)
    report = {"games": 4, "players": 2, "pack": "standard", "policy": "greedy", "seed": 5, **tally.as_json()}
    report["study"] = study.as_json()
    assert sum(report["study"]["lengths"].values()) == 4
    assert all(0 <= row["share"] <= 1 for row in report["study"]["rooms"] + report["study"]["items"])
    text = pages.page(report, "companion simulate --games 4 <x>")
    drawn = re.findall(r"<svg.*?</svg>", text)
    assert len(drawn) == 6
    for svg in drawn:
        ET.fromstring(svg)  # noqa: S314 - made a line above
    assert "&lt;x&gt;" in text


def test_a_reliability_curve_is_drawn():
    rows = [{"told": 0.2, "came_true": 0.25, "interval": [0.1, 0.4]}]
    ET.fromstring(re.search(r"<svg.*</svg>", charts.reliability(rows, "told & true"))[0])  # noqa: S314
