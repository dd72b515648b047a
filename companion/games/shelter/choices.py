"""Open choices: what each kind offers, and what becomes of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.refusal import Refusal
from companion.games.shelter import building, fights, income, items, paying, recalling, rewards, tracks
from companion.games.shelter.asking import go_on, under_way
from companion.games.shelter.hands import exhausted_options, make_ready, options_of_hand
from companion.games.shelter.words import COLOURS, ITEMS, NOBODY, RESOURCES

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.choice import Choice
    from companion.games.shelter.game import Game
    from companion.games.shelter.moves import Move


def options(game: Game, choice: Choice) -> list[str]:  # noqa: C901, PLR0912 - one line a kind
    """What may be answered now."""
    kind = choice.kind
    if kind == "income":
        return income.options(game, choice)
    if kind == "resource":
        return list(RESOURCES)
    if kind == "pay-resource":
        return paying.payable_resources(game, choice.by)
    if kind == "item":
        return tracks.options(game, ITEMS)
    if kind == "build":
        return building.options(game, choice)
    if kind == "discount":
        return building.discount_options(game)
    if kind == "pay-item":
        return options_of_hand(game, choice.by)
    if kind == "fight":
        return fights.fight_options(game, choice.by)
    if kind == "reroll":
        return fights.reroll_options(game, choice.by)
    if kind == "exchange":
        return rewards.exchange_options(game, choice.by, choice.data)
    if kind == "ready":
        return exhausted_options(game, choice.by)
    if kind == "heal":
        return items.injured_options(game, choice.by)
    if kind == "letter":
        return recalling.letter_options(game, choice.by)
    if kind == "drawn":
        return tracks.drawn_options(game, choice.data)
    raise AssertionError(kind)


def choose(game: Game, move: Move, chance: Chance) -> None:
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
        if not _answer_of_placement(game, chance, choice, move.option):
            go_on(game, chance)
    else:
        _answer(game, chance, choice, move.option)


def _find(game: Game, move: Move) -> Choice:
    for choice in game.pending:
        if move.id in (0, choice.id) and choice.by == move.by:
            return choice
    for choice in game.pending:
        if move.id in (0, choice.id) and choice.by == NOBODY:
            return choice
    who = "anybody" if move.by == NOBODY else COLOURS[move.by]
    raise Refusal("no_open_choice", "P3", f"No such choice is open for {who}.", by=who, id=move.id)


def _answer_of_placement(game: Game, chance: Chance, choice: Choice, option: str) -> bool:  # noqa: C901, PLR0912
    """Carry out an answer; True when the placement waits again."""
    kind = choice.kind
    if kind == "resource":
        return rewards.answer_resource(game, chance, option)
    if kind == "pay-resource":
        return paying.answer_pay_resource(game, chance, option)
    if kind == "fight":
        return fights.answer_fight(game, chance, choice.data, option)
    if kind == "reroll":
        return fights.answer_reroll(game, chance, choice.data, option)
    if kind == "item":
        return rewards.answer_item(game, chance, option)
    if kind == "build":
        return building.answer_room(game, chance, choice.data, option)
    if kind == "discount":
        return building.answer_discount(game, chance, option)
    if kind == "pay-item":
        return paying.answer_pay_item(game, chance, option)
    if kind == "exchange":
        return rewards.answer_exchange(game, chance, choice, option)
    if kind == "ready":
        make_ready(game, under_way(game).by, option)
        return False
    raise AssertionError(kind)


def _answer(game: Game, chance: Chance, choice: Choice, option: str) -> None:
    kind = choice.kind
    if kind == "income":
        income.answer(game, choice, option)
    elif kind == "letter":
        recalling.answer_letter(game, choice, option)
    elif kind == "drawn":
        tracks.answer_drawn(game, choice.data, option)
    else:
        items.answer(game, chance, choice, option)


def drop_hopeless(game: Game, chance: Chance) -> None:
    """Choices that have lost all their options, because of somebody else's move, are lost (P8)."""
    for choice in tuple(game.pending):
        if choice.kind != "income" and not options(game, choice):
            game.pending.remove(choice)
            game.events.append(("choice_lost", choice.by, choice.kind))
            if choice.of_placement:
                go_on(game, chance)
