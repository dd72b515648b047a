"""Rebuilds a game from its entries: every move legal, every roll out of the record, nothing rolled again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.cards import pack_text
from companion.cards.pack import PackFaults
from companion.games.registry import rules_of
from companion.games.timeline import Outcome, Replaying
from companion.refusal import Refusal
from companion.table.record.open_game import Sitting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.record.entries import Entry

CRASHES: Final = (
    Refusal,
    PackFaults,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What rules or cards that have changed since can raise when they meet an old entry."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """An entry that cannot be replayed."""

    game: str
    nth: int
    why: str

    def __str__(self) -> str:
        return f"entry {self.nth} of game {self.game} cannot be replayed: {self.why}"


@dataclass(slots=True)
class Replayed:
    """A game as far as it could be rebuilt."""

    sitting: Sitting | None
    trouble: Trouble | None = None
    seed: str = ""


Watch = Callable[["Entry", Sitting], None]


def replay(entries: Sequence[Entry], to: int | None = None, watch: Watch | None = None) -> Replayed:
    """The game after its last entry, or after entry `to`; before the first entry that cannot be replayed.

    `watch` is told of every entry with the game after it.
    """
    first = entries[0]
    aside = _set_aside(entries)
    try:
        replayed = Replayed(_opened(first), seed=str(first.body.get("seed", "")))
    except CRASHES as error:
        return Replayed(None, Trouble(first.game, 0, _why(error)))
    if watch is not None and replayed.sitting is not None:
        watch(first, replayed.sitting)
    for entry in entries[1 : None if to is None else to + 1]:
        trouble = _replay_one(replayed.sitting, entry, aside=entry.nth in aside)
        if trouble is not None:
            return _before(entries, trouble)
        if watch is not None and replayed.sitting is not None:
            watch(entry, replayed.sitting)
    return replayed


def _before(entries: Sequence[Entry], trouble: Trouble) -> Replayed:
    """The state before the entry that crashed, rebuilt: nobody knows how far the entry got."""
    replayed = replay(entries, trouble.nth - 1)
    replayed.trouble = trouble
    return replayed


def _replay_one(sitting: Sitting | None, entry: Entry, *, aside: bool) -> Trouble | None:
    if sitting is None:
        raise AssertionError("a game begins with its first entry")
    if aside:
        sitting.timeline.mark()
        sitting.aside.append(entry.nth)
        return None
    try:
        STEPS[entry.kind](sitting, entry.body)
    except CRASHES as error:
        return Trouble(entry.game, entry.nth, _why(error))
    return None


def _why(error: Exception) -> str:
    return error.message if isinstance(error, Refusal) else f"{type(error).__name__}: {error}"


def _set_aside(entries: Sequence[Entry]) -> frozenset[int]:
    """The entries that a later entry has set aside, on somebody's word."""
    aside: set[int] = set()
    for entry in reversed(entries):
        if entry.kind == "aside" and entry.nth not in aside:
            aside.update(range(int(entry.body["since"]), entry.nth))
    return frozenset(aside)


def _opened(entry: Entry) -> Sitting:
    body = entry.body
    fell = Outcome.from_json(body.get("chance", {}))
    return Sitting(
        entry.game, rules_of(body["plays"]), pack_text.from_json(body["pack"]), body["setup"], Replaying(fell)
    )


# --- what each kind of entry does -------------------------------------------------------------------------------------


def _move(sitting: Sitting, body: dict[str, Any]) -> None:
    fell = body.get("chance", {})
    outcome = sitting.timeline.replay(sitting.rules.read(body["move"]), Outcome.from_json(fell))
    if outcome.as_json() != fell:
        raise Refusal("record_differs", None, "The move takes other dice or cards than the record holds.")


def _undo(sitting: Sitting, body: dict[str, Any]) -> None:
    sitting.timeline.undo(body.get("to"))


def _redo(sitting: Sitting, body: dict[str, Any]) -> None:  # noqa: ARG001 - one shape for all kinds
    sitting.timeline.redo()


def _cards(sitting: Sitting, body: dict[str, Any]) -> None:
    pack = pack_text.from_json(body["pack"])
    sitting.timeline.put(sitting.rules.with_cards(sitting.game, pack))
    sitting.pack = pack


def _frozen(sitting: Sitting, body: dict[str, Any]) -> None:
    sitting.frozen = body["frozen"]
    sitting.timeline.mark()


def _ignored(sitting: Sitting, body: dict[str, Any]) -> None:
    sitting.ignored |= {str(body["difference"])}
    sitting.timeline.mark()


def _bot(sitting: Sitting, body: dict[str, Any]) -> None:
    seat, character = str(body["seat"]), body["character"]
    sitting.bots = {colour: one for colour, one in sitting.bots.items() if colour != seat}
    if character is not None:
        sitting.bots[seat] = str(character)
    sitting.timeline.mark()


def _resumed(sitting: Sitting, body: dict[str, Any]) -> None:  # noqa: ARG001
    sitting.timeline.mark()


Step = Callable[[Sitting, dict[str, Any]], None]
STEPS: Final[dict[str, Step]] = {
    "move": _move,
    "undo": _undo,
    "redo": _redo,
    "cards": _cards,
    "frozen": _frozen,
    "ignored": _ignored,
    "bot": _bot,
    "resumed": _resumed,
    "aside": _resumed,
}
