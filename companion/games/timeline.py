"""The line of a game through its record: moves, undo and redo, and any position back along it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypedDict, TypeVar

from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.games.api import Event
    from companion.games.chance import Chance, Dice


class Playable(Protocol):
    """A position, as far as its line is concerned; its moves carry the dice that were told, in `dice`."""

    rolls: int
    """How many rolls there have been."""
    names: dict[str, str]
    """The names of players that a correction has given, by colour."""

    def copy(self) -> Self:
        """A game that shares nothing that changes."""
        ...

    def play(self, move: Any, chance: Chance) -> Sequence[Event]:
        """Make a move, or refuse it."""
        ...


G = TypeVar("G", bound=Playable)
KEEP_EVERY = 16  # a whole position is kept this often; those between are played again


class ChanceJson(TypedDict, total=False):
    """The chance that an entry took, as the record holds it."""

    dice: list[list[int]]
    shuffled: list[list[int]]
    rolls: list[int]
    """The places in the game of `dice`, where chance is promised; `shuffles` are those of `shuffled`."""
    shuffles: list[int]
    thrown: list[int]
    """The places of the dice that people threw and told with the move."""


class Outcome:
    """The chance that a move took, so that a replay never rolls."""

    def __init__(self) -> None:
        self.dice: list[Dice] = []
        self.shuffled: list[list[int]] = []
        self.rolls: list[int] = []
        self.shuffles: list[int] = []
        self.thrown: list[int] = []

    def as_json(self, *, places: bool = False) -> ChanceJson:
        """What goes into the record; empty where nothing fell. `places`: with the place in the game of each."""
        fell: ChanceJson = {}
        if self.dice:
            fell["dice"] = [list(dice) for dice in self.dice]
        if self.shuffled:
            fell["shuffled"] = self.shuffled
        if places and self.rolls:
            fell["rolls"] = self.rolls
        if places and self.shuffles:
            fell["shuffles"] = self.shuffles
        if places and self.thrown:
            fell["thrown"] = self.thrown
        return fell

    @classmethod
    def from_json(cls, raw: ChanceJson) -> Outcome:
        outcome = cls()
        outcome.dice = [(first, second) for first, second in raw.get("dice", [])]
        outcome.shuffled = [list(cards) for cards in raw.get("shuffled", [])]
        return outcome


class Recording:
    """Chance that is written down while it falls; a roll that has fallen before, and was undone, falls the same."""

    def __init__(self, chance: Chance, fallen: dict[int, Dice]) -> None:
        self._chance = chance
        self._fallen = fallen
        self.outcome = Outcome()

    def roll(self, nth: int) -> Dice:
        dice = self._fallen.get(nth) or self._chance.roll(nth)
        self.outcome.dice.append(dice)
        self.outcome.rolls.append(nth)
        return dice

    def shuffle(self, nth: int, cards: Sequence[int]) -> list[int]:
        shuffled = self._chance.shuffle(nth, cards)
        self.outcome.shuffled.append(list(shuffled))
        self.outcome.shuffles.append(nth)
        return shuffled

    def told_card(self) -> str | None:
        """What the chance behind was told."""
        return self._chance.told_card()


class Replaying:
    """Chance out of the record."""

    def __init__(self, outcome: Outcome) -> None:
        self._dice = list(outcome.dice)
        self._shuffled = [list(cards) for cards in outcome.shuffled]

    def roll(self, nth: int) -> Dice:
        """The dice that fell then."""
        if not self._dice:
            raise Refusal("record_short", None, f"The record holds no dice for roll {nth}.", roll=nth)
        return self._dice.pop(0)

    def shuffle(self, nth: int, cards: Sequence[int]) -> list[int]:
        """The order of then, if it is of the same cards."""
        if not self._shuffled or sorted(self._shuffled[0]) != sorted(cards):
            raise Refusal("record_short", None, f"The record holds no order for shuffle {nth}.", shuffle=nth)
        return self._shuffled.pop(0)

    def told_card(self) -> str | None:
        """Told cards are part of the move itself."""
        return None


class Point(Generic[G]):
    """One position on the line: how it came from the one before."""

    __slots__ = ("before", "depth", "game", "move", "outcome")

    def __init__(self, before: Point[G] | None, move: object, outcome: Outcome, game: G | None) -> None:
        self.before = before
        self.depth: int = 0 if before is None else before.depth + 1
        self.move = move
        self.outcome = outcome
        self.game = game


class Tried(Generic[G]):
    """A move played beside the line: what became of the game, and the chance that it took."""

    __slots__ = ("events", "game", "move", "outcome")

    def __init__(self, move: object, game: G, events: Sequence[Event], outcome: Outcome) -> None:
        self.move = move
        self.game = game
        self.events = events
        self.outcome = outcome


class Timeline(Generic[G]):
    """A game, its past, and what was undone."""

    def __init__(self, game: G) -> None:
        self.game = game
        self._points: list[Point[G]] = [Point(None, None, Outcome(), game.copy())]
        self._here = self._points[0]
        self._undone: list[Point[G]] = []
        self._fallen: dict[int, Dice] = {}  # every roll by its number, those told by people included

    @property
    def version(self) -> int:
        """How many entries there are: moves, undos and redos."""
        return len(self._points) - 1

    def play(self, move: object, chance: Chance) -> tuple[Sequence[Event], Outcome]:
        """Make a move; it becomes an entry with the chance that it took."""
        return self._play(move, Recording(chance, self._fallen))

    def replay(self, move: object, outcome: Outcome) -> Outcome:
        """Make a move again as it fell then; the chance that it takes now, for comparison."""
        return self._play(move, Recording(Replaying(outcome), {}))[1]

    def _play(self, move: object, recording: Recording) -> tuple[Sequence[Event], Outcome]:
        rolls = self.game.rolls
        events = self.game.play(move, recording)
        _note_thrown(recording.outcome, rolls, self.game.rolls, move)
        self._remember(rolls, move, recording.outcome)
        keep = self.game.copy() if (self._here.depth + 1) % KEEP_EVERY == 0 else None
        self._undone.clear()
        self._go(Point(self._here, move, recording.outcome, keep))
        return events, recording.outcome

    def try_out(self, move: object, chance: Chance) -> Tried[G]:
        """Play a move beside the line, so that it can be written down before it is taken."""
        recording = Recording(chance, self._fallen)
        game = self.game.copy()
        events = game.play(move, recording)
        _note_thrown(recording.outcome, self.game.rolls, game.rolls, move)
        return Tried(move, game, events, recording.outcome)

    def take(self, tried: Tried[G]) -> None:
        """Go on from a move that was tried out from here."""
        rolls, self.game = self.game.rolls, tried.game
        self._remember(rolls, tried.move, tried.outcome)
        self._undone.clear()
        keep = tried.game.copy() if (self._here.depth + 1) % KEEP_EVERY == 0 else None
        self._go(Point(self._here, tried.move, tried.outcome, keep))

    def put(self, game: G) -> None:
        """Go on from a position that no move explains."""
        self.game = game
        self._undone.clear()
        self._go(Point(self._here, None, Outcome(), game.copy()))

    def mark(self) -> None:
        """Count an entry that changes nothing here."""
        self._points.append(self._here)

    def undo(self, to: int | None = None) -> None:
        """Back by one move, or to the position after any entry."""
        target = self._target(to)
        self._undone.append(self._here)
        self._restore(target)

    def refuse_unless_undoable(self, to: int | None = None) -> None:
        """Refuse what `undo` would refuse."""
        self._target(to)

    def redo(self) -> None:
        """Forth again to where the last undo came from."""
        self.refuse_unless_redoable()
        self._restore(self._undone.pop())

    def refuse_unless_redoable(self) -> None:
        """Refuse what `redo` would refuse."""
        if not self._undone:
            raise Refusal("nothing_to_redo", None, "There is nothing to redo.")

    def _target(self, to: int | None) -> Point[G]:
        if to is None:
            if self._here.before is None:
                raise Refusal("nothing_to_undo", None, "There is nothing to undo.")
            return self._here.before
        if not 0 <= to <= self.version:
            raise Refusal("no_such_version", None, f"There is no version {to}.", to=to, version=self.version)
        return self._points[to]

    def before_the_last(self, skipped: Callable[[object], bool]) -> int | None:
        """The version of the position before the last move that is not skipped; None where there is none."""
        point = self._here
        while point.before is not None and point.move is not None and skipped(point.move):
            point = point.before
        if point.before is None:
            return None
        return max(version for version, one in enumerate(self._points) if one is point.before)

    def since(self, to: int | None = None) -> list[object] | None:
        """What an undo would take back, the newest first; None where that position is not behind this one."""
        return _between(self._here, self._target(to))

    def again(self) -> list[object] | None:
        """What a redo would bring back, the newest first; None where it leads elsewhere."""
        self.refuse_unless_redoable()
        return _between(self._undone[-1], self._here)

    def moves(self) -> list[tuple[object, Outcome]]:
        """The moves that lead from the start to here, with their chance."""
        line = []
        point: Point[G] | None = self._here
        while point is not None and point.before is not None:
            line.append((point.move, point.outcome))
            point = point.before
        return line[::-1]

    def line(self) -> list[int]:
        """The entries that made the positions from the start to here; what was undone is not among them."""
        made: dict[int, int] = {}
        for version, one in enumerate(self._points):
            made.setdefault(id(one), version)
        found = []
        point: Point[G] | None = self._here
        while point is not None:
            found.append(made[id(point)])
            point = point.before
        return found[::-1]

    def _remember(self, rolls: int, move: Any, outcome: Outcome) -> None:
        for number, dice in enumerate([*move.dice[: len(outcome.thrown)], *outcome.dice]):
            self._fallen[rolls + number] = dice

    def _go(self, point: Point[G]) -> None:
        self._points.append(point)
        self._here = point

    def _restore(self, target: Point[G]) -> None:
        self.game = _rebuilt(target)
        self._go(target)


def _note_thrown(outcome: Outcome, before: int, after: int, move: Any) -> None:
    """Dice that were told come first; what they did not cover was rolled."""
    told = min(after - before - len(outcome.dice), len(move.dice))
    outcome.thrown = list(range(before, before + told))


def _between(later: Point[G], earlier: Point[G]) -> list[object] | None:
    """The moves that lead from one position to a later one, the newest first."""
    moves = []
    point: Point[G] | None = later
    while point is not None and point is not earlier:
        moves.append(point.move)
        point = point.before
    return None if point is None else moves


def _rebuilt(target: Point[G]) -> G:
    """The game at a point: the nearest kept position, and the moves since then."""
    since: list[Point[G]] = []
    point = target
    while point.game is None and point.before is not None:
        since.append(point)
        point = point.before
    if point.game is None:
        raise AssertionError("a line begins with a position")
    game = point.game.copy()
    for later in reversed(since):
        game.play(later.move, Replaying(later.outcome))
    return game
