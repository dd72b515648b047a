"""Videos of which the end is missing: the whole frames, then a line, and never a frame made of two."""

import struct

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.vision.camera.picture_files import is_cut
from companion.vision.look import look, pictures

SIZE = (320, 240)
COUNT = 5
KINDS = [
    ("avi", "MJPG"),
    ("avi", "XVID"),
    ("mp4", "mp4v"),
    ("mov", "MJPG"),
    ("mkv", "MJPG"),
    ("mkv", "VP80"),
    ("webm", "VP80"),
    ("mjpeg", ""),
    ("mp4", "fast"),
]


def scenes():
    chance = np.random.default_rng(5)
    for _ in range(COUNT):
        rough = chance.integers(0, 255, (24, 32, 3), dtype=np.uint8)
        yield cv2.resize(rough, SIZE, interpolation=cv2.INTER_CUBIC)


def moved_ahead(data):
    """An MP4 as messengers send it: what tells of its frames comes first."""
    boxes, at = {}, 0
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at : at + 8])
        boxes[name] = data[at : at + length]
        at += length
    moov = bytearray(boxes.pop(b"moov"))
    at = moov.find(b"stco") + 8
    for number in range(struct.unpack(">I", moov[at : at + 4])[0]):
        here = slice(at + 4 + 4 * number, at + 8 + 4 * number)
        moov[here] = struct.pack(">I", struct.unpack(">I", moov[here])[0] + len(moov))
    return boxes.pop(b"ftyp") + bytes(moov) + b"".join(boxes.values())


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: ".".join(filter(None, kind)))
def film(request, tmp_path_factory):
    suffix, codec = request.param
    path = tmp_path_factory.mktemp("film") / f"film.{suffix}"
    if not codec:
        path.write_bytes(b"".join(cv2.imencode(".jpg", scene)[1].tobytes() for scene in scenes()))
        return path
    letters = "mp4v" if codec == "fast" else codec
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*letters), 5, SIZE)
    for scene in scenes():
        writer.write(scene)
    writer.release()
    if codec == "fast":
        path.write_bytes(moved_ahead(path.read_bytes()))
    return path


def test_a_whole_video_has_all_its_frames(film):
    seen = list(pictures([film]))
    assert [picture.name for picture in seen] == [f"{film.name}#{number:05d}" for number in range(1, COUNT + 1)]
    assert all(picture.pixels is not None for picture in seen)


@pytest.mark.parametrize("share", [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.96])
def test_a_truncated_video_gives_its_whole_frames_and_says_so(film, tmp_path, share):
    data = film.read_bytes()
    cut = tmp_path / film.name
    cut.write_bytes(data[: int(len(data) * share)])
    *seen, last = pictures([cut])
    assert (last.pixels, last.fault) == (None, "the file is truncated")
    assert len(seen) < COUNT
    for picture, whole in zip(seen, pictures([film]), strict=False):
        assert np.array_equal(picture.pixels, whole.pixels)
    if share > 0.9 and film.suffix in {".avi", ".mkv", ".mjpeg"}:
        assert len(seen) >= COUNT - 2


def test_what_lies_behind_a_video_is_no_cut(film, tmp_path):
    longer = tmp_path / film.name
    longer.write_bytes(film.read_bytes() + (b"" if film.suffix == ".mjpeg" else bytes(100)))
    assert all(picture.pixels is not None for picture in pictures([longer]))


def test_a_recorder_that_was_killed_has_written_no_length(tmp_path):
    path = tmp_path / "killed.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 5, SIZE)
    for scene in scenes():
        writer.write(scene)
    writer.release()
    data = bytearray(path.read_bytes())
    movi = data.find(b"movi")
    index = movi + struct.unpack("<I", data[movi - 4 : movi])[0]
    data[4:8] = data[movi - 4 : movi] = bytes(4)
    path.write_bytes(data[:index])
    assert not is_cut(path)
    path.write_bytes(data[: index - 100])
    assert is_cut(path)
    assert len([picture for picture in pictures([path]) if picture.pixels is not None]) == COUNT - 1


def test_the_command_reads_the_whole_frames_and_fails(tmp_path, profile_file):
    path = tmp_path / "round.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 5, SIZE)
    for scene in scenes():
        writer.write(scene)
    writer.release()
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    done = CliRunner().invoke(look, [str(path), "--profile", str(profile_file), "--json"])
    assert done.exit_code == 1
    assert done.stderr == "round.avi: the file is truncated\n"
    assert len(done.stdout.splitlines()) in {1, 2}
