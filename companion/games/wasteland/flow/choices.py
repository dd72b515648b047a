"""Open choices: what each kind offers, and what becomes of an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from companion.games.wasteland.fight import dice, fights, testing
from companion.games.wasteland.flow import drawing, ending, results, setup
from companion.games.wasteland.map import activation, enemies
from companion.games.wasteland.story import agendas, encounters, library, tasks
from companion.games.wasteland.survivor import camp, cards_in_play, items, killed, pegs, shop, trade
from companion.games.wasteland.words import COLOURS, NOBODY, OVER
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.wasteland.flow.told_chance import Fate
    from companion.games.wasteland.moves import Move
    from companion.games.wasteland.position import Choice, Position

Options = Callable[["Position", "Choice"], "list[str]"]
Answer = Callable[["Position", "Fate", "Choice", str], None]

KINDS: Final[dict[str, tuple[Options, Answer]]] = {
    "survivor": (setup.free_survivors, setup.answer_survivor),
    "setup-space": (setup.free_spaces, setup.answer_space),
    "start-space": (killed.start_spaces, killed.answer_start_space),
    "letter": (pegs.letter_options, pegs.answer_letter),
    "perk": (pegs.perk_options, pegs.answer_perk),
    "equip": (items.equip_options, items.answer_equip),
    "discard": (items.discard_options, items.answer_discard),
    "agenda-discard": (agendas.discard_options, agendas.answer_discard),
    "fight": (fights.fight_options, fights.answer_fight),
    "test": (testing.test_options, testing.answer_test),
    "reroll": (fights.reroll_options, fights.answer_reroll),
    "during-fight": (fights.during_options, fights.answer_during),
    "die": (dice.die_options, dice.answer_die),
    "forced-fight": (fights.forced_options, fights.answer_forced),
    "enemy-order": (activation.order_options, activation.answer_order),
    "adjacent": (activation.adjacent_options, activation.answer_adjacent),
    "attack-order": (activation.attack_order_options, activation.answer_attack_order),
    "nearest": (activation.nearest_options, activation.answer_nearest),
    "moved-to": (activation.moved_options, activation.answer_moved),
    "replacement": (enemies.replacement_options, enemies.answer_replacement),
    "camp": (camp.options, camp.answer),
    "stay": (camp.stay_options, camp.answer_stay),
    "unexhaust-price": (camp.price_options, camp.answer_price),
    "trade": (trade.trade_options, trade.answer_trade),
    "offer": (trade.offer_options, trade.answer_offer),
    "shop": (shop.options, shop.answer),
    "option": (encounters.option_options, encounters.answer_option),
    "encounter": (encounters.done_options, encounters.answer_done),
    "by-hand": (encounters.done_options, encounters.answer_done),
    "helper": (tasks.helper_options, tasks.answer_helper),
    "fight-whom": (tasks.whom_options, tasks.answer_whom),
    "manual-step": (tasks.manual_options, tasks.answer_manual),
    "level": (results.level_options, results.answer_level),
    "back": (library.back_options, library.answer_back),
    "turn-card": (cards_in_play.turn_options, cards_in_play.answer_turn),
    "kill": (cards_in_play.kill_options, cards_in_play.answer_kill),
    "drawn": (drawing.options, drawing.answer),
    "influence": (ending.owner_options, ending.answer_owner),
}

# Asked even where there is only one answer: a button to press, or a time for other moves.
ALWAYS_ASKED: Final = frozenset({"fight", "test", "trade", "encounter", "by-hand"})

# The table may name a space that the companion has not heard of.
FREE_TEXT: Final = frozenset({"moved-to", "replacement"})


def options(game: Position, choice: Choice) -> list[str]:
    """What may be answered now."""
    return KINDS[choice.kind][0](game, choice)


def choose(game: Position, fate: Fate, move: Move) -> None:
    """Answer the open choice."""
    if game.phase == OVER and not game.pending:
        raise Refusal("game_over", "W-END-1", "The game is over.")
    choice = _find(game, move)
    offered = options(game, choice)
    option: str = move.get("option")
    if option not in offered and choice.kind not in FREE_TEXT:
        raise Refusal(
            "no_such_option", choice.clause, f"{option!r} is not offered here.",
            option=option, options=offered, kind=choice.kind, id=choice.id,
        )  # fmt: skip
    answer(game, fate, choice, option)


def answer(game: Position, fate: Fate, choice: Choice, option: str) -> None:
    """What becomes of an answer."""
    game.pending.remove(choice)
    KINDS[choice.kind][1](game, fate, choice, option)


def _find(game: Position, move: Move) -> Choice:
    for choice in game.pending:
        if choice.by in (move.by, NOBODY) and move.get("id", choice.id) == choice.id:
            return choice
    who = "anybody" if move.by == NOBODY else COLOURS[move.by]
    raise Refusal("no_open_choice", "W-CORE-2", f"No such choice is open for {who}.", by=who)
