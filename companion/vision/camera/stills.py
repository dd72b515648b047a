"""Pictures out of files: read to their own end and no further, and not at all where a part is missing or damaged."""

import os
import re
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

import cv2
import numpy as np

from companion.vision.arrays import Array

JPEG_START, JPEG_END = b"\xff\xd8", b"\xff\xd9"
PNG_START, PNG_LAST = b"\x89PNG\r\n\x1a\n", b"IEND"
SCAN, ENDED = 0xDA, 0xD9
ALONE = (0x01, *range(0xD0, 0xD8))  # marks that nothing belongs to
IN_A_SCAN = (0x00, 0xFF, *range(0xD0, 0xD8))  # what may follow 0xFF within what is drawn
DAMAGE = re.compile(rb"Corrupt JPEG data|Premature end of JPEG|libpng error")
PADDED = re.compile(rb"Corrupt JPEG data: (\d+) extraneous bytes before marker 0xd9")


class DamagedError(ValueError):
    """A file that was a picture, and of which a part is missing or wrong."""


def decode(data: bytes) -> Array | None:
    """Read a picture (BGR) whatever lies behind its end, as in a phone's moving photo; None for what is none."""
    if data.startswith(JPEG_START):
        data = data[: _end_of_jpeg(data)]
    elif data.startswith(PNG_START):
        data = data[: _end_of_png(data)]
    with _overheard() as words:
        try:
            pixels = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            pixels = None
    if DAMAGE.search(words) and not _is_padded(bytes(words), data):
        raise DamagedError("the file is damaged")
    return None if pixels is None else np.asarray(pixels)


def _end_of_jpeg(data: bytes) -> int:
    """Go from mark to mark, over the small picture that may lie in one, to the end."""
    at = len(JPEG_START)
    while (at := data.find(b"\xff", at)) >= 0 and at + 1 < len(data):
        mark = data[at + 1]
        if mark == ENDED:
            return at + 2
        if mark in {0x00, 0xFF, *ALONE}:
            at += 1
            continue
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        while mark == SCAN and 0 <= (at := data.find(b"\xff", at)) < len(data) - 1 and data[at + 1] in IN_A_SCAN:
            at += 2 if data[at + 1] != 0xFF else 1  # noqa: PLR2004 - a mark may have any number of these before it
        if at < 0:
            break
    raise DamagedError("the file is truncated")


def _end_of_png(data: bytes) -> int:
    """Go from part to part, each with its sum, to the last."""
    at = len(PNG_START)
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        name = data[at + 4 : at + 8]
        if end > len(data):
            break
        if zlib.crc32(data[at + 4 : end - 4]) != int.from_bytes(data[end - 4 : end], "big"):
            raise DamagedError("the file is damaged")
        if name == PNG_LAST:
            return end
        at = end
    raise DamagedError("the file is truncated")


def _is_padded(words: bytes, data: bytes) -> bool:
    """Whether all that is too much is noughts before the end, which some cameras write."""
    found = PADDED.search(words)
    return found is not None and not any(data[: -len(JPEG_END)][-int(found[1]) :])


@contextmanager
def _overheard() -> Iterator[bytearray]:
    """Take what libjpeg and libpng say past Python onto stderr: it is the only sign of a damage they make up for."""
    words = bytearray()
    sys.stderr.flush()
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield words
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            words += file.read()
