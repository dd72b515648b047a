import dataclasses
import json
import re
import socket
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from companion.app import strain as strain_module
from companion.app.config import CameraConfig, Config, DeviceKind
from companion.app.doctor import machine_checks, table_checks
from companion.app.doctor import report as report_module
from companion.app.doctor.table_checks import as_json, examine
from companion.app.strain import Strain, power
from companion.cli import main
from companion.commands.doctor import without_secrets
from companion.languages.catalogues import codes
from companion.table.ports import Health, Hint, Running, note, ok
from companion.table.ports import as_json as hinted
from companion.table.record.data_folder import mark
from companion.table.record.record import Record
from companion.table.session.intents import StartGame
from companion.table.session.session import Session
from hardware.cameras.capture import other_size
from tests.hardware import scenes
from tests.vision import tables
from web.base.words import words_in
from web.pages.doctor.view import told

ROOM = SimpleNamespace(free=500_000_000)


@pytest.fixture
def config(tmp_path):
    stills = scenes.a_folder(tmp_path / "stills", 1) if (tmp_path / "stills").mkdir() is None else None
    camera = CameraConfig(kind=DeviceKind.STILLS, path=stills, profile=tables.write_profile(tmp_path))
    return Config(port=0, data=tmp_path / "data", camera=camera, panel=False, voice=False)


def found(checks):
    return {check.name: (check.state.value, check.code) for check in checks}


def test_a_table_that_has_all_it_names_is_well(config):
    checks = examine(config)
    told = found(checks)
    for name in ("python", "disk", "record", "camera", "calibration"):
        assert told[name] == ("ok", f"{name}_ok")
    assert told["panel"] == ("note", "panel_not_wanted")
    assert as_json(checks, {check.name: "" for check in checks})["ok"]


def test_what_the_configuration_names_and_is_not_there_fails(config):
    gone = dataclasses.replace(config.camera, path=Path("nowhere"), profile=Path("none.json"))
    checks = examine(dataclasses.replace(config, camera=gone))
    bad = {check.name for check in checks if check.is_bad}
    assert bad == {"camera", "calibration"}
    assert not as_json(checks, {check.name: "" for check in checks})["ok"]


def test_what_was_only_looked_for_can_be_done_without(config):
    gone = dataclasses.replace(config.camera, kind=DeviceKind.AUTO, number=63, profile=Path("none.json"))
    told = found(examine(dataclasses.replace(config, camera=gone, panel=True, voice=True)))
    assert told["camera"] == ("note", "camera_none")
    assert told["calibration"] == ("note", "calibration_missing")
    assert told["panel"][0] in ("note", "ok")
    assert told["voice"][0] in ("note", "ok")


def test_a_camera_that_is_switched_off_is_not_looked_for(config):
    off = dataclasses.replace(config, camera=CameraConfig(kind=DeviceKind.OFF))
    told = found(examine(off))
    assert told["camera"] == ("note", "camera_not_wanted")
    assert "calibration" not in told


def test_a_faulty_profile_is_told(config):
    config.camera.profile.write_text('{"table": 1}')
    check = table_checks.calibration(config)
    assert (check.state, check.code) == (Health.FAIL, "calibration_faulty")


def test_whether_the_camera_holds_its_light(config):
    assert table_checks.light(config) is None, "stills have no light to hold"
    live = dataclasses.replace(config, camera=dataclasses.replace(config.camera, kind=DeviceKind.USB))
    assert table_checks.light(live).code == "light_free"
    raw = json.loads(live.camera.profile.read_text())
    raw["camera"]["locked"] = {"exposure_us": 12340}
    live.camera.profile.write_text(json.dumps(raw))
    assert table_checks.light(live) == ok("light", ms=12.3)
    for unreadable in ("{", "[" * 100_000, "5", '{"camera": {"locked": 5}}'):
        live.camera.profile.write_text(unreadable)
        assert table_checks.light(live) is None
        assert table_checks.beside(live) == []
        assert table_checks.calibration(live).code == "calibration_faulty"
    live.camera.profile.unlink()
    assert table_checks.light(live) is None


def test_strips_and_a_corner_that_the_camera_does_not_see_are_told_each_for_itself(config):
    assert table_checks.beside(config) == []
    raw = json.loads(config.camera.profile.read_text())
    raw["camera"]["stands"] = {"outside": [{"code": "strips_higher", "cm": 3}, {"code": "corner_outside"}]}
    config.camera.profile.write_text(json.dumps(raw))
    assert table_checks.beside(config) == [note("strips", "higher", cm=3), note("corner", "outside")]
    told = found(examine(config))
    assert (told["strips"], told["corner"]) == (("note", "strips_higher"), ("note", "corner_outside"))
    config.camera.profile.write_text("[]")
    assert table_checks.beside(config) == []
    off = dataclasses.replace(config, camera=CameraConfig(kind=DeviceKind.OFF))
    assert table_checks.beside(off) == []


