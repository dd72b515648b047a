"""The bots at the table: a thread that asks their helper what they would do, and hands it to the session's inbox.

The thinking is done in a process of its own. One that dies or stands still is ended and started again; if that does not
help either, the thread decides as a fair player would, which takes a moment; and if that fails too, by any legal move.
"""

from __future__ import annotations

import random
import traceback
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, cast

from companion.bots.policy.helper_process import BotSettings, Helper, Proposal
from companion.refusal import Refusal
from companion.table.bots.bench import DWELLERS, ThinkingHelper, bench_of
from companion.table.bots.helper_thread import HelperThread
from companion.table.bots.turns import Do, Think, bots_of
from companion.table.ports import Hint
from companion.table.session.handlers.bot_seats import BOT
from companion.table.session.intents import DeviceChanged, Propose, Tap

if TYPE_CHECKING:
    from companion.bots.policy.budget import Budget
    from companion.cards.loader import PackText
    from companion.table.bots.bench import Bench
    from companion.table.session.intents import Intent
    from companion.table.session.session import Session
    from companion.table.session.snapshots import Snapshot

DEVICE: Final = "officer"
PATIENCE: Final = 30.0
"""Seconds after which a helper is thought to stand still, however slow the machine is."""
DEATHS: Final = 3
"""So often a question is asked again; then it is answered without a helper."""
AGAIN: Final = 5.0
"""Seconds until something that the session has refused is tried again, though nothing has changed."""
RESTARTED: Final = Hint("officer_restarted", "The bots' process had ended and was started again; play goes on.")
FAILING: Final = Hint(
    "officer_failing", "The bots' process ends again and again; they play without it, as a fair player does."
)


class BotThread(HelperThread[Helper]):
    """The thread that plays all bots of one table, from `start` to `close`."""

    def __init__(
        self, session: Session, *, budget: Budget | None = None, patience: float = PATIENCE, polite: bool = False
    ) -> None:
        """`polite` bots wait with their moves until people have seen what happened."""
        super().__init__(session, "bots", DEVICE)
        self._polite = polite
        self._looked, self._busy_until, self._people_look = 0, 0.0, False
        self._ready: Proposal | None = None
        self._moods = BotSettings(f"{random.random()}", budget)
        self._patience = patience
        self._bench: Bench = DWELLERS
        self._thinking: Think | None = None
        self._since = 0.0
        self._refused_at = -1
        self._failing = False

    def _timeout(self) -> float | None:
        if self._people_look:
            return max(0.0, self._busy_until - monotonic())
        if self._thinking is not None:
            return max(0.0, self._since + self._patience - monotonic())
        return AGAIN if self._refused_at >= 0 else None

    def _look_at_people(self) -> None:
        """Find out whether people still look at what happened: dice, a lost fight, where threats are laid."""
        if self._polite:
            for snapshot in self._session.snapshots.all_newer_than(self._looked, 0):
                self._looked = snapshot.seq
                if snapshot.seconds_to_see:
                    self._busy_until = max(self._busy_until, snapshot.at) + snapshot.seconds_to_see
        self._people_look = self._busy_until > monotonic()

    def _waited_in_vain(self) -> None:
        self._refused_at = -1

    # --- what there is to do ------------------------------------------------------------------------------------------

    def _work(self) -> None:
        snapshot = self._session.snapshots.latest
        if snapshot is None:
            return
        self._bench = bench_of(snapshot)
        if not bots_of(snapshot):
            self._dismiss()
            self._deaths = 0
            return
        self._look_after_the_helper()
        if self._thinking is not None:
            self._take_answer()
        self._look_at_people()
        if self._ready is not None and not self._people_look:
            self._propose(snapshot, self._ready)
            snapshot = self._session.snapshots.latest or snapshot
        if self._thinking is None and self._ready is None and snapshot.seq != self._refused_at:
            self._begin(snapshot)

    def _begin(self, snapshot: Snapshot) -> None:
        todo, game = self._bench.what_next(snapshot), self._bench.game_of(snapshot)
        if game is None:
            return
        if todo is None:
            self._staff(game)  # so that it is there before its first question
        elif self._people_look and (isinstance(todo, Do) or self._deaths >= DEATHS):
            return
        elif isinstance(todo, Do):
            self._hand_over(snapshot, Tap(todo.move, BOT) if todo.move["do"] == "choose" else Propose(todo.move))
        elif self._deaths >= DEATHS:
            self._decide_here(snapshot, game, todo)
        else:
            helper = self._staff(game)
            if helper is not None:
                self._thinking, self._since = todo, monotonic()
                cast("ThinkingHelper", helper).consider(game, todo.seat, snapshot.version, todo.character)

    def _new_helper(self, cards: PackText, game: Any) -> Helper:
        return self._bench.new_helper(cards, game, self._moods)

    def _take_answer(self) -> None:
        proposal = cast("ThinkingHelper", self.helper).proposal() if self.helper is not None else None
        if proposal is None:
            return
        self._thinking, self._deaths, self._ready = None, 0, proposal
        if self._failing:
            self._say("ok", "")

    def _propose(self, snapshot: Snapshot, proposal: Proposal) -> None:
        """Put a bot's move into the inbox, if it still fits the table."""
        self._ready = None
        game = self._bench.game_of(snapshot)
        if game is not None and proposal.holds(game, snapshot.version):
            self._hand_over(snapshot, Propose(proposal.move.as_json(), proposal.reason))

    def _hand_over(self, snapshot: Snapshot, intent: Intent) -> None:
        """Ask the session; what it refuses is thought about again as soon as something has changed."""
        try:
            self._session.ask(intent).result()
        except Refusal:
            self._refused_at = snapshot.seq
        else:
            self._refused_at = -1
            self._ring()

    # --- a helper that fails ------------------------------------------------------------------------------------------

    def _look_after_the_helper(self) -> None:
        if self.helper is None:
            return
        stuck = self._thinking is not None and monotonic() - self._since > self._patience
        if self.helper.is_alive() and not stuck:
            return
        self._dismiss()
        self._deaths += 1
        if self._deaths < DEATHS:
            self._say("restarted", RESTARTED)

    def _decide_here(self, snapshot: Snapshot, game: Any, todo: Think) -> None:
        self._say("failing", FAILING)
        try:
            move, reason = self._bench.decide(game, todo.seat)
        except Exception:  # noqa: BLE001 - whatever is wrong with a bot, the table goes on: any legal move will do
            traceback.print_exc()
            move, reason = self._bench.any_move(game, todo.seat), {"why": "best_left"}
        self._propose(snapshot, self._bench.proposal(todo.seat, snapshot.version, move, reason))

    def _say(self, state: str, hint: str) -> None:
        self._failing = state != "ok"
        self._fence.put(DeviceChanged(DEVICE, state, hint))

    def _dismiss(self) -> None:
        super()._dismiss()
        self._thinking = self._ready = None
