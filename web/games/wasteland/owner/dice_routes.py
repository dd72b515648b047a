"""The sides of the owner's V.A.T.S. dice, shown one by one to the table's camera on the marked corner's square."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import redirect, render_template, request, url_for

from companion.cards.pack import PackFaults
from companion.cards.wasteland.corner import CORNER
from companion.cards.wasteland.notation import face_name
from companion.refusal import Refusal
from companion.table.record.data_folder import put
from web.base.request import context, head, reader, the_host
from web.base.streams import newest
from web.games.wasteland.contest import face
from web.games.wasteland.owner.own_packs import MINE, Packs

if TYPE_CHECKING:
    from pathlib import Path

    from flask.typing import ResponseReturnValue

    from companion.cards.wasteland.types import DieFace

CLEAN: Final = "marked-corner"
"""A place that the mat does not have: its picture is the whole table, with nothing drawn in."""


def page() -> ResponseReturnValue:
    """List every side of the owner's dice, and which were shown."""
    the_host()
    words = reader().words
    dice = [
        [(name, face(words, name), _picture(number, name).is_file()) for name in _names(die)]
        for number, die in enumerate(_dice(), 1)
    ]
    return render_template("wasteland/dice.html", head=head(), dice=dice, ready=_flag().is_file())


def keep() -> ResponseReturnValue:
    """Keep the picture of the side that lies on the square now."""
    the_host()
    number, _, name = request.form.get("side", "").partition("-")
    dice = {str(place): _names(die) for place, die in enumerate(_dice(), 1)}
    if name not in dice.get(number, []):
        raise Refusal("malformed", None, "That is no side of these dice.", field="side")
    put(_picture(int(number), name), _side(newest(context().sight, CLEAN).jpeg))
    if all(_picture(int(place), one).is_file() for place, names in dice.items() for one in names):
        put(_flag(), b"")
    return redirect(url_for("wasteland.dice_routes-page"), 303)


def _side(jpeg: bytes) -> bytes:
    """Cut the side on the sheet's square out of a picture of the table."""
    from companion.vision.cards.card_photo import read_photo, write_photo  # noqa: PLC0415 - only who shows dice needs the eye
    from companion.vision.corner import CornerReader, cut_side  # noqa: PLC0415

    picture = read_photo(jpeg)
    pose = None if picture is None else CornerReader(CORNER).find(picture)
    if picture is None or pose is None:
        raise Refusal("no_sheet", None, "The sheet of the marked corner is not in the picture: lay it flat.")
    return write_photo(cut_side(picture, pose, CORNER))


def _dice() -> tuple[tuple[DieFace, ...], ...]:
    """Return the owner's dice; who has entered none has nothing to show."""
    packs = Packs(context().folder)
    try:
        dice = packs.load(MINE).dice if MINE in packs.names() else ()
    except PackFaults as faults:
        raise Refusal("pack_faults", None, str(faults), faults=[str(fault) for fault in faults.faults]) from faults
    if not dice:
        raise Refusal("no_dice", None, "The sides of your dice are not entered yet, under dice and settings.")
    return dice


def _names(die: tuple[DieFace, ...]) -> list[str]:
    return list(dict.fromkeys(face_name(one) for one in die))


def _picture(number: int, name: str) -> Path:
    return context().folder / CORNER.photos / f"die~{number}-{name}~0.jpg"


def _flag() -> Path:
    return context().folder / CORNER.photos / CORNER.all_shown
