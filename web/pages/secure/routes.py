"""Secure pages: the certificate that a phone installs, in two forms, and the host's word about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for

from companion.refusal import Refusal
from web.base.preferences import words
from web.base.request import context, head, is_form, payload, speaker, the_host
from web.pages.join import address, qr
from web.pages.secure.view import kind_of, mobileconfig

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.ports import Secure

blueprint = Blueprint("secure", __name__)
CERTIFICATE, PROFILE = "application/x-x509-ca-cert", "application/x-apple-aspen-config"
FILE = "table-companion"


@blueprint.get("/secure")
def page() -> ResponseReturnValue:
    """How a phone comes to secure pages; for the host the switch too."""
    secure = context().secure
    return render_template(
        "secure/secure.html",
        head=head(),
        told=None if secure is None else secure.view(),
        kind=kind_of(request.user_agent.string),
        is_here=request.is_secure,
        is_host=speaker().host,
        qr=qr(address() + url_for("secure.page")),
        file=FILE,
    )


@blueprint.get(f"/secure/{FILE}.crt")
def certificate() -> ResponseReturnValue:
    """What Android and computers install."""
    headers = {"Content-Disposition": f"attachment; filename={FILE}.crt"}
    return Response(_secure().authority(), content_type=CERTIFICATE, headers=headers)


@blueprint.get(f"/secure/{FILE}.mobileconfig")
def profile() -> ResponseReturnValue:
    """What iPhones and iPads install."""
    told = mobileconfig(_secure().authority(), words())
    headers = {"Content-Disposition": f"attachment; filename={FILE}.mobileconfig"}
    return Response(told, content_type=PROFILE, headers=headers)


@blueprint.get("/api/secure")
def view() -> ResponseReturnValue:
    return jsonify(_secure().view())


@blueprint.post("/api/host/secure")
def act() -> ResponseReturnValue:
    """The host's word: on, off, or begin anew."""
    the_host()
    do = payload().get("do")
    if not isinstance(do, str):
        raise Refusal("malformed", None, "do is a text.", field="do")
    _secure().act(do)
    if not is_form():
        return jsonify(_secure().view())
    return redirect(url_for("secure.page"), 303)


def _secure() -> Secure:
    found = context().secure
    if found is None:
        raise Refusal("no_secure_pages", None, "There are no secure pages: the host switches them on.")
    return found
