"""A whole table: real session, record, panel, eye and vision; what a person would touch is pretended."""

import dataclasses
import sys

import pytest

from companion.app import devices as devices_module
from companion.app.config import CameraConfig, Config, DeviceKind
from companion.app.devices import Devices, devices_of, open_camera
from companion.app.runtime import TableRuntime
from companion.games.api import Button
from companion.table.ports import DeviceError
from companion.table.record.record import Record
from companion.table.session.intents import StartGame
from hardware.cameras.simulated import SimulatedCamera
from hardware.panel.pins import Fingers
from hardware.panel.wiring import load
from tests.hardware import scenes
from tests.hardware.fake_picamera2 import WEBCAM, Library
from tests.vision import tables

SOON = 30
TABLE = tables.draw_table({"1:L3": 0, "2:R1": 3, "3:L1": 1})


class House:
    """An evening, and what hands do at it."""

    def __init__(self, folder, profile):
        self.camera = SimulatedCamera(lambda: TABLE)
        wiring = load()
        self.fingers = Fingers(wiring)
        devices = Devices(self.camera.opened, profile, wiring, lambda: self.fingers.chip)
        self.record = Record(folder)
        self.evening = TableRuntime(self.record, Config(voice=False), devices)
        self.evening.start()

    def until(self, holds):
        """The first state that is as it should be."""
        snapshots = self.evening.session.snapshots
        snapshot = snapshots.latest
        while not holds(snapshot.state):
            seq = snapshot.seq
            snapshot = snapshots.newer_than(seq, SOON)
            assert snapshot is not None, snapshots.latest.state
        return snapshot.state

    def close(self):
        self.evening.close()
        self.record.close()


@pytest.fixture
def profile(tmp_path):
    return tables.write_profile(tmp_path)


@pytest.fixture
def house(tmp_path, profile):
    house = House(tmp_path / "record", profile)
    yield house
    house.close()


def test_panel_and_camera_come_up_and_a_button_reaches_the_record(house):
    house.until(lambda state: state["panel"] == "ok" and state["table"]["camera"] in ("watching", "unsure"))
    start = {"round": 2, "phase": "spawn"}
    house.evening.session.ask(StartGame({"players": ["red", "blue"], "start": start}, seed="1")).result(SOON)
    house.fingers.press(Button.THREATS)
    assert house.until(lambda state: state["spawned"])["phase"] == "place"
    assert [entry.body["by"] for entry in house.record.entries(house.record.current)[1:]] == ["panel"]


def test_the_coach_looks_at_the_layout(house):
    house.evening.session.ask(StartGame({"players": ["red", "blue"]}, seed="1")).result(SOON)
    state = house.until(lambda state: state["table"].get("coach", {}).get("wrong"))
    assert "1:L3" in {one["place"] for one in state["table"]["coach"]["wrong"]}


def test_a_camera_that_is_unplugged_is_said_and_taken_back(house):
    house.until(lambda state: state["table"]["camera"] in ("watching", "unsure"))
    house.camera.plug(pulled=True)
    state = house.until(lambda state: state["table"]["camera"] == "off")
    assert "plug it in" in state["devices"]["camera"]["hint"]
    house.camera.plug()
    house.until(lambda state: state["table"]["camera"] in ("watching", "unsure"))


def test_whoever_looks_on_sees_what_was_read(house):
    shown = house.evening.sight.newer_than(0, drawn=True, timeout=SOON)
    assert shown.jpeg.startswith(b"\xff\xd8")


def test_a_camera_without_a_profile_says_what_to_do_and_shows_its_picture(tmp_path):
    house = House(tmp_path / "record", tmp_path / "none.json")
    state = house.until(lambda state: state["devices"].get("camera", {}).get("hint"))
    assert "/calibrate" in state["devices"]["camera"]["hint"]
    assert house.evening.sight.newer_than(0, drawn=True, timeout=SOON) is not None
    tables.write_profile(tmp_path).rename(tmp_path / "none.json")
    house.evening.eye.reload()
    house.until(lambda state: state["table"]["camera"] in ("watching", "unsure"))
    house.close()


def test_a_broken_profile_is_said(tmp_path):
    (tmp_path / "broken.json").write_text('{"table": 3}')
    house = House(tmp_path / "record", tmp_path / "broken.json")
    state = house.until(lambda state: state["devices"].get("camera", {}).get("hint"))
    assert "broken.json cannot be used" in state["devices"]["camera"]["hint"]
    house.close()


def test_without_anything_bolted_on_it_is_an_evening_by_phone(tmp_path):
    with Record(tmp_path) as record:
        evening = TableRuntime(record, Config(voice=False), Devices(None, tmp_path / "none.json", None))
        evening.start()
        assert evening.sight.newer_than(0, drawn=True, timeout=0) is None
        assert evening.session.snapshots.latest.state["panel"] == "off"
        evening.close()


def test_parts_are_started_after_the_session_and_closed_before_it(tmp_path):
    done = []

    class Part:
        def start(self):
            done.append(evening.session.snapshots.latest is not None)

        def close(self):
            done.append(evening.session.snapshots.closed)

    with Record(tmp_path) as record:
        evening = TableRuntime(record, Config(voice=False), Devices(None, tmp_path / "none.json", None))
        evening.add(Part())
        evening.start()
        evening.close()
    assert done == [True, False]


def test_the_configuration_names_the_camera(tmp_path):
    scenes.a_folder(tmp_path, 2)
    stills = CameraConfig(kind=DeviceKind.STILLS, path=tmp_path, profile=tmp_path / "none.json")
    assert open_camera(stills).name.startswith("stills")
    film = dataclasses.replace(stills, kind=DeviceKind.RECORDING, path=scenes.a_video(tmp_path / "film.avi", 2))
    assert open_camera(film).name.startswith("recording")
    for kind, hint in ((DeviceKind.PI, "picamera2"), (DeviceKind.USB, "/dev/video63"), (DeviceKind.AUTO, "USB camera")):
        with pytest.raises(DeviceError, match=hint):
            open_camera(dataclasses.replace(stills, kind=kind, number=63))
    assert devices_of(Config(camera=dataclasses.replace(stills, kind=DeviceKind.OFF), panel=False)).camera is None
    assert devices_of(Config(camera=stills)).camera().name.startswith("stills")


def test_a_usb_camera_alone_is_taken_as_one_although_libcamera_lists_it(tmp_path, monkeypatch):
    library = Library(scenes.moving())
    library.ids = [WEBCAM]
    monkeypatch.setitem(sys.modules, "picamera2", library)
    monkeypatch.setattr(devices_module, "UsbCamera", lambda number, _settings: f"USB camera {number}")
    assert open_camera(CameraConfig(kind=DeviceKind.AUTO, profile=tmp_path / "none.json")) == "USB camera 0"


@pytest.mark.parametrize("text", ["{", '{"camera": {"rate": -1}}', "[]"])
def test_a_profile_with_faults_is_the_cameras_hint(tmp_path, text):
    (tmp_path / "profile.json").write_text(text)
    with pytest.raises(DeviceError, match=r"profile\.json"):
        open_camera(CameraConfig(kind=DeviceKind.USB, profile=tmp_path / "profile.json"))