def test_the_running_table_is_asked_and_its_devices_are_left_alone(config):
    gone = dataclasses.replace(config, panel=True, camera=dataclasses.replace(config.camera, path=Path("nowhere")))
    assert found(examine(gone, Running({"camera": "hand", "panel": "ok"})))["camera"] == ("ok", "camera_ok")
    told = found(examine(gone, Running({"camera": "lost", "panel": "partly"})))
    assert (told["camera"], told["panel"]) == (("fail", "camera_off"), ("note", "panel_off"))
    auto = dataclasses.replace(gone, camera=dataclasses.replace(gone.camera, kind=DeviceKind.AUTO))
    assert found(examine(auto, Running({"camera": "off"})))["camera"] == ("note", "camera_off")
    assert "port" not in told


def test_what_the_running_tables_devices_have_to_say_is_told(config):
    wanted = dataclasses.replace(config, panel=True)
    hint = {"state": "off", **hinted(Hint("camera_black", "The picture is black: uncover the lens."))}
    silent = {"state": "off", "hint": "The chip is asleep."}
    running = Running({"camera": "off", "panel": "off"}, {"camera": hint, "panel": silent})
    camera, panel = table_checks.camera(wanted, running), table_checks.panel(wanted, running)
    assert (camera.code, panel.code) == ("camera_fails", "panel_none")
    assert "uncover" in told(words_in("en"), camera)
    assert "obiektyw" in told(words_in("pl"), camera)
    assert "asleep" in told(words_in("pl"), panel)
    auto = dataclasses.replace(wanted, camera=dataclasses.replace(wanted.camera, kind=DeviceKind.AUTO))
    assert table_checks.camera(auto, running).code == "camera_none"
    small = {"state": "ok", **hinted(other_size((640, 480), (1920, 1080)))}
    seen = table_checks.camera(wanted, Running({"camera": "watching"}, {"camera": small}))
    assert seen.state.value == "note"
    assert "640x480 zamiast 1920x1080" in told(words_in("pl"), seen)


def test_damage_to_the_record_is_told_and_not_repaired(tmp_path):
    with Record(tmp_path) as record:
        session = Session(record)
        session.start()
        session.ask(StartGame({"players": ["red", "blue"]}, seed="1")).result(20)
        session.stop()
    assert table_checks.record(tmp_path).fields == {"games": 1, "entries": 1}
    database, copy = tmp_path / "record.sqlite3", tmp_path / "record.journal"
    copy.write_text("nonsense\nmore of it\n", encoding="utf-8")
    assert table_checks.record(tmp_path).code == "record_scratched"
    database.write_bytes(b"nothing of a database")
    before = database.read_bytes()
    assert table_checks.record(tmp_path).code == "record_damaged"
    assert database.read_bytes() == before


