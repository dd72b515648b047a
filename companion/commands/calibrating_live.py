"""A step of the calibration before the table's own camera, on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from calibration.live import Live
from calibration.notes import Note, StepError
from calibration.steps.cards import CardStep
from calibration.steps.lens import LensStep
from calibration.steps.step import Pace
from companion.app.devices import opened
from companion.table.ports import Controls, DeviceError
from companion.vision.time.motion import luma

if TYPE_CHECKING:
    from collections.abc import Callable

    from calibration.steps.step import Step
    from companion.app.config import CameraConfig
    from companion.table.ports import Camera

BAR = 24
LOOKS = 4


def watch(step: Step, camera: CameraConfig, say: Callable[[Note], None]) -> bool:
    """Lead somebody through a step with the camera; Ctrl-C ends it, and what was found by then is kept."""
    try:
        lens = opened(camera)
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


def glance(step: Step, camera: CameraConfig) -> None:
    """A few looks through the camera, where there is one: the rest is asked."""
    try:
        lens = opened(camera)
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


def follow(step: Step, camera: Camera, say: Callable[[Note], None]) -> None:
    """Until the step has all it wants."""
    live, told = Live(step), [""]
    if isinstance(step, LensStep):
        step.any_chessboard = False
    if isinstance(camera, Controls):
        step.controls = camera
    while not step.finished:
        if step.pace is Pace.TOLD and not step.eager:
            live.tell()
        with camera.frame(full=False) as small:
            due, at = live.due(luma(small.image), small.at), small.at
        if not due:
            continue
        with camera.frame(full=True) as full:
            notes = live.take(full.image, at)
        lines = [note.text for note in notes]
        if lines != told:
            for note in notes:
                say(note)
            _progress(step)
        told = lines
        if isinstance(step, CardStep) and step.waiting is not None:
            _ask(step, say)


def _progress(step: Step) -> None:
    done, of = step.progress
    if of > 1:
        full = round(BAR * done / of)
        click.echo(f"  [{'#' * full}{'.' * (BAR - full)}] {done} of {of}")


def _ask(step: CardStep, say: Callable[[Note], None]) -> None:
    """Which card is it? The likeliest is offered, until the card has a name or is left out."""
    details = step.details()
    likely = details["likely"] or details["fitting"][:1]
    while step.waiting is not None:
        card = click.prompt("Which card is this (- to leave it)", default=likely[0] if likely else "-")
        try:
            step.act("leave" if card == "-" else "name", {"card": card})
        except StepError as error:
            for note in error.notes:
                say(note)
    for note in step.notes:
        say(note)
