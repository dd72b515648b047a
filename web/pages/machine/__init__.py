"""The machine below the table, for the host: Wi-Fi, name, time zone, loudspeaker, switching off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import Blueprint, jsonify, redirect, render_template, url_for

from companion.refusal import Refusal
from companion.version import version
from web.base.request import context, head, is_form, opened, payload, the_host

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.ports import Machine

blueprint = Blueprint("machine", __name__)
ENDS: Final = ("off", "restart")


@blueprint.get("/host/machine")
def page() -> ResponseReturnValue:
    machine = context().machine
    return opened(
        "machine/machine.html",
        told=lambda: None if machine is None else machine.view(),
        zones=lambda: [] if machine is None else machine.zones(),
        version=version,
    )


@blueprint.get("/api/host/machine")
def view() -> ResponseReturnValue:
    the_host()
    return jsonify(_machine().view())


@blueprint.post("/api/host/machine")
def act() -> ResponseReturnValue:
    """The host's word: switch off, restart, or change one thing."""
    the_host()
    raw = payload()
    do = raw.pop("do", None)
    if not isinstance(do, str):
        raise Refusal("malformed", None, "do is a text.", field="do")
    _machine().act(do, {name: value for name, value in raw.items() if isinstance(value, str)})
    if not is_form():
        return jsonify(_machine().view())
    if do in ENDS:
        return render_template("machine/going.html", head=head(), do=do)
    return redirect(url_for("machine.page"), 303)


def _machine() -> Machine:
    found = context().machine
    if found is None:
        raise Refusal("not_our_machine", None, "This machine is not the table's own: switch it off by itself.")
    return found
