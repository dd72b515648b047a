"""A USB camera behind V4L2: which one is meant, what is decoded of it, and what is said where it gives nothing."""

import errno
import struct
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.table.ports import DeviceError
from hardware.cameras import usb, v4l2
from hardware.cameras.camera_settings import CameraSettings, mains_here
from hardware.cameras.usb import UsbCamera, first_of
from hardware.cameras.v4l2 import UsbDevice, usb_devices, why_not

from .scenes import SIZE, scene

C920 = UsbDevice("usb-046d_HD_Pro_Webcam_C920-video-index0", "HD Pro Webcam C920", Path("/dev/video8"), ((1920, 1080),))
OTHER = UsbDevice("usb-1d6b_Bench-video-index0", "Bench", Path("/dev/video2"))


class Capture:
    """A stand-in for cv2.VideoCapture on a device that gives JPEGs, as nearly all do."""

    def __init__(self):
        self.is_open = self.gives = self.has_jpegs = True
        self.set_to = {}
        self.fps = 10.0
        self.grabbed = self.torn = 0
        self.released = False
        self.image = scene()
        self.told = None
        """The size that it says it gives, where that is another than it does."""

    def isOpened(self):
        return self.is_open

    def get(self, name):
        answers = {
            cv2.CAP_PROP_FPS: self.fps,
            cv2.CAP_PROP_FOURCC: cv2.VideoWriter_fourcc(*("MJPG" if self.has_jpegs else "YUYV")),
            cv2.CAP_PROP_FRAME_WIDTH: self.told[0] if self.told else self.image.shape[1],
            cv2.CAP_PROP_FRAME_HEIGHT: self.told[1] if self.told else self.image.shape[0],
        }
        return float(answers.get(name, 0.0))

    def set(self, name, value):
        self.set_to[name] = value

    def grab(self):
        self.grabbed += 1

    def read(self):
        if not self.gives:
            return False, None
        if self.set_to.get(cv2.CAP_PROP_CONVERT_RGB) != 0:
            return True, self.image
        data = cv2.imencode(".jpg", self.image)[1].reshape(1, -1)
        if self.torn:
            self.torn -= 1
            data = np.zeros((1, 4000), np.uint8)
        return True, data

    def release(self):
        self.released = True


@pytest.fixture(autouse=True)
def nothing_seen(monkeypatch):
    monkeypatch.setattr(usb, "SEEN", {})


@pytest.fixture
def device(monkeypatch):
    device = Capture()
    device.opened = []
    monkeypatch.setattr(cv2, "VideoCapture", lambda number, backend: device.opened.append(number) or device)
    monkeypatch.setattr(usb.Path, "exists", lambda path: True)
    monkeypatch.setattr(usb, "why_not", lambda path: "")
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


def test_what_comes_faster_than_was_asked_is_dropped_before_it_is_decoded(device, clock):
    device.fps = 30
    camera = UsbCamera(0, CameraSettings(SIZE, rate=10), clock)
    for full, grabbed in ((False, 2), (False, 4), (True, 4), (False, 6)):
        with camera.frame(full=full):
            assert device.grabbed == grabbed
    clock.go(0.08)
    with camera.frame(full=False):
        assert device.grabbed == 6, "the next one is due by itself"


def test_a_small_picture_is_decoded_small(device, monkeypatch):
    device.image = cv2.resize(scene(), (1920, 1080))
    asked, decode = [], cv2.imdecode
    monkeypatch.setattr(cv2, "imdecode", lambda data, how: asked.append(how) or decode(data, how))
    camera = UsbCamera(0, CameraSettings((1920, 1080)))
    with camera.frame(full=False) as frame:
        assert frame.image.shape == (360, 640)
    with camera.frame(full=True) as frame:
        assert frame.image.shape == (1080, 1920, 3)
    assert asked == [cv2.IMREAD_REDUCED_GRAYSCALE_2, cv2.IMREAD_COLOR]


