"""A camera that is watched over: what is said of it, and what its settings may be."""

from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from companion.table.ports import DeviceError
from companion.table.session.intents import DeviceChanged
from hardware.cameras.camera_settings import CameraSettings, CameraSettingsFaults, settings_of
from hardware.cameras.capture import Stills
from hardware.cameras.simulated import SimulatedCamera
from hardware.cameras.watched import BLACK, FREEZING, FROZEN, RETRYING, WatchedCamera

from .scenes import a_folder, moving


class Watching:
    """A watched camera that is simulated, and what it says."""

    def __init__(self, clock):
        self.clock = clock
        self.said = []
        self.simulated = SimulatedCamera(moving(), clock)
        self.camera = WatchedCamera(self.simulated.opened, self.take, clock)

    def take(self, intent):
        assert isinstance(intent, DeviceChanged)
        assert intent.device == "camera"
        self.said.append((intent.state, intent.hint))

    def look(self, *, full=False):
        """Whether there is a picture."""
        self.clock.go(1)
        try:
            with self.camera.frame(full=full) as frame:
                return bool(frame.image.size)
        except DeviceError:
            return False


@pytest.fixture
def watching(clock):
    return Watching(clock)


def test_a_camera_that_works_is_said_once(watching):
    assert all(watching.look(full=number % 2 == 0) for number in range(50))
    assert watching.said == [("ok", "")]
    assert watching.camera.name == "simulated camera"


def test_what_differs_in_a_cameras_pictures_is_said_once_while_it_works(watching):
    watching.simulated.note = "another size"
    assert all(watching.look(full=number % 2 == 0) for number in range(50))
    assert watching.said == [("ok", "another size")]


class Failing:
    """An adapter that fails as nobody would expect: when it is opened, lends a picture, takes it back, or closes."""

    lively, name = True, "failing"

    def __init__(self, where):
        self.where = where

    def opened(self):
        self.fail_at("open")
        return self

    @contextmanager
    def frame(self, *, full):
        self.fail_at("lend")
        yield SimpleNamespace(image=moving()(), at=0.0)
        self.fail_at("give back")

    def close(self):
        self.fail_at("close")

    def fail_at(self, where):
        if where in self.where:
            raise AttributeError("'NoneType' object has no attribute 'at'")


@pytest.mark.parametrize("where", ["open", "lend", "give back", "lend and close"])
def test_whatever_an_adapter_raises_is_a_fault_that_is_tried_again(clock, caplog, where):
    said, failing = [], Failing(where)
    camera = WatchedCamera(failing.opened, said.append, clock)
    for _ in range(3):
        with pytest.raises(DeviceError, match="The camera fails"), camera.frame(full=False):
            pass
        clock.go(RETRYING)
    assert said[-1].hint.code == "camera_fails"
    assert "Traceback" in caplog.text
    failing.where = ""
    with camera.frame(full=False) as frame:
        assert frame.image.size
    assert said[-1].state == "ok"


def test_a_bug_of_whoever_looks_is_not_taken_for_the_cameras(watching):
    with pytest.raises(ZeroDivisionError), watching.camera.frame(full=True):
        raise ZeroDivisionError
    assert watching.said == [("ok", "")]


def test_a_camera_that_is_not_there_is_taken_when_it_comes(watching):
    watching.simulated.plug(pulled=True)
    assert not watching.look()
    assert watching.said == [("off", "The simulated camera is unplugged: plug it in.")]
    assert watching.camera.name == "no camera"
    watching.simulated.plug()
    assert not watching.look(), "it is not tried at every look"
    watching.clock.go(RETRYING)
    assert watching.look()
    assert [state for state, _ in watching.said] == ["off", "ok"]


def test_a_camera_that_is_unplugged_is_taken_back(watching):
    assert watching.look()
    watching.simulated.plug(pulled=True)
    assert not watching.look()
    watching.clock.go(RETRYING)
    assert not watching.look()
    watching.simulated.plug()
    watching.clock.go(RETRYING)
    assert watching.look()
    assert [state for state, _ in watching.said] == ["ok", "off", "ok"]


def test_a_hand_on_the_lens(watching):
    assert watching.look()
    watching.simulated.cover()
    assert not watching.look()
    assert not watching.look(full=True)
    watching.simulated.cover(lens=False)
    assert watching.look()
    assert watching.said == [("ok", ""), ("lost", BLACK), ("ok", "")]


def test_a_picture_that_stands_still(watching):
    assert watching.look()
    watching.simulated.freeze()
    looks = [watching.look(full=number % 2 == 0) for number in range(int(FREEZING) + 4)]
    assert looks[0]
    assert not looks[-1]
    assert watching.said[-1] == ("off", FROZEN)
    watching.simulated.freeze(stuck=False)
    watching.clock.go(RETRYING)
    assert watching.look()
    assert watching.said[-1] == ("ok", "")


def test_a_still_may_stand_still(clock, tmp_path):
    said = []
    camera = WatchedCamera(lambda: Stills(a_folder(tmp_path, 1)), said.append, clock)
    for _ in range(20):
        clock.go(FREEZING)
        with camera.frame(full=False):
            pass
    assert [one.state for one in said] == ["ok"]


def test_a_bug_in_looking_is_not_the_cameras(watching):
    with pytest.raises(ZeroDivisionError), watching.camera.frame(full=True):
        raise ZeroDivisionError
    assert watching.said == [("ok", "")]


# --- settings ---------------------------------------------------------------------------------------------------------


def test_settings_come_from_the_profile():
    camera = {"size": [1640, 1232], "rate": 5, "locked": {"exposure_us": 9000, "colour_gains": [1.8, 1.4], "focus": 0}}
    camera["stands"] = {}
    assert settings_of({"camera": camera}) == CameraSettings(
        (1640, 1232), rate=5, exposure_us=9000, colour_gains=(1.8, 1.4), focus=0
    )
    assert settings_of({}) == CameraSettings(sized=False)


def test_every_fault_of_the_settings_is_told():
    camera = {
        "size": [1640],
        "rate": 0,
        "locked": {"exposure_us": -1, "colour_gains": "warm", "shutter": 3, "gain": True},
    }
    with pytest.raises(CameraSettingsFaults) as caught:
        settings_of({"camera": camera})
    assert caught.value.faults == [
        "camera.locked.shutter: unknown",
        "camera.locked.exposure_us: expected a number above nought, not -1",
        "camera.locked.gain: expected a number above nought, not True",
        "camera.locked.colour_gains: expected two numbers above nought, not 'warm'",
        "camera.size: expected two numbers above nought, not [1640]",
        "camera.rate: expected a number above nought, not 0",
    ]
