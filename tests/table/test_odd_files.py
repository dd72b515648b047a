"""Files that verify or parse and are odd all the same: a command answers in one line, and a table starts."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from companion.canonical import NO_HASH, hash_of, sealed, text_of
from companion.cli import main
from companion.network.parsing import GarbageError, results
from companion.table.bots import win_forecast
from companion.table.outside import LARGEST_FILE, read_file
from companion.table.record import audit, checkpoint
from hardware.panel.wiring import WiringFaults, load
from web.base.access import FILE, SEATS_FILE, Access, Locks

GAME = {"plays": "shelter", "rules": 1, "pack": {}, "setup": {}, "seed": "s", "chance": {}, "at": "now"}
DEEP, DIGITS = "[" * 100_000, "9" * 5000


def journal(path, *entries):
    """A journal of which every line verifies, whatever it says."""
    lines, before = [], NO_HASH
    for nth, (kind, body) in enumerate(entries):
        text = text_of({**body, "game": "game-1", "nth": nth, "before": before, "kind": kind})
        text = text.replace("\ud800", "\\ud800")
        before = hash_of(text)
        lines.append(sealed(text, before) + "\n")
    path.write_text("".join(lines), encoding="utf-8")
    return path


ODD = [
    {"setup": [1]}, {"setup": None}, {"setup": {"players": 5}}, {"setup": {"players": [1, 2]}}, {"pack": "x"},
    {"pack": None}, {"pack": {"hash": 5, "files": 3}}, {"plays": None}, {"plays": [1]}, {"plays": "nope"},
    {"seed": None}, {"chance": [1]}, {"chance": {"dice": 5, "shuffled": "x"}}, {"at": 5}, {"at": [[]]},
    {"setup": {"names": {"red": "\ud800"}}}, {"at": "\ud800"}, {"odd": "\\ud800"},
]  # fmt: skip


def commands(source, data):
    """Every command that reads a record, on a file and on what was restored from it."""
    yield ["replay", source]
    yield from (["export", source, "--format", kind] for kind in ("journal", "json", "csv", "html"))
    yield ["restore", source]
    yield from (["games"], ["games", "--json"], ["replay", "game-1"], ["backup", data / "out", "--force"])


@pytest.mark.parametrize("odd", ODD, ids=str)
def test_a_journal_that_verifies_and_is_odd(tmp_path, odd):
    source = journal(
        tmp_path / "odd.journal", ("game", {**GAME, **odd}), ("move", {"move": {"do": "spawn"}}), ("undo", {"to": "x"})
    )
    data = tmp_path / "data"
    data.mkdir()
    for command in commands(source, data):
        done = CliRunner().invoke(main, [str(part) for part in [command[0], "--data", data, *command[1:]]])
        assert done.exception is None or isinstance(done.exception, SystemExit), (command, done.exception)
        assert done.exit_code in (0, 1, 2)


def test_half_a_character_is_no_entry_of_ours(tmp_path):
    source = journal(tmp_path / "odd.journal", ("game", {**GAME, "setup": {"names": {"red": "\ud800"}}}))
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli", "export", source, "--format", "html"], capture_output=True, check=False
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (1, False)
    assert b"line 1 does not verify" in done.stderr


@pytest.mark.parametrize("content", [DEEP, DIGITS, "", "{", "\0", '{"red": 5}', '{"pin": []}', "null", '{"a": ' * 5000])
def test_a_table_starts_whatever_its_own_files_hold(tmp_path, content):
    for name in (SEATS_FILE, FILE, "chances/game-1.json", checkpoint.CHECKED, audit.FILE):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    access = Access(tmp_path)
    assert access.is_free("red")
    assert not Locks(tmp_path).has_pin
    assert win_forecast.read(tmp_path, "game-1") == {}
    assert checkpoint.load(tmp_path) == checkpoint.Checkpoint()
    assert isinstance(audit.audited(tmp_path), str)
    Locks(tmp_path).set_pin("123456")
    assert access.locks.is_pin("123456")


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path):
    large = tmp_path / "large.json"
    large.write_text('"' + "x" * LARGEST_FILE + '"', encoding="utf-8")
    with pytest.raises(ValueError, match="more than"):
        read_file(large)
    large.write_text('{"a": 1}', encoding="utf-8")
    assert read_file(large) == {"a": 1}


@pytest.mark.parametrize(
    "content", [f"a = {DEEP[:5000]}", f"a = {DIGITS}", "[[", "\udcff"], ids=["deep", "long", "cut", "no"]
)
def test_a_wiring_table_that_is_odd(tmp_path, content):
    own = tmp_path / "wiring.toml"
    own.write_bytes(f"a = {content}".encode("utf-8", "surrogateescape"))
    with pytest.raises(WiringFaults):
        load(own)
    done = CliRunner().invoke(main, ["doctor", "--wiring", "--own", str(own)])
    assert (done.exit_code, isinstance(done.exception, SystemExit)) == (1, True)


@pytest.mark.parametrize("ended", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "", "x", DIGITS])
def test_a_result_of_the_year_1_is_garbage_of_the_league(ended):
    one = {"game": "g", "ended": ended, "rounds": 1, "decided_by": "x", "players": {}}
    with pytest.raises(GarbageError, match="ended is no time"):
        results(json.dumps([one]).encode())


@pytest.mark.parametrize("since", ["0001-01-01T00:00", "9999-12-31T23:59:59+99:99", DIGITS])
def test_a_league_since_the_year_1(since):
    done = CliRunner().invoke(main, ["league", "--mqtt", "mqtt://127.0.0.1:1", "--since", since])
    assert (done.exit_code, "is no time like" in done.output) == (2, True), done.output
