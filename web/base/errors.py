"""One shape for every error on every surface, and the status that goes with it."""

from __future__ import annotations

from concurrent.futures import TimeoutError as TooLateError
from typing import TYPE_CHECKING, Final

from flask import Flask, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from companion.refusal import Refusal
from web.base.preferences import COOKIE, words
from web.base.request import at_a_table, context, current, head, is_page, plays, reader
from web.base.words import ToldRefusal, plain, rule_of

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

STATUS: Final = {
    "malformed": 400,
    "no_seat": 401,
    "no_host": 401,
    "wrong_token": 401,
    "wrong_code": 403,
    "wrong_pin": 403,
    "not_yours": 403,
    "not_your_move": 403,
    "host_only": 403,
    "foreign_origin": 403,
    "foreign_host": 403,
    "no_such_seat": 404,
    "no_such_game": 404,
    "no_such_page": 404,
    "no_such_token": 404,
    "no_such_photo": 404,
    "no_such_pack": 404,
    "no_such_card": 404,
    "secret_until_over": 409,
    "no_picture": 404,
    "no_such_step": 404,
    "no_such_camera": 404,
    "no_secure_pages": 404,
    "no_such_picture": 400,
    "not_the_eye": 403,
    "too_many_tries": 429,
    "too_many_moves": 429,
    "too_large": 413,
    "internal": 500,
    "stopped": 503,
    "too_many_streams": 503,
    "too_late": 503,
    "not_recorded": 503,
    "locks_unreadable": 503,
}
REFUSED: Final = 409
NAMES: Final = {400: "malformed", 404: "not_found", 405: "method_not_allowed", 413: "too_large", 415: "malformed"}


def status_of(refusal: Refusal) -> int:
    """Return the HTTP status of a refusal; what the rules refuse is a conflict."""
    return STATUS.get(refusal.code, REFUSED)


def _is_read() -> bool:
    """Whether a person reads the answer: a browser says which languages they know, a script does not."""
    return at_a_table() and (COOKIE in request.cookies or "Accept-Language" in request.headers)


def message_of(refusal: Refusal) -> str:
    """Return what a refusal says in the reader's words."""
    own = plays()
    return plain(own.own_words(words()), current().state, refusal, lambda card: own.card_name(reader(), card))


def told_of(refusal: Refusal) -> ToldRefusal:
    """Return what a page says of a refusal, and the rule that it leads to."""
    return ToldRefusal(message_of(refusal), rule_of(refusal))


def _answer(refusal: Refusal, code: int) -> Response:
    """The contract's error, in the reader's words where there is a reader, as a page where it is one that is shown."""
    told = refusal.as_json()
    if _is_read() or is_page():
        told["message"] = message_of(refusal)
    response = Response(render_template("error.html", head=head(), told=told)) if is_page() else jsonify(error=told)
    response.status_code = code
    return response


def _refused(refusal: Refusal) -> ResponseReturnValue:
    response = _answer(refusal, status_of(refusal))
    if "seconds" in refusal.fields:
        response.headers["Retry-After"] = str(refusal.fields["seconds"])
    return response


def _http(error: HTTPException) -> ResponseReturnValue:
    code = error.code or 500
    response = _answer(Refusal(NAMES.get(code, "http_error"), None, error.description or error.name), code)
    for name, value in error.get_headers():
        if name == "Allow":
            response.headers[name] = value
    return response


def _late(error: TooLateError) -> ResponseReturnValue:  # noqa: ARG001 - it says no more than its name
    return _refused(Refusal("too_late", None, "The session does not answer; try again."))


def _bug(error: Exception) -> ResponseReturnValue:  # noqa: ARG001 - Flask has written it to the log
    """Count it, and say so. The page that says so may have the same mistake."""
    told = Refusal("internal", None, "The companion made a mistake; it is in its log.")
    if at_a_table():
        context().session.bugs.add()
    try:
        return _answer(told, 500)
    except Exception:
        current_app.logger.exception("the page of an error cannot be shown")
    response = jsonify(error=told.as_json())
    response.status_code = 500
    return response


def install(app: Flask) -> None:
    """Answer every error in the one shape."""
    app.register_error_handler(Refusal, _refused)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(TooLateError, _late)
    app.register_error_handler(500, _bug)
