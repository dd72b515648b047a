"""A record of many evenings: a start reads what is new, and old games are verified and summed up beside play."""

import json
import shutil
import sqlite3
import subprocess
import sys
import tracemalloc
from pathlib import Path

import flips
import pytest

from companion.app.background import RecordAudit
from companion.app.doctor.table_checks import record as check
from companion.languages.catalogues import codes
from companion.table.record import backup as backing_up
from companion.table.record import checkpoint, summaries
from companion.table.record import record as keeping
from companion.table.record.audit import DAMAGED, audit, audited, sum_up
from companion.table.record.backup import backup, finished_backup, restore
from companion.table.record.checkpoint import Checkpoint, extended, load
from companion.table.record.entries import RecordDamagedError, RecordError
from companion.table.record.history import story_of
from companion.table.record.record import Record
from companion.table.record.summaries import Summaries, result_of
from companion.table.record.verify import CHECKED, DATABASE, JOURNAL, RESTORED, inspect, of_database
from companion.table.session.session import Session
from tests.years import TONIGHT, write_years
from web.base.words import words_in

GAMES = 8


@pytest.fixture(autouse=True)
def soon_long(monkeypatch):
    monkeypatch.setattr(keeping, "FAR", 10)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("years") / "whole"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(keeping, "FAR", 10)
        write_years(folder, GAMES, unfinished=(3,))
    return folder


@pytest.fixture
def years(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "years")


@pytest.fixture
def verified(monkeypatch):
    """The names of the games whose entries are verified, one for each."""
    seen, once = [], checkpoint.entry_of
    monkeypatch.setattr(checkpoint, "entry_of", lambda stored: seen.append(stored.game) or once(stored))
    return seen


def altered(path, old, new):
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new))


def spoiled(folder, game="evening-002"):
    """An old entry that is another one, in the database alone."""
    entry = inspect(folder).games[game][5]
    altered(folder / DATABASE, entry.text.encode(), entry.text.replace('"nth":5', '"nth":6').encode())
    return folder


def test_a_start_verifies_what_is_new_and_the_game_that_is_played(years, verified):
    with Record(years) as record:
        assert (record.is_long, record.current, len(record.games)) == (True, TONIGHT, GAMES + 1)
        assert set(verified) == {TONIGHT}
        record.append(TONIGHT, "redo", {})
    shutil.copy(years / CHECKED, years / "kept")
    with Record(years) as record:
        record.append(TONIGHT, "redo", {})
        record.append("evening-001", "resumed", {})
    shutil.move(years / "kept", years / CHECKED)  # as after the plug was pulled
    verified.clear()
    with Record(years) as record:
        assert record.current == "evening-001"
        assert verified[:3] == [TONIGHT, TONIGHT, "evening-001"], "the checkpoint's own, and two behind it"
        assert set(verified[3:]) == {"evening-001"}
    assert not inspect(years).damage


def test_an_evening_more_takes_next_to_no_memory(tmp_path):
    held = []
    for games in (4, 24):
        entries = write_years(tmp_path / f"{games}", games)
        tracemalloc.start()
        with Record(tmp_path / f"{games}") as record:
            assert sum(last.nth + 1 for last in record._last.values()) == entries
            held.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    assert (held[1] - held[0]) / 20 < 1000, "bytes an evening of a hundred entries"


def test_what_is_read_is_the_same_with_and_without_a_checkpoint(years):
    with Record(years) as record:
        quick = flips.told(record)
    (years / CHECKED).unlink()
    with Record(years) as record:
        assert flips.told(record) == quick == flips.told(inspect(years))
    assert load(years).entries == load(years).row == len(inspect(years).order)


@pytest.mark.parametrize(
    "spoil", [b"", b"{}", b"\0" * 40, None], ids=["empty", "no checkpoint", "noughts", "another's"]
)
def test_a_checkpoint_that_cannot_be_believed_is_none(years, tmp_path, spoil):
    if spoil is None:
        write_years(tmp_path / "other", 2)
        shutil.copy(tmp_path / "other" / CHECKED, years / CHECKED)
    else:
        (years / CHECKED).write_bytes(spoil)
    with Record(years) as record:
        assert not record.damage
        assert len(record.games) == GAMES + 1


