"""Cards entered while they come: a title and what is tapped, learned by the game and kept in the owner's pack."""

from __future__ import annotations

import re
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from flask import redirect, render_template, request

from companion.cards.pack import PackFaults
from companion.cards.wasteland.blanks import is_blank, library_id
from companion.cards.wasteland.learned import key_of
from companion.refusal import Refusal
from companion.table.session.intents import Tap
from web.base.request import acting, context, current, head, inside, reader
from web.games.wasteland import feed
from web.games.wasteland.owner import record_form
from web.games.wasteland.owner.card_routes import sent_record, title, with_tap
from web.games.wasteland.owner.own_packs import MINE, Packs
from web.games.wasteland.owner.photos import Photos
from web.games.wasteland.owner.schema import KINDS, RESULT
from web.games.wasteland.pages import names_of, state_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flask.typing import ResponseReturnValue

    from companion.cards.wasteland.types import Agenda, Character, Encounter, Enemy, Perk, WastelandCard
    from companion.games.wasteland.state_types import WastelandChoice

GIVEN: Final = ("deck", "type", "back", "number", "id", "name", "letters", "kind")
"""What an address may say of a card before it is entered."""
FIRST: Final[dict[str, dict[str, object]]] = {
    "quest": {"objective": [{"results": []}], "open": True},
    "encounter": {"option": [{}], "open": True},
    "enemy": {"level": 1},
    "agenda": {"base": 1},
}
"""What a card begins with that nobody has entered."""
AT_ONCE: Final[dict[str, tuple[str, ...]]] = {
    "card": ("name", "kind", "letters"),
    "enemy": ("name", "level", "areas", "abilities"),
    "perk": ("name", "effects"),
    "agenda": ("name", "activates"),
    "survivor": ("letter", "hp_max"),
    "quest": ("name",),
    "encounter": ("number", "name"),
    "result": ("results", "level"),
}
"""What is asked first of a card that has just come; everything else stands behind a tap."""
PHOTO: Final = "photo"
PHOTOGRAPHED: Final = ("card", "enemy", "perk", "encounter")
_writing = threading.Lock()


def form(kind: str) -> ResponseReturnValue:
    """Return the form of a card that has just come, with what is known of it."""
    acting()
    _known(kind)
    return _form(kind, _begun(kind, request.args.to_dict()), [])


def save(kind: str) -> ResponseReturnValue:
    """Learn the card and answer what waits for it; with faults the form comes back as it was."""
    who = acting()
    _known(kind)
    record = sent_record(kind)
    if request.form.get(record_form.TAP) == PHOTO:
        return _photographed(kind, record)
    if request.form.get(record_form.TAP):
        return _form(kind, with_tap(kind, record), [])
    by = next(iter(who.seats)) if len(who.seats) == 1 else request.form.get("by", "")
    said = {"by": by} if by else {}
    if kind == RESULT:
        context().do(Tap({"do": "result", **said, **record}, who))
        return redirect(inside(request.form.get("to", "/")), 303)
    with _writing:
        record, another = _named(kind, record)
        another = another or _is_one_more(kind, record)
        waiting = _asked(kind, record)
        try:
            context().do(Tap({"do": "learn", **said, "kind": kind, "record": record}, who))
        except Refusal as refusal:
            faults = refusal.fields.get("faults")
            if not isinstance(faults, list):
                raise
            return _form(kind, record, [str(fault) for fault in faults])
        if current().state.get("options", {}).get("pack") == MINE:
            with suppress(PackFaults):  # the game has learned it; a pack that cannot be read is for its owner to mend
                Packs(context().folder).learn(kind, record, another=another)
    if request.form.get("cut") and record.get("id"):
        with suppress(OSError):
            Photos(context().folder, kind).keep(str(record["id"]), request.form["cut"])
    for move in waiting:
        with suppress(Refusal):  # it was answered meanwhile
            context().do(Tap(move, who))
    return redirect(inside(request.form.get("to", "/")), 303)


def _photographed(kind: str, record: dict[str, object]) -> ResponseReturnValue:
    """Return the form of the card that a photo shows; one that nobody has taken before is entered as it is."""
    card, cut = Photos(context().folder, kind).named(request.form.get("photo", ""))
    found = _kept(kind, {"id": card}) if card else None
    return _form(kind, {**record, **(found or {})}, [], cut=cut, seen="wphoto_known" if found else "wphoto_new")


def _is_one_more(kind: str, record: Mapping[str, object]) -> bool:
    """Return whether a card that is known was drawn, of which no copy was left that anybody had entered."""
    choice = next(iter(state_of(reader())["pending"]), None)
    box = names_of(reader()).box
    known = {"card": box.card_number, "enemy": box.enemy_number}.get(kind, {})
    drawn = choice is not None and choice["kind"] == "drawn" and record.get("id") not in choice["options"]
    return drawn and record.get("id") in known


