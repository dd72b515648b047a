"""Frames of a video, whole ones only; and whether its file ends before it should."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.camera.stills import JPEG_END, JPEG_START

QUIET = {"OPENCV_FFMPEG_LOGLEVEL": "-8", "OPENCV_FFMPEG_CAPTURE_OPTIONS": "fflags;discardcorrupt"}
"""FFmpeg makes up what is missing of a frame from the one before it, unless it is told to leave that frame out."""
FFMPEG = cv2.CAP_FFMPEG
EBML_START = b"\x1a\x45\xdf\xa3"
BOXES = {b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot"}
LISTS, NO_LENGTH = {b"RIFF", b"LIST"}, {0, 0xFFFFFFFF}  # a recorder that was killed has written no length
LONGEST_HEAD = 16

Part = tuple[int, int | None]
"""Where what is inside a part of a file begins, and where the part ends, if it says so; both from its own beginning."""


def frames(path: Path) -> Iterator[Array] | None:
    """Give every whole frame of a video; None where it is none that can be read."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    film = cv2.VideoCapture(str(path), FFMPEG if cv2.videoio_registry.hasBackend(FFMPEG) else cv2.CAP_ANY)
    if not film.isOpened():
        film.release()
        return None
    return _frames(film, but_the_last=is_bare(path) and is_cut(path))


def _frames(film: cv2.VideoCapture, *, but_the_last: bool) -> Iterator[Array]:
    """Give each frame when the next is there; at the end the last one, unless only a part of it may be."""
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
    """Whether a video is nothing but one JPEG behind the other."""
    with path.open("rb") as file:
        return file.read(2) == JPEG_START


def is_cut(path: Path) -> bool:
    """Whether the file of a video ends in the middle of one of its parts."""
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
    """Say how the parts of a file are told by its first bytes."""
    if head.startswith(b"RIFF"):
        return _chunk
    if head.startswith(EBML_START):
        return _element
    return _box if head[4:8] in BOXES else None


def _chunk(head: bytes) -> Part | None:
    """Read the head of a part of an AVI."""
    if len(head) < 8:  # noqa: PLR2004 - a name and a length
        return None
    length = int.from_bytes(head[4:8], "little")
    if head[:4] in LISTS and length in NO_LENGTH:
        return 12, None
    return 8, 8 + length + length % 2


def _box(head: bytes) -> Part | None:
    """Read the head of a part of an MP4 or a MOV; no length is up to the end, one is that a longer one follows."""
    if len(head) < 8:  # noqa: PLR2004 - a length and a name
        return None
    length = int.from_bytes(head[:4], "big")
    if length == 0:
        return None
    return 8, int.from_bytes(head[8:16], "big") if length == 1 else length


def _element(head: bytes) -> Part | None:
    """Read the head of a part of a Matroska or WebM: numbers whose first bit set says how long they are."""
    name = _width(head, 0)
    width = _width(head, name)
    if not name or not width or len(head) < name + width:
        return None
    length = int.from_bytes(head[name : name + width], "big") - (1 << 7 * width)
    inside = name + width
    return inside, None if length == (1 << 7 * width) - 1 else inside + length


def _width(head: bytes, at: int) -> int:
    """Say how many bytes a number has by its first; 0 where it is none."""
    return 9 - head[at].bit_length() if at < len(head) and head[at] else 0
