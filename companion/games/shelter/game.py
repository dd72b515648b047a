"""Making moves: a game of Shelter that lists its moves, plays one, and copies itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chance import ToldChance
from companion.games.shelter import legal
from companion.games.shelter.cards import items
from companion.games.shelter.corrections import correcting
from companion.games.shelter.moves import CHOOSE, CORRECT, PASS, PLACE, RECALL, SPAWN, Move
from companion.games.shelter.position import ShelterPosition
from companion.games.shelter.turn import choices, placing, rounds
from companion.games.shelter.words import OVER
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.events import Event


class ShelterGame(ShelterPosition):
    """A position that moves can be played in: `legal_moves` lists them, `play` makes one, `copy` forks."""

    __slots__ = ()

    def legal_moves(self) -> list[Move]:
        """Return every move that the rules allow now, whoever makes it."""
        return legal.moves(self)

    def play(self, move: Move, chance: Chance) -> list[Event]:
        """Make a move. A refusal leaves the game as it was."""
        self.events = []
        if move.dice or move.drawn:
            before = self.copy()
            try:
                self._play(move, ToldChance(chance, self.rolls, move.dice, move.drawn))
            except Refusal:
                self.copy_from(before)
                raise
        else:
            self._play(move, chance)
        return self.events

    def _play(self, move: Move, chance: Chance) -> None:
        do = move.do
        if self.phase == OVER and do != CORRECT:
            raise Refusal("game_over", "E1", "The game is over.")
        if do == PLACE:
            placing.place(self, move, chance)
        elif do == CHOOSE:
            choices.choose(self, move, chance)
        elif do == PASS:
            placing.pass_turn(self, move)
        elif do == SPAWN:
            rounds.spawn(self, chance)
        elif do == RECALL:
            rounds.recall(self)
        elif do == CORRECT:
            correcting.correct(self, move, chance)
        else:
            items.use_any_time(self, move, chance)
        if self.pending:
            choices.drop_hopeless(self, chance)

    def copy(self) -> ShelterGame:
        """Return a copy that shares nothing that changes."""
        twin = ShelterGame(self.box)
        self.copy_to(twin)
        return twin
