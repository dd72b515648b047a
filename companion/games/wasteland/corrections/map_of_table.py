"""Corrections of the map: another tile was turned than the record says, or one is turned back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import Faction
from companion.games import fields
from companion.games.wasteland.box import ELSEWHERE
from companion.games.wasteland.map import enemies, tokens
from companion.games.wasteland.map.plan import facedown
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.wasteland.map.plan import WastelandMap
    from companion.games.wasteland.position import WastelandPosition


def correct_tokens(game: WastelandPosition, change: dict[str, object]) -> None:
    """Set where the tokens of a faction lie that are no enemies (W-FACT-5)."""
    for name, raw in fields.an_object(change.get("tokens", {}), "tokens").items():
        if name not in tokens.by_faction(game):
            raise fields.malformed("tokens", name, "a faction whose tokens are no enemies here")
        spaces = fields.texts(raw, name)
        for at in spaces:
            if at != ELSEWHERE:
                enemies.refuse_unknown_space(game, at)
        game.tokens = [one for one in game.tokens if one[0].value != name] + [(Faction(name), at) for at in spaces]


def correct_map(game: WastelandPosition, change: dict[str, object]) -> None:
    """Set the tiles of places, in the shape of the state; null turns one facedown. Tiles stay conserved."""
    if "map" not in change:
        return
    found = game.map
    places = fields.a_list(change["map"], "map")
    if found is None or len(places) != len(found.layout):
        raise fields.malformed("map", len(places), "the places of the layout")
    wanted = {place: _tile(game, raw) for place, raw in enumerate(places, 1)}
    changed = [place for place, tile in wanted.items() if tile != game.laid.get(place)]
    for place in changed:
        _take_up(game, found, place)
    for place in changed:
        _lay(game, place, wanted[place])


def _tile(game: WastelandPosition, raw: object) -> int | None:
    """Read what lies on a place; what else the state says of it is derived."""
    name = fields.an_object(raw, "map").get("tile")
    if name is None:
        return None
    number = game.box.tile_number.get(fields.text(name, "tile"))
    if number is None:
        raise fields.malformed("tile", name, "a tile of the pack")
    return number


def _take_up(game: WastelandPosition, found: WastelandMap, place: int) -> None:
    """Put a tile back to those that are left; whoever stands on it is moved first."""
    back = game.scenario.layout[place - 1].back
    if back is None:
        raise Refusal("impossible", "W-SETUP-2", "That tile is laid by the scenario.", field="map")
    number = game.laid.pop(place, None)
    if number is None:
        return
    spaces = {space.id for space in found.tiles[place].spaces}
    if any(game.survivors[seat].at in spaces for seat in game.alive()):
        raise Refusal("impossible", "W-MAP-5", "Somebody stands on that tile.", field="map")
    game.tile_stacks[back].append(number)
    for enemy, token in game.enemies.items():
        if token.at in spaces:
            game.enemies[enemy] = token._replace(at=facedown(place))


def _lay(game: WastelandPosition, place: int, number: int | None) -> None:
    """Lay a tile that is left; enemies that were there stand on its first space until somebody says otherwise."""
    back = game.scenario.layout[place - 1].back
    if number is None or back is None:
        return
    if number not in game.tile_stacks[back]:
        raise Refusal("impossible", "W-SETUP-2", "That tile lies elsewhere, or has another back.", field="map")
    game.tile_stacks[back].remove(number)
    game.laid[place] = number
    first = game.box.tiles[number].spaces[0].id
    for enemy, token in game.enemies.items():
        if token.at == facedown(place):
            game.enemies[enemy] = token._replace(at=first)
