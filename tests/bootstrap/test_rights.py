"""Who may use a device: the user as whom the table runs, not whoever asks."""

import os
from types import SimpleNamespace

import pytest

from companion.app.doctor import machine_checks
from companion.app.doctor.machine_checks import User, may_use, who_runs

CLARA = User(1000, "clara", (1000, 44))


def device(mode, owner=0, group=0):
    return SimpleNamespace(st_mode=0o020000 | mode, st_uid=owner, st_gid=group)


@pytest.mark.parametrize(
    ("status", "granted"),
    [
        (device(0o660, group=44), True),
        (device(0o660, group=45), False),
        (device(0o640, group=44), False),
        (device(0o666, group=45), True),
        (device(0o606, group=44), False),
        (device(0o600, owner=1000), True),
        (device(0o066, owner=1000, group=44), False),
    ],
)
def test_the_part_of_the_mode_that_counts(status, granted):
    assert may_use(status, CLARA) is granted


def test_an_administrator_may_all():
    assert may_use(device(0), User(0, "root", (0,)))


def test_an_administrator_asks_for_the_owner_of_the_table(tmp_path, monkeypatch):
    monkeypatch.setattr(machine_checks.os, "geteuid", lambda: 0)
    assert who_runs(tmp_path).number == tmp_path.stat().st_uid
    assert who_runs(tmp_path / "not yet").number == 0


def test_everybody_else_asks_for_themselves(tmp_path, monkeypatch):
    monkeypatch.setattr(machine_checks.os, "geteuid", lambda: 4_000_000)
    assert who_runs(tmp_path) == User(4_000_000, "4000000", (os.getegid(),))


def test_the_devices_that_are_there_are_told_with_the_user(tmp_path, monkeypatch):
    there = tmp_path / "video0"
    there.write_text("")
    monkeypatch.setattr(machine_checks, "DEVICES", (there, tmp_path / "none"))
    monkeypatch.setattr(machine_checks, "who_runs", lambda _: CLARA)
    there.chmod(0o666)
    assert machine_checks.rights(tmp_path).fields == {"devices": str(there), "user": "clara"}
    there.chmod(0o600)
    assert machine_checks.rights(tmp_path).code == "rights_missing"
    monkeypatch.setattr(machine_checks, "DEVICES", ())
    assert machine_checks.rights(tmp_path) is None
