"""W-RESULT: results and effects, carried out from left to right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from companion.cards.wasteland.types import Does, Effect
from companion.cards.wasteland.words import CardDeck, EnemyType, Faction, Trait
from companion.games.wasteland.box import FACTIONS, NO_CARD
from companion.games.wasteland.events import HelpWasted
from companion.games.wasteland.flow.sequence import UNKNOWN_LEVEL, ask, carry_out, level_here, push
from companion.games.wasteland.map import enemies, tokens
from companion.games.wasteland.position import remind
from companion.games.wasteland.story import agendas, quests
from companion.games.wasteland.survivor import abilities, hp, items, pegs

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition

HIGHEST_LEVEL: Final = 5


class PendingResult(NamedTuple):
    """One result that is due: for whom, what, how much of it, and the quest that it stands on."""

    seat: int
    effect: Effect
    amount: int
    quest: int


def next_result(game: WastelandPosition, chance: MoveChance, step: PendingStep) -> None:
    """Carry out the leftmost result, then the rest (W-QUEST-5)."""
    effects, level, quest = step.data
    effect: Effect = effects[0]
    if level == UNKNOWN_LEVEL:
        level = level_here(game, step.seat)
    if effect.amount.of_level and level == UNKNOWN_LEVEL:
        push(game, "results", step.seat, effects, level, quest)
        ask(game, step.seat, "level", "W-ENC-8")
        return
    carry_out(game, step.seat, effects[1:], level, quest)
    EFFECTS[effect.does](game, chance, PendingResult(step.seat, effect, effect.amount.at(level), quest))


def level_options(_game: WastelandPosition, _choice: AskedChoice) -> list[str]:
    """Return the levels that the survivor's encounter icon may have (W-ENC-8)."""
    return [str(level) for level in range(HIGHEST_LEVEL + 1)]


def answer_level(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Set the level of the results or instructions that wait for it; it is the last but one of their data."""
    for place in reversed(range(len(game.steps))):
        step = game.steps[place]
        if step.do in ("results", "judge") and step.seat == choice.by:
            *before, _, quest = step.data
            game.steps[place] = step._replace(data=(*before, int(option), quest))
            return


# --- one function for every kind of result ----------------------------------------------------------------------------


def _add(game: WastelandPosition, chance: MoveChance, result: PendingResult) -> None:
    quests.add_to_deck(game, chance, result.seat, result.amount)


def _stage(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    quests.stage(game, result.seat, result.amount)


def _become(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    pegs.gain_trait(game, result.seat, Trait(result.effect.word))


def _lose(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    pegs.lose_trait(game, result.seat, Trait(result.effect.word))


def _lock(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    pegs.lock_trait(game, result.seat, Trait(result.effect.word))


def _xp(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    pegs.gain_xp(game, result.seat, result.amount)


def _caps(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    pegs.change_caps(game, result.seat, result.amount)


def _damage(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    hp.suffer_damage(game, result.seat, result.amount)


def _rads(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    hp.change_rads(game, result.seat, result.amount)


def _heal(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    hp.heal(game, result.seat, result.amount)


def _draw(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    if result.effect.word == "agenda":
        push(game, "agendas", result.seat, result.amount)
    else:
        push(game, "draw-cards", result.seat, CardDeck(result.effect.word), result.amount)


def _shop(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    push(game, "shop", result.seat, result.amount)


def _unique(game: WastelandPosition, chance: MoveChance, result: PendingResult) -> None:
    items.gain_unique(game, chance, result.seat, result.effect.word)


def _power(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    agendas.advance(game, (FACTIONS.index(Faction(result.effect.word)), result.amount))


def _lay_token(game: WastelandPosition, chance: MoveChance, result: PendingResult) -> None:
    """Lay a faction token in the space that is named, or in the survivor's own (W-FACT-5)."""
    faction, _, at = result.effect.word.partition(" ")
    enemies.place(game, chance, EnemyType(faction), at or game.survivors[result.seat].at, active=True)


def _take_token(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    faction, _, at = result.effect.word.partition(" ")
    tokens.take(game, result.seat, Faction(faction), at or game.survivors[result.seat].at)


def _turn_cards(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    push(game, "turn-cards", result.seat, result.effect.does, result.amount)


def _help_contest(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    """Add rerolls or hits to the fight or test under way; outside of one they do nothing."""
    contest = game.contest
    if contest is None or contest.seat != result.seat:
        game.events.append(HelpWasted(result.seat, effect=result.effect.does.value))
    elif result.effect.does is Does.REROLL:
        contest.rerolls += result.amount
    else:
        contest.hits += result.amount


def _kill(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    abilities.ask_whom_to_kill(game, result.seat)


def _trash(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    """Return the quest carried out, or the encounter, to the box (W-RESULT-5, W-ENC-6)."""
    if result.quest:
        quests.trash(game, result.quest)
    elif game.visit is not None:
        game.visit = game.visit._replace(card=NO_CARD)


def _by_hand(game: WastelandPosition, _chance: MoveChance, result: PendingResult) -> None:
    """Ask the owner to do what the notation cannot say, and to key in what comes of it (W-CORE-1)."""
    remind(game, "by-hand", result.seat, words=result.effect.word)
    ask(game, result.seat, "by-hand", "W-CORE-1", result.effect.word)


EFFECTS: Final[dict[Does, Callable[[WastelandPosition, MoveChance, PendingResult], None]]] = {
    Does.ADD: _add,
    Does.STAGE: _stage,
    Does.BECOME: _become,
    Does.LOSE: _lose,
    Does.LOCK: _lock,
    Does.XP: _xp,
    Does.CAPS: _caps,
    Does.DAMAGE: _damage,
    Does.RADS: _rads,
    Does.HEAL: _heal,
    Does.DRAW: _draw,
    Does.SHOP: _shop,
    Does.UNIQUE: _unique,
    Does.POWER: _power,
    Does.LAY: _lay_token,
    Does.TAKE: _take_token,
    Does.EXHAUST: _turn_cards,
    Does.UNEXHAUST: _turn_cards,
    Does.REROLL: _help_contest,
    Does.HIT: _help_contest,
    Does.KILL: _kill,
    Does.TRASH: _trash,
    Does.MANUAL: _by_hand,
}
