"""A USB webcam as Linux and libcamera know it, with its plug in hand. Run by the bench."""

from pathlib import Path

import pytest

from companion.table.ports import DeviceError
from hardware.cameras.camera_settings import CameraSettings
from hardware.cameras.usb import UsbCamera
from hardware.cameras.v4l2 import usb_devices, why_not
from hardware.cameras.watched import WatchedCamera
from tests.bench import usb_port
from tests.hardware.conftest import Clock
from tests.hardware.scenes import SIZE


def opened(**settings):
    return UsbCamera(usb_port.webcam(), CameraSettings(SIZE, rate=15, **settings))


def test_what_is_locked_is_held():
    camera = opened(exposure_us=10_000, gain=100)
    assert camera.values() == {"exposure_us": 10_000, "gain": 100}
    with camera.frame(full=True) as frame:
        assert frame.image.shape == (SIZE[1], SIZE[0], 3)
    camera.hold({"exposure_us": 20_000, "gain": 50})
    assert camera.values() == {"exposure_us": 20_000, "gain": 50}
    camera.close()


def test_pictures_move():
    camera = opened()
    seen = set()
    for _ in range(20):
        with camera.frame(full=False) as frame:
            seen.add(frame.image.tobytes())
    assert len(seen) > 1
    camera.close()


def test_it_is_listed_by_name_with_the_sizes_that_it_has():
    (found,) = usb_devices()
    assert (found.name, found.node) == (usb_port.NAME, Path(f"/dev/video{usb_port.webcam()}"))
    assert found.sizes == ((1280, 720), (640, 360))


def test_it_is_opened_by_its_stable_name():
    camera = UsbCamera(usb_devices()[0].id, CameraSettings(SIZE, rate=15))
    assert camera.size == SIZE
    with camera.frame(full=False) as frame:
        assert frame.image.shape == (360, 640)
    camera.close()


def test_what_another_program_has_is_busy():
    node = usb_devices()[0].node
    assert why_not(node) == ""
    camera = opened()
    with camera.frame(full=False):
        pass
    assert why_not(node) == "busy"
    with pytest.raises(DeviceError, match="in use by another program"), opened().frame(full=False):
        pass
    with camera.frame(full=True) as frame:
        assert frame.image.shape == (SIZE[1], SIZE[0], 3), "and the first one goes on"
    camera.close()
    assert why_not(node) == ""


def test_a_plug_that_is_pulled_and_put_back():
    clock, said = Clock(), []
    camera = WatchedCamera(opened, said.append, clock)
    with camera.frame(full=True):
        pass
    number = usb_port.webcam()
    usb_port.pull()
    for _ in range(3):
        clock.go(6)
        with pytest.raises((DeviceError, ValueError)), camera.frame(full=False):
            pass
    usb_port.put()
    assert usb_port.webcam() == number
    clock.go(6)
    with camera.frame(full=False):
        pass
    camera.close()
    assert (said[0].state, said[-1].state) == ("ok", "ok")
    assert {one.state for one in said[1:-1]} == {"off"}
