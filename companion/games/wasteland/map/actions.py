"""W-ACT and W-MAP: taking actions, moving and exploring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.wasteland import moves
from companion.games.wasteland.box import NOBODY
from companion.games.wasteland.events import SurvivorMoved
from companion.games.wasteland.fight import fights
from companion.games.wasteland.flow.sequence import push, refuse_unless_idle_turn
from companion.games.wasteland.map import activation, enemies
from companion.games.wasteland.position import remind
from companion.games.wasteland.survivor import hp
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import WastelandPosition

POINTS: Final = 2


def take_action(game: WastelandPosition, seat: int) -> None:
    """Spend one of the two actions; the start of the turn is over (W-TURN-2, W-TURN-4)."""
    refuse_unless_action_left(game, seat)
    game.actions -= 1
    game.at_start_of_turn = False


def refuse_unless_action_left(game: WastelandPosition, seat: int) -> None:
    refuse_unless_idle_turn(game, seat)
    if not game.actions:
        raise Refusal("no_actions", "W-TURN-2", "No actions are left in this turn.")


def refuse_if_enemy_here(game: WastelandPosition, seat: int) -> None:
    """Refuse encounter, quest and camp beside a faceup enemy (W-ACT-4, W-ACT-5)."""
    forbidding = enemies.that_forbid(game, seat)
    if forbidding:
        raise Refusal("enemy_here", "W-ACT-4", "An enemy in the space forbids that.", enemies=forbidding)


def move(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Gain two movement points; the other action may come in between (W-MAP-1, W-MAP-4)."""
    take_action(game, move.by)
    game.points += POINTS
    remind(game, "movement", move.by, points=game.points)


def step(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Step into an adjacent space; difficult terrain costs one more, irradiated 1 rad (W-MAP-1 to 3, A-36)."""
    refuse_unless_idle_turn(game, move.by)
    terrain = move.get(moves.TERRAIN, frozenset())
    cost = 1 + ("difficult" in terrain)
    if game.points < cost:
        clause = "W-MAP-2" if "difficult" in terrain else "W-MAP-1"
        raise Refusal("no_points", clause, "Not enough movement points.", points=game.points, needed=cost)
    game.points -= cost
    game.survivors[move.by].at = move[moves.TO_SPACE]
    game.events.append(SurvivorMoved(move.by, at=move[moves.TO_SPACE], points=game.points))
    aggressive = activation.forced_fights_at(game, move.by)
    if aggressive:
        push(game, "forced-fights", move.by, aggressive)
    if "irradiated" in terrain:
        remind(game, "irradiated", move.by, at=move[moves.TO_SPACE])
        hp.change_rads(game, move.by, 1)


def explore(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Flip a tile: a random faceup enemy for every icon, and the enemies on it placed (W-MAP-5, W-ENEMY-10)."""
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


def fight(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Fight an active enemy in the own space, with a ranged weapon also next door (W-FIGHT-1, W-FIGHT-2)."""
    refuse_unless_action_left(game, move.by)
    number = move[moves.ENEMY]
    token = game.enemies.get(number)
    if token is None:
        raise Refusal("no_such_enemy", "W-FIGHT-1", f"There is no enemy {number} on the map.", enemy=number)
    if not token.active:
        raise Refusal("inactive", "W-ENEMY-11", "An inactive enemy cannot be fought.", enemy=number)
    fights.refuse_loyal(game, move.by, number)
    adjacent = token.at != game.survivors[move.by].at
    if adjacent and not fights.has_ranged_weapon(game, move.by):
        raise Refusal("not_here", "W-FIGHT-2", "Only a ranged weapon reaches the next space.", enemy=number)
    take_action(game, move.by)
    fights.begin(game, move.by, number, adjacent=adjacent)
