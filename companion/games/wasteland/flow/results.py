"""W-RESULT: results and effects, carried out from left to right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from companion.cards.wasteland.types import Does, Effect
from companion.cards.wasteland.words import CardDeck, Faction, Trait
from companion.games.wasteland.box import FACTIONS, NO_CARD
from companion.games.wasteland.events import HelpWasted
from companion.games.wasteland.flow.step_stack import UNKNOWN_LEVEL, ask, carry_out, push
from companion.games.wasteland.reminders import remind
from companion.games.wasteland.story import agendas, quests
from companion.games.wasteland.survivor import abilities, hp, items, pegs

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.position import PendingChoice, PendingStep, WastelandPosition

HIGHEST_LEVEL: Final = 5


class Due(NamedTuple):
    """One result that is due: for whom, what, how much of it, and the quest that it stands on."""

    seat: int
    effect: Effect
    amount: int
    quest: int


def next_result(game: WastelandPosition, chance: MoveChance, step: PendingStep) -> None:
    """The leftmost result, then the rest (W-QUEST-5)."""
    effects, level, quest = step.data
    effect: Effect = effects[0]
    if effect.amount.of_level and level == UNKNOWN_LEVEL:
        push(game, "results", step.seat, effects, level, quest)
        ask(game, step.seat, "level", "W-ENC-8")
        return
    carry_out(game, step.seat, effects[1:], level, quest)
    EFFECTS[effect.does](game, chance, Due(step.seat, effect, effect.amount.at(level), quest))


def level_options(_game: WastelandPosition, _choice: PendingChoice) -> list[str]:
    """The level of the icon the survivor stands on (W-ENC-8)."""
    return [str(level) for level in range(HIGHEST_LEVEL + 1)]


def answer_level(game: WastelandPosition, _chance: MoveChance, choice: PendingChoice, option: str) -> None:
    """The level, for the results or instructions that wait for it; it is the last but one of their data."""
    for place in reversed(range(len(game.steps))):
        step = game.steps[place]
        if step.do in ("results", "judge") and step.seat == choice.by:
            *before, _, quest = step.data
            game.steps[place] = step._replace(data=(*before, int(option), quest))
            return


# --- one function for every kind of result ----------------------------------------------------------------------------


def _add(game: WastelandPosition, chance: MoveChance, due: Due) -> None:
    quests.add_to_deck(game, chance, due.seat, due.amount)


def _stage(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    quests.stage(game, due.seat, due.amount)


def _become(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    pegs.gain_trait(game, due.seat, Trait(due.effect.word))


def _lose(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    pegs.lose_trait(game, due.seat, Trait(due.effect.word))


def _xp(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    pegs.gain_xp(game, due.seat, due.amount)


def _caps(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    pegs.change_caps(game, due.seat, due.amount)


def _damage(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    hp.suffer_damage(game, due.seat, due.amount)


def _rads(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    hp.change_rads(game, due.seat, due.amount)


def _heal(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    hp.heal(game, due.seat, due.amount)


def _draw(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    if due.effect.word == "agenda":
        push(game, "agendas", due.seat, due.amount)
    else:
        push(game, "draw-cards", due.seat, CardDeck(due.effect.word), due.amount)


def _shop(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    push(game, "shop", due.seat, due.amount)


def _unique(game: WastelandPosition, chance: MoveChance, due: Due) -> None:
    items.gain_unique(game, chance, due.seat, due.effect.word)


def _power(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    agendas.advance(game, (FACTIONS.index(Faction(due.effect.word)), due.amount))


def _turn_cards(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    push(game, "turn-cards", due.seat, due.effect.does, due.amount)


def _help_contest(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    """Rerolls and hits for the fight or test under way; outside of one they do nothing."""
    contest = game.contest
    if contest is None or contest.seat != due.seat:
        game.events.append(HelpWasted(due.seat, effect=due.effect.does.value))
    elif due.effect.does is Does.REROLL:
        contest.rerolls += due.amount
    else:
        contest.hits += due.amount


def _kill(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    abilities.ask_whom_to_kill(game, due.seat)


def _trash(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    """Back to the box: the quest carried out, or the encounter (W-RESULT-5, W-ENC-6)."""
    if due.quest:
        quests.trash(game, due.quest)
    elif game.visit is not None:
        game.visit = game.visit._replace(card=NO_CARD)


def _by_hand(game: WastelandPosition, _chance: MoveChance, due: Due) -> None:
    """What the vocabulary cannot say is read and done by its owner, who keys in what comes of it (W-CORE-1)."""
    remind(game, "by-hand", due.seat, words=due.effect.word)
    ask(game, due.seat, "by-hand", "W-CORE-1", due.effect.word)


EFFECTS: Final[dict[Does, Callable[[WastelandPosition, MoveChance, Due], None]]] = {
    Does.ADD: _add,
    Does.STAGE: _stage,
    Does.BECOME: _become,
    Does.LOSE: _lose,
    Does.XP: _xp,
    Does.CAPS: _caps,
    Does.DAMAGE: _damage,
    Does.RADS: _rads,
    Does.HEAL: _heal,
    Does.DRAW: _draw,
    Does.SHOP: _shop,
    Does.UNIQUE: _unique,
    Does.POWER: _power,
    Does.EXHAUST: _turn_cards,
    Does.UNEXHAUST: _turn_cards,
    Does.REROLL: _help_contest,
    Does.HIT: _help_contest,
    Does.KILL: _kill,
    Does.TRASH: _trash,
    Does.MANUAL: _by_hand,
}
