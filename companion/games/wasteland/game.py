"""One game in the wasteland: a position, and the moves that change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.wasteland import legal, making
from companion.games.wasteland.flow.told_chance import Fate
from companion.games.wasteland.position import Position
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.wasteland.moves import Move
    from companion.games.wasteland.position import Event


class Game(Position):
    """`legal_moves` lists, `play` changes, `copy` forks; nothing here touches the world."""

    __slots__ = ()

    def legal_moves(self, seat: int | None = None) -> list[Move]:
        """Every move that the rules allow now; with a seat also what only that seat may know of."""
        return legal.moves(self, seat)

    def play(self, move: Move, chance: Chance) -> list[Event]:
        """Make a move. A refusal leaves the game as it was."""
        before = self.copy()
        self.events, self.reminders = [], ()
        try:
            making.make(self, Fate(self, chance, move.dice, move.drawn), move)
        except Refusal:
            self.become(before)
            raise
        return self.events
