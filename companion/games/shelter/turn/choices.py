"""Open choices: what each kind offers, and what becomes of an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from companion.games.shelter.board import tracks
from companion.games.shelter.cards import items
from companion.games.shelter.events import ChoiceLost
from companion.games.shelter.turn import fights, paying, rewards, rounds
from companion.games.shelter.turn.asking import go_on, under_way
from companion.games.shelter.words import COLOURS, ITEMS, NOBODY, RESOURCES
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.board.vault import OngoingPlacement, PendingShelterChoice
    from companion.games.shelter.moves import Move
    from companion.games.shelter.position import ShelterPosition


Options = Callable[["ShelterPosition", "PendingShelterChoice"], "list[str]"]
PlacementAnswer = Callable[["ShelterPosition", "OngoingPlacement", "Chance", "PendingShelterChoice", str], bool]
Answer = Callable[["ShelterPosition", "Chance", "PendingShelterChoice", str], None]


def _resources(game: ShelterPosition, choice: PendingShelterChoice) -> list[str]:
    return ALL_RESOURCES


def _items_on_track(game: ShelterPosition, choice: PendingShelterChoice) -> list[str]:
    return tracks.options(game, ITEMS)


def _own_items(game: ShelterPosition, choice: PendingShelterChoice) -> list[str]:
    return paying.payable_items(game, choice.by) if choice.of_placement else game.hands[choice.by].names()


def _exhausted(game: ShelterPosition, choice: PendingShelterChoice) -> list[str]:
    return game.hands[choice.by].exhausted


def _injured(game: ShelterPosition, choice: PendingShelterChoice) -> list[str]:
    return items.injured_options(game, choice.by)


def _payable(game: ShelterPosition, choice: PendingShelterChoice) -> list[str]:
    return paying.payable_resources(game, choice.by)


ALL_RESOURCES: Final = list(RESOURCES)

OPTIONS: Final[dict[str, Options]] = {
    "income": rewards.income_options,
    "resource": _resources,
    "pay-resource": _payable,
    "item": _items_on_track,
    "build": paying.room_options,
    "discount": paying.discount_options,
    "pay-item": _own_items,
    "fight": fights.fight_options,
    "reroll": fights.reroll_options,
    "exchange": rewards.exchange_options,
    "ready": _exhausted,
    "heal": _injured,
    "letter": rounds.letter_options,
    "drawn": tracks.drawn_options,
}

# What becomes of an answer, where the turn waits for it.
IN_A_PLACEMENT: Final[dict[str, PlacementAnswer]] = {
    "resource": rewards.answer_resource,
    "pay-resource": paying.answer_pay_resource,
    "item": rewards.answer_item,
    "build": paying.answer_room,
    "discount": paying.answer_discount,
    "pay-item": paying.answer_pay_item,
    "fight": fights.answer_fight,
    "reroll": fights.answer_reroll,
    "exchange": rewards.answer_exchange,
    "ready": rewards.answer_ready,
}

# ... and where it holds nobody up.
BESIDES: Final[dict[str, Answer]] = {
    "income": rewards.answer_income,
    "letter": rounds.answer_letter,
    "drawn": tracks.answer_drawn,
    "item": items.answer,
    "pay-item": items.answer,
    "ready": items.answer,
    "heal": items.answer,
}

# Choices that somebody else's move can leave without any option.
FRAGILE: Final = frozenset({"item", "build", "discount", "pay-item", "ready", "heal", "drawn", "pay-resource"})


def options(game: ShelterPosition, choice: PendingShelterChoice) -> list[str]:
    return OPTIONS[choice.kind](game, choice)


def choose(game: ShelterPosition, move: Move, chance: Chance) -> None:
    """Answer the first open choice of a player, or the one named."""
    choice = _find(game, move)
    offered = options(game, choice)
    if move.option not in offered:
        raise Refusal(
            "no_such_option",
            choice.clause,
            f"{move.option[:60]!r} is not offered here; there is: {', '.join(offered)}.",
            option=move.option[:60],
            options=offered,
            kind=choice.kind,
            id=choice.id,
        )
    game.pending.remove(choice)
    if choice.of_placement:
        placement = under_way(game)
        if not IN_A_PLACEMENT[choice.kind](game, placement, chance, choice, move.option):
            go_on(game, placement, chance)
    else:
        BESIDES[choice.kind](game, chance, choice, move.option)


def _find(game: ShelterPosition, move: Move) -> PendingShelterChoice:
    for choice in game.pending:
        if move.id in (0, choice.id) and choice.by == move.by:
            return choice
    for choice in game.pending:
        if move.id in (0, choice.id) and choice.by == NOBODY:
            return choice
    who = "anybody" if move.by == NOBODY else COLOURS[move.by]
    raise Refusal("no_open_choice", "P3", f"No such choice is open for {who}.", by=who, id=move.id)


def drop_hopeless(game: ShelterPosition, chance: Chance) -> None:
    """Choices that have lost all their options, because of somebody else's move, are lost (P8).

    An item is waited for while a card of the track has still to be told.
    """
    for choice in tuple(game.pending):
        if choice.kind == "item" and not tracks.is_known(game, ITEMS):
            continue
        if choice.kind in FRAGILE and not options(game, choice):
            game.pending.remove(choice)
            game.events.append(ChoiceLost(choice.by, choice.kind))
            if choice.of_placement:
                go_on(game, under_way(game), chance)
