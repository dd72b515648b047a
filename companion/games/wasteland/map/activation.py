"""Whom an enemy goes for: least remaining HP, then turn order from the first player (W-ENEMY-7)."""

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
from companion.games.wasteland.map import enemies
from companion.games.wasteland.position import remind
from companion.games.wasteland.story import agendas
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition


NOBODY_THERE: Final = "nobody"


def considered(game: WastelandPosition, number: int) -> list[int]:
    """Return the survivors an enemy may go for: not those loyal to its faction (W-LOYAL-5, W-TURN-10)."""
    kind = enemies.enemy_of(game, number).type
    return [seat for seat in game.from_first() if not agendas.is_loyal_to(game, seat, kind)]


def targets_here(game: WastelandPosition, number: int) -> list[int]:
    """Return those of them in the enemy's own space."""
    at = game.enemies[number].at
    return [seat for seat in considered(game, number) if at and game.survivors[seat].at == at]


def weakest(game: WastelandPosition, seats: Sequence[int]) -> int:
    """Return who has least remaining HP; of equals, the one earlier in turn order (W-ENEMY-7, W-ENEMY-14)."""
    order = [seat for seat in game.from_first() if seat in seats]
    return min(order, key=lambda seat: game.survivors[seat].remaining, default=NOBODY)


def attacks(game: WastelandPosition, number: int, seat: int) -> bool:
    """Return whether an enemy would attack that survivor in its own space."""
    return game.enemies[number].active and weakest(game, targets_here(game, number)) == seat


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
    card = agendas.draw_agenda(game, chance)
    push(game, "next-round", NOBODY)
    if card is None:
        game.events.append(PlainEvent("no_agenda_left", NOBODY))
        return
    game.revealed_agenda = card
    agenda = game.box.agendas[card]
    game.events.append(
        AgendaRevealed(game.first, agenda=agenda.id, activates=tuple(kind.value for kind in agenda.activates))
    )
    push(game, "discard-revealed", NOBODY)
    for kind in reversed(agenda.activates):
        push(game, "activate-type", NOBODY, kind)
    agendas.run_out(game, chance)


def discard_revealed(game: WastelandPosition, _chance: MoveChance, _step: PendingStep) -> None:
    """Discard the agenda after its types have acted."""
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
    """Ask the first player which enemy of the type acts next (W-ENEMY-5)."""
    waiting = tuple(one for one in step.data[0] if one in game.enemies and game.enemies[one].active)
    if waiting:
        ask(game, game.first, "enemy-order", "W-ENEMY-5", waiting)


def order_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    return [str(number) for number in choice.data[0] if number in game.enemies]


def answer_order(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    waiting = tuple(number for number in choice.data[0] if number != int(option))
    push(game, "next-enemy", NOBODY, waiting)
    push(game, "act", NOBODY, int(option), waiting)


def act(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Let an enemy fight or move, asking only for what the companion cannot see (W-ENEMY-6)."""
    number, waiting = step.data
    enemy = enemies.enemy_of(game, number)
    others = [seat for seat in considered(game, number) if seat not in targets_here(game, number)]
    if not considered(game, number):
        game.events.append(EnemyEvent("enemy_stands_still", NOBODY, number=number))
    elif Ability.RANGED in enemy.abilities and others:
        ask(game, game.first, "adjacent", "W-ENEMY-19", number, waiting)
    else:
        fight_or_move(game, number, waiting, [])


def adjacent_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return who may stand next door: nobody, or any of those who are not in its own space."""
    number: int = choice.data[0]
    if number not in game.enemies:
        return []
    here = targets_here(game, number)
    return [NOBODY_THERE, *groups([s for s in considered(game, number) if s not in here])]


def answer_adjacent(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    number, waiting = choice.data
    fight_or_move(game, number, waiting, members(option))


def fight_or_move(game: WastelandPosition, number: int, waiting: tuple[int, ...], adjacent: list[int]) -> None:
    """Fight the weakest in reach, otherwise move toward the nearest (W-ENEMY-7, W-ENEMY-19)."""
    here = targets_here(game, number)
    target = weakest(game, [*here, *adjacent])
    if target == NOBODY:
        ask(game, game.first, "nearest", "W-ENEMY-6", number)
        return
    rivals = [one for one in waiting if one in game.enemies and attacks(game, one, target)]
    if rivals and target in here:
        ask(game, target, "attack-order", "W-ENEMY-5", number, *rivals)
    else:
        fights.begin(game, target, number, adjacent=target not in here)


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
    fights.begin(game, choice.by, chosen)


def nearest_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return the sets of survivors that may be nearest."""
    number: int = choice.data[0]
    return groups(considered(game, number)) if number in game.enemies else []


def answer_nearest(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Move one space toward the weakest of them; the first player picks among equal ways (W-ENEMY-8)."""
    number: int = choice.data[0]
    target = weakest(game, members(option))
    remind(game, "enemy-moves", game.first, number=number, toward=group([target]))
    ask(game, game.first, "moved-to", "W-ENEMY-8", number)


def moved_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    return [*known_spaces(game), ELSEWHERE] if choice.data[0] in game.enemies else []


def answer_moved(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Put the enemy there; Aggressive ones fight who is there (W-ENEMY-13, W-ENEMY-14)."""
    number: int = choice.data[0]
    game.enemies[number] = game.enemies[number]._replace(at="" if option == ELSEWHERE else option)
    game.events.append(EnemyMoved(NOBODY, number=number, at=None if option == ELSEWHERE else option))
    if Ability.AGGRESSIVE in enemies.enemy_of(game, number).abilities:
        target = weakest(game, targets_here(game, number))
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
