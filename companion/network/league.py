"""The league: what every table at one broker is doing now, and the standings of the evening."""

from __future__ import annotations

import re
import secrets
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day
from typing import TYPE_CHECKING, Final, cast

from companion.network import broker_settings, parsing
from companion.network.link import BackOff, Link, OnceLog, on_stderr
from companion.network.parsing import GarbageError
from companion.table.ports import as_json
from companion.table.session.snapshots import Snapshot, Snapshots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.network.broker_settings import Broker
    from companion.table.league_picture import (
        BrokerJson,
        FinalScore,
        Finished,
        FinishedThere,
        LeaguePicture,
        LeagueTableJson,
        StandingJson,
        StateInShort,
    )
    from companion.table.session.state_view import SnapshotState


BREAK_OF_DAY: Final = time_of_day(5)
"""An evening ends when nobody plays any more, not at midnight."""


def evening_start(now: datetime) -> datetime:
    """Return the last five o'clock in the morning, local time."""
    today = datetime.combine(now.date(), BREAK_OF_DAY, now.tzinfo)
    return today if now >= today else today - timedelta(days=1)


@dataclass(slots=True)
class LeagueStanding:
    """One person's games of the evening."""

    name: str
    table: str
    colour: str
    rank: int = 0
    games: int = 0
    wins: int = 0
    happiness: int = 0
    cubes: int = 0
    dwellers: int = 0
    items: int = 0

    @property
    def measure(self) -> tuple[int, ...]:
        """What they are ranked by: wins, then what breaks a tie in the game itself."""
        return (self.wins, self.happiness, self.cubes, self.dwellers, self.items)

    def add(self, score: FinalScore) -> None:
        self.games += 1
        self.wins += score["won"]
        self.happiness += score["happiness"]
        self.cubes += score["cubes"]
        self.dwellers += score["dwellers"]
        self.items += score["items"]

    def as_json(self) -> StandingJson:
        return {
            "rank": self.rank,
            "name": self.name,
            "table": self.table,
            "colour": self.colour,
            "games": self.games,
            "wins": self.wins,
            "happiness": self.happiness,
            "cubes": self.cubes,
            "dwellers": self.dwellers,
            "items": self.items,
        }


def standings(results: Iterable[FinishedThere]) -> list[StandingJson]:
    """Return a line for everybody who has finished a game: a typed name counts at every table, a colour at its own."""
    people: dict[tuple[str, str], LeagueStanding] = {}
    for result in results:
        for colour, score in result["players"].items():
            named = score["name"] != colour.capitalize() and bool(score["name"])
            key = ("", score["name"].casefold()) if named else (result["table"], colour)
            found = people.setdefault(key, LeagueStanding(score["name"] if named else "", result["table"], colour))
            found.table = found.table if found.table == result["table"] else ""
            found.colour = found.colour if found.colour == colour else ""
            found.add(score)
    return [one.as_json() for one in _ranked(list(people.values()))]


def _ranked(people: Sequence[LeagueStanding]) -> list[LeagueStanding]:
    """Sort and rank; people who are equal in everything share a rank."""
    order = sorted(people, key=lambda one: (*(-number for number in one.measure), one.name.casefold(), one.table))
    for place, one in enumerate(order, 1):
        before = order[place - 2] if place > 1 else None
        one.rank = before.rank if before is not None and before.measure == one.measure else place
    return order


MOST_TABLES: Final = 1000
MOST_COMPLAINTS: Final = 100
HEARD: Final = (broker_settings.STATE, broker_settings.AVAILABILITY, broker_settings.RESULTS)


def local_now() -> datetime:
    return datetime.now(UTC).astimezone()


@dataclass(slots=True)
class LeagueTable:
    """What is known of one table."""

    name: str
    online: bool = False
    state: StateInShort | None = None
    results: list[Finished] = field(default_factory=list)
    changed: int = 0
    _shown: LeagueTableJson | None = None

    def as_json(self) -> LeagueTableJson:
        """Return the table for the page; snapshots share it until the table changes."""
        if self._shown is None or self._shown["changed"] != self.changed:
            self._shown = {"name": self.name, "online": self.online, "changed": self.changed, "state": self.state}
        return self._shown


@dataclass(frozen=True, slots=True)
class Evening:
    """The games that count, since when, and as of which snapshot."""

    since: datetime
    standings: list[StandingJson] = field(default_factory=list)
    results: list[FinishedThere] = field(default_factory=list)
    earlier: int = 0
    seq: int = 0


