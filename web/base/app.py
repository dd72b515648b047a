"""The application: routes and what they share, put together."""

from __future__ import annotations

import pkgutil
import time
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from flask import Flask

import web.games
import web.pages
from companion.games.api import COLOURS
from companion.languages import catalogues
from companion.table.ports import Nobody
from web.base import errors, guard, templating
from web.base.access import Access, session_key
from web.base.context import EXTENSION, Context
from web.base.preferences import Remembering, words
from web.base.request import context, current, plays, speaker
from web.base.stage import Stage
from web.base.streams import MOST, Streams

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from types import ModuleType

    from flask import Blueprint

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
    from companion.table.session.session import Session
    from web.games.port import Door


SETTINGS: Final = {
    "SESSION_COOKIE_NAME": "companion",
    "SEND_FILE_MAX_AGE_DEFAULT": 3600,
}


BANNERS: Final = {"strain": "power", "network": "wifi", "namesake": "name"}
"""What stands on every page while it has something to say, and the device that says it."""


def create_app(  # noqa: PLR0913 - what the pages are made of, all named
    session: Session,
    folder: Path,
    *,
    pin: str | None = None,
    token: str | None = None,
    address: Callable[[], str] = lambda: "",
    hosts: Iterable[str] = (),
    sight: Sight | None = None,
    calibrator: Calibrator | None = None,
    cameras: CameraPicker | None = None,
    phone_eye: PhoneEye | None = None,
    machine: Machine | None = None,
    panel_check: PanelCheck | None = None,
    playground: Playground | None = None,
    doctor: Doctor | None = None,
    reviewer: Reviewer | None = None,
    secure: Secure | None = None,
    most_streams: int = MOST,
    pace: float = 1.0,
    clock: Callable[[], float] = time.monotonic,
) -> Flask:
    """Return the pages of a session that has been started; `folder` holds key, PIN and seats.

    `pace` stretches the scenes that all pages show together; with 0 there are none.
    """
    app = Flask("web", static_folder=None)
    app.config.update(SETTINGS)
    app.session_interface = Remembering(session_key(folder))
    templating.install(app)
    app.context_processor(common)
    stage = Stage(session.snapshots, pace)
    app.extensions[EXTENSION] = Context(
        session=session,
        folder=folder,
        access=Access(folder, pin, token),
        streams=Streams(session.snapshots, most_streams, stage=stage),
        stage=stage,
        address=address,
        sight=sight or Nobody(),
        calibrator=calibrator,
        cameras=cameras,
        phone_eye=phone_eye,
        machine=machine,
        panel_check=panel_check,
        playground=playground,
        doctor=doctor,
        reviewer=reviewer,
        secure=secure,
        clock=clock,
    )
    guard.install(app, frozenset(name.lower() for name in hosts))
    errors.install(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    return app


def common() -> dict[str, object]:
    return {
        "w": words(),
        "me": speaker(),
        "plays": plays(),
        "doors": DOORS,
        "drawn_table": context().playground is not None,
        "seq": current().seq,
        "table": current().state["table"],
        "banners": {name: current().state["devices"].get(device) for name, device in BANNERS.items()},
        "languages": catalogues.names(),
        "COLOURS": COLOURS,
    }


def features() -> Iterator[ModuleType]:
    """Yield what has the routes of every folder of web/pages and web/games: its `routes`, or the folder itself."""
    for package in (web.pages, web.games):
        for one in pkgutil.iter_modules(package.__path__):
            name = f"{package.__name__}.{one.name}"
            if one.ispkg:
                feature = import_module(f"{name}.routes" if find_spec(f"{name}.routes") else name)
                if hasattr(feature, "blueprint"):
                    yield feature


FEATURES: Final = tuple(features())
"""Found when the module is loaded: no first page waits for them."""
BLUEPRINTS: Final[tuple[Blueprint, ...]] = tuple(one.blueprint for one in FEATURES)
DOORS: Final[tuple[Door, ...]] = tuple(
    sorted((one.door for one in FEATURES if hasattr(one, "door")), key=lambda door: door.place)
)
"""Where every page leads to, for those that say so."""
