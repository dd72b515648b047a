"""Wrong use of any command is one line on stderr and exit code 2; the help answers everywhere."""

import pytest
from click.testing import CliRunner

from companion.cli import COMMANDS, main

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
    ],
    ids=" ".join,
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
