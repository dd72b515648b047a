"""The owner's own cards as forms: typed in, copied, taken away and brought back; every fault is told."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from flask import Response, redirect, render_template, request, url_for

from companion.cards.pack import PackFaults
from companion.cards.wasteland import loader
from companion.refusal import Refusal
from companion.table.outside import read_number
from companion.table.session.intents import EditCards
from web.base.request import context, current, head, reader, speaker, the_host
from web.games.wasteland.map import tile_form
from web.games.wasteland.owner import record_form
from web.games.wasteland.owner.own_packs import MINE, Packs, pack_names
from web.games.wasteland.owner.schema import HEAD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask.typing import ResponseReturnValue


ALL: Final = (*loader.FILES, HEAD)


def title(record: Mapping[str, object]) -> str:
    number = f"{record['number']} " if record.get("number") else ""
    return f"{number}{record.get('name') or record.get('id') or ''}".strip() or "?"


def copy_of(kind: str, record: Mapping[str, object], all_of_kind: list[dict[str, object]]) -> dict[str, object]:
    """Return the record with an id of its own."""
    if kind == "quest":
        return {**record, "number": max(int(str(one.get("number", 0))) for one in all_of_kind) + 1}
    taken = {one.get("id") for one in all_of_kind}
    base = str(record.get("id", kind))
    number = next(str(number) for number in range(2, 1000) if f"{base}-{number}" not in taken)
    copied = tile_form.copied(record, number) if kind == tile_form.KIND else record
    return {**copied, "id": f"{base}-{number}"}


NEW = "new"
_writing = threading.Lock()


def index() -> ResponseReturnValue:
    """List all cards by their kinds."""
    if not speaker().host:
        return redirect(url_for("host.page"), 303)
    return _index([])


def _index(faults: list[str], text: str = "") -> ResponseReturnValue:
    packs, damage = Packs(context().folder), []
    try:
        data = packs.data()
    except PackFaults as found:
        data, damage = {}, [str(fault) for fault in found.faults]
        text = text or packs.text()
    kinds = [(kind, [title(record) for record in data.get(kind, [])]) for kind in loader.FILES]
    page = _page(
        "wasteland/cards.html",
        kinds=kinds,
        counts=_counts(data),
        left_out=packs.left_out(),
        has_own=bool(data),
        damage=damage,
        faults=faults,
        text=text,
        dice=data.get("dice"),
    )
    return page, 409 if faults else 200


def _counts(data: Mapping[str, Any]) -> dict[str, int]:
    """Return how many cards of each kind the box holds, where somebody counted them."""
    box = data.get("box")
    if not isinstance(box, dict):
        return {}
    number = {key: value for key, value in box.items() if isinstance(value, int)}
    library = [one for key, value in box.items() if key.endswith("_numbers") for one in value]
    kinds = ("critter", "human", "robot", "monster", "super-mutant")
    return {
        "agenda": max([0, *box.get("agendas", [])]),
        "enemy": sum(number.get(kind, 0) for kind in kinds),
        "card": sum(number.get(deck, 0) for deck in ("loot", "asset", "unique")),
        "perk": 7 * number.get("perks", 0),
        "encounter": number.get("settlement_stars", 0) + number.get("wasteland_stars", 0) + len(library),
    }


def _page(template: str, **shown: object) -> str:
    return render_template(template, head=head(), **shown)


def begin() -> ResponseReturnValue:
    """Start with the box that stands on the table, or from a copy of one of our own packs."""
    the_host()
    Packs(context().folder).begin(request.form.get("pack", "homemade"))
    return redirect(url_for("wasteland.card_routes-index"), 303)


def export() -> ResponseReturnValue:
    """Send all of them as one file."""
    the_host()
    return Response(_own_text(), mimetype="application/toml", headers={"Content-Disposition": "attachment"})


def _data() -> dict[str, Any]:
    """Return the tables of the owner's own pack, or refuse where they cannot be read."""
    try:
        return Packs(context().folder).data()
    except PackFaults as faults:
        raise Refusal("pack_faults", None, str(faults), faults=[str(fault) for fault in faults.faults]) from faults


def _own_text() -> str:
    data = _data()
    if not data:
        raise Refusal("no_such_pack", None, "There are no cards of your own yet.")
    return loader.written(data)


