"""Making moves, and going on with what is under way until it waits for somebody."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from companion.games.wasteland import legal
from companion.games.wasteland.corrections import correcting
from companion.games.wasteland.fight import dice, fights
from companion.games.wasteland.flow import choices, ending, results, rounds, setup, step_stack
from companion.games.wasteland.flow.decks import MoveChance
from companion.games.wasteland.map import actions, activation, enemies
from companion.games.wasteland.moves import refuse_unless_playing
from companion.games.wasteland.position import WastelandPosition
from companion.games.wasteland.story import agendas, encounters, quests, tasks
from companion.games.wasteland.survivor import abilities, camp, hp, items, pegs, trading
from companion.games.wasteland.words import NOBODY
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.wasteland.events import WastelandEvent
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import PendingStep


Make = Callable[["WastelandPosition", "MoveChance", "WastelandMove"], None]
Do = Callable[["WastelandPosition", "MoveChance", "PendingStep"], None]

MOVES: Final[dict[str, Make]] = {
    "choose": choices.choose,
    "end": rounds.end,
    "move": actions.move,
    "step": actions.step,
    "explore": actions.explore,
    "encounter": encounters.encounter,
    "fight": actions.fight,
    "quest": quests.quest,
    "trigger": quests.trigger,
    "camp": camp.camp,
    "equip": items.equip,
    "unequip": items.unequip,
    "loyalty": agendas.declare_loyalty,
    "perk": abilities.use_perk,
    "use": abilities.use,
    "offer": trading.offer,
    "show": trading.show,
    "answer": agendas.answer_manual,
    "claim": ending.claim,
    "reveal": activation.reveal,
    "enemy": enemies.place_by_hand,
    "result": encounters.result,
    "test": encounters.keyed_test,
    "draw-fight": encounters.keyed_fight,
    "correct": correcting.correct,
}

STEPS: Final[dict[str, Do]] = {
    "ask": lambda game, _chance, step: step_stack.ask_now(game, step),
    "choose-survivor": setup.choose_survivor,
    "prepare-board": setup.prepare_board,
    "starting-effects": setup.starting_effects,
    "first-turn": setup.first_turn,
    "end-turn": rounds.end_turn,
    "next-round": rounds.next_round,
    "discard-revealed": activation.discard_revealed,
    "activate-type": activation.activate_type,
    "next-enemy": activation.next_enemy,
    "act": activation.act,
    "wake": activation.wake,
    "place-enemy": enemies.place_step,
    "replace-enemy": enemies.replace,
    "forced-fights": fights.forced,
    "fight": fights.start,
    "draw-and-fight": fights.draw_and_fight,
    "throw": dice.throw,
    "die": dice.ask_die,
    "reroll": fights.ask_reroll,
    "enemy-hits": fights.enemy_hits,
    "during-fight": fights.ask_during,
    "fight-hits": fights.fight_hits,
    "test": fights.start_test,
    "test-result": fights.judge_test,
    "killed": hp.killed,
    "level-up": pegs.level_up,
    "gain-perk": pegs.gain_perk,
    "agendas": agendas.gain,
    "agenda-limit": agendas.limit,
    "draw-cards": items.draw_cards,
    "gain-card": items.gain_card,
    "inventory-limit": items.limit,
    "results": results.next_result,
    "judge": tasks.judge,
    "open-encounter": encounters.open_card,
    "end-visit": encounters.close,
    "turn-cards": abilities.turn_cards,
    "unexhaust": camp.unexhaust,
    "shop": trading.shop,
    "reset-shop": trading.reset_shop,
    "judge-all": ending.judge_all,
}


def make(game: WastelandPosition, chance: MoveChance, move: WastelandMove) -> None:
    """Make a move and go on until somebody is asked or nothing is left to do."""
    if move.by != NOBODY:
        refuse_unless_playing(game.seats, move.by)
    MOVES[move.do](game, chance, move)
    go_on(game, chance)


def go_on(game: WastelandPosition, chance: MoveChance) -> None:
    """Carry out the steps; a choice with one answer is taken, one without any is lost."""
    while True:
        if game.pending:
            choice = game.pending[0]
            offered = choices.options(game, choice)
            if not offered:
                game.pending.remove(choice)
            elif len(offered) == 1 and choice.kind not in choices.ALWAYS_ASKED:
                choices.answer(game, chance, choice, offered[0])
            else:
                return
        elif game.work:
            step_stack.do_next(game, chance, STEPS)
        else:
            return


class WastelandGame(WastelandPosition):
    """`legal_moves` lists, `play` changes, `copy` forks; nothing here touches the world."""

    __slots__ = ()

    def legal_moves(self, seat: int | None = None) -> list[WastelandMove]:
        """Every move that the rules allow now; with a seat also what only that seat may know of."""
        return legal.moves(self, seat)

    def play(self, move: WastelandMove, chance: Chance) -> list[WastelandEvent]:
        """Make a move. A refusal leaves the game as it was."""
        before = self.copy()
        self.events, self.reminders = [], ()
        try:
            make(self, MoveChance(self, chance, move.dice, move.drawn), move)
        except Refusal:
            self.become(before)
            raise
        return self.events
