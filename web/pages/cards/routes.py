"""What is printed on the cards and beside the columns: an owner compares, corrects and confirms, also in mid-game."""

from __future__ import annotations

import threading
from io import BytesIO
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from flask import Blueprint, redirect, request, send_file, url_for

from companion.cards.assemble import read_card
from companion.cards.corrections import OWN_ELEVATOR, Corrections, corrections_of
from companion.cards.loader import builtin, builtin_names, overlay_of, overlay_path
from companion.cards.overlay import ADDED
from companion.cards.pack import ELEVATOR_COLOURS, PackFaults
from companion.games import registry
from companion.languages import catalogues
from companion.refusal import Refusal
from companion.table.record.data_folder import put
from companion.table.session.intents import EditCards
from web.base.preferences import words
from web.base.request import context, current, opened, plays, the_host
from web.games.shelter.cards import PackCards
from web.pages.cards import forms
from web.pages.cards.editor import fault_text, parts_of
from web.pages.cards.taps import drawable, tapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask.typing import ResponseReturnValue

    from companion.cards.corrections import Sheet
    from companion.cards.pack import Fault

blueprint = Blueprint("cards", __name__, url_prefix="/host")
ELEVATORS: Final = ("top_elevator", "elevator", *(f"{OWN_ELEVATOR}{colour}" for colour in ELEVATOR_COLOURS))
NO_NUMBER: Final = "-"
NUMBERS: Final = (NO_NUMBER, *(str(number) for number in range(2, 13) if number != 7))  # noqa: PLR2004 - V2
PIXELS_PER_MM: Final = 10
"""A picture for a phone that shows three points for each of a page's."""
SHORT: Final = 24
MINUTE: Final = 60
_writing = threading.Lock()


@blueprint.get("/cards")
@blueprint.get("/cards/<pack>")
def index(pack: str = "") -> ResponseReturnValue:
    """All cards of a pack, each with a tick for whoever has compared it."""
    pack = _known(pack or _in_play())
    corrections = _corrections(pack)
    cards = PackCards(builtin(pack, overlay_of(context().folder, pack)))
    confirmed = sum(sheet.confirmed for sheet in corrections.sheets)
    return opened(
        "cards/cards.html",
        pack=pack,
        packs=builtin_names(),
        sections=forms.sections(words(), corrections, cards),
        confirmed=confirmed,
        left=len(corrections.sheets) - confirmed,
        later=request.args.get("later") == "1",
    )


@blueprint.get("/cards/<pack>/<card>")
def page(pack: str, card: str) -> ResponseReturnValue:
    return _page(_corrections(_known(pack)), card)


@blueprint.post("/cards/<pack>/<card>")
def correct(pack: str, card: str) -> ResponseReturnValue:
    """What somebody reads on the printed card."""
    the_host()
    with _writing:
        corrections = _corrections(_known(pack))
        sheet = _sheet(corrections, card)
        _fill_in(corrections, sheet)
        try:
            later = _kept(corrections)
        except PackFaults as faults:
            return _page(corrections, card, faults.faults)
    return redirect(url_for("cards.index", pack=pack, later="1" if later else None, _anchor=card), 303)


@blueprint.post("/cards/<pack>/<card>/draft")
def draft(pack: str, card: str) -> ResponseReturnValue:
    """Show a card as somebody edits it, after a tap on one of its icons; nothing is kept."""
    the_host()
    corrections = _corrections(_known(pack))
    _fill_in(corrections, _sheet(corrections, card))
    if request.form.get("tap"):
        corrections.set_card(card, tapped(corrections.sheet(card), request.form["tap"]))
    return _page(corrections, card)


