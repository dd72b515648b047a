"""Mutable state of the session: the game, the record, the last reading of the table, the health of the devices."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from companion.games.mat import GamePosition
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck
from companion.table.record.commit import RecordedGame, resumed, resumed_before_last
from companion.table.record.entries import NotRecordedError, RecordDamagedError
from companion.table.record.open_game import Trouble
from companion.table.session.handlers.marked_corner import CornerWatch
from companion.table.session.handlers.real_dice import DiceThrow
from companion.table.session.hands import Hands
from companion.table.sight.difference import differences, still_there
from companion.table.sight.reading import Steady
from companion.table.sight.reconcile import OFF, Memory, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.bots.policy.reason_texts import Reason
    from companion.games.api import Event
    from companion.games.chance import Chance
    from companion.games.json_types import MoveJson
    from companion.games.mat import Difference, MatLayout
    from companion.table.ports import Eyes, Journal
    from companion.table.record.open_game import OpenGame
    from companion.table.session.next_promise import NextPromise
    from companion.table.session.settings import Settings
    from companion.table.session.state_view import ForecastJson, SuggestionJson
    from companion.table.sight.reading import Reading
    from companion.table.sight.reconcile import Question

Done = TypeVar("Done")
DEVICES: Final = (
    *("camera", "panel", "lamps", "keys", "voice", "journal"),
    *("officer", "seer", "broker", "power", "wifi", "name"),
)
FIRST_QUESTION: Final = 100_001
"""The table's own questions are numbered from here on, far from those of the rules."""


@dataclass(slots=True)
class OpenQuestion:
    """A question of the table itself, open until it is answered or has lost its sense."""

    id: int
    kind: str
    by: str | None
    place: str
    ways: tuple[tuple[str, MoveJson | None], ...]
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Where a bot's dweller goes, and why; a person moves the figure."""

    by: str
    move: MoveJson
    reason: Reason

    def as_json(self) -> SuggestionJson:
        return {"by": self.by, "move": self.move, "reason": self.reason}