def test_any_flipped_byte(years, tmp_path):
    found = flips.flip_bytes(years, tmp_path / "flipped", times=40, seed=3)
    assert found.problems == []


def test_an_old_game_that_was_altered_is_said_when_it_is_read(years):
    truth = flips.told(inspect(years))
    spoiled(years)
    with Record(years) as record:
        assert not record.broken
        assert [entry.hash for entry in record.entries("evening-002")] == truth["evening-002"], "the copy proves it"
        assert record.broken
        assert record.current == TONIGHT
        with pytest.raises(RecordDamagedError):
            record.append(TONIGHT, "redo", {})
        record.keep_last_good()
        record.append(TONIGHT, "redo", {})


def test_an_old_line_of_the_copy_that_was_altered_is_found_by_the_audit(years):
    altered(years / JOURNAL, b'"seed":"seed-2"', b'"seed":"seed-3"')
    with Record(years) as record:
        assert not record.damage
    assert audit(years, "now") is None
    assert audited(years) == ""


def test_the_audit_reaches_the_session(years):
    spoiled(years)
    with Record(years) as record:
        session = Session(record)
        session.start()
        running = RecordAudit(session, years)
        running.start()
        seq = 0
        while session.snapshots.latest.state["record"]["state"] != "damaged":
            seq = session.snapshots.newer_than(seq, 60).seq
        running.close()
        session.stop()


def test_what_was_doubted_is_looked_at_wholly_by_the_next_start(years):
    truth = flips.told(inspect(years))
    spoiled(years)
    with Record(years) as record:
        record.doubt()
        assert record.broken
    assert not (years / CHECKED).exists()
    with Record(years) as record:
        assert record.broken
        record.keep_last_good()
        assert flips.told(record) == truth
        assert not record.broken


def test_an_audit_that_finds_damage_leaves_no_checkpoint(years):
    spoiled(years)
    assert audit(years, "now") is None
    with Record(years) as record:
        assert record.broken


def test_the_doctor_tells_when_all_of_it_was_verified(years):
    told = [check(years, at_play=True).code]
    audit(years, "2026-01-02T20:30:00+00:00")
    found = check(years, at_play=True)
    told += [found.code, check(years).code]
    assert told == ["record_not_audited", "record_audited", "record_ok"]
    assert found.fields["when"] == "2026-01-02 20:30"
    for code in told:
        for language in codes():
            assert "{" not in words_in(language).text(f"doctor_{code}", games=1, entries=2, when="then")


def test_the_command_verifies_and_sums_up(years):
    told = command("verify", "--data", years)
    assert (told.returncode, told.stderr) == (0, "")
    assert f"in {GAMES + 1} games, every one verified" in told.stdout
    assert f"{GAMES} past games read" in told.stdout
    assert audited(years)
    assert len(Summaries(years).results(load(years).games)) == GAMES
    assert "past games read" not in command("verify", "--data", years).stdout
    spoiled(years)
    told = command("verify", "--data", years)
    assert told.returncode == DAMAGED
    assert "evening-002" in told.stderr


def command(*words):
    root = str(Path(__file__).resolve().parents[2])
    return subprocess.run(
        [sys.executable, "-m", "companion.cli", *map(str, words)], capture_output=True, text=True, check=False, cwd=root
    )


def test_the_copy_that_is_behind_catches_up(years):
    content = (years / JOURNAL).read_bytes()
    with Record(years) as record:
        record.append(TONIGHT, "redo", {})
        record.append(TONIGHT, "redo", {})
    (years / JOURNAL).write_bytes(content + (years / JOURNAL).read_bytes()[len(content) :][:100])
    altered(years / CHECKED, (years / CHECKED).read_bytes(), b"")
    found = extended(years, Checkpoint())
    assert found.behind == 2
    with Record(years) as record:
        assert not record.damage
    assert not inspect(years).behind


