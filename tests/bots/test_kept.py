"""Studies that take hours: kept game by game, gone on with, put together."""

import json

import pytest
from click.testing import CliRunner

from companion.bots.study.tournament import OtherStudyError, SavedGames
from companion.cli import main


def simulate(*arguments):
    result = CliRunner().invoke(main, ["simulate", "--players", "2", "--seed", "6", *arguments, "--json"])
    return json.loads(result.output) if result.exit_code == 0 else result


def without_speed(report):
    return {key: value for key, value in report.items() if key != "speed"}


def test_a_study_in_pieces_says_the_same_as_one_in_a_row(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    match = ("--match", "greedy:easy")
    simulate("--games", "2", "--keep", str(first), *match)
    simulate("--games", "2", "--first", "2", "--keep", str(second), *match)
    together = tmp_path / "together"
    together.write_text(first.read_text() + second.read_text())
    report = simulate("--games", "4", "--keep", str(together), *match)
    assert without_speed(report) == without_speed(simulate("--games", "4", *match))
    assert together.read_text().count("\n") == 4


def test_a_calibration_in_pieces_says_the_same_as_one_in_a_row(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.commands.simulate.PLAYOUTS", 3)
    kept = tmp_path / "kept"
    simulate("--games", "1", "--calibrate", "--keep", str(kept))
    report = simulate("--games", "2", "--calibrate", "--keep", str(kept))
    alone = [simulate("--games", "1", "--first", str(number), "--calibrate")["calibration"] for number in (0, 1)]
    assert report["calibration"]["brier"] == pytest.approx(sum(one["brier"] for one in alone) / 2, abs=1e-4)


def test_what_is_there_is_not_played_again(tmp_path):
    shelf = SavedGames(tmp_path / "kept", {"of": 1})
    asked = []

    def play(number):
        asked.append(number)
        return number

    assert [one["n"] for one in shelf.games(range(3), play, lambda number: {"n": number})] == [0, 1, 2]
    again = SavedGames(tmp_path / "kept", {"of": 1})
    assert [one["n"] for one in again.games(range(1, 4), play, lambda number: {"n": number})] == [1, 2, 3]
    assert asked == [0, 1, 2, 3]


def test_a_line_that_was_cut_off_is_played_again(tmp_path):
    file = tmp_path / "kept"
    whole = json.dumps({"study": {"of": 1}, "game": 0, "n": 7}) + "\n"
    file.write_text(whole + '{"study": {"of"')
    assert list(SavedGames(file, {"of": 1}).games(range(2), int, lambda number: {"n": number})) == [{"n": 7}, {"n": 1}]
    assert file.read_text().startswith(whole)
    assert file.read_text().count("\n") == 2


@pytest.mark.parametrize("line", ["nonsense", "[1]", '{"game": 1}', '{"study": {"of": 2}, "game": 0}'])
def test_games_of_another_study_are_not_put_among_these(tmp_path, line):
    file = tmp_path / "kept"
    file.write_text(line + "\n")
    with pytest.raises(OtherStudyError, match="line 1"):
        SavedGames(file, {"of": 1})
    wrong = simulate("--games", "1", "--keep", str(file))
    assert wrong.exit_code == 2
    assert len(wrong.stderr.strip().splitlines()) == 1


def test_whole_games_are_not_kept(tmp_path):
    assert simulate("--games", "1", "--study", "--keep", str(tmp_path / "kept")).exit_code == 2
