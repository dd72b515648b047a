"""A Pi with a USB webcam and no camera of its own: libcamera lists the webcam, as it does on Raspberry Pi OS.

Run by the bench, with libcamera told to look for USB cameras alone, since its virtual one is no part of a Pi.
"""

import re

import picamera2
import pytest

from companion.app.config import CameraConfig
from companion.app.devices import open_camera
from companion.table.ports import DeviceError
from hardware.cameras import pi
from hardware.cameras.camera_settings import CameraSettings
from hardware.cameras.capture import UnexpectedError
from hardware.cameras.pi import PiCamera
from hardware.cameras.usb import UsbCamera
from hardware.cameras.watched import WatchedCamera
from tests.bench import usb_port


@pytest.fixture(scope="module", autouse=True)
def alone():
    """The kernel's other camera is gone, and the webcam is the first."""
    usb_port.pull()
    usb_port.unbind_vivid()
    usb_port.put()
    yield
    usb_port.pull()
    usb_port.bind_vivid()
    usb_port.put()


def listed():
    return picamera2.Picamera2.global_camera_info()


def test_picamera2_lists_it():
    assert [one["Model"] for one in listed()] == [usb_port.NAME]


def test_picamera2_goes_on_with_nothing_where_two_streams_are_asked_of_it():
    """An AttributeError, which no program expects of a camera."""
    camera = picamera2.Picamera2(0)
    two = camera.create_video_configuration(
        {"size": (1280, 720), "format": "RGB888"}, lores={"size": (640, 360), "format": "YUV420"}, raw=None
    )
    with pytest.raises(AttributeError, match="NoneType"):
        camera.configure(two)
    camera.close()


def test_it_is_no_pi_camera():
    with pytest.raises(DeviceError, match="No Pi camera is found"):
        PiCamera(CameraSettings())


def test_it_is_filmed_as_the_usb_camera_that_it_is():
    camera = open_camera(CameraConfig())
    assert isinstance(camera, UsbCamera)
    for full in (True, False):
        with camera.frame(full=full) as frame:
            assert frame.image[:, -40:].mean() > frame.image[:, :40].mean() + 60
    camera.close()


def test_taken_for_a_pi_camera_it_is_a_camera_that_fails(monkeypatch):
    """As on a system that names its USB cameras in a way that nobody has seen."""
    monkeypatch.setattr(pi, "USB", re.compile(r"(?!)"))
    with pytest.raises(UnexpectedError, match="cannot be started"):
        PiCamera(CameraSettings())
    said = []
    watched = WatchedCamera(lambda: PiCamera(CameraSettings()), said.append)
    with pytest.raises(DeviceError), watched.frame(full=False):
        pass
    assert [one.state for one in said] == ["off"]
