"""The command `companion simulate`: the shape of its JSON, its table, and wrong use."""

import json
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from companion.cli import main


def simulate(*arguments):
    return CliRunner().invoke(main, ["simulate", *arguments])


def test_json_has_speed_lengths_scores_and_seats():
    result = simulate("--games", "6", "--players", "3", "--policy", "greedy", "--seed", "4", "--json")
    assert result.exit_code == 0
    report = json.loads(result.output)
    assert {"games", "players", "policy", "pack", "seed", "unfinished", "speed", "rounds", "scores", "seats"} <= set(
        report
    )
    assert report["games"] == 6
    assert report["unfinished"] == 0
    assert report["speed"]["decisions"] > 100
    assert report["rounds"]["min"] <= report["rounds"]["mean"] <= report["rounds"]["max"]
    assert [seat["seat"] for seat in report["seats"]] == [1, 2, 3]
    assert sum(seat["wins"] for seat in report["seats"]) == pytest.approx(6, abs=0.01)
    for seat in report["seats"]:
        low, high = seat["interval"]
        assert 0 <= low <= seat["share"] <= high <= 1


def test_the_same_seed_gives_the_same_report():
    first, second = (json.loads(simulate("--games", "3", "--seed", "9", "--json").output) for _ in range(2))
    for report in (first, second):
        del report["speed"]
    assert first == second


def test_the_plain_table_names_every_seat_and_its_interval():
    result = simulate("--games", "3", "--players", "2", "--policy", "random")
    assert result.exit_code == 0
    assert "decisions/s" in result.output
    assert "95 % interval" in result.output


def test_a_match_says_how_often_each_has_won():
    report = json.loads(simulate("--games", "6", "--players", "2", "--match", "greedy:random", "--json").output)
    assert set(report["match"]) == {"greedy", "random"}
    assert sum(won["wins"] for won in report["match"].values()) == pytest.approx(6)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--games", "0"],
        ["--games", "many"],
        ["--games", "1", "--players", "5"],
        ["--games", "1", "--policy", "clever"],
        ["--games", "1", "--pack", "no-such-pack"],
        ["--games", "1", "--match", "greedy"],
        ["--games", "1", "--match", "greedy:greedy"],
        ["--games", "1", "--match", "greedy:clever"],
        ["--games", "1", "--players", "2", "--match", "greedy:easy:easy"],
        ["--games", "1", "--match", "valued:mcts", "--budget", "50:500:5"],
        ["--games", "1", "--match", "valued:mcts", "--budget", "50:0"],
        ["--games", "1", "--match", "valued:mcts", "--walks", "fast"],
        ["--games", "1", "--seed", "x"],
        ["--games", "1", "--rule", "odd_seats"],
        ["--games", "1", "--rule", "income_late", "--rule", "income_automatic"],
        ["--games", "1", "--rule", "even_seats", "--pack", "homemade"],
        ["--games", "1", "--rule", "even_seats", "--calibrate"],
        ["--games", "1", "--no-such-option"],
    ],
)
def test_wrong_use_is_one_line_and_exit_2(arguments):
    result = simulate(*arguments)
    assert result.exit_code == 2
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stderr.startswith("Error: ")
    assert not result.stdout


def test_a_study_says_which_cards_win_and_writes_a_page(tmp_path):
    page = tmp_path / "study.html"
    result = simulate("--games", "3", "--players", "2", "--study", "--html", str(page), "--json")
    assert {"rooms", "items", "lengths", "lead"} <= set(json.loads(result.output)["study"])
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "rooms whose owners won most" in simulate("--games", "3", "--players", "2", "--study").output


def test_calibration_has_its_score_and_its_table():
    result = simulate("--games", "2", "--players", "2", "--calibrate", "--json")
    assert {"brier", "brier_of_1_over_n", "better_by", "reliability"} <= set(json.loads(result.output)["calibration"])


def test_the_reliability_curve_is_a_picture_of_its_own(tmp_path):
    drawn = tmp_path / "chances.svg"
    assert simulate("--games", "2", "--players", "2", "--calibrate", "--svg", str(drawn)).exit_code == 0
    assert ET.parse(drawn).getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 - made a line above
    assert simulate("--games", "1", "--svg", str(drawn)).exit_code == 2


def test_those_that_think_have_a_budget():
    result = simulate("--games", "1", "--players", "2", "--match", "hard:greedy", "--walks", "2", "--json")
    assert set(json.loads(result.output)["match"]) == {"hard", "greedy"}


def test_each_of_a_match_has_a_budget_of_its_own_and_one_plays_against_three():
    arguments = ("--games", "2", "--players", "3", "--match", "valued:mcts:mcts", "--walks", "4:2", "--json")
    first = json.loads(simulate(*arguments).output)
    assert set(first["match"]) == {"valued", "mcts"}
    assert sum(won["wins"] for won in first["match"].values()) == 2
    assert json.loads(simulate(*arguments).output)["match"] == first["match"]
    other = json.loads(simulate(*arguments[:-3], "--walks", "4", "--json").output)
    assert set(other["match"]) == {"valued", "mcts"}


def test_a_page_that_cannot_be_written_is_one_line(tmp_path):
    result = simulate("--games", "1", "--players", "2", "--html", str(tmp_path / "none" / "x.html"))
    assert result.exit_code == 1
    assert len(result.stderr.strip().splitlines()) == 1


def test_together_one_player_is_enough_and_the_table_says_how_many_were_won(tmp_path):
    kept = tmp_path / "kept.jsonl"
    arguments = ("--mode", "together", "--difficulty", "easy", "--games", "6", "--players", "1", "--keep", str(kept))
    report = json.loads(simulate(*arguments, "--json").output)
    assert report["difficulty"] == "easy"
    together = report["together"]
    assert sum(together["decided_by"].values()) == 6
    assert together["won"]["wins"] == together["decided_by"].get("aims", 0)
    assert sum(aim["drawn"] for aim in together["aims"]) == 18
    again = simulate(*arguments)
    assert again.exit_code == 0
    assert "6 games of 1 together, easy, greedy" in again.output
    assert len(kept.read_text().splitlines()) == 6, "what is kept is not played again"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--players", "1"], "--players"),
        (["--difficulty", "hard"], "--difficulty"),
        (["--mode", "together", "--match", "greedy:random"], "--match"),
        (["--mode", "together", "--study"], "--study"),
        (["--mode", "together", "--calibrate"], "--calibrate"),
    ],
)
def test_together_what_does_not_fit_is_wrong_use(arguments, said):
    result = simulate("--games", "1", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_games_are_played_by_house_rules_and_kept_apart_from_others(tmp_path):
    kept = tmp_path / "games.jsonl"
    plain, even = (
        json.loads(simulate("--games", "8", "--players", "2", "--json", *rule).output)
        for rule in ((), ("--rule", "even_seats", "--keep", str(kept)))
    )
    assert even["seats"][1]["score"] > plain["seats"][1]["score"]
    other = simulate("--games", "1", "--players", "2", "--keep", str(kept))
    assert other.exit_code == 2
    assert "another study" in other.stderr
