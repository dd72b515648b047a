"""What a route asks of its request: the session's context, the snapshot, who speaks, and what was posted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from flask import Response, current_app, g, make_response, redirect, render_template, request, url_for
from flask import session as cookie
from flask.globals import request_ctx
from werkzeug.exceptions import UnsupportedMediaType

from companion.games.api import COLOURS
from companion.refusal import Refusal
from companion.table.outside import read_object
from companion.table.session.intents import HOST, Speaker
from web.base.context import EXTENSION, Context
from web.base.preferences import words
from web.base.stage import OVER
from web.games.port import Moment, Reader, pages_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flask.typing import ResponseReturnValue

    from companion.table.session.intents import StartGame
    from companion.table.session.snapshots import Snapshot
    from web.base.streams import Stream
    from web.games.port import GamePages, Head


LONGEST_PATH: Final = 2000


def context() -> Context:
    found = current_app.extensions[EXTENSION]
    if not isinstance(found, Context):
        raise TypeError(found)
    return found


def current() -> Snapshot:
    """The snapshot that this answer is about: one from its first line to its last, whatever happens meanwhile."""
    if "snapshot" not in g:
        g.snapshot = context().latest
    found: Snapshot = g.snapshot
    return found


def reader(snapshot: Snapshot | None = None) -> Reader:
    """Return who asks, and the snapshot that the answer is about."""
    return Reader(words(), snapshot or current(), speaker(), context())


def watching() -> Reader:
    """Return who asks, with the scene that is shown to everybody now, or in which they are asked something."""
    found, stage = reader(), context().stage
    shown, asked = stage.showing(), stage.asked_of(found.who.seats)
    if asked is not None and (shown is None or shown.scene.group != asked.group):
        return replace(found, scene=asked)
    return found if shown is None else replace(found, scene=shown.scene, step=shown.step)


def moment(found: Reader, me: str = "", *, big: bool = False) -> Moment | None:
    """Return what is shown to everybody now, as this reader sees it; `me` is the colour whose own page it is."""
    own, may_act = plays(), bool(found.who.seats or found.who.host)
    scene = found.scene
    if scene is None:
        page = own.ending(found, me) if found.state["phase"] == OVER else None
        return page and Moment(
            OVER, f"{OVER}-{found.state['id']}", 0, page.template, page.fields, may_act=may_act, big=big
        )
    page = own.moment(found, scene, me)
    is_own = bool(scene.asks) and scene.asks in found.who.seats
    return Moment(scene.kind, scene.key, found.step, page.template, page.fields, may_act, is_own, big)


def plays() -> GamePages:
    return pages_of(str(current().state["game"]))


def head() -> Head:
    return plays().head(words(), current().state)


def bearer() -> str | None:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def at_a_table() -> bool:
    """Whether there is a table whose state and cards have words; a league has none of its own."""
    return isinstance(current_app.extensions.get(EXTENSION), Context)


def is_page() -> bool:
    """Whether a browser shows the answer as a page; what the pages' script asks for is data.

    Behind a host that is no name at all (Flask has no adapter for it) no page could say where its style is.
    """
    if request_ctx.url_adapter is None:
        return False
    return at_a_table() and "text/html" in request.accept_mimetypes.values() and bearer() is None


def speaker() -> Speaker:
    """Return who is speaking; looking needs nobody."""
    token = bearer()
    if token is None:
        return context().access.speaker(cookie)
    if not context().access.is_token(token):
        raise Refusal("wrong_token", None, "This token is not known here.")
    return HOST


def acting() -> Speaker:
    """Return who is acting: a seat, the host or a script; or refuse."""
    found = speaker()
    if not found.seats and not found.host:
        raise Refusal("no_seat", None, "To act, take a seat first: the codes are on the big screen.")
    return found


def with_number(game: StartGame, raw: Mapping[str, object]) -> StartGame:
    """Return a new game with the number that the phone which begins it adds to its chance."""
    return replace(game, number=raw.get("number"), promise=raw.get("promise") or None)


def the_host() -> Speaker:
    """Return the host, or refuse."""
    found = speaker()
    if not found.host:
        code = "host_only" if found.seats else "no_host"
        raise Refusal(code, None, "This is the host's: the PIN is asked for on the host page.")
    return found


def let_in(pin: object) -> None:
    """Make this phone the host's, or refuse a PIN that is not the one."""
    if not isinstance(pin, str):
        raise Refusal("malformed", None, "pin is not a text.", field="pin")
    if not context().pins.judge(who_tries(), lambda: context().access.locks.is_pin(pin)):
        raise Refusal("wrong_pin", None, "That is not the host's PIN.")
    cookie["host"] = context().access.locks.mark


def who_tries() -> str:
    """Return whose wrong tries are counted: those of a phone that was let in are its own, not its address's."""
    return context().access.speaker(cookie).name or str(request.remote_addr)


def known_colour(colour: str) -> str:
    """Return a colour of the game, or refuse."""
    if colour not in COLOURS:
        raise Refusal("no_such_seat", None, f"There is no seat {colour[:60]!r}.", seat=colour[:60])
    return colour


def payload() -> dict[str, Any]:
    """Return what was posted: a JSON object or a form."""
    if request.mimetype in ("application/x-www-form-urlencoded", "multipart/form-data"):
        return dict(request.form.items())
    if not request.is_json:
        raise UnsupportedMediaType
    return read_object(request.get_data(), "body")


def is_form() -> bool:
    return request.mimetype == "application/x-www-form-urlencoded"


def inside(path: str) -> str:
    """Return a path of ours; anything else becomes the first page, as what a header cannot hold does.

    A browser drops tabs and line breaks and takes a backslash for a slash, and somebody on the way may decode the path.
    """
    is_ours = len(path) <= LONGEST_PATH and all(map(_is_plain_path, (path, unquote(path))))
    return path if is_ours else "/"


def _is_plain_path(path: str) -> bool:
    return path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()


_LARGEST_FILES: Final[dict[object, tuple[int, Callable[[], bool]]]] = {}


def takes_file(
    view: Callable[..., ResponseReturnValue], most: int, may: Callable[[], bool] = lambda: speaker().host
) -> None:
    """Let the host, or who else may, send a file of so many bytes to a view; everywhere else a body is small."""
    _LARGEST_FILES[view] = most, may


def largest_file() -> int:
    """Return how large a file the view that was asked for takes, 0 for none."""
    return _taken()[0]


def may_send_file() -> bool:
    """Return whether who asks may send it."""
    return _taken()[1]()


def _taken() -> tuple[int, Callable[[], bool]]:
    return _LARGEST_FILES.get(current_app.view_functions.get(request.endpoint or ""), (0, lambda: False))


def event_stream(stream: Stream) -> Response:
    """Return the answer that stays open; the server gets it as it is, and no thread waits with it."""
    headers = {"X-Accel-Buffering": "no"}
    return Response(stream, mimetype="text/event-stream", headers=headers, direct_passthrough=True)


def opened(template: str, code: int = 200, **shown: Any) -> Response:
    """Render a page of the host's; others are led to the PIN."""
    if not speaker().host:
        return make_response(redirect(url_for("host.page"), 303))
    return make_response(render_template(template, head=head(), **shown), code)
