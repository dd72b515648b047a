"""Ways to play that are not in the book: all against the factions (W-ALL), and house rules against lucky agendas."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.games.wasteland.box import FACTIONS, owns

if TYPE_CHECKING:
    from companion.cards.wasteland.words import Faction
    from companion.games.wasteland.position import DiceContest, WastelandPosition


class Together(StrEnum):
    """Whether all play against the factions, and how much influence they need."""

    NO = "no"
    GENTLE = "gentle"
    USUAL = "usual"
    HARD = "hard"


class LuckyAgendas(StrEnum):
    """A house rule for what faction agendas pay, so that a lucky draw wins less often."""

    BOOK = "book"
    STRETCHES = "stretches"
    ONE = "one"
    LOYAL = "loyal"


class OwnFaction(StrEnum):
    """What becomes of draw-and-fight against the faction that a survivor is loyal to (W-ENEMY-26, W-LOYAL-6)."""

    FIGHTS = "fights"
    SPARES = "spares"


class Ways(NamedTuple):
    """What was agreed beside the book before the game."""

    together: Together = Together.NO
    agendas: LuckyAgendas = LuckyAgendas.BOOK
    own: OwnFaction = OwnFaction.FIGHTS

    @property
    def shared(self) -> bool:
        return self.together is not Together.NO


GOALS: Final = {
    Together.GENTLE: (8, 10, 13, 16),
    Together.USUAL: (10, 13, 16, 20),
    Together.HARD: (12, 16, 20, 24),
}
"""The influence that all need together, for one to four survivors (W-ALL-1)."""


def stretch(game: WastelandPosition, position: int) -> int:
    """Return the stretch of the power track that a token is on: spaces in a row that show the same levels."""
    track = game.scenario.track
    last = min(position, len(track) - 1)
    return sum(track[one] != track[one - 1] for one in range(1, last + 1)) + max(0, position - last)


def lead(game: WastelandPosition, faction: Faction) -> int:
    """Return how far a faction leads, in spaces or, by the house rule, in stretches (W-INFL-4, W-FACT-4)."""
    own = FACTIONS.index(faction)
    at, other = game.power[own], game.power[1 - own]
    if game.ways.agendas is LuckyAgendas.STRETCHES:
        at, other = stretch(game, at), stretch(game, other)
    return max(0, at - other)


def helpers(game: WastelandPosition, contest: DiceContest) -> int:
    """Return how many others in the space own a letter of the test: each lends a reroll (W-ALL-5)."""
    if not game.ways.shared:
        return 0
    here = game.survivors[contest.seat].at
    others = [game.survivors[seat] for seat in game.alive() if seat != contest.seat]
    return sum(
        bool(here) and one.at == here and any(owns(one.letters, letter) for letter in contest.letters) for one in others
    )
