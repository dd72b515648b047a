"""Scenarios of the second game with a pack of one's own, and with corrections of a pack."""

import json

import pytest
from click.testing import CliRunner

from companion.cards.wasteland.loader import pack_text, texts
from companion.cli import main

PLAY = {
    "game": "wasteland", "scenario": "low-tide", "players": ["red", "blue"], "first": "red", "seed": 1,
    "survivors": {"red": "the-netmaker", "blue": "the-pilgrim"},
}  # fmt: skip


def run(folder, **more):
    file = folder / "one.json"
    file.write_text(json.dumps({**PLAY, **more}), encoding="utf-8")
    result = CliRunner().invoke(main, ["scenario", str(file)])
    return result.exit_code, result.output


def test_a_scenario_lays_corrections_over_the_pack(tmp_path):
    (tmp_path / "mine.toml").write_text(
        '[settings]\nstart_caps = 7\n[[enemy]]\nid = "dune-crab"\nlevel = 4\n', encoding="utf-8"
    )
    start = {"enemies": {"9": {"id": "dune-crab", "space": "reef"}}}
    then = {"players": {"red": {"caps": 7}}, "enemies": {"9": {"level": 4}}}
    assert run(tmp_path, overlay="mine.toml", start=start, then=then) == (0, "1 passed, 0 failed\n")


@pytest.mark.parametrize(
    ("overlay", "said"),
    [
        ('[[enemy]]\nid = "dune-crab"\nlevl = 4\n', "levl"),
        ('[[enemie]]\nid = "dune-crab"\n', "enemie"),
        ("[settings]\nstart_cap = 7\n", "start_cap"),
        ("[[enemy]]\nlevel = 4\n", "found no id"),
        ("x =", "mine.toml"),
    ],
)
def test_what_a_correction_would_not_change_is_refused(tmp_path, overlay, said):
    (tmp_path / "mine.toml").write_text(overlay, encoding="utf-8")
    code, output = run(tmp_path, overlay="mine.toml", then={})
    assert (code, said in output) == (1, True), output


def test_a_scenario_is_played_with_a_pack_beside_it(tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    for name, content in pack_text("homemade").files:
        (own / name).write_text(content.replace('name = "Dune Crab"', 'name = "Sand Crab"'), encoding="utf-8")
    (own / "pack.toml").write_text(texts({"id": "own", "verified": True})["pack.toml"], encoding="utf-8")
    assert run(tmp_path, pack="own", then={"options": {"pack": "own", "dice": "table"}})[0] == 0
    code, output = run(tmp_path, pack="nobody's")
    assert (code, "there is no pack" in output) == (1, True)
