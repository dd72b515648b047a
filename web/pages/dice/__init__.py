"""Real dice tapped in: die by die, and level by level where one move takes several throws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from flask import Blueprint, render_template, request

from web.base.request import acting, current, head, plays, reader

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.games.api import Roll
    from companion.games.json_types import MoveJson

blueprint = Blueprint("dice", __name__)
FACES: Final = "123456"
PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class Tapping:
    """How far somebody has come: every digit tapped is a die."""

    roll: Roll
    tapped: str

    @property
    def pairs(self) -> list[list[int]]:
        """Return the throws that are complete."""
        return [[int(die) for die in self.tapped[at : at + PAIR]] for at in range(0, len(self.tapped) - 1, PAIR)]

    @property
    def first(self) -> int | None:
        """Return the die whose second one is still to be tapped."""
        return int(self.tapped[-1]) if len(self.tapped) % PAIR else None

    @property
    def level(self) -> int | None:
        """Return the level that is thrown for now."""
        levels = self.roll.levels
        return levels[len(self.pairs)] if len(self.pairs) < len(levels) else None

    @property
    def is_whole(self) -> bool:
        return len(self.pairs) == max(1, len(self.roll.levels))

    def moves(self) -> list[tuple[str, MoveJson]]:
        """Return the moves that would take what was thrown, each with the item that it uses."""
        uses = [str(move.get("option", "")).partition(":")[2] for move in self.roll.moves]
        return [(item, {**move, "dice": self.pairs}) for item, move in zip(uses, self.roll.moves, strict=True)]


def tapping(roll: Roll, tapped: str) -> Tapping:
    """Return what was tapped for a roll, as far as it can be dice."""
    most = PAIR * max(1, len(roll.levels))
    return Tapping(roll, "".join(digit for digit in tapped[:most] if digit in FACES))


@blueprint.get("/dice")
def page() -> ResponseReturnValue:
    """Ask for one die after the other; with the script this opens over the page from which it is asked for."""
    acting()
    snapshot = current()
    roll = snapshot.game.roll(snapshot.state) if snapshot.position is not None else None
    return render_template(
        "dice/dice.html",
        head=head(),
        faces=FACES,
        name_of=_name_of,
        tapping=None if roll is None else tapping(roll, request.args.get("t", "")),
    )


def _name_of(card: str) -> str:
    return plays().card_name(reader(), card)
