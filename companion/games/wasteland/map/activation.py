"""The enemy phase: an agenda is revealed, its types act one after the other, enemy by enemy (W-TURN-5, W-ENEMY-2)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.words import Ability
from companion.games.wasteland.box import COLOUR_NUMBER, COLOURS, ELSEWHERE, ENEMIES, NO_CARD, NOBODY, OVER
from companion.games.wasteland.events import (
    AgendaRevealed,
    EnemyEvent,
    EnemyMoved,
    EnemyWoken,
    PlainEvent,
    TypeActivated,
)
from companion.games.wasteland.fight import fights
from companion.games.wasteland.flow import decks
from companion.games.wasteland.flow.conditions import known_spaces
from companion.games.wasteland.flow.sequence import ask, push, refuse_while_asked
from companion.games.wasteland.map import enemies, targets
from companion.games.wasteland.position import remind
from companion.games.wasteland.story import agendas
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.map.plan import WastelandMap
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition


NOBODY_THERE: Final = "nobody"


def group(seats: Iterable[int]) -> str:
    """Return survivors as one option."""
    return "+".join(COLOURS[seat] for seat in seats)


def groups(seats: Sequence[int]) -> list[str]:
    return [group(some) for count in range(1, len(seats) + 1) for some in combinations(seats, count)]


def members(option: str) -> list[int]:
    return [] if option == NOBODY_THERE else [COLOUR_NUMBER[name] for name in option.split("+")]


def reveal(game: WastelandPosition, chance: MoveChance, _move: WastelandMove) -> None:
    """Reveal the top agenda; a last card is resolved after the deck was passed (W-AGENDA-8, A-2)."""
    if game.phase != ENEMIES:
        raise Refusal("not_the_enemy_phase", "W-TURN-5", "The enemies do not act yet.")
    refuse_while_asked(game)
    game.used = frozenset()
    card = agendas.draw_agenda(game, chance)
    push(game, "next-round", NOBODY)
    if card is None:
        game.events.append(PlainEvent("no_agenda_left", NOBODY))
        return
    if agendas.is_by_hand(game, card):
        game.revealed_agenda = card
        push(game, "ask", NOBODY, "agenda-shown", "W-AGENDA-8")
    else:
        turn_up(game, card)
        push(game, "discard-revealed", NOBODY)
        push_types(game, card)
    agendas.run_out(game, chance)


def turn_up(game: WastelandPosition, card: int) -> None:
    """Show the agenda to all."""
    game.revealed_agenda = card
    agenda = game.box.agendas[card]
    types = tuple(kind.value for kind in agenda.activates)
    game.events.append(AgendaRevealed(game.first, agenda=agenda.id, activates=types))


def push_types(game: WastelandPosition, card: int) -> None:
    """Let the types of an agenda act, one after the other."""
    for kind in reversed(game.box.agendas[card].activates):
        push(game, "activate-type", NOBODY, kind)


def discard_revealed(game: WastelandPosition, _chance: MoveChance, _step: PendingStep) -> None:
    """Discard the agenda after its types have acted; together its factions grow."""
    agendas.grow_by_agenda(game)
    game.agendas.discards.append(game.revealed_agenda)
    game.revealed_agenda = NO_CARD


def activate_type(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Let the active ones act, then turn the inactive ones faceup (W-ENEMY-3, A-4)."""
    kind = step.data[0]
    of_type = [number for number in game.enemies if enemies.enemy_of(game, number).type is kind]
    game.events.append(TypeActivated(NOBODY, type=kind.value))
    asleep = tuple(number for number in of_type if not game.enemies[number].active)
    awake = tuple(number for number in of_type if game.enemies[number].active)
    push(game, "wake", NOBODY, asleep)
    push(game, "next-enemy", NOBODY, awake)


def wake(game: WastelandPosition, chance: MoveChance, step: PendingStep) -> None:
    """Turn enemies faceup without moving or fighting; those laid down meanwhile stay down (W-ENEMY-4, A-9)."""
    for number in step.data[0]:
        if number in game.enemies:
            decks.look_at(game, chance, number)
            game.enemies[number] = game.enemies[number]._replace(active=True)
            game.events.append(EnemyWoken(NOBODY, number=number, enemy=enemies.enemy_of(game, number).id))


