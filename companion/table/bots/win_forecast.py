"""The chances to win, round by round, beside the record: found by playing on, so they may be thrown away."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from companion.bots.policy.helper_process import LAST, ForecastHelper
from companion.bots.policy.policy import box_of
from companion.table.bots.helper_thread import HelperThread
from companion.table.bots.turns import game_of
from companion.table.outside import read_file
from companion.table.ports import Hint
from companion.table.record.data_folder import put
from companion.table.session.intents import DeviceChanged, Foreseen

if TYPE_CHECKING:
    from pathlib import Path

    from companion.bots.policy.policy import BotGame
    from companion.bots.worth.win_chance import EstimateJson
    from companion.cards.loader import PackText
    from companion.table.session.session import Session
    from companion.table.session.snapshots import Snapshot


FOLDER: Final = "foresight"


def _file(folder: Path, game: str) -> Path:
    return folder / FOLDER / f"{game}.json"


def read(folder: Path, game: str) -> dict[int, dict[str, Any]]:
    """Return the estimate of each round that has one: of its `version`, after so many `playouts`, the `chances`."""
    try:
        raw = read_file(_file(folder, game))
        return {int(number): dict(one) for number, one in sorted(raw.items(), key=lambda pair: int(pair[0]))}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def write(folder: Path, game: str, rounds: dict[int, dict[str, Any]]) -> None:
    """Store the estimates. A disk without room loses a curve, nothing else."""
    text = ",\n".join(f'"{number}": {json.dumps(one)}' for number, one in sorted(rounds.items()))
    with suppress(OSError):
        put(_file(folder, game), f"{{{text}}}\n".encode())


DEVICE: Final = "seer"
DEATHS: Final = 3
REST: Final = 0.2
"""Seconds in which nobody moves, before a position is played on."""
FAILING: Final = Hint(
    "seer_failing",
    "The process that tells the chances to win ends again and again; switch them off and on to try again.",
)
PLAYED: Final = frozenset({"spawn", "place", "recall"})
Key = tuple[str, int, int]
"""A game, a version, a round."""


class WinForecast(HelperThread[ForecastHelper]):
    """The thread that estimates chances to win, from `start` to `close`, while the host wants to see them."""

    def __init__(self, session: Session, folder: Path, *, playouts: int = LAST) -> None:
        super().__init__(session, "win-forecast", DEVICE)
        self._folder = folder
        self._playouts = playouts
        self._asked: Key | None = None
        self._done: Key | None = None
        self._seen = 0
        self._moved: Key | None = None
        self._since = 0.0
        self._due: float | None = None
        self._owed: dict[Key, BotGame] = {}
        self._of = ""
        self._firsts: dict[int, Key] = {}

    def _work(self) -> None:
        self._due = None
        snapshot = self._session.snapshots.latest
        if snapshot is None:
            return
        game = game_of(snapshot)
        if game is None or "win" not in snapshot.state["odds"]["shown"]:
            self._forget()
            return
        self._look_after_the_helper()
        self._listen(snapshot)
        for passed in self._session.snapshots.all_newer_than(self._seen, 0):
            self._seen = passed.seq
            self._note_round(passed)
        if self._deaths < DEATHS:
            self._go_on(snapshot, game)

    def _go_on(self, snapshot: Snapshot, game: BotGame) -> None:
        """Consider the newest position first; when it is done, a round that has no estimate yet."""
        key = key_of(snapshot)
        if snapshot.state["phase"] in PLAYED and key not in (self._asked, self._done):
            if self._is_at_rest(key):
                self._consider(key, game, well=True)
        elif self._asked is None and self._owed:
            owed = next(iter(self._owed))
            self._consider(owed, self._owed[owed], well=False)

    def _is_at_rest(self, key: Key) -> bool:
        """Whether nobody has moved for a moment: pickling the game takes the session's own time."""
        if key != self._moved:
            self._moved, self._since = key, monotonic()
        rests = monotonic() - self._since >= REST
        self._due = None if rests else self._since + REST
        return rests

    def _timeout(self) -> float | None:
        return None if self._due is None else max(0.0, self._due - monotonic())

    def _note_round(self, snapshot: Snapshot) -> None:
        """Remember the first position of each round, for the curve of a game; what was taken back does not count."""
        game, key = game_of(snapshot), key_of(snapshot)
        if game is None or snapshot.state["phase"] not in PLAYED:
            return
        name, _, number = key
        if name != self._of:
            known = read(self._folder, name)
            self._of, self._owed = name, {}
            self._firsts = {one: (name, int(kept["version"]), one) for one, kept in known.items()}
        self._firsts = {one: first for one, first in self._firsts.items() if one <= number}
        self._owed = {one: kept for one, kept in self._owed.items() if one[2] <= number}
        if number not in self._firsts:
            self._firsts[number] = key
            self._owed[key] = game

    def _consider(self, key: Key, game: BotGame, *, well: bool) -> None:
        helper = self._staff(game)
        if helper is not None:
            self._asked = key
            helper.consider(game, key, well=well)

    def _new_helper(self, cards: PackText, game: BotGame) -> ForecastHelper:
        return ForecastHelper(cards.pack(), box_of(game), f"{random.random()}", self._playouts)

    def _listen(self, snapshot: Snapshot) -> None:
        found = self.helper.estimate() if self.helper is not None else None
        if found is None or self._asked is None:
            return
        newest, is_last = found
        key, self._deaths = self._asked, 0
        self._owed.pop(key, None)
        if is_last:
            self._asked, self._done = None, key
        estimate: EstimateJson = {"playouts": newest["playouts"], "chances": newest["chances"]}
        self._keep(key, estimate)
        if key == key_of(snapshot):
            self._session.put(Foreseen(*key, estimate))

    def _keep(self, key: Key, estimate: EstimateJson) -> None:
        game, version, number = key
        if game == self._of and self._firsts.get(number) == key:
            known = {one: kept for one, kept in read(self._folder, game).items() if one in self._firsts}
            write(self._folder, game, {**known, number: {"version": version, **estimate}})

    def _look_after_the_helper(self) -> None:
        if self.helper is None or self.helper.is_alive():
            return
        self._dismiss()
        self._deaths += 1
        if self._deaths >= DEATHS:
            self._fence.put(DeviceChanged(DEVICE, "failing", FAILING))

    def _forget(self) -> None:
        self._dismiss()
        self._owed.clear()
        self._of, self._done, self._moved = "", None, None
        if self._deaths:
            self._deaths = 0
            self._fence.put(DeviceChanged(DEVICE, "ok"))

    def _dismiss(self) -> None:
        super()._dismiss()
        self._asked = None


def key_of(snapshot: Snapshot) -> Key:
    return str(snapshot.state["id"]), snapshot.version, int(snapshot.state["round"])
