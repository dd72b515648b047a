"""W-INFL: what the agendas of a survivor are worth now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.types import Asks
from companion.games.wasteland.flow import conditions
from companion.games.wasteland.words import FACTIONS

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Agenda, Bonus
    from companion.games.wasteland.position import Position


def needed(game: Position) -> int:
    """Influence to win, by the number of players at setup (W-INFL-2, A-26)."""
    return game.box.settings.influence[len(game.seats) - 1]


def influence(game: Position, seat: int) -> int:
    """The sum over all agendas held, hidden and revealed, computed anew each time (W-INFL-1, W-INFL-3)."""
    survivor = game.survivors[seat]
    pairs = zip(survivor.hand, survivor.answers, strict=True)
    return sum(worth(game, seat, game.box.agendas[card], answer) for card, answer in pairs)


def worth(game: Position, seat: int, agenda: Agenda, answer: int) -> int:
    """One agenda: its base, and of every group of conditions the best (W-AGENDA-1)."""
    total = agenda.base
    best: dict[str, int] = {}
    for bonus in agenda.bonuses:
        paid = bonus.influence * _times(game, seat, agenda, bonus, answer)
        if bonus.group:
            best[bonus.group] = max(paid, best.get(bonus.group, 0))
        else:
            total += paid
    return total + sum(best.values())


def _times(game: Position, seat: int, agenda: Agenda, bonus: Bonus, answer: int) -> int:
    if bonus.when.asks is Asks.LEAD:
        return lead(game, agenda)
    if bonus.when.asks is Asks.COUNT:
        return conditions.count_of(game, seat, bonus.when.word)
    if bonus.when.asks is Asks.MANUAL:
        return answer
    return int(conditions.holds(game, seat, bonus.when))


def lead(game: Position, agenda: Agenda) -> int:
    """How far the faction leads, steps beyond the last space included (W-INFL-4, W-FACT-4)."""
    if agenda.faction is None:
        return 0
    own = FACTIONS.index(agenda.faction)
    return max(0, game.power[own] - game.power[1 - own])


def has_manual_at(game: Position, seat: int, place: int) -> bool:
    """Whether the owner has to say something about that agenda."""
    agenda = game.box.agendas[game.survivors[seat].hand[place]]
    return any(bonus.when.asks is Asks.MANUAL for bonus in agenda.bonuses)


def question(agenda: Agenda) -> str | None:
    """What only the owner can answer about an agenda, in the words typed in."""
    return next((bonus.when.word for bonus in agenda.bonuses if bonus.when.asks is Asks.MANUAL), None)
