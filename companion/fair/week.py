"""The week's challenge: one secret for every table, which anybody can work out from the week and the players."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import date

WEEK: Final = re.compile(r"\d{4}-W(0[1-9]|[1-4]\d|5[0-3])")
"""A week of the calendar as ISO 8601 writes it."""


def week_of(day: date) -> str:
    """Return the week that a day is in; it begins on Monday."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"


def is_week(text: object) -> bool:
    """Return whether this is a week of the calendar."""
    return isinstance(text, str) and WEEK.fullmatch(text) is not None


def secret_of(week: str, players: int) -> str:
    """Return the secret from which everything of a week follows, for so many players; it is no secret."""
    return hashlib.sha256(f"table-companion/{week}/{players}".encode()).hexdigest()
