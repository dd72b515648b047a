"""Placing dwellers: what a turn does, and why a placement is refused (R, P, A3, A4, J2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.shelter.board.vault import FREE as COSTS_NOTHING
from companion.games.shelter.board.vault import ONE, OngoingPlacement, Standing
from companion.games.shelter.cards.hand import exhaust, find_ready
from companion.games.shelter.events import TURN_PASSED, DwellersPlaced, dwellers_placed
from companion.games.shelter.turn.asking import go_on, next_turn, refuse_while_income_is_due
from companion.games.shelter.turn.paying import take_cubes
from companion.games.shelter.turn.standing import (
    fitting,
    helped_by,
    lettered_for,
    open_spaces,
    payable,
    payable_with,
    rewarding,
    with_power,
)
from companion.games.shelter.words import (
    COLOURS,
    DWELLERS,
    INJURED,
    INJURED_TRAINED,
    PHASES,
    PLACE,
    PLAIN,
    SPACE_NAMES,
    SPACES,
    UNINJURED_TRAINED,
    UNKNOWN,
)
from companion.refusal import Refusal

ONE_PLAIN: Final = (PLAIN,)
PLACED: Final = tuple(
    tuple(DwellersPlaced(colour, space, ONE_PLAIN, doubled=False) for space in range(SPACES))
    for colour in range(len(COLOURS))
)
ALONE: Final = tuple(Standing(colour, ONE_PLAIN) for colour in range(len(COLOURS)))  # one plain dweller of each colour

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.board.vault import Face, Step
    from companion.games.shelter.cards.box import ItemKind
    from companion.games.shelter.moves import Move
    from companion.games.shelter.position import ShelterPosition


def refuse_unless_on_turn(game: ShelterPosition, move: Move) -> None:
    """Refuse by R4, the phase, R2 and an open income (M3), in that order."""
    colour = move.by
    if colour not in game.seats:
        raise Refusal("not_playing", "C1", f"{COLOURS[colour]} is not playing.", by=COLOURS[colour])
    if game.passed >> colour & 1:
        raise Refusal("has_passed", "R4", f"{COLOURS[colour]} has passed.", by=COLOURS[colour])
    if game.phase != PLACE:
        raise Refusal(
            "wrong_phase", "R1", "Dwellers are not being placed now.", phase=PHASES[game.phase], by=COLOURS[colour]
        )
    if game.turn != colour:
        raise Refusal(
            "not_your_turn", "R2", f"It is {COLOURS[game.turn]}'s turn.", by=COLOURS[colour], turn=COLOURS[game.turn]
        )
    if game.placement is not None:
        raise Refusal("already_placed", "R2", f"{COLOURS[colour]}'s placement waits for a choice.", by=COLOURS[colour])
    if game.pending:
        refuse_while_income_is_due(game, colour)


def pass_turn(game: ShelterPosition, move: Move) -> None:
    refuse_unless_on_turn(game, move)
    game.passed |= 1 << move.by
    game.events.append(TURN_PASSED[move.by])
    next_turn(game)


def place(game: ShelterPosition, move: Move, chance: Chance) -> None:
    """Put dwellers on a space: the cost is paid, then the rewards are gained (P1, P2, P3)."""
    colour, space = move.by, move.space
    if game.turn != colour or game.phase != PLACE or game.placement is not None or space < 0 or game.pending:
        refuse_unless_on_turn(game, move)
    if space < 0:
        raise Refusal("no_such_space", "P1", f"There is no space {move.option!r} in the vault.", space=move.option)
    vault = game.vault
    face = vault.faces[space]
    bit = 1 << space
    if face is None or not open_spaces(game, colour) & bit:
        raise why_not_there(game, colour, space)
    dwellers = move.dwellers or _engine_takes(game, colour, face)
    alone = dwellers == ONE_PLAIN
    if not alone or not game.plain[colour] or not vault.circles[ONE] & bit:
        _refuse_unless_available(game, colour, dwellers)
        if not fitting(vault, dwellers) & bit:
            raise _why_not_fitting(space, face, dwellers)
    item = _item_worn(game, move, dwellers) if move.use else None
    if item is not None or not face.free_of_charge or game.rules.reward_must_fit:
        _refuse_unless_payable(game, move, item)
    doubled = item is not None or (not alone and _is_doubled_by(game, face, dwellers, bit))
    if alone:
        game.plain[colour] -= 1
        game.placed[space] = ALONE[colour]
    else:
        _stand_up(game, colour, space, dwellers)
    game.taken |= bit
    game.events.append(
        PLACED[colour][space] if alone and not doubled else dwellers_placed(colour, space, dwellers, doubled)
    )
    placement = OngoingPlacement(colour, space, face, _program(game, face) if doubled else face.once, face.price)
    if face.left_open and game.rules.exchange_all_turn:
        placement.program = face.left_open.get(placement.program, placement.program)
    game.placement = placement
    if item is not None:
        _use_worn(game, placement, item)
    go_on(game, placement, chance)


def _program(game: ShelterPosition, face: Face) -> tuple[Step, ...]:
    """Return what happens where the reward is doubled; a fight is rolled once (A7), by option for each reward."""
    return face.each if game.rules.fight_for_each_reward else face.twice


def _is_doubled_by(game: ShelterPosition, face: Face, dwellers: tuple[int, ...], bit: int) -> bool:
    """Return whether these dwellers gain the reward twice; by option never on a linked space (A4, A5)."""
    return bool(lettered_for(game.vault, dwellers) & bit) and not (face.linked and game.rules.linked_never_doubled)


def _use_worn(game: ShelterPosition, placement: OngoingPlacement, item: ItemKind) -> None:
    """Use the item that helps; what it costs beside a space that costs no cubes is paid here."""
    placement.price = with_power(placement.price, item)
    exhaust(game, placement.by, item)
    if placement.face.price == COSTS_NOTHING:
        take_cubes(game, placement.by, placement.price)


def _stand_up(game: ShelterPosition, colour: int, space: int, dwellers: tuple[int, ...]) -> None:
    """Take dwellers from the player's supply; their training is used up (A3)."""
    for dweller in dwellers:
        if dweller == PLAIN:
            game.plain[colour] -= 1
        elif dweller == INJURED:
            game.hurt[colour] -= 1
        else:
            game.trained[colour] &= ~(1 << dweller)
    standing = tuple([INJURED if dweller >= INJURED else PLAIN for dweller in dwellers])
    game.placed[space] = Standing(colour, standing)