@pytest.mark.parametrize(
    ("free", "code"), [(500_000_000, "disk_ok"), (100_000_000, "disk_low"), (10_000_000, "disk_full")]
)
def test_the_disk(tmp_path, monkeypatch, free, code):
    monkeypatch.setattr(machine_checks.shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    assert machine_checks.disk(tmp_path / "not" / "yet" / "there").code == code
    monkeypatch.setattr(machine_checks.os, "access", lambda *_: False)
    assert machine_checks.disk(tmp_path).code == "disk_denied"


@pytest.mark.parametrize(
    ("bits", "code"), [("0x0", "power_ok"), ("0x50005", "power_low"), ("0x50000", "power_was_low")]
)
def test_the_power_of_a_pi(bits, code):
    assert power(Strain(int(bits, 16), 50.0)).code == code


@pytest.mark.parametrize(
    ("address", "listed", "code"),
    [
        ("192.0.2.7", "wifi:connected:wlan0\nloopback:unmanaged:lo", "hotspot_ok"),
        ("127.0.0.1", "wifi:disconnected:wlan0", "hotspot_ok"),
        ("127.0.0.1", "ethernet:unavailable:eth0", "hotspot_no_radio"),
        ("127.0.0.1", None, "hotspot_no_manager"),
        ("192.0.2.7", "ethernet:connected:eth0", None),
        ("192.0.2.7", None, None),
    ],
)
def test_a_table_without_a_network_can_open_one(monkeypatch, address, listed, code):
    monkeypatch.setattr(machine_checks, "output", lambda *_: listed)
    check = machine_checks.hotspot(address)
    assert (check.code if check else None) == code
    assert machine_checks.network(address).code == ("network_none" if address.startswith("127.") else "network_ok")


def test_a_clock_that_nobody_has_set():
    assert machine_checks.clock(0.0).code == "clock_unset"
    assert machine_checks.clock().code == "clock_ok"
    assert machine_checks.python((3, 9)).code == "python_other"


def test_the_port_is_free_or_taken_or_ours(make_port, monkeypatch, tmp_path):
    assert machine_checks.port(make_port(listening=False), tmp_path)[0].code == "port_free"
    assert machine_checks.port(make_port(listening=True), tmp_path)[0].code == "port_taken"
    running = Running({"camera": "watching"})
    monkeypatch.setattr(machine_checks, "answering", lambda _: (mark(tmp_path), running))
    assert machine_checks.port(1, tmp_path) == (ok("port", port=1), running)
    assert machine_checks.port(1, tmp_path / "demo") == (note("port", "another", port=1), None)


@pytest.fixture
def make_port(monkeypatch):
    monkeypatch.setattr(machine_checks, "PATIENCE", 0.2)
    held = []

    def make(*, listening):
        held.append(socket.socket())
        held[-1].bind(("0.0.0.0", 0))  # noqa: S104
        number = held[-1].getsockname()[1]
        if listening:
            held[-1].listen()
        else:
            held.pop().close()
        return number

    yield make
    for one in held:
        one.close()


def test_programs_that_are_not_there_or_fail_say_nothing():
    assert machine_checks.output("no-such-program-here") is None
    assert machine_checks.output("false") is None
    assert machine_checks.output("echo", "yes") == "yes"


@pytest.mark.parametrize("language", codes())
def test_every_code_has_its_words(language):
    rooms = [
        Path(module.__file__).read_text(encoding="utf-8")
        for module in (machine_checks, table_checks, strain_module, report_module)
    ]
    words = words_in(language)
    for text in rooms:
        for name, what in re.findall(r'(?:note|fail)\("(\w+)", "(\w+)"', text):
            assert words.has(f"doctor_{name}_{what}")
        for name in re.findall(r'ok\("(\w+)"', text):
            assert words.has(f"doctor_{name}_ok")
            assert words.has(f"doctor_name_{name}")


def test_the_command_prints_a_line_each_and_fails_where_something_needed_does(tmp_path):
    free = "[table]\nport = 0\n"
    (tmp_path / "companion.toml").write_text(free)
    result = CliRunner().invoke(main, ["doctor", "--data", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert all(line[:4] in ("ok  ", "note", "FAIL") for line in result.output.splitlines())
    (tmp_path / "companion.toml").write_text(f"{free}[camera]\nkind = 'stills'\npath = 'nowhere'\n")
    result = CliRunner().invoke(main, ["doctor", "--json", "--data", str(tmp_path)])
    assert result.exit_code == 1
    camera = next(one for one in json.loads(result.output)["checks"] if one["name"] == "camera")
    assert (camera["state"], camera["needed"]) == ("fail", True)
    assert "nowhere" in camera["told"]


def test_the_bundle_holds_the_games_and_no_secret(tmp_path, config):
    data = config.data
    with Record(data) as record:
        session = Session(record)
        session.start()
        session.ask(StartGame({"players": ["red", "blue"]}, seed="1")).result(20)
        session.stop()
    (data / "session.key").write_bytes(b"a-secret-key")
    (data / "companion.toml").write_text(
        f"[camera]\nkind = 'stills'\npath = '{config.camera.path}'\nprofile = '{config.camera.profile}'\n"
        "[panel]\non = false\n"
    )
    target = tmp_path / "bundle.zip"
    result = CliRunner().invoke(main, ["doctor", "--bundle", str(target), "--pictures", "--data", str(data)])
    assert result.exit_code == 0, result.output
    with zipfile.ZipFile(target) as file:
        names = set(file.namelist())
        whole = b"".join(file.read(name) for name in names)
    assert {"checks.json", "versions.txt", "companion.toml", "camera.jpg"} <= names
    assert any(name.startswith("games/") for name in names)
    assert b"a-secret-key" not in whole
    target = tmp_path / "no" / "folder" / "bundle.zip"
    result = CliRunner().invoke(main, ["doctor", "--bundle", str(target), "--data", str(data)])
    assert (result.exit_code, result.output.count("Traceback")) == (1, 0)


def test_what_opens_something_is_taken_out_of_settings(tmp_path):
    file = tmp_path / "companion.toml"
    file.write_text(
        '[mqtt]\nurl = "mqtt://me:word@host"\npassword = """\nhidden\n"""\nname = "shown"\n[[x]]\ntoken = "t0"\n'
    )
    text = without_secrets(file)
    assert "shown" in text
    assert not any(secret in text for secret in ("me:word", "hidden", "t0"))
    file.write_text("[broken")
    assert "cannot be read" in without_secrets(file)
