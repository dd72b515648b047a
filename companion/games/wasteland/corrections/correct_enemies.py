"""Corrections of the tokens on the map; ordinary ones stay conserved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.wasteland.box import is_faction
from companion.games.wasteland.corrections import fields
from companion.games.wasteland.game_parts import Token
from companion.games.wasteland.map import tokens
from companion.games.wasteland.words import NO_CARD
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.wasteland.words import EnemyType
    from companion.games.wasteland.flow.told_chance import Fate
    from companion.games.wasteland.position import Position


def apply(game: Position, fate: Fate, change: dict[str, Any]) -> None:
    """Tokens by their number: null takes one off the map, a new number lays one down."""
    for key, raw in fields.an_object(change.get("enemies", {}), "enemies").items():
        if not key.isdecimal() or not 1 <= len(key) <= 6:  # noqa: PLR2004 - a number that fits on a page
            raise fields.malformed("enemies", key, "the number of an enemy")
        number = int(key)
        if game.contest is not None and game.contest.number == number:
            raise Refusal("in_a_fight", "W-FIGHT-3", "That enemy is being fought.", enemy=number)
        if raw is None:
            _take_off(game, number)
        else:
            _lay(game, fate, number, fields.an_object(raw, key))


def _take_off(game: Position, number: int) -> None:
    token = game.enemies.pop(number, None)
    if token is not None:
        tokens.discard(game, token.kind)


def _lay(game: Position, fate: Fate, number: int, entry: dict[str, Any]) -> None:
    for key in entry:
        if key not in ("type", "id", "active", "space", "level"):
            raise fields.malformed("enemies", key, "type, id, active or space")
    token = game.enemies.get(number)
    if token is None or entry.get("id") is not None:
        _take_off(game, number)
        token = Token(_kind(game, fate, entry), active=True, at=token.at if token else "", seen="id" in entry)
        game.next_enemy = max(game.next_enemy, number + 1)
    if "active" in entry:
        token = token._replace(active=fields.flag(entry["active"], "active"))
    if "space" in entry:
        token = token._replace(at="" if entry["space"] is None else fields.text(entry["space"], "space"))
    game.enemies[number] = token


def _kind(game: Position, fate: Fate, entry: dict[str, Any]) -> int:
    """The token that was named, or a random one of its type."""
    name = entry.get("id")
    if name is None:
        kind = fields.enemy_type(entry.get("type"), "type")
        drawn = tokens.draw_token(game, fate, kind)
        if drawn is None:
            raise Refusal("impossible", "W-LIMIT-2", f"No token of the type {kind} is left.", type=kind.value)
        return drawn
    number = game.box.enemy_number.get(fields.text(name, "id"), NO_CARD)
    if number == NO_CARD:
        raise Refusal("no_such_enemy", None, f"There is no enemy {name!r}.", id=name)
    return _fetch(game, number, game.box.enemies[number].type)


def _fetch(game: Position, number: int, kind: EnemyType) -> int:
    if is_faction(kind):
        return number
    pile = game.stacks[kind]
    for cards in (pile.cards, pile.discards):
        if number in cards:
            cards.remove(number)
            return number
    raise Refusal("impossible", "W-LIMIT-2", "That token is on the map already.", id=game.box.enemies[number].id)