def test_a_restored_record_has_no_checkpoint_of_the_old_one(years, tmp_path):
    write_years(tmp_path / "other", 3)
    backup(tmp_path / "other", tmp_path / "copy")
    restore(years, tmp_path / "copy", last_good=False)
    with Record(years) as record:
        assert len(record.games) == 4
    assert not (years / RESTORED).exists()
    assert (years / "before-restore-1" / CHECKED).exists()


def test_the_hosts_backup_leaves_out_what_may_still_be_played(years, tmp_path):
    with finished_backup(years) as file:
        (tmp_path / "copy").write_bytes(file.read())
    found = of_database(tmp_path / "copy")
    assert not found.damage
    assert set(found.games) == set(inspect(years).games) - {TONIGHT, "evening-003"}
    for game in (TONIGHT, "evening-003"):
        assert game.encode() not in (tmp_path / "copy").read_bytes()
    assert restore(tmp_path / "new", tmp_path / "copy", last_good=False)[0] == len(found.order)
    assert [path.name for path in years.iterdir() if path.name.startswith(".backup")] == []


def test_what_a_pulled_plug_left_of_such_a_backup_is_cleared_away(years):
    (years / ".backup-left").mkdir()
    (years / ".backup-left" / "record").write_bytes(b"half")
    finished_backup(years).close()
    assert [path.name for path in years.iterdir() if path.name.startswith(".backup")] == []


def test_one_such_backup_is_made_at_a_time(years):
    with backing_up._COPYING, pytest.raises(RecordError, match="being made already"):
        finished_backup(years)
    finished_backup(years).close()


def test_one_that_takes_too_long_is_given_up(years, monkeypatch):
    monkeypatch.setattr(backing_up, "LONGEST", 0.0)
    with pytest.raises(RecordError, match="too long"):
        finished_backup(years)
    assert [path.name for path in years.iterdir() if path.name.startswith(".backup")] == []


def test_where_no_game_is_over_there_is_no_such_backup(tmp_path):
    write_years(tmp_path / "years", 0)
    with pytest.raises(RecordError, match="no finished game"):
        finished_backup(tmp_path / "years")


def test_a_game_in_short_is_the_game(years):
    games = load(years).games
    list(sum_up(years, load(years)))
    for game, entries in inspect(years).games.items():
        told, short = story_of(entries), Summaries(years).story(games[game])
        if game == TONIGHT:
            assert short is None, "it grows with every move"
            continue
        assert Summaries(years).results(games)[game] == result_of(told)
        assert (short.standing, short.colours, short.over, short.measure) == (
            told.standing, told.colours, told.over, told.measure,
        )  # fmt: skip
        assert [(step.round, step.standing) for step in short.steps] == [
            (step.round, step.standing) for step in told.steps
        ]
        assert short.steps[0].at == told.steps[0].at


MISLED = {
    "result": "UPDATE summaries SET result = replace(result, 'evening-000', 'evening-001')",
    "story": "UPDATE summaries SET story = replace(story, 'evening-000', 'evening-001')",
}


@pytest.mark.parametrize("name", MISLED)
def test_a_summary_that_does_not_verify_or_is_of_another_version_is_none(years, monkeypatch, name):
    games = load(years).games
    list(sum_up(years, load(years)))
    kept = Summaries(years)
    monkeypatch.setattr(summaries, "version", lambda: "another")
    assert kept.results(games) == {}
    assert kept.story(games["evening-000"]) is None
    monkeypatch.undo()
    with sqlite3.connect(years / summaries.FILE) as db:
        db.execute(MISLED[name])
    assert kept.results(games).keys() == games.keys() - {TONIGHT, *(["evening-000"] if name == "result" else [])}
    assert (kept.story(games["evening-000"]) is None) == (name == "story")


def test_a_file_of_summaries_that_is_none_any_more_is_made_anew(years):
    (years / summaries.FILE).write_bytes(b"nothing of the kind" * 400)
    assert Summaries(years).results(load(years).games) == {}
    for _ in range(2):
        list(sum_up(years, load(years)))
    assert len(Summaries(years).results(load(years).games)) == GAMES
    assert json.loads((years / CHECKED).read_text(encoding="utf-8"))["format"] == 1
