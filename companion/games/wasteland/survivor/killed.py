"""W-KILL: killed survivors, and who is eliminated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.wasteland.fight import fight_ends
from companion.games.wasteland.flow import ending, rounds
from companion.games.wasteland.flow.homes import discard_card
from companion.games.wasteland.flow.steps import ask, drop_work_of, push
from companion.games.wasteland.flow.telling import remind, tell
from companion.games.wasteland.words import LETTER_NUMBER, NO_CARD, START_HOLE, letters_of

if TYPE_CHECKING:
    from companion.games.wasteland.flow.told_chance import Fate
    from companion.games.wasteland.position import Choice, Position, Step


def survivor_killed(game: Position, seat: int) -> None:
    """Whatever the survivor was doing ends at once; in its own turn the turn ends too (W-KILL-4, W-KILL-5)."""
    tell(game, "survivor_killed", seat)
    drop_work_of(game, seat)
    if game.contest is not None and game.contest.seat == seat:
        fight_ends.break_off(game)
    if game.is_own_turn(seat):
        end_visit(game)
        push(game, "end-turn", seat)
    push(game, "killed", seat)


def end_visit(game: Position) -> None:
    """An encounter broken off goes under its deck (A-17)."""
    visit = game.visit
    if visit is not None and visit.card != NO_CARD:
        game.decks_of[visit.icon].insert(0, visit.card)
    game.visit = None


def killed(game: Position, _fate: Fate, step: Step) -> None:
    """The inventory is discarded, HP goes to its maximum, the figure to the starting tile (W-KILL-1 to 3)."""
    survivor = game.survivors[step.seat]
    for card in survivor.inventory:
        discard_card(game, card)
    survivor.inventory.clear()
    survivor.hp = survivor.hp_max
    if survivor.hp <= survivor.rads:
        eliminate(game, step.seat)
        return
    remind(game, "survivor-killed", step.seat)
    ask(game, step.seat, "start-space", "W-KILL-1")


def start_spaces(game: Position, _choice: Choice) -> list[str]:
    """The spaces of the starting tile."""
    return list(game.scenario.start_spaces)


def answer_start_space(game: Position, _fate: Fate, choice: Choice, option: str) -> None:
    """The figure is put there; that is no move (A-34)."""
    game.survivors[choice.by].at = option
    tell(game, "placed", choice.by, at=option)


def eliminate(game: Position, seat: int) -> None:
    """Still dead at full HP: the survivor is out, and everything of its own goes home (W-KILL-6)."""
    survivor = game.survivors[seat]
    survivor.eliminated = True
    game.agendas.discards += survivor.hand
    for card in survivor.held():
        discard_card(game, card)
    game.perks += survivor.perks
    for letter in letters_of(survivor.letters):
        game.supply[LETTER_NUMBER[letter]] += 1
    survivor.hand, survivor.answers, survivor.perks, survivor.inventory = [], [], [], []
    survivor.slots = [NO_CARD, NO_CARD, NO_CARD]
    survivor.revealed = survivor.beside = NO_CARD
    survivor.letters, survivor.caps, survivor.hole, survivor.traits, survivor.at = 0, 0, START_HOLE, frozenset(), ""
    tell(game, "eliminated", seat)
    drop_work_of(game, seat)
    if not game.alive():
        ending.common_loss(game, "eliminated")
        return
    if game.turn == seat:
        push(game, "end-turn", seat)
    if game.first == seat:
        rounds.pass_deck(game)
