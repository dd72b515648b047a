"""Scenarios: a position, moves, and what must hold; how they are run, and how what must hold is compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.games import fields
from companion.games.timeline import Timeline
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.games.api import AnyGame, Event
    from companion.games.chance import Chance, Dice
    from companion.games.json_types import EventJson

OWN: Final = frozenset(
    {"name", "clauses", "game", "pack", "overlay", "seed", "dice", "moves", "then", "then_private", "then_events",
     "note"}
)  # fmt: skip
"""The fields of a scenario that are not what the players have agreed on."""
BACK_OR_FORTH: Final = ("undo", "redo")
FACES: Final = range(1, 7)


class FedDice:
    """Dice fed in order to every roll that nobody told; whatever is not fed comes from elsewhere.

    A roll that is made again after an undo is the timeline's affair, which remembers how it fell.
    """

    def __init__(self, dice: Sequence[Dice], otherwise: Chance) -> None:
        self._dice = list(dice)
        self._otherwise = otherwise

    def roll(self, nth: int) -> Dice:
        return self._dice.pop(0) if self._dice else self._otherwise.roll(nth)

    def shuffle(self, nth: int, cards: Sequence[int]) -> list[int]:
        """Shuffles follow the seed."""
        return self._otherwise.shuffle(nth, cards)

    def told_card(self) -> str | None:
        """Cards are told by moves."""
        return None


def run(
    game: AnyGame, raw: Mapping[str, object], begin: Callable[[Mapping[str, object], Chance], Any], chance: Chance
) -> list[str]:
    """Return what did not hold; nothing when the scenario is green. A malformed scenario is refused.

    `begin` makes the game out of what the players have agreed on.
    """
    throws = fields.a_list(raw.get("dice", []), "dice")
    fed = FedDice([] if game.own_dice else [_dice(one) for one in throws], chance)
    position = begin({key: value for key, value in raw.items() if key not in OWN}, fed)
    going = ScenarioRun(game, Timeline(position), fed, throws if game.own_dice else [])
    for number, move in enumerate(fields.a_list(raw.get("moves", []), "moves"), 1):
        problem = going.problem_with(move)
        if problem:
            return [f"move {number} {_shown(move)}: {problem}"]
    return going.differences(raw)


class ScenarioRun:
    """A scenario that is being played; `throws` are those of dice with faces of their own, still to be told."""

    def __init__(self, game: AnyGame, timeline: Timeline[Any], chance: Chance, throws: list[object]) -> None:
        self._game = game
        self._timeline = timeline
        self._chance = chance
        self._throws = throws
        self._events: list[EventJson] = []

    def problem_with(self, raw: object) -> str | None:
        """Make a move; return what was wrong with it, if anything."""
        refused = raw.get("refused") if isinstance(raw, dict) else None
        before = self._game.state(self._timeline.game)
        try:
            self._make({key: value for key, value in raw.items() if key != "refused"} if isinstance(raw, dict) else raw)
        except Refusal as refusal:
            if refused is None:
                return f"refused with {refusal.clause or refusal.code}: {refusal.message}"
            if self._game.state(self._timeline.game) != before:
                return "refused, but the state has changed"
            if refused is not True and refusal.clause != refused:
                return f"refused with {refusal.clause or refusal.code} instead of {refused}: {refusal.message}"
            return None
        return None if refused is None else f"was not refused (wanted {refused})"

    def _make(self, raw: object) -> None:
        """Make a move with the throws that are left, unless it brings its own."""
        feeds = (
            bool(self._throws) and isinstance(raw, dict) and "dice" not in raw and raw.get("do") not in BACK_OR_FORTH
        )
        fed = {**raw, "dice": self._throws} if feeds and isinstance(raw, dict) else raw
        rolls = self._timeline.game.rolls
        self._events += map(self._game.serialize, make(self._game, self._timeline, fed, self._chance))
        if feeds:
            self._throws = self._throws[self._timeline.game.rolls - rolls :]

    def differences(self, raw: Mapping[str, object]) -> list[str]:
        """Return what does not hold at the end."""
        state = {"version": self._timeline.version, **self._game.state(self._timeline.game)}
        problems = differences(raw["then"], state) if raw.get("then") else []
        for seat, wanted in fields.an_object(raw.get("then_private") or {}, "then_private").items():
            problems += differences(wanted, self._game.private(self._timeline.game, seat), f"private.{seat}")
        for wanted in fields.a_list(raw.get("then_events", []), "then_events"):
            if all(differences(wanted, event) for event in self._events):
                problems.append(f"no event like {wanted}")
        return problems


def make(game: AnyGame, timeline: Timeline[Any], raw: object, chance: Chance) -> Sequence[Event]:
    """Make a move of the contract, undo and redo included."""
    if isinstance(raw, dict) and raw.get("do") in BACK_OR_FORTH:
        _go_back_or_forth(timeline, raw)
        return []
    return timeline.play(game.read(raw), chance)[0]


def _go_back_or_forth(timeline: Timeline[Any], raw: Mapping[str, object]) -> None:
    do, to = raw["do"], raw.get("to")
    extra = sorted(map(str, set(raw) - {"do", "by", "if_version"} - ({"to"} if do == "undo" else set())))
    if extra:
        raise fields.malformed(extra[0], extra[0], f"a field of {do}")
    if to is not None and (not isinstance(to, int) or isinstance(to, bool)):
        raise fields.malformed("to", to, "a version")
    if do == "undo":
        timeline.undo(to)
    else:
        timeline.redo()


def _dice(raw: object) -> Dice:
    if not isinstance(raw, list) or len(raw) != 2 or not all(type(die) is int and die in FACES for die in raw):  # noqa: PLR2004
        raise fields.malformed("dice", raw, "two numbers from 1 to 6")
    return raw[0], raw[1]


def _shown(move: object) -> str:
    return str({key: value for key, value in move.items() if key != "refused"} if isinstance(move, dict) else move)


def differences(wanted: Any, found: Any, where: str = "") -> list[str]:
    """What is wanted and not contained in what was found.

    Objects may hold more than is wanted, but an empty one means empty; lists compare whole, `available` in any order.
    """
    if isinstance(wanted, dict) and isinstance(found, dict):
        if not wanted and found:
            return [f"{where or 'state'}: wanted nothing there, found {found}"]
        problems = []
        for key, value in wanted.items():
            place = f"{where}.{key}" if where else str(key)
            if key not in found:
                if value is not None:
                    problems.append(f"{place}: missing")
            else:
                problems += differences(value, found[key], place)
        return problems
    if isinstance(wanted, list) and isinstance(found, list):
        return _list_differences(wanted, found, where)
    if type(wanted) is not type(found) or wanted != found:
        return [f"{where}: wanted {wanted!r}, found {found!r}"]
    return []


def _list_differences(wanted: list[Any], found: list[Any], where: str) -> list[str]:
    if where.endswith("available"):
        wanted, found = sorted(wanted, key=str), sorted(found, key=str)
    if len(wanted) != len(found):
        return [f"{where}: wanted {wanted!r}, found {found!r}"]
    problems = []
    for number, (one, other) in enumerate(zip(wanted, found, strict=True)):
        problems += differences(one, other, f"{where}[{number}]")
    return problems
