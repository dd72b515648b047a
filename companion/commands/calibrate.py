"""`companion calibrate`: run a step of the calibration on a terminal, with the table's camera or stills."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from calibration.guide import LiveStep, step_of
from calibration.measuring.papers import cards_of, draw_marks, jpeg
from calibration.profiles import LIGHTS, ProfileFile
from calibration.steps.check import CheckStep
from calibration.steps.columns import ColumnStep, corrected_pack, overlay_beside, parse_columns
from calibration.steps.deck import DeckStep
from calibration.steps.enrolment import CardStep
from calibration.steps.lens import LensStep
from calibration.steps.lighting import LightStep
from calibration.steps.step import Note, NoteLevel, StepError, StepPace, fault, fine, hint
from companion.app.config import ConfigFaults, found
from companion.app.devices import open_camera
from companion.table.ports import Controls, DeviceError
from companion.table.record.data_folder import data_folder, put
from companion.vision.look import PictureNames, pictures
from companion.vision.time.watcher import luma

if TYPE_CHECKING:
    from collections.abc import Callable

    from calibration.steps.step import CalibrationStep
    from companion.app.config import CameraConfig
    from companion.table.ports import Camera


BAR = 24
LOOKS = 4


def watch(step: CalibrationStep, camera: CameraConfig, say: Callable[[Note], None]) -> bool:
    """Lead somebody through a step with the camera; Ctrl-C ends it, and what was found by then is kept."""
    try:
        lens = open_camera(camera)
    except DeviceError as error:
        raise click.ClickException(f"{error} Or name pictures: --from FOLDER.") from error
    click.echo(f"{lens.name}; Ctrl-C when it is enough.")
    try:
        follow(step, lens, say)
    except KeyboardInterrupt:
        click.echo()
    except DeviceError as error:
        raise click.ClickException(str(error)) from error
    finally:
        lens.close()
    return True


def quick_look(step: CalibrationStep, camera: CameraConfig) -> None:
    """Take a few looks through the camera, where there is one: the rest is asked."""
    try:
        lens = open_camera(camera)
    except DeviceError:
        return
    try:
        for _ in range(LOOKS):
            with lens.frame(full=True) as full:
                step.see(full.image)
    except DeviceError:
        return
    finally:
        lens.close()


def follow(step: CalibrationStep, camera: Camera, say: Callable[[Note], None]) -> None:
    """Feed the step until it has all it wants."""
    live, shown = LiveStep(step), [""]
    if isinstance(step, LensStep):
        step.any_chessboard = False
    if isinstance(camera, Controls):
        step.controls = camera
    while not step.finished:
        if step.pace is StepPace.TOLD and not step.eager:
            live.tell()
        with camera.frame(full=False) as small:
            due, at = live.due(luma(small.image), small.at), small.at
        if not due:
            continue
        with camera.frame(full=True) as full:
            notes = live.take(full.image, at)
        lines = [note.text for note in notes]
        if lines != shown:
            for note in notes:
                say(note)
            _progress(step)
        shown = lines
        if isinstance(step, CardStep) and step.waiting is not None:
            _ask(step, say)


def _progress(step: CalibrationStep) -> None:
    done, of = step.progress
    if of > 1:
        full = round(BAR * done / of)
        click.echo(f"  [{'#' * full}{'.' * (BAR - full)}] {done} of {of}")


def _ask(step: CardStep, say: Callable[[Note], None]) -> None:
    """Ask which card it is. The likeliest is offered, until the card has a name or is left out."""
    likely = step.likely() or step.fitting()[:1]
    while step.waiting is not None:
        card = click.prompt("Which card is this (- to leave it)", default=likely[0] if likely else "-")
        try:
            step.act("leave" if card == "-" else "name", {"card": card})
        except StepError as error:
            for note in error.notes:
                say(note)
    for note in step.notes:
        say(note)


STEPS = ("aim", "lens", "table", "colours", "cards", "deck", "columns", "check")
SEEN = ("aim", "check", "columns")
"""The steps that keep nothing by themselves: all their notes are about their pictures."""
SIGNS = {NoteLevel.FINE: " ", NoteLevel.HINT: "!", NoteLevel.FAULT: "x"}
SHOWN_MISSING = 6


@dataclass(frozen=True, slots=True)
class CalibrationRequest:
    """What was asked for on the command line."""

    stills: tuple[Path, ...]
    pack: str
    as_json: bool
    draw: Path | None


@click.command()
@click.argument("step", type=click.Choice(STEPS))
@click.argument("more", nargs=-1, type=click.Path(path_type=Path))
@click.option("--from", "stills", multiple=True, type=click.Path(path_type=Path), help="Stills, folders or videos.")
@click.option("--profile", type=click.Path(path_type=Path, dir_okay=False), help="Otherwise the table's own.")
@click.option("--pack", default="standard", show_default=True, help="Whose cards are enrolled: a pack, or its folder.")
@click.option("--light", type=click.Choice(LIGHTS), default=LIGHTS[0], show_default=True, help="Of the pictures.")
@click.option("--chessboard", metavar="ACROSSxDOWN", help="Inner corners of a chessboard in place of our board.")
@click.option("--numbers", help="The twelve columns, left to right, such as '- 2 3 4 5 6 8 9 10 11 12 -'.")
@click.option("--overlay", type=click.Path(path_type=Path, dir_okay=False), help="The owner's corrections of the pack.")
@click.option(
    "--hold/--release", "held", default=None, help="Aim: hold light and focus anew, or let the camera seek by itself."
)
@click.option("--draw", type=click.Path(path_type=Path, file_okay=False), help="Draw what was seen into a folder.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def calibrate(  # noqa: PLR0913, PLR0917 - one parameter an option
    step: str,
    more: tuple[Path, ...],
    stills: tuple[Path, ...],
    profile: Path | None,
    pack: str,
    light: str,
    chessboard: str | None,
    numbers: str | None,
    overlay: Path | None,
    draw: Path | None,
    *,
    held: bool | None,
    as_json: bool,
) -> None:
    """Calibrate one STEP of the table, live or `--from` stills, into a profile.

    aim: does the camera see the mat well? lens: focal length and bend. table: the mat. colours: the figures.
    cards: pictures of your own cards, one by one. deck: all of them, side by side in a few photos.
    columns: the numbers on the red-backed rooms. check: a score for every slot.
    """
    wish = CalibrationRequest((*stills, *more), pack, as_json, draw)
    if more and not stills:
        raise click.UsageError(f"Got unexpected pictures ({more[0]}): name them behind --from.")
    camera, own = _table()
    file = ProfileFile(profile or own)
    try:
        made = _made(step, file, pack)
        _tell(made, light=light, chessboard=chessboard, overlay=overlay)
        if held is not None:
            _hold(made, held=held, live=not wish.stills)
        if isinstance(made, ColumnStep):
            done = _columns(made, numbers, wish, camera)
        elif wish.stills:
            done = _from_stills(made, wish)
        else:
            done = watch(made, camera, _say)
        _end(made, wish, done=done)
    except StepError as error:
        _stop(error.notes, wish)


def _table() -> tuple[CameraConfig, Path]:
    """Return the table's own camera and profile."""
    folder = data_folder(None, os.environ)
    try:
        config = found(None, folder)
    except ConfigFaults as faults:
        raise click.ClickException("; ".join(map(str, faults.faults))) from faults
    return config.camera, config.camera.profile


