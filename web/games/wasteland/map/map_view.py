"""The map as it is drawn: tiles, spaces, what stands there, and where one may go."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland import lattice
from companion.cards.wasteland.types import Asks, Condition
from companion.cards.wasteland.words import Terrain
from companion.games.wasteland.box import COLOUR_NUMBER
from companion.games.wasteland.map import actions
from companion.games.wasteland.map.plan import facedown
from web.games.wasteland import contest
from web.games.wasteland.choices import SPACES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.cards.wasteland.types import TileSpace
    from companion.games.wasteland.map.plan import WastelandMap, Way
    from companion.games.wasteland.moves import WastelandMoveJson
    from companion.games.wasteland.position import WastelandPosition
    from companion.games.wasteland.state_types import WastelandState
    from web.base.words import Words
    from web.games.wasteland.names import Names

R: Final = 100.0
"""A tile's radius in the units of the drawing."""
GAP: Final = 0.972
"""Tiles are drawn a little smaller than they lie, so that their rims show."""
SLOT, TIGHT = 34.0, 22.0
"""How far things in a space stand apart, and where there are more than three."""
MANY: Final = 3
ROW, LINE, SIGN, BACK = 36.0, 14.0, 22, 54
"""Heights of the row of figures and tokens, of a line of a name, of a place's icon, and of a facedown tile's."""
LONG_NAME: Final = 10
CLOSE: Final = (330.0, 250.0)
"""How much of the map a phone shows around its own figure."""
SIGNS: Final = {
    "settlement": ("wicon_settlement",),
    "wasteland": ("wicon_wasteland",),
    "vault": ("wopt_vault84", "wopt_vault109"),
    "critter": ("wtype_critter",),
    "human": ("wtype_human",),
    "robot": ("wtype_robot",),
    "monster": ("wtype_monster",),
    "super-mutant": ("wtype_super_mutant",),
    "star": ("wtype_star",),
    "shield": ("wtype_shield",),
    "difficult": ("wdifficult",),
    "irradiated": ("wirradiated",),
    "dangerous": ("wdeck_dangerous_tiles",),
    "deadly": ("wdeck_deadly_tiles",),
    "explore": ("wdo_explore",),
    "quest": ("wquests",),
}
"""What is drawn on the map, with its words."""


@dataclass(frozen=True, slots=True)
class StandingThing:
    """Something in a space: a figure by its colour, an enemy by its type, or what going there costs."""

    kind: str
    x: float
    y: float
    colour: str = ""
    icon: str = ""
    level: str = ""
    aggressive: bool = False
    ranged: bool = False
    active: bool = True


@dataclass(slots=True)
class Land:
    """A space; a facedown tile is one too."""

    id: str
    name: str
    path: str
    x: float
    y: float
    lines: list[str] = field(default_factory=list)
    sign: str = ""
    """The icon of the place, or of the back."""
    sign_x: float = 0.0
    sign_y: float = 0.0
    sign_size: int = 0
    level: str = ""
    name_y: float = 0.0
    difficult: bool = False
    irradiated: bool = False
    back: str = ""
    here: bool = False
    cost: int = 0
    asked: bool = False
    """Whether a tap answers what is asked."""
    far: bool = False
    """Whether going there takes more than one move action."""
    free: bool = False
    """Whether the points that are left suffice: going there takes no action."""
    move: WastelandMoveJson | None = None
    asks: str = ""
    """What a tap asks before it moves."""
    told: list[str] = field(default_factory=list)
    things: list[StandingThing] = field(default_factory=list)

    @property
    def classes(self) -> str:
        goal = "goal" if self.move is not None and not self.far else ""
        marks = ("here" if self.here else "", goal, "free" if self.free else "", self.back)
        return " ".join(one for one in marks if one)

    @property
    def label(self) -> str:
        return ", ".join([self.name, *self.told])


@dataclass(frozen=True, slots=True)
class Arrow:
    """An enemy that has moved: from its old space to the new one."""

    path: str


@dataclass(frozen=True, slots=True)
class MapView:
    box: str
    """The whole map."""
    close: str
    """The part around the own figure, or the whole map."""
    rims: list[str]
    lands: list[Land]
    arrows: list[Arrow]


@dataclass(slots=True)
class Going:
    """What a seat may do on the map now."""

    ways: dict[str, Way] = field(default_factory=dict)
    walks: dict[str, WastelandMoveJson] = field(default_factory=dict)
    explores: dict[int, WastelandMoveJson] = field(default_factory=dict)
    answers: dict[str, WastelandMoveJson] = field(default_factory=dict)
    """Spaces that are asked for: a tap on one answers."""