def bring() -> ResponseReturnValue:
    """Take a whole pack; the old one stays unless the new one can be played with."""
    the_host()
    file = request.files.get("file")
    text = file.read().decode("utf-8-sig", "replace") if file else request.form.get("toml", "")
    return _kept(text, partly=bool(request.form.get("partly"))) or redirect(url_for("wasteland.card_routes-index"), 303)


def _kept(text: str, *, partly: bool = False) -> ResponseReturnValue | None:
    """Keep the pack and use it in the game that plays it, or return a page of what is wrong with it.

    A pack that is kept `partly` is played without the cards that have faults.
    """
    packs = Packs(context().folder)
    faults = packs.keep(text, partly=partly)
    if faults:
        return _index([str(fault) for fault in faults], text)
    if current().state.get("options", {}).get("pack") == MINE:
        with suppress(Refusal):  # other cards than the game began with: they are for the next one
            context().do(EditCards(packs.place(MINE), speaker=speaker()))
    return None


def form(kind: str, place: str) -> ResponseReturnValue:
    the_host()
    return _form(kind, place, _record(kind, place), [])


def _form(kind: str, place: str, record: dict[str, object], faults: list[str]) -> ResponseReturnValue:
    packs, texts = Packs(context().folder), reader().words
    names = pack_names(texts, packs.shown())
    page = _page(
        "wasteland/card.html",
        kind=kind,
        place=place,
        action=f"/wasteland/cards/{kind}/{place}",
        fields=record_form.fields(texts, names, kind, record),
        parts=record_form.parts(texts, names, kind, record),
        grid=record_form.grid(record) if kind == "scenario" else [],
        main_parts=True,
        laid=record.get("layout", []),
        brushes=[tile.id for tile in names.box.tiles],
        brush=request.form.get("brush", ""),
        faults=faults,
        title=title(record),
        tile=tile_form.tile_form(texts, record) if kind == tile_form.KIND else None,
    )
    return page, 409 if faults else 200


def _record(kind: str, place: str) -> dict[str, object]:
    data = _data()
    if kind == HEAD:
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
    the_host()
    with _writing:
        _record(kind, place)
        record = sent_record(kind)
        if request.form.get(record_form.TAP):
            return _form(kind, place, with_tap(kind, record), [])
        data = _data()
        if kind == HEAD:
            record = {**{key: data[key] for key in ("box", "settings") if key in data}, **record}
            tables = {key: value for key, value in data.items() if key in loader.FILES}
            data = {"id": MINE, "verified": data.get("verified", False), **record, **tables}
        elif place == NEW:
            if kind == tile_form.KIND:
                record = tile_form.named(record, len(data.get(kind, [])) + 1, reader().words)
            data[kind] = [*data.get(kind, []), record]
        else:
            data[kind][int(place)] = record
        refused = _kept(loader.written(data))
    if refused is not None:
        return _form(kind, place, record, _faults(data))
    return redirect(url_for("wasteland.card_routes-index") + f"#k-{kind}", 303)


def sent_record(kind: str) -> dict[str, object]:
    """Return the record that the form describes."""
    return record_form.record_of(kind, request.form, {key: request.form.getlist(key) for key in request.form})


def with_tap(kind: str, record: dict[str, object]) -> dict[str, object]:
    """Return a record after a tap; on the layout what was picked is laid."""
    tap = request.form[record_form.TAP].replace("layout put ", f"layout {request.form.get('brush') or '-'} ", 1)
    return record_form.tapped(kind, record, tap)


def _faults(data: dict[str, object]) -> list[str]:
    """Return faults without line numbers: a form has none."""
    faults = loader.read("", loader.written(data).encode())[1]
    return [str(fault).partition(": ")[2] for fault in faults]


def copy(kind: str, place: str) -> ResponseReturnValue:
    """Copy a card, to be changed."""
    the_host()
    with _writing:
        record = _record(kind, place)
        data = _data()
        data[kind].append(copy_of(kind, record, data[kind]))
        refused = _kept(loader.written(data))
    return refused or redirect(url_for("wasteland.card_routes-form", kind=kind, place=len(data[kind]) - 1), 303)


def delete(kind: str, place: str) -> ResponseReturnValue:
    """Delete a card unless another one refers to it."""
    the_host()
    with _writing:
        _record(kind, place)
        data = _data()
        del data[kind][int(place)]
        if not data[kind]:
            del data[kind]
        refused = _kept(loader.written(data))
    return refused or redirect(url_for("wasteland.card_routes-index") + f"#k-{kind}", 303)
