"""The command `companion simulate`: the shape of its JSON, its table, and wrong use."""

import json

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
        ["--games", "1", "--seed", "x"],
        ["--games", "1", "--no-such-option"],
    ],
)
def test_wrong_use_is_one_line_and_exit_2(arguments):
    result = simulate(*arguments)
    assert result.exit_code == 2
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stderr.startswith("Error: ")
    assert not result.stdout
