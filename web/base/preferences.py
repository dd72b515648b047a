"""What a phone remembers of its seats and its host: signed, and independent of this machine's clock.

A Pi has no battery for its clock. Flask's own cookies are refused where the clock has gone back, and end at a date that
may be past for the phone; these last as long as they are told, by the phone's own clock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import request
from flask.sessions import SecureCookieSession, SessionInterface
from itsdangerous import BadData, URLSafeSerializer

from companion.languages import catalogues
from companion.refusal import Refusal
from web.base.words import Words, words_in

if TYPE_CHECKING:
    from flask import Flask, Request, Response
    from flask.sessions import SessionMixin


VARY: Final = "Cookie"
LONGEST: Final = 60 * 60 * 24 * 400
"""Seconds: no browser keeps a cookie longer."""


SECURE: Final = "__Host-companion"
"""The cookie of secure pages, which never travels in the open: browsers would let no plain page change it."""


class Remembering(SessionInterface):
    """A signed cookie with no time in it."""

    def __init__(self, key: bytes) -> None:
        self._signed = URLSafeSerializer(key, salt="phone")

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Return what the phone brings, if it is ours; to secure pages it brings its seats from the plain ones."""
        brought = (request.is_secure and request.cookies.get(SECURE)) or request.cookies.get(self.get_cookie_name(app))
        if not brought:
            return SecureCookieSession()
        try:
            return SecureCookieSession(self._signed.loads(brought))
        except (BadData, ValueError, TypeError):
            return SecureCookieSession()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Written when it has changed alone: an answer to what was asked before a login would take the login away."""
        if session.accessed and response.headers.get("Vary") != VARY:
            response.vary.add(VARY)
        if session.modified:
            name = SECURE if request.is_secure else self.get_cookie_name(app)
            told = str(self._signed.dumps(dict(session)))
            response.set_cookie(name, told, max_age=LONGEST, httponly=True, samesite="Lax", secure=request.is_secure)


COOKIE = "language"
A_YEAR = 60 * 60 * 24 * 365


def words() -> Words:
    """Return the texts for whoever asks."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen not in catalogues.codes():
        chosen = request.accept_languages.best_match(catalogues.codes()) or catalogues.DEFAULT
    return words_in(chosen)


def choose(response: Response) -> Response:
    """Set the language that a form has chosen."""
    chosen = request.form.get("language", "")
    if chosen not in catalogues.codes():
        raise Refusal("malformed", None, f"language is one of {', '.join(catalogues.codes())}.", field="language")
    response.set_cookie(COOKIE, chosen, max_age=A_YEAR, samesite="Lax", httponly=True)
    return response
