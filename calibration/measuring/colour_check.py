"""Judges measured colours by the figures that they were measured from: do they tell them apart as vision does?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from companion.vision.figures.evidence import UNKNOWN, distance_table, load_odds, table_index

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.vision.arrays import Array

    Colours = Mapping[str, tuple[int, int, int]]

WORSE: Final = 0.02
"""Share of the pixels that colours may name wrongly more than others do and still be as good."""


def no_worse(measured: Colours, present: Colours, figures: Mapping[str, Array], paper: Array) -> set[str]:
    """The players whose measured colour names the pixels of all figures and of the paper as well as the present one.

    `figures` are the pixels of each player's figures, in linear light beside white paper like `paper`.
    """
    looks = {(player, True): colour for player, colour in measured.items()}
    looks |= {(player, False): colour for player, colour in present.items()}
    names = list(looks)
    table = distance_table({f"{player} {new}": colour for (player, new), colour in looks.items()})
    odds = np.exp(load_odds()[UNKNOWN])
    groups = [(player, odds[table[table_index(light)]]) for player, light in figures.items()]
    nothing = odds[table[table_index(paper)]]

    def share(taken: set[str]) -> float:
        """How much of each figure, and of the paper, is what it is named."""
        players = {player: names.index((player, player in taken)) for player in measured.keys() | present.keys()}
        used = sorted(players.values())
        right = [float(np.mean(seen[:, players[one]] / (1 + seen[:, used].sum(axis=1)))) for one, seen in groups]
        return float(np.mean([*right, float(np.mean(1 / (1 + nothing[:, used].sum(axis=1))))]))

    taken = set(measured)
    for player in sorted(measured.keys() & present.keys()):
        if share(taken - {player}) > share(taken) + WORSE:
            taken.discard(player)
    without = taken - present.keys()
    return without if share(without) > share(taken) + WORSE else taken
