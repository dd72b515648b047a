"""The map of a scenario as it lies: which spaces touch, how far they are apart, and the ways between them."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.cards.wasteland import lattice
from companion.cards.wasteland.words import Terrain

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from companion.cards.wasteland.types import MapTile, Scenario, TileSpace
    from companion.cards.wasteland.words import EnemyType

FACEDOWN: Final = "facedown-"
_MOST_KEPT: Final = 128


def facedown(place: int) -> str:
    """Return the name of the single space that a facedown tile is (W-ENEMY-9)."""
    return f"{FACEDOWN}{place}"


class Way(NamedTuple):
    """How a survivor gets somewhere: the movement points, and every space that is entered."""

    points: int
    spaces: tuple[str, ...]


class WastelandMap:
    """The tiles as they lie. Shared by positions and never changed."""

    def __init__(self, scenario: Scenario, tiles: Mapping[int, MapTile]) -> None:
        self.layout = scenario.layout
        self.tiles = tiles
        """By their place in the layout, which counts from 1; a place without one lies facedown."""
        self.spaces: dict[str, TileSpace] = {}
        self.place_of: dict[str, int] = {}
        for place in range(1, len(self.layout) + 1):
            tile = tiles.get(place)
            for space in tile.spaces if tile else ():
                self.spaces[space.id] = space
                self.place_of[space.id] = place
            if tile is None:
                self.place_of[facedown(place)] = place
        self.neighbours = self._touching()
        self._distances = lru_cache(maxsize=_MOST_KEPT)(self._measured)

    def _touching(self) -> dict[str, tuple[str, ...]]:
        """Return what has an edge in common with each space (W-MAP-1)."""
        owners: dict[lattice.Edge, list[str]] = {}
        for place, at in enumerate(self.layout, 1):
            tile, middle = self.tiles.get(place), lattice.middle(at.column, at.row)
            names = {space.area: space.id for space in tile.spaces} if tile else {}
            for number, triangle in enumerate(lattice.TRIANGLES):
                name = names[tile.pattern[number]] if tile else facedown(place)
                for edge in triangle.edges(middle):
                    owners.setdefault(edge, []).append(name)
        beside: dict[str, set[str]] = {name: set() for name in self.place_of}
        for one, *others in owners.values():
            for other in others:
                if one != other:
                    beside[one].add(other)
                    beside[other].add(one)
        order = {name: number for number, name in enumerate(self.place_of)}
        return {name: tuple(sorted(found, key=order.__getitem__)) for name, found in beside.items()}

    def knows(self, space: str) -> bool:
        return space in self.place_of

    def touch(self, one: str, other: str) -> bool:
        """Return whether these are the same space or adjacent ones."""
        return one == other or other in self.neighbours.get(one, ())

    def distances(self, start: str) -> Mapping[str, int]:
        """Return how many spaces away everything is; terrain does not count (W-ENEMY-9)."""
        return self._distances(start)

    def _measured(self, start: str) -> dict[str, int]:
        found = {start: 0}
        front = [start]
        while front:
            beyond = []
            for here in front:
                for there in self.neighbours[here]:
                    if there not in found:
                        found[there] = found[here] + 1
                        beyond.append(there)
            front = beyond
        return found

    def nearest(self, start: str, spaces: Iterable[str]) -> list[str]:
        """Return those of the spaces that are least far away."""
        away = self.distances(start)
        found = [space for space in dict.fromkeys(spaces) if space in away]
        least = min((away[space] for space in found), default=0)
        return [space for space in found if away[space] == least]

    def toward(self, start: str, goal: str) -> list[str]:
        """Return the neighbours that are one space nearer to the goal (W-ENEMY-8)."""
        away = self.distances(goal)
        return [space for space in self.neighbours[start] if away[space] < away[start]]

    def with_icon(self, kind: EnemyType) -> list[str]:
        """Return the visible spaces with an icon of that type (W-ENEMY-23, A-6)."""
        return [space.id for space in self.spaces.values() if kind in space.enemies]

    def cost(self, space: str) -> int:
        """Return the movement points that entering costs (W-MAP-1, W-MAP-2)."""
        return 1 + (Terrain.DIFFICULT in self.spaces[space].terrain)

    def is_irradiated(self, space: str) -> bool:
        return Terrain.IRRADIATED in self.spaces[space].terrain

    def ways(self, start: str, points: int, avoided: Container[str] = ()) -> dict[str, Way]:
        """Return the cheapest way to every space within so many points; no way goes on behind an avoided space.

        Of equally cheap ones, the one with fewest irradiated spaces.
        """
        found: dict[str, Way] = {}
        queue: list[tuple[int, int, int, str, tuple[str, ...]]] = []
        if start in self.spaces:
            queue.append((0, 0, 0, start, ()))
        pushed = 0
        while queue:
            cost, rads, _, here, way = heappop(queue)
            if here in found:
                continue
            found[here] = Way(cost, way)
            if way and here in avoided:
                continue
            for there in self.neighbours[here]:
                if there in found or there not in self.spaces or cost + self.cost(there) > points:
                    continue
                pushed += 1
                burned = rads + self.is_irradiated(there)
                heappush(queue, (cost + self.cost(there), burned, pushed, there, (*way, there)))
        found.pop(start, None)
        return found

    def facedown_beside(self, space: str) -> list[int]:
        """Return the places of the facedown tiles next to a space (W-MAP-5)."""
        return [self.place_of[one] for one in self.neighbours.get(space, ()) if one.startswith(FACEDOWN)]


class MapPlan:
    """The layout of a scenario, and the maps that it has become so far; every game of the pack shares them."""

    def __init__(self, scenario: Scenario, tiles: tuple[MapTile, ...]) -> None:
        self.scenario = scenario
        self.tiles = tiles
        self._lying = lru_cache(maxsize=_MOST_KEPT)(self._made)

    def __reduce__(self) -> tuple[type[MapPlan], tuple[Scenario, tuple[MapTile, ...]]]:
        """Let a plan travel to another process without the maps that it has become here."""
        return MapPlan, (self.scenario, self.tiles)

    def lying(self, laid: Mapping[int, int]) -> WastelandMap:
        """Return the map with these tiles, by their numbers in the pack, on these places."""
        return self._lying(tuple(sorted(laid.items())))

    def _made(self, laid: tuple[tuple[int, int], ...]) -> WastelandMap:
        return WastelandMap(self.scenario, {place: self.tiles[tile] for place, tile in laid})
