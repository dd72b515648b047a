"""The examples run as they stand, and show what their docstrings say."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.games.shelter.words import COLOURS
from companion.table.record.export import as_journal
from companion.table.record.record import Record
from companion.table.session.intents import AddNumber, Speaker, StartGame, Tap
from companion.table.session.session import Session
from tests.serving import Serving
from web.base.app import create_app

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
WAIT = 60


def started(name, *words):
    command = [sys.executable, ROOT / "examples" / name, *words]
    return subprocess.Popen(
        command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def printed(name, *words, code=0):
    ran = started(name, *words)
    out, err = ran.communicate(timeout=WAIT)
    assert (ran.returncode, "Traceback" in err) == (code, False), err
    return (out or err).splitlines()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_says_how_to_run_it_and_is_linked(path):
    text = path.read_text(encoding="utf-8")
    told = ast.get_docstring(ast.parse(text))
    assert f"\n\nusage: python examples/{path.name}" in told
    assert "\nPrints " in told
    body = text.partition('"""\n\n')[2]
    assert 10 <= len([line for line in body.splitlines() if line.strip()]) <= 30
    for page in ("README.md", "docs/contributing.md"):
        assert f"examples/{path.name}" in (ROOT / page).read_text(encoding="utf-8")


def test_a_game_is_played_to_its_end_and_the_same_seed_plays_it_again():
    *moves, end = printed("play_a_game.py", "7")
    assert [ast.literal_eval(move)["do"] for move in moves[:1]] == ["place"]
    assert "'winners'" in end
    assert printed("play_a_game.py", "7") == [*moves, end]
    assert printed("play_a_game.py", "8") != [*moves, end]


def test_a_photo_is_read():
    table, *lines, unsure = printed("read_a_photo.py", "tests/frames/std_7000.jpg")
    assert table.startswith("table found")
    assert any(re.fullmatch(r"2:L3a +yellow, standing \(\d+%\)", line) for line in lines)
    assert any(re.fullmatch(r"4:R2 +room-37 \(\d+%\)", line) for line in lines)
    assert unsure.startswith("unsure: ")


def test_a_file_that_is_no_photo_is_said_in_a_line():
    *_, last = printed("read_a_photo.py", "README.md", code=1)
    assert last == "README.md: no picture that OpenCV can read"


def test_a_bot_plays_against_greedy():
    first, second = printed("write_a_bot.py", "1")
    assert re.fullmatch(r"red, Happiest: -?\d+", first)
    assert re.fullmatch(r"blue, Greedy: -?\d+", second)


@pytest.fixture
def table(tmp_path):
    with Record(tmp_path) as record:
        session = Session(record)
        session.start()
        session.ask(StartGame({"players": list(COLOURS[:2])}, seed="1")).result(WAIT)
        serving = Serving(create_app(session, tmp_path, pin="123456"))
        yield session, serving
        serving.close()
        session.stop()


def test_a_table_is_followed_until_it_closes(table):
    session, serving = table
    following = started("follow_a_table.py", serving.base)
    try:
        assert following.stdout.readline().startswith("round 1, place, turn of red, happiness {'red': 0, 'blue': 0}")
        session.ask(Tap({"do": "pass", "by": "red"})).result(WAIT)
        assert "turn of blue" in following.stdout.readline()
        session.stop()
        _, err = following.communicate(timeout=WAIT)
        assert (following.returncode, "Traceback" in err) == (0, False), err
    finally:
        following.kill()


def test_the_chance_of_a_game_is_checked_without_our_code(tmp_path):
    """Through undo, real dice, a number on the way and a restart; and one roll that was changed is told."""
    record = Record(tmp_path)
    session = Session(record)
    session.start()
    phone = Speaker(frozenset({"red"}), name="red")
    try:
        session.ask(StartGame({"players": list(COLOURS[:2])}, number="7" * 32)).result(WAIT)
        moves = [{"do": "pass", "by": "red"}, {"do": "pass", "by": "blue"}, {"do": "recall"}]
        for move in [*moves, {"do": "spawn", "dice": [[1, 2]]}, {"do": "undo"}]:
            session.ask(Tap(move)).result(WAIT)
        session.ask(AddNumber("red", "a" * 32, phone)).result(WAIT)
        session.ask(Tap({"do": "spawn"})).result(WAIT)
        entries = record.entries(session.snapshots.latest.state["id"])
    finally:
        session.stop()
        record.close()
    journal = tmp_path / "game.journal"
    journal.write_text(as_journal(entries), encoding="utf-8")
    (told,) = printed("check_fair.py", str(journal))
    assert told.endswith("rolls and shuffles, all as promised")
    assert int(told.split()[0]) >= 6
    lines = journal.read_text(encoding="utf-8").splitlines()
    last = json.loads(lines[-1])
    last["chance"]["dice"][1] = [7 - number for number in last["chance"]["dice"][1]]
    journal.write_text("\n".join([*lines[:-1], json.dumps(last)]), encoding="utf-8")
    assert printed("check_fair.py", str(journal), code=1) == ["roll 1"]


def test_a_game_that_promised_nothing_is_told_in_a_line_where_its_chance_is_checked(tmp_path):
    with Record(tmp_path) as record:
        session = Session(record)
        session.start()
        try:
            session.ask(StartGame({"players": list(COLOURS[:2])}, seed="7")).result(WAIT)
            journal = tmp_path / "game.journal"
            journal.write_text(as_journal(record.entries(session.snapshots.latest.state["id"])), encoding="utf-8")
        finally:
            session.stop()
    (told,) = printed("check_fair.py", str(journal), code=1)
    assert told.startswith("Nothing was promised in this game")
