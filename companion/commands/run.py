"""`companion run`: open the record, start the table and serve the pages."""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import click

from companion.app.config import PORT, Config, ConfigFaults, found
from companion.app.devices import devices_of
from companion.app.serving import serve
from companion.languages import catalogues
from companion.refusal import Refusal
from companion.table.record.backup import restore_asked
from companion.table.record.data_folder import VARIABLE, data_folder
from companion.table.record.entries import RecordError
from companion.table.record.record import Record
from hardware.panel.wiring import WiringFaults
from web.base.access import Locks, new_pin

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.devices import Devices
    from companion.app.serving import Served


IN_USE: Final = (
    "Port {port} is in use, perhaps by another companion: end that one, or take any free port with --port 0."
)


def valid_token(_ctx: click.Context, _option: click.Parameter, token: str | None) -> str | None:
    """Return a token that a header can carry; a variable that turned out empty is an error, not ignored."""
    if token is not None and (not token.isascii() or not token.isprintable() or token.split() != [token]):
        raise click.BadParameter("a token has letters, digits and signs without a space.")
    return token


@click.command()
@click.option("--config", "file", metavar="FILE", type=click.Path(path_type=Path), help="The table's configuration.")
@click.option("--port", type=click.IntRange(0, 65535), help=f"0 takes any free one; usually {PORT}.")
@click.option("--data", metavar="FOLDER", help=f"Where the record is; otherwise ${VARIABLE}, or the XDG data folder.")
@click.option("--token", callback=valid_token, help="A bearer token that acts for the host, for scripts and tests.")
@click.option("--new-pin", is_flag=True, help="Make a new PIN for the host; otherwise the first start's counts.")
@click.option("--name", help="The name of this machine in the home network; otherwise its own.")
def run(
    file: Path | None, port: int | None, data: str | None, token: str | None, name: str | None, *, new_pin: bool
) -> None:
    """Run the table: panel, camera, session and pages. Whatever is not there is played without."""
    config = configured(file, data)
    config = replace(config, port=config.port if port is None else port, name=name or config.name)
    devices = devices_in(config)
    with_record(
        config,
        lambda record: serve(record, config, devices, token=token, greet=greet, then=show_code, fresh_pin=new_pin),
    )


def configured(file: Path | None, data: str | None) -> Config:
    """Return the configuration, with the folder of its record; a fault in it ends the command."""
    folder = data_folder(data, os.environ)
    catalogues.look_in(folder / catalogues.FOLDER)
    try:
        config = found(file, folder)
    except ConfigFaults as faults:
        _stop(list(map(str, faults.faults)))
    return replace(config, data=folder if data or config.data is None else config.data)


def devices_in(config: Config) -> Devices:
    """Return the devices of a configuration; a fault in the wiring table ends the command."""
    try:
        return devices_of(config)
    except WiringFaults as faults:
        _stop(faults.faults)


def with_record(config: Config, serving: Callable[[Record], bool]) -> None:
    """Serve with the record open; what stands in the way is one line."""
    try:
        folder = config.data or Path()
        if said := restore_asked(folder):
            click.echo(said, err=True)
        with Record(folder) as record:
            if record.finished:
                click.echo(record.finished, err=True)
            went_well = serving(record)
    except RecordError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise click.ClickException(IN_USE.format(port=config.port)) from error
        raise click.ClickException(f"{error.filename or f'port {config.port}'}: {error.strerror or error}") from error
    if not went_well:
        raise SystemExit(1)


def greet(served: Served) -> None:
    at = served.address
    click.echo(f"The table is at {at} (big screen: {at}/table)")
    if served.pin:
        click.echo(f"The host's PIN is {served.pin} ({at}/host)")
    else:
        click.echo(f"The host's PIN is the one you know ({at}/host); a new one: companion pin --data {served.folder}")
    click.echo(f"The record is in {served.folder}.")


def show_code(served: Served, page: str = "") -> None:
    """Print the address, or that of a page there, as a QR code for phones, where somebody sees it."""
    if not sys.stdout.isatty():
        return
    import segno  # noqa: PLC0415 - it loads half of the standard library's internet; the page comes first

    segno.make(served.address + page, error="m", micro=False).terminal(compact=True)


def _stop(faults: list[str]) -> NoReturn:
    for fault in faults:
        click.echo(fault, err=True)
    raise SystemExit(1)


@click.command()
@click.option("--data", metavar="FOLDER", help=f"Where the record is; otherwise ${VARIABLE}, or the XDG data folder.")
def pin(data: str | None) -> None:
    """Make a new PIN for the host and show it once. Phones that were the host must enter it."""
    fresh = new_pin()
    try:
        Locks(data_folder(data, os.environ)).set_pin(fresh)
    except Refusal as refusal:
        raise click.ClickException(refusal.message) from refusal
    click.echo(f"The host's PIN is {fresh}")
