from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.app.config import Config, ConfigFaults, DeviceKind, found, load
from companion.cli import main

WHOLE = """
[table]
name = "kitchen"
port = 8080
data = "games"
language = "pl"

[camera]
kind = "usb"
number = 2
profile = "mat.json"

[panel]
on = false
wiring = "own.toml"

[voice]
on = false
"""


def written(folder, text):
    file = folder / "companion.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_everything_can_be_said_and_paths_start_at_the_file(tmp_path):
    config = load(written(tmp_path, WHOLE))
    assert (config.name, config.port, config.data, config.language) == ("kitchen", 8080, tmp_path / "games", "pl")
    assert (config.camera.kind, config.camera.number) == (DeviceKind.USB, 2)
    assert config.camera.profile == tmp_path / "mat.json"
    assert (config.panel, config.wiring, config.voice) == (False, tmp_path / "own.toml", False)


def test_nothing_has_to_be_said(tmp_path):
    config = load(written(tmp_path, ""))
    assert (config.port, config.language, config.camera.kind, config.panel) == (
        8000,
        "en",
        DeviceKind.AUTO,
        True,
    )
    assert found(None, tmp_path / "nowhere").camera.profile == tmp_path / "nowhere" / "profile.json"
    assert found(None, tmp_path) == config
    assert Config().camera.path is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("tabel = 1", ["companion.toml:1: configuration: found an unknown key tabel"]),
        ("table = 1", ["found table = 1, expected a table"]),
        ("[camera]\nkind = 'eye'", ['companion.toml:2: [camera]: found kind = "eye", expected one of auto, pi']),
        ("[camera]\nkind = 'stills'", ["companion.toml:1: [camera]: found no path"]),
        ("[table]\nport = 70000\nlanguage = 'xx'", ["companion.toml:2: [table]", "companion.toml:3: [table]"]),
        ("[panel]\non = 'yes'\npins = 3", ["expected true or false", "an unknown key pins"]),
        ("[table", ["companion.toml:1: -: found broken TOML"]),
        ("[table]\ngames = 'pig:Pig'", ["expected a list of games, each as module:object"]),
        ("[table]\nport = -1\ngames = ['nowhere:Game']", ["toml:2:", "toml:3: [table]: found nowhere:Game cannot"]),
    ],
)
def test_every_fault_is_told_with_its_line(tmp_path, text, told):
    with pytest.raises(ConfigFaults) as refused:
        load(written(tmp_path, text))
    faults = [str(fault) for fault in refused.value.faults]
    assert len(faults) == len(told)
    for one in told:
        assert any(one in fault for fault in faults), faults


def test_run_says_every_fault_in_a_line_and_starts_nothing(tmp_path):
    file = written(tmp_path, "[table]\nport = -1\n[voice]\non = 3\n")
    result = CliRunner().invoke(main, ["run", "--config", str(file)])
    assert (result.exit_code, result.output.count("\n")) == (1, 2)
    result = CliRunner().invoke(main, ["run", "--config", str(Path("no") / "such.toml")])
    assert (result.exit_code, result.output.count("\n")) == (1, 1)


def test_run_says_what_is_wrong_with_the_wiring(tmp_path):
    (tmp_path / "own.toml").write_text("[buttons.red]\npin = 99\n")
    file = written(tmp_path, "[panel]\nwiring = 'own.toml'\n")
    result = CliRunner().invoke(main, ["run", "--config", str(file), "--data", str(tmp_path / "data"), "--port", "0"])
    assert result.exit_code == 1
    assert "99" in result.output