@pytest.mark.parametrize("fps", [float("inf"), float("nan"), -1.0, 0.0])
def test_a_camera_that_tells_no_rate_gives_pictures(device, fps):
    device.fps = fps
    camera = UsbCamera(0, CameraSettings(size=SIZE, rate=10.0))
    with camera.frame(full=False) as picture:
        assert picture.image.ndim == 2


def test_a_camera_that_gives_another_size_than_it_tells_says_so(device):
    height, width = device.image.shape[:2]
    device.told = (width, height)
    camera = UsbCamera(0, CameraSettings(size=(width, height)))
    assert camera.note == ""
    device.image = device.image[: height // 2, : width // 2]
    with camera.frame(full=True):
        assert camera.size == (width // 2, height // 2)
    assert camera.note.fields == {"given": f"{width // 2}x{height // 2}", "wanted": f"{width}x{height}"}
    assert UsbCamera(0, CameraSettings(size=(99, 99), sized=False)).note == "", "nobody has chosen a size"


def test_a_camera_without_jpegs_is_decoded_by_opencv(device):
    device.has_jpegs = False
    camera = UsbCamera(0, CameraSettings(SIZE))
    with camera.frame(full=True) as frame:
        assert (frame.image == scene()).all()
    with camera.frame(full=False) as frame:
        assert frame.image.shape == (360, 640)


def test_a_torn_picture_is_passed_over(device):
    camera = UsbCamera(0, CameraSettings(SIZE))
    device.torn = 2
    with camera.frame(full=True) as frame:
        assert frame.image.shape == (SIZE[1], SIZE[0], 3)
    device.torn = 9
    with pytest.raises(DeviceError, match="gives no picture"), camera.frame(full=True):
        pass


def test_a_usb_camera_that_goes(device):
    camera = UsbCamera(0, CameraSettings(SIZE))
    device.gives = False
    with pytest.raises(DeviceError, match="check its plug"), camera.frame(full=True):
        pass
    assert device.released


@pytest.mark.parametrize(
    ("why", "code", "said"),
    [
        ("busy", "usb_camera_busy", "in use by another program"),
        ("denied", "usb_camera_denied", "group video"),
        ("absent", "usb_camera_absent", "plug it in"),
        ("", "usb_camera_refuses", "unplug it and plug it in again"),
    ],
)
def test_why_a_camera_cannot_be_opened_is_told(device, monkeypatch, why, code, said):
    device.is_open = False
    monkeypatch.setattr(usb, "why_not", lambda path: why)
    with pytest.raises(DeviceError, match=said) as told:
        UsbCamera(0, CameraSettings())
    assert told.value.args[0].code == code


def test_a_camera_that_another_program_has_is_not_touched(device, monkeypatch):
    monkeypatch.setattr(usb, "why_not", lambda path: "busy")
    with pytest.raises(DeviceError, match="in use by another program"):
        UsbCamera(0, CameraSettings())
    assert device.opened == []


def test_a_camera_that_another_program_has_taken_is_busy_and_not_loose(device, monkeypatch):
    camera = UsbCamera(0, CameraSettings(SIZE))
    device.gives = False
    monkeypatch.setattr(usb, "why_not", lambda path: "busy" if device.released else "by ourselves")
    with pytest.raises(DeviceError, match="in use by another program"), camera.frame(full=False):
        pass


def test_a_usb_camera_that_cannot_be_opened_fills_no_log(monkeypatch, capfd):
    monkeypatch.setattr(usb.Path, "exists", lambda _: True)
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_WARNING)
    with pytest.raises(DeviceError, match=r"\."):
        UsbCamera(63, CameraSettings())
    assert capfd.readouterr().err == ""


# --- which one --------------------------------------------------------------------------------------------------------


def test_a_camera_is_found_again_by_its_name_at_another_number(device, monkeypatch):
    monkeypatch.setattr(usb, "usb_devices", lambda: [OTHER, C920])
    UsbCamera(C920.id, CameraSettings(SIZE))
    assert device.opened == [8]
    monkeypatch.setattr(usb, "usb_devices", lambda: [OTHER])
    with pytest.raises(DeviceError, match=r"C920.* is not plugged in"):
        UsbCamera(C920.id, CameraSettings(SIZE))


def test_a_number_that_is_gone_means_the_only_camera_there_is(device, monkeypatch):
    monkeypatch.setattr(usb.Path, "exists", lambda path: False)
    monkeypatch.setattr(usb, "usb_devices", lambda: [OTHER, C920])
    with pytest.raises(DeviceError, match="no camera at /dev/video0"):
        UsbCamera(0, CameraSettings(SIZE))
    monkeypatch.setattr(usb, "usb_devices", lambda: [C920])
    UsbCamera(0, CameraSettings(SIZE))
    assert device.opened == [8]


def test_a_camera_that_went_is_not_replaced_by_another_one(device, monkeypatch):
    monkeypatch.setattr(usb, "usb_devices", lambda: [OTHER, C920])
    UsbCamera(8, CameraSettings(SIZE))
    monkeypatch.setattr(usb.Path, "exists", lambda path: path.name != "video8")
    monkeypatch.setattr(usb, "usb_devices", lambda: [OTHER])
    with pytest.raises(DeviceError, match="no camera at /dev/video8"):
        UsbCamera(8, CameraSettings(SIZE))
    monkeypatch.setattr(usb, "usb_devices", lambda: [OTHER, replace(C920, node=Path("/dev/video4"))])
    UsbCamera(8, CameraSettings(SIZE))
    assert device.opened == [8, 4], "it came back at another number"
    monkeypatch.setattr(usb, "usb_devices", lambda: [replace(OTHER, node=Path("/dev/video8")), C920])
    UsbCamera(8, CameraSettings(SIZE))
    assert device.opened == [8, 4, 8]


def test_a_node_that_is_no_usb_camera_is_not_replaced_by_one(device, monkeypatch):
    monkeypatch.setattr(usb, "usb_devices", lambda: [C920])
    UsbCamera(0, CameraSettings(SIZE))
    monkeypatch.setattr(usb.Path, "exists", lambda path: path.name != "video0")
    with pytest.raises(DeviceError, match="no camera at /dev/video0"):
        UsbCamera(0, CameraSettings(SIZE))


def test_where_none_is_named_no_other_node_of_a_pi_is_taken(monkeypatch):
    monkeypatch.setattr(usb, "usb_devices", lambda: [OTHER, C920])
    assert [first_of(0), first_of(8)] == [OTHER.id, 8]
    monkeypatch.setattr(usb, "usb_devices", list)
    assert first_of(0) == 0


def a_kernel(folder, monkeypatch):
    """A Pi's nodes: a sensor's, a webcam's pictures and metadata, and what a name leads to."""
    sysfs, dev = folder / "sys", folder / "dev"
    places = {0: "platform/fe801000.csi", 1: "pci0/usb1/1-1/1-1:1.0", 2: "pci0/usb1/1-1/1-1:1.0", 10: "platform/codec"}
    (dev / "v4l/by-id").mkdir(parents=True)
    for number, place in places.items():
        (folder / "devices" / place).mkdir(parents=True, exist_ok=True)
        node = sysfs / f"video{number}"
        node.mkdir(parents=True)
        (node / "device").symlink_to(folder / "devices" / place)
        (node / "name").write_text("HD Pro Webcam C920\n")
        (dev / f"video{number}").touch()
    for index in range(2):
        (dev / f"v4l/by-id/usb-046d_C920-video-index{index}").symlink_to(dev / f"video{1 + index}")
    asked = {}

    def ioctl(fd, request, buffer):
        number = int(Path(f"/proc/self/fd/{fd}").readlink().name.removeprefix("video"))
        return asked[number](request, buffer)

    def pictures(request, buffer):
        first = struct.unpack_from("<I", buffer)[0]
        if request == v4l2.QUERYCAP:
            struct.pack_into("<I", buffer, 88, 0x04200001)
        elif request == v4l2.ENUM_FMT and first == 0:
            buffer[44:48] = b"MJPG"
        elif request == v4l2.ENUM_FRAMESIZES and first < 2:
            struct.pack_into("<III", buffer, 8, 1, *((1280, 720), (1920, 1080))[first])
        else:
            raise OSError(errno.EINVAL, "at the end")

    def metadata(request, buffer):
        struct.pack_into("<I", buffer, 88, 0x04A00000)

    asked |= {1: pictures, 2: metadata}
    monkeypatch.setattr(v4l2.fcntl, "ioctl", ioctl)
    return sysfs, dev, asked


def test_cameras_are_listed_by_name_with_their_sizes(tmp_path, monkeypatch):
    sysfs, dev, _ = a_kernel(tmp_path, monkeypatch)
    assert usb_devices(sysfs, dev) == [
        UsbDevice("usb-046d_C920-video-index0", "HD Pro Webcam C920", dev / "video1", ((1920, 1080), (1280, 720)))
    ]
    assert usb_devices(tmp_path / "nothing", dev) == []


def test_a_camera_that_never_comes_to_the_end_of_its_modes_is_listed(tmp_path, monkeypatch):
    sysfs, dev, asked = a_kernel(tmp_path, monkeypatch)

    def endless(request, buffer):
        if request == v4l2.QUERYCAP:
            struct.pack_into("<I", buffer, 88, 1)
        elif request == v4l2.ENUM_FRAMESIZES:
            struct.pack_into("<III", buffer, 8, 1, 640, 480)

    asked[1] = endless
    assert usb_devices(sysfs, dev)[0].sizes == ((640, 480),)


def test_sizes_that_no_sensor_has_are_not_offered(tmp_path, monkeypatch):
    sysfs, dev, asked = a_kernel(tmp_path, monkeypatch)
    told = ((1920, 0), (0, 0), (4_000_000_000, 2_000_000_000), (1280, 720))

    def lies(request, buffer):
        first = struct.unpack_from("<I", buffer)[0]
        if request == v4l2.QUERYCAP:
            struct.pack_into("<I", buffer, 88, 1)
        elif request == v4l2.ENUM_FRAMESIZES and first < len(told):
            struct.pack_into("<III", buffer, 8, 1, *told[first])
        elif first:
            raise OSError(errno.EINVAL, "at the end")

    asked[1] = lies
    assert usb_devices(sysfs, dev)[0].sizes == ((1280, 720),)


@pytest.mark.parametrize(("number", "why"), [(errno.EBUSY, "busy"), (errno.ENODEV, "absent"), (errno.EIO, "")])
def test_the_kernel_tells_why_a_camera_gives_nothing(tmp_path, monkeypatch, number, why):
    _, dev, asked = a_kernel(tmp_path, monkeypatch)

    def refuses(request, buffer):
        raise OSError(number, "no")

    asked[1] = refuses
    assert why_not(dev / "video1") == why
    assert why_not(dev / "video9") == "absent"
    asked[1] = lambda request, buffer: None
    assert why_not(dev / "video1") == ""


def test_a_camera_is_told_how_lamps_flicker_here(tmp_path, monkeypatch):
    _, dev, asked = a_kernel(tmp_path, monkeypatch)
    told = []
    asked[1] = lambda request, buffer: told.append((request, struct.unpack("<Ii", buffer)))
    v4l2.know_mains(dev / "video1", 50)
    v4l2.know_mains(dev / "video1", 60)
    assert told == [(v4l2.S_CTRL, (0x00980918, 1)), (v4l2.S_CTRL, (0x00980918, 2))]


@pytest.mark.parametrize(
    ("zone", "hertz"),
    [("Europe/Berlin", 50), ("America/New_York", 60), ("America/Argentina/Salta", 50), ("Asia/Seoul", 60), ("UTC", 50)],
)
def test_the_mains_are_known_by_the_time_zone(tmp_path, zone, hertz):
    (tmp_path / "localtime").symlink_to(Path("/usr/share/zoneinfo") / zone)
    assert mains_here(tmp_path / "localtime") == hertz
    assert mains_here(tmp_path / "nothing") == 50
