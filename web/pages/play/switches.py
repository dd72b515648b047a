"""What a phone switches for itself: it stays on the phone, in a cookie, and is nobody else's."""

from __future__ import annotations

from typing import Final

COOKIE: Final = "phone"
NAMES: Final = ("guide", "sound", "shake", "speak")
AT_FIRST: Final = frozenset({"sound", "shake"})
_NONE: Final = "none"


def switched_on(cookie: str | None) -> frozenset[str]:
    """The switches that are on; a phone that has chosen nothing is nudged, quietly and without a voice."""
    return AT_FIRST if cookie is None else frozenset(cookie.split(".")) & frozenset(NAMES)


def cookie_of(switches: frozenset[str]) -> str:
    """The cookie that says so."""
    return ".".join(sorted(switches)) or _NONE
