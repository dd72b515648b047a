"""Answers to open choices, and the use of items at any time: each by what it is worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from companion.bots.worth.odds import AT_LEAST
from companion.bots.worth.purse import UNIT
from companion.cards.item_effects import Act, Action, ExchangeOnce
from companion.games.shelter.board.vault import STACKS
from companion.games.shelter.call import roll_bonus
from companion.games.shelter.cards.hand import KEEP, ROLL, USE
from companion.games.shelter.cards.program import price_of
from companion.games.shelter.moves import answers
from companion.games.shelter.turn import choices
from companion.games.shelter.turn.paying import ANY, DECLINE, NONE
from companion.games.shelter.turn.rewards import DONE
from companion.games.shelter.words import (
    DWELLER_NUMBER,
    ITEMS,
    RESOURCE_NUMBER,
    ROOMS,
    SPACE_NUMBER,
    SYMBOLS,
    TRACK_LENGTH,
)

if TYPE_CHECKING:
    from companion.bots.worth.outlook import Outlook
    from companion.bots.worth.placements import Appraiser
    from companion.games.shelter.board.vault import PendingShelterChoice, Price
    from companion.games.shelter.moves import Move

NEVER: Final = -9.0
AT_ONCE: Final = 50.0  # an item that helps now is used before the dweller is placed
HELPS: Final = 0.04
SURELY: Final = 0.02
SAVED: Final = 0.1
BETTER: Final = 0.3
THROWN_AWAY: Final = 0.3

Pick = Callable[["Outlook", list[str]], str]


class ChoicePolicy:
    """Picks the best option of each kind of choice."""

    def __init__(self, appraiser: Appraiser) -> None:
        self._appraiser = appraiser
        self._picks: Final[dict[str, Pick]] = {
            "income": _resource_to_gain,
            "resource": _resource_to_gain,
            "pay-resource": _resource_to_pay,
            "item": _item_to_take,
            "build": self._room,
            "discount": _discount,
            "pay-item": _item_to_give,
            "fight": _before_the_roll,
            "reroll": _after_the_roll,
            "exchange": _exchange,
            "ready": _item_to_ready,
            "heal": _dweller_to_heal,
            "letter": _letter,
        }

    def answer(self, outlook: Outlook, choice: PendingShelterChoice) -> Move:
        """Return the best answer to the first open choice of a seat."""
        offered = choices.options(outlook.game, choice)
        option = offered[0] if len(offered) == 1 else self._picks[choice.kind](outlook, offered)
        return answers(choice.by, [option])[0]

    def _room(self, outlook: Outlook, offered: list[str]) -> str:
        """Pick the best room, on the side with fewer rooms."""
        best, most = offered[0], NEVER
        purse, state = outlook.purse, outlook.state
        rooms, numbers = outlook.box.rooms, outlook.box.numbers[ROOMS]
        left, right = outlook.game.vault.openings[outlook.level]
        for option in offered:
            if option == DECLINE:
                continue
            name, _, side = option.partition("@")
            room = rooms[numbers[name]]
            worth = self._appraiser.room(outlook, numbers[name]) + purse.table[purse.paid(state, room.price)]
            if (side == "left") == (left >= 6 - right):
                worth += SURELY / 2
            if worth > most:
                best, most = option, worth
        return best

    def use(self, outlook: Outlook, move: Move) -> float:
        """Return the worth of using an item: much, so that it comes first, or nothing."""
        item = outlook.box.items[outlook.box.numbers[ITEMS][move.item]]
        match item.any_time:
            case ExchangeOnce() as exchange:
                helps = _gain_by(outlook, exchange) > HELPS
            case Act(action=Action.READY):
                helps = _readying_helps(outlook)
            case Act(action=Action.HEAL):
                helps = _healing_helps(outlook)
            case Act(action=Action.SWAP):
                helps = _swapping_helps(outlook)
            case _:  # what nobody has judged is used whenever the rules offer it
                helps = True
        return AT_ONCE if helps else NEVER


def _gain_by(outlook: Outlook, exchange: ExchangeOnce) -> float:
    gain = [0, 0, 0]
    gain[RESOURCE_NUMBER[exchange.gain.resource.value]] = exchange.gain.amount
    purse, state = outlook.purse, outlook.state
    after = purse.exchanged(state, price_of([exchange.pay]), (gain[0], gain[1], gain[2], 0))
    return purse.table[after] - purse.table[state]


# --- items at any time ------------------------------------------------------------------------------------------------


def _readying_helps(outlook: Outlook) -> bool:
    """Return whether something worth readying is exhausted, other than an item that only readies in turn."""
    return any(not _readies(outlook, name) for name in outlook.game.hands[outlook.colour].exhausted)


def _readies(outlook: Outlook, name: str) -> bool:
    effect = outlook.box.items[outlook.box.numbers[ITEMS][name]].any_time
    return isinstance(effect, Act) and effect.action in (Action.READY, Action.SWAP)


def _healing_helps(outlook: Outlook) -> bool:
    """Return whether an injury matters: there are rounds to come, or the dweller is on a threat of one's own level."""
    game = outlook.game
    if outlook.ahead or game.hurt[outlook.colour]:
        return True
    return any(
        standing.colour == outlook.colour and space in game.vault.threats for space, standing in game.placed.items()
    )


