"""Some tables of a hall, each with its own session, record and publisher: they play until somebody says stop.

usage: tables.py PORT FIRST COUNT PACE FOLDER    (PACE: moves a second, of all of them together)

They begin to play at a line on stdin and stop at the next; then they say on stdout when each state was published, which
games were finished, and how much memory they took. They leave when stdin ends.
"""

from __future__ import annotations

import json
import random
import sys
import threading
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from companion.network.broker_settings import Broker, Mqtt
from companion.network.publisher import Publisher
from companion.table.record.record import Record
from companion.table.session.intents import AskLegal, StartGame, Tap
from companion.table.session.session import Session

if TYPE_CHECKING:
    from companion.table.session.snapshots import Snapshot

FOUR = ["red", "blue", "green", "yellow"]
SHORT = 3
"""The round that is made the last one, so that games end while somebody looks on."""


class Clock:
    """A lamp that notes when a state was published: the session lights it at once."""

    def __init__(self) -> None:
        self.published: dict[int, float] = {}

    def show(self, snapshot: Snapshot) -> None:
        """Note the time."""
        self.published[snapshot.seq] = perf_counter()


class Seats:
    """One table and the people at it."""

    def __init__(self, port: int, number: int, folder: Path) -> None:
        self.name = f"Table {number}"
        self.clock = Clock()
        self.finished: list[str] = []
        self._choice = random.Random(number)
        self._record = Record(folder / self.name)
        self._session = Session(self._record, lamps=self.clock)
        self._session.start()
        self._publisher = Publisher(self._session, Mqtt(Broker("127.0.0.1", port), self.name))
        self._publisher.start()

    def move(self) -> None:
        """Whatever comes next: a game, a move, or that this round is the last."""
        latest = self._session.snapshots.latest
        state = latest.state if latest is not None else {}
        if state.get("phase") in (None, "none", "over"):
            names = {colour: f"{colour} of {self.name}" for colour in FOUR}
            intent: StartGame | Tap = StartGame({"players": FOUR, "names": names}, seed=str(self._choice.random()))
        elif state["round"] == SHORT and not state["last_round"]:
            intent = Tap({"do": "correct", "set": {"last_round": True}})
        else:
            offers = self._session.question(AskLegal()).result()
            intent = Tap(self._choice.choice([offer.move for offer in offers if offer.move["do"] != "use"]))
        self._session.ask(intent).result()
        after = self._session.snapshots.latest
        if after is not None and after.state["phase"] == "over":
            self.finished.append(after.state["id"])

    def close(self) -> None:
        """The evening is over."""
        self._publisher.close()
        self._session.stop()
        self._record.close()


def play(tables: list[Seats], pace: float, stop: threading.Event) -> None:
    """In turn, at the pace that was asked for or as fast as it goes."""
    began, moves = perf_counter(), 0
    while not stop.wait(max(0.0, began + moves / pace - perf_counter())):
        tables[moves % len(tables)].move()
        moves += 1


def memory(pid: int | str = "self") -> dict[str, float]:
    """Resident memory of a process now and at its most, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    found = dict(line.split(":", 1) for line in lines)
    return {name: int(found[key].split()[0]) / 1024 for name, key in (("now", "VmRSS"), ("most", "VmHWM"))}


def main() -> None:
    """Sit down, wait for the word, play, tell."""
    port, first, count, pace, folder = sys.argv[1:]
    tables = [Seats(int(port), int(first) + number, Path(folder)) for number in range(int(count))]
    stop = threading.Event()
    sys.stdin.readline()
    playing = threading.Thread(target=play, args=(tables, float(pace), stop))
    playing.start()
    sys.stdin.readline()
    stop.set()
    playing.join()
    told = {table.name: {"published": table.clock.published, "finished": table.finished} for table in tables}
    sys.stdout.write(json.dumps({"tables": told, "memory": memory()}) + "\n")
    sys.stdout.flush()
    sys.stdin.read()  # until everything has been seen: who says goodbye waits a few seconds for a broker, and no longer
    for table in tables:
        table.close()


if __name__ == "__main__":
    main()
