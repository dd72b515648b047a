"""Everybody's chance to win, as the seer tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.table.session.intents import Foreseen
    from companion.table.session.state import Desk


def foreseen(desk: Desk, intent: Foreseen) -> None:
    """A chance of another game, or one that nobody wants to see, is not shown."""
    if desk.settings.odds_win and desk.keeper is not None and desk.sitting.id == intent.game:
        desk.foreseen = {"version": intent.version, "round": intent.round, **intent.estimate}
