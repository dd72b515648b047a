import sys

import cv2
import numpy as np
import pytest

from companion.table.intents import DeviceChanged
from companion.table.ports import DeviceError
from hardware.cameras import capture, pi
from hardware.cameras.capture import Recording, UsbCamera
from hardware.cameras.pi import PiCamera
from hardware.cameras.settings import CameraSettings, SettingsFaults, settings_of
from hardware.cameras.simulated import SimulatedCamera
from hardware.cameras.stills import Stills
from hardware.cameras.watched import BLACK, FREEZING, FROZEN, RETRYING, WatchedCamera

from .fake_picamera2 import Library
from .scenes import SIZE, a_folder, a_video, moving, scene


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


# --- the Pi's camera --------------------------------------------------------------------------------------------------


LOCKED = CameraSettings(SIZE, exposure_us=9000, gain=2.0, colour_gains=(1.8, 1.4), focus=1.5)


def test_exposure_and_white_balance_are_locked():
    library = Library(moving())
    PiCamera(LOCKED, library)
    assert library.cameras[0].config["controls"] == {
        "FrameDurationLimits": (100000, 100000),
        "AeEnable": False,
        "ExposureTime": 9000,
        "AnalogueGain": 2.0,
        "AwbEnable": False,
        "ColourGains": (1.8, 1.4),
    }, "and the focus of a lens without a motor is not asked for"


def test_a_lens_with_a_motor_is_locked_too():
    assert pi._controls(LOCKED)["LensPosition"] == 1.5
    assert pi._controls(LOCKED)["AfMode"] == pi.MANUAL_FOCUS
    free = {"FrameDurationLimits": (100000, 100000), "AfMode": pi.STEADY_FOCUS}
    assert pi._controls(CameraSettings()) == free, "left alone, its motor would never move"


def test_two_streams_without_the_raw_one():
    library = Library(moving())
    PiCamera(CameraSettings((1920, 1080)), library)
    config = library.cameras[0].config
    assert (config["main"]["size"], config["main"]["format"]) == ((1920, 1080), "RGB888")
    assert (config["lores"]["size"], config["lores"]["format"]) == ((640, 360), "YUV420")
    assert config["raw"] is None
    assert not config["queue"]


def test_a_camera_that_is_small_has_one_stream():
    for form in ("RGB888", "NV12"):
        library = Library(lambda: scene(size=(640, 480)))
        camera = PiCamera(CameraSettings((640, 480), format=form), library)
        assert library.cameras[0].config["lores"] is None
        with camera.frame(full=False) as frame:
            assert frame.image.shape == (480, 640)


@pytest.mark.parametrize("form", ["RGB888", "NV12", "YUV420"])
def test_colours_are_right(form):
    size = (1000, 700)  # rows that a camera pads
    camera = PiCamera(CameraSettings(size, format=form), Library(lambda: scene(size=size)))
    with camera.frame(full=True) as frame:
        assert np.abs(frame.image.astype(int) - scene(size=size)).mean() < 3
    with camera.frame(full=False) as frame:
        grey = cv2.cvtColor(cv2.resize(scene(size=size), (640, 448)), cv2.COLOR_BGR2GRAY)
        assert np.abs(frame.image.astype(int) - grey).mean() < 25


def test_a_cable_that_is_pulled(clock):
    library, said = Library(moving()), []
    camera = WatchedCamera(lambda: PiCamera(CameraSettings(SIZE), library, clock=clock), said.append, clock)
    with camera.frame(full=False):
        pass
    library.gives_frames = library.is_there = False
    with pytest.raises(DeviceError, match="check its cable"), camera.frame(full=False):
        pass
    assert library.cameras[0].closed
    clock.go(RETRYING)
    with pytest.raises(DeviceError, match="No Pi camera is found"), camera.frame(full=False):
        pass
    library.gives_frames = library.is_there = True
    clock.go(RETRYING)
    with camera.frame(full=True):
        pass
    assert [one.state for one in said] == ["ok", "off", "off", "ok"]


def test_a_camera_that_another_program_uses():
    library = Library(moving())
    library.is_busy = True
    with pytest.raises(DeviceError):
        PiCamera(CameraSettings(SIZE), library)
    library.is_busy = False
    with pytest.raises(DeviceError, match=r"cannot be started \(width and height should be even\)"):
        PiCamera(CameraSettings((801, 601)), library)
    assert library.cameras[0].closed


