"""Pictures that end too soon, too late or in the middle of themselves."""

import io
import struct
import sys
import zlib

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.vision.camera.picture_files import DamagedError, decode
from companion.vision.look import read_picture

from . import tables

WAYS = {
    "plain": {},
    "progressive": {"progressive": True},
    "restarts": {"restart_marker_blocks": 7},
    "small-within": {"exif": b"Exif\0\0" + cv2.imencode(".jpg", tables.art(1))[1].tobytes()},
    "ends-within": {"comment": b"\xff\xd9" * 40},
}


@pytest.fixture(scope="module")
def table():
    return tables.draw_table({"1:L3": 0, "2:R1": 3})


@pytest.fixture(scope="module", params=WAYS)
def photo(request, table):
    file = io.BytesIO()
    Image.fromarray(table[..., ::-1]).save(file, "jpeg", quality=80, **WAYS[request.param])
    return file.getvalue()


def test_a_whole_photo_is_read_whatever_lies_behind_it(photo):
    whole = cv2.imdecode(np.frombuffer(photo, dtype=np.uint8), cv2.IMREAD_COLOR)
    for behind in (b"", bytes(3000), b"\xff", b"\0\0\0\x18ftypmp42" * 500, photo[:4000]):
        assert np.array_equal(decode(photo + behind), whole)


@pytest.mark.parametrize("share", [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
def test_a_photo_that_was_cut_off_is_none_even_with_an_end_put_to_it(photo, share, capfd):
    part = photo[: int(len(photo) * share)]
    with pytest.raises(DamagedError, match="the file is truncated"):
        decode(part)
    if share > 0.1:
        with pytest.raises(DamagedError, match="the file is damaged"):
            decode(part + b"\xff\xd9")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("times", [0, 2, 3])
def test_a_photo_that_lacks_a_part_or_has_it_twice_is_damaged(table, times, capfd):
    data = cv2.imencode(".jpg", table)[1].tobytes()
    first, last = int(len(data) * 0.4), int(len(data) * 0.7)
    with pytest.raises(DamagedError, match="the file is damaged"):
        decode(data[:first] + data[first:last] * times + data[last:])
    assert capfd.readouterr().err == ""


def test_noughts_before_the_end_are_what_some_cameras_write(table):
    data = cv2.imencode(".jpg", table)[1].tobytes()
    whole = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert np.array_equal(decode(data[:-2] + bytes(60) + data[-2:]), whole)
    with pytest.raises(DamagedError, match="the file is damaged"):
        decode(data[:-2] + bytes(range(1, 61)) + data[-2:])


def part(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def test_a_png_is_read_to_its_own_end(table, capfd):
    data = cv2.imencode(".png", table)[1].tobytes()
    assert np.array_equal(decode(data + bytes(3000)), table)
    for share in (0.01, 0.3, 0.6, 0.999):
        with pytest.raises(DamagedError, match="the file is truncated"):
            decode(data[: int(len(data) * share)])
    wrong = bytearray(data)
    wrong[len(data) // 2] ^= 0x10
    with pytest.raises(DamagedError, match="the file is damaged"):
        decode(bytes(wrong))
    body = data.find(b"IDAT")
    length = struct.unpack(">I", data[body - 4 : body])[0]
    half = data[: body - 4] + part(b"IDAT", data[body + 4 : body + 4 + length // 2]) + part(b"IEND", b"")
    with pytest.raises(DamagedError, match="the file is damaged"):
        decode(half)
    assert capfd.readouterr().err == ""


def test_what_else_is_said_on_stderr_is_not_swallowed(table, capfd):
    decode(cv2.imencode(".jpg", table)[1].tobytes())
    sys.stderr.write("here still\n")
    assert capfd.readouterr().err == "here still\n"


@pytest.mark.parametrize("suffix", [".webp", ".bmp", ".tiff"])
def test_other_kinds_are_read_whole_or_not_at_all(suffix, table, tmp_path, capfd):
    data = cv2.imencode(suffix, table)[1].tobytes()
    path = tmp_path / f"a{suffix}"
    path.write_bytes(data)
    assert read_picture(path).pixels.shape == table.shape
    for share in (0.2, 0.6, 0.98):
        path.write_bytes(data[: int(len(data) * share)])
        assert read_picture(path).fault == "not a picture that can be read"
    assert capfd.readouterr().err == ""
