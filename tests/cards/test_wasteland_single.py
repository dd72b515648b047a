"""A whole pack as one file: the same cards, every fault at its line."""

import tomllib
from importlib import resources

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion.cards.pack import PackFaults
from companion.cards.wasteland import loader
from companion.cards.wasteland.loader import builtin
from companion.cli import main


def whole():
    folder = resources.files("companion.cards.wasteland") / "packs" / "homemade"
    data = {}
    for file in (loader.HEAD, *loader.FILES.values()):
        data |= tomllib.loads((folder / file).read_text(encoding="utf-8"))
    return data


def test_one_file_holds_the_same_cards_as_a_folder():
    text = loader.written(whole())
    assert tomllib.loads(text) == whole()
    assert loader.load("one.toml", text.encode()) == builtin("homemade")
    assert loader.read("one.toml", text.encode())[1] == []


def test_a_folders_files_say_the_same():
    files = loader.texts(whole())
    assert set(files) == {loader.HEAD, *loader.FILES.values()}
    assert {key: value for text in files.values() for key, value in tomllib.loads(text).items()} == whole()


def test_every_fault_is_told_at_its_line():
    text = loader.written(whole())
    lines = text.replace('type = "critter"', 'type = "cow"').replace("min_players = 3", "min_players = 7").splitlines()
    _, faults = loader.read("one.toml", "\n".join(lines).encode())
    told = {(lines[fault.line - 1], fault.card) for fault in faults}
    assert ('type = "cow"', "dune-crab") in told
    assert ("min_players = 7", "crowded-table") in told
    with pytest.raises(PackFaults):
        loader.load("one.toml", "\n".join(lines).encode())


@pytest.mark.parametrize("content", [b"", b"x = 1", b"agenda = 3", b"[[agenda]]\n", b"\xff", b"id = "])
def test_what_is_no_pack_is_told(content):
    assert loader.read("one.toml", content)[1]
    with pytest.raises(PackFaults):
        loader.load("one.toml", content)


WHOLE = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
VALUES = st.one_of(WHOLE, st.integers(-99, 99), st.booleans(), st.lists(WHOLE, max_size=3))
ROWS = st.lists(st.dictionaries(st.sampled_from("abc"), VALUES, min_size=1, max_size=3), min_size=1, max_size=2)


@given(st.dictionaries(st.sampled_from("abcdef"), st.one_of(VALUES, ROWS), max_size=4))
def test_what_is_written_reads_back_equal(data):
    assert tomllib.loads(loader.written(data)) == data


def checked(path):
    result = CliRunner().invoke(main, ["cards", "check", str(path)])
    return result.exit_code, result.output


def test_the_command_checks_a_file_and_a_folder(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(loader.written(whole()), encoding="utf-8")
    code, said = checked(file)
    assert code == 0
    assert "16 agendas" in said
    assert "dice known" in said
    file.write_text(loader.written({**whole(), "dice": [["h0"]]}).replace("min_players = 3", "min_players = 9"))
    code, said = checked(file)
    assert code == 1
    assert len(said.strip().splitlines()) == 2
    assert "mine.toml:" in said
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, text in loader.texts(whole()).items():
        (folder / name).write_text(text, encoding="utf-8")
    assert checked(folder)[0] == 0
    (folder / "agendas.toml").unlink()
    assert checked(folder)[0] == 1
