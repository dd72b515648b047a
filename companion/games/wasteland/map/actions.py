"""W-ACT and W-MAP: taking actions, and moving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.words import Ability, Terrain
from companion.games.fields import malformed
from companion.games.wasteland import moves
from companion.games.wasteland.events import SurvivorMoved
from companion.games.wasteland.fight import fights
from companion.games.wasteland.flow.sequence import push, refuse_unless_idle_turn
from companion.games.wasteland.map import activation, enemies
from companion.games.wasteland.position import remind
from companion.games.wasteland.story import agendas
from companion.games.wasteland.survivor import hp
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.map.plan import WastelandMap, Way
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import PendingStep, WastelandPosition

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
    _gain_points(game, move.by)
    remind(game, "movement", move.by, points=game.points)


def _gain_points(game: WastelandPosition, seat: int) -> None:
    take_action(game, seat)
    game.points += POINTS


def step(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Step into an adjacent space; difficult terrain costs one more, irradiated 1 rad (W-MAP-1 to 3, A-36)."""
    refuse_unless_idle_turn(game, move.by)
    to, found = move[moves.TO_SPACE], game.map
    terrain = move.get(moves.TERRAIN, frozenset())
    if found is not None:
        if moves.TERRAIN.key in move.args:
            raise malformed("terrain", sorted(terrain), "told where the map is known")
        if to not in found.spaces or to not in found.neighbours.get(game.survivors[move.by].at, ()):
            raise Refusal("not_adjacent", "W-MAP-1", "That is no adjacent space.", to=to)
        terrain = frozenset(one.value for one in found.spaces[to].terrain)
    cost = 1 + (Terrain.DIFFICULT in terrain)
    if game.points < cost:
        clause = "W-MAP-2" if Terrain.DIFFICULT in terrain else "W-MAP-1"
        raise Refusal("no_points", clause, "Not enough movement points.", points=game.points, needed=cost)
    _enter(game, move.by, to, cost, irradiated=Terrain.IRRADIATED in terrain)


def _enter(game: WastelandPosition, seat: int, to: str, cost: int, *, irradiated: bool) -> None:
    """Enter a space; Aggressive enemies there fight at once (W-ENEMY-13)."""
    game.points -= cost
    game.survivors[seat].at = to
    game.events.append(SurvivorMoved(seat, at=to, points=game.points))
    aggressive = activation.forced_fights_at(game, seat)
    if aggressive:
        push(game, "forced-fights", seat, aggressive)
    if irradiated:
        remind(game, "irradiated", seat, at=to)
        hp.change_rads(game, seat, 1)


def ways_of(game: WastelandPosition, seat: int) -> dict[str, Way]:
    """Return where a survivor gets in this turn, and how; fights and rads are avoided where it costs no more."""
    found = game.map
    if found is None:
        return {}
    points = game.points + POINTS * game.actions
    return found.ways(game.survivors[seat].at, points, _attacking(game, seat))


def _attacking(game: WastelandPosition, seat: int) -> set[str]:
    """Return the spaces that are not entered without a fight."""
    return {
        token.at
        for number, token in game.enemies.items()
        if token.active
        and Ability.AGGRESSIVE in enemies.enemy_of(game, number).abilities
        and not agendas.is_loyal_to(game, seat, enemies.enemy_of(game, number).type)
    }


def walk(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Go to a space by the cheapest way, taking move actions as points are needed (W-MAP-1 to 4)."""
    refuse_unless_idle_turn(game, move.by)
    found, to = game.map, move[moves.TO_SPACE]
    if found is None:
        raise Refusal("no_map", "W-MAP-1", "Nobody entered the map of this scenario.")
    if to not in found.spaces:
        raise Refusal("not_on_the_map", "W-MAP-7", "There is no such space on the map.", to=to)
    way = ways_of(game, move.by).get(to)
    if way is None:
        points = game.points + POINTS * game.actions
        raise Refusal("out_of_reach", "W-MAP-1", "The points of this turn do not reach that far.", to=to, points=points)
    push(game, "walk", move.by, way.spaces)


def walk_on(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Enter the next space of a way; a fight ends it."""
    to, *rest = step.data[0]
    found = known(game)
    while game.points < found.cost(to):
        _gain_points(game, step.seat)
    if rest and to not in _attacking(game, step.seat):
        push(game, "walk", step.seat, tuple(rest))
    _enter(game, step.seat, to, found.cost(to), irradiated=found.is_irradiated(to))


def known(game: WastelandPosition) -> WastelandMap:
    """Return the map where it must be known."""
    found = game.map
    if found is None:
        raise AssertionError("only a game with a map does that")
    return found


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
    if not fights.reaches(game, move.by, number):
        raise Refusal("not_here", "W-FIGHT-2", "Only a ranged weapon reaches the next space.", enemy=number)
    take_action(game, move.by)
    fights.begin(game, move.by, number, adjacent=token.at != game.survivors[move.by].at)