def test_without_picamera2(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(DeviceError, match="apt install python3-picamera2"):
        PiCamera(CameraSettings())


# --- OpenCV -----------------------------------------------------------------------------------------------------------


class Capture:
    """A stand-in for cv2.VideoCapture on a device."""

    def __init__(self):
        self.is_open = self.gives = True
        self.set_to = {}
        self.grabbed = 0
        self.released = False

    def isOpened(self):
        return self.is_open

    def set(self, name, value):
        self.set_to[name] = value

    def grab(self):
        self.grabbed += 1

    def read(self):
        return (True, scene()) if self.gives else (False, None)

    def release(self):
        self.released = True


@pytest.fixture
def device(monkeypatch):
    device = Capture()
    monkeypatch.setattr(cv2, "VideoCapture", lambda number, backend: device)
    monkeypatch.setattr(capture.Path, "exists", lambda path: True)
    return device


def test_a_usb_camera_is_locked(device):
    UsbCamera(0, CameraSettings(SIZE, exposure_us=9000, temperature=4000, focus=30))
    assert device.set_to[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter_fourcc(*"MJPG")
    assert device.set_to[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert device.set_to[cv2.CAP_PROP_EXPOSURE] == 90
    assert device.set_to[cv2.CAP_PROP_WB_TEMPERATURE] == 4000
    assert device.set_to[cv2.CAP_PROP_FOCUS] == 30


def test_a_usb_camera_shows_no_old_picture(device, clock):
    camera = UsbCamera(0, CameraSettings(SIZE, rate=10), clock)
    for pause, grabbed in ((0.05, 0), (0.1, 0), (5, 1), (0.1, 1), (1, 2)):
        clock.go(pause)
        with camera.frame(full=False):
            assert device.grabbed == grabbed


def test_a_usb_camera_that_goes(device):
    camera = UsbCamera(0, CameraSettings(SIZE))
    device.gives = False
    with pytest.raises(DeviceError, match="check its plug"), camera.frame(full=True):
        pass
    camera.close()
    assert device.released


def test_a_usb_camera_that_another_program_uses(device):
    device.is_open = False
    with pytest.raises(DeviceError, match="does another program use it"):
        UsbCamera(0, CameraSettings())


def test_a_usb_camera_that_cannot_be_opened_fills_no_log(monkeypatch, capfd):
    monkeypatch.setattr(capture.Path, "exists", lambda _: True)
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_WARNING)
    with pytest.raises(DeviceError, match="cannot be opened"):
        UsbCamera(63, CameraSettings())
    assert capfd.readouterr().err == ""


def test_a_recording_is_over(tmp_path):
    camera = Recording(a_video(tmp_path / "evening.avi", 3))
    for _ in range(3):
        with camera.frame(full=False):
            pass
    with pytest.raises(DeviceError, match="is over"), camera.frame(full=False):
        pass


def test_a_recording_that_is_none(tmp_path):
    (tmp_path / "evening.avi").write_text("once upon a time")
    with pytest.raises(DeviceError, match="cannot be played"):
        Recording(tmp_path / "evening.avi")


def test_stills_come_by_name_and_the_last_one_stays(tmp_path):
    camera = Stills(a_folder(tmp_path, 3))
    for number in (0, 1, 2, 2, 2):
        with camera.frame(full=True) as frame:
            assert (frame.image == scene(number)).all()


def test_a_still_that_is_none(tmp_path):
    (tmp_path / "one.png").write_text("once upon a time")
    with pytest.raises(DeviceError, match=r"one\.png cannot be read"), Stills(tmp_path).frame(full=True):
        pass


# --- settings ---------------------------------------------------------------------------------------------------------


def test_settings_come_from_the_profile():
    camera = {"size": [1640, 1232], "rate": 5, "locked": {"exposure_us": 9000, "colour_gains": [1.8, 1.4], "focus": 0}}
    assert settings_of({"camera": camera}) == CameraSettings(
        (1640, 1232), rate=5, exposure_us=9000, colour_gains=(1.8, 1.4), focus=0
    )
    assert settings_of({}) == CameraSettings()


def test_every_fault_of_the_settings_is_told():
    camera = {
        "size": [1640],
        "rate": 0,
        "locked": {"exposure_us": -1, "colour_gains": "warm", "shutter": 3, "gain": True},
    }
    with pytest.raises(SettingsFaults) as caught:
        settings_of({"camera": camera})
    assert caught.value.faults == [
        "camera.locked.shutter: unknown",
        "camera.locked.exposure_us: expected a number above nought, not -1",
        "camera.locked.gain: expected a number above nought, not True",
        "camera.locked.colour_gains: expected two numbers above nought, not 'warm'",
        "camera.size: expected two numbers above nought, not [1640]",
        "camera.rate: expected a number above nought, not 0",
    ]
