"""Decode picture and video files: whole frames only, and an error where a part is missing or damaged."""

from __future__ import annotations

import os
import re
import sys
import tempfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from companion.vision.arrays import Array

JPEG_START, JPEG_END = b"\xff\xd8", b"\xff\xd9"
PNG_START, PNG_LAST = b"\x89PNG\r\n\x1a\n", b"IEND"
SCAN, ENDED = 0xDA, 0xD9
ALONE = (0x01, *range(0xD0, 0xD8))  # marks that nothing belongs to
IN_A_SCAN = (0x00, 0xFF, *range(0xD0, 0xD8))  # what may follow 0xFF within what is drawn
DAMAGE = re.compile(rb"Corrupt JPEG data|Premature end of JPEG|libpng error")
PADDED = re.compile(rb"Corrupt JPEG data: (\d+) extraneous bytes before marker 0xd9")


class DamagedError(ValueError):
    """A picture file of which a part is missing or wrong."""


def decode(data: bytes) -> Array | None:
    """Decode a picture (BGR), without what follows its end as in a phone's moving photo; None if it is no picture."""
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
    """Return the end of a JPEG: step from marker to marker, over a thumbnail that may be inside one."""
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
    """Return the end of a PNG: step from chunk to chunk, each with its checksum, to the last."""
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
    """Return whether all superfluous bytes are zeros before the end, which some cameras write."""
    found = PADDED.search(words)
    return found is not None and not any(data[: -len(JPEG_END)][-int(found[1]) :])


@contextmanager
def _overheard() -> Iterator[bytearray]:
    """Capture what libjpeg and libpng write to stderr behind Python's back: the only sign of damage they paper over."""
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


QUIET = {"OPENCV_FFMPEG_LOGLEVEL": "-8", "OPENCV_FFMPEG_CAPTURE_OPTIONS": "fflags;discardcorrupt"}
"""FFmpeg fills what is missing of a frame from the one before it, unless it is told to drop that frame."""
FFMPEG = cv2.CAP_FFMPEG
EBML_START = b"\x1a\x45\xdf\xa3"
BOXES = {b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot"}
LISTS, NO_LENGTH = {b"RIFF", b"LIST"}, {0, 0xFFFFFFFF}  # a recorder that was killed has written no length
LONGEST_HEAD = 16

Part = tuple[int, int | None]
"""Where the content of a part of a file begins, and where the part ends if it says so; both from its own beginning."""


def frames(path: Path) -> Iterator[Array] | None:
    """Yield every whole frame of a video; None where a frame cannot be decoded."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    film = cv2.VideoCapture(str(path), FFMPEG if cv2.videoio_registry.hasBackend(FFMPEG) else cv2.CAP_ANY)
    if not film.isOpened():
        film.release()
        return None
    return _frames(film, but_the_last=is_bare(path) and is_cut(path))


def _frames(film: cv2.VideoCapture, *, but_the_last: bool) -> Iterator[Array]:
    """Yield each frame when the next one is there; at the end the last one, unless only a part of it may be there."""
    before: Array | None = None
    try:
        while True:
            there, pixels = film.read()
            if not there:
                break
            if before is not None:
                yield before
            before = np.asarray(pixels)
        if before is not None and not but_the_last:
            yield before
    finally:
        film.release()


def is_bare(path: Path) -> bool:
    """Return whether a video is nothing but JPEGs one after the other."""
    with path.open("rb") as file:
        return file.read(2) == JPEG_START


def is_cut(path: Path) -> bool:
    """Return whether the file of a video ends in the middle of one of its parts."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(LONGEST_HEAD)
        if head.startswith(JPEG_START):
            file.seek(max(0, size - len(JPEG_END)))
            return file.read() != JPEG_END
        part = _kind_of(head)
        at = 0
        while part is not None and at < size:
            file.seek(at)
            found = part(file.read(LONGEST_HEAD))
            if found is None:
                return False
            inside, end = found
            if at + (inside if end is None else end) > size:
                return True
            at += inside if end is None else end
    return False


def _kind_of(head: bytes) -> Callable[[bytes], Part | None] | None:
    """Return how this kind of file marks its parts, by its first bytes."""
    if head.startswith(b"RIFF"):
        return _chunk
    if head.startswith(EBML_START):
        return _element
    return _box if head[4:8] in BOXES else None


def _chunk(head: bytes) -> Part | None:
    """Parse the header of a part of an AVI."""
    if len(head) < 8:  # noqa: PLR2004 - a name and a length
        return None
    length = int.from_bytes(head[4:8], "little")
    if head[:4] in LISTS and length in NO_LENGTH:
        return 12, None
    return 8, 8 + length + length % 2


def _box(head: bytes) -> Part | None:
    """Parse the header of a box of an MP4 or MOV; length 0 means up to the end, 1 that a longer number follows."""
    if len(head) < 8:  # noqa: PLR2004 - a length and a name
        return None
    length = int.from_bytes(head[:4], "big")
    if length == 0:
        return None
    return 8, int.from_bytes(head[8:16], "big") if length == 1 else length


def _element(head: bytes) -> Part | None:
    """Parse the header of an element of a Matroska or WebM: the first set bit of a number gives its length."""
    name = _width(head, 0)
    width = _width(head, name)
    if not name or not width or len(head) < name + width:
        return None
    length = int.from_bytes(head[name : name + width], "big") - (1 << 7 * width)
    inside = name + width
    return inside, None if length == (1 << 7 * width) - 1 else inside + length


def _width(head: bytes, at: int) -> int:
    """Return how many bytes a number has by its first byte; 0 where it is none."""
    return 9 - head[at].bit_length() if at < len(head) and head[at] else 0
