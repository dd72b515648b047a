"""Placing dwellers: who may stand where, and what a turn does (R, P, A3, A4, J2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.effects import CountsAsTrained
from companion.games.refusal import Refusal
from companion.games.shelter.asking import go_on, next_turn
from companion.games.shelter.figures import Placement, Standing
from companion.games.shelter.hands import exhaust, find_ready
from companion.games.shelter.paying import can_afford
from companion.games.shelter.places import SPACE_NAMES
from companion.games.shelter.words import (
    COLOURS,
    DWELLER_NUMBER,
    DWELLERS,
    INJURED,
    INJURED_TRAINED,
    PHASES,
    PLACE,
    PLAIN,
    RESOURCE_NUMBER,
    RESOURCES,
    UNINJURED_TRAINED,
    UNKNOWN,
)

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.box import ItemKind
    from companion.games.shelter.face import Face, Price
    from companion.games.shelter.game import Game
    from companion.games.shelter.moves import Move


def refuse_unless_on_turn(game: Game, move: Move) -> None:
    """The phase, R4 and R2, in that order."""
    colour = move.by
    if colour not in game.seats:
        raise Refusal("not_playing", "C1", f"{COLOURS[colour]} is not playing.", by=COLOURS[colour])
    if game.phase != PLACE:
        raise Refusal(
            "wrong_phase", "R1", "Dwellers are not being placed now.", phase=PHASES[game.phase], by=COLOURS[colour]
        )
    if game.passed >> colour & 1:
        raise Refusal("has_passed", "R4", f"{COLOURS[colour]} has passed.", by=COLOURS[colour])
    if game.turn != colour:
        raise Refusal(
            "not_your_turn", "R2", f"It is {COLOURS[game.turn]}'s turn.", by=COLOURS[colour], turn=COLOURS[game.turn]
        )
    if game.placement is not None:
        raise Refusal(
            "already_placed", "R2", f"{COLOURS[colour]}'s placement waits for a choice.", by=COLOURS[colour]
        )


def pass_turn(game: Game, move: Move) -> None:
    """No more turns this round (R4)."""
    refuse_unless_on_turn(game, move)
    game.passed |= 1 << move.by
    game.events.append(("passed", move.by))
    next_turn(game)


def place(game: Game, move: Move, chance: Chance) -> None:
    """A dweller is put on a space: the cost is paid, then the rewards are gained (P1, P2, P3)."""
    refuse_unless_on_turn(game, move)
    colour, space = move.by, move.space
    face = refuse_unless_free(game, space)
    if not game.vault.open_to[colour] >> space & 1:
        name = SPACE_NAMES[space]
        raise Refusal("not_your_elevator", "P4", f"{name} is another player's elevator.", space=name)
    dwellers = move.dwellers or _engine_takes(game, colour, face)
    _refuse_unless_available(game, colour, dwellers)
    _refuse_unless_fitting(space, face, dwellers)
    worn = _items_worn(game, move, face, dwellers) if move.use else []
    price = with_power(face.price, worn)
    if not (face.gratis and not worn) and not can_afford(
        game, colour, face, price, sum(item.discarded for item in worn)
    ):
        raise Refusal(
            "cannot_pay", "P2", "The whole cost cannot be paid.", by=COLOURS[colour], space=SPACE_NAMES[space]
        )
    doubled = bool(worn) or _has_letter(face, dwellers)
    for dweller in dwellers:
        _leave(game, colour, dweller)
    game.taken |= 1 << space
    game.placed[space] = Standing(
        colour, tuple([INJURED if dweller >= INJURED else PLAIN for dweller in dwellers]), 0
    )
    game.events.append(("placed", colour, space, dwellers, doubled))
    for item in worn:
        exhaust(game, colour, item)
    program = face.twice if doubled else face.once
    game.placement = Placement(colour, space, face, program, price)
    if worn and not any(face.price):
        _pay_for_power(game, colour, price)
    go_on(game, chance)


def refuse_unless_free(game: Game, space: int) -> Face:
    """P1: the space exists, shows what it costs, and nobody stands there."""
    face = game.vault.faces[space]
    name = SPACE_NAMES[space]
    if face is None:
        if game.vault.threats.get(space) == UNKNOWN:
            raise Refusal("card_unknown", "P5", f"Nobody has said which threat lies on {name}.", space=name)
        raise Refusal("no_such_space", "P1", f"There is no space {name} in the vault.", space=name)
    if game.taken >> space & 1:
        who = COLOURS[game.placed[space].colour]
        raise Refusal("space_taken", "P1", f"{name} is taken by {who}.", space=name, by=who)
    return face


def _engine_takes(game: Game, colour: int, face: Face) -> tuple[int, ...]:
    """With no dwellers named: plain before trained, by letter order; injured ones where they are needed."""
    if face.injured_only:
        stock, kind, trained = game.hurt[colour], INJURED, game.trained[colour] & INJURED_TRAINED
    else:
        stock, kind, trained = game.plain[colour], PLAIN, game.trained[colour] & UNINJURED_TRAINED
    wanted = 2 if face.linked else 1
    found = [kind] * min(stock, wanted)
    while len(found) < wanted and trained:
        low = trained & -trained
        found.append(low.bit_length() - 1)
        trained ^= low
    if not found:
        raise Refusal(
            "injured" if not face.injured_only else "not_injured",
            "J2",
            "Only an injured dweller may stand there, and there is none."
            if face.injured_only
            else "No uninjured dweller is available.",
            by=COLOURS[colour],
        )
    return tuple(found)


def _refuse_unless_available(game: Game, colour: int, dwellers: tuple[int, ...]) -> None:
    """P1: a turn places available dwellers."""
    for dweller in dwellers:
        if dweller == PLAIN:
            there = game.plain[colour]
        elif dweller == INJURED:
            there = game.hurt[colour]
        else:
            there = game.trained[colour] >> dweller & 1
        if there < (1 if len(dwellers) == 1 else dwellers.count(dweller)):
            name = DWELLERS[dweller]
            raise Refusal(
                "no_such_dweller",
                "P1",
                f"{COLOURS[colour]} has no such dweller available: {name}.",
                by=COLOURS[colour],
                dweller=name,
            )


def _refuse_unless_fitting(space: int, face: Face, dwellers: tuple[int, ...]) -> None:
    """Injury (J2) and linked circles (P6), in that order."""
    name = SPACE_NAMES[space]
    for dweller in dwellers:
        if (dweller >= INJURED) != face.injured_only:
            raise Refusal(
                "not_injured" if face.injured_only else "injured",
                "J2",
                f"Only an injured dweller may stand on {name}."
                if face.injured_only
                else f"An injured dweller cannot stand on {name}.",
                space=name,
                dweller=DWELLERS[dweller],
            )
    if len(dwellers) != (2 if face.linked else 1):
        raise Refusal(
            "two_dwellers" if face.linked else "one_dweller",
            "P6",
            f"{name} takes two dwellers in one turn." if face.linked else f"{name} takes one dweller.",
            space=name,
        )


def _items_worn(game: Game, move: Move, face: Face, dwellers: tuple[int, ...]) -> list[ItemKind]:
    """The items that make the dweller count as trained in the letter of the space (I2)."""
    worn: list[ItemKind] = []
    for name in move.use:
        item = find_ready(game, move.by, name)
        if worn or not helps(game, item, face, move.space) or _has_letter(face, dwellers):
            raise Refusal(
                "item_no_help", "I2", f"{name} does not help on {SPACE_NAMES[move.space]}.", item=name
            )
        worn.append(item)
    return worn


def _has_letter(face: Face, dwellers: tuple[int, ...]) -> bool:
    """Whether one of the dwellers is trained in the letter of the space (A4, A5)."""
    return face.letter != 0 and (face.letter in dwellers or face.letter + INJURED in dwellers)


def helps(game: Game, item: ItemKind, face: Face, space: int) -> bool:
    """Whether an item makes a dweller count as trained in the letter of this space."""
    effect = item.effect
    if not isinstance(effect, CountsAsTrained) or not face.letter:
        return False
    if effect.letter is None:
        return space in game.vault.threats
    return DWELLER_NUMBER[effect.letter.value] == face.letter


def with_power(price: Price, worn: list[ItemKind]) -> Price:
    """The price of the space and of what the items ask for."""
    for item in worn:
        pay = item.effect.pay
        if pay is not None:
            added = list(price)
            added[RESOURCE_NUMBER[pay.resource.value]] += pay.amount
            price = added[0], added[1], added[2], added[3]
    return price


def _pay_for_power(game: Game, colour: int, price: Price) -> None:
    """A space that costs no cubes has no step that pays; the item's own price is paid here."""
    for resource in range(3):
        if price[resource]:
            game.cubes[3 * colour + resource] -= price[resource]
            game.events.append(("paid", colour, RESOURCES[resource], price[resource]))


def _leave(game: Game, colour: int, dweller: int) -> None:
    """A dweller leaves the player's supply; its training is used up (A3)."""
    if dweller == PLAIN:
        game.plain[colour] -= 1
    elif dweller == INJURED:
        game.hurt[colour] -= 1
    else:
        game.trained[colour] &= ~(1 << dweller)
