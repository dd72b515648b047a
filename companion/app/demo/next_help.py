"""Choose what the demo's helper does next: bots' figures always, and what the record asks of the table on request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NotRequired, TypedDict

from companion.games.mat import UNKNOWN
from hardware.tabletop.simulated_table import COLOURS
from hardware.tabletop.table_contents import spaces, track_places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.table.session.state_view import TodoJson
    from hardware.tabletop.simulated_table import SimulatedTable
    from hardware.tabletop.table_contents import FigureOnTable


class DemoPlayer(TypedDict):
    """What the demo reads of a player."""

    total: int
    available: list[str]
    bot: NotRequired[str | None]


class DemoPlaced(TypedDict):
    """Who stands on a space."""

    by: str
    dwellers: list[str]


class DemoLevel(TypedDict):
    """A level of the vault: its owner, and the cards by their columns."""

    owner: str | None
    rooms: dict[str, str]


class DemoSuggestion(TypedDict):
    """Where a bot wants to place."""

    by: str
    move: DemoMove


class DemoMove(TypedDict):
    """A bot's move."""

    space: str
    dwellers: NotRequired[list[str]]


class DemoOptions(TypedDict):
    """With which cards, and who deals them."""

    pack: str
    cards: str


class DemoTable(TypedDict):
    """What the camera sees, and what the table has still to follow."""

    camera: str
    todo: list[TodoJson]


class DemoState(TypedDict):
    """What the demo reads of the state of the game on its mat."""

    game: str
    phase: str
    pending: list[object]
    options: DemoOptions
    players: dict[str, DemoPlayer]
    levels: dict[str, DemoLevel]
    placed: dict[str, DemoPlaced]
    threats: dict[str, str]
    tracks: dict[str, list[str]]
    suggestion: DemoSuggestion | None
    table: DemoTable


SPACES: Final = frozenset(spaces())
INJURED: Final = "injured"


@dataclass(frozen=True, slots=True)
class HelpStep:
    """One thing to do: `bring`, `put`, `lift`, `tip`, `lay` or `take`."""

    verb: str
    what: str
    where: str = ""
    lying: bool = False


def next_step(state: DemoState, table: SimulatedTable, *, helping: bool) -> HelpStep | None:
    """Return the first thing that a helpful person would do now."""
    return next(_helps(state, table, helping=helping), None)


def perform(help_: HelpStep, table: SimulatedTable) -> None:
    match help_.verb:
        case "bring":
            table.bring(help_.what, 1)
        case "put":
            table.put(help_.what, help_.where, lying=help_.lying)
        case "lift":
            table.lift(help_.what)
        case "tip":
            table.tip(help_.what, lying=help_.lying)
        case "lay":
            table.lay(help_.what, help_.where)
        case _:
            table.take(help_.where, threat=help_.where in SPACES)


def _helps(state: DemoState, table: SimulatedTable, *, helping: bool) -> Iterator[HelpStep]:
    bots = {colour for colour, player in state["players"].items() if player.get("bot")}
    yield from _from_the_box(state, table)
    if state["suggestion"] is not None and not _to_be_cleared(state["suggestion"]["move"]["space"], state):
        yield from _suggested(state["suggestion"], table)
    if state["phase"] == "recall" and not state["pending"]:
        yield from (
            HelpStep("lift", one.key) for one in table.scene.figures if one.player in bots and table.is_out(one)
        )
    if helping:
        yield from _off_the_tracks(state, table)
    for one in state["table"]["todo"]:
        is_going_home = state["phase"] == "recall" and one["kind"] == "missing"
        if (helping or one["by"] in bots) and not is_going_home:
            yield from _asked_for(one, state["placed"], table)
    if helping:
        yield from _onto_the_tracks(state, table)
    yield from _at_home(state, table)


def _dealt(state: DemoState) -> dict[str, str | None]:
    """Return what the record has on each place of the tracks."""
    rows = {name: iter(row) for name, row in state["tracks"].items()}
    return {place: next(rows.get(place.partition(":")[0], iter(())), None) for place in track_places()}


def _off_the_tracks(state: DemoState, table: SimulatedTable) -> Iterator[HelpStep]:
    """Lift a card that was taken or built first: it may be the only one of its kind."""
    for place, wanted in _dealt(state).items():
        lies = table.card_at(place)
        if lies is not None and lies != wanted:
            yield HelpStep("take", lies, place)


