"""The application: routes and what they share, put together."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zlib import crc32

from flask import Flask

from companion.table.ports import Nobody
from web.base import errors, guard, templating
from web.base.access import Access, session_key
from web.base.context import EXTENSION, House
from web.base.preferences import Remembering
from web.base.streams import MOST, Streams
from web.games.wasteland import lazy_routes
from web.pages.api import routes as api
from web.pages.bots import routes as bots
from web.pages.calibrate import camera
from web.pages.calibrate import routes as calibrate
from web.pages.cards import routes as cards
from web.pages.correct import routes as correcting
from web.pages.demo import routes as demo
from web.pages.doctor import examining
from web.pages.doctor import routes as health
from web.pages.history import routes as history
from web.pages.host import keeping_routes
from web.pages.host import routes as host
from web.pages.play import phone_routes
from web.pages.play import routes as pages
from web.pages.rules import routes as rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.table.ports import Calibrator, Doctor, Playground, Sight
    from companion.table.session.session import Session


ROOMS: Final = (
    *(api, bots, calibrate, camera, cards, correcting, demo, examining),
    *(health, history, host, keeping_routes, pages, phone_routes, rules, lazy_routes),
)
SETTINGS: Final = {
    "SESSION_COOKIE_NAME": "companion",
    "SEND_FILE_MAX_AGE_DEFAULT": 3600,
}


def create_app(  # noqa: PLR0913 - what a house is made of, all named
    session: Session,
    folder: Path,
    *,
    pin: str | None = None,
    token: str | None = None,
    address: Callable[[], str] = lambda: "",
    hosts: Iterable[str] = (),
    sight: Sight | None = None,
    calibrator: Calibrator | None = None,
    playground: Playground | None = None,
    doctor: Doctor | None = None,
    most_streams: int = MOST,
    clock: Callable[[], float] = time.monotonic,
) -> Flask:
    """The pages of a session that has been started; `folder` keeps key, PIN and seats."""
    app = Flask("web", static_folder="static", template_folder="templates")
    app.config.update(SETTINGS)
    app.session_interface = Remembering(session_key(folder))
    templating.install(app.jinja_env)
    app.extensions[EXTENSION] = House(
        session=session,
        folder=folder,
        access=Access(folder, pin, token),
        streams=Streams(session.snapshots, most_streams),
        address=address,
        sight=sight or Nobody(),
        calibrator=calibrator,
        playground=playground,
        doctor=doctor,
        clock=clock,
    )
    version = _static_version(Path(str(app.static_folder)))
    app.url_defaults(lambda endpoint, values: values.setdefault("v", version) if endpoint == "static" else None)
    guard.install(app, frozenset(name.lower() for name in hosts))
    errors.install(app)
    for room in ROOMS:
        app.register_blueprint(room.blueprint)
    app.register_blueprint(lazy_routes.cards)
    return app


def _static_version(folder: Path) -> str:
    """In the address of every file that phones keep for an hour: after an update they fetch the new ones."""
    told = sorted((file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in os.scandir(folder))
    return f"{crc32(repr(told).encode()):08x}"
