"""What a seat alone may see. It is no part of a snapshot's state, so that it cannot go where the state goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.canonical import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.table.session.snapshots import Snapshot


def private_of(snapshot: Snapshot, seats: Iterable[str]) -> dict[str, Any]:
    """The secrets of these seats by their colours; empty where a game has none."""
    position = snapshot.position
    if position is None:
        return {}
    told = {seat: position.rules.private(position.game, seat) for seat in sorted(seats)}
    return {seat: secret for seat, secret in told.items() if secret}


def text_for(snapshot: Snapshot, seats: Iterable[str]) -> str:
    """The state as JSON for the phone that holds these seats: with `private` where the game has secrets."""
    private = private_of(snapshot, seats)
    return text_of({**snapshot.state, "private": private}) if private else snapshot.text


def has_secrets(snapshot: Snapshot) -> bool:
    """Whether hands are still held in the game that is being played."""
    position = snapshot.position
    return position is not None and position.rules.has_secrets(position.game)