def map_view(
    names: Names,
    game: WastelandPosition,
    colour: str = "",
    legal: Sequence[WastelandMoveJson] = (),
    moved: Sequence[tuple[str, str]] = (),
) -> MapView | None:
    """Return the map with what a seat may do there; None where nobody entered one. `moved` are ways of enemies."""
    words, state, found = names.words, names.state, game.map
    if found is None:
        return None
    going = _going(game, state, colour, legal)
    lands: list[Land] = []
    rims: list[str] = []
    for place, at in enumerate(found.layout, 1):
        x, y = lattice.on_paper(lattice.middle(at.column, at.row))
        rim = _path([_corners(x, y)])
        tile = found.tiles.get(place)
        if tile is None:
            land = Land(facedown(place), names.space(facedown(place)), rim, x * R, y * R, back=_back(state, place))
            land.move = going.explores.get(place)
            if land.move is not None:
                land.told.append(words.text("wdo_explore"))
            lands.append(land)
            continue
        rims.append(rim)
        shapes = lattice.shapes(tile.pattern)
        lands += [_land(words, names, space, shapes[space.area], (x, y)) for space in tile.spaces]
    for land in lands:
        land.move = going.answers.get(land.id, land.move)
        land.asked = land.id in going.answers
        _offer(words, names, state, found, going, land)
        _furnish(words, names, state, land, colour)
    spots = {land.id: (land.x, land.y) for land in lands}
    arrows = [Arrow(_arrow(*spots[one], *spots[other])) for one, other in moved if one in spots and other in spots]
    whole = _frame(found)
    here = spots.get(state["players"][colour]["space"] or "") if colour in state["players"] else None
    return MapView(_written(whole), _written(_around(here, whole)), rims, lands, arrows)


def _going(game: WastelandPosition, state: WastelandState, colour: str, legal: Sequence[WastelandMoveJson]) -> Going:
    going = Going()
    if legal:  # otherwise this phone only watches
        asked = [choice for choice in state["pending"] if choice["by"] == colour and choice["kind"] in SPACES]
        going.answers = {
            option: {"do": "choose", "by": colour, "id": choice["id"], "option": option}
            for choice in asked
            for option in choice["options"]
        }
    for move in legal:
        if move.get("by") != colour:
            continue
        if move["do"] == "walk":
            going.walks[move["to"]] = move
        elif move["do"] == "explore" and "place" in move:
            going.explores[move["place"]] = move
    if going.walks:
        going.ways = actions.ways_of(game, COLOUR_NUMBER[colour])
    return going


def _back(state: WastelandState, place: int) -> str:
    return state["map"][place - 1]["back"] or ""


def _land(words: Words, names: Names, space: TileSpace, shape: lattice.Shape, at: lattice.Spot) -> Land:
    path = _path([[(at[0] + x * GAP, at[1] + y * GAP) for x, y in outline] for outline in shape.outlines])
    x, y = (at[0] + shape.anchor[0] * GAP) * R, (at[1] + shape.anchor[1] * GAP) * R
    land = Land(space.id, names.space(space.id), path, x, y)
    land.difficult, land.irradiated = Terrain.DIFFICULT in space.terrain, Terrain.IRRADIATED in space.terrain
    if space.encounter is not None:
        land.sign = "vault" if space.encounter.value.startswith("vault") else space.encounter.value
        land.level = "" if space.level is None else str(space.level)
        land.told.append(f"{words.text(f'wencounter_{space.encounter.value}')} {land.level}".strip())
    if land.difficult:
        land.told.append(words.text("wdifficult"))
    if land.irradiated:
        land.told.append(words.text("wirradiated"))
    if space.name:
        land.lines = _lines(land.name)
    return land


def _lines(name: str) -> list[str]:
    """Break a long name where its halves are most alike."""
    if len(name) <= LONG_NAME or " " not in name:
        return [name]
    breaks = [place for place, one in enumerate(name) if one == " "]
    best = min(breaks, key=lambda place: abs(2 * place - len(name)))
    return [name[:best], name[best + 1 :]]


def _offer(words: Words, names: Names, state: WastelandState, found: WastelandMap, going: Going, land: Land) -> None:
    """Note what it costs to go there, and what a tap asks before: a fight, or rads."""
    way = going.ways.get(land.id)
    if way is None or land.id not in going.walks:
        return
    land.move, land.cost = going.walks[land.id], way.points
    land.far = way.points > max(state["actions"]["points"], actions.POINTS)
    land.free = way.points <= state["actions"]["points"]
    land.told.append(words.count("wpoints", way.points))
    if land.free:
        land.told.append(words.text("wmap_free"))
    asks = [
        words.text("wmap_attacks", what=names.enemy(number))
        for number, one in state["enemies"].items()
        if one["space"] == land.id and _ability(names, one["id"], "aggressive")
    ]
    rads = sum(map(found.is_irradiated, way.spaces))
    if rads:
        asks.append(words.text("wmap_rads", n=rads))
    land.asks = " ".join(asks)


def _ability(names: Names, enemy: str | None, ability: str) -> bool:
    found = contest.enemy_by_id(names, enemy)
    return found is not None and ability in found.abilities


