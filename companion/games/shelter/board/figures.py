"""Figures that stand, a placement under way, what a threat roll brought, and how a game ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.chance import Dice
    from companion.games.shelter.board.vault import Face, Price, Step


class Standing:
    """Who stands on a space: a colour, its dwellers (plain or injured), and the training they will take home."""

    __slots__ = ("colour", "dwellers", "training")

    def __init__(self, colour: int, dwellers: tuple[int, ...], training: int = 0) -> None:
        self.colour = colour
        self.dwellers = dwellers
        self.training = training


class OngoingPlacement:
    """A placement under way: where it stands in its steps, and what has been settled so far."""

    __slots__ = ("at", "bonus", "by", "column", "dice", "face", "owed", "price", "program", "slot", "space")

    def __init__(self, by: int, space: int, face: Face, program: tuple[Step, ...], price: Price) -> None:
        self.by = by
        self.space = space
        self.face = face
        self.program = program
        self.at = 0
        self.price = price  # what the next payment takes
        self.owed = 0  # '?' icons not yet paid
        self.slot = -1  # the room chosen, by its place on the track
        self.column = -1  # where that room goes
        self.bonus = 0
        self.dice = (0, 0)

    def copy(self) -> OngoingPlacement:
        """A placement that shares nothing that changes."""
        twin = OngoingPlacement(self.by, self.space, self.face, self.program, self.price)
        twin.at, twin.owed, twin.slot, twin.column = self.at, self.owed, self.slot, self.column
        twin.bonus, twin.dice = self.bonus, self.dice
        return twin


class Spawned:
    """What one level's roll brought."""

    __slots__ = ("dice", "level", "space", "threat", "why_not")

    def __init__(self, level: int, dice: Dice, space: int, threat: int, why_not: str) -> None:
        self.level = level
        self.dice = dice
        self.space = space
        self.threat = threat
        self.why_not = why_not

    def named(self, space: int, threat: int) -> Spawned:
        """The same roll, now that somebody has said which card was drawn."""
        return Spawned(self.level, self.dice, space, threat, "") if self.space == space else self


class Score:
    """One player's end: what is left, and the parts that changed it."""

    __slots__ = ("happiness", "items", "threats")

    def __init__(self, happiness: int, items: int, threats: int) -> None:
        self.happiness = happiness
        self.items = items
        self.threats = threats


class GameResult:
    """Who has won, and by what."""

    __slots__ = ("decided_by", "scores", "winners")

    def __init__(self, winners: tuple[int, ...], decided_by: str, scores: dict[int, Score]) -> None:
        self.winners = winners
        self.decided_by = decided_by
        self.scores = scores


class PendingChoice:
    """One question. Its options are worked out when somebody looks, so that they are always true."""

    __slots__ = ("by", "clause", "data", "id", "kind", "of_placement")

    def __init__(self, number: int, by: int, kind: str, clause: str, data: int, of_placement: bool) -> None:
        self.id = number
        self.by = by
        self.kind = kind
        self.clause = clause
        self.data = data
        self.of_placement = of_placement
