"""Fights: two dice against a number (G), with the items that help before and after the roll (I2, I5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.shelter import injuries
from companion.games.shelter.asking import ask_placer
from companion.games.shelter.hands import exhaust, find_ready, ready_items

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.choice import Choice
    from companion.games.shelter.figures import Placement
    from companion.games.shelter.game import Game

ROLL: Final = "roll"
KEEP: Final = "keep"
USE: Final = "use:"


def fight(game: Game, placement: Placement, chance: Chance, number: int) -> bool:
    """The fight icon: the player is asked to roll, even where there is nothing else to do (G1)."""
    ask_placer(game, placement, "fight", "G1", number)
    return True


def fight_options(game: Game, choice: Choice) -> list[str]:
    """Roll, or first a weapon that works before the roll (I5)."""
    return [ROLL, *dict.fromkeys(USE + kind.name for kind in ready_items(game, choice.by) if kind.roll_bonus)]


def answer_fight(game: Game, placement: Placement, chance: Chance, choice: Choice, option: str) -> bool:
    """A weapon is made ready to fire, or the dice are rolled."""
    if option == ROLL:
        return _roll(game, placement, chance, choice.data)
    weapon = find_ready(game, placement.by, option.removeprefix(USE))
    exhaust(game, placement.by, weapon)
    placement.bonus += weapon.roll_bonus
    return fight(game, placement, chance, choice.data)


def bonus_of(game: Game, colour: int) -> int:
    """What a player's items always add to a fight's roll (I5)."""
    return sum([game.box.items[card >> 1].passive_bonus for card in game.hands[colour]])


def _roll(game: Game, placement: Placement, chance: Chance, number: int) -> bool:
    placement.dice = chance.roll(game.rolls)
    game.rolls += 1
    bonus = placement.bonus + bonus_of(game, placement.by)
    game.events.append(("rolled", placement.by, placement.space, placement.dice, bonus, number))
    if len(_rerolls(game, placement.by)) > 1:
        ask_placer(game, placement, "reroll", "I2", number)
        return True
    return _settle(game, placement, number)


def reroll_options(game: Game, choice: Choice) -> list[str]:
    """Keep the roll, or use an item that rolls again."""
    return _rerolls(game, choice.by)


def _rerolls(game: Game, colour: int) -> list[str]:
    return [KEEP, *dict.fromkeys(USE + kind.name for kind in ready_items(game, colour) if kind.rerolls)]


def answer_reroll(game: Game, placement: Placement, chance: Chance, choice: Choice, option: str) -> bool:
    """The roll stands, or it is made again at once; the bonuses count again (I2)."""
    if option == KEEP:
        return _settle(game, placement, choice.data)
    exhaust(game, placement.by, find_ready(game, placement.by, option.removeprefix(USE)))
    return _roll(game, placement, chance, choice.data)


def _settle(game: Game, placement: Placement, number: int) -> bool:
    """Equal or more wins and the reward follows; less injures and there is none (G1, G6)."""
    first, second = placement.dice
    total = first + second + placement.bonus + bonus_of(game, placement.by)
    if total >= number:
        game.events.append(("won", placement.by, placement.space, total, number))
        return False
    game.events.append(("defeated", placement.by, placement.space, total, number))
    placement.at = len(placement.program)
    if game.rules.linked_loss_injures_one:
        injuries.injure_one(game, placement.space, 0)
    else:
        injuries.injure_all(game, placement.space)
    return False
