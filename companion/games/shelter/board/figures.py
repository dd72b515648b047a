"""Figures that stand, the placement under way, the open choice, and what a threat roll brought."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.chance import Dice
    from companion.games.shelter.board.vault import Face, Price, Step


class Standing:
    """Dwellers on a space: colour, who they are (plain or injured), and the training that the recall gives them."""

    __slots__ = ("colour", "dwellers", "training")

    def __init__(self, colour: int, dwellers: tuple[int, ...], training: int = 0) -> None:
        self.colour = colour
        self.dwellers = dwellers
        self.training = training


class OngoingPlacement:
    """A placement that is being carried out: its next step, and what has been chosen and owed so far."""

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
        """Return a copy that shares nothing that changes."""
        twin = OngoingPlacement(self.by, self.space, self.face, self.program, self.price)
        twin.at, twin.owed, twin.slot, twin.column = self.at, self.owed, self.slot, self.column
        twin.bonus, twin.dice = self.bonus, self.dice
        return twin


class Spawned:
    """The result of one level's threat roll."""

    __slots__ = ("dice", "level", "space", "threat", "why_not")

    def __init__(self, level: int, dice: Dice, space: int, threat: int, why_not: str) -> None:
        self.level = level
        self.dice = dice
        self.space = space
        self.threat = threat
        self.why_not = why_not

    def named(self, space: int, threat: int) -> Spawned:
        """Return this roll with the card that was drawn, once somebody has named it."""
        return Spawned(self.level, self.dice, space, threat, "") if self.space == space else self


class Score:
    """One player's final score, and the parts that changed it."""

    __slots__ = ("happiness", "items", "threats")

    def __init__(self, happiness: int, items: int, threats: int) -> None:
        self.happiness = happiness
        self.items = items
        self.threats = threats


class GameResult:
    __slots__ = ("decided_by", "scores", "winners")

    def __init__(self, winners: tuple[int, ...], decided_by: str, scores: dict[int, Score]) -> None:
        self.winners = winners
        self.decided_by = decided_by
        self.scores = scores


class PendingShelterChoice:
    """A question to a player. Its options are computed when somebody looks, so they are never out of date."""

    __slots__ = ("by", "clause", "data", "id", "kind", "of_placement")

    def __init__(self, number: int, by: int, kind: str, clause: str, data: int, of_placement: bool) -> None:
        self.id = number
        self.by = by
        self.kind = kind
        self.clause = clause
        self.data = data
        self.of_placement = of_placement
