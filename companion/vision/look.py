"""`companion look`: read pictures from files, folders and videos, and print or draw what lies on the table."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click
import cv2

from companion.vision.annotate import draw
from companion.vision.camera.picture_files import DamagedError, decode, frames, is_cut
from companion.vision.dice.dice import with_dice
from companion.vision.profile import Profile, ProfileError, load_profile
from companion.vision.table_reader import TableReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.vision.arrays import Array
    from companion.vision.reading import VisionReading

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")
VIDEOS = (".avi", ".mp4", ".mkv", ".mov", ".webm", ".mjpg", ".mjpeg", ".m4v")


@dataclass(frozen=True, slots=True)
class NamedPicture:
    """A picture with its name; `fault` says why there are no pixels."""

    name: str
    pixels: Array | None
    fault: str = ""


def pictures(paths: list[Path]) -> Iterator[NamedPicture]:
    """Yield every picture of files, folders (sorted by name) and videos, in the order asked for."""
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURES + VIDEOS)
            if not inside:
                yield NamedPicture(path.name, None, "no picture in this folder")
            yield from pictures(inside)
        elif path.suffix.lower() in VIDEOS:
            yield from _frames(path)
        else:
            yield read_picture(path)


class PictureNames:
    """Unique file names for what is made of pictures, though pictures of two folders may share theirs."""

    def __init__(self, suffix: str, taken: Iterable[str] = ()) -> None:
        self._suffix = suffix
        self._taken = {name.lower() for name in taken}

    def of(self, picture: NamedPicture) -> str:
        """Return a file name for a picture, or for a frame of a video, that no other had before."""
        stem = picture.name.replace("#", "-") if "#" in picture.name else Path(picture.name).stem
        tries = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
        name = next(name for name in (stem + self._suffix for stem in tries) if name.lower() not in self._taken)
        self._taken.add(name.lower())
        return name


def read_picture(path: Path) -> NamedPicture:
    """Read one picture file; a truncated or damaged one is a fault, not half a picture."""
    try:
        data = path.read_bytes()
    except OSError as error:
        return NamedPicture(path.name, None, error.strerror or "cannot be read")
    if not data:
        return NamedPicture(path.name, None, "the file is empty")
    try:
        pixels = decode(data)
    except DamagedError as error:
        return NamedPicture(path.name, None, str(error))
    return NamedPicture(path.name, pixels, "" if pixels is not None else "not a picture that can be read")


def _frames(path: Path) -> Iterator[NamedPicture]:
    """Yield the whole frames of a video, and then what is wrong with it."""
    try:
        film, cut = frames(path), is_cut(path)
    except OSError as error:
        yield NamedPicture(path.name, None, error.strerror or "cannot be read")
        return
    number = 0
    for number, pixels in enumerate(film or (), start=1):
        yield NamedPicture(f"{path.name}#{number:05d}", pixels)
    if cut:
        yield NamedPicture(path.name, None, "the file is truncated")
    elif number == 0:
        yield NamedPicture(path.name, None, "a video without frames" if film else "not a video that can be read")


FAILED, WRONG_USE = 1, 2
MISFIT = "the profile does not fit this mat: the cards do not lie where it has its places"
WRITTEN = f"{', '.join(PICTURES[:-1])} or {PICTURES[-1]}"


@click.command("look")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--profile", "profile_file", type=click.Path(path_type=Path), default=Path("profile.json"), show_default=True
)
@click.option("--json", "as_json", is_flag=True, help="One JSON reading a line.")
@click.option("--draw", "out", type=click.Path(path_type=Path), help="Draw what was seen: a picture file, or a folder.")
def look(images: tuple[Path, ...], profile_file: Path, as_json: bool, out: Path | None) -> None:
    """Read IMAGES (stills, folders or videos) and print what lies on the table, a line for each frame."""
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    missing = [path for path in images if not path.exists()]
    if missing:
        _stop([f"{path}: no such file or folder" for path in missing])
    eyes = TableReader(_profile(profile_file))
    if eyes.faults:
        _stop(eyes.faults)
    if out is not None:
        _check_target(out, images)
    sys.exit(_read_all(images, eyes, as_json=as_json, out=out))


def _check_target(out: Path, images: tuple[Path, ...]) -> None:
    """Raise if nothing can be drawn there, before anything is read."""
    if out.is_file() and not out.suffix:
        _stop([f"{out}: is a file; name a folder, or a file that ends in {WRITTEN}"])
    if out.is_dir() or not out.suffix:
        return
    if out.suffix.lower() not in PICTURES:
        _stop([f"{out}: no kind of picture that can be written; name a folder, or a file that ends in {WRITTEN}"])
    if len(images) > 1 or images[0].is_dir() or images[0].suffix.lower() in VIDEOS:
        _stop([f"{out}: one picture file cannot hold several; name a folder"])
    if out.exists() and out.samefile(images[0]):
        _stop([f"{out}: is the picture that is to be read; name another file"])


def _read_all(images: tuple[Path, ...], eyes: TableReader, *, as_json: bool, out: Path | None) -> int:
    failed = told = False
    names = PictureNames(".png", _inside(out, images))
    for picture in pictures(list(images)):
        if picture.pixels is None:
            failed = True
            click.echo(f"{picture.name}: {picture.fault}", err=True)
            continue
        seen = eyes.look(picture.pixels, picture.name)
        if seen.misfit and not told:
            told = True
            click.echo(f"{picture.name}: {MISFIT}", err=True)
        seen = replace(seen, reading=with_dice(seen.reading, picture.pixels, seen.pose, eyes.profile))
        click.echo(json.dumps(seen.reading.to_json()) if as_json else _line(seen.reading))
        if out is not None:
            target = out if out.suffix and not out.is_dir() else out / names.of(picture)
            _save(target, draw(picture.pixels, seen, eyes.profile))
    return FAILED if failed else 0


def _profile(path: Path) -> Profile:
    try:
        return load_profile(path)
    except ProfileError as error:
        _stop([f"{path.name}: {fault}" for fault in error.faults])
    raise AssertionError  # _stop does not return


def _inside(out: Path | None, images: tuple[Path, ...]) -> list[str]:
    """Return the pictures to be read that lie where the drawings go: none is overwritten."""
    if out is None or not out.is_dir():
        return []
    files = [file for path in images for file in (path.iterdir() if path.is_dir() else (path,))]
    return [file.name for file in files if file.parent.samefile(out)]


def _save(target: Path, drawn: Array) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        written = cv2.imwrite(str(target), drawn)
    except (OSError, cv2.error):
        written = False
    if not written:
        _stop([f"{target}: cannot be written"])


def _line(reading: VisionReading) -> str:
    """Format a reading as one line for people."""
    if reading.table != "found":
        return f"{reading.image}: the table is not in view"
    dwellers = ", ".join(f"{d.player} {d.pose} on {d.space}" for d in reading.dwellers) or "no dweller"
    doubts = f"; unsure of {', '.join(reading.unsure)}" if reading.unsure else ""
    dice = f"; dice {' and '.join(map(str, sorted(die.value for die in reading.dice)))}" if reading.dice else ""
    return f"{reading.image}: {len(reading.rooms)} rooms, {len(reading.threats)} threats; {dwellers}{dice}{doubts}"


def _stop(faults: list[str]) -> None:
    for fault in faults:
        click.echo(fault, err=True)
    sys.exit(WRONG_USE)


if __name__ == "__main__":
    look()
