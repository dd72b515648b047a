"""Cameras that OpenCV reads: USB cameras, recordings and stills."""

import re

import cv2
import pytest

from companion.table.ports import DeviceError
from hardware.cameras import capture
from hardware.cameras.camera_settings import CameraSettings
from hardware.cameras.capture import RecordedCamera, Stills, UsbCamera

from .scenes import SIZE, a_folder, a_video, scene


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
    camera = RecordedCamera(a_video(tmp_path / "evening.avi", 3))
    for _ in range(3):
        with camera.frame(full=False):
            pass
    with pytest.raises(DeviceError, match="is over"), camera.frame(full=False):
        pass


def test_a_recording_that_was_cut_off_gives_no_picture_made_of_two(tmp_path):
    path = a_video(tmp_path / "evening.avi", 3)
    with RecordedCamera(path).frame(full=True) as first:
        whole = first.image.copy()
    data = path.read_bytes()
    _, second, third, *_ = [found.start() for found in re.finditer(b"00dc", data) if found.start() > data.find(b"movi")]
    path.write_bytes(data[: (second + third) // 2])
    camera = RecordedCamera(path)
    with camera.frame(full=True) as seen:
        assert (seen.image == whole).all()
    with pytest.raises(DeviceError, match="is over"), camera.frame(full=True):
        pass


def test_a_recording_that_is_none(tmp_path):
    (tmp_path / "evening.avi").write_text("once upon a time")
    with pytest.raises(DeviceError, match="cannot be played"):
        RecordedCamera(tmp_path / "evening.avi")


def test_stills_come_by_name_and_the_last_one_stays(tmp_path):
    camera = Stills(a_folder(tmp_path, 3))
    for number in (0, 1, 2, 2, 2):
        with camera.frame(full=True) as frame:
            assert (frame.image == scene(number)).all()


def test_a_still_that_is_none(tmp_path):
    (tmp_path / "one.png").write_text("once upon a time")
    with pytest.raises(DeviceError, match=r"one\.png cannot be read"), Stills(tmp_path).frame(full=True):
        pass
