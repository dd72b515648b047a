"""Fights: two dice against a number (G), with the items that help before and after the roll (I2, I5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.shelter.call import roll_bonus
from companion.games.shelter.cards.hand import KEEP, ROLL, USE, exhaust, find_ready
from companion.games.shelter.events import FightLost, FightRolled, FightWon
from companion.games.shelter.turn import rewards
from companion.games.shelter.turn.asking import ask_placer

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.board.vault import OngoingPlacement, PendingShelterChoice
    from companion.games.shelter.position import ShelterPosition


def fight(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Ask the player to roll, even where there is nothing else to do (G1); each placement is one attempt (G7)."""
    ask_placer(game, placement, "fight", "G1", number)
    return True


def fight_again(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Ask for the roll that a doubled reward takes by option (A7); what was used before the first counts no more."""
    placement.bonus = 0
    return fight(game, placement, chance, number)


def fight_options(game: ShelterPosition, choice: PendingShelterChoice) -> list[str]:
    return game.hands[choice.by].before_roll


def answer_fight(
    game: ShelterPosition, placement: OngoingPlacement, chance: Chance, choice: PendingShelterChoice, option: str
) -> bool:
    """Use a weapon (I5), or roll the dice."""
    if option == ROLL:
        return _roll(game, placement, chance, choice.data)
    weapon = find_ready(game, placement.by, option.removeprefix(USE))
    exhaust(game, placement.by, weapon)
    placement.bonus += weapon.roll_bonus
    return fight(game, placement, chance, choice.data)


def _roll(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    placement.dice = chance.roll(game.rolls)
    game.rolls += 1
    bonus = placement.bonus + roll_bonus(game, placement.by)
    game.events.append(FightRolled(placement.by, placement.space, placement.dice, bonus, number))
    if len(game.hands[placement.by].after_roll) > 1:
        ask_placer(game, placement, "reroll", "I2", number)
        return True
    return _settle(game, placement, number)


def reroll_options(game: ShelterPosition, choice: PendingShelterChoice) -> list[str]:
    return game.hands[choice.by].after_roll


def answer_reroll(
    game: ShelterPosition, placement: OngoingPlacement, chance: Chance, choice: PendingShelterChoice, option: str
) -> bool:
    """Keep the roll, or make it again at once; the bonuses count again (I2)."""
    if option == KEEP:
        return _settle(game, placement, choice.data)
    exhaust(game, placement.by, find_ready(game, placement.by, option.removeprefix(USE)))
    return _roll(game, placement, chance, choice.data)


def _settle(game: ShelterPosition, placement: OngoingPlacement, number: int) -> bool:
    """End the fight: equal or more wins and the reward follows; less injures and there is none (G1, G6)."""
    first, second = placement.dice
    total = first + second + placement.bonus + roll_bonus(game, placement.by)
    if total >= number:
        game.events.append(FightWon(placement.by, placement.space, total, number))
        rewards.praised(game, placement.by, "fight")
        return False
    game.events.append(FightLost(placement.by, placement.space, total, number))
    placement.at = len(placement.program)
    if game.rules.linked_loss_injures_one:
        rewards.injure_one(game, placement.space, 0)
    else:
        rewards.injure_all(game, placement.space)
    return False
