"""The end: items that score, penalties, and who has won (E)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.effects import Counted
from companion.games.shelter.board.figures import GameResult, Score
from companion.games.shelter.events import GameOver
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.words import NOBODY, OVER, RESOURCE_NUMBER

if TYPE_CHECKING:
    from companion.games.shelter.position import ShelterPosition

TIE_BREAKS = ("happiness", "cubes", "dwellers", "items")


def score_of_items(game: ShelterPosition, colour: int) -> int:
    total = 0
    for card in game.hands[colour].cards:
        scores = game.box.items[card >> 1].scores
        if scores is not None:
            total += _count(game, colour, scores.counted) // scores.per * scores.happiness
    return total


def _count(game: ShelterPosition, colour: int, counted: Counted) -> int:
    if counted in (Counted.WATER, Counted.FOOD, Counted.ENERGY):
        return game.cubes[3 * colour + RESOURCE_NUMBER[counted.value]]
    if counted == Counted.ROOMS:
        return game.vault.rooms_on(game.levels[colour])
    if counted == Counted.DWELLERS:
        return dwellers_of(game, colour)
    family = counted.value.removesuffix("s")
    return sum(game.box.items[card >> 1].family == family for card in game.hands[colour].cards)


def score_if_ended_now(game: ShelterPosition, colour: int) -> Score:
    """Score items first, then one happiness less per threat on the player's own level, not below 0 (E2)."""
    items = score_of_items(game, colour)
    before = game.happiness[colour] + items
    threats = min(before, game.vault.threats_on(game.levels[colour]))
    return Score(before - threats, items, -threats)


def finish(game: ShelterPosition) -> None:
    """End the game: take the penalties and find the winners (E1, E2, E3)."""
    scores = {colour: score_if_ended_now(game, colour) for colour in game.seats}
    for colour, score in scores.items():
        game.happiness[colour] = score.happiness
    game.phase = OVER
    game.turn = NOBODY
    game.result = _winners(game, scores)
    game.events.append(GameOver(game.result.winners))


def _winners(game: ShelterPosition, scores: dict[int, Score]) -> GameResult:
    """Find the winners: most happiness, then cubes, dwellers and items, then the victory is shared (E3)."""
    measures = {
        colour: (
            scores[colour].happiness,
            sum(game.cubes[3 * colour : 3 * colour + 3]),
            dwellers_of(game, colour),
            len(game.hands[colour].cards),
        )
        for colour in game.seats
    }
    contenders = list(game.seats)
    for number, name in enumerate(TIE_BREAKS):
        best = max(measures[colour][number] for colour in contenders)
        contenders = [colour for colour in contenders if measures[colour][number] == best]
        if len(contenders) == 1:
            return GameResult(tuple(contenders), name, scores)
    return GameResult(tuple(contenders), "shared", scores)


def judge_again(game: ShelterPosition) -> None:
    """Find the winners again after a correction of a finished game, whose penalties were taken already."""
    before = game.result
    if before is None:
        raise AssertionError("a finished game has a result")
    scores = {
        colour: Score(game.happiness[colour], before.scores[colour].items, before.scores[colour].threats)
        for colour in game.seats
    }
    game.result = _winners(game, scores)
