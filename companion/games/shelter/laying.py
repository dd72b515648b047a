"""The mat of Fallout Shelter: what lies where, which placement a figure stands for, and corrections that follow it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, cast

from companion.games.mat import LYING, STANDING, UNKNOWN, FigurePlacement, MatLayout, MatPiece, PieceKind, Waits
from companion.games.shelter.events import DwellersPlaced
from companion.games.shelter.words import PILES, SPACE_NAMES, THREATS
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.games.json_types import Choice, MoveJson
    from companion.games.mat import Difference, GamePosition
    from companion.games.shelter.game import ShelterGame
    from companion.games.shelter.moves import ShelterMove
    from companion.games.shelter.state import ShelterState

TRACKS: Final = {"items": "item", "rooms": "room"}
ELEVATOR: Final = "elevator"
UNTRAINED: Final = ("plain", "injured")
NOT_YET: Final = frozenset({"already_placed", "two_dwellers", "card_unknown"})
OUT_OF_TURN: Final = frozenset({"not_your_turn", "has_passed"})
ANSWER_FIRST: Final = frozenset({"not_your_turn", "income_open"})
INJURY: Final = frozenset({"injured", "not_injured"})


def pieces(state: ShelterState) -> list[dict[str, str]]:
    """Return everything that people lay on the mat, in the order in which it is best laid."""
    return [piece.as_json() for piece in _pieces(state) if piece.what != UNKNOWN]


def boards(state: ShelterState) -> dict[str, dict[str, object]]:
    """What lies in front of the players: the camera does not see it, people lay it by the list."""
    return {
        colour: {key: player[key] for key in ("happiness", "resources", "available", "items")}
        for colour, player in state["players"].items()
    }


def _pieces(state: ShelterState) -> Iterator[MatPiece]:
    """From the top, cards before figures."""
    for number, level in state["levels"].items():
        owner = level["owner"]
        yield MatPiece(f"{number}:E", PieceKind.CARD, f"{ELEVATOR}-{owner}" if owner else ELEVATOR, owner)
        for column, card in level["rooms"].items():
            yield MatPiece(f"{number}:{column}", PieceKind.CARD, card, owner)
    for space, card in state["threats"].items():
        yield MatPiece(space, PieceKind.CARD, card, state["levels"][space.partition(":")[0]]["owner"])
    for name, row in state["tracks"].items():
        for at, card in enumerate(row):
            yield MatPiece(f"{name}:{at}", PieceKind.CARD, card)
    for space, standing in state["placed"].items():
        for dweller in standing["dwellers"]:
            yield MatPiece(space, PieceKind.FIGURE, dweller, standing["by"], _pose(dweller))


def _pose(dweller: str) -> str:
    """How a dweller's figure lies on the table (J4)."""
    return LYING if dweller.startswith("injured") else STANDING


class VaultLayout(MatLayout):
    """The vault's levels, and the tracks beside them."""

    @property
    def set_up(self) -> tuple[MatPiece, ...]:
        """Elevators and rooms (S2); the tracks are dealt."""
        return tuple(piece for piece in self.pieces if self._track(piece.place) is None)

    def sort(self, place: str) -> str:
        """Return `item`, `room`, `threat` or `elevator`."""
        if (on_track := self._track(place)) is not None:
            return on_track
        slot = place.partition(":")[2]
        return ELEVATOR if slot == "E" else "threat" if slot[2:] else "room"

    def figure(self, pose: str) -> tuple[str, str]:
        """Return a dweller; on the table a trained one looks plain."""
        return "dweller", "injured" if pose == LYING else "plain"

    def under(self, place: str) -> tuple[str, ...]:
        """Return a threat's place, and its room's."""
        level, _, slot = place.partition(":")
        return (place, f"{level}:{slot[:2]}")

    @staticmethod
    def _track(place: str) -> str | None:
        """Return which cards lie on a track; None for a place that is on none."""
        return TRACKS.get(place.partition(":")[0])

    def rank(self, place: str) -> tuple[int, str, int]:
        """Rooms, elevators, threats, tracks."""
        first, _, second = place.partition(":")
        if first in TRACKS and second.isdecimal():
            return (3, first, int(second))
        return (2 if second[-1:] in ("a", "b") else 1 if second == "E" else 0, place, 0)

    def is_unread(self, place: str, seen: str | None) -> bool:
        """A place of a track that shows nothing is being refilled, or cannot be read."""
        return seen is None and place.partition(":")[0] in TRACKS

    def is_compared(self, place: str, seen: str | None) -> bool:
        """Elevators are compared where the camera can tell their colours."""
        if not place.endswith(":E"):
            return True
        return self.whose(place) is not None and seen is not None and seen.startswith(f"{ELEVATOR}-")


