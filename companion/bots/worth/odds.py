"""Exact odds: of a fight with and without each item, and of the columns in which threats spawn."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Final, TypedDict

from companion.games.shelter.call import levels_to_roll, roll_bonus
from companion.games.shelter.cards.hand import USE
from companion.games.shelter.turn.rounds import space_for
from companion.games.shelter.words import SPACE_NAMES, SPAWN

if TYPE_CHECKING:
    from companion.games.shelter.cards.box import ItemKind
    from companion.games.shelter.game import ShelterGame

SIDES: Final = range(1, 7)
THROWS: Final = tuple(sum(1 for pair in product(SIDES, SIDES) if sum(pair) == total) for total in range(13))
"""How many of the 36 throws of two dice make each sum."""

AT_LEAST: Final = tuple(sum(THROWS[max(0, number) :]) / 36 for number in range(40))


def at_least(number: int) -> Fraction:
    """The chance that two dice make a number or more (G1)."""
    return Fraction(sum(THROWS[max(0, number) :]), 36)


def of_fight(number: int, bonus: int, rerolls: int = 0) -> Fraction:
    """The chance to win a fight with a bonus, rolling again while it is lost and an item allows it."""
    lost = 1 - at_least(number - bonus)
    return 1 - lost ** (rerolls + 1)


class FightItems:
    """What a player's items can do for a fight: what always counts, weapons for before the roll, rerolls after it."""

    def __init__(self, game: ShelterGame, colour: int) -> None:
        hand = game.hands[colour]
        ready = [game.box.items[card >> 1] for card in hand.cards if not card & 1]
        self.always = roll_bonus(game, colour)
        self.weapons: list[ItemKind] = [item for item in ready if item.roll_bonus]
        self.rerolls: list[ItemKind] = [item for item in ready if item.rerolls]


# A fight before it is fought: the chances to win it bare, with each helpful item alone, and with everything.
FightChances = TypedDict(
    "FightChances",
    {"space": str, "number": int, "bonus": int, "bare": float, "with": "dict[str, float]", "with_everything": float},
)


class ColumnChance(TypedDict):
    """How likely the next threat step rolls a column, and where a threat would lie (T2, T3)."""

    level: int
    column: int
    chance: float
    space: str | None


def fight_now(game: ShelterGame, colour: int, space: int) -> FightChances | None:
    """Return the chances in a fight; None if there is none."""
    face = game.vault.faces[space]
    if face is None or not face.fight:
        return None
    aid = FightItems(game, colour)
    under_way = game.placement
    fired = under_way.bonus if under_way is not None and under_way.by == colour and under_way.space == space else 0
    bonus = aid.always + fired
    with_items = {USE + item.name: of_fight(face.fight, bonus + item.roll_bonus) for item in aid.weapons}
    with_items |= {USE + item.name: of_fight(face.fight, bonus, 1) for item in aid.rerolls}
    everything = bonus + sum(item.roll_bonus for item in aid.weapons)
    return {
        "space": SPACE_NAMES[space],
        "number": face.fight,
        "bonus": bonus,
        "bare": float(of_fight(face.fight, bonus)),
        "with": {option: float(chance) for option, chance in with_items.items()},
        "with_everything": float(of_fight(face.fight, everything, len(aid.rerolls))),
    }


def columns_tonight(game: ShelterGame) -> list[ColumnChance]:
    return [
        {
            "level": level + 1,
            "column": number,
            "chance": THROWS[number] / 36,
            "space": _spawn_space(game, level, number),
        }
        for level in range(len(game.owners))
        for number in range(2, 13)
    ]


def threatened(game: ShelterGame, level: int) -> Fraction:
    """The chance that a level gets a threat in the next threat step, if the deck holds out."""
    return Fraction(sum(THROWS[number] for number in range(2, 13) if _spawn_space(game, level, number) is not None), 36)


def rolls_to_come(game: ShelterGame, level: int) -> int:
    """Return how often the next threat step rolls for a level: a house call may have it twice, or not at all (W6)."""
    number = game.round if game.phase == SPAWN else game.round + 1
    return levels_to_roll(game, number).count(level)


def _spawn_space(game: ShelterGame, level: int, number: int) -> str | None:
    space, _ = space_for(game, game.vault.threats, level, number)
    return SPACE_NAMES[space] if space >= 0 else None
