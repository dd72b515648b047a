"""Wrong use of any command is one line on stderr and exit code 2; the help answers everywhere."""

from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner

from companion.cli import COMMANDS, main
from companion.commands.wrong_use import in_one_line

NAMES = sorted(COMMANDS)


def wrong(*arguments):
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == 2
    assert not result.stdout
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: ")
    return line


@pytest.mark.parametrize("name", NAMES)
def test_an_option_that_is_not_there(name):
    assert "--no-such-option" in wrong(name, "--no-such-option")


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help(name):
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: main {name} ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["--nonsense"],
        ["scenario"],
        ["cards", "check"],
        ["cards", "nonsense"],
        ["replay"],
        ["export", "game", "--format", "pdf"],
        ["simulate"],
        ["calibrate"],
        ["calibrate", "nonsense"],
        ["demo", "--players", "5"],
        ["demo", "--players", "2", "--bots", "3"],
        ["demo", "--token", ""],
        ["run", "--token", " "],
        ["run", "--port", "99999"],
        ["print"],
        ["restore"],
        ["look"],
        ["find", "--interface", "eth0"],
        ["find", "--interface", "fe80::1"],
        ["print", "sheets.pdf", "--address", "http://" + "x" * 300],
        ["print", "sheets.pdf", "--game", "wasteland", "--what", "mat"],
        ["print", "sheets.pdf", "--game", "chess"],
    ],
    ids=lambda arguments: " ".join(arguments)[:60],
)
def test_wrong_use_is_one_line(arguments):
    wrong(*arguments)


def test_it_says_where_to_read_on():
    assert wrong("scenario").endswith("See: main scenario --help")


@pytest.mark.parametrize("arguments", [[], ["cards"]])
def test_nothing_at_all_shows_the_help(arguments):
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "Commands:" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["demo", "--port", "0", "--data", "FILE"],
        ["run", "--port", "0", "--data", "FILE"],
        ["pin", "--data", "FILE"],
        ["restore", "FILE", "--data", "FILE"],
        ["simulate", "--games", "1", "--players", "2", "--keep", "FILE/games.jsonl"],
        ["simulate", "--games", "1", "--players", "2", "--html", "FILE/page.html"],
        ["tune", "--steps", "2", "--games", "1", "--check", "1", "--out", "FILE/weights.py"],
        ["print", "--png", "FILE/pieces", "--what", "guide"],
        ["print", "FILE/sheets.pdf", "--what", "guide"],
        ["doctor", "--bundle", "FILE/bundle.zip"],
    ],
    ids=" ".join,
)
def test_a_file_in_the_way_is_one_line(arguments, tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    result = CliRunner().invoke(main, [word.replace("FILE", str(in_the_way)) for word in arguments])
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: ")


def test_a_question_that_nobody_answers_is_one_line(monkeypatch):
    with pytest.raises(click.ClickException, match="nobody is there to answer"), in_one_line():
        raise click.Abort
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    with pytest.raises(click.Abort), in_one_line():  # somebody did not want to
        raise click.Abort


def test_who_reads_along_may_go():
    with pytest.raises(BrokenPipeError), in_one_line():
        raise BrokenPipeError
