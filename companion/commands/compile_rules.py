"""`companion compile`: compile the rules, prove them by identical games, and use them from the next start on."""

from __future__ import annotations

import os
from pathlib import Path

import click

from companion.compiled.build import TOOLS, BuildFailed, Unavailable, build, is_hopeless
from companion.compiled.modules import VARIABLE, builds


@click.command("compile")
@click.option(
    "--tools",
    type=click.Path(path_type=Path),
    default=TOOLS,
    show_default="that of the clone",
    help="The list of what compiling needs, where it is not installed.",
)
@click.option("--in-background", is_flag=True, help="Say nothing where nothing can be done, or has failed before.")
def compile_rules(tools: Path, in_background: bool) -> None:
    """Compile the rules, which makes them several times as fast. It runs behind everything else on this machine."""
    folder = builds()
    if folder is None:
        raise click.ClickException(f"${VARIABLE} says that the rules run from their sources.")
    if not os.access(_nearest(folder), os.W_OK):
        raise click.ClickException(f"{folder} cannot be written.")
    if in_background and is_hopeless(folder):
        return
    try:
        click.echo(build(folder, tools))
    except Unavailable as reason:
        if not in_background:
            raise click.ClickException(str(reason)) from reason
    except OSError as error:
        raise click.ClickException(f"{error.filename or folder}: {error.strerror or error}") from error
    except BuildFailed as reason:
        raise click.ClickException(str(reason)) from reason


def _nearest(folder: Path) -> Path:
    """Return the folder, or the nearest one above that is there."""
    return next(one for one in (folder, *folder.parents) if one.exists())
