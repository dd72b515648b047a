"""Enemy tokens out of their stacks. Nobody knows an unseen one; with real tokens any of the type may be it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.wasteland.box import is_faction
from companion.games.wasteland.flow.decks import draw_unseen
from companion.games.wasteland.words import NO_CARD
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.wasteland.words import EnemyType
    from companion.games.wasteland.flow.told_chance import Fate
    from companion.games.wasteland.position import Position


def draw_token(game: Position, fate: Fate, kind: EnemyType, *, seen: bool = True) -> int | None:
    """A random token of a type; a faction's tokens never run out (W-LIMIT-1, A-5)."""
    if is_faction(kind):
        return game.box.faction_token(kind)
    token = draw_unseen(game.stacks[kind], fate)
    if token is None or not seen:
        return token
    wanted = _told(game, fate, kind, token)
    return token if wanted == token else _exchange(game, kind, token, wanted)


def look_at(game: Position, fate: Fate, number: int) -> None:
    """An enemy that nobody has seen turns faceup, and the table may tell which it is."""
    token = game.enemies[number]
    game.enemies[number] = token._replace(seen=True)
    if token.seen:
        return
    kind = game.box.enemies[token.kind].type
    wanted = _told(game, fate, kind, token.kind)
    if wanted != token.kind:
        game.enemies[number] = token._replace(seen=True, kind=_exchange(game, kind, token.kind, wanted))


def _told(game: Position, fate: Fate, kind: EnemyType, token: int) -> int:
    """The token that was told: it may be any that nobody has seen."""
    unknown = [token, *game.stacks[kind].cards, *(game.enemies[one].kind for one in _unseen(game, kind))]
    told = fate.told_card(kind.value, sorted(game.box.enemies[one].id for one in unknown))
    return token if told is None else game.box.enemy_number.get(told, NO_CARD)


def _unseen(game: Position, kind: EnemyType) -> list[int]:
    return [
        number for number, token in game.enemies.items() if not token.seen and game.box.enemies[token.kind].type is kind
    ]


def _exchange(game: Position, kind: EnemyType, token: int, wanted: int) -> int:
    """The told token takes the place of the one that was thought to lie there."""
    stack = game.stacks[kind].cards
    if wanted in stack:
        stack[stack.index(wanted)] = token
        return wanted
    for number in _unseen(game, kind):
        if game.enemies[number].kind == wanted:
            game.enemies[number] = game.enemies[number]._replace(kind=token)
            return wanted
    raise Refusal("not_in_deck", "W-LIMIT-2", "The token that was told is not there.", type=kind.value)


def discard(game: Position, kind: int) -> None:
    """A drawn enemy is discarded, dead or not (W-ENEMY-26)."""
    if kind == NO_CARD:
        return
    enemy = game.box.enemies[kind]
    if not is_faction(enemy.type):
        game.stacks[enemy.type].discards.append(kind)
