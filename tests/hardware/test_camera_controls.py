"""What of a camera can be held: read, held, and let go again, whatever camera it is."""

import cv2
import numpy as np
import pytest

from companion.table.ports import Controls, DeviceError
from hardware.cameras import usb
from hardware.cameras.camera_settings import CameraSettings
from hardware.cameras.capture import Stills
from hardware.cameras.pi import PiCamera
from hardware.cameras.simulated import AS_DRAWN, Sensor, SimulatedCamera
from hardware.cameras.usb import UsbCamera
from hardware.cameras.watched import RETRYING, WatchedCamera

from .fake_picamera2 import Library
from .scenes import SIZE, a_folder, moving, scene

HELD = {"exposure_us": 5000, "gain": 1.5, "colour_gains": [2.0, 1.5], "focus": 1.2}


def look(camera, times=1, *, full=True):
    """The last picture's brightness."""
    for _ in range(times):
        with camera.frame(full=full) as frame:
            mean = float(frame.image[20:].mean())
    return mean


# --- the Pi's camera --------------------------------------------------------------------------------------------------


def test_a_pi_tells_what_a_full_picture_was_taken_with():
    library = Library(moving())
    camera = PiCamera(CameraSettings(SIZE), library)
    assert camera.values() == {}, "no picture was taken yet"
    look(camera, full=False)
    assert camera.values() == {}
    look(camera)
    assert camera.values() == {"exposure_us": 9000, "gain": 2.0, "colour_gains": [1.8, 1.4]}
    library.cameras[0].metadata |= {"LensPosition": 1.4321, "AnalogueGain": 0.0, "ColourGains": (0.0, 0.0)}
    look(camera)
    assert camera.values() == {"exposure_us": 9000, "focus": 1.432}


def test_a_pi_holds_what_it_is_told_and_lets_it_go():
    library = Library(moving())
    camera = PiCamera(CameraSettings(SIZE), library)
    motor = library.cameras[0].camera_controls
    camera.hold(HELD)
    assert library.cameras[0].told[-1] == {
        "AeEnable": False,
        "ExposureTime": 5000,
        "AnalogueGain": 1.5,
        "AwbEnable": False,
        "ColourGains": (2.0, 1.5),
    }, "and a lens without a motor is not asked"
    motor |= {"AfMode": (0, 2, 0), "LensPosition": (0, 15, 1)}
    camera.hold(HELD)
    assert library.cameras[0].told[-1].items() >= {"AfMode": 0, "LensPosition": 1.2}.items()
    camera.hold({})
    told = library.cameras[0].told[-1]
    assert (told["AeEnable"], told["AwbEnable"], told["AfMode"], told["ExposureTime"]) == (True, True, 2, 0)


def test_a_pi_that_does_not_take_its_settings_says_so(monkeypatch):
    library = Library(moving())
    camera = PiCamera(CameraSettings(SIZE), library)

    def refuse(controls):
        raise RuntimeError("no")

    monkeypatch.setattr(library.cameras[0], "set_controls", refuse)
    with pytest.raises(DeviceError, match="start again"):
        camera.hold(HELD)


# --- a USB camera -----------------------------------------------------------------------------------------------------


class Capture:
    """A stand-in for cv2.VideoCapture: what it has can be read back, what it lacks is nought."""

    def __init__(self):
        self.has = {cv2.CAP_PROP_EXPOSURE: 156.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0, cv2.CAP_PROP_FOCUS: -1.0}
        self.told = {}

    def isOpened(self):
        return True

    def get(self, name):
        return self.has.get(name, 0.0)

    def set(self, name, value):
        self.told[name] = value

    def release(self):
        pass


