"""What a position and a move of the second game are worth to a seat at a glance, without looking ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.types import Asks, Does, StepKind
from companion.cards.wasteland.words import Trait
from companion.games.wasteland import moves
from companion.games.wasteland.box import FACTIONS, NO_CARD, SLOT_OF, card_of, is_exhausted, letters_of
from companion.games.wasteland.fight import throws
from companion.games.wasteland.flow import conditions, ending
from companion.games.wasteland.map import enemies
from companion.games.wasteland.story import agendas

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Condition, Effect, Objective, WastelandCard
    from companion.games.wasteland.game import WastelandGame
    from companion.games.wasteland.moves import WastelandMove

WON: Final = 40.0
HP: Final = (0.9, 0.35, 0.12)
"""What a point of remaining HP is worth: the first four, the next four, the others."""
INFLUENCE: Final = 1.6
HOPED: Final = 0.45
"""What influence that may still come is worth beside influence that is there."""
CAP, LETTER, PERK, XP, CARD, TRAIT, AGENDA = 0.14, 0.5, 0.4, 0.18, 0.5, 0.3, 1.3
POWER: Final = 0.25
"""A step of a faction of which no agenda is held; one that leads pays by influence."""
LEVEL_DAMAGE: Final = 1.6
"""HP that an enemy of level 1 costs in a fight, on average."""
AWAY: Final = 0.85
"""What a goal keeps of its worth with each movement point to it."""
TESTED: Final = (1.0, 0.85, 0.55, 0.25, 0.1)
"""How likely a test of this difficulty succeeds, without letters."""


def position(game: WastelandGame, seat: int) -> float:
    """Return what a seat has reached, and how well it stands."""
    survivor = game.survivors[seat]
    if game.result is not None:
        return WON if seat in game.result.winners else -WON / 2
    if survivor.eliminated:
        return -WON / 2
    needed = ending.needed(game)
    have = ending.influence(game, seat)
    total = INFLUENCE * min(have, needed) + _health(survivor.remaining)
    if have < needed:
        total += INFLUENCE * HOPED * min(sum(hope(game, seat, card) for card in survivor.hand), needed - have)
    total += CAP * min(survivor.caps, 14) + LETTER * survivor.letters.bit_count() + PERK * len(survivor.perks)
    total += XP * max(0, (survivor.letters & ((2 << survivor.hole) - 1)).bit_count() if survivor.hole >= 0 else 0)
    held = survivor.held()
    total += (
        CARD * len(held) + 0.3 * sum(card != NO_CARD for card in survivor.slots) - 0.1 * sum(map(is_exhausted, held))
    )
    total += TRAIT * (Trait.WELL_RESTED in survivor.traits) + 0.25 * len(survivor.hand)
    return total + _nearest_goal(game, seat)


def hope(game: WastelandGame, seat: int, card: int) -> float:
    """Return the influence that an agenda may still come to pay: what is nearly fulfilled, and a faction that leads."""
    agenda, total, best = game.box.agendas[card], 0.0, dict[str, float]()
    for bonus in agenda.bonuses:
        if bonus.when.asks is Asks.LEAD:
            own = FACTIONS.index(agenda.faction) if agenda.faction is not None else 0
            total += 1.2 * (game.power[own] >= game.power[1 - own])
            continue
        coming = bonus.influence * _near(game, seat, bonus.when)
        if bonus.group:
            best[bonus.group] = max(best.get(bonus.group, 0.0), coming)
        else:
            total += coming
    return total + sum(best.values())


def _near(game: WastelandGame, seat: int, when: Condition) -> float:
    """Return how near a condition is, from 0 to 1; nothing where it holds already."""
    survivor = game.survivors[seat]
    if when.asks in (Asks.MANUAL, Asks.LEAD) or conditions.holds(game, seat, when):
        return 0.35 * (when.asks is Asks.COUNT)
    have = {
        Asks.CAPS: survivor.caps,
        Asks.LETTERS: survivor.letters.bit_count(),
        Asks.PERKS: len(survivor.perks),
        Asks.ARMOR: conditions.armor_of(game, seat),
    }.get(when.asks)
    if have is None:
        return 0.4
    return 0.7 * min(have, when.low) / max(1, when.low)


def _health(left: int) -> float:
    return HP[0] * min(left, 4) + HP[1] * min(max(left - 4, 0), 4) + HP[2] * max(left - 8, 0)


def goals(game: WastelandGame, seat: int) -> dict[str, float]:
    """Return the spaces where something may be done, with what that is worth."""
    found: dict[str, float] = {}
    if game.map is not None:
        for name, space in game.map.spaces.items():
            if space.encounter is not None:
                found[name] = 0.5 + 0.15 * (space.level or 1)
    for number in game.quests:
        quest = game.box.quests.get(number)
        for objective in quest.objectives if quest is not None else ():
            at = next((one.word for one in objective.requires if one.asks is Asks.SPACE), None)
            others = [one for one in objective.requires if one.asks is not Asks.SPACE]
            if at is not None and not objective.triggered and all(conditions.holds(game, seat, one) for one in others):
                found[at] = max(found.get(at, 0.0), pursuit(game, seat, objective))
    return found


def _nearest_goal(game: WastelandGame, seat: int) -> float:
    """Return the best goal, worth less with the distance to it."""
    found, here = game.map, game.survivors[seat].at
    if found is None or not found.knows(here):
        return 0.0
    away = found.distances(here)
    return max((worth * AWAY ** away[at] for at, worth in goals(game, seat).items() if at in away), default=0.0)


def pursuit(game: WastelandGame, seat: int, objective: Objective) -> float:
    """Return what an objective brings, times how likely it succeeds."""
    survivor, chance, costs = game.survivors[seat], 1.0, 0.0
    for step in objective.steps:
        number = step.amount.at(1)
        match step.kind:
            case StepKind.TEST | StepKind.HELPER_TEST:
                chance *= tested(number, len(set(step.letters) & set(letters_of(survivor.letters))))
            case StepKind.PAY:
                chance *= survivor.caps >= number
                costs += CAP * number
            case StepKind.FIGHT | StepKind.DRAW_AND_FIGHT:
                chance *= 0.6
                costs += 0.5 if survivor.remaining > 8 else 2.0  # noqa: PLR2004 - half of a board
            case StepKind.MANUAL:
                pass
    return chance * results(game, seat, objective.results) - costs


def tested(difficulty: int, rerolls: int) -> float:
    """Return about how likely a test succeeds."""
    failed = 1 - TESTED[min(difficulty, len(TESTED) - 1)]
    return 1 - failed ** (1 + rerolls)


def results(game: WastelandGame, seat: int, effects: tuple[Effect, ...]) -> float:
    return sum(effect_worth(game, seat, one) for one in effects)


def effect_worth(game: WastelandGame, seat: int, effect: Effect) -> float:
    """Return what a result is worth to the seat."""
    amount, survivor = effect.amount.at(1), game.survivors[seat]
    match effect.does:
        case Does.DRAW:
            return amount * (AGENDA * INFLUENCE if effect.word == "agenda" else CARD)
        case Does.POWER:
            return amount * _of_a_step(game, seat, effect.word)
        case Does.XP:
            return amount * XP
        case Does.CAPS:
            return amount * CAP
        case Does.HEAL:
            return 0.3 * min(amount, survivor.hp_max - survivor.hp)
        case Does.DAMAGE:
            return -0.4 * amount
        case Does.RADS:
            return -0.4 * max(amount, -survivor.rads)
        case Does.SHOP | Does.UNIQUE | Does.UNEXHAUST | Does.STAGE | Does.ADD:
            return 0.4
        case Does.BECOME | Does.LOSE:
            return _of_trait(game, seat, effect)
        case _:
            return 0.1


def _of_a_step(game: WastelandGame, seat: int, faction: str) -> float:
    """Return what a step of a faction brings: it pays for each of its agendas while it leads."""
    held = [game.box.agendas[card].faction for card in game.survivors[seat].hand]
    own = next(number for number, one in enumerate(FACTIONS) if one.value == faction)
    ours, theirs = held.count(FACTIONS[own]), held.count(FACTIONS[1 - own])
    leads = game.power[own] >= game.power[1 - own]
    gain = INFLUENCE * (ours * leads - theirs * (game.power[own] < game.power[1 - own]))
    soon = len(game.scenario.track) - 2 - game.power[own]
    ends = ending.influence(game, seat) + ours < ending.needed(game)
    return gain + POWER * (0.5 if leads else 0.2) - (WON if soon < 0 and ends else 0.0)


def _of_trait(game: WastelandGame, seat: int, effect: Effect) -> float:
    """Return what a trait changes in the own agendas."""
    wanted = 0.0
    for card in game.survivors[seat].hand:
        for bonus in game.box.agendas[card].bonuses:
            if bonus.when.asks is Asks.TRAIT and bonus.when.word == effect.word:
                wanted += INFLUENCE * bonus.influence
    return wanted if effect.does is Does.BECOME else -wanted


def fight(game: WastelandGame, seat: int, number: int) -> float:
    """Return what a fight with a token promises, by its level and the HP that are left."""
    enemy = enemies.enemy_of(game, number)
    level = agendas.level_of(game, enemy)
    survivor = game.survivors[seat]
    armed = survivor.slots[0] != NO_CARD
    kills = max(0.15, 0.62 - 0.08 * level + 0.14 * armed + 0.05 * conditions.armor_of(game, seat))
    lost = LEVEL_DAMAGE * level * max(0.3, 1 - 0.3 * conditions.armor_of(game, seat))
    left = survivor.remaining
    return kills * (XP * level + 0.35) - (_health(left) - _health(max(0, left - round(lost)))) - (left <= lost) * 3.0


def throw(game: WastelandGame) -> float:
    """Return what the dice that lie there bring if they are kept."""
    contest = game.contest
    if contest is None or None in contest.dice:
        return 0.0
    lying = throws.worth(game, contest)
    return 2.0 * lying.enough - 0.35 * lying.lost


AT_A_GLANCE: Final = {"claim": 10 * WON, "encounter": 0.9, "explore": 0.35, "use": 0.45, "perk": 0.45}
"""What moves promise whatever the position is."""


def turn_move(game: WastelandGame, seat: int, move: WastelandMove) -> float:
    """Return at a glance what a move of a turn promises, the more promising ones to be played out."""
    match move.do:
        case "quest" | "trigger":
            return 1.0 + _pursuing(game, seat, move[moves.QUEST], move[moves.OBJECTIVE] - 1)
        case "fight":
            return fight(game, seat, move[moves.ENEMY])
        case "camp":
            return _camping(game, seat) * move.get(moves.ALL, False)
        case "walk" | "step":
            return _going(game, seat, move[moves.TO_SPACE])
        case "equip":
            return _equipping(game, seat, move[moves.CARD])
        case "move":
            return 0.2 if game.map is None else -1.0
        case _:
            return AT_A_GLANCE.get(move.do, 0.0)


def _pursuing(game: WastelandGame, seat: int, number: int, place: int) -> float:
    """Return what an objective promises; of a card that nobody entered nothing is known."""
    quest = game.box.quests.get(number)
    known = quest is not None and place < len(quest.objectives)
    return pursuit(game, seat, quest.objectives[place]) if quest is not None and known else 0.0


def _camping(game: WastelandGame, seat: int) -> float:
    survivor = game.survivors[seat]
    hurt = min(3, survivor.hp_max - survivor.hp)
    spent = sum(map(is_exhausted, survivor.turnable()))
    return 0.15 + 0.25 * hurt + 0.3 * spent + 0.3 * (Trait.WELL_RESTED not in survivor.traits)


def _equipping(game: WastelandGame, seat: int, name: str) -> float:
    """Return what equipping brings: a card in an empty slot, or a better one; the same two are not swapped for ever."""
    card = game.box.cards[game.box.card_number[name]]
    held = game.survivors[seat].slots[SLOT_OF[card.kind]]
    return 0.5 if held == NO_CARD else 0.3 * (_of_card(card) - _of_card(game.box.cards[card_of(held)])) - 0.05


def _of_card(card: WastelandCard) -> float:
    return (
        card.armor + 0.5 * len(card.letters) + 0.3 * card.ranged + 0.1 * (card.value or 0) + 0.3 * len(card.abilities)
    )


def _going(game: WastelandGame, seat: int, to: str) -> float:
    """Return how much nearer a step comes to a goal, less the danger there."""
    danger = sum(max(0.0, -fight(game, seat, number)) for number in enemies.in_space(game, to))
    if game.map is None:
        return goals(game, seat).get(to, 0.1) - danger
    away = game.map.distances(to)
    there = max((worth * AWAY ** away[at] for at, worth in goals(game, seat).items() if at in away), default=0.0)
    return 0.8 * (there - _nearest_goal(game, seat)) + 0.1 - danger