def _known(kind: str) -> None:
    if kind not in AT_ONCE:
        raise Refusal("malformed", None, f"Cards are of the kinds {', '.join(AT_ONCE)}.", field="kind")
    if current().state["game"] != feed.GAME or current().state["id"] is None:
        raise Refusal(
            "no_game", None, "Cards are entered while they are played; before that on the page of your cards."
        )


def _form(
    kind: str, record: dict[str, object], faults: list[str], *, cut: str = "", seen: str = ""
) -> ResponseReturnValue:
    texts, names = reader().words, names_of(reader())
    page = render_template(
        "wasteland/card.html",
        head=head(),
        kind=kind,
        place="",
        action=f"/wasteland/learn/{kind}",
        to=inside(request.values.get("to", "/")),
        by=request.values.get("by", ""),
        fields=record_form.fields(texts, names, kind, record),
        parts=record_form.parts(texts, names, kind, record),
        faults=faults,
        title=title(record) if title(record) != "?" else texts.text(f"wlearn_{kind}"),
        new=True,
        may_photo=kind in PHOTOGRAPHED,
        cut=cut or request.form.get("cut", ""),
        seen=seen,
        later=[one.key for one in KINDS[kind] if one.key not in AT_ONCE[kind]],
        main_parts=kind in ("quest", "encounter"),
    )
    return page, 409 if faults else 200


def _begun(kind: str, given: Mapping[str, str]) -> dict[str, object]:
    """Return the card as it was entered before, else what the address says of it."""
    said: dict[str, object] = {key: given[key][:60] for key in GIVEN if given.get(key)}
    number = str(said.get("number", ""))
    if number.isdecimal() and number.isascii():
        said["number"] = int(number)
    if is_blank(str(said.get("id", ""))):
        del said["id"]
    found = _kept(kind, said)
    if found is None:
        return {**FIRST.get(kind, {}), **said}
    if kind in ("quest", "encounter") and found.get("open"):
        part = "objective" if kind == "quest" else "option"
        found = {**found, part: [*found.get(part, []), *_rows(FIRST[kind][part])]}
    return found


def _rows(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else []


def _kept(kind: str, said: Mapping[str, object]) -> dict[str, Any] | None:
    """Return the record of the owner's pack with this name."""
    if key_of(kind, said) is None:
        return None
    try:
        rows = Packs(context().folder).data().get(kind, [])
    except PackFaults:
        return None
    return next((dict(row) for row in rows if key_of(kind, row) == key_of(kind, said)), None)


def _named(kind: str, record: dict[str, object]) -> tuple[dict[str, object], bool]:
    """Return the record with an id, and whether it is one copy more of a card that was entered before."""
    if kind == "quest":
        return {**record, "name": record.get("name") or str(record.get("number", "?"))}, False
    if record.get("id"):
        return {"name": str(record["id"]), **record}, False
    if kind == "encounter" and isinstance(record.get("number"), int):
        named = library_id(int(str(record["number"])))
        return {"name": str(record["number"]), **record, "id": named}, False
    box = names_of(reader()).box
    piles: Mapping[str, Sequence[Agenda | Character | Encounter | Enemy | Perk | WastelandCard]] = {
        "agenda": box.agendas,
        "enemy": box.enemies,
        "card": box.cards,
        "perk": box.perks,
        "encounter": box.encounters,
        "survivor": box.characters,
    }
    name = " ".join(str(record.get("name", "")).split())
    taken = {one.id: one.name for one in piles[kind]}
    same = next((one for one, known in taken.items() if known and known.casefold() == name.casefold()), None)
    if same is not None:
        return {**record, "id": same}, True
    slug = "-".join(re.findall(r"[a-z0-9]+", name.lower()))
    if not slug or slug in taken or is_blank(f"{slug}-"):
        slug = next(one for n in range(1, 1000) if (one := f"{slug or kind}-{n}") not in taken)
    return {**record, "id": slug}, False


def _asked(kind: str, record: Mapping[str, object]) -> list[dict[str, object]]:
    """Return the moves that answer what waits for this card, once it is learned."""
    choice = next(iter(state_of(reader())["pending"]), None)
    if choice is None:
        return []
    if kind == "encounter" and choice["kind"] in ("encounter", "option"):
        return [_choose(choice, str(len(_rows(record.get("option")))))] if record.get("option") else []
    if kind == "perk" and choice["kind"] == "perk":
        return [_choose(choice, str(record.get("id")))]
    return []


def _choose(choice: WastelandChoice, option: str) -> dict[str, object]:
    return {"do": "choose", "by": choice["by"], "option": option}
