"""Tuning: a walk that can be taken again, towards what wins more, and a module out of it."""

import ast
import json
from dataclasses import asdict, replace

import pytest
from click.testing import CliRunner

from companion.bots.study.tuning import NAMES, ROUND, Duel, Tuning, TuningStep, settled, written
from companion.bots.worth.weights import DEFAULT
from companion.cards.loader import builtin
from companion.cli import main
from companion.games.shelter.cards.box import Box

BOX = Box(builtin("standard"))
BLIND = replace(DEFAULT, dweller=0.001, room=0.001, plan=0.001, cube=0.001)


def test_the_same_seed_takes_the_same_way():
    first, second = (list(Tuning(BOX, 2, 5, 2).walk(ROUND, 3)) for _ in range(2))
    assert first == second
    assert first[-1].weights != ROUND


def test_a_step_goes_towards_what_did_better():
    step = next(iter(Tuning(BOX, 2, 3, 4).walk(DEFAULT, 1)))
    assert step.better
    other = next(iter(Tuning(BOX, 2, 3, 4).walk(replace(DEFAULT, refresh=0.092), 1)))
    grown = {name for name in NAMES if getattr(step.weights, name) > getattr(DEFAULT, name)}
    assert 0 < len(grown) < len(NAMES)
    assert other.weights.refresh != pytest.approx(step.weights.refresh)


@pytest.mark.parametrize("players", [2, 3])
def test_weights_that_see_nothing_lose(players):
    duel = Duel(BOX, players, 1)
    games = range(12)
    won = sum(duel.won(DEFAULT, BLIND, number) for number in games)
    lost = sum(duel.won(BLIND, DEFAULT, number) for number in games)
    assert won > lost
    assert sum(duel.better(DEFAULT, BLIND, number) for number in games) > 0


def test_what_comes_out_is_the_middle_of_the_last_half():
    walked = [TuningStep(number, replace(DEFAULT, cube=cube), 0.0) for number, cube in enumerate([9.0, 9.0, 0.2, 0.8])]
    assert settled(walked).cube == pytest.approx(0.4)


def test_the_module_is_written_with_its_comments():
    text = written(replace(DEFAULT, dweller=1.5), "companion tune --seed 3")
    space = {}
    exec(compile(text, "weights.py", "exec"), space)  # noqa: S102 - it was written a line above
    assert asdict(space["DEFAULT"]) == {**asdict(DEFAULT), "dweller": 1.5}
    assert "dweller: float = 1.5  # one more dweller, a round" in text
    assert "# Found by: companion tune --seed 3" in text
    made = [one.name for one in ast.parse(text).body if isinstance(one, ast.ClassDef | ast.FunctionDef)]
    assert made == ["Weights"], "it takes the place of weights.py, which holds nothing else"


def test_the_command_says_what_it_found_and_how_well_it_plays(tmp_path):
    out = tmp_path / "weights.py"
    few = ["tune", "--steps", "2", "--games", "1", "--check", "4"]
    told = CliRunner().invoke(main, [*few, "--json", "--out", str(out)])
    report = json.loads(told.output)
    assert set(report["weights"]) == set(NAMES)
    assert report["against_now"]["games"] == 4
    assert "companion tune --steps 2 --games 1 --players 2 --seed 1 --pack standard --from round" in out.read_text()
    assert "found against now" in CliRunner().invoke(main, [*few, "--from", "current"]).output


def test_wrong_use_is_one_line(tmp_path):
    assert CliRunner().invoke(main, ["tune", "--steps", "1"]).exit_code == 2
    told = CliRunner().invoke(
        main, ["tune", "--steps", "2", "--games", "1", "--check", "1", "--out", str(tmp_path / "no" / "x.py")]
    )
    assert told.exit_code == 1
    assert len(told.stderr.strip().splitlines()) == 1
