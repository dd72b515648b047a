"""Co-operative play as data: the difficulties, the shared aims and the crises that an evening draws from (U)."""

from __future__ import annotations

from typing import Final, NamedTuple

DIFFICULTIES: Final = ("easy", "normal", "hard")
FEWEST_TOGETHER: Final = 1

ByPlayers = tuple[int, int, int, int]
"""A number for one player, for two, three and four."""


class Difficulty(NamedTuple):
    rounds: ByPlayers
    """The crisis deck is the clock: so many rounds, then it is empty (U3)."""
    breaches: ByPlayers
    """So many break-ins lose the vault (U6)."""


class AimCard(NamedTuple):
    """Something that all reach together."""

    key: str
    kind: int
    goals: tuple[ByPlayers, ByPlayers, ByPlayers]
    """By difficulty and the number of players; for what each has to have, added up over the players."""
    most: bool = False
    """Whether the goal is the most there may be, not the least."""


class CrisisCard(NamedTuple):
    """What the wasteland does in one round."""

    key: str
    stage: int
    rolls: int = 0
    """So many more threat rolls for the top level (U3)."""
    march: int = 1
    """So many spaces an invader moves at the recall (U4)."""
    toll: int = -1
    """The resource of which each pays cubes at the recall (U7); -1 is none."""
    amount: int = 0


VAULT: Final = 0
PLENTY: Final = 1
GUARD: Final = 2
KINDS: Final = (VAULT, PLENTY, GUARD)
"""Every evening draws one aim of each kind (U2)."""

# A game of the record is begun again with these: to change them takes a new version of the rules (`Shelter.renew`).

TABLE: Final = (
    Difficulty(rounds=(12, 11, 10, 10), breaches=(10, 9, 8, 8)),
    Difficulty(rounds=(12, 11, 10, 10), breaches=(8, 7, 7, 7)),
    Difficulty(rounds=(12, 11, 10, 10), breaches=(7, 6, 6, 7)),
)

NONE: Final = (0, 0, 0, 0)
AIMS: Final = (
    AimCard("rooms", VAULT, ((1, 2, 3, 4), (2, 4, 3, 4), (2, 4, 6, 4))),
    AimCard("wing", VAULT, ((2, 2, 2, 2), (3, 3, 3, 2), (3, 3, 3, 3))),
    AimCard("family", VAULT, ((4, 8, 11, 13), (5, 9, 12, 15), (6, 10, 13, 16))),
    AimCard("content", PLENTY, ((5, 8, 9, 8), (6, 10, 9, 12), (7, 12, 12, 12))),
    AimCard("cheer", PLENTY, ((6, 10, 12, 15), (8, 12, 14, 18), (9, 14, 17, 20))),
    AimCard("stores", PLENTY, ((6, 9, 12, 12), (6, 12, 15, 15), (9, 15, 18, 18))),
    AimCard("healthy", GUARD, ((1, 2, 3, 5), (0, 1, 1, 3), (0, 0, 1, 2)), most=True),
    AimCard("quiet", GUARD, ((1, 1, 1, 2), (0, 0, 0, 1), (0, 0, 0, 0)), most=True),
    AimCard("hunters", GUARD, ((4, 5, 6, 7), (6, 7, 7, 8), (7, 8, 8, 9))),
)

CRISES: Final = (
    CrisisCard("calm", 0),
    CrisisCard("scouts", 0, rolls=1),
    CrisisCard("dry", 0, toll=0, amount=1),
    CrisisCard("lean", 0, toll=1, amount=1),
    CrisisCard("storm", 1, march=2),
    CrisisCard("gang", 1, rolls=2),
    CrisisCard("leak", 1, toll=0, amount=2),
    CrisisCard("outage", 1, toll=2, amount=2),
    CrisisCard("horde", 2, rolls=2, march=2),
    CrisisCard("siege", 2, rolls=3),
    CrisisCard("famine", 2, toll=1, amount=3),
    CrisisCard("blackout", 2, toll=2, amount=2, march=2),
)
STAGES: Final = 3
"""Weak crises come before strong ones (U3)."""