@dataclass
class SessionState:
    """What belongs to the session's thread. Nobody else touches it."""

    journal: Journal
    settings: Settings
    eyes: Eyes
    new_id: Callable[[], str]
    next_promise: NextPromise
    """What the next game follows from; it is shown before that game begins."""
    played: RecordedGame | None = None
    trouble: Trouble | None = None
    chance: Chance | None = None
    reading: Reading | None = None
    throw: DiceThrow = field(default_factory=DiceThrow)
    """Real dice, and the roll they were thrown for."""
    corner: CornerWatch = field(default_factory=CornerWatch)
    """What lies in the marked corner, and what is asked."""
    verdict: Verdict = field(default_factory=lambda: Verdict(camera=OFF))
    memory: Memory = field(default_factory=Memory)
    compare: bool = False
    """Whether the next look compares record and table, as at the start, and plays nothing."""
    numbers: dict[str, int] = field(default_factory=dict)
    """The ids of disagreements, by their keys."""
    next_disagreement: int = 1
    moved: frozenset[str] = frozenset()
    """Keys of differences that somebody says are put right on the table."""
    question: OpenQuestion | None = None
    passes: OpenQuestion | None = None
    suggestion: Suggestion | None = None
    hands: Hands = field(default_factory=Hands)
    foreseen: ForecastJson | None = None
    """Everybody's chance to win, as it was last estimated."""
    next_question: int = FIRST_QUESTION
    devices: dict[str, tuple[str, str]] = field(default_factory=dict)
    said: list[tuple[int, int]] = field(default_factory=list)
    """The numbers of answers that the eye was told, and the entry of the game that each came with."""
    last_said: int = 0
    pressed: str | None = None
    """Whose button asked for a look that has not come yet."""
    events: list[Event] = field(default_factory=list)
    """Those of the rules and the table's own (`TableEvent`), since the last snapshot."""
    steady: Steady = field(default_factory=lambda: Steady(0.0))
    _position: GamePosition | None = None
    """The game as it is now, as something to ask."""
    _found: tuple[Reading, GamePosition, list[Difference]] | None = None
    """What was found the last time that a reading was compared with a position."""
    keep_settings: Callable[[Settings], None] = lambda settings: None  # noqa: ARG005 - nobody keeps them

    def __post_init__(self) -> None:
        self.steady = Steady(self.settings.rest)

    # --- the game -----------------------------------------------------------------------------------------------------

    @property
    def open_game(self) -> OpenGame:
        """The game that is being played, or a refusal."""
        return self.recorded.open_game

    @property
    def recorded(self) -> RecordedGame:
        """The game that is being played with its place in the record, or a refusal."""
        if self.played is None:
            raise Refusal("no_game", None, "No game is being played.")
        return self.played

    @property
    def watched(self) -> bool:
        return self.played is not None and self.played.open_game.rules.mat is not None

    @property
    def layout(self) -> MatLayout | None:
        """What should lie on the table, as far as hands are told of it."""
        if self.played is None:
            return None
        if self.watched:
            return self.position().lies()
        return self.open_game.rules.fetched(self.open_game.rules_state())

    @property
    def looks(self) -> bool:
        """Whether a camera looks on."""
        return self.verdict.camera != OFF

    @property
    def told(self) -> frozenset[str]:
        """The colours whose figures others move, or a camera sees moving: bots, and whoever is not at the table."""
        players = self.open_game.rules_state()["players"]
        return frozenset(players) if self.looks else frozenset(self.open_game.bots) | self.hands.away & players.keys()

    @property
    def version(self) -> int:
        return 0 if self.played is None else self.played.open_game.version

    def switch_to(self, recorded: RecordedGame, *, fresh: bool) -> None:
        self.played, self.trouble = recorded, None
        promised = recorded.open_game.promised
        self.chance = promised or SeededLuck(recorded.seed)
        if promised is not None and promised.promise == self.next_promise.promise:
            self.next_promise.renew()
        self.memory = Memory(ignored=recorded.open_game.ignored, fresh=fresh)
        self.compare = not fresh
        self.verdict = Verdict(camera=self.verdict.camera)
        self.question = self.passes = self.pressed = self.suggestion = self.foreseen = None
        self.throw = DiceThrow(last=self.throw.last)
        self.numbers.clear()
        self.said.clear()
        self.steady.forget()
        layout = self.layout
        if fresh:
            self.hands.begin(recorded.open_game.id, layout)
        else:
            self.hands.take_up(recorded.open_game.id, layout)

    def take_up(self, game: str | None) -> None:
        """Rebuild a game of the record and play it from now on; without one there is none."""
        found = None if game is None else resumed(self.journal, self.journal.entries(game))
        if isinstance(found, RecordedGame):
            self.switch_to(found, fresh=False)
        else:
            self.played = None
            self.trouble = found or self.trouble

    def take_up_before_last(self, game: str | None, why: str) -> None:
        """Take up a game that cannot be shown as it was before its last entry; the host decides about that one."""
        if game is None:
            raise ValueError("Without a game there is nothing before it.")
        found = resumed_before_last(self.journal, self.journal.entries(game), why)
        self.switch_to(found, fresh=False)

    def leave(self, game: str | None, why: str) -> None:
        """Play no game, since this one cannot be shown; it stays in the record."""
        self.played = self.chance = self._position = None
        self.question = self.passes = self.pressed = self.suggestion = self.foreseen = None
        self.numbers.clear()
        self.trouble = None if game is None else Trouble(game, 0, why)

    def position(self) -> GamePosition:
        """Return the game as something to ask."""
        if self.chance is None:
            raise AssertionError("a game has its chance")
        game = self.open_game
        if self._position is None or self._position.game is not game.game:
            self._position = GamePosition(game.rules, game.game, self.chance, game.rules_state())
        return self._position

    def copied(self) -> GamePosition | None:
        """Return a copy of the game to ask, for other threads."""
        if self.played is None or self.chance is None:
            return None
        game = self.open_game
        return GamePosition(game.rules, game.game.copy(), self.chance, game.rules_state())

    # --- doing --------------------------------------------------------------------------------------------------------

    def play(self, raw: object, by: str, *, unless_same: bool = False) -> None:
        """Make a move of the rules: on the disk first, then in the game."""
        move = self.open_game.rules.read(raw)
        if self.chance is None:
            raise AssertionError("a game has its chance")
        chance = self.chance
        self._written(lambda: self.recorded.play(move, chance, by, unless_same=unless_same))

    def do(self, act: Callable[[], None]) -> None:
        """Do something else that is recorded."""

        def acted() -> Sequence[Event]:
            act()
            return []

        self._written(acted)

    def _written(self, act: Callable[[], Sequence[Event]]) -> None:
        before = {one.key for one in self.differences()}
        lay = self.layout
        events = self.on_disk(act)
        self.events += events
        self._remember(before)
        now = self.layout
        if lay is not None and now is not None:
            self.hands.follow(lay, now, self.told)

    def on_disk(self, act: Callable[[], Done]) -> Done:
        """Do something that ends on the disk; a disk that does not take it is a refusal and the health of a device."""
        try:
            done = act()
        except RecordDamagedError as error:
            raise Refusal("record_damaged", None, str(error)) from error
        except NotRecordedError as error:
            self.devices["journal"] = ("failing", str(error))
            raise Refusal("not_recorded", None, str(error)) from error
        behind = self.journal.copy_is_behind
        self.devices["journal"] = ("behind", "The readable copy cannot be written.") if behind else ("ok", "")
        return done

    def differences(self) -> list[Difference]:
        """Return where the last reading and the game differ, worked out once for each pair of them."""
        if self.reading is None or not self.watched:
            return []
        position = self.position()
        if self._found is None or self._found[0] is not self.reading or self._found[1] is not position:
            self._found = self.reading, position, differences(self.reading, position.lies())
        return self._found[2]

    def _remember(self, before: set[str]) -> None:
        """Remember what differs because of the record's own step: the table has to follow, it is no disagreement."""
        if self.reading is None:
            return
        found = self.differences()
        made = frozenset(one.key for one in found if one.key not in before)
        todo = still_there(self.memory.todo | made, found, self.reading)
        self.memory = Memory(todo, self.memory.ignored, self.memory.compared)


def asked(session: SessionState, question: Question | None) -> OpenQuestion | None:
    """Return the open question for a verdict's: the same one keeps its number."""
    if question is None:
        return None
    old = session.question
    if old is not None and (old.by, old.place, old.ways) == (question.by, question.place, question.ways):
        return old
    session.next_question += 1
    clause = session.position().mat.placing_clause
    return OpenQuestion(session.next_question - 1, "placement", question.by, question.place, question.ways, clause)
