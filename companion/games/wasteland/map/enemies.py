"""W-ENEMY: tokens on the map: placed, fought without a kill, killed, replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import Ability, Faction
from companion.games.wasteland import moves
from companion.games.wasteland.box import ELSEWHERE, NOBODY, OVER, SETUP, is_faction
from companion.games.wasteland.events import EnemyEvent, EnemyKilled, EnemyPlaced, StackEmpty
from companion.games.wasteland.fight.dice import contest_of
from companion.games.wasteland.flow import decks
from companion.games.wasteland.flow.conditions import known_spaces
from companion.games.wasteland.flow.sequence import ask, push
from companion.games.wasteland.map import tokens
from companion.games.wasteland.position import EnemyToken, remind
from companion.games.wasteland.story import agendas
from companion.games.wasteland.survivor import pegs
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Enemy
    from companion.cards.wasteland.words import EnemyType
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import AskedChoice, DiceContest, PendingStep, WastelandPosition


NO_ICON = "no-icon"


def enemy_of(game: WastelandPosition, number: int) -> Enemy:
    """Return what a token on the map is."""
    return game.box.enemies[game.enemies[number].kind]


def place(game: WastelandPosition, chance: MoveChance, kind: EnemyType, at: str, *, active: bool) -> None:
    """Place a random enemy without a fight. Faction tokens are never facedown (W-ENEMY-16, W-ENEMY-27)."""
    if tokens.are_no_enemies(game, kind):
        tokens.lay(game, NOBODY, Faction(kind.value), at)
        return
    if is_faction(kind) and not active:
        return
    token = decks.draw_token(game, chance, kind, seen=active)
    if token is None:
        game.events.append(StackEmpty(NOBODY, type=kind.value))
        return
    number = game.next_enemy
    game.next_enemy += 1
    game.enemies[number] = EnemyToken(token, active, at, seen=active)
    shown = game.box.enemies[token].id if active else None
    game.events.append(EnemyPlaced(NOBODY, number=number, type=kind.value, enemy=shown, at=at or None))


def place_step(game: WastelandPosition, chance: MoveChance, step: PendingStep) -> None:
    kind, at, active = step.data
    place(game, chance, kind, at, active=active)


def place_by_hand(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Place an enemy that the map or a card asks for (W-SETUP-15, W-FACT-5)."""
    if game.phase in (SETUP, OVER):
        raise Refusal("not_now", "W-SETUP-15", "Enemies are placed while the game runs.")
    at = move.get(moves.AT, "")
    refuse_unknown_space(game, at)
    push(
        game,
        "place-enemy",
        NOBODY,
        move[moves.TYPE],
        "" if at == ELSEWHERE else at,
        not move.get(moves.FACEDOWN, False),
    )


def refuse_unknown_space(game: WastelandPosition, at: str) -> None:
    """Refuse a space that is not on the map, where one is known."""
    found = game.map
    if found is not None and not found.knows(at):
        raise Refusal("not_on_the_map", "W-MAP-7", "There is no such space on the map.", to=at)


def turn_down(game: WastelandPosition, number: int) -> None:
    """Turn an enemy inactive where it is; discard a faction token instead (W-ENEMY-22, W-ENEMY-27)."""
    token = game.enemies[number]
    if is_faction(enemy_of(game, number).type):
        del game.enemies[number]
        game.events.append(EnemyEvent("enemy_gone", NOBODY, number=number))
    else:
        game.enemies[number] = token._replace(active=False)
        game.events.append(EnemyEvent("enemy_inactive", NOBODY, number=number))


def killed(game: WastelandPosition, seat: int, number: int) -> None:
    """Take a killed enemy off, push its replacement, and pay for the kill (W-FIGHT-11, W-KILL-9)."""
    token = game.enemies.pop(number)
    enemy = game.box.enemies[token.kind]
    level = agendas.level_of(game, enemy)
    game.events.append(EnemyKilled(seat, number=number, enemy=enemy.id))
    if not is_faction(enemy.type):
        game.stacks[enemy.type].discards.append(token.kind)
        push(game, "replace-enemy", NOBODY, enemy.type, token.at)
    pay_for_kill(game, seat, enemy, level)


def pay_for_kill(game: WastelandPosition, seat: int, enemy: Enemy, level: int) -> None:
    """Pay XP equal to the level, Armor adds none; then Loot (W-FIGHT-11, W-ENEMY-21)."""
    if Ability.LOOT in enemy.abilities:
        push(game, "draw-cards", seat, "loot", 1)
    pegs.gain_xp(game, seat, level)


def replace(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Lay a new one facedown on the nearest space with its icon; equal ones are asked for (W-ENEMY-23, W-ENEMY-24)."""
    kind, at = step.data
    found = game.map
    if found is not None and found.knows(at):
        spaces = found.nearest(at, found.with_icon(kind))
        if len(spaces) == 1:
            push(game, "place-enemy", NOBODY, kind, spaces[0], False)
        elif spaces:
            ask(game, game.first, "replacement", "W-ENEMY-24", kind, at, *spaces)
        return
    remind(game, "enemy-replaced", game.first, type=kind.value, at=at or None)
    ask(game, game.first, "replacement", "W-ENEMY-24", kind, at)


def replacement_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return spaces, that of the kill first, and `no-icon` where none of the type is visible (A-6)."""
    _, at, *equal = choice.data
    if equal:
        return equal
    spaces = known_spaces(game)
    return list(dict.fromkeys([*([at] if at else []), *spaces, ELSEWHERE, NO_ICON]))


def answer_replacement(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    if option != NO_ICON:
        push(game, "place-enemy", NOBODY, choice.data[0], "" if option == ELSEWHERE else option, False)


def in_space(game: WastelandPosition, at: str, *, active: bool = True) -> list[int]:
    """Return the enemies in a space, as far as anybody told."""
    return [number for number, token in game.enemies.items() if at and token.at == at and token.active is active]


def that_forbid(game: WastelandPosition, seat: int) -> list[int]:
    """Return faceup enemies in the survivor's space, none of its own faction (W-ACT-4, W-ACT-5)."""
    here = in_space(game, game.survivors[seat].at)
    return [number for number in here if not agendas.is_loyal_to(game, seat, enemy_of(game, number).type)]


def not_killed(game: WastelandPosition, contest: DiceContest, enemy: Enemy) -> None:
    """Leave the enemy active in its space, unless it retreats (W-FIGHT-12, W-ENEMY-22, A-8)."""
    if Ability.RETREAT in enemy.abilities and contest.number in game.enemies:
        turn_down(game, contest.number)


def break_off(game: WastelandPosition) -> None:
    """End the fight of a killed survivor at once; the enemy takes no hits (W-KILL-4)."""
    contest = contest_of(game)
    game.contest, game.succeeded = None, False
    if not contest.is_fight:
        return
    if contest.drawn:
        decks.discard_token(game, contest.kind)
    else:
        not_killed(game, contest, game.box.enemies[contest.kind])
