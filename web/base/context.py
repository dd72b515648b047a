"""What the routes share: the session, who may act, the record, and the streams."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Final

from companion.table.ports import Nobody
from companion.table.session.intents import AddNumber, AskCards, AskLegal, Offer, SeatBot, Tap
from web.base.limits import Limiter, Pace
from web.base.past_games import Stories
from web.base.streams import Films

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.cards.loader import PackText
    from companion.table.ports import (
        Calibrator,
        CameraPicker,
        Doctor,
        Machine,
        PanelCheck,
        PhoneEye,
        Playground,
        Reviewer,
        Secure,
        Sight,
    )
    from companion.table.session.intents import Answer, Intent
    from companion.table.session.session import Session
    from companion.table.session.snapshots import Snapshot
    from web.base.access import Access
    from web.base.stage import Stage
    from web.base.streams import Streams

PATIENCE: Final = 10.0
"""So long a phone waits for the session, which answers in milliseconds."""
EXTENSION: Final = "companion"


@dataclass
class Context:
    """Everything that a route may need."""

    session: Session
    folder: Path
    access: Access
    streams: Streams
    stage: Stage
    """What all pages show at the same moment."""
    address: Callable[[], str] = lambda: ""
    """The address that phones should use now, where it is known."""
    sight: Sight = field(default_factory=Nobody)
    """What the camera shows."""
    calibrator: Calibrator | None = None
    cameras: CameraPicker | None = None
    phone_eye: PhoneEye | None = None
    machine: Machine | None = None
    panel_check: PanelCheck | None = None
    playground: Playground | None = None
    """A drawn table to play on, in the demo."""
    doctor: Doctor | None = None
    reviewer: Reviewer | None = None
    """What looks at finished games."""
    secure: Secure | None = None
    films: Films = field(default_factory=Films)
    clock: Callable[[], float] = time.monotonic
    today: Callable[[], date] = date.today
    """Whose week it is; by the table's own time."""
    pins: Limiter = field(init=False)
    """Wrong tries of the host's PIN."""
    codes: Limiter = field(init=False)
    """Wrong tries of the codes of seats."""
    pace: Pace = field(init=False)
    stories: Stories = field(init=False)
    _pack: tuple[Snapshot | None, PackText | None] = field(init=False, default=(None, None))

    def __post_init__(self) -> None:
        self.pins, self.codes = Limiter(self.clock), Limiter(self.clock)
        self.pace = Pace(self.clock)
        self.stories = Stories(self.folder)

    @property
    def latest(self) -> Snapshot:
        snapshot = self.session.snapshots.latest
        if snapshot is None:
            raise AssertionError("a session that has started has a snapshot")
        return snapshot

    def do(self, intent: Intent) -> Answer:
        """Hand an intent to the session and wait until it is on the disk."""
        if isinstance(intent, Tap | SeatBot | AddNumber) and not intent.speaker.host:
            self.pace.spend(intent.speaker.name, intent.move if isinstance(intent, Tap) else None)
        return self.session.ask(intent).result(PATIENCE)

    def pack(self) -> PackText | None:
        """Return the pack in play.

        The session is asked once a snapshot: a page needs it half a dozen times, and each answer waits for a thread.
        """
        latest = self.latest
        if self._pack[0] is not latest:
            self._pack = latest, self.session.question(AskCards()).result(PATIENCE)
        return self._pack[1]

    def legal(self, by: str | None, eyes: frozenset[str] = frozenset()) -> list[Offer]:
        """Return the legal moves now; those that tell of a hand only for the eyes of its seat."""
        return self.session.question(AskLegal(by, eyes)).result(PATIENCE)