class ShelterMat:
    """What the table needs to know of the vault, its dwellers and the recall."""

    taken_clause: str = "P1"
    placing_clause: str = "P1"
    recall_clause: str = "R3"

    def __init__(self) -> None:
        self.recall: MoveJson = {"do": "recall"}

    def lies(self, state: ShelterState) -> MatLayout:
        """New dwellers may stand on their icons until the recall (N1)."""
        guests: dict[str, Counter[str]] = {}
        for colour, player in state["players"].items():
            for space in player["arriving_at"]:
                guests.setdefault(space, Counter())[colour] += 1
        owners = {number: level["owner"] for number, level in state["levels"].items()}
        return VaultLayout(tuple(_pieces(state)), guests, owners)

    # --- cards --------------------------------------------------------------------------------------------------------

    def unknown_cards(self, game: ShelterGame) -> dict[str, int]:
        """Every open `drawn` choice by the place that it asks about."""
        places = {}
        for choice in game.pending:
            if choice.kind == "drawn":
                name = SPACE_NAMES[choice.place] if choice.data == THREATS else f"{PILES[choice.data]}:{choice.place}"
                places[name] = choice.id
        return places

    def lays_card(self, choice: Choice) -> bool:
        """What to build."""
        return choice["kind"] == "build"

    # --- the recall ---------------------------------------------------------------------------------------------------

    def before_recall(self, state: ShelterState) -> MoveJson | None:
        """Whoever could still place passes."""
        return {"do": "pass", "by": state["turn"]} if state["phase"] == "place" else None

    def recall_is_due(self, state: ShelterState) -> bool:
        """Everybody has passed."""
        return state["phase"] == "recall"

    # --- which placement a figure stands for --------------------------------------------------------------------------

    def awaits_figures(self, legal: Sequence[MoveJson]) -> bool:
        """Whether the turn is not held up by a choice."""
        return any(move["do"] in ("place", "pass") for move in legal)

    def placement(self, move: MoveJson) -> FigurePlacement | None:
        """A trained dweller looks like a plain one."""
        if move["do"] != "place":
            return None
        placed = cast("ShelterMove", move)
        poses = tuple(sorted(map(_pose, placed.get("dwellers", ["plain"]))))
        return FigurePlacement(placed["space"], placed["by"], poses)

    def likely(self, ways: Sequence[MoveJson]) -> tuple[MoveJson, ...]:
        """Plain dwellers who use nothing first."""
        return tuple(sorted(ways, key=lambda way: (len(way.get("use", ())), len(_trained(way)))))

    def needs_word(self, position: GamePosition, ways: Sequence[MoveJson]) -> bool:
        """A trained dweller looks plain: the seat is asked where it would double, or where there is no plain one."""
        if len(ways) == 1:
            return False
        return bool(_trained(ways[0])) or any(self.doubles(position, way) for way in ways[1:])

    def doubles(self, position: GamePosition, move: MoveJson) -> bool:
        """A trained dweller or an outfit doubles the reward of its room."""
        if move["do"] != "place" or not (_trained(move) or move.get("use")):
            return False
        return any(isinstance(event, DwellersPlaced) and event.doubled for event in position.played(move)[1])

    def option(self, way: MoveJson) -> str:
        """The item, the trained dweller, or plain."""
        if way.get("use"):
            return str(way["use"][0])
        return "+".join(_trained(way)) or "plain"

    def attempts(self, figures: FigurePlacement) -> tuple[MoveJson, ...]:
        """Whichever dweller it may be; then just what is seen."""
        move: MoveJson = {"do": "place", "by": figures.colour, "space": figures.space}
        seen: MoveJson = {**move, "dwellers": ["injured" if pose == LYING else "plain" for pose in figures.poses]}
        return (seen,) if LYING in figures.poses else (move, seen)

    # --- what a refusal means -----------------------------------------------------------------------------------------

    def waits(self, refusal: Refusal) -> Waits:
        """A quick next figure is not out of turn while the placement before it still asks something."""
        if refusal.code in NOT_YET:
            return Waits.SIGHT
        return Waits.CHOICE if refusal.code in ANSWER_FIRST else Waits.NOTHING

    def called(self, refusal: Refusal) -> str:
        """A turn, a pose, a figure too many, or a rule."""
        if refusal.code in OUT_OF_TURN:
            return "turn"
        if refusal.code in INJURY:
            return "pose"
        return "extra" if refusal.code == "space_taken" else "rule"

    # --- corrections that follow the table ----------------------------------------------------------------------------

    def correction(self, position: GamePosition, difference: Difference, poses: Sequence[str]) -> list[MoveJson]:
        """A wrong turn that is right after all is still a placement, with what it pays and gains."""
        state: ShelterState = position.rules.state(position.game)
        if difference.kind in ("card", "drawn"):
            return [_correct(_card(state, difference))]
        if difference.kind == "extra" and difference.expected is None:
            return self._placed_out_of_turn(position, difference, poses) or [_put(state, difference, poses)]
        return [_put(state, difference, poses)]

    def _placed_out_of_turn(
        self, position: GamePosition, difference: Difference, poses: Sequence[str]
    ) -> list[MoveJson]:
        turn = [] if position.state()["turn"] == difference.by else [_correct({"turn": difference.by})]
        try:
            after = position.after(turn[0]) if turn else position
        except Refusal:
            return []
        seen = FigurePlacement(difference.place, str(difference.seen), tuple(sorted(poses)) or (STANDING,))
        ways = self.likely([move for move in after.legal() if self.placement(move) == seen])
        return [*turn, ways[0]] if ways else []


