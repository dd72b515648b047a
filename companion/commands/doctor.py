"""`companion doctor`: says what of the hardware is there, and what to do."""

from __future__ import annotations

from pathlib import Path

import click

from hardware.wiring import WiringFaults, load, printed


@click.command()
@click.option("--wiring", is_flag=True, required=True, help="Print the wiring table.")
@click.option("--own", type=click.Path(path_type=Path), help="The owner's changes of the wiring table.")
def doctor(*, wiring: bool, own: Path | None) -> None:  # noqa: ARG001 - the first of its options
    """Check what is bolted to the table."""
    try:
        click.echo(printed(load(own)))
    except WiringFaults as faults:
        for fault in faults.faults:
            click.echo(fault, err=True)
        raise SystemExit(1) from faults
