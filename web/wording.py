"""Which language a phone reads: its own choice, else what its browser asks for."""

from __future__ import annotations

from flask import request

from web.presenting.words import DEFAULT, LANGUAGES, Words, words_in

COOKIE = "language"


def words() -> Words:
    """The texts for whoever asks."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen not in LANGUAGES:
        chosen = request.accept_languages.best_match(list(LANGUAGES)) or DEFAULT
    return words_in(chosen)