def _furnish(words: Words, names: Names, state: WastelandState, land: Land, colour: str) -> None:
    """Set figures, enemies and the cost into the space, below its icon and its name."""
    things = [("figure", one) for one, board in state["players"].items() if board["space"] == land.id]
    things = [(kind, one) for kind, one in things if not state["players"][one]["eliminated"]]
    land.here = any(one == colour for _, one in things)
    land.told += [names.player(one) for _, one in things]
    things += [("enemy", number) for number, one in state["enemies"].items() if one["space"] == land.id]
    land.told += [_enemy_told(words, names, state, number) for kind, number in things if kind == "enemy"]
    laid = [faction for faction, spaces in state.get("tokens", {}).items() for at in spaces if at == land.id]
    land.told += [names.faction(faction) for faction in laid]
    things += [("token", faction) for faction in laid]
    quests = _quests_at(names, state, land.id)
    land.told += [names.quest(number) for number in quests]
    things += [("quest", str(number)) for number in quests]
    if land.cost:
        things.insert(0, ("cost", str(land.cost)))
    elif land.move is not None:
        things.insert(0, ("cost", "?") if land.asked else ("explore", ""))
    land.sign = land.sign or land.back
    land.sign_size = (BACK if land.back else SIGN) if land.sign else 0
    above = land.sign_size + LINE * len(land.lines)
    top = land.y - (above + ROW * bool(things)) / 2
    land.sign_x, land.sign_y = land.x - (land.sign_size / 2 if not land.level else SIGN), top
    land.name_y = top + land.sign_size + LINE * 0.8
    apart = SLOT if len(things) <= MANY else TIGHT
    for nth, (kind, one) in enumerate(things):
        x, y = land.x + (nth - (len(things) - 1) / 2) * apart, top + above + ROW / 2
        land.things.append(_thing(names, state, kind, one, x, y))


def _quests_at(names: Names, state: WastelandState, space: str) -> list[int]:
    """Return the staged quests of which an objective is pursued in a space."""
    found = [names.box.quests[number] for number in state["quests"] if number in names.box.quests]
    wanted = Condition(Asks.SPACE, space)
    return [one.number for one in found if any(wanted in objective.requires for objective in one.objectives)]


def _enemy_told(words: Words, names: Names, state: WastelandState, number: str) -> str:
    level = state["enemies"][number]["level"]
    return names.enemy(number) if level is None else f"{names.enemy(number)}, {words.text('wlevel_n', n=level)}"


def _thing(names: Names, state: WastelandState, kind: str, one: str, x: float, y: float) -> StandingThing:
    if kind == "figure":
        return StandingThing(kind, x, y, colour=one)
    if kind == "token":
        return StandingThing(kind, x, y, icon=one)
    if kind != "enemy":
        return StandingThing(kind, x, y, level=one)
    token = state["enemies"][one]
    aggressive, ranged = (_ability(names, token["id"], ability) for ability in ("aggressive", "ranged"))
    level = "" if token["level"] is None else str(token["level"])
    return StandingThing(kind, x, y, "", token["type"], level, aggressive, ranged, token["active"])


# --- figures of the drawing -------------------------------------------------------------------------------------------


def _corners(x: float, y: float) -> list[lattice.Spot]:
    return [(x + a * GAP, y + b * GAP) for a, b in map(lattice.on_paper, _AROUND)]


_AROUND: Final = ((3, 0), (0, 3), (-3, 3), (-3, 0), (0, -3), (3, -3))


def _path(outlines: Sequence[Sequence[lattice.Spot]]) -> str:
    return "".join("M" + " ".join(f"{_short(x * R)},{_short(y * R)}" for x, y in one) + "Z" for one in outlines)


def _short(number: float) -> str:
    return f"{round(number, 1):g}"


def _arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    """Return a line that stops before the goal, where its head is drawn."""
    long = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5 or 1.0
    part = max(0.0, 1 - 22 / long)
    return f"M{_short(x)},{_short(y)} {_short(x + (to_x - x) * part)},{_short(y + (to_y - y) * part)}"


Frame = tuple[float, float, float, float]


def _frame(found: WastelandMap) -> Frame:
    spots = [_corners(*lattice.on_paper(lattice.middle(one.column, one.row))) for one in found.layout]
    across, down = [x * R for one in spots for x, _ in one], [y * R for one in spots for _, y in one]
    left, top = min(across) - 4, min(down) - 4
    return left, top, max(across) + 4 - left, max(down) + 4 - top


def _around(here: tuple[float, float] | None, whole: Frame) -> Frame:
    """Return the part of the map around a figure, not beyond its edge."""
    if here is None:
        return whole
    wide, high = min(CLOSE[0], whole[2]), min(CLOSE[1], whole[3])
    left = min(max(here[0] - wide / 2, whole[0]), whole[0] + whole[2] - wide)
    top = min(max(here[1] - high / 2, whole[1]), whole[1] + whole[3] - high)
    return left, top, wide, high


def _written(frame: Frame) -> str:
    return " ".join(map(_short, frame))
