"""What every camera does: one suite over all of them, and in the bench over real drivers too."""

import os
from pathlib import Path

import cv2
import pytest

from companion.table.ports import DeviceError
from hardware.cameras.camera_settings import CameraSettings
from hardware.cameras.capture import SMALL_WIDTH, RecordedCamera, Stills
from hardware.cameras.phone import PhoneCamera, PhoneLink
from hardware.cameras.pi import PiCamera
from hardware.cameras.simulated import SimulatedCamera
from hardware.cameras.usb import UsbCamera
from hardware.cameras.watched import WatchedCamera

from .fake_picamera2 import Library
from .scenes import SIZE, a_folder, a_video, moving, scene

IN_THE_BENCH = "COMPANION_BENCH" in os.environ


def stills(folder):
    return Stills(a_folder(folder))


def recording(folder):
    return RecordedCamera(a_video(folder / "evening.avi"))


def fake_pi(settings):
    return lambda folder: PiCamera(settings, Library(moving()))


def simulated(folder):
    return SimulatedCamera(moving())


def watched(folder):
    return WatchedCamera(SimulatedCamera(moving()).opened, lambda intent: None)


def phone(folder):
    link = PhoneLink()
    link.take(cv2.imencode(".jpg", scene())[1].tobytes())
    return PhoneCamera(link)


def usb(folder):
    return UsbCamera(int(os.environ.get("COMPANION_USB_CAMERA", "0")), CameraSettings(SIZE, rate=25))


def webcam(folder):
    """A USB camera with the kernel's own driver for them."""
    from tests.bench import usb_port  # noqa: PLC0415 - there in the bench only

    return UsbCamera(usb_port.webcam(), CameraSettings(SIZE, rate=15))


def libcamera(folder):
    """The real Picamera2, on libcamera's virtual camera."""
    from tests.bench import virtual_camera  # noqa: PLC0415 - there in the bench only

    return PiCamera(CameraSettings(virtual_camera.SIZE, rate=15, format="NV12"), virtual_camera)


@pytest.fixture(
    params=[
        pytest.param(stills, id="stills"),
        pytest.param(recording, id="recording"),
        pytest.param(fake_pi(CameraSettings(SIZE)), id="pi"),
        pytest.param(fake_pi(CameraSettings(SIZE, format="NV12")), id="pi-nv12"),
        pytest.param(fake_pi(CameraSettings(SIZE, format="YUV420")), id="pi-yuv420"),
        pytest.param(simulated, id="simulated"),
        pytest.param(watched, id="watched"),
        pytest.param(phone, id="phone"),
        *(pytest.param(one, id=one.__name__) for one in (usb, webcam, libcamera) if IN_THE_BENCH),
    ],
)
def camera(request, tmp_path):
    camera = request.param(tmp_path)
    yield camera
    camera.close()


def test_it_has_a_name(camera):
    with camera.frame(full=False):
        assert camera.name


def test_a_full_picture_is_in_colour(camera):
    with camera.frame(full=True) as frame:
        height, width, colours = frame.image.shape
        assert (width, height, colours) == (*SIZE, 3)
        assert str(frame.image.dtype) == "uint8"


def test_a_small_picture_is_grey(camera):
    with camera.frame(full=False) as frame:
        assert frame.image.shape == (SIZE[1] * SMALL_WIDTH // SIZE[0], SMALL_WIDTH)
        assert str(frame.image.dtype) == "uint8"


def test_it_shows_something(camera):
    for full in (True, False):
        with camera.frame(full=full) as frame:
            assert frame.image.min() + 30 < frame.image.max()


def test_small_and_full_show_the_same(camera, request):
    """The right is lighter than the left in every scene of ours; a driver's test picture is its own."""
    if "[usb]" in request.node.name:
        pytest.skip("the kernel's test picture has no light and dark side")
    for full in (True, False):
        with camera.frame(full=full) as frame:
            assert frame.image[:, -40:].mean() > frame.image[:, :40].mean() + 60


def test_time_goes_on(camera):
    times = []
    for _ in range(5):
        with camera.frame(full=False) as frame:
            times.append(frame.at)
    assert times == sorted(times)


def test_frames_are_given_back(camera):
    for number in range(10):
        with camera.frame(full=number % 3 == 0) as frame:
            assert frame.image.size


def test_a_frame_is_given_back_when_looking_fails(camera):
    for _ in range(5):
        with pytest.raises(ZeroDivisionError), camera.frame(full=True):
            raise ZeroDivisionError
    with camera.frame(full=True) as frame:
        assert frame.image.size


def test_a_frame_that_is_given_back_is_empty(camera):
    with camera.frame(full=True) as frame:
        assert frame.image is not None
    assert frame.image is None


def test_it_can_be_closed_twice(camera):
    with camera.frame(full=False):
        pass
    camera.close()
    camera.close()


@pytest.mark.parametrize(
    "absent",
    [
        lambda folder: Stills(folder / "nothing"),
        Stills,
        lambda folder: RecordedCamera(folder / "nothing.avi"),
        lambda folder: UsbCamera("usb-nothing-video-index0", CameraSettings()),
        lambda folder: PiCamera(CameraSettings(), gone(Library(moving()))),
        lambda folder: PhoneCamera(PhoneLink()),
    ],
)
def test_what_is_not_there_says_what_to_do(absent, tmp_path):
    with pytest.raises(DeviceError, match=r"\.$"):
        absent(tmp_path)


def gone(library):
    library.is_there = False
    return library


def test_the_bench_has_what_the_suite_needs():
    assert not IN_THE_BENCH or Path("/dev/video0").exists()
