"""Apply a move durably: try it on a copy, record it, then apply it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.fair.promise import promised
from companion.games.registry import game_of
from companion.games.timeline import Recording, Tried
from companion.refusal import Refusal
from companion.table.record.open_game import OpenGame, Trouble, applied, pass_over, replay

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.cards.loader import PackText
    from companion.fair.promise import AddedNumber, PromiseJson
    from companion.games.api import Event
    from companion.games.chance import Chance
    from companion.table.ports import Journal
    from companion.table.record.entries import (
        AsideBody,
        BotBody,
        CampaignJson,
        CardsBody,
        Entry,
        EntryKind,
        FrozenBody,
        FrozenJson,
        GameBody,
        IgnoredBody,
        MoveBody,
        NumberBody,
        UndoBody,
    )


@dataclass(frozen=True, slots=True)
class Opening:
    game: str
    plays: str
    pack: PackText
    setup: Mapping[str, object]
    seed: str = field(repr=False)
    fair: PromiseJson | None = None
    """What was promised of the seed, which is secret then."""
    campaign: CampaignJson | None = None


class RecordedGame:
    """Apply moves durably: each is tried on a copy, recorded, and only then applied to the open game."""

    def __init__(self, journal: Journal, open_game: OpenGame, seed: str, trouble: Trouble | None = None) -> None:
        self._journal = journal
        self.open_game = open_game
        self.seed = seed
        self.trouble = trouble

    def play(self, move: object, chance: Chance, by: str = "", *, unless_same: bool = False) -> Sequence[Event]:
        """Make a move. `unless_same`: one that leaves everything as it is, is accepted and not recorded."""
        self._refuse_unless_sound()
        if self.open_game.frozen is not None:
            raise Refusal("frozen", None, "The game is frozen; take it up again first.")
        tried = self.open_game.timeline.try_out(move, chance)
        if unless_same and self._is_same(tried):
            return ()
        body: MoveBody = {"move": self.open_game.rules.write(move)}
        if fell := self.open_game.fell(tried.outcome):
            body["chance"] = fell
        if by:
            body["by"] = by
        self._write("move", body)
        self.open_game.timeline.take(tried)
        self.open_game.note_chance("move", body)
        return tried.events

    def _is_same(self, tried: Tried[Any]) -> bool:
        """Whether nobody could see a difference, nor did anything fall."""
        rules, game = self.open_game.rules, self.open_game.game
        state = self.open_game.rules_state()
        return (
            not tried.outcome.as_json()
            and rules.state(tried.game) == state
            and tried.game.names == game.names
            and all(rules.private(tried.game, seat) == rules.private(game, seat) for seat in state["players"])
        )

    def refuse_unless_undoable(self, to: int | None = None) -> None:
        self._refuse_unless_sound()
        self.open_game.timeline.refuse_unless_undoable(to)

    def undo(self, to: int | None = None) -> None:
        """Go back by one move, or to the position after any entry."""
        self.refuse_unless_undoable(to)
        body: UndoBody = {} if to is None else {"to": to}
        self._write("undo", body)
        self.open_game.timeline.undo(to)

    def refuse_unless_redoable(self) -> None:
        self._refuse_unless_sound()
        self.open_game.timeline.refuse_unless_redoable()

    def redo(self) -> None:
        """Go forth again to where the last undo came from."""
        self.refuse_unless_redoable()
        self._write("redo", {})
        self.open_game.timeline.redo()

    def edit_cards(self, pack: PackText) -> None:
        self._refuse_unless_sound()
        self.open_game.rules.with_cards(self.open_game.game, pack)
        body: CardsBody = {"pack": pack.as_json()}
        self._note("cards", body)

    def freeze(self, lies: FrozenJson | None) -> None:
        """Put the game away with what lies where, or (None) take it up again."""
        self._refuse_unless_sound()
        body: FrozenBody = {"frozen": lies}
        self._note("frozen", body)

    def ignore(self, difference: str) -> None:
        """Remember that nobody wants to hear of a difference."""
        self._refuse_unless_sound()
        body: IgnoredBody = {"difference": difference}
        self._note("ignored", body)

    def seat_bot(self, seat: str, character: str | None) -> None:
        self._refuse_unless_sound()
        body: BotBody = {"seat": seat, "character": character}
        self._note("bot", body)

    def add_number(self, number: AddedNumber) -> None:
        """Let all that is not made yet follow from a phone's number too."""
        self._refuse_unless_sound()
        body: NumberBody = {"by": number.by, "number": number.number}
        self._note("number", body)

    def resume(self) -> None:
        """Make this the current game."""
        self._refuse_unless_sound()
        self._note("resumed", {})

    def set_aside(self) -> None:
        """Go on from the state before the entry that cannot be replayed, because somebody said so."""
        if self.trouble is None:
            raise Refusal("nothing_to_set_aside", None, "Every entry of this game can be replayed.")
        since = self.trouble.nth
        passed_over = self._journal.entries(self.open_game.id)[since:]
        body: AsideBody = {"since": since}
        self._write("aside", body)
        for entry in passed_over:
            pass_over(entry, self.open_game)
        self.open_game.timeline.mark()
        self.trouble = None

    def _refuse_unless_sound(self) -> None:
        if self.trouble is not None:
            raise Refusal("set_aside_first", None, f"The record: {self.trouble}.", nth=self.trouble.nth)

    def _note(self, kind: EntryKind, body: Mapping[str, object]) -> None:
        applied(self._write(kind, body), self.open_game)

    def _write(self, kind: EntryKind, body: Mapping[str, object]) -> Entry:
        return self._journal.append(self.open_game.id, kind, body)


def begin(journal: Journal, opening: Opening, chance: Chance) -> RecordedGame:
    """Record a new game; `chance` is that of the opening's seed."""
    rules = game_of(opening.plays)
    recording = Recording(chance, {})
    open_game = OpenGame(opening.game, rules, opening.pack, opening.setup, recording)
    if opening.fair is not None:
        open_game.promised = promised(opening.seed, opening.fair)
    body: GameBody = {
        "plays": opening.plays,
        "rules": rules.version,
        "pack": opening.pack.as_json(),
        "setup": opening.setup,
        "seed": opening.seed,
        "chance": open_game.fell(recording.outcome),
    }
    if opening.fair is not None:
        body["fair"] = opening.fair
    if opening.campaign is not None:
        body["campaign"] = opening.campaign
    journal.begin(opening.game, body)
    open_game.note_chance("game", body)
    return RecordedGame(journal, open_game, opening.seed)


def resumed(journal: Journal, entries: list[Entry]) -> RecordedGame | Trouble:
    """Rebuild a game out of the record; one whose very first entry cannot be replayed is trouble and nothing else."""
    replayed = replay(entries)
    if replayed.open_game is None:
        if replayed.trouble is None:
            raise AssertionError("a game that is not there has a reason")
        return replayed.trouble
    return RecordedGame(journal, replayed.open_game, replayed.seed, replayed.trouble)


def resumed_before_last(journal: Journal, entries: list[Entry], why: str) -> RecordedGame:
    """Rebuild a game as if its last entry, or the last one before its trouble, could not be replayed either."""
    found = replay(entries)
    last = entries[-1].nth if found.trouble is None else found.trouble.nth - 1
    if last < 1:
        raise ValueError(f"Game {entries[0].game} has nothing before its first entry.")
    before = replay(entries, last - 1)
    if before.open_game is None:
        raise AssertionError("a game whose first entry is behind it is there")
    return RecordedGame(journal, before.open_game, before.seed, Trouble(entries[0].game, last, why))
