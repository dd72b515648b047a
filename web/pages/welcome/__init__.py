"""The first start of a card: language, Wi-Fi and the host's PIN, one at a time; and the big screen that leads there.

Only a table of its own that has no PIN yet shows it: `./run --install` and every start by hand have made one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask import session as cookie

from companion.refusal import Refusal
from companion.table.session.intents import HOST, ChangeSettings
from web.base.errors import status_of, told_of
from web.base.preferences import words
from web.base.request import context, current, head
from web.pages.join import LOOPBACK, address, qr

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.ports import Machine

blueprint = Blueprint("welcome", __name__)
LED_HERE: Final = frozenset({"/", "/start", "/join", "/host"})
"""Pages that mean nothing before there is a PIN."""
SCREEN: Final = "/table"
STEPS: Final = ("language", "wifi", "pin")
SHORTEST, LONGEST = 8, 63
"""Characters of a Wi-Fi's password."""


def is_first() -> bool:
    """Return whether this is the first start of a table that nobody has set up."""
    machine = context().machine
    return machine is not None and machine.ours and context().access.locks.is_new


@blueprint.before_app_request
def lead() -> ResponseReturnValue | None:
    """Lead phones to the first question, and the big screen to what it says to them."""
    if request.method != "GET" or request.path not in (*LED_HERE, SCREEN):
        return None
    if request.path == SCREEN:
        return screen() if is_first() or (_own_wifi() and not current().state["id"]) else None
    return redirect(url_for("welcome.language"), 303) if is_first() else None


@blueprint.get("/welcome")
def language() -> ResponseReturnValue:
    return _step("language") if is_first() else _over()


@blueprint.get("/welcome/wifi")
def wifi() -> ResponseReturnValue:
    return _step("wifi") if is_first() else _over()


@blueprint.post("/welcome/pin")
def pin() -> ResponseReturnValue:
    """Ask for the PIN; the Wi-Fi is joined last, since it takes the table away from a phone in its own Wi-Fi."""
    if not is_first():
        return _over()
    try:
        _wanted()
    except Refusal as refusal:
        return _step("wifi", refusal)
    return _step("pin")


@blueprint.post("/welcome")
def done() -> ResponseReturnValue:
    """Take the PIN: this phone is the host's from now on. Then join the Wi-Fi."""
    machine = context().machine
    if machine is None or not machine.ours:
        return _over()
    wanted = _wanted()
    try:
        context().access.locks.set_first_pin(request.form.get("pin", ""))
    except Refusal as refusal:
        return _step("pin", refusal) if is_first() else _over()
    cookie["host"] = context().access.locks.mark
    context().do(ChangeSettings(speaker=HOST, language=words().language))
    if wanted["ssid"]:
        machine.act("wifi", wanted)
    return make_response(
        render_template("welcome/done.html", head=head(), ssid=wanted["ssid"], name=machine.view()["name"])
    )


def screen() -> ResponseReturnValue:
    """Show on the big screen how a phone gets here: into the own Wi-Fi first, where there is one."""
    own, machine = _own_wifi(), context().machine
    shown = address()
    return make_response(
        render_template(
            "welcome/screen.html",
            head=head(),
            first=is_first(),
            wifi=own,
            wifi_qr=qr(wifi_code(*own)) if own else "",
            address=shown,
            qr="" if LOOPBACK in shown or "//localhost" in shown else qr(shown),
            joining=machine.joining if machine else "",
            trouble=current().state["devices"].get("wifi"),
            told_below="network",
        )
    )


def wifi_code(ssid: str, password: str) -> str:
    """Return what a phone's camera reads to join a Wi-Fi."""
    name, secret = ("".join(f"\\{sign}" if sign in '\\;,":' else sign for sign in text) for text in (ssid, password))
    return f"WIFI:T:WPA;S:{name};P:{secret};;"


def _own_wifi() -> tuple[str, str] | None:
    machine = context().machine
    return None if machine is None else machine.own_wifi


def _wanted() -> dict[str, str]:
    """Return the Wi-Fi that was asked for; without a name, none."""
    ssid = request.form.get("other", "").strip() or request.form.get("ssid", "")
    password = request.form.get("password", "") if ssid else ""
    if password and not SHORTEST <= len(password) <= LONGEST:
        raise Refusal("short_password", None, f"A Wi-Fi's password has {SHORTEST} to {LONGEST} characters.")
    return {"ssid": ssid, "password": password}


def _step(step: str, refusal: Refusal | None = None) -> ResponseReturnValue:
    machine: Machine | None = context().machine
    shown: dict[str, Any] = {}
    if step == "wifi" and machine is not None:
        shown["found"] = machine.view()
    if step == "pin":
        shown["carried"] = _wanted()
    page = render_template(
        "welcome/step.html",
        head=head(),
        step=step,
        number=STEPS.index(step) + 1,
        of=len(STEPS),
        refused=None if refusal is None else told_of(refusal),
        **shown,
    )
    return make_response(page, 200 if refusal is None else status_of(refusal))


def _over() -> ResponseReturnValue:
    return redirect("/", 303)