class League:
    """Listens from `start` to `stop`; what it knows is in the snapshots."""

    def __init__(
        self,
        broker: Broker,
        *,
        say: Callable[[str], None] = on_stderr,
        since: datetime | None = None,
        clock: Callable[[], datetime] = local_now,
        pauses: BackOff | None = None,
    ) -> None:
        self.snapshots = Snapshots()
        self._trouble = OnceLog(say)
        self._pauses = pauses or BackOff()
        self._up_since = 0.0
        self._since = since
        self._clock = clock
        self._broker: BrokerJson = {"online": False, "hint": ""}
        self._tables: dict[str, LeagueTable] = {}
        self._complaints: dict[str, str] = {}
        self._evening = Evening(since or evening_start(clock()))
        self._recount = True
        # Later than any number of an earlier league, so that a page that was open then takes up this one.
        self._seq = time.time_ns() // 1_000_000
        name = f"companion-league-{secrets.token_hex(4)}"
        heard = [f"{broker_settings.ROOT}/+/{what}" for what in HEARD]
        self._link = Link(broker, name, self, heard, pauses=self._pauses)
        self._publish()

    def start(self) -> None:
        self._link.start()

    def stop(self) -> None:
        self._link.stop()
        self.snapshots.close()

    # --- what the link tells, in its thread ---------------------------------------------------------------------------

    def up(self, largest: int | None) -> None:
        """Take in that the broker is there; it says next which tables are."""
        del largest
        for table in self._tables.values():
            if table.online:
                table.online, table.changed = False, self._seq + 1
        self._broker, self._up_since = {"online": True, "hint": ""}, time.monotonic()
        self._publish()

    def down(self, hint: str) -> None:
        """Take in that the broker is away: what is shown is how it was."""
        if self._broker["online"] and time.monotonic() - self._up_since >= self._pauses.lasting:
            self._trouble.settled("link")
        self._trouble.say("link", hint)
        self._broker = {"online": False, **as_json(hint)}
        self._publish()

    def acknowledged(self, number: int, refusal: str | None) -> None:
        """Ignore acknowledgements: a league publishes nothing."""

    def heard(self, topic: str, payload: bytes, *, retained: bool, data: bytes) -> None:
        del retained, data
        try:
            self._take(topic, payload)
        except GarbageError as error:
            self._complain(topic, str(error))
        else:
            self._complaints.pop(topic, None)
        self._publish()

    def _take(self, topic: str, payload: bytes) -> None:
        found = broker_settings.table_of(topic)
        if found is None:
            raise GarbageError("no table is called that")
        name, what = found
        table = self._tables.get(name) or LeagueTable(name)
        if name not in self._tables and len(self._tables) >= MOST_TABLES:
            raise GarbageError(f"{MOST_TABLES} tables are known already")
        if what == broker_settings.STATE:
            table.state = parsing.state_in_short(payload) if payload else None
        elif what == broker_settings.RESULTS:
            table.results = parsing.results(payload) if payload else []
            self._recount = True
        elif payload not in (b"online", b"offline", b""):
            raise GarbageError("it is neither online nor offline")
        else:
            table.online = payload == b"online"
        table.changed = self._seq + 1
        self._tables[name] = table
        if table.state is None and not table.results and not table.online:
            del self._tables[name]

    def _complain(self, topic: str, why: str) -> None:
        """Report a topic once, until it makes sense again; and not without end."""
        topic = topic[:100]
        if topic in self._complaints or len(self._complaints) >= MOST_COMPLAINTS:
            return
        self._complaints[topic] = why
        self._trouble.say(topic, f"{topic!r} is left alone: {why}")
        if len(self._complaints) == MOST_COMPLAINTS:
            self._trouble.say("all", f"{MOST_COMPLAINTS} topics are not understood; no more of them are named")

    # --- what it knows ------------------------------------------------------------------------------------------------

    def _publish(self) -> None:
        self._seq += 1
        self._count(self._since or evening_start(self._clock()))
        picture: LeaguePicture = {
            "seq": self._seq,
            "since": self._evening.since.isoformat(timespec="minutes"),
            "broker": self._broker,
            "tables": [self._tables[name].as_json() for name in sorted(self._tables, key=_in_order)],
            "standings": self._evening.standings,
            "results": self._evening.results,
            "earlier": self._evening.earlier,
            "counted": self._evening.seq,
            "faults": [f"{topic}: {why}" for topic, why in list(self._complaints.items())[:5]],
        }
        self.snapshots.publish(Snapshot(self._seq, self._seq, cast("SnapshotState", picture)))

    def _count(self, since: datetime) -> None:
        """Count the evening anew, where a table has sent results or another evening has begun."""
        if not self._recount and since == self._evening.since:
            return
        self._recount = False
        played: list[FinishedThere] = [
            {"table": table.name, **result} for table in self._tables.values() for result in table.results
        ]
        counted = [result for result in played if datetime.fromisoformat(result["ended"]) >= since]
        counted.sort(key=lambda result: (result["ended"], result["table"]))
        self._evening = Evening(since, standings(counted), counted, len(played) - len(counted), self._seq)


def _in_order(name: str) -> list[tuple[int, str]]:
    """Return a sort key by which table 2 stands before table 10, however long the number in a name is."""
    parts = [part.lstrip("0") if part.isdecimal() else part for part in re.split(r"([0-9]+)", name)]
    return [(len(part) if part.isdecimal() else 0, part.casefold()) for part in parts]
