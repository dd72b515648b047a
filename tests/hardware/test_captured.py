"""Recordings and stills, which OpenCV reads."""

import re

import pytest

from companion.table.ports import DeviceError
from hardware.cameras.capture import RecordedCamera, Stills

from .scenes import a_folder, a_video, scene


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