def next_enemy(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Ask the first player which enemy of the type acts next, where it matters (W-ENEMY-5)."""
    waiting = tuple(one for one in step.data[0] if one in game.enemies and game.enemies[one].active)
    if waiting and targets.order_matters(game, waiting):
        ask(game, game.first, "enemy-order", "W-ENEMY-5", waiting)
    elif waiting:
        _act_next(game, waiting, waiting[0])


def order_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    return [str(number) for number in choice.data[0] if number in game.enemies]


def answer_order(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    _act_next(game, choice.data[0], int(option))


def _act_next(game: WastelandPosition, waiting: tuple[int, ...], number: int) -> None:
    """Let this enemy act now, and the others afterwards."""
    rest = tuple(one for one in waiting if one != number)
    push(game, "next-enemy", NOBODY, rest)
    push(game, "act", NOBODY, number, rest)


def act(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Let an enemy fight or move, asking only for what the companion cannot see (W-ENEMY-6)."""
    number, waiting = step.data
    enemy = enemies.enemy_of(game, number)
    others = [seat for seat in targets.considered(game, number) if seat not in targets.here(game, number)]
    found = targets.known_map(game, number)
    if not targets.considered(game, number):
        game.events.append(EnemyEvent("enemy_stands_still", NOBODY, number=number))
    elif found is not None:
        reach = targets.in_reach(game, number)
        if reach:
            _fight(game, number, waiting, reach)
        else:
            _go(game, number, found, targets.weakest(game, targets.nearest(game, number, found)))
    elif Ability.RANGED in enemy.abilities and others:
        ask(game, game.first, "adjacent", "W-ENEMY-19", number, waiting)
    else:
        fight_or_move(game, number, waiting, [])


def adjacent_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return who may stand next door: nobody, or any of those who are not in its own space."""
    number: int = choice.data[0]
    if number not in game.enemies:
        return []
    here = targets.here(game, number)
    return [NOBODY_THERE, *groups([s for s in targets.considered(game, number) if s not in here])]


def answer_adjacent(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    number, waiting = choice.data
    fight_or_move(game, number, waiting, members(option))


def fight_or_move(game: WastelandPosition, number: int, waiting: tuple[int, ...], adjacent: list[int]) -> None:
    """Fight the weakest in reach, otherwise move toward the nearest, as the table tells (W-ENEMY-7, W-ENEMY-19)."""
    reach = [*targets.here(game, number), *adjacent]
    if reach:
        _fight(game, number, waiting, reach)
    else:
        ask(game, game.first, "nearest", "W-ENEMY-6", number)


def _fight(game: WastelandPosition, number: int, waiting: tuple[int, ...], reach: list[int]) -> None:
    """Fight the weakest; where others attack the same survivor, that survivor orders them (W-ENEMY-5)."""
    target = targets.weakest(game, reach)
    rivals = [one for one in waiting if one in game.enemies and targets.attacked_by(game, one) == target]
    known = game.map is not None or target in targets.here(game, number)
    if rivals and known:
        ask(game, target, "attack-order", "W-ENEMY-5", number, *rivals)
    else:
        _attack(game, number, target)


def _attack(game: WastelandPosition, number: int, target: int) -> None:
    fights.begin(game, target, number, adjacent=target not in targets.here(game, number))


def _go(game: WastelandPosition, number: int, found: WastelandMap, target: int) -> None:
    """Move one space toward a survivor; the first player picks among equal ways (W-ENEMY-8)."""
    ways = found.toward(game.enemies[number].at, game.survivors[target].at)
    if len(ways) == 1:
        _arrive(game, number, ways[0])
    else:
        ask(game, game.first, "moved-to", "W-ENEMY-8", number, *ways)


def attack_order_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Several enemies attack one survivor, who orders them."""
    return [str(number) for number in choice.data if number in game.enemies]


def answer_attack_order(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Let this enemy attack first; the one that was to come takes its place among those who wait."""
    chosen, first = int(option), choice.data[0]
    for place in reversed(range(len(game.steps))):
        step = game.steps[place]
        if step.do == "next-enemy":
            waiting = tuple(first if one == chosen else one for one in step.data[0])
            game.steps[place] = step._replace(data=(waiting,))
            break
    _attack(game, chosen, choice.by)


def nearest_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return the sets of survivors that may be nearest."""
    number: int = choice.data[0]
    return groups(targets.considered(game, number)) if number in game.enemies else []


def answer_nearest(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Move one space toward the weakest of them; the first player picks among equal ways (W-ENEMY-8)."""
    number: int = choice.data[0]
    target = targets.weakest(game, members(option))
    remind(game, "enemy-moves", game.first, number=number, toward=group([target]))
    ask(game, game.first, "moved-to", "W-ENEMY-8", number)


def moved_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return the equal ways where the map is known, else every space that somebody told."""
    number, *ways = choice.data
    if number not in game.enemies:
        return []
    return ways or [*known_spaces(game), ELSEWHERE]


def answer_moved(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    _arrive(game, choice.data[0], "" if option == ELSEWHERE else option)


def _arrive(game: WastelandPosition, number: int, at: str) -> None:
    """Put the enemy there; Aggressive ones fight who is there (W-ENEMY-13, W-ENEMY-14)."""
    game.enemies[number] = game.enemies[number]._replace(at=at)
    game.events.append(EnemyMoved(NOBODY, number=number, at=at or None))
    if Ability.AGGRESSIVE in enemies.enemy_of(game, number).abilities:
        target = targets.weakest(game, targets.here(game, number))
        if target != NOBODY:
            fights.begin(game, target, number)


def forced_fights_at(game: WastelandPosition, seat: int) -> tuple[int, ...]:
    """Return Aggressive enemies in the survivor's new space, none of its own faction (W-ENEMY-13, A-35)."""
    if game.phase == OVER:
        return ()
    here = enemies.in_space(game, game.survivors[seat].at)
    return tuple(
        number
        for number in here
        if Ability.AGGRESSIVE in enemies.enemy_of(game, number).abilities
        and not agendas.is_loyal_to(game, seat, enemies.enemy_of(game, number).type)
    )
