"""A thread that lays the simulated table, begins the game, and moves what nobody else would."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final, cast

from companion.app.demo import next_help
from companion.app.demo.next_help import INJURED
from companion.games.mat import UNKNOWN
from companion.games.registry import DEFAULT, game_of
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck
from companion.table.fence import Fence
from companion.table.session.intents import Follow, StartGame
from hardware.tabletop.simulated_table import NoSuchThingError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.app.demo.next_help import DemoState
    from companion.app.demo.playground import DemoPlayground
    from companion.table.session.session import Session
    from companion.table.session.snapshots import Snapshot
    from hardware.tabletop.simulated_table import SimulatedTable


DONE: Final = ("none", "over")


def goes_on(state: DemoState, setup: Mapping[str, Any], pack: str) -> bool:
    """Return whether the record has a game under way that this table would have begun."""
    if state["game"] != DEFAULT or state["phase"] in DONE:
        return False
    options, players = state["options"], state["players"]
    bots = [colour for colour, player in players.items() if player.get("bot")]
    same_box = (options["pack"], options["cards"]) == (pack, "companion")
    return same_box and set(players) == set(setup["players"]) and len(bots) == len(setup["bots"])


def lay(table: SimulatedTable, state: DemoState) -> None:
    """Lay every card and dweller where the record has them; a dweller without a place waits at its player's side."""
    table.clear()
    for card, place in _cards(state):
        if card != UNKNOWN:
            table.lay(card, place)
    for colour, player in state["players"].items():
        waiting = table.bring(colour, player["total"])
        for space, lying in _placed(state, colour):
            table.put(waiting.pop(0), space, lying=lying)
        for dweller in player["available"]:
            if dweller.startswith(INJURED):
                table.tip(waiting.pop(0), lying=True)
    table.throw()


def _cards(state: DemoState) -> Iterator[tuple[str, str]]:
    for number, level in state["levels"].items():
        yield "elevator" if level["owner"] is None else f"elevator-{level['owner']}", f"{number}:E"
        for column, card in level["rooms"].items():
            yield card, f"{number}:{column}"
    for space, threat in state["threats"].items():
        yield threat, space
    for track, row in state["tracks"].items():
        for at, card in enumerate(row):
            yield card, f"{track}:{at}"


def _placed(state: DemoState, colour: str) -> Iterator[tuple[str, bool]]:
    """Yield the spaces of a colour's dwellers, and whether each lies there."""
    for space, standing in state["placed"].items():
        if standing["by"] == colour:
            for dweller in standing["dwellers"]:
                yield space, dweller.startswith(INJURED)


UNHURRIED: Final = 0.7
"""Seconds between two actions: people want to see what happens."""
AWAKE: Final = 20.0
"""Seconds in which the camera sees the table, or the game begins without it."""
SETTLED: Final = 2.0
"""More seconds in which the bare layout is read: what is put down after that is a move, not a difference."""
UNSEEN: Final = 8.0
"""Seconds after which the table is told of a bot's figure that the camera cannot make out."""
SEEING: Final = ("watching", "unsure")


class DemoHelper:
    """Plays the missing hands at the simulated table, on a thread of its own."""

    def __init__(self, session: Session, drawn: DemoPlayground, setup: dict[str, Any], seed: str | None) -> None:
        """`setup` is what the game begins with."""
        self._session = session
        self._drawn = drawn
        self._setup = setup
        self._seed = seed
        self._closed = threading.Event()
        self._begun = False
        self._last: str | None = None
        """The game that was played when the table was laid: behind it comes one that this thread begins."""
        self._seen = 0
        self._waited: tuple[object, float] = (None, 0.0)
        self._fence = Fence(session.put, (), name="what moves the simulated table", lost=session.bugs.add)
        self._thread = threading.Thread(target=self._fence.run, args=(self._turn,), name="hands", daemon=True)

    def start(self) -> None:
        """Lay the table, for a new game or as the last one was left, and help from now on. A seed begins a new game."""
        latest = self._session.snapshots.latest
        state = None if latest is None or self._seed is not None else cast("DemoState", latest.state)
        self._last = None if latest is None else latest.state["id"]
        self._begun = state is not None and goes_on(state, self._setup, self._drawn.pack.id)
        if state is not None and self._begun:
            lay(self._drawn.table, state)
            self._drawn.seats = tuple(colour for colour, who in state["players"].items() if not who.get("bot"))
        else:
            self._drawn.lay_out(self._dwellers())
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        self._fence.end()
        if self._thread.ident is not None:
            self._thread.join()

    def _turn(self) -> bool:
        """Begin the game, or do one thing for it; return whether there will be more to do."""
        snapshots = self._session.snapshots
        if not self._begun:
            self._begin()
        snapshot = snapshots.newer_than(self._seen, UNHURRIED) or snapshots.latest
        if snapshot is not None and not snapshots.closed and not self._closed.is_set():
            self._seen = snapshot.seq
            self.help(snapshot)
            self._again(snapshot)
        return not snapshots.closed and not self._closed.is_set()

    def _begin(self) -> None:
        """Begin the game when the camera sees the table; after a fault somebody may have done so."""
        seen, latest = 0, self._session.snapshots.latest
        for _ in range(round(AWAKE / UNHURRIED)):
            if self._closed.is_set() or (latest is not None and latest.state["table"]["camera"] in SEEING):
                break
            latest = self._session.snapshots.newer_than(seen, UNHURRIED) or latest
            seen = 0 if latest is None else latest.seq
        if latest is None or latest.state["id"] == self._last:
            self._start()
        self._begun = True

    def _start(self) -> None:
        if not self._closed.wait(SETTLED):
            self._session.ask(StartGame(self._setup, pack=self._drawn.pack.id, seed=self._seed)).result()

    def _dwellers(self) -> int:
        """Return how many dwellers everybody begins with, by the rules."""
        game = game_of(DEFAULT)
        position = game.new(game.pack_text(self._drawn.pack.id, None), self._setup, SeededLuck(0))
        return int(game.state(position)["players"][self._drawn.players[0]]["total"])

    def _again(self, snapshot: Snapshot) -> None:
        """Lay the table anew when somebody wants another game; one that is not over stays in the record."""
        if self._drawn.again.is_set() and snapshot.state["phase"] != "none":
            self._drawn.lay_out(self._dwellers())
            self._start()
        self._drawn.again.clear()

    def help(self, snapshot: Snapshot) -> None:
        """Do one thing, then rest."""
        found = next_help.next_step(cast("DemoState", snapshot.state), self._drawn.table, helping=self._drawn.helping)
        if found is None:
            self._tell_what_is_not_seen(snapshot)
            return
        try:
            next_help.perform(found, self._drawn.table)
        except NoSuchThingError:
            self._drawn.help(wanted=False)  # a card is not in the box: somebody has laid it elsewhere
        self._closed.wait(UNHURRIED)

    def _tell_what_is_not_seen(self, snapshot: Snapshot) -> None:
        """Tell the table of a bot's figure that was put where it belongs, and that the camera has not made out."""
        said = snapshot.state["suggestion"]
        key = None if said is None else (said["by"], str(said["move"]))
        self._waited = (key, self._waited[1] + UNHURRIED if key == self._waited[0] else 0.0)
        if key is not None and self._waited[1] >= UNSEEN:
            self._waited = (None, 0.0)
            try:
                self._session.ask(Follow()).result()
            except Refusal:
                return
