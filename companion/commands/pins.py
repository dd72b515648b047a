"""`companion pin`: a new PIN for the host, also while the table runs."""

from __future__ import annotations

import os

import click

from companion.refusal import Refusal
from companion.table.record.data_folder import VARIABLE, data_folder
from web.base.locks import Locks, new_pin


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
