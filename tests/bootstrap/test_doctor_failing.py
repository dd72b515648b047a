"""Checks that fail themselves: the doctor says so in one line and goes on."""

import json
import sys
import zipfile

import pytest
from click.testing import CliRunner

from companion.app.config import CameraConfig, Config, DeviceKind
from companion.app.doctor import machine_checks, table_checks
from companion.app.doctor import table_checks as examining
from companion.app.doctor.table_checks import examine
from companion.cli import main
from companion.commands import doctor as bundling
from companion.commands.doctor import write_bundle
from companion.languages.catalogues import codes
from companion.table.ports import Health
from tests.hardware import scenes
from tests.hardware.fake_picamera2 import WEBCAM, Library
from web.base.words import words_in
from web.pages.doctor.view import told


def broken(*_args, **_kwargs):
    raise AttributeError("odd\nand more")


@pytest.fixture
def off(tmp_path):
    return Config(port=0, data=tmp_path, camera=CameraConfig(kind=DeviceKind.OFF), panel=False, voice=False)


@pytest.mark.parametrize(
    ("room", "check"),
    [
        (machine_checks, "port"),
        (machine_checks, "disk"),
        (table_checks, "camera"),
        (table_checks, "beside"),
        (table_checks, "panel"),
    ],
)
def test_a_check_that_fails_itself_is_a_failed_check_and_the_others_are_made(off, monkeypatch, caplog, room, check):
    before = {one.name for one in examine(off)}
    monkeypatch.setattr(room, check, broken)
    found = examine(off)
    assert before <= {one.name for one in found}
    (failed,) = (one for one in found if one.is_bad)
    assert (failed.name, failed.state) == ("strips" if check == "beside" else check, Health.FAIL)
    for language in codes():
        assert "AttributeError: odd and more" in told(words_in(language), failed)
    assert "Traceback" in caplog.text


def test_the_command_says_it_in_one_line_and_keeps_the_trace_for_the_bundle(tmp_path, monkeypatch):
    monkeypatch.setattr(examining, "rights", broken)
    result = CliRunner().invoke(main, ["doctor", "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert all(line[:4] in ("ok  ", "note", "FAIL") for line in result.output.splitlines()), result.output
    assert "AttributeError: odd and more" in result.output
    CliRunner().invoke(main, ["doctor", "--data", str(tmp_path), "--bundle", str(tmp_path / "bundle.zip")])
    with zipfile.ZipFile(tmp_path / "bundle.zip") as file:
        assert "Traceback" in file.read("traces.txt").decode()


def test_a_wiring_table_that_is_not_there_is_one_line_about_the_panel(tmp_path):
    stills = scenes.a_folder(tmp_path, 1)
    config = tmp_path / "companion.toml"
    config.write_text(
        f"[camera]\nkind = 'stills'\npath = '{stills}'\n[panel]\nwiring = 'gone.toml'\n[table]\nport = 0\n"
    )
    result = CliRunner().invoke(main, ["doctor", "--json", "--data", str(tmp_path)])
    assert result.exit_code == 1, result.exception
    found = {one["name"]: one for one in json.loads(result.output)["checks"]}
    assert (found["panel"]["code"], found["camera"]["code"]) == ("panel_miswired", "camera_ok")
    assert "gone.toml" in found["panel"]["told"]
    target = tmp_path / "bundle.zip"
    result = CliRunner().invoke(main, ["doctor", "--bundle", str(target), "--pictures", "--data", str(tmp_path)])
    assert "what the camera sees" in result.output


def test_a_camera_that_the_library_cannot_start_is_named(monkeypatch, tmp_path):
    library = Library(scenes.moving())
    monkeypatch.setitem(sys.modules, "picamera2", library)
    camera = CameraConfig(kind=DeviceKind.PI, profile=tmp_path / "none.json")
    library.ids = [WEBCAM]
    assert table_checks.camera(Config(camera=camera), None).code == "camera_fails"
    library.Picamera2.global_camera_info = broken
    check = table_checks.camera(Config(camera=camera), None)
    assert "odd" in told(words_in("en"), check)
    monkeypatch.setattr(bundling, "open_camera", broken)
    held = write_bundle(tmp_path / "bundle.zip", Config(data=tmp_path, camera=camera), {}, pictures=True)
    assert bundling.NO_PICTURE in held


def test_a_camera_that_fails_for_the_picture_is_traced_in_the_bundle_and_not_on_the_terminal(monkeypatch, tmp_path):
    stills = scenes.a_folder(tmp_path, 1)
    (tmp_path / "companion.toml").write_text(f"[camera]\nkind = 'stills'\npath = '{stills}'\n[table]\nport = 0\n")
    monkeypatch.setattr(bundling, "open_camera", broken)
    target = tmp_path / "bundle.zip"
    result = CliRunner().invoke(main, ["doctor", "--bundle", str(target), "--pictures", "--data", str(tmp_path)])
    assert bundling.NO_PICTURE in result.output
    assert "Traceback" not in result.output
    with zipfile.ZipFile(target) as file:
        assert "the camera fails in a way that is not known\nTraceback" in file.read("traces.txt").decode()