@blueprint.get("/cards/<pack>/<card>.png")
def picture(pack: str, card: str) -> ResponseReturnValue:
    """Draw a card with the fields and the name in the address, by the pen that draws the sheets."""
    from companion.pieces.drawing.pen import OverflowingError  # noqa: PLC0415 - only who looks at a card needs the pen
    from companion.pieces.drawing.raster import png_of  # noqa: PLC0415
    from companion.pieces.sheets.all_pieces import PrintedBox  # noqa: PLC0415

    the_host()
    known = _known(pack)
    corrections = _corrections(known)
    sheet = _sheet(corrections, card)
    corrections.set_card(card, forms.read(sheet, request.args))
    name = forms.one_line(request.args.get("name", "")) or corrections.name(words().language, card)
    drawn = drawable(corrections.sheet(card), sheet)
    box = PrintedBox(builtin(known), words().language, "")
    try:
        png = png_of(box.card(drawn, name), PIXELS_PER_MM)
    except OverflowingError:
        png = png_of(box.card(drawn, f"{name[:SHORT]}…"), PIXELS_PER_MM)
    return send_file(BytesIO(png), "image/png", max_age=MINUTE)


@blueprint.post("/cards/<pack>/<card>/compared")
def compared(pack: str, card: str) -> ResponseReturnValue:
    """Tick a card that somebody has compared, and it is as it says here; a second time takes that back."""
    the_host()
    with _writing:
        corrections = _corrections(_known(pack))
        corrections.confirm(card, compared=not _sheet(corrections, card).confirmed)
        later = _kept(corrections)
    return redirect(url_for("cards.index", pack=pack, later="1" if later else None, _anchor=card), 303)


@blueprint.post("/cards/<pack>/<card>/like")
def add(pack: str, card: str) -> ResponseReturnValue:
    """Add a card to the pack that is like this one; what it says differently is corrected on its own page."""
    the_host()
    with _writing:
        corrections = _corrections(_known(pack))
        _sheet(corrections, card)
        new = next(one for number in count(2) if (one := f"{card}-{number}") not in corrections.printed)
        corrections.add_like(card, new)
        later = _kept(corrections)
    return redirect(url_for("cards.page", pack=pack, card=new, later="1" if later else None), 303)


@blueprint.get("/columns")
@blueprint.get("/columns/<pack>")
def columns(pack: str = "") -> ResponseReturnValue:
    """The numbers beside the spaces of a level, and what the elevators show; a game that has none says so."""
    if not pack and "read" not in request.args and plays().no_columns:
        return opened("cards/no_columns.html", played=registry.game_of(current().state["game"]).title)
    return _columns(_corrections(_known(pack or _in_play())))


@blueprint.post("/columns/<pack>")
def set_columns(pack: str) -> ResponseReturnValue:
    """What somebody reads on the printed board."""
    the_host()
    with _writing:
        corrections = _corrections(_known(pack))
        sent = [request.form.get(f"column_{place}", NO_NUMBER) for place in range(12)]
        corrections.set_head("columns", [int(one) if one in NUMBERS[1:] else NO_NUMBER for one in sent])
        for name in ELEVATORS:
            corrections.set_head(name, " ".join(request.form.get(name, "").split())[: forms.LONGEST])
        try:
            later = _kept(corrections)
        except PackFaults as faults:
            return _columns(corrections, faults.faults)
    _end_reading()
    return redirect(url_for("cards.columns", pack=pack, done="1", later="1" if later else None), 303)


# --- what they share --------------------------------------------------------------------------------------------------


def _in_play() -> str:
    pack = str(current().state.get("options", {}).get("pack", ""))
    return pack if pack in builtin_names() else "standard"


def _known(pack: str) -> str:
    if pack not in builtin_names():
        raise Refusal("no_such_pack", None, f"There is no pack {pack[:40]!r}.", pack=pack[:40])
    return pack


def _corrections(pack: str) -> Corrections:
    """Return the corrections of a pack; a file that somebody has edited, or a card has damaged, is refused."""
    overlay = overlay_of(context().folder, pack)
    try:
        builtin(pack, overlay)
    except PackFaults as faults:
        raise Refusal(
            "corrections_faulty", None, str(faults), pack=pack, faults=[str(fault) for fault in faults.faults]
        ) from faults
    return corrections_of(pack, overlay)


