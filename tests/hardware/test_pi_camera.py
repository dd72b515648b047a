"""The Pi's own camera, by a stand-in for its library."""

import sys
import threading

import cv2
import numpy as np
import pytest

from companion.table.ports import DeviceError
from hardware.cameras import pi
from hardware.cameras.camera_settings import CameraSettings, settings_of
from hardware.cameras.pi import PiCamera
from hardware.cameras.watched import RETRYING, WatchedCamera

from . import fake_picamera2
from .fake_picamera2 import SENSOR, WEBCAM, Library
from .scenes import SIZE, moving, scene

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
    free = {"FrameDurationLimits": (100000, 100000), "AeFlickerMode": 1, "AeFlickerPeriod": 10000}
    focuses = {"AfMode": pi.STEADY_FOCUS}
    assert pi._controls(CameraSettings()) == free | focuses, "left alone, its motor would never move"
    assert pi._controls(CameraSettings(mains=60))["AeFlickerPeriod"] == 8333


def test_two_streams_without_the_raw_one():
    library = Library(moving())
    PiCamera(CameraSettings((1920, 1080)), library)
    config = library.cameras[0].config
    assert (config["main"]["size"], config["main"]["format"]) == ((1920, 1080), "RGB888")
    assert (config["lores"]["size"], config["lores"]["format"]) == ((640, 360), "YUV420")
    assert config["raw"] is None
    assert not config["queue"]


@pytest.mark.parametrize(
    ("model", "size", "mode"),
    [
        ("imx219", (1640, 1232), (1640, 1232)),
        ("imx219_noir", (1640, 1232), (1640, 1232)),
        ("ov5647", (1920, 1440), (2592, 1944)),
        ("imx708", (1920, 1080), (2304, 1296)),
        ("imx708_wide_noir", (2304, 1296), (2304, 1296)),
    ],
)
def test_a_module_is_seen_through_with_all_of_its_sensor(model, size, mode):
    library = Library(moving())
    library.model = model
    PiCamera(CameraSettings(sized=False), library)
    config = library.cameras[0].config
    assert (config["main"]["size"], config["sensor"]) == (size, {"output_size": mode})


def test_a_size_that_was_measured_stays_and_its_mode_crops_nothing():
    library = Library(moving())
    library.model = "imx219"
    camera = PiCamera(settings_of({"camera": {"size": [1920, 1080], "matrix": []}}), library)
    assert camera.size == (1920, 1080)
    assert library.cameras[0].config["sensor"] == {"output_size": (3280, 2464)}, "not the crop of that size"
    camera = PiCamera(settings_of({"camera": {"size": [1920, 1080]}}), library)
    assert camera.size == (1640, 1232), "nobody has measured anything with the size that a new profile names"


def test_a_sensor_that_nobody_knows_is_left_to_picamera2():
    library = Library(moving())
    library.model = "imx999"
    PiCamera(CameraSettings(sized=False), library)
    config = library.cameras[0].config
    assert (config["main"]["size"], config["sensor"]) == ((1920, 1080), {})


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
    with pytest.raises(DeviceError, match=r"in use by another program .*resource busy.*close that one") as told:
        PiCamera(CameraSettings(SIZE), library)
    assert told.value.args[0].code == "pi_camera_busy"
    library.is_busy = False
    with pytest.raises(DeviceError, match=r"cannot be started \(width and height should be even\)"):
        PiCamera(CameraSettings((801, 601)), library)
    assert library.cameras[0].closed


def test_usb_cameras_that_libcamera_lists_are_not_taken():
    library = Library(moving())
    on_a_pc = "\\_SB_.PCI0.XHC_.RHUB.HS08-8:1.0-0c45:6a0c"
    library.ids = [WEBCAM]
    with pytest.raises(DeviceError, match="No Pi camera is found"):
        PiCamera(CameraSettings(SIZE), library)
    for ids in ([WEBCAM, SENSOR, on_a_pc], [WEBCAM, on_a_pc, SENSOR], [SENSOR, WEBCAM]):
        library.ids = ids
        PiCamera(CameraSettings(SIZE), library)
        assert library.cameras[-1].id == SENSOR, "whatever libcamera's own numbers are"
    with pytest.raises(DeviceError, match="No Pi camera is found"):
        PiCamera(CameraSettings(SIZE), library, number=1)


@pytest.mark.parametrize("step", ["camera_controls", "create_video_configuration", "configure", "start"])
def test_whatever_the_library_raises_at_the_start_is_a_fault_and_closes_the_camera(monkeypatch, step):
    library = Library(moving())
    monkeypatch.setattr(fake_picamera2, "Picamera2", broken(step))
    with pytest.raises(DeviceError, match=r"cannot be started \(odd\)") as told:
        PiCamera(CameraSettings(SIZE), library)
    assert isinstance(told.value.__cause__, AttributeError)
    assert library.cameras[0].closed


def test_whatever_the_library_raises_later_is_a_fault(monkeypatch):
    monkeypatch.setattr(fake_picamera2, "Picamera2", broken("set_controls"))
    with pytest.raises(DeviceError, match="does not take its settings"):
        PiCamera(CameraSettings(SIZE), Library(moving())).hold({})
    monkeypatch.setattr(fake_picamera2, "Picamera2", broken("capture_request"))
    camera = PiCamera(CameraSettings(SIZE), Library(moving()))
    with pytest.raises(DeviceError, match="stopped giving"), camera.frame(full=True):
        pass


def test_a_camera_that_cannot_be_closed_ends_nothing(monkeypatch, caplog):
    monkeypatch.setattr(fake_picamera2, "Picamera2", broken("close"))
    ended = []
    monkeypatch.setattr(threading, "excepthook", ended.append)
    PiCamera(CameraSettings(SIZE), Library(moving())).close()
    assert not ended
    assert "AttributeError" in caplog.text


def test_an_exception_that_nobody_knows_is_logged_once_with_its_trace(monkeypatch, caplog, clock):
    monkeypatch.setattr(fake_picamera2, "Picamera2", broken("configure"))
    said = []
    camera = WatchedCamera(lambda: PiCamera(CameraSettings(SIZE), Library(moving())), said.append, clock)
    for _ in range(3):
        with pytest.raises(DeviceError), camera.frame(full=False):
            pass
        clock.go(RETRYING)
    assert [one.state for one in said] == ["off"]
    assert caplog.text.count("AttributeError: odd") == 1


def broken(step):
    """Picamera2 with one thing that fails as nobody would expect."""

    def fails(*_args, **_kwargs):
        raise AttributeError("odd")

    if step == "camera_controls":
        return type("Broken", (fake_picamera2.Picamera2,), {step: property(fails, lambda *_: None)})
    return type("Broken", (fake_picamera2.Picamera2,), {step: fails})


def test_a_picamera2_of_another_numpy(monkeypatch, tmp_path):
    """Bookworm's, which was built for NumPy 1."""
    (tmp_path / "picamera2.py").write_text("raise ValueError('numpy.dtype size changed')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    with pytest.raises(DeviceError, match=r"size changed.*trixie, or a USB camera") as told:
        PiCamera(CameraSettings())
    assert told.value.args[0].code == "picamera2_unfit"


def test_without_picamera2(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(DeviceError, match="apt install python3-picamera2"):
        PiCamera(CameraSettings())
