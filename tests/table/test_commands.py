import json

import pytest
from at_the_table import Eye
from click.testing import CliRunner

from companion.cli import main
from companion.table.record.data_folder import data_folder
from companion.table.record.verify import DATABASE, JOURNAL, inspect


@pytest.fixture
def companion(table):
    def run(*arguments):
        arguments = [str(argument) for argument in arguments]
        return CliRunner().invoke(main, [arguments[0], "--data", str(table.folder), *arguments[1:]])

    return run


@pytest.fixture
def played(table):
    table.start(names={"red": "Ann <b>"})
    eye = Eye(table)
    eye.look()
    eye.put(("1:R1a", "red"))
    eye.look()
    table.tap("undo")
    table.tap("redo")
    table.tap("place", by="blue", space="1:R2a")
    return table


@pytest.mark.usefixtures("played")
def test_games_lists_them_while_they_are_played(companion):
    result = companion("games")
    assert (result.exit_code, "* game-1" in result.output, "4 entries" in result.output) == (0, True, False)
    listed = json.loads(companion("games", "--json").output)
    assert listed["games"][0]["players"] == ["red", "blue"]
    assert listed["games"][0]["entries"] == 5


def test_no_games_yet(tmp_path):
    result = CliRunner().invoke(main, ["games", "--data", str(tmp_path / "none")])
    assert (result.exit_code, "No games yet" in result.output) == (0, True)
    assert not (tmp_path / "none").exists()


def test_replay_prints_the_state(companion, played):
    state = json.loads(companion("replay", "game-1", "--json").output)
    assert state["placed"] == played.state["placed"]
    assert state["version"] == 4
    assert json.loads(companion("replay", "game", "--json", "--to", 2).output)["placed"] == {}
    text = companion("replay", "game-1").output
    assert "red: 0 happiness, 1 water" in text
    assert "verified" in text


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("replay", "nothing"), 2),
        (("replay", "game-1", "--to", "99"), 2),
        (("replay",), 2),
        (("export", "game-1", "--format", "pdf"), 2),
        (("restore",), 2),
        (("restore", "/nowhere/file"), 2),
        (("restore", "--last-good"), 1),
        (("backup", "/nowhere/at/all"), 1),
    ],
)
@pytest.mark.usefixtures("played")
def test_wrong_use_is_said_in_one_line(companion, arguments, code):
    result = companion(*arguments)
    assert result.exit_code == code
    assert "Traceback" not in result.output


def test_an_exported_journal_replays_and_restores(companion, played, tmp_path):
    file = tmp_path / "game.jsonl"
    assert companion("export", "game-1", "-o", file).exit_code == 0
    replayed = companion("replay", file, "--json")
    assert json.loads(replayed.output)["placed"] == played.state["placed"]
    elsewhere = str(tmp_path / "elsewhere")
    result = CliRunner().invoke(main, ["restore", "--data", elsewhere, str(file)])
    assert result.exit_code == 0
    assert CliRunner().invoke(main, ["replay", "--data", elsewhere, "game-1"]).exit_code == 0
    assert CliRunner().invoke(main, ["restore", "--data", elsewhere, str(file)]).exit_code == 1


@pytest.mark.usefixtures("played")
def test_a_journal_that_was_altered_does_not_verify(companion, tmp_path):
    text = companion("export", "game-1").output
    lines = text.splitlines(keepends=True)
    altered = {
        "word": text.replace('"1:R2a"', '"1:R2b"'),
        "gap": "".join(lines[:2] + lines[3:]),
        "cut": text[:-40],
        "order": "".join([lines[0], lines[2], lines[1], *lines[3:]]),
        "space": text.replace(",", ", ", 1),
        "empty": "",
        "other": "no journal at all\n",
    }
    for name, content in altered.items():
        file = tmp_path / name
        file.write_text(content)
        result = companion("replay", file)
        assert result.exit_code in (1, 2), name
        assert "Traceback" not in result.output


def test_the_other_formats(companion, played):
    story = json.loads(companion("export", "game-1", "--format", "json").output)
    assert [step["do"] for step in story["steps"]] == ["game", "place", "undo", "redo", "place"]
    assert story["state"]["placed"] == played.state["placed"]
    rows = companion("export", "game-1", "--format", "csv").output.splitlines()
    assert rows[0].endswith("happiness red,happiness blue")
    assert len(rows) == 6
    page = companion("export", "game-1", "--format", "html").output
    assert "Ann &lt;b&gt;" in page
    assert "<svg" in page


def test_backup_while_playing_and_restore(companion, played, tmp_path):
    out = tmp_path / "backup"
    assert companion("backup", out).exit_code == 0
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith("backup")] == ["backup"]
    assert companion("backup", out).exit_code == 2
    assert companion("backup", out, "--force").exit_code == 0
    assert companion("restore", out).exit_code == 1, "it is in use"
    played.tap("pass", by="red")
    assert json.loads(companion("replay", out, "--json").output)["version"] == 4
    played.close()
    result = companion("restore", out)
    assert result.exit_code == 0
    assert "before-restore-1" in result.output
    found = inspect(played.folder)
    assert [entry.nth for entry in found.games["game-1"]] == [0, 1, 2, 3, 4]
    assert not found.damage
    played.open()
    assert played.state["version"] == 4


def test_damage_is_told_and_the_last_good_state_kept_on_demand(companion, played, tmp_path):
    played.close()
    content = (played.folder / DATABASE).read_bytes()
    at = content.index(b'"1:R2a"')
    (played.folder / DATABASE).write_bytes(content[:at] + b"#" + content[at + 1 :])
    (played.folder / JOURNAL).unlink()
    for command in (("games",), ("replay", "game-1"), ("backup", tmp_path / "b"), ("export", "game-1")):
        result = companion(*command)
        assert result.exit_code == 1, command
        assert "entry 4" in result.output or "does not verify" in result.output
    played.open()
    assert played.state["record"]["state"] == "damaged"
    assert played.state["version"] == 3
    played.close()
    assert companion("restore", "--last-good").exit_code == 0
    assert companion("replay", "game-1").exit_code == 0
    assert (played.folder / "damaged-1" / DATABASE).exists()
    played.open()


def test_where_the_record_is():
    assert str(data_folder("there", {})) == "there"
    assert str(data_folder(None, {"COMPANION_DATA": "/data"})) == "/data"
    assert str(data_folder(None, {"XDG_DATA_HOME": "/xdg"})) == "/xdg/table-companion"
    assert str(data_folder(None, {"HOME": "/home/a", "XDG_DATA_HOME": "not/absolute"})) == (
        "/home/a/.local/share/table-companion"
    )
