"""Open choices: what each kind offers, and what becomes of an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from companion.games.wasteland import moves
from companion.games.wasteland.fight import dice, fights
from companion.games.wasteland.flow import ending, results, setup, step_stack
from companion.games.wasteland.map import activation, enemies
from companion.games.wasteland.story import agendas, encounters, quests, tasks
from companion.games.wasteland.survivor import abilities, camp, hp, items, pegs, trading
from companion.games.wasteland.words import COLOURS, NOBODY, OVER
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import OpenChoice, WastelandPosition

Options = Callable[["WastelandPosition", "OpenChoice"], "list[str]"]
Answer = Callable[["WastelandPosition", "MoveChance", "OpenChoice", str], None]

KINDS: Final[dict[str, tuple[Options, Answer]]] = {
    "survivor": (setup.free_survivors, setup.answer_survivor),
    "setup-space": (setup.free_spaces, setup.answer_space),
    "start-space": (hp.start_spaces, hp.answer_start_space),
    "letter": (pegs.letter_options, pegs.answer_letter),
    "perk": (pegs.perk_options, pegs.answer_perk),
    "equip": (items.equip_options, items.answer_equip),
    "discard": (items.discard_options, items.answer_discard),
    "agenda-discard": (agendas.discard_options, agendas.answer_discard),
    "fight": (fights.fight_options, fights.answer_fight),
    "test": (fights.test_options, fights.answer_test),
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
    "trade": (trading.trade_options, trading.answer_trade),
    "offer": (trading.offer_options, trading.answer_offer),
    "shop": (trading.shop_options, trading.answer_shop),
    "option": (encounters.option_options, encounters.answer_option),
    "encounter": (encounters.done_options, encounters.answer_done),
    "by-hand": (encounters.done_options, encounters.answer_done),
    "helper": (tasks.helper_options, tasks.answer_helper),
    "fight-whom": (tasks.whom_options, tasks.answer_whom),
    "manual-step": (tasks.manual_options, tasks.answer_manual),
    "level": (results.level_options, results.answer_level),
    "back": (quests.back_options, quests.answer_back),
    "turn-card": (abilities.turn_options, abilities.answer_turn),
    "kill": (abilities.kill_options, abilities.answer_kill),
    "drawn": (step_stack.drawn_options, step_stack.answer_drawn),
    "influence": (ending.owner_options, ending.answer_owner),
}

# Asked even where there is only one answer: a button to press, or a time for other moves.
ALWAYS_ASKED: Final = frozenset({"fight", "test", "trade", "encounter", "by-hand"})

# The table may name a space that the companion has not heard of.
FREE_TEXT: Final = frozenset({"moved-to", "replacement"})


def options(game: WastelandPosition, choice: OpenChoice) -> list[str]:
    """What may be answered now."""
    return KINDS[choice.kind][0](game, choice)


def choose(game: WastelandPosition, chance: MoveChance, move: WastelandMove) -> None:
    """Answer the open choice."""
    if game.phase == OVER and not game.pending:
        raise Refusal("game_over", "W-END-1", "The game is over.")
    choice = _find(game, move)
    offered = options(game, choice)
    option: str = move[moves.OPTION]
    if option not in offered and choice.kind not in FREE_TEXT:
        raise Refusal(
            "no_such_option", choice.clause, f"{option!r} is not offered here.",
            option=option, options=offered, kind=choice.kind, id=choice.id,
        )  # fmt: skip
    answer(game, chance, choice, option)


def answer(game: WastelandPosition, chance: MoveChance, choice: OpenChoice, option: str) -> None:
    """What becomes of an answer."""
    game.pending.remove(choice)
    KINDS[choice.kind][1](game, chance, choice, option)


def _find(game: WastelandPosition, move: WastelandMove) -> OpenChoice:
    for choice in game.pending:
        if choice.by in (move.by, NOBODY) and move.get(moves.ID, choice.id) == choice.id:
            return choice
    who = "anybody" if move.by == NOBODY else COLOURS[move.by]
    raise Refusal("no_open_choice", "W-CORE-2", f"No such choice is open for {who}.", by=who)
