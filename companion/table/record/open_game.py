"""One game being played, and how it is rebuilt from its entries: every roll out of the record, nothing rolled again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from companion.cards import loader
from companion.cards.pack import PackFaults
from companion.fair.promise import PromisedChance, note_entry, promised
from companion.games.fields import called
from companion.games.json_types import Player, State
from companion.games.registry import game_of
from companion.games.timeline import Outcome, Replaying, Timeline
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.cards.loader import PackText
    from companion.games.api import AnyGame
    from companion.games.chance import Chance
    from companion.games.timeline import ChanceJson
    from companion.table.record.entries import (
        BotBody,
        CardsBody,
        Entry,
        EntryKind,
        FrozenBody,
        FrozenJson,
        GameBody,
        IgnoredBody,
        MoveBody,
        UndoBody,
    )


class OpenGameState(State):
    """The state of a game with what its record adds; a game's own keys are there as well."""

    version: int
    id: str | None
    """None before the first game."""


class OpenGame:
    """A game being played: its timeline and what the table adds. Its version counts the record's entries."""

    def __init__(
        self,
        game_id: str,
        rules: AnyGame,
        pack: PackText,
        setup: Mapping[str, object],
        chance: Chance,
        version: int | None = None,
    ) -> None:
        # `version` is that of the rules which began the game.
        begun_by = rules.version if version is None else version
        self.id = game_id
        self.rules = rules
        self.pack = pack
        self.names: dict[str, str] = dict(cast("dict[str, str]", setup.get("names") or {}))
        """As they were given when the game began; a correction gives others, which the position holds."""
        self.timeline: Timeline[Any] = Timeline(rules.renew(begun_by, pack, setup, chance))
        self.frozen: FrozenJson | None = None
        self.ignored: frozenset[str] = frozenset()
        self.aside: list[int] = []
        self.bots: dict[str, str] = dict(cast("dict[str, str]", setup.get("bots") or {}))
        """The seats that a bot plays, and its character."""
        self.promised: PromisedChance | None = None
        """The chance of a game that was begun with a promise."""
        self.is_told = False
        """Whether it has been over once: since then anybody may have read its secret, whatever was taken back."""
        self._rules_state: tuple[int, State] | None = None

    @property
    def game(self) -> Any:
        return self.timeline.game

    def rules_state(self) -> State:
        """Return the rules' part of the state, worked out once for each entry. It is for reading."""
        if self._rules_state is None or self._rules_state[0] != self.version:
            state: State = self.rules.state(self.game)
            self._rules_state = self.version, state
        return self._rules_state[1]

    @property
    def version(self) -> int:
        return self.timeline.version

    def fell(self, outcome: Outcome) -> ChanceJson:
        """Return the chance that a move took, as the record of this game holds it."""
        return outcome.as_json(places=self.promised is not None)

    def note_chance(self, kind: str, body: Mapping[str, Any]) -> None:
        """Keep what an entry means for all that will fall."""
        if self.promised is not None:
            note_entry(self.promised, kind, body)
            self.is_told = self.is_told or self.rules_state()["result"] is not None

    def state(self) -> OpenGameState:
        """Return the state that a reader gets, but for `seq`, `table` and `panel`."""
        state = self.rules_state()
        names = self.names | self.game.names
        players: dict[str, Player] = {
            colour: {**player, "name": called(names, colour)} for colour, player in state["players"].items()
        }
        if self.rules.has_bots:
            players = {colour: {**player, "bot": self.bots.get(colour)} for colour, player in players.items()}
        phase = state["phase"] if self.frozen is None else FROZEN
        return {"version": self.version, "id": self.id, **state, "phase": phase, "players": players}


FROZEN: Final = "frozen"


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

    open_game: OpenGame | None
    trouble: Trouble | None = None
    seed: str = ""


Watch = Callable[["Entry", OpenGame], None]


def replay(entries: Sequence[Entry], to: int | None = None, watch: Watch | None = None) -> Replayed:
    """Rebuild the game after its last entry, or after entry `to`; before the first entry that cannot be replayed.

    `watch` is called for every entry with the game after it.
    """
    first = entries[0]
    aside = _set_aside(entries)
    try:
        replayed = Replayed(_opened(first), seed=str(first.body.get("seed", "")))
    except CRASHES as error:
        return Replayed(None, Trouble(first.game, 0, why_of(error)))
    if watch is not None and replayed.open_game is not None:
        watch(first, replayed.open_game)
    for entry in entries[1 : None if to is None else to + 1]:
        trouble = _replay_one(replayed.open_game, entry, aside=entry.nth in aside)
        if trouble is not None:
            return _before(entries, trouble)
        if watch is not None and replayed.open_game is not None:
            watch(entry, replayed.open_game)
    return replayed