def _sheet(corrections: Corrections, card: str) -> Sheet:
    if card not in corrections.printed:
        raise Refusal("no_such_card", None, f"There is no card {card[:40]!r} in this pack.", card=card[:40])
    return corrections.sheet(card)


def _kept(corrections: Corrections) -> bool:
    """Write the corrections down if a pack can be read with them; whether they count only from the next game on."""
    with TemporaryDirectory() as folder:
        tried = Path(folder) / "overlay.toml"
        tried.write_text(corrections.text(), encoding="utf-8")
        builtin(corrections.pack, tried)
    path = overlay_path(context().folder, corrections.pack)
    try:
        put(path, corrections.text().encode())
    except OSError as error:
        raise Refusal("not_recorded", None, f"{path.name} cannot be written: {error.strerror}") from error
    state = context().latest.state
    if state["id"] is None or state.get("options", {}).get("pack") != corrections.pack:
        return False
    try:
        context().do(EditCards(corrections.pack, path, speaker=the_host()))
    except Refusal as refusal:
        if refusal.code != "other_cards":
            raise
        return True
    return False


def _fill_in(corrections: Corrections, sheet: Sheet) -> None:
    """Set a card to what the form says of it."""
    corrections.set_card(sheet.id, forms.read(sheet, request.form))
    for language in catalogues.codes():
        name = forms.one_line(request.form.get(f"name_{language}", ""))
        if name:
            corrections.set_name(language, sheet.id, name)
    corrections.confirm(sheet.id, compared=bool(request.form.get("confirmed")))


def _page(corrections: Corrections, card: str, refused: Sequence[Fault] = ()) -> ResponseReturnValue:
    sheet = _sheet(corrections, card)
    texts = words()
    name = corrections.name(texts.language, card)
    _, faults = read_card(sheet.kind, card, sheet.fields)
    parts = parts_of(texts, sheet, faults)
    keys = {part.name for part in parts}
    drawn = {"language": texts.language, "name": name, **sheet.fields}
    return opened(
        "cards/card.html",
        400 if refused else 200,
        pack=corrections.pack,
        card=card,
        name=name,
        parts=parts,
        said=". ".join([name, *(f"{part.title}: {part.said}" for part in parts if part.said)]),
        picture=f"/host/cards/{corrections.pack}/{card}.png?{urlencode(drawn)}",
        shape="threat" if sheet.kind == "threat" else "card",
        groups=forms.form(texts, corrections, sheet),
        printed=sheet.printed if sheet.corrected else {},
        can_be_more=sheet.kind in ADDED,
        later=request.args.get("later") == "1",
        refused=bool(refused),
        faulty=bool(faults),
        unread=any(fault.code == "notation" for fault in faults),
        faults=[fault_text(texts, fault) for fault in faults if fault.key not in keys]
        + [f"{fault.found} → {fault.expected}" for fault in refused if fault.card != card or not faults],
        wanted={},
    )


def _end_reading() -> None:
    """End the camera's reading of the numbers, which are kept now."""
    calibrator = context().calibrator
    if calibrator is not None and calibrator.view()["open"] == "columns":
        calibrator.act("columns", "close", {})


def _columns(corrections: Corrections, faults: Sequence[Fault] = ()) -> ResponseReturnValue:
    kept = [str(one) for one in corrections.columns]
    read = request.args.get("read", "").split()
    read = read if len(read) == len(kept) else []
    offered = [one if one in NUMBERS else old for one, old in zip(read or kept, kept, strict=True)]
    return opened(
        "cards/columns.html",
        400 if faults else 200,
        pack=corrections.pack,
        columns=offered,
        read=bool(read),
        unsure=", ".join(str(place) for place, one in enumerate(read, start=1) if one not in NUMBERS),
        numbers=NUMBERS,
        elevators=[(name, name.partition("-")[2], corrections.head(name)) for name in ELEVATORS],
        faults=faults,
        done=request.args.get("done") == "1",
        later=request.args.get("later") == "1",
    )
