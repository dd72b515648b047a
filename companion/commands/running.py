"""`companion run`: opens the record, starts the session and serves the pages."""

from __future__ import annotations

import ipaddress
import os
import signal
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import click
import segno

from companion.table.damage import RecordError
from companion.table.folder import VARIABLE, data_folder
from companion.table.record import Record
from companion.table.session import Session
from web.access import new_pin
from web.app import create_app
from web.serving import bound, server_of

if TYPE_CHECKING:
    from pathlib import Path
    from types import FrameType

PORT = 8000


@click.command()
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), help="0 takes any free one.")
@click.option("--data", metavar="FOLDER", help=f"Where the record is; otherwise ${VARIABLE}, or the XDG data folder.")
@click.option("--token", help="A bearer token that acts for the host, for scripts and tests.")
@click.option("--name", default="", help="The name of this machine in the home network; otherwise its own.")
def run(port: int, data: str | None, token: str | None, name: str) -> None:
    """Run the table: the session and the pages. Panel and camera are off."""
    folder = data_folder(data, os.environ)
    try:
        with Record(folder) as record:
            _serve(record, folder, port, token, name or socket.gethostname())
    except RecordError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename or f'port {port}'}: {error.strerror or error}") from error


def _serve(record: Record, folder: Path, port: int, token: str | None, name: str) -> None:
    with bound(port) as listening:
        session, pin = Session(record), new_pin()
        at = f"http://{own_address()}:{listening.getsockname()[1]}"
        hosts = {name, f"{name}.local", socket.gethostname()}
        session.start()
        try:
            app = create_app(session, folder, pin=pin, token=token, address=at, hosts=hosts)
            server = server_of(app, listening)
            signal.signal(signal.SIGTERM, _interrupt)
            threading.Thread(target=_end_behind, args=(session,), daemon=True, name="end").start()
            with suppress(KeyboardInterrupt):
                _greet(at, pin, folder)
                server.run()
        finally:
            session.stop()
    if session.failure is not None:
        raise SystemExit(1)


def _end_behind(session: Session) -> None:
    """Without its session a page would only show what was: end, and be started again."""
    session.wait()
    if session.failure is not None:
        os.kill(os.getpid(), signal.SIGTERM)


def _interrupt(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the shape of a handler
    raise KeyboardInterrupt


def own_address() -> str:
    """The address in the home network by which phones reach this machine; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        found = str(probe.getsockname()[0])
    return found if not ipaddress.ip_address(found).is_unspecified else "127.0.0.1"


def _greet(at: str, pin: str, folder: Path) -> None:
    click.echo(f"The table is at {at} (big screen: {at}/table)")
    click.echo(f"The host's PIN is {pin} ({at}/host)")
    click.echo(f"The record is in {folder}; camera and panel are off.")
    segno.make(at, error="m", micro=False).terminal(compact=True)
