"""A phone as the camera: what it sends is shown, what is no picture costs a refusal, and who is away comes back."""

import struct

import cv2
import numpy as np
import pytest

from companion.table.ports import DeviceError
from companion.table.session.intents import DeviceChanged
from hardware.cameras.phone import (
    AWAY,
    GONE,
    LARGEST,
    PHOTO_LASTS,
    READ,
    PhoneCamera,
    PhoneLink,
    PictureError,
    jpeg_size,
)
from hardware.cameras.watched import WatchedCamera

from .conftest import Clock
from .scenes import SIZE, scene


def jpeg(image=None, *how):
    return cv2.imencode(".jpg", scene() if image is None else image, [cv2.IMWRITE_JPEG_QUALITY, 90, *how])[1].tobytes()


def header(width, height, mark=0xC0):
    return b"\xff\xd8\xff" + bytes([mark]) + struct.pack(">HBHH", 17, 8, height, width) + b"\x03" * 12


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def link(clock):
    return PhoneLink(clock)


@pytest.fixture
def sent(link):
    link.take(jpeg())
    return link


def full(camera):
    with camera.frame(full=True) as frame:
        return frame.image


def small(camera):
    with camera.frame(full=False) as frame:
        return frame.image.copy()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xd8\xff",
        b"GIF89a" + b"\0" * 100,
        b"\x89PNG\r\n\x1a\n" + b"\0" * 100,
        b"\xff\xd8" + b"\xff" * 5000,
        b"\xff\xd8\xff\xe0\x00\x00" * 200,
        b"\xff\xd8\xff\xd9" + b"\0" * 20,
        header(65_535, 65_535) + b"\xff\xd9",
        header(0, 0) + b"\xff\xd9",
        header(640, 10) + b"\xff\xd9",
        header(8000, 6000, 0xC2) + b"\xff\xd9",
        header(1920, 1080, 0xC3) + b"\0" * 60 + b"\xff\xd9",
        header(1920, 1080, 0xC2) + b"\xff\xda\x00\x08" * 1000 + b"\xff\xd9",
        header(1920, 1080) + b"\0" * 100,
        header(1920, 1080) + b"\0" * 100 + b"\xff\xd9",
    ],
    ids=[
        "nothing", "a beginning", "a GIF", "a PNG", "marks for ever", "parts without a length", "no picture in it",
        "4 gigapixels", "no dots", "a line", "a large progressive one", "a lossless one", "a thousand scans", "cut off",
        "a header alone",
    ],
)  # fmt: skip
def test_what_is_no_picture_is_refused_and_the_one_before_stays(sent, data):
    before = sent.shot
    with pytest.raises(PictureError):
        sent.take(data)
    assert sent.shot is before


def test_what_is_too_large_is_refused_before_it_is_looked_at():
    with pytest.raises(PictureError):
        jpeg_size(jpeg() + b"\0" * LARGEST)


@pytest.mark.parametrize("how", [(), (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)], ids=["baseline", "progressive"])
def test_pictures_of_phones_are_taken(link, how):
    link.take(jpeg(None, *how))
    assert link.shot.size == SIZE
    assert full(PhoneCamera(link)).shape == (SIZE[1], SIZE[0], 3)


def test_a_photo_s_orientation_counts(link):
    turned = struct.pack(">HHIHH", 0x0112, 3, 1, 6, 0)
    tiff = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01" + turned + b"\0\0\0\0"
    told = b"\xff\xd8\xff\xe1" + struct.pack(">H", len(tiff) + 2) + tiff + jpeg()[2:]
    link.take(told)
    assert link.shot.size == SIZE[::-1]
    assert full(PhoneCamera(link)).shape == (SIZE[0], SIZE[1], 3)


def test_a_large_photo_is_reduced_to_what_was_chosen(link):
    link.take(jpeg(cv2.resize(scene(), (3840, 2160))))
    assert full(PhoneCamera(link, (1280, 720))).shape == (720, 1280, 3)
    assert full(PhoneCamera(link)).shape == (1080, 1920, 3), "nobody has chosen a size"


def test_another_shape_than_before_says_how_to_hold_it(sent):
    with pytest.raises(DeviceError) as told:
        PhoneCamera(sent, (720, 1280))
    assert str(told.value).startswith("The phone's pictures are 1280x720, and those before were 720x1280")


def test_without_a_phone_it_says_what_to_do(link):
    with pytest.raises(DeviceError) as told:
        PhoneCamera(link)
    assert str(told.value) == GONE


def test_a_phone_that_says_nothing_is_gone_and_one_that_does_is_not(sent, clock):
    camera = PhoneCamera(sent)
    clock.now += AWAY - 1
    assert not sent.hear(moving=False)
    clock.now += AWAY - 1
    assert small(camera).size
    clock.now += 2
    with pytest.raises(DeviceError) as told:
        small(camera)
    assert str(told.value) == GONE
    assert sent.hear(moving=False), "it is asked for a picture"


def test_a_phone_that_comes_back_is_the_camera_at_once(link, clock):
    told = []
    watched = WatchedCamera(lambda: PhoneCamera(link, None, clock), told.append, clock)
    link.call(watched.reopen)
    with pytest.raises(DeviceError):
        small(watched)
    link.take(jpeg())
    assert small(watched).size
    clock.now += AWAY
    for _ in range(3):
        with pytest.raises(DeviceError):
            small(watched)
    link.take(jpeg(scene(3)))
    assert small(watched).size
    states = [(one.state, one.hint) for one in told if isinstance(one, DeviceChanged)]
    assert states == [("off", GONE), ("ok", ""), ("off", GONE), ("ok", "")]


def test_while_something_moves_the_small_picture_does(sent):
    camera = PhoneCamera(sent)
    still = small(camera)
    assert np.array_equal(small(camera), still)
    sent.hear(moving=True)
    one, other = small(camera), small(camera)
    assert (one != other).sum() > 0.002 * still.size
    sent.take(jpeg())
    assert np.array_equal(small(camera), still)


def test_a_look_while_something_moves_asks_for_a_fresh_picture(sent):
    sent.hear(moving=True)

    def phone(number, seconds, *, wanted=False):
        assert wanted
        sent.take(jpeg(np.full((720, 1280, 3), 200, np.uint8)), moving=True)

    sent.wait = phone
    assert full(PhoneCamera(sent)).min() > 190
    assert sent.is_moving


def test_a_photo_is_looked_at_for_a_while_and_then_asked_for_anew(link, clock):
    came = []
    link.call(lambda: came.append(1))
    link.take(jpeg(), photo=True)
    camera = PhoneCamera(link)
    assert full(camera).size
    assert link.hear(moving=True), "a page that looks by itself is asked to send"
    clock.now += PHOTO_LASTS
    with pytest.raises(DeviceError) as told:
        small(camera)
    assert str(told.value) == READ
    link.take(jpeg(), photo=True)
    link.take(jpeg(), photo=True)
    assert len(came) == 3


def test_without_the_phone_that_was_dismissed_there_is_no_picture(sent):
    sent.forget()
    with pytest.raises(DeviceError):
        PhoneCamera(sent)
