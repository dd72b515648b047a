"""Pulling the plug and filling the disk: what was acknowledged is there, and nothing half."""

import pytest
from kills import problems, pull_the_plug, start

from companion.table.record.checkpoint import load
from companion.table.record.open_game import replay
from companion.table.record.record import FAR, Record
from companion.table.record.verify import inspect
from tests.years import write_years


@pytest.mark.parametrize("game", ["shelter", "wasteland"])
def test_killed_at_random_instants_every_acknowledged_move_is_there(tmp_path, game):
    report = pull_the_plug(tmp_path / "data", times=25, seed=7, plays=game)
    assert report.problems == []
    assert report.kills == 25
    assert report.acknowledged > 50


def test_killed_with_years_of_evenings_behind_it(tmp_path):
    before = write_years(tmp_path / "data", 25)
    report = pull_the_plug(tmp_path / "data", times=8, seed=3)
    assert report.problems == []
    assert (report.kills, report.acknowledged > 10) == (8, True)
    assert before < load(tmp_path / "data").row + FAR, "a start looks at what was written since the last good end"
    with Record(tmp_path / "data") as record:
        assert record.is_long
        assert not record.damage
        assert sum(map(len, record.games.values())) == before + report.acknowledged


@pytest.mark.parametrize(("more", "game"), [(100, "shelter"), (5_000, "wasteland"), (60_000, "shelter")])
def test_on_a_full_disk_nothing_is_acknowledged_and_nothing_lost(tmp_path, more, game):
    folder = tmp_path / "data"
    process = start(folder, 3, more, plays=game)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    lines = [line.split() for line in out.splitlines()]
    assert ["done"] in lines
    acknowledged = {(line[1], int(line[2])): line[3] for line in lines if line[0] == "did"}
    assert problems(folder, acknowledged) == []
    found = inspect(folder)
    assert all(replay(entries).trouble is None for entries in found.games.values())
    assert len(found.order) == len(acknowledged)
