"""The command `companion look`: vision alone, from stills, folders and videos to one reading a line."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import click
import cv2

from companion.vision.arrays import Array
from companion.vision.dice import with_dice
from companion.vision.drawing import draw
from companion.vision.eyes import Eyes
from companion.vision.profile import Profile, ProfileError, load_profile
from companion.vision.reading import Reading
from companion.vision.sources import PICTURES, pictures

FAILED, WRONG_USE = 1, 2
MISFIT = "the profile does not fit this mat: the cards do not lie where it has its places"


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
    eyes = Eyes(_profile(profile_file))
    if eyes.faults:
        _stop(eyes.faults)
    single = out is not None and out.suffix.lower() in PICTURES
    if single and (len(images) > 1 or not images[0].is_file()):
        _stop([f"{out}: one picture file cannot hold several; name a folder"])
    sys.exit(_read_all(images, eyes, as_json=as_json, out=out))


def _read_all(images: tuple[Path, ...], eyes: Eyes, *, as_json: bool, out: Path | None) -> int:
    failed = told = False
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
        if out is not None and not _save(out, picture.name, draw(picture.pixels, seen, eyes.profile)):
            _stop([f"{out}: cannot be written"])
    return FAILED if failed else 0


def _profile(path: Path) -> Profile:
    try:
        return load_profile(path)
    except ProfileError as error:
        _stop([f"{path.name}: {fault}" for fault in error.faults])
    raise AssertionError  # _stop does not return


def _save(out: Path, name: str, drawn: Array) -> bool:
    target = out if out.suffix.lower() in PICTURES else out / f"{Path(name.replace('#', '-')).stem}.png"
    if "#" in name and target is not out:
        target = out / f"{name.replace('#', '-')}.png"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return bool(cv2.imwrite(str(target), drawn))
    except (OSError, cv2.error):
        return False


def _line(reading: Reading) -> str:
    """Say a reading in one line for people."""
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
