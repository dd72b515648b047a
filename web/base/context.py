"""What the routes share: the session, who may act, the cards in play, and the streams."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from flask import current_app, g, request
from flask import session as cookie
from werkzeug.exceptions import UnsupportedMediaType

from companion.games.shelter.words import COLOURS
from companion.refusal import Refusal
from companion.table.outside import read_object
from companion.table.ports import Nobody
from companion.table.session.intents import HOST, AskCards, AskLegal, Offer, Speaker
from web.base.access import Limiter
from web.base.films import Films
from web.base.past_games import Stories
from web.pages.cards.view import Cards, cards_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.table.ports import Calibrator, Doctor, Playground, Sight
    from companion.table.session.intents import Answer, Intent
    from companion.table.session.session import Session
    from companion.table.session.snapshots import Snapshot
    from web.base.access import Access
    from web.base.streams import Streams
    from web.games.wasteland.own_packs import Packs

PATIENCE: Final = 10.0
"""So long a phone waits for the session, which answers in milliseconds."""
EXTENSION: Final = "companion"


@dataclass
class House:
    """Everything that a route may need."""

    session: Session
    folder: Path
    access: Access
    streams: Streams
    address: Callable[[], str] = lambda: ""
    """The address that phones should use now, where it is known."""
    sight: Sight = field(default_factory=Nobody)
    """What the camera shows."""
    calibrator: Calibrator | None = None
    playground: Playground | None = None
    """A drawn table to play on, in the demo."""
    doctor: Doctor | None = None
    films: Films = field(default_factory=Films)
    clock: Callable[[], float] = time.monotonic
    limiter: Limiter = field(init=False)
    stories: Stories = field(init=False)

    def __post_init__(self) -> None:
        self.limiter = Limiter(self.clock)
        self.stories = Stories(self.folder)

    @property
    def latest(self) -> Snapshot:
        """The newest snapshot."""
        snapshot = self.session.snapshots.latest
        if snapshot is None:
            raise AssertionError("a session that has started has a snapshot")
        return snapshot

    def do(self, intent: Intent) -> Answer:
        """Hand something over and wait until it is on the disk."""
        return self.session.ask(intent).result(PATIENCE)

    def legal(self, by: str | None, eyes: frozenset[str] = frozenset()) -> list[Offer]:
        """The legal moves now; those that tell of a hand only for the eyes of its seat."""
        return self.session.question(AskLegal(by, eyes)).result(PATIENCE)

    def cards(self) -> Cards:
        """The cards in play; those of our standard pack before the first game, and beside the second one."""
        text = self.session.question(AskCards()).result(PATIENCE)
        return cards_of(text if text is not None and "rooms.toml" in dict(text.files) else None)

    def wasteland_packs(self) -> Packs:
        """The packs of the second game."""
        from web.games.wasteland.own_packs import Packs  # noqa: PLC0415 - loaded when somebody plays the second game

        return Packs(self.folder)


def house() -> House:
    """The house of the current application."""
    found = current_app.extensions[EXTENSION]
    if not isinstance(found, House):
        raise TypeError(found)
    return found


def current() -> Snapshot:
    """The snapshot that this answer is about: one from its first line to its last, whatever happens meanwhile."""
    if "snapshot" not in g:
        g.snapshot = house().latest
    found: Snapshot = g.snapshot
    return found


def recent() -> list[Snapshot]:
    """The snapshots of the current game in which something happened, oldest first."""
    game = current().state["id"]
    remembered = house().session.snapshots.all_newer_than(0, 0)
    return [one for one in remembered if one.events and one.state["id"] == game]


def bearer() -> str | None:
    """The token of a script, if there is one."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def speaker() -> Speaker:
    """Who is speaking; looking needs nobody."""
    token = bearer()
    if token is None:
        return house().access.speaker(cookie)
    if not house().access.is_token(token):
        raise Refusal("wrong_token", None, "This token is not known here.")
    return HOST


def acting() -> Speaker:
    """Who is acting: a seat, the host or a script."""
    found = speaker()
    if not found.seats and not found.host:
        raise Refusal("no_seat", None, "To act, take a seat first: the codes are on the big screen.")
    return found


def the_host() -> Speaker:
    """The host, or a refusal."""
    found = speaker()
    if not found.host:
        code = "host_only" if found.seats else "no_host"
        raise Refusal(code, None, "This is the host's: the PIN is asked for on the host page.")
    return found


def known_colour(colour: str) -> str:
    """A colour of the game, or a refusal."""
    if colour not in COLOURS:
        raise Refusal("no_such_seat", None, f"There is no seat {colour[:60]!r}.", seat=colour[:60])
    return colour


def payload() -> dict[str, Any]:
    """What was posted: a JSON object or a form."""
    if request.mimetype in ("application/x-www-form-urlencoded", "multipart/form-data"):
        return dict(request.form.items())
    if not request.is_json:
        raise UnsupportedMediaType
    return read_object(request.get_data(), "body")


def is_form() -> bool:
    """Whether a page without its script has posted."""
    return request.mimetype == "application/x-www-form-urlencoded"