def _trained(way: MoveJson) -> list[str]:
    return [dweller for dweller in way.get("dwellers", ()) if dweller not in UNTRAINED]


def _correct(change: dict[str, object]) -> MoveJson:
    return {"do": "correct", "set": change}


def _put(state: ShelterState, difference: Difference, poses: Sequence[str]) -> MoveJson:
    """Figures stand where they stand; nothing is paid or gained."""
    space = difference.place
    supplies: dict[str, list[str]] = {}
    old = state["placed"].get(space)
    if old is not None:
        _supply(state, supplies, old["by"]).extend(old["dwellers"])
    standing = None
    if poses and difference.by is not None:
        if difference.by not in state["players"]:
            raise Refusal("not_playing", "C1", f"{difference.by[:20]!r} is not playing.", by=difference.by[:20])
        dwellers = ["injured" if pose == LYING else "plain" for pose in poses]
        _take(_supply(state, supplies, difference.by), dwellers)
        standing = {"by": difference.by, "dwellers": dwellers}
    change: dict[str, object] = {
        "placed": {space: standing},
        "players": {colour: {"available": available} for colour, available in supplies.items()},
    }
    if difference.kind == "extra" and state["turn"] == difference.by and state["phase"] == "place":
        change["turn"] = _next(state, str(difference.by), supplies)
    return _correct(change)


def _supply(state: ShelterState, supplies: dict[str, list[str]], colour: str) -> list[str]:
    return supplies.setdefault(colour, list(state["players"][colour]["available"]))


def _take(available: list[str], dwellers: Sequence[str]) -> None:
    """A dweller of that pose leaves the supply, one of the other pose if there is none; untrained before trained."""
    for dweller in dwellers:
        injured = dweller == "injured"
        alike = sorted(available, key=lambda one: (one.startswith("injured") != injured, one not in UNTRAINED, one))
        if alike:
            available.remove(alike[0])


def _next(state: ShelterState, colour: str, supplies: dict[str, list[str]]) -> str:
    order = state["order"]
    at = order.index(colour)
    for other in [*order[at + 1 :], *order[: at + 1]]:
        player = state["players"][other]
        if supplies.get(other, player["available"]) and not player["passed"]:
            return other
    return colour


def _card(state: ShelterState, difference: Difference) -> dict[str, object]:
    place, seen = difference.place, difference.seen
    first, _, second = place.partition(":")
    if first in TRACKS:
        row = list(state["tracks"][first])
        row[int(second) : int(second) + 1] = [] if seen is None else [seen]
        return {"tracks": {first: row}}
    if place in state["threats"] or second[-1:] in ("a", "b"):
        return {"threats": {place: seen}}
    if second == "E":
        raise Refusal("fixed", "S2", "The order of the elevators is fixed for the whole game.", place=place)
    return {"levels": {first: {"rooms": {second: seen}}}}