def test_a_usb_camera_tells_what_it_has_and_holds_it(monkeypatch):
    device = Capture()
    monkeypatch.setattr(cv2, "VideoCapture", lambda number, backend: device)
    monkeypatch.setattr(usb.Path, "exists", lambda path: True)
    camera = UsbCamera(0, CameraSettings(SIZE))
    assert cv2.CAP_PROP_AUTO_EXPOSURE not in device.told
    assert camera.values() == {"exposure_us": 15600.0, "temperature": 4600.0}
    camera.hold({"exposure_us": 7800, "gain": 12, "temperature": 4600, "focus": 30})
    assert device.told[cv2.CAP_PROP_AUTO_EXPOSURE] == usb.MANUAL_EXPOSURE
    assert device.told[cv2.CAP_PROP_EXPOSURE] == 78
    assert device.told[cv2.CAP_PROP_GAIN] == 12
    assert (device.told[cv2.CAP_PROP_AUTO_WB], device.told[cv2.CAP_PROP_AUTOFOCUS]) == (0, 0)
    camera.hold({})
    assert device.told[cv2.CAP_PROP_AUTO_EXPOSURE] == usb.AUTOMATIC_EXPOSURE
    assert (device.told[cv2.CAP_PROP_AUTO_WB], device.told[cv2.CAP_PROP_AUTOFOCUS]) == (1, 1)


# --- the simulated one ------------------------------------------------------------------------------------------------


def test_a_sensor_that_holds_what_was_drawn_changes_nothing():
    assert Sensor(held_to=AS_DRAWN).picture(scene(), full=True).tobytes() == scene().tobytes()


@pytest.mark.parametrize("strength", [0.4, 1.0, 3.0])
def test_a_sensor_settles_by_itself_whatever_the_lamp(strength):
    camera = SimulatedCamera(moving(), sensor=Sensor(lambda: strength))
    look(camera, 20)
    settled = look(camera)
    assert abs(settled - 118) < 12
    assert abs(look(camera) - settled) < 2


def test_what_is_held_stays_when_the_lamp_changes():
    lamp = [1.0]
    camera = SimulatedCamera(moving(), sensor=Sensor(lambda: lamp[0]))
    look(camera, 20)
    values = camera.values()
    camera.hold(values)
    before = look(camera, 3)
    lamp[0] = 0.6
    darker = look(camera, 20)
    assert darker < before * 0.85
    assert camera.values() == values
    camera.hold({})
    assert look(camera, 20) > darker * 1.1
    assert camera.values()["exposure_us"] > values["exposure_us"] * 1.3


def test_a_lens_out_of_focus_is_blurred_and_finds_its_way():
    sharp = np.asarray(cv2.resize(np.random.default_rng(1).integers(0, 255, (60, 80, 3), np.uint8), (800, 600)))
    camera = SimulatedCamera(lambda: sharp, sensor=Sensor(held_to=AS_DRAWN | {"focus": 0.4}))

    def edges():
        with camera.frame(full=True) as frame:
            return float(cv2.Laplacian(frame.image, cv2.CV_64F).var())

    blurred = edges()
    camera.hold({})
    for _ in range(12):
        edges()
    assert edges() > 3 * blurred
    assert camera.values()["focus"] == pytest.approx(AS_DRAWN["focus"], abs=0.05)


def test_a_camera_without_a_sensor_has_nothing_to_hold():
    camera = SimulatedCamera(moving())
    camera.hold(HELD)
    assert camera.values() == {}


# --- behind the watcher -----------------------------------------------------------------------------------------------


def test_the_thread_that_looks_is_the_one_that_tells_the_camera(clock):
    simulated = SimulatedCamera(moving(), clock, sensor=Sensor())
    camera = WatchedCamera(simulated.opened, lambda _: None, clock)
    assert isinstance(camera, Controls)
    assert camera.values() == {}
    camera.hold(HELD)
    assert simulated.values() != HELD
    look(camera)
    assert camera.values() == HELD


def test_stills_have_nothing_to_hold(clock, tmp_path):
    camera = WatchedCamera(lambda: Stills(a_folder(tmp_path, 1)), lambda _: None, clock)
    camera.hold(HELD)
    assert look(camera) > 0
    assert camera.values() == {}


def test_a_camera_that_refuses_its_settings_is_opened_anew(clock):
    said = []

    class Stubborn(SimulatedCamera):
        def hold(self, values):
            raise DeviceError("It does not take its settings: start again.")

    camera = WatchedCamera(lambda: Stubborn(moving(), clock), lambda intent: said.append(intent.state), clock)
    camera.hold(HELD)
    with pytest.raises(DeviceError), camera.frame(full=True):
        pass
    clock.go(RETRYING)
    assert look(camera) > 0
    assert said == ["off", "ok"]