def _refuse_unless_payable(game: ShelterPosition, move: Move, item: ItemKind | None) -> None:
    """Refuse where the cost cannot be paid (P2), or by option where the reward would be lost (P8)."""
    bit, by, name = 1 << move.space, COLOURS[move.by], SPACE_NAMES[move.space]
    can = payable(game, move.by, bit) if item is None else payable_with(game, move.by, item, bit)
    if not can:
        raise Refusal("cannot_pay", "P2", "The whole cost cannot be paid.", by=by, space=name)
    if not rewarding(game, move.by, bit):
        raise Refusal("reward_lost", "P8", f"The reward of {name} could not be taken.", space=name, by=by)


def why_not_there(game: ShelterPosition, colour: int, space: int) -> Refusal:
    """Return why a space is closed: there is none, its threat is unknown, taken (P1), new (B6), another's (P4)."""
    name = SPACE_NAMES[space]
    if game.vault.faces[space] is None:
        if game.vault.threats.get(space) == UNKNOWN:
            return Refusal("card_unknown", "P5", f"Nobody has said which threat lies on {name}.", space=name)
        return Refusal("no_such_space", "P1", f"There is no space {name} in the vault.", space=name)
    if game.taken >> space & 1:
        who = COLOURS[game.placed[space].colour]
        return Refusal("space_taken", "P1", f"{name} is taken by {who}.", space=name, by=who)
    if game.vault.fresh >> space & 1:
        return Refusal("room_not_ready", "B6", f"{name} can be used from the next round on.", space=name)
    return Refusal("not_your_elevator", "P4", f"{name} is another player's elevator.", space=name, by=COLOURS[colour])


def _engine_takes(game: ShelterPosition, colour: int, face: Face) -> tuple[int, ...]:
    """Choose dwellers where none are named: plain before trained, by letter; injured ones where they are needed."""
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


def _refuse_unless_available(game: ShelterPosition, colour: int, dwellers: tuple[int, ...]) -> None:
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


def _why_not_fitting(space: int, face: Face, dwellers: tuple[int, ...]) -> Refusal:
    """Return why these dwellers do not fit: by injury (J2) or linked circles (P6); a letter keeps nobody away (A6)."""
    name = SPACE_NAMES[space]
    for dweller in dwellers:
        if (dweller >= INJURED) != face.injured_only:
            return Refusal(
                "not_injured" if face.injured_only else "injured",
                "J2",
                f"Only an injured dweller may stand on {name}."
                if face.injured_only
                else f"An injured dweller cannot stand on {name}.",
                space=name,
                dweller=DWELLERS[dweller],
            )
    return Refusal(
        "two_dwellers" if face.linked else "one_dweller",
        "P6",
        f"{name} takes two dwellers in one turn." if face.linked else f"{name} takes one dweller.",
        space=name,
    )


def _item_worn(game: ShelterPosition, move: Move, dwellers: tuple[int, ...]) -> ItemKind:
    """Return the item that makes the dweller count as trained in the letter of the space, or refuse (I2)."""
    item = find_ready(game, move.by, move.use[0])
    helped = helped_by(game, item) & ~lettered_for(game.vault, dwellers)
    if not helped >> move.space & 1:
        raise _no_help(move, move.use[0])
    for name in move.use[1:]:
        find_ready(game, move.by, name)
        raise _no_help(move, name)
    return item


def _no_help(move: Move, item: str) -> Refusal:
    return Refusal("item_no_help", "I2", f"{item} does not help on {SPACE_NAMES[move.space]}.", item=item)
