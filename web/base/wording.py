"""Which language a phone reads: its own choice, else what its browser asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request

from companion.refusal import Refusal
from web.base.words import DEFAULT, LANGUAGES, Words, words_in

if TYPE_CHECKING:
    from flask import Response

COOKIE = "language"
A_YEAR = 60 * 60 * 24 * 365


def words() -> Words:
    """The texts for whoever asks."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen not in LANGUAGES:
        chosen = request.accept_languages.best_match(list(LANGUAGES)) or DEFAULT
    return words_in(chosen)


def choose(response: Response) -> Response:
    """A phone chooses its language by a form."""
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        raise Refusal("malformed", None, f"language is one of {', '.join(LANGUAGES)}.", field="language")
    response.set_cookie(COOKIE, chosen, max_age=A_YEAR, samesite="Lax", httponly=True)
    return response