def _before(entries: Sequence[Entry], trouble: Trouble) -> Replayed:
    """Rebuild the state before the entry that crashed: nobody knows how far the entry got."""
    replayed = replay(entries, trouble.nth - 1)
    replayed.trouble = trouble
    return replayed


def _replay_one(open_game: OpenGame | None, entry: Entry, *, aside: bool) -> Trouble | None:
    if open_game is None:
        raise AssertionError("a game begins with its first entry")
    if aside:
        pass_over(entry, open_game)
        return None
    try:
        applied(entry, open_game)
    except CRASHES as error:
        return Trouble(entry.game, entry.nth, why_of(error))
    return None


def pass_over(entry: Entry, open_game: OpenGame) -> None:
    """Count an entry that is set aside; what fell in it has fallen, and falls again where it is made again."""
    open_game.timeline.mark()
    open_game.aside.append(entry.nth)
    with suppress(*CRASHES):
        open_game.note_chance(entry.kind, entry.body)


def why_of(error: Exception) -> str:
    """Return in a line what an error says."""
    return error.message if isinstance(error, Refusal) else f"{type(error).__name__}: {error}"


def _set_aside(entries: Sequence[Entry]) -> frozenset[int]:
    """Return the entries that a later entry has set aside."""
    aside: set[int] = set()
    for entry in reversed(entries):
        if entry.kind == "aside" and entry.nth not in aside:
            aside.update(range(int(entry.body["since"]), entry.nth))
    return frozenset(aside)


def _opened(entry: Entry) -> OpenGame:
    body = cast("GameBody", entry.body)
    rules, chance = game_of(body["plays"]), Replaying(Outcome.from_json(body.get("chance", {})))
    pack, version = loader.from_json(body["pack"]), int(body.get("rules", 1))
    open_game = OpenGame(entry.game, rules, pack, body["setup"], chance, version)
    if "fair" in body:
        open_game.promised = promised(body["seed"], body["fair"])
        open_game.note_chance("game", body)
    return open_game


# --- what each kind of entry does -------------------------------------------------------------------------------------


def applied(entry: Entry, open_game: OpenGame) -> None:
    """Do again what an entry says; whatever is odd about it is one of the CRASHES."""
    body, timeline = entry.body, open_game.timeline
    kind = cast("EntryKind", entry.kind)
    match kind:
        case "move":
            _move(open_game, cast("MoveBody", body))
        case "undo":
            timeline.undo(cast("UndoBody", body).get("to"))
        case "redo":
            timeline.redo()
        case "cards":
            _cards(open_game, cast("CardsBody", body))
        case "frozen":
            open_game.frozen = cast("FrozenBody", body)["frozen"]
            timeline.mark()
        case "ignored":
            open_game.ignored |= {str(cast("IgnoredBody", body)["difference"])}
            timeline.mark()
        case "bot":
            _bot(open_game, cast("BotBody", body))
        case "number" | "resumed" | "aside":
            timeline.mark()
        case "game":
            raise ValueError("A game begins once.")
        case _:
            raise KeyError(entry.kind)
    open_game.note_chance(entry.kind, body)


def _move(open_game: OpenGame, body: MoveBody) -> None:
    fell = body.get("chance", {})
    outcome = open_game.timeline.replay(open_game.rules.read(body["move"]), Outcome.from_json(fell))
    if open_game.fell(outcome) != fell:
        raise Refusal("record_differs", None, "The move takes other dice or cards than the record holds.")


def _cards(open_game: OpenGame, body: CardsBody) -> None:
    pack = loader.from_json(body["pack"])
    open_game.timeline.put(open_game.rules.with_cards(open_game.game, pack))
    open_game.pack = pack


def _bot(open_game: OpenGame, body: BotBody) -> None:
    seat, character = str(body["seat"]), body["character"]
    open_game.bots = {colour: one for colour, one in open_game.bots.items() if colour != seat}
    if character is not None:
        open_game.bots[seat] = str(character)
    open_game.timeline.mark()
