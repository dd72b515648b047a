"""`companion review`: look at a finished game afterwards."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from companion.commands.records import in_the_record
from companion.table.bots import reviews

if TYPE_CHECKING:
    from pathlib import Path


@click.command("review")
@click.argument("game")
@click.option("--aside", is_flag=True, help="Let everything else on this machine go first.")
@in_the_record
def review(folder: Path, game: str, *, aside: bool) -> None:
    """Tell what decided the finished GAME, as JSON; it is kept beside the record, and worked out once."""
    if aside:
        reviews.step_back()
    click.echo(json.dumps(reviews.work_out(folder, game), ensure_ascii=False))
