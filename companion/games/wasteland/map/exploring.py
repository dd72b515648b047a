"""W-SETUP-2 and W-MAP-5: tiles are laid out, facedown ones are flipped, and enemies come onto them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import EnemyType, TileBack
from companion.games.fields import malformed
from companion.games.wasteland import moves
from companion.games.wasteland.box import NOBODY, is_faction
from companion.games.wasteland.events import EnemyMoved, TileFlipped
from companion.games.wasteland.flow.decks import take_top
from companion.games.wasteland.flow.sequence import ask_next, push
from companion.games.wasteland.map.actions import known, take_action
from companion.games.wasteland.map.plan import facedown
from companion.games.wasteland.position import remind
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.wasteland.types import MapTile
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.map.plan import WastelandMap
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition


def stack_name(back: TileBack) -> str:
    return f"{back.value}-tiles"


def lay_out(game: WastelandPosition, chance: MoveChance) -> None:
    """Lay the tiles that the layout names, and shuffle those that lie facedown (W-SETUP-2)."""
    layout = game.scenario.layout
    if layout:
        game.laid = {place: game.box.tile_number[one.tile] for place, one in enumerate(layout, 1) if one.tile}
        game.tile_stacks = {back: chance.shuffle(game.box.tile_stack(game.scenario, back)) for back in TileBack}


def populate(game: WastelandPosition, tile: MapTile) -> None:
    """Push a random faceup enemy for every icon of a tile (W-SETUP-15, W-MAP-5)."""
    for space in reversed(tile.spaces):
        for icon in reversed(space.enemies):
            if icon is None:
                push(game, "random-enemy", NOBODY, space.id)
            else:
                push(game, "place-enemy", NOBODY, icon, space.id, True)


def random_enemy(game: WastelandPosition, chance: MoveChance, step: PendingStep) -> None:
    """Pick a type by the tokens that are left; the token is drawn in a step of its own, for the table may tell it."""
    left = {kind: len(pile.cards) + len(pile.discards) for kind, pile in game.stacks.items()}
    tokens = [kind for kind in EnemyType if not is_faction(kind) for _ in range(left.get(kind, 0))]
    if tokens:
        push(game, "place-enemy", NOBODY, tokens[chance.pick(len(tokens))], step.data[0], True)


def explore(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Flip a tile next to the own space (W-MAP-5); without a map, key in what it brings (W-ENEMY-10)."""
    found = game.map
    if found is None:
        _explore_by_hand(game, move)
        return
    for key in (moves.ENEMIES.key, moves.PLACED.key):
        if key in move.args:
            raise malformed(key, move.args[key], "told where the map is known")
    place = _facedown_place(game, found, move)
    take_action(game, move.by)
    push(game, "flip", move.by, place)


def _facedown_place(game: WastelandPosition, found: WastelandMap, move: WastelandMove) -> int:
    """Return the facedown place that is meant; only one need not be named."""
    beside = found.facedown_beside(game.survivors[move.by].at)
    place = move.get(moves.PLACE, beside[0] if len(beside) == 1 else 0)
    if not beside:
        raise Refusal("nothing_to_explore", "W-MAP-5", "No facedown tile is next to the survivor.")
    if place not in beside:
        raise malformed("place", place, "one of " + ", ".join(map(str, beside)))
    return place


def _explore_by_hand(game: WastelandPosition, move: WastelandMove) -> None:
    if moves.PLACE.key in move.args:
        raise malformed("place", move[moves.PLACE], "a field where no map is known")
    take_action(game, move.by)
    for number, at in move.get(moves.PLACED, {}).items():
        if number not in game.enemies:
            raise Refusal("no_such_enemy", "W-ENEMY-10", f"There is no enemy {number} on the map.", enemy=number)
        game.enemies[number] = game.enemies[number]._replace(at=at)
    remind(game, "tile-flipped", move.by)
    if game.enemies:
        remind(game, "enemies-on-the-tile", move.by)
    for icon in reversed(move.get(moves.ENEMIES, ())):
        push(game, "place-enemy", NOBODY, icon.type, icon.at, True)


def flip(game: WastelandPosition, chance: MoveChance, step: PendingStep) -> None:
    """Turn up the tile, or the one that the table tells; enemies on it are placed first, then those of its icons."""
    place: int = step.data[0]
    back = game.scenario.layout[place - 1].back
    stack = game.tile_stacks[back] if back is not None else []
    if not stack or back is None:
        return
    number = take_top(stack, chance, [tile.id for tile in game.box.tiles], stack_name(back))
    game.laid[place] = number
    tile = game.box.tiles[number]
    game.events.append(TileFlipped(step.seat, tile=tile.id, place=place))
    populate(game, tile)
    for enemy in reversed([one for one, token in game.enemies.items() if token.at == facedown(place)]):
        ask_next(game, step.seat, "put-on-tile", "W-ENEMY-10", enemy, place)


def put_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return the spaces of the flipped tile, for an enemy that was on it."""
    number, place = choice.data
    return [space.id for space in known(game).tiles[place].spaces] if number in game.enemies else []


def answer_put(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Put the enemy there; that starts no fight (W-MAP-6)."""
    number: int = choice.data[0]
    game.enemies[number] = game.enemies[number]._replace(at=option)
    game.events.append(EnemyMoved(NOBODY, number=number, at=option))
