"""A table is installed, renewed and taken away; whatever stands in the way, the table that ran runs again."""

import pytest

from .machine import Machine


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_it_is_installed_and_runs(machine):
    said = machine.manage("main install")
    assert said.returncode == 0, said.stderr
    assert machine.runs
    assert machine.releases == {machine.current}
    assert (machine.home / "current/README.md").exists()
    assert (machine.etc / "systemd/system/table-companion.service").exists()


def test_it_is_renewed(machine):
    before = machine.installed_once()
    machine.changes()
    said = machine.manage("main update")
    assert said.returncode == 0, said.stderr
    assert machine.runs
    assert machine.current != before
    assert f"Updated from {before} to {machine.current}" in said.stderr


def test_without_a_network_nothing_is_changed_and_the_next_time_makes_it(machine):
    before = machine.installed_once()
    machine.changes()
    (machine.place / "offline").touch()
    said = machine.manage("main update")
    assert said.returncode == 1
    _making, why, so = said.stderr.splitlines()
    assert why.startswith("Getting the Python packages that requirements.txt names did not work: the network")
    assert "nothing else was changed" in so
    assert (machine.current, machine.releases, machine.runs) == (before, {before}, True)
    (machine.place / "offline").unlink()
    assert machine.manage("main update").returncode == 0
    assert machine.current != before


def test_a_release_that_was_left_half_made_is_made_anew(machine):
    before = machine.installed_once()
    machine.changes()
    machine.manage("main update")
    made = machine.home / "releases" / machine.current
    (made / "complete").unlink()
    (made / "README.md").unlink()
    machine.manage(f"switch_to {before}")
    assert machine.manage("main update").returncode == 0
    assert (made / "README.md").exists()
