"""Fights: two dice against a number (G), with the items that help before and after the roll (I2, I5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.shelter import injuries
from companion.games.shelter.asking import ask_placer, under_way
from companion.games.shelter.hands import exhaust, find_ready, ready_items

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.game import Game

ROLL: Final = "roll"
KEEP: Final = "keep"
USE: Final = "use:"


def fight(game: Game, chance: Chance, number: int) -> bool:  # noqa: ARG001 - every step has these three
    """The fight icon: the player is asked to roll, even where there is nothing else to do (G1)."""
    ask_placer(game, "fight", "G1", number)
    return True


def fight_options(game: Game, colour: int) -> list[str]:
    """Roll, or first a weapon that works before the roll (I5)."""
    return [ROLL, *dict.fromkeys(USE + kind.name for kind in ready_items(game, colour) if kind.roll_bonus)]


def answer_fight(game: Game, chance: Chance, number: int, option: str) -> bool:
    """A weapon is made ready to fire, or the dice are rolled."""
    placement = under_way(game)
    if option != ROLL:
        weapon = find_ready(game, placement.by, option.removeprefix(USE))
        exhaust(game, placement.by, weapon)
        placement.bonus += weapon.roll_bonus
        ask_placer(game, "fight", "G1", number)
        return True
    return _roll(game, chance, number)


def bonus_of(game: Game, colour: int) -> int:
    """What a player's items always add to a fight's roll (I5)."""
    return sum(game.box.items[card >> 1].passive_bonus for card in game.hands[colour])


def _roll(game: Game, chance: Chance, number: int) -> bool:
    placement = under_way(game)
    placement.dice = chance.roll(game.rolls)
    game.rolls += 1
    bonus = placement.bonus + bonus_of(game, placement.by)
    game.events.append(("rolled", placement.by, placement.space, placement.dice, bonus, number))
    if len(reroll_options(game, placement.by)) > 1:
        ask_placer(game, "reroll", "I2", number)
        return True
    return _settle(game, number)


def reroll_options(game: Game, colour: int) -> list[str]:
    """Keep the roll, or use an item that rolls again."""
    return [KEEP, *dict.fromkeys(USE + kind.name for kind in ready_items(game, colour) if kind.rerolls)]


def answer_reroll(game: Game, chance: Chance, number: int, option: str) -> bool:
    """The roll stands, or it is made again at once; the bonuses count again (I2)."""
    if option == KEEP:
        return _settle(game, number)
    placement = under_way(game)
    exhaust(game, placement.by, find_ready(game, placement.by, option.removeprefix(USE)))
    return _roll(game, chance, number)


def _settle(game: Game, number: int) -> bool:
    """Equal or more wins and the reward follows; less injures and there is none (G1, G6)."""
    placement = under_way(game)
    total = sum(placement.dice) + placement.bonus + bonus_of(game, placement.by)
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
