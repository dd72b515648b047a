"""Where pictures come from: files, folders, videos; each with its name, or one clear line why not."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from companion.vision.arrays import Array
from companion.vision.camera.films import frames, is_cut
from companion.vision.camera.stills import DamagedError, decode

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")
VIDEOS = (".avi", ".mp4", ".mkv", ".mov", ".webm", ".mjpg", ".mjpeg", ".m4v")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture by name; `fault` says why there are no pixels."""

    name: str
    pixels: Array | None
    fault: str = ""


def pictures(paths: list[Path]) -> Iterator[Picture]:
    """Give every picture of files, folders (sorted by name) and videos, in the order asked for."""
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURES + VIDEOS)
            if not inside:
                yield Picture(path.name, None, "no picture in this folder")
            yield from pictures(inside)
        elif path.suffix.lower() in VIDEOS:
            yield from _frames(path)
        else:
            yield read_picture(path)


class Names:
    """Names for what is made of pictures: one for each, though pictures of two folders may share theirs."""

    def __init__(self, suffix: str, taken: Iterable[str] = ()) -> None:
        self._suffix = suffix
        self._taken = {name.lower() for name in taken}

    def of(self, picture: Picture) -> str:
        """Give a file's name for a picture, or for a frame of a video, that no other had before."""
        stem = picture.name.replace("#", "-") if "#" in picture.name else Path(picture.name).stem
        tries = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
        name = next(name for name in (stem + self._suffix for stem in tries) if name.lower() not in self._taken)
        self._taken.add(name.lower())
        return name


def read_picture(path: Path) -> Picture:
    """Read one picture file; a truncated or damaged one is a fault, not half a picture."""
    try:
        data = path.read_bytes()
    except OSError as error:
        return Picture(path.name, None, error.strerror or "cannot be read")
    if not data:
        return Picture(path.name, None, "the file is empty")
    try:
        pixels = decode(data)
    except DamagedError as error:
        return Picture(path.name, None, str(error))
    return Picture(path.name, pixels, "" if pixels is not None else "not a picture that can be read")


def _frames(path: Path) -> Iterator[Picture]:
    """Give the whole frames of a video, and then what is wrong with it."""
    try:
        film, cut = frames(path), is_cut(path)
    except OSError as error:
        yield Picture(path.name, None, error.strerror or "cannot be read")
        return
    number = 0
    for number, pixels in enumerate(film or (), start=1):
        yield Picture(f"{path.name}#{number:05d}", pixels)
    if cut:
        yield Picture(path.name, None, "the file is truncated")
    elif number == 0:
        yield Picture(path.name, None, "a video without frames" if film else "not a video that can be read")
