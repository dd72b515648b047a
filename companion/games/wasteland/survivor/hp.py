"""W-HP and W-KILL: HP and rads as two pegs on one track, killed survivors, and who is eliminated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.wasteland.box import LETTER_NUMBER, NO_CARD, NOBODY, START_HOLE, letters_of
from companion.games.wasteland.events import DamageHealed, DamageTaken, PlainEvent, RadsChanged, SurvivorPlaced
from companion.games.wasteland.flow import ending, sequence
from companion.games.wasteland.flow.decks import discard_card
from companion.games.wasteland.flow.sequence import ask, drop_work_of, push
from companion.games.wasteland.map import enemies
from companion.games.wasteland.position import remind
from companion.games.wasteland.survivor import pegs

if TYPE_CHECKING:
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition


def survivor_killed(game: WastelandPosition, seat: int) -> None:
    """Drop whatever the survivor was doing; in its own turn the turn ends too (W-KILL-4, W-KILL-5)."""
    game.events.append(PlainEvent("survivor_killed", seat))
    drop_work_of(game, seat)
    if game.contest is not None and game.contest.seat == seat:
        enemies.break_off(game)
    if game.is_own_turn(seat):
        end_visit(game)
        push(game, "end-turn", seat)
    push(game, "killed", seat)


def end_visit(game: WastelandPosition) -> None:
    """Put the card of the encounter under its deck, also when it is broken off (A-17)."""
    visit = game.visit
    if visit is not None and visit.card != NO_CARD:
        game.decks_of[visit.icon].insert(0, visit.card)
    game.visit = None


def killed(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Discard the inventory, set HP to its maximum and ask for a starting space (W-KILL-1 to 3)."""
    survivor = game.survivors[step.seat]
    for card in survivor.inventory:
        discard_card(game, card)
    survivor.inventory.clear()
    survivor.hp = survivor.hp_max
    if game.ways.shared:
        push(game, "factions-grow", NOBODY)
    if survivor.hp <= survivor.rads:
        eliminate(game, step.seat)
        return
    remind(game, "survivor-killed", step.seat)
    ask(game, step.seat, "start-space", "W-KILL-1")


def start_spaces(game: WastelandPosition, _choice: AskedChoice) -> list[str]:
    return list(game.scenario.start_spaces)


def answer_start_space(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Put the figure there; that is no move (A-34)."""
    game.survivors[choice.by].at = option
    game.events.append(SurvivorPlaced(choice.by, at=option))


def eliminate(game: WastelandPosition, seat: int) -> None:
    """Take a survivor who is dead at full HP out of the game, with everything of its own (W-KILL-6)."""
    survivor = game.survivors[seat]
    survivor.eliminated = True
    game.agendas.discards += survivor.hand
    for card in survivor.held():
        discard_card(game, card)
    game.perks += survivor.perks
    for letter in letters_of(survivor.letters):
        game.supply[LETTER_NUMBER[letter]] += LETTER_NUMBER[letter] != pegs.own_letter(game, seat)
    survivor.hand, survivor.answers, survivor.perks, survivor.inventory = [], [], [], []
    survivor.slots = [NO_CARD, NO_CARD, NO_CARD]
    survivor.revealed = survivor.beside = NO_CARD
    survivor.letters, survivor.caps, survivor.hole, survivor.at = 0, 0, START_HOLE, ""
    survivor.traits = survivor.locked = frozenset()
    game.events.append(PlainEvent("eliminated", seat))
    drop_work_of(game, seat)
    if not game.alive():
        ending.common_loss(game, "eliminated")
        return
    if game.turn == seat:
        push(game, "end-turn", seat)
    if game.first == seat:
        sequence.pass_deck(game)


def suffer_damage(game: WastelandPosition, seat: int, amount: int) -> bool:
    """Lower the HP peg; return whether that killed the survivor (W-HP-1)."""
    survivor = game.survivors[seat]
    lost = min(amount, survivor.hp)
    survivor.hp -= lost
    if lost:
        game.events.append(DamageTaken(seat, amount=lost, hp=survivor.hp))
    return check(game, seat)


def change_rads(game: WastelandPosition, seat: int, amount: int) -> bool:
    """Move the rads peg; HP stays. Return whether that killed the survivor (W-HP-1, W-HP-5)."""
    survivor = game.survivors[seat]
    rads = max(0, min(survivor.rads + amount, rads_max(game, seat)))
    if rads != survivor.rads:
        game.events.append(RadsChanged(seat, amount=rads - survivor.rads, rads=rads))
    survivor.rads = rads
    return check(game, seat)


def heal(game: WastelandPosition, seat: int, amount: int) -> None:
    """Raise the HP peg, never above the maximum (W-CAMP-2)."""
    survivor = game.survivors[seat]
    gained = min(amount, survivor.hp_max - survivor.hp)
    survivor.hp += gained
    if gained:
        game.events.append(DamageHealed(seat, amount=gained, hp=survivor.hp))


def rads_max(game: WastelandPosition, seat: int) -> int:
    """Return the end of the track for rads, never short of the survivor's own maximum (A-38)."""
    return max(game.box.settings.rads_max, game.survivors[seat].hp_max)


def check(game: WastelandPosition, seat: int) -> bool:
    """Kill a survivor whose HP is not above its rads, whatever the source (W-HP-3, W-HP-4)."""
    survivor = game.survivors[seat]
    if survivor.eliminated or survivor.hp > survivor.rads:
        return False
    survivor_killed(game, seat)
    return True
