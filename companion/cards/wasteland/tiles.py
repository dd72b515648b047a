"""Map tiles and layouts: read from a pack, and checked as a whole map, every fault at its line."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.cards import fields as read
from companion.cards.fields import Fields, UnfitError
from companion.cards.pack import Fault
from companion.cards.wasteland import lattice, notation
from companion.cards.wasteland.types import MapTile, TileSpace
from companion.cards.wasteland.words import Terrain, TileBack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from companion.cards.source import Source
    from companion.cards.wasteland.types import Scenario, TilePlace, WastelandPack

TILES_FILE: Final = "tiles.toml"
_SCENARIOS_FILE: Final = "scenarios.toml"
_STARTERS: Final = 4
_TRIANGLES: Final = len(lattice.TRIANGLES)


def _pattern(raw: object) -> str:
    """Read the letters of the 54 triangles, row by row from the top."""
    rows = raw.split() if isinstance(raw, str) else []
    if len(rows) == 1 and len(rows[0]) == _TRIANGLES:
        pattern = rows[0]
    elif len(rows) == len(lattice.ROWS):
        wrong = [
            number for number, (row, long) in enumerate(zip(rows, lattice.ROWS, strict=True), 1) if len(row) != long
        ]
        if wrong:
            raise UnfitError(
                "rows of 7, 9, 11, 11, 9 and 7 letters", f"{len(rows[wrong[0] - 1])} letters in row {wrong[0]}"
            )
        pattern = "".join(rows)
    else:
        raise UnfitError("54 letters in rows of 7, 9, 11, 11, 9 and 7")
    holes = sorted({letter for letter in pattern if not letter.isalpha()})
    if holes:
        raise UnfitError("a letter for every triangle", f"a hole ({holes[0]})")
    for letter, triangles in lattice.areas(pattern).items():
        if not lattice.is_one_piece(triangles):
            raise UnfitError("spaces of one piece", f"space {letter} in several pieces")
    return pattern


def _translations(raw: object) -> dict[str, str]:
    if not isinstance(raw, dict) or not all(isinstance(name, str) and name.strip() for name in raw.values()):
        raise UnfitError('a table of names by language ({ de = "Alte Mühle" })')
    return {str(language): read.text(name) for language, name in raw.items()}


def tile(source: Source, number: int, fields: Fields) -> MapTile | None:
    named, name = fields.take("id", notation.space), fields.maybe("name", read.text)
    names, back = fields.maybe("names", _translations), fields.maybe("back", read.one_of(*TileBack))
    pattern = fields.take("pattern", _pattern)
    raw = fields.take("space", _tables)
    parts = [
        Fields(source.table("tile", number, "space", one), fields.card, fields.faults) for one in range(len(raw or ()))
    ]
    spaces = [_space(part, named or "", pattern) for part in parts]
    _check_areas(fields, pattern, spaces, complete=raw is not None)
    if named is None or pattern is None or None in spaces:
        return None
    return MapTile(named, name or "", names or {}, back, pattern, tuple(one for one in spaces if one is not None))


def _tables(raw: object) -> list[object]:
    if not isinstance(raw, list) or not raw or not all(isinstance(one, dict) for one in raw):
        raise UnfitError("tables [[tile.space]]")
    return raw


def _space(fields: Fields, tile_id: str, pattern: str | None) -> TileSpace | None:
    area = fields.take("area", _letter(pattern))
    named, name = fields.maybe("id", notation.space), fields.maybe("name", read.text)
    names = fields.maybe("names", _translations)
    encounter = fields.maybe("encounter", notation.encounter_icon)
    terrain = fields.maybe("terrain", notation.lines(read.one_of(*Terrain)))
    enemies = fields.maybe("enemies", notation.lines(notation.enemy_icon))
    fields.finish()
    if area is None:
        return None
    icon, level = encounter or (None, None)
    space_id = named or f"{tile_id}-{notation.space_id(area)}"
    return TileSpace(space_id, area, name or "", names or {}, icon, level, frozenset(terrain or ()), enemies or ())


def _letter(pattern: str | None) -> Callable[[object], str]:
    def of(raw: object) -> str:
        if not isinstance(raw, str) or len(raw) != 1 or (pattern is not None and raw not in pattern):
            raise UnfitError("a letter of the tile's pattern")
        return raw

    return of


def _check_areas(fields: Fields, pattern: str | None, spaces: list[TileSpace | None], *, complete: bool) -> None:
    """Note letters that no space stands for, and those for which two do."""
    told = Counter(one.area for one in spaces if one is not None)
    line = fields.table.line
    for letter, times in told.items():
        if times > 1:
            fields.fault(line, f"{times} spaces for the letter {letter}", "one [[tile.space]] for each letter", "space")
    if pattern is not None and complete and None not in spaces:
        for letter in sorted(set(pattern) - set(told)):
            fields.fault(line, f"no space for the letter {letter}", "a [[tile.space]] for each letter", "space")


# --- the whole map ----------------------------------------------------------------------------------------------------


def check_maps(pack: WastelandPack, sources: Mapping[str, Source], faults: list[Fault]) -> None:
    """Note what is wrong with tiles among each other, and with the layout of every scenario."""
    if TILES_FILE in sources:
        _check_ids(sources[TILES_FILE], faults)
    known = {one.id: one for one in pack.tiles}
    written = dict(written_spaces(sources[TILES_FILE])) if TILES_FILE in sources else {}
    scenarios = {one.id: one for one in pack.scenarios}
    source = sources.get(_SCENARIOS_FILE)
    for number, scenario_id in enumerate(_ids(source, "scenario") if source is not None else []):
        scenario = scenarios.get(scenario_id)
        if source is None or scenario is None or not scenario.layout:
            continue
        for key, found, expected in _layout_problems(scenario, pack, known, written):
            line = source.line(("scenario", number, key))
            faults.append(Fault(source.file, line, scenario_id, found, expected, key))


def _ids(source: Source, key: str) -> list[str]:
    raw = source.data.get(key)
    return [str(one.get("id")) for one in raw if isinstance(one, dict)] if isinstance(raw, list) else []


def written_spaces(source: Source) -> list[tuple[str, list[str]]]:
    """Return every tile by its id with the ids of its spaces, also of tiles that have faults of their own."""
    raw = source.data.get("tile")
    found = []
    for one in raw if isinstance(raw, list) else []:
        tile_id = str(one.get("id")) if isinstance(one, dict) else ""
        parts = one.get("space") if isinstance(one, dict) else None
        spaces = [part if isinstance(part, dict) else {} for part in parts] if isinstance(parts, list) else []
        found.append((tile_id, [_space_id(tile_id, part.get("id"), part.get("area")) for part in spaces]))
    return found


def _space_id(tile_id: str, named: object, area: object) -> str:
    return notation.space_id(named) if isinstance(named, str) else f"{tile_id}-{notation.space_id(str(area))}"


def _check_ids(source: Source, faults: list[Fault]) -> None:
    """Note a space that is named twice: enemies and quests are sent to it by its name."""
    met: set[str] = set()
    for number, (tile_id, spaces) in enumerate(written_spaces(source)):
        for place, space in enumerate(spaces):
            if space in met:
                line = source.line(("tile", number, "space", place))
                faults.append(Fault(source.file, line, tile_id, f"a second space {space}", "an id of its own", "id"))
            met.add(space)


Problem = tuple[str, str, str]
"""The key at fault, what was found, what was expected."""


def _layout_problems(
    scenario: Scenario, pack: WastelandPack, known: Mapping[str, MapTile], written: Mapping[str, list[str]]
) -> Iterator[Problem]:
    layout, tiles = scenario.layout, [one.tile for one in scenario.layout if one.tile]
    for at, times in Counter((one.column, one.row) for one in layout).items():
        if times > 1:
            yield "layout", f"{times} tiles at {at[0]} {at[1]}", "one tile on a place"
    for name, times in Counter(tiles).items():
        if times > 1:
            yield "layout", f"the tile {name} laid {times} times", "each tile once"
        if name not in written:
            yield "layout", f"the tile {name}", f"a tile of {TILES_FILE}, dangerous or deadly"
    yield from _backs(layout, pack)
    yield from _gaps(layout, scenario.start_tile)
    yield from _start(scenario, known)
    if all(name in written for name in tiles):
        there = {space for name in tiles for space in written[name]}
        for placed in scenario.enemies:
            if placed.at not in there:
                yield "enemies", f"{placed.type} at {placed.at}", "a space of a tile that lies faceup"


def _backs(layout: tuple[TilePlace, ...], pack: WastelandPack) -> Iterator[Problem]:
    """Compare facedown places with the tiles that are left to be drawn for them."""
    laid = {one.tile for one in layout}
    for back in TileBack:
        places = sum(one.back is back for one in layout)
        left = sum(one.back is back and one.id not in laid for one in pack.tiles)
        if places > left:
            yield "layout", f"{places} places for {back} tiles", f"at most {left}: so many of them are left"


def _gaps(layout: tuple[TilePlace, ...], start_tile: str) -> Iterator[Problem]:
    """Note tiles that nothing reaches, and places without a tile in the middle of others."""
    places = [(one.column, one.row) for one in layout]
    taken = set(places)
    begun = [(one.column, one.row) for one in layout if one.tile == start_tile]
    reached = _spread((begun or places)[:1], taken)
    for column, row in dict.fromkeys(places):
        if (column, row) not in reached:
            yield "layout", f"a tile at {column} {row} that nothing reaches", "tiles that touch each other"
    last_column, last_row = max(column for column, _ in places) + 1, max(row for _, row in places) + 1
    frame = {(column, row) for column in range(-1, last_column + 1) for row in range(-1, last_row + 1)}
    outside = _spread([(-1, -1)], frame - taken)
    for column, row in sorted(frame - taken - outside):
        yield "layout", f"a hole in the map at {column} {row}", "a tile on every place between others"


def _spread(start: list[tuple[int, int]], within: set[tuple[int, int]]) -> set[tuple[int, int]]:
    reached, front = set(start), list(start)
    while front:
        beside = [place for place in lattice.neighbours(*front.pop()) if place in within and place not in reached]
        reached |= set(beside)
        front += beside
    return reached


def _start(scenario: Scenario, known: Mapping[str, MapTile]) -> Iterator[Problem]:
    """Check that survivors begin on a tile that lies faceup, with a space for each (W-SETUP-10)."""
    if scenario.start_tile not in {one.tile for one in scenario.layout}:
        yield "start_tile", f"start_tile {scenario.start_tile}", "a tile of the layout"
    elif scenario.start_tile in known and len(known[scenario.start_tile].spaces) < _STARTERS:
        count = len(known[scenario.start_tile].spaces)
        yield "start_tile", f"{count} spaces on {scenario.start_tile}", f"at least {_STARTERS}, one for each survivor"


def with_spaces(scenario: Scenario, tiles: Mapping[str, MapTile]) -> Scenario:
    """Return a scenario whose spaces are those of its tiles that lie faceup."""
    if not scenario.layout:
        return scenario
    start = tuple(space.id for space in tiles[scenario.start_tile].spaces)
    faceup = [one.tile for one in scenario.layout if one.tile and one.tile != scenario.start_tile]
    named = tuple(space.id for name in faceup for space in tiles[name].spaces)
    return replace(scenario, start_spaces=start, spaces=named)