def _made(step: str, file: ProfileFile, pack: str) -> CalibrationStep:
    made = step_of(step, file, pack)
    file.raw()
    if isinstance(made, CardStep):
        file.know(cards_of(corrected_pack(pack, overlay_beside(pack, data_folder(None, os.environ)))))
    return made


def _tell(step: CalibrationStep, *, light: str, chessboard: str | None, overlay: Path | None) -> None:
    if isinstance(step, CardStep):
        step.light = light
    if isinstance(step, ColumnStep):
        step.overlay = overlay or overlay_beside(step.pack, data_folder(None, os.environ))
    if isinstance(step, LensStep):
        step.any_chessboard = True
    if isinstance(step, LensStep) and chessboard:
        across, _, down = chessboard.lower().partition("x")
        if not (across.isdecimal() and down.isdecimal() and int(across) > 2 and int(down) > 2):  # noqa: PLR2004
            raise click.UsageError("--chessboard is its inner corners, such as 9x6.")
        step.chessboard = (int(across), int(down))


def _hold(step: CalibrationStep, *, held: bool, live: bool) -> None:
    if not isinstance(step, LightStep):
        raise click.UsageError("--hold and --release go with the steps aim and table.")
    if not live:
        raise StepError(fault("light_no_camera"))
    step.act("hold" if held else "release", {})


def _from_stills(step: CalibrationStep, wish: CalibrationRequest) -> bool:
    """Show every picture to the step; return whether all could be used."""
    missing = [path for path in wish.stills if not path.exists()]
    for path in missing:
        click.echo(f"{path}: no such file or folder", err=True)
    if missing:
        raise SystemExit(2)
    well, names = True, PictureNames(".jpg")
    for picture in pictures(list(wish.stills)):
        if picture.pixels is None:
            click.echo(f"{picture.name}: {picture.fault}", err=True)
            well = False
            continue
        for note in step.see(picture.pixels, picture.name):
            _say(note, f"{picture.name}: ", quiet=wish.as_json)
        if wish.draw is not None:
            put(wish.draw / names.of(picture), jpeg(draw_marks(picture.pixels, step.marks)))
        if isinstance(step, DeckStep) and not wish.as_json and sys.stdin.isatty():
            _ask(step, _say)
    return well


