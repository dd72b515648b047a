"""Check the chance of a recorded game: whether every roll and shuffle follows from what was promised."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, TypedDict

from companion.fair.promise import SECRET, STARTER, AddedNumber, PromisedChance, is_number, promise_of, thrown_of
from companion.fair.week import secret_of
from companion.games.api import COLOURS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

DrawKind = Literal["number", "roll", "shuffle", "thrown", "dealt", "corrected", "reopened"]
"""What an entry has to do with chance; the last four are the work of people, and the companion promises nothing."""
Wrong = Literal["value", "place", "form"]
"""It should have been another; it is not the next of its kind; it is not what a companion writes."""

BY_PEOPLE: Final[tuple[DrawKind, ...]] = ("thrown", "dealt", "corrected", "reopened")
GIVEN: Final = frozenset({"start", "decks", "dice", "discards"})
"""What a setup may name instead of leaving it to chance."""
OF_THE_TABLE: Final[tuple[tuple[str, DrawKind], ...]] = (("cards", "dealt"), ("dice", "thrown"))
"""What people may have agreed to deal and throw themselves in a whole game."""
ODD: Final = (AttributeError, LookupError, TypeError, ValueError, OverflowError)
"""What an entry of any other shape raises."""


class RecordedEntry(Protocol):
    """An entry of the record."""

    @property
    def nth(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def body(self) -> Mapping[str, Any]: ...


class BareEntry(NamedTuple):
    """What the check reads of an entry, parsed once."""

    nth: int
    kind: str
    body: Mapping[str, Any]


class DrawJson(TypedDict):
    entry: int
    kind: DrawKind
    nth: int | None
    by: str
    fell: object
    follows: object
    wrong: Wrong | None
    by_people: bool


@dataclass(frozen=True, slots=True)
class Draw:
    """One roll or shuffle, a number that was added, or what people have thrown, dealt or put right."""

    entry: int
    kind: DrawKind
    nth: int | None = None
    by: str = ""
    fell: object = None
    follows: object = None
    """What it should be; None where people did it."""
    wrong: Wrong | None = None
    by_people: bool = False
    """Whether a roll is what people had thrown before it was taken back."""

    def as_json(self) -> DrawJson:
        return {
            "entry": self.entry,
            "kind": self.kind,
            "nth": self.nth,
            "by": self.by,
            "fell": self.fell,
            "follows": self.follows,
            "wrong": self.wrong,
            "by_people": self.by_people or self.kind in BY_PEOPLE,
        }


class FairnessJson(TypedDict):
    promise: str | None
    kept: bool
    fair: bool | None
    draws: list[DrawJson]


@dataclass(slots=True)
class Fairness:
    """What the check of one game has found."""

    promise: str | None = None
    """The fingerprint that was shown before the first card; None where the game was played without one."""
    kept: bool = True
    """Whether the secret is the one that was promised."""
    draws: list[Draw] = field(default_factory=list)
    week: str = ""
    """The week whose secret it should be; that one is known to everybody."""

    @property
    def is_promised(self) -> bool:
        return self.promise is not None

    @property
    def wrong(self) -> list[Draw]:
        return [draw for draw in self.draws if draw.wrong]

    @property
    def is_fair(self) -> bool:
        """Whether all that was promised has been kept; a game without a promise has nothing to keep."""
        return self.kept and not self.wrong

    def count(self, kind: DrawKind) -> int:
        return sum(draw.kind == kind for draw in self.draws)

    def as_json(self) -> FairnessJson:
        return {
            "promise": self.promise,
            "kept": self.kept,
            "fair": self.is_fair if self.is_promised else None,
            "draws": [draw.as_json() for draw in self.draws],
        }


class _Point(NamedTuple):
    """A position of the game, as far as chance is concerned: how many rolls and shuffles lie behind it."""

    before: _Point | None
    rolls: int
    shuffles: int


class _Line:
    """The way through the positions of a game that moves, undo and redo take."""

    def __init__(self, start: _Point) -> None:
        self._after: list[tuple[_Point, tuple[_Point, ...]]] = []
        self._undone: tuple[_Point, ...] = ()
        self.here = start

    def go(self, entry: BareEntry, rolls: int, shuffles: int) -> None:
        """Take an entry that has made so many rolls and shuffles."""
        match entry.kind:
            case "move" | "cards":
                self.here = _Point(self.here, self.here.rolls + rolls, self.here.shuffles + shuffles)
                self._undone = ()
            case "undo":
                target = self._after[entry.body["to"]][0] if "to" in entry.body else self.here.before
                if target is None:
                    raise ValueError(entry.nth)
                self.here, self._undone = target, (*self._undone, self.here)
            case "redo":
                self.here, self._undone = self._undone[-1], self._undone[:-1]
            case "aside":
                since = entry.body["since"]
                self.here, self._undone = self._after[since - 1]
                self._after[since:] = [(self.here, self._undone)] * (len(self._after) - since)
            case _:
                pass
        self._after.append((self.here, self._undone))


def check(entries: Iterable[RecordedEntry], reopened: Collection[int] = ()) -> Fairness:
    """Check a game from its first entry to its last; `reopened` are those by which it went on after its end.

    Only the rules know where a game ends. From there on the secret may be known, so no number counts any more.
    """
    first, *others = (BareEntry(one.nth, one.kind, one.body) for one in entries)
    if "fair" not in first.body:
        return Fairness()
    found = Fairness(promise=str(_within(first.body["fair"], "promise")))
    secret = str(first.body.get("seed"))
    if not SECRET.fullmatch(secret):
        found.kept = False
        return found
    setup = first.body.get("setup")
    found.week = str(_within(first.body["fair"], "week") or "")
    found.kept = promise_of(secret) == found.promise and _is_the_weeks(found.week, setup, secret)
    given = sorted(GIVEN & setup.keys()) if isinstance(setup, dict) else []
    if given:
        found.draws.append(Draw(first.nth, "corrected", fell=given))
    found.draws += [Draw(first.nth, kind) for key, kind in OF_THE_TABLE if _is_of_the_table(setup, key)]
    players = _within(setup, "players")
    checking = _Checking(PromisedChance(secret), found.draws, players if isinstance(players, list) else [])
    checking.stacked = "decks" in given
    numbers = _within(first.body["fair"], "numbers")
    for one in numbers if isinstance(numbers, list) else ():
        checking.number(first.nth, one, opening=True)
    for entry in (first, *others):
        try:
            checking.reopen(entry, reopens=entry.nth in reopened)
            checking.entry(entry)
        except ODD:
            found.draws.append(Draw(entry.nth, "roll", wrong="form"))
    return found


def _is_the_weeks(week: str, setup: object, secret: str) -> bool:
    """Return whether the secret of a week's challenge is the one of that week and so many players."""
    players = _within(setup, "players")
    return not week or (isinstance(players, list) and secret == secret_of(week, len(players)))


