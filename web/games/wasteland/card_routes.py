"""The owner's own cards of the second game: typed in, copied, taken away and brought back; every fault is told."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from flask import Response, redirect, render_template, request, url_for

from companion.cards.wasteland import loader
from companion.refusal import Refusal
from companion.table.outside import read_number
from companion.table.session.intents import EditCards
from web.base.request import context, current, head, speaker, the_host
from web.games.wasteland import card_forms
from web.games.wasteland.own_packs import MINE, MOST, Packs

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

NEW = "new"
_writing = threading.Lock()


def index() -> ResponseReturnValue:
    """All cards by their kinds."""
    if not speaker().host:
        return redirect(url_for("host.page"), 303)
    return _index([])


def _index(faults: list[str], text: str = "") -> ResponseReturnValue:
    data = Packs(context().folder).data()
    kinds = [(kind, [card_forms.title(record) for record in data.get(kind, [])]) for kind in loader.FILES]
    page = _page(
        "wasteland/cards.html", kinds=kinds, has_own=bool(data), faults=faults, text=text, dice=data.get("dice")
    )
    return page, 409 if faults else 200


def _page(template: str, **shown: object) -> str:
    return render_template(template, head=head(), **shown)


def begin() -> ResponseReturnValue:
    """A copy of our own set to start from."""
    the_host()
    Packs(context().folder).begin(request.form.get("pack", "homemade"))
    return redirect(url_for("wasteland.card_routes-index"), 303)


def export() -> ResponseReturnValue:
    """All of them as one file."""
    the_host()
    return Response(_own_text(), mimetype="application/toml", headers={"Content-Disposition": "attachment"})


def _own_text() -> str:
    data = Packs(context().folder).data()
    if not data:
        raise Refusal("no_such_pack", None, "There are no cards of your own yet.")
    return loader.written(data)


def bring() -> ResponseReturnValue:
    """A whole pack; the old one stays unless the new one can be played with."""
    the_host()
    request.max_content_length = request.max_form_memory_size = MOST
    file = request.files.get("file")
    text = file.read().decode("utf-8-sig", "replace") if file else request.form.get("toml", "")
    return _kept(text) or redirect(url_for("wasteland.card_routes-index"), 303)


def _kept(text: str) -> ResponseReturnValue | None:
    """Keep it, and go on with it in the game that plays it; what is wrong with it as a page."""
    packs = Packs(context().folder)
    faults = packs.keep(text)
    if faults:
        return _index([str(fault) for fault in faults], text)
    if current().state["options"].get("pack") == MINE:
        with suppress(Refusal):  # other cards than the game began with: they are for the next one
            context().do(EditCards(packs.place(MINE), speaker=speaker()))
    return None


def form(kind: str, place: str) -> ResponseReturnValue:
    """One card."""
    the_host()
    return _form(kind, place, _record(kind, place), [])


def _form(kind: str, place: str, record: dict[str, object], faults: list[str]) -> ResponseReturnValue:
    shown = card_forms.fields(kind, record)
    text = "" if shown else card_forms.text_of(record)
    page = _page("wasteland/card.html", kind=kind, place=place, fields=shown, text=text, faults=faults,
                 title=card_forms.title(record))  # fmt: skip
    return page, 409 if faults else 200


def _record(kind: str, place: str) -> dict[str, object]:
    data = Packs(context().folder).data()
    if kind == card_forms.HEAD:
        return {key: value for key, value in data.items() if key not in loader.FILES}
    if kind in loader.FILES and place == NEW:
        return {}
    rows = data.get(kind, [])
    nth = read_number(place, "place") if kind in loader.FILES else None
    if nth is None or nth >= len(rows):
        raise Refusal("no_such_card", None, "There is no such card.")
    found: dict[str, object] = rows[nth]
    return found


def save(kind: str, place: str) -> ResponseReturnValue:
    """What was typed in."""
    the_host()
    with _writing:
        _record(kind, place)
        record = card_forms.record_of(kind, request.form, {key: request.form.getlist(key) for key in request.form})
        data = Packs(context().folder).data()
        if kind == card_forms.HEAD:
            tables = {key: value for key, value in data.items() if key in loader.FILES}
            data = {"id": MINE, "verified": data.get("verified", False), **record, **tables}
        elif place == NEW:
            data[kind] = [*data.get(kind, []), record]
        else:
            data[kind][int(place)] = record
        refused = _kept(loader.written(data))
    if refused is not None:
        return _form(kind, place, record, _faults(data))
    return redirect(url_for("wasteland.card_routes-index") + f"#k-{kind}", 303)


def _faults(data: dict[str, object]) -> list[str]:
    """Without lines: a form has none."""
    faults = loader.read("", loader.written(data).encode())[1]
    return [str(fault).partition(": ")[2] for fault in faults]


def copy(kind: str, place: str) -> ResponseReturnValue:
    """The same card once more, to be changed."""
    the_host()
    with _writing:
        record = _record(kind, place)
        data = Packs(context().folder).data()
        data[kind].append(card_forms.copied(kind, record, data[kind]))
        refused = _kept(loader.written(data))
    return refused or redirect(url_for("wasteland.card_routes-form", kind=kind, place=len(data[kind]) - 1), 303)


def delete(kind: str, place: str) -> ResponseReturnValue:
    """Out of the pack, unless something needs it."""
    the_host()
    with _writing:
        _record(kind, place)
        data = Packs(context().folder).data()
        del data[kind][int(place)]
        if not data[kind]:
            del data[kind]
        refused = _kept(loader.written(data))
    return refused or redirect(url_for("wasteland.card_routes-index") + f"#k-{kind}", 303)