def _onto_the_tracks(state: DemoState, table: SimulatedTable) -> Iterator[HelpStep]:
    for place, wanted in _dealt(state).items():
        if wanted is not None and wanted != UNKNOWN and table.card_at(place) is None:
            yield HelpStep("lay", wanted, place)


def _from_the_box(state: DemoState, table: SimulatedTable) -> Iterator[HelpStep]:
    """Bring as many paper dwellers as each player has in the record."""
    for colour in COLOURS:
        player = state["players"].get(colour)
        wanted = 0 if player is None else player["total"]
        if sum(one.player == colour for one in table.scene.figures) < wanted:
            yield HelpStep("bring", colour)


def _to_be_cleared(space: str, state: DemoState) -> bool:
    """Return whether a figure of the last round still stands on a space: a new one would be taken for it."""
    return any(one["kind"] == "extra" and one["place"] == space for one in state["table"]["todo"])


def _suggested(suggestion: DemoSuggestion, table: SimulatedTable) -> Iterator[HelpStep]:
    """Put the dweller where a bot has said. The second one of a linked space follows when the record has them."""
    move, player = suggestion["move"], suggestion["by"]
    first = (move.get("dwellers") or ["plain"])[0]
    if not _standing(table, move["space"], player):
        yield from _sent(player, move["space"], table, lying=first.startswith(INJURED))


def _sent(player: str, space: str, table: SimulatedTable, *, lying: bool) -> Iterator[HelpStep]:
    """Put a waiting dweller there, preferably one that lies or stands as wanted."""
    waiting = [one for one in table.scene.figures if one.player == player and table.space_of(one) is None]
    for one in sorted(waiting, key=lambda figure: figure.lying != lying)[:1]:
        yield HelpStep("put", one.key, space, lying=lying)


def _asked_for(todo: TodoJson, placed: dict[str, DemoPlaced], table: SimulatedTable) -> Iterator[HelpStep]:
    """Yield what the record did first, and the table has still to follow."""
    place, wanted = str(todo["place"]), todo["expected"]
    if todo["kind"] == "card" and ":" in place and place[0].isdigit():
        lies = table.card_at(place, threat=place in SPACES)
        if wanted is not None and lies != wanted:
            yield HelpStep("lay", str(wanted), place)
        elif wanted is None and lies is not None:
            yield HelpStep("take", lies, place)
    elif todo["kind"] == "missing":
        wanted_there = placed[place]["dwellers"] if place in placed else []
        there = len(_standing(table, place, str(todo["by"])))
        if there < len(wanted_there):  # the eye takes two on one space for one: do not send a third
            yield from _sent(str(todo["by"]), place, table, lying=wanted_there[there].startswith(INJURED))
    elif todo["kind"] in ("extra", "pose"):
        yield from _put_right(todo, _standing(table, place, str(todo["by"])), table)


def _put_right(todo: TodoJson, there: list[FigureOnTable], table: SimulatedTable) -> Iterator[HelpStep]:
    for one in there:
        if todo["kind"] == "extra":
            yield HelpStep("lift", one.key)
            return
        lying = "lying" in str(todo["expected"]).split(",")
        if one.lying != lying and table.space_of(one) is not None:
            yield HelpStep("tip", one.key, lying=lying)
            return


def _standing(table: SimulatedTable, place: str, player: str) -> list[FigureOnTable]:
    return [one for one in table.scene.figures if one.player == player and table.space_of(one) == place]


def _at_home(state: DemoState, table: SimulatedTable) -> Iterator[HelpStep]:
    """Lay injured dwellers down where they wait, too."""
    for colour, player in state["players"].items():
        waiting = [one for one in table.scene.figures if one.player == colour and table.space_of(one) is None]
        injured = sum(str(one).startswith(INJURED) for one in player["available"])
        lying = [one for one in waiting if one.lying]
        if state["phase"] == "place" and len(lying) < min(injured, len(waiting)):
            yield HelpStep("tip", next(one for one in waiting if not one.lying).key, lying=True)
        elif state["phase"] == "place" and len(lying) > injured:
            yield HelpStep("tip", lying[0].key, lying=False)
