"""What things are worth to the greedy player, in happiness: the numbers that its evaluation is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Weights:
    """One number for each thing that a reward can bring or a cost can take."""

    cube: float = 0.49  # a first cube of a track, whatever it is good for
    cube_needed: float = 0.047  # ... more, by how much of the rooms' prices is of that resource
    cube_fades: float = 0.71  # each further cube of the same track
    plan: float = 0.59  # a room that could be paid in full
    plan_missing: float = 0.93  # ... for each cube that is missing
    late_cube: float = 0.37  # what is left of a cube's worth in the last round
    dweller: float = 1.34  # one more dweller, a round
    crowd: float = 0.64  # each dweller one already has makes the next one worth less
    horizon: float = 4.01  # rounds ahead that count
    training: float = 0.13  # a training in a letter that the vault can use
    weapon: float = 0.079  # a point of bonus to a fight, a round
    outfit: float = 0.18  # a doubled reward, a round
    pet: float = 0.088  # an exchange or another action, a round
    first: float = 0.3  # each player fewer who comes before one in the next round
    injury: float = 0.56  # a dweller that has to be healed first
    threat: float = 0.19  # a threat on one's own level, with the end far away
    threat_near: float = 0.7  # ... and with the end near
    threat_elsewhere: float = 0.045  # a threat anywhere else
    income: float = 0.09  # a cube for another player
    room: float = 0.25  # a room of one's own: income and a place to go
    space: float = 0.25  # the second dweller that a linked space takes
    refresh: float = 0.046
    waste: float = 0.9  # a training that is used up for nothing
    ending: float = 0.86  # for each point one is ahead when the sixth room is built


DEFAULT: Final = Weights()