def _swapping_helps(outlook: Outlook) -> bool:
    """Return whether the best item of the track is clearly better than one's worst."""
    hand = outlook.game.hands[outlook.colour].names()
    return outlook.best_item() > min(_item(outlook, name) for name in hand) + BETTER


# --- resources --------------------------------------------------------------------------------------------------------


def _resource_to_gain(outlook: Outlook, offered: list[str]) -> str:
    table, state = outlook.purse.table, outlook.state
    best, most = offered[0], NEVER
    for option in offered:
        resource = RESOURCE_NUMBER.get(option)
        if resource is None:
            continue
        unit = UNIT[resource]
        after = state + unit if state // unit % STACKS < TRACK_LENGTH else state
        if table[after] > most:
            best, most = option, table[after]
    return best


def _resource_to_pay(outlook: Outlook, offered: list[str]) -> str:
    table, state = outlook.purse.table, outlook.state
    return max(offered, key=lambda option: table[state - UNIT[RESOURCE_NUMBER[option]]])


def _discount(outlook: Outlook, offered: list[str]) -> str:
    """Pick the resource that one would miss most."""
    table, state = outlook.purse.table, outlook.state
    saved = {NONE: -SAVED, ANY: SAVED / 2}
    for option in offered:
        if option in RESOURCE_NUMBER:
            unit = UNIT[RESOURCE_NUMBER[option]]
            saved[option] = table[state] - table[state - unit] if state // unit % STACKS else SAVED
    return max(offered, key=saved.__getitem__)


def _exchange(outlook: Outlook, offered: list[str]) -> str:
    """Pick the direction that makes the tracker clearly better, else stop, so that it never exchanges back."""
    purse, state = outlook.purse, outlook.state
    best, most = DONE, purse.table[state] + SURELY
    for option in offered:
        if option == DONE:
            continue
        paid, gained = option.split("->")
        after = purse.exchanged(state, _cubes(paid), _cubes(gained))
        if purse.table[after] > most:
            best, most = option, purse.table[after]
    return best


def _cubes(text: str) -> Price:
    cubes = [0, 0, 0]
    cubes[SYMBOLS.index(text[-1])] = int(text[:-1])
    return cubes[0], cubes[1], cubes[2], 0


# --- items and dwellers -----------------------------------------------------------------------------------------------


def _item(outlook: Outlook, name: str) -> float:
    return outlook.worth_of(outlook.box.items[outlook.box.numbers[ITEMS][name]])


def _item_to_take(outlook: Outlook, offered: list[str]) -> str:
    return max(offered, key=lambda name: _item(outlook, name))


def _item_to_give(outlook: Outlook, offered: list[str]) -> str:
    return min(offered, key=lambda name: _item(outlook, name))


def _item_to_ready(outlook: Outlook, offered: list[str]) -> str:
    """The most useful one; an item that readies others only if there is nothing else, or it would never end."""
    return max(offered, key=lambda name: (not _readies(outlook, name), _item(outlook, name)))


def _dweller_to_heal(outlook: Outlook, offered: list[str]) -> str:
    """Pick a dweller on a threat of one's own level first: healed there, it defeats the threat (G3)."""
    return max(offered, key=lambda option: _heal_rank(outlook, option))


def _heal_rank(outlook: Outlook, option: str) -> float:
    space = SPACE_NUMBER.get(option)
    if space is None:
        return 1.0
    if space not in outlook.game.vault.threats:
        return 0.0
    return 0.5 + 2 * outlook.threat_gone(space)


def _letter(outlook: Outlook, offered: list[str]) -> str:
    lettered = outlook.game.vault.lettered
    return max(offered, key=lambda letter: lettered[DWELLER_NUMBER[letter]].bit_count())


# --- fights -----------------------------------------------------------------------------------------------------------


def _before_the_roll(outlook: Outlook, offered: list[str]) -> str:
    """Pick a weapon that makes the odds clearly better; one that is discarded only where it matters."""
    needed, _ = _fight(outlook)
    bare = AT_LEAST[max(0, needed)]
    best, most = ROLL, 0.0
    for option in offered:
        if option == ROLL:
            continue
        weapon = outlook.box.items[outlook.box.numbers[ITEMS][option.removeprefix(USE)]]
        better = AT_LEAST[max(0, needed - weapon.roll_bonus)] - bare - (THROWN_AWAY if weapon.discarded else SURELY)
        if better > most:
            best, most = option, better
    return best


def _after_the_roll(outlook: Outlook, offered: list[str]) -> str:
    needed, rolled = _fight(outlook)
    return KEEP if rolled >= needed else offered[-1]


def _fight(outlook: Outlook) -> tuple[int, int]:
    """Return what the dice of the fight under way have to show, and what they show."""
    placement = outlook.game.placement
    if placement is None:
        raise AssertionError("a fight is part of a placement")
    bonus = placement.bonus + roll_bonus(outlook.game, outlook.colour)
    return placement.face.fight - bonus, sum(placement.dice)
