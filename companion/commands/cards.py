"""`companion cards`: looks after card packs."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cards.checking import check_paths


@click.group()
def cards() -> None:
    """Look after card packs."""


@cards.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--overlay", type=click.Path(path_type=Path), help="An owner's corrections beside the pack.")
def check(paths: tuple[str, ...], overlay: Path | None) -> None:
    """Check the packs at PATHS (folders, or the names of our own packs)."""
    lines, ok = check_paths(paths, overlay)
    for line in lines:
        click.echo(line)
    if not ok:
        raise SystemExit(1)