def _columns(step: ColumnStep, numbers: str | None, wish: CalibrationRequest, camera: CameraConfig) -> bool:
    """Offer what is read off the cards, and ask, unless the numbers were given; nothing is kept without an answer."""
    well = True
    if wish.stills:
        well = _from_stills(step, wish)
    elif numbers is None:
        quick_look(step, camera)
        for note in step.notes:
            _say(note, quiet=wish.as_json)
    if wish.draw is not None:
        for place, crop in step.crops.items():
            put(wish.draw / f"{place.replace(':', '-')}.jpg", jpeg(crop))
    answer = numbers if numbers is not None else _asked(step, wish)
    if answer is None:
        return False
    values = answer.replace(",", " ").split()
    parse_columns(values)
    step.put(values)
    return well


def _asked(step: ColumnStep, wish: CalibrationRequest) -> str | None:
    """Ask for the columns on stderr: stdout may be JSON, and a program may have nobody to answer."""
    try:
        return str(click.prompt("The columns, left to right", default=" ".join(step.offered()), err=wish.as_json))
    except click.Abort:
        if not wish.as_json:
            raise
        click.echo(err=True)
        return None


def _end(step: CalibrationStep, wish: CalibrationRequest, *, done: bool) -> None:
    """Keep what was found and print the notes."""
    notes = _kept(step)
    if wish.as_json:
        seen = step.notes if step.name in SEEN else []
        rest = [note for note in notes if note not in seen]
        report = {"step": step.name, "notes": [note.as_json() | {"text": note.text} for note in (*seen, *rest)]}
        for note in rest:
            _say(note, quiet=True)
        click.echo(json.dumps({**report, **step.details()}, ensure_ascii=False))
    else:
        for note in notes:
            _say(note)
        for line in _table_of(step):
            click.echo(line)
    if not done or any(note.level is NoteLevel.FAULT for note in notes):
        raise SystemExit(1)


def _kept(step: CalibrationStep) -> list[Note]:
    """Write what there is; return the notes, also of a step that cannot."""
    if isinstance(step, CardStep):
        return _enrolled(step)
    done, of = step.progress
    if isinstance(step, ColumnStep):
        return step.notes if done else [fault("columns_not_given", numbers=" ".join(step.offered()))]
    if step.name in SEEN:
        return [] if of and done else _nothing(step)
    notes = step.keep()
    return [*notes, fine("kept", file=str(step.file.path))]


def _nothing(step: CalibrationStep) -> list[Note]:
    """Return why a step has nothing to show for its pictures."""
    return [note for note in step.notes if note.level is NoteLevel.FAULT][:1] or [fault("no_picture_yet")]


def _enrolled(step: CardStep) -> list[Note]:
    missing, (done, of) = step.deck.missing(step.file.profile(), step.light), step.progress
    notes = [fine("enrolled", done=done, of=of, light=step.light)]
    if missing:
        some = ", ".join(missing[:SHOWN_MISSING]) + (" …" if len(missing) > SHOWN_MISSING else "")
        notes.append(hint("cards_left", left=len(missing), of=of, some=some))
    return notes if done else [*notes, *_nothing(step)]


def _table_of(step: CalibrationStep) -> list[str]:
    """Format the scores of a check as a table, level by level."""
    scores = {one.place: one.score for one in step.scores()} if isinstance(step, CheckStep) and step.measured else {}
    levels = dict.fromkeys(place.split(":")[0] for place in scores)
    slots = dict.fromkeys(place.split(":")[1] for place in scores)
    if not scores:
        return []
    lines = ["    " + "".join(f"{slot:>5}" for slot in slots)]
    return lines + [f"{level:>4}" + "".join(f"{scores[f'{level}:{slot}']:>5}" for slot in slots) for level in levels]


def _say(note: Note, before: str = "", *, quiet: bool = False) -> None:
    is_fault = note.level is NoteLevel.FAULT
    if not quiet or is_fault:
        click.echo(f"{SIGNS[note.level]} {before}{note.text}", err=is_fault)


def _stop(notes: tuple[Note, ...], wish: CalibrationRequest) -> NoReturn:
    for note in notes:
        _say(note, quiet=wish.as_json)
    raise SystemExit(1)
