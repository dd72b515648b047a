"""`companion demo`: the whole companion without hardware, on a simulated table."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.app.config import PORT, Config
from companion.app.demo.helper import DemoHelper
from companion.app.demo.playground import DemoPlayground
from companion.app.devices import Devices
from companion.app.serving import serve
from companion.cards.loader import builtin
from companion.commands.run import show_code, valid_token, with_record
from companion.games.api import COLOURS
from companion.table.record.data_folder import VARIABLE, data_folder
from hardware.panel.wiring import load
from hardware.tabletop.simulated_table import PROFILE

if TYPE_CHECKING:
    from companion.app.runtime import TableRuntime
    from companion.app.serving import Served
    from companion.table.record.record import Record

FOLDER: Final = "demo"
PACK: Final = "homemade"
CHARACTER: Final = "fair"
PAGE: Final = "/demo"


@click.command()
@click.option("--players", type=click.IntRange(2, 4), default=2, show_default=True, help="How many colours play.")
@click.option("--bots", type=click.IntRange(0, 4), default=1, show_default=True, help="How many of them bots play.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 takes any free one.")
@click.option("--seed", help="Begins a new game; the same seed shuffles the same decks.")
@click.option("--token", callback=valid_token, help="A bearer token that acts for the host, for scripts and tests.")
@click.option("--data", metavar="FOLDER", help=f"Where the demo's record is; otherwise beside ${VARIABLE}'s.")
def demo(players: int, bots: int, port: int, seed: str | None, token: str | None, data: str | None) -> None:
    """Play without hardware: simulated table, camera and panel; real vision, rules, journal and pages."""
    if bots > players:
        raise click.UsageError(f"{bots} bots cannot play {players} colours.")
    folder = Path(data) if data else data_folder(None, os.environ) / FOLDER
    config = replace(Config(), port=port, data=folder, voice=False)
    wiring, pack, colours = load(), builtin(PACK), COLOURS[:players]
    drawn = DemoPlayground(pack, colours, folder / "pieces", wiring, seed=len(colours))
    drawn.seats = colours[: players - bots]
    setup = {"players": list(colours), "bots": dict.fromkeys(colours[players - bots :], CHARACTER)}
    devices = Devices(drawn.camera.opened, drawn.pictures / PROFILE, wiring, lambda: drawn.fingers.chip)

    def hands(evening: TableRuntime) -> DemoHelper:
        return DemoHelper(evening.session, drawn, setup, seed)

    def served(record: Record) -> bool:
        return serve(
            record,
            config,
            devices,
            token=token,
            greet=greet,
            fresh_pin=True,
            then=lambda where: show_code(where, PAGE),
            parts=[hands],
            playground=drawn,
        )

    with_record(config, served)


def greet(served: Served) -> None:
    at = served.address
    click.echo(f"Play the demo at {at}{PAGE} (phones: {at}, big screen: {at}/table)")
    if served.pin:
        click.echo(f"The host's PIN is {served.pin} ({at}/host); every start makes a new one.")
    else:
        click.echo(f"The host ({at}/host) gets a PIN by: companion pin --data {served.folder}")
    click.echo(f"The demo's record is in {served.folder}. Ctrl+C ends it.")
