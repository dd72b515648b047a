"""Every legal move now, worked out with masks of spaces so that a bot can afford to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.shelter.board.vault import INJURED_PAIR, ONE, ONE_INJURED, PAIR
from companion.games.shelter.cards import items
from companion.games.shelter.moves import PASSES, PLACEMENTS, THE_RECALL, THE_SPAWN, answers, choose, rare_row, use
from companion.games.shelter.turn import choices
from companion.games.shelter.turn.asking import income_is_due
from companion.games.shelter.turn.paying import items_gone
from companion.games.shelter.turn.rounds import holds_the_recall_up
from companion.games.shelter.turn.standing import helped_by, lettered_for, open_spaces, payable, payable_with, rewarding
from companion.games.shelter.words import (
    COLOURS,
    INJURED,
    INJURED_TRAINED,
    OVER,
    PLACE,
    PLAIN,
    RECALL,
    SPAWN,
    UNINJURED_TRAINED,
    UNKNOWN,
    bits,
)

HOLDERS: Final = tuple(tuple(bits(mask)) for mask in range(1 << len(COLOURS)))

if TYPE_CHECKING:
    from companion.games.shelter.board.vault import Vault
    from companion.games.shelter.cards.box import ItemKind
    from companion.games.shelter.moves import Move
    from companion.games.shelter.position import ShelterPosition


def moves(game: ShelterPosition) -> list[Move]:
    """Return the moves of everybody who may move: who is on turn, has a choice open, or holds an item."""
    found: list[Move] = []
    if game.phase == PLACE:
        if game.placement is None and not (game.pending and income_is_due(game, game.turn)):
            found.append(PASSES[game.turn])
            _placements(game, game.turn, found)
    elif game.phase == SPAWN:
        found.append(THE_SPAWN)
    elif game.phase == RECALL and _may_recall(game):
        found.append(THE_RECALL)
    if game.pending:
        _answers(game, found)
    if game.tools and game.phase != OVER:
        _uses(game, found)
    return found


def _may_recall(game: ShelterPosition) -> bool:
    for choice in game.pending:
        if holds_the_recall_up(game, choice):
            return False
    threats = game.vault.threats
    if UNKNOWN not in threats.values():
        return True
    return game.together is None and not any(
        threat == UNKNOWN and space in game.placed for space, threat in threats.items()
    )


def _placements(game: ShelterPosition, colour: int, found: list[Move]) -> None:
    """Add every kind of dweller, or pair of them, on every space that is open to it."""
    can = payable(game, colour, open_spaces(game, colour))
    if game.rules.reward_must_fit:
        can = rewarding(game, colour, can)
    circles = game.vault.circles
    healthy, lying = can & circles[ONE], can & circles[ONE_INJURED]
    rows = PLACEMENTS[colour]
    if game.plain[colour]:
        rows[PLAIN].add_to(found, healthy)
    if game.trained[colour]:
        for dweller in bits(game.trained[colour]):
            rows[dweller].add_to(found, healthy if dweller < INJURED else lying)
    if game.hurt[colour]:
        rows[INJURED].add_to(found, lying)
    if can != healthy | lying:
        _pairs_on(game, colour, can & circles[PAIR], found, injured=False)
        _pairs_on(game, colour, can & circles[INJURED_PAIR], found, injured=True)
    if game.hands[colour].outfits:
        _dressed_up(game, colour, can, found)


def _pairs_on(game: ShelterPosition, colour: int, spaces: int, found: list[Move], *, injured: bool) -> None:
    """Add the different pairs of dwellers on linked spaces (P6)."""
    for pair in _pairs(_kinds(game, colour, injured=injured)) if spaces else ():
        found += rare_row(colour, pair).on(spaces)


def _kinds(game: ShelterPosition, colour: int, *, injured: bool) -> list[int]:
    """Return the available kinds of dweller, plain ones first, and plain twice where there are two."""
    if injured:
        stock, plain, trained = game.hurt[colour], INJURED, game.trained[colour] & INJURED_TRAINED
    else:
        stock, plain, trained = game.plain[colour], PLAIN, game.trained[colour] & UNINJURED_TRAINED
    kinds = [plain] * min(2, stock)
    return kinds + bits(trained) if trained else kinds


def _pairs(kinds: list[int]) -> list[tuple[int, int]]:
    """Return the different pairs of them."""
    if len(kinds) == 2:  # noqa: PLR2004 - a pair
        return [(kinds[0], kinds[1])]
    pairs = {(one, other): None for place, one in enumerate(kinds) for other in kinds[place + 1 :]}
    return list(pairs)


def _dressed_up(game: ShelterPosition, colour: int, can: int, found: list[Move]) -> None:
    """Add placements with an item, on every dweller or pair that is not trained in the letter anyway (I2)."""
    for item in game.hands[colour].outfits:
        spaces = helped_by(game, item)
        if item.has_price or items_gone(game, item):
            spaces = rewarding(game, colour, payable_with(game, colour, item, spaces & open_spaces(game, colour)))
        else:
            spaces &= can
        if spaces:
            _dressed(game, colour, item, spaces, found, injured=False)
            _dressed(game, colour, item, spaces, found, injured=True)


def _dressed(
    game: ShelterPosition, colour: int, item: ItemKind, spaces: int, found: list[Move], *, injured: bool
) -> None:
    """Add placements with an item on these spaces, of the injured or the others."""
    circles = game.vault.circles
    single = spaces & circles[ONE_INJURED if injured else ONE]
    linked = spaces & circles[INJURED_PAIR if injured else PAIR]
    if not single and not linked:
        return
    kinds = _kinds(game, colour, injured=injured)
    if single:
        for place, dweller in enumerate(kinds):
            if not place or dweller != kinds[place - 1]:
                _wear(game.vault, colour, (dweller,), item, single, found)
    if linked:
        for pair in _pairs(kinds):
            _wear(game.vault, colour, pair, item, linked, found)


def _wear(vault: Vault, colour: int, dwellers: tuple[int, ...], item: ItemKind, spaces: int, found: list[Move]) -> None:
    here = spaces & ~lettered_for(vault, dwellers)
    if here:
        found += rare_row(colour, dwellers, item.name).on(here)


def _answers(game: ShelterPosition, found: list[Move]) -> None:
    """Add the answers to every open choice; the first of a player needs no number."""
    if len(game.pending) == 1:
        choice = game.pending[0]
        found += answers(choice.by, choices.options(game, choice))
        return
    asked: list[int] = []
    for choice in game.pending:
        if choice.by in asked:
            found += [choose(choice.by, option, choice.id) for option in choices.options(game, choice)]
        else:
            asked.append(choice.by)
            found += answers(choice.by, choices.options(game, choice))


def _uses(game: ShelterPosition, found: list[Move]) -> None:
    """Add the items that can be used at any time."""
    for colour in HOLDERS[game.tools]:
        if game.pending and income_is_due(game, colour):
            continue
        for item in game.hands[colour].tools:
            if items.is_useful(game, colour, item):
                found.append(use(colour, item.name))  # noqa: PERF401 - quicker than a list for one or two
