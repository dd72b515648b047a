"""The page of a phone that is the table's camera: who may be, its pictures at rest, and single photos."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import Blueprint, jsonify, redirect, render_template, request, url_for
from flask import session as cookie

from companion.refusal import Refusal
from web.base.errors import told_of
from web.base.request import context, current, head, payload, speaker, takes_file, who_tries
from web.pages.join import address, qr

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.ports import PhoneEye
    from web.base.words import ToldRefusal

blueprint = Blueprint("eye", __name__)
LARGEST: Final = 12_000_000
"""Bytes of a picture."""
KEY: Final = "eye"


@blueprint.get("/eye")
def page() -> ResponseReturnValue:
    """For the camera what it sees and sends; for the host how another phone becomes it; else a place for the code."""
    return _shown()


@blueprint.post("/eye/pair")
def pair() -> ResponseReturnValue:
    """Make this phone the camera: by the code of the host's page, or by the host's own word."""
    eye, code = _eye(), request.form.get("code", "")
    try:
        is_own = speaker().host and not code
        found = eye.appoint() if is_own else context().codes.judge(who_tries(), lambda: eye.pair(code))
    except Refusal as refusal:
        return _shown(told_of(refusal)), 429
    if found is None:
        wrong = Refusal("wrong_eye_code", None, "That is not the code on the host's page; each works once.")
        return _shown(told_of(wrong)), 403
    cookie[KEY] = found
    return redirect(url_for("eye.page"), 303)


@blueprint.post("/eye/leave")
def leave() -> ResponseReturnValue:
    """Be the camera no more; the host may say so for another phone."""
    if not (_is_eye() or speaker().host):
        raise _not_the_eye()
    _eye().dismiss()
    cookie.pop(KEY, None)
    return redirect(url_for("eye.page"), 303)


@blueprint.post("/eye/photo")
def photo() -> ResponseReturnValue:
    """Look at one photo, taken at the press of a button: that needs no secure page."""
    _must_be_the_eye()
    sent = request.files.get("photo")
    try:
        _eye().take(sent.read() if sent is not None else b"", photo=True)
    except Refusal as refusal:
        return _shown(told_of(refusal)), 400
    return redirect(url_for("eye.page", sent=1), 303)


@blueprint.post("/api/eye/picture")
def picture() -> ResponseReturnValue:
    """Take in a picture of the table at rest; `moving` says that it was asked for while something moves."""
    _must_be_the_eye()
    _eye().take(request.get_data(), moving=request.args.get("moving") == "1")
    return jsonify(_eye().view())


@blueprint.post("/api/eye/beat")
def beat() -> ResponseReturnValue:
    """Note that the phone is there, and whether something moves; `wanted` asks for a picture at once."""
    _must_be_the_eye()
    wanted = _eye().hear(moving=payload().get("moving") is True)
    return jsonify({**_eye().view(), "wanted": wanted})


def _shown(refused: ToldRefusal | None = None) -> str:
    eye, secure = context().phone_eye, context().secure
    lit = "" if secure is None else secure.address()
    is_host = speaker().host
    link = (lit or address()) + url_for("eye.page", code=eye.code()) if eye is not None and is_host else ""
    return render_template(
        "eye/eye.html",
        head=head(),
        told=None if eye is None else eye.view(),
        is_eye=_is_eye(),
        is_host=is_host,
        code=request.args.get("code", "")[:12],
        sent="sent" in request.args,
        refused=refused,
        lit="" if request.is_secure else lit,
        qr=qr(link) if link else "",
        number=eye.code() if eye is not None and is_host else "",
        device=current().state["devices"].get("camera", {}),
    )


def _eye() -> PhoneEye:
    found = context().phone_eye
    if found is None:
        raise Refusal("no_phone_camera", None, "This table's camera is named in its configuration: no phone can be it.")
    return found


def _is_eye() -> bool:
    found = context().phone_eye
    return found is not None and found.holds(cookie.get(KEY))


def _must_be_the_eye() -> None:
    if not _is_eye():
        raise _not_the_eye()


def _not_the_eye() -> Refusal:
    return Refusal("not_the_eye", None, "This phone is not the camera, or another has taken its place.")


takes_file(picture, LARGEST, _is_eye)
takes_file(photo, LARGEST + 1000, _is_eye)
