"""Every command in the documents can be given as it stands there, by the programs' own parsers."""

import pytest

from companion.cli import COMMANDS

from .commands import command_faults, is_a_command, lines_of, words_of
from .pages import OF_TODAY, spans


@pytest.mark.parametrize("page", OF_TODAY, ids=lambda page: page.name)
def test_commands_can_be_given(page):
    assert command_faults(page.read_text(encoding="utf-8")) == []


def test_every_command_is_described():
    texts = [page.read_text(encoding="utf-8") for page in OF_TODAY]
    told = [words_of(line) for text in texts for line in [*lines_of(text), *spans(text)] if is_a_command(line)]
    assert set(COMMANDS) - {words[1] for words in told if len(words) > 1} == set()


def block(*lines):
    return "\n".join(["Say", "", *(f"    {line}" for line in lines), ""])


@pytest.mark.parametrize(
    "text",
    [
        block("companion demo --playerz 9"),
        block("companion demo --players 9"),
        block("companion demo --players"),
        block("companion demo now"),
        block("companion doctor --bundel report.zip"),
        block("sudo .venv/bin/companion doctor --bundel"),
        block("companion cards chek homemade"),
        block("companion simulate --players 2"),
        block("companion simulate --games 2 --match hard:gredy"),
        block("companion simulate --games 2 --pack homemaid"),
        block("companion scenario tests/scenario/*.json"),
        block("compagnion demo", "companion demo"),
        block("./run --instal"),
        block("./run --install --with-games"),
        block("./run --prot 80"),
        block("./run tabel"),
        block("./run table --players 2"),
        block("./runn"),
        block("./test tests/tables"),
        block("./test --no-such-option"),
        block("./test --fats"),
        block("./test tests/docs --fast"),
        block("./benchmark --only boots"),
        block("./benchmark --hard"),
        block("python -m benchmarks.fitting --profile P --ods FOLDER"),
        block("python -m benchmarks.fitting"),
        block("python -m benchmarks.sewing FOLDER PROFILE"),
        block("python -m benchmarks.seeing FOLDER PROFILE MORE"),
        block("python examples/play_a_gaem.py"),
        block("python examples/play_a_game.py 1 2"),
        block("python examples/read_a_photo.py"),
        block("scripts/renewal"),
        block("scripts/renew all"),
        block("sudo tests/appliance/prove trixy"),
        block("./run --uninstall   # with --with-gems the games go too"),
        "```sh\ncompanion pin --dada FOLDER\n```\n",
        "Often `companion bakup`, and a new card.",
        "Say `companion calibrate ame`.",
        "Say `companion look --jason`.",
        "Say `companion export GAME --format journal|json|csv`.",
        "Say `companion backup OUT MORE`.",
        "Say `companion print sheets.pdf`, or only `--what mats`.",
        "Say `companion print sheets.pdf`, or with `--wath`.",
        "Say `companion print`, at `--what\nmats` alone.",
    ],
)
def test_a_lie_is_found(text):
    assert command_faults(text)


@pytest.mark.parametrize(
    "text",
    [
        block("companion demo --players 4 --seed 7   # with --bots as well"),
        block("sudo ./run --uninstall   # with --with-games they go too"),
        block("./run --port 80"),
        block("./run demo --players 4"),
        block("./test tests/docs -k lie"),
        block("./test --fast", "./test --fast tests/docs -k lie"),
        block("COMPANION_DATA=there companion games --json | cat"),
        block("companion find [--seconds 3] [--interface ADDRESS] [--json]"),
        block("companion look IMAGE... [--draw OUT]"),
        block("python -m benchmarks.fitting --profile P --odds FOLDER..."),
        block("python examples/play_a_game.py", "python examples/read_a_photo.py PHOTO"),
        "Say `companion print sheets.pdf`, or only `--what mat`; `--address` says where it leads.",
        "Say `companion look --json`, `companion restore --last-good`, `companion export GAME --format csv`.",
    ],
)
def test_the_truth_is_not(text):
    assert command_faults(text) == []