class _Checking:
    def __init__(self, chance: PromisedChance, draws: list[Draw], players: list[Any]) -> None:
        self._chance = chance
        self.stacked = False
        self._draws = draws
        self._players = players
        self._line = _Line(_Point(None, 0, 0))
        self._seats: set[str] = set()
        self._thrown: set[int] = set()
        self._is_told = False

    def reopen(self, entry: BareEntry, *, reopens: bool) -> None:
        """List an entry by which the game goes on after its secret was told."""
        if reopens:
            self._draws.append(Draw(entry.nth, "reopened", by=str(entry.body.get("by", ""))))
            self._is_told = True

    def number(self, nth: int, raw: object, *, opening: bool = False) -> None:
        """Take a number: each seat adds one, and only the game's beginning has one of the phone that began it.

        Before it every seat may add one, later those that play: numbers by other names could be tried until one suits.
        """
        by, number = _within(raw, "by"), _within(raw, "number")
        whose = (*COLOURS, STARTER) if opening else self._players
        odd = not is_number(number) or not isinstance(by, str) or by in self._seats or by not in whose
        odd = odd or self._is_told
        self._draws.append(Draw(nth, "number", by=str(by), fell=number, wrong="form" if odd else None))
        self._seats.add(str(by))
        self._chance.add(AddedNumber(str(by), str(number)))

    def entry(self, entry: BareEntry) -> None:
        if entry.kind == "number":
            self.number(entry.nth, entry.body)
        move, fell = entry.body.get("move"), entry.body.get("chance", {})
        by = str(_within(move, "by") or entry.body.get("by", ""))
        thrown, dice, shuffled = fell.get("thrown", []), fell.get("dice", []), fell.get("shuffled", [])
        rolls, shuffles = fell.get("rolls", []), fell.get("shuffles", [])
        if len(rolls) != len(dice) or len(shuffles) != len(shuffled) or len(thrown) > len(thrown_of(move)):
            raise ValueError(entry.nth)
        for nth, one in zip(thrown, thrown_of(move), strict=False):
            self._draws.append(Draw(entry.nth, "thrown", nth, by, one))
        self._chance.note({"thrown": thrown}, thrown_of(move))
        self._thrown.update(thrown)
        for place, (nth, one) in enumerate(zip(rolls, dice, strict=True), len(thrown)):
            follows, by_people = list(self._chance.roll(nth)), nth in self._thrown
            self._judge(Draw(entry.nth, "roll", nth, by, one, follows, by_people=by_people), place)
        for place, (nth, one) in enumerate(zip(shuffles, shuffled, strict=True)):
            self._judge(Draw(entry.nth, "shuffle", nth, by, one, self._chance.shuffle(nth, one)), place)
        if _within(move, "drawn"):
            self._draws.append(Draw(entry.nth, "dealt", by=by, fell=_within(move, "drawn")))
        if _within(move, "do") == "correct":
            self._draws.append(Draw(entry.nth, "corrected", by=by, fell=sorted(_within(move, "set") or {})))
        self._chance.note(fell, thrown_of(move))
        if entry.kind != "game":
            self._line.go(entry, len(thrown) + len(rolls), len(shuffles))
        else:
            self._line = _Line(_Point(None, len(rolls), len(shuffles)))
            self._line.go(entry, 0, 0)

    def _judge(self, draw: Draw, place: int) -> None:
        """List a roll or shuffle, the so manieth of its entry, with what is wrong with it."""
        wrong: Wrong | None = "value" if draw.fell != draw.follows else self._place(draw, place)
        self._draws.append(replace(draw, wrong=wrong))

    def _place(self, draw: Draw, place: int) -> Wrong | None:
        """Return what is wrong where it is not the next of its kind: nobody may choose among what could fall."""
        if draw.kind == "shuffle" and self.stacked:
            return None  # a deck that is named whole is never shuffled, and counts as one that was
        here = self._line.here
        return None if draw.nth == (here.shuffles if draw.kind == "shuffle" else here.rolls) + place else "place"


def _is_of_the_table(setup: object, key: str) -> bool:
    return "table" in (_within(setup, key), _within(_within(setup, "options"), key))


def _within(whole: object, key: str) -> Any:
    return whole.get(key) if isinstance(whole, dict) else None
