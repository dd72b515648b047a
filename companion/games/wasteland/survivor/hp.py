"""W-HP: HP and rads as two pegs on one track."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.wasteland.flow.telling import tell
from companion.games.wasteland.survivor import killed

if TYPE_CHECKING:
    from companion.games.wasteland.position import Position


def suffer_damage(game: Position, seat: int, amount: int) -> bool:
    """Lower the HP peg (W-HP-1); whether that killed the survivor."""
    survivor = game.survivors[seat]
    lost = min(amount, survivor.hp)
    survivor.hp -= lost
    if lost:
        tell(game, "damage", seat, amount=lost, hp=survivor.hp)
    return check(game, seat)


def change_rads(game: Position, seat: int, amount: int) -> bool:
    """Move the rads peg, up or down; HP stays (W-HP-1, W-HP-5). Whether that killed the survivor."""
    survivor = game.survivors[seat]
    rads = max(0, min(survivor.rads + amount, rads_max(game, seat)))
    if rads != survivor.rads:
        tell(game, "rads", seat, amount=rads - survivor.rads, rads=rads)
    survivor.rads = rads
    return check(game, seat)


def heal(game: Position, seat: int, amount: int) -> None:
    """Raise the HP peg, never above the maximum (W-CAMP-2)."""
    survivor = game.survivors[seat]
    gained = min(amount, survivor.hp_max - survivor.hp)
    survivor.hp += gained
    if gained:
        tell(game, "healed", seat, amount=gained, hp=survivor.hp)


def rads_max(game: Position, seat: int) -> int:
    """The end of the track for rads; it is never short of the survivor's own maximum (A-38)."""
    return max(game.box.settings.rads_max, game.survivors[seat].hp_max)


def check(game: Position, seat: int) -> bool:
    """HP equal to or under rads means killed, whatever the source (W-HP-3, W-HP-4)."""
    survivor = game.survivors[seat]
    if survivor.eliminated or survivor.hp > survivor.rads:
        return False
    killed.survivor_killed(game, seat)
    return True
