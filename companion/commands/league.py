"""`companion league` shows many tables at once; `companion find` lists those on this network."""

from __future__ import annotations

import ipaddress
import json
import os
import socket
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.app.network_services import own_address
from companion.network.broker_settings import SettingsError, broker, label

if TYPE_CHECKING:
    from companion.network.broker_settings import Broker

PORT = 8080
PASSWORD = "COMPANION_MQTT_PASSWORD"  # noqa: S105 - where a password is, not one
SECONDS = 3.0


@click.command()
@click.option("--mqtt", "url", required=True, metavar="URL", help="The broker: mqtt://HOST or mqtts://HOST:PORT.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), help="0 takes any free one.")
@click.option("--username", help="Our name at the broker.")
@click.option("--password-file", type=click.Path(path_type=Path), help=f"One line; or the variable {PASSWORD}.")
@click.option("--ca", type=click.Path(path_type=Path), help="The certificate that signs the broker's.")
@click.option(
    "--since", metavar="TIME", help="Count games from then on, as 2026-11-18T17:00; else from 5 in the morning."
)
def league(
    url: str, port: int, username: str | None, password_file: Path | None, ca: Path | None, since: str | None
) -> None:
    """Show all tables of a broker on one page, and how the evening stands."""
    began = _time(since)
    try:
        found = broker(url, username=username, password=os.environ.get(PASSWORD), password_file=password_file, ca=ca)
    except SettingsError as error:
        raise click.UsageError("; ".join(error.faults)) from error
    try:
        _serve(found, port, began)
    except OSError as error:
        raise click.ClickException(f"port {port}: {error.strerror or error}") from error


def _serve(found: Broker, port: int, began: datetime | None) -> None:
    from companion.network.league import League  # noqa: PLC0415 - `find` needs no pages, and `league` no mDNS
    from web.base.serving import bound, server_of, stop_on_signals  # noqa: PLC0415
    from web.league.app import create_app  # noqa: PLC0415

    with bound(port) as listening:
        name = socket.gethostname()
        shown = League(found, since=began)
        app = create_app(shown.snapshots, {name, f"{name}.local", label(name), f"{label(name)}.local"})
        server = server_of(app, listening)
        stop_on_signals(server, shown.snapshots.close)
        shown.start()
        try:
            click.echo(f"The league is at http://{own_address()}:{listening.getsockname()[1]} (broker: {found})")
            server.run()
        finally:
            shown.stop()


def _time(raw: str | None) -> datetime | None:
    """Parse a local time as people write it."""
    if raw is None:
        return None
    try:
        return datetime.fromisoformat(raw).astimezone()
    except (ValueError, OverflowError, OSError) as error:
        raise click.UsageError(f"--since: {raw!r} is no time like 2026-11-18T17:00.") from error


def addresses(_ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Return the IPv4 addresses of this machine, on which mDNS is asked."""
    for one in given:
        try:
            ipaddress.IPv4Address(one)
        except ValueError as error:
            raise click.BadParameter(f"{one!r} is no address such as 192.168.1.20.") from error
    return given


@click.command()
@click.option("--seconds", default=SECONDS, show_default=True, type=click.FloatRange(0.1, 60), help="How long to wait.")
@click.option(
    "--interface",
    "interfaces",
    multiple=True,
    metavar="ADDRESS",
    callback=addresses,
    help="Ask on this address alone.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def find(seconds: float, interfaces: tuple[str, ...], *, as_json: bool) -> None:
    """Find the tables on this network."""
    from companion.network.mdns import find as found_by_mdns  # noqa: PLC0415

    try:
        found = found_by_mdns(seconds, interfaces)
    except OSError as error:
        raise click.ClickException(f"the network cannot be asked: {error.strerror or error}") from error
    if as_json:
        click.echo(json.dumps([table.as_json() for table in found], ensure_ascii=False))
    for table in () if as_json else found:
        click.echo(f"{table.name}  {table.address}  {table.host}")
    if not found:
        click.echo("No table has answered. The QR code on a table's screen leads to it all the same.", err=True)
        raise SystemExit(1)
