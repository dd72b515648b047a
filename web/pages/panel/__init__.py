"""The check of the panel's wiring, for the host: what is lit, what was pressed, and which wires are swapped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, jsonify, redirect, url_for

from companion.refusal import Refusal
from web.base.preferences import words
from web.base.request import context, is_form, opened, payload, the_host

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.ports import PanelCheck
    from web.base.words import Words

blueprint = Blueprint("panel", __name__)


@blueprint.get("/host/panel")
def page() -> ResponseReturnValue:
    check = context().panel_check
    texts = words()
    return opened(
        "panel/panel.html",
        told=lambda: None if check is None else check.view(),
        called=lambda part: called(texts, part),
    )


def called(texts: Words, part: str) -> str:
    """Return what people call a part: buttons by what is printed on them, lamps by their colour."""
    kind, _, name = part.partition(".")
    if kind == "buttons":
        return name.upper()
    return texts.text("panel_eye" if name == "eye" else f"colour_{name}" if name else "panel_buzzer")


@blueprint.get("/api/host/panel")
def view() -> ResponseReturnValue:
    the_host()
    return jsonify(_check().view())


@blueprint.post("/api/host/panel")
def act() -> ResponseReturnValue:
    """The host's word: the check is begun, answered or ended."""
    the_host()
    raw = payload()
    do, answer = raw.get("do"), raw.get("answer", "")
    if not isinstance(do, str) or not isinstance(answer, str):
        raise Refusal("malformed", None, "do and answer are texts.", field="do")
    _check().act(do, answer)
    return redirect(url_for("panel.page"), 303) if is_form() else jsonify(_check().view())


def _check() -> PanelCheck:
    found = context().panel_check
    if found is None:
        raise Refusal("no_panel", None, "The panel is switched off in the configuration.")
    return found
