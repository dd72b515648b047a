"""The command `companion`. Each subcommand is imported when it is called: none pays for what another needs."""

from __future__ import annotations

import gc
import os
from importlib import import_module
from typing import Any, Final

import click

from companion.commands.wrong_use import in_one_line
from companion.compiled import modules
from companion.languages import catalogues
from companion.table.record.data_folder import data_folder

COMMANDS: Final = {
    "backup": "companion.commands.records:backup_command",
    "calibrate": "companion.commands.calibrate:calibrate",
    "cards": "companion.commands.checks:cards",
    "compile": "companion.commands.compile_rules:compile_rules",
    "demo": "companion.commands.demo:demo",
    "doctor": "companion.commands.doctor:doctor",
    "export": "companion.commands.records:export",
    "find": "companion.commands.league:find",
    "games": "companion.commands.records:games",
    "league": "companion.commands.league:league",
    "look": "companion.vision.look:look",
    "pin": "companion.commands.run:pin",
    "print": "companion.commands.printing:print_command",
    "replay": "companion.commands.records:replay_command",
    "restore": "companion.commands.records:restore_command",
    "review": "companion.commands.review:review",
    "run": "companion.commands.run:run",
    "scenario": "companion.commands.checks:scenario",
    "train": "companion.commands.train:train",
    "tune": "companion.commands.train:tune",
    "simulate": "companion.commands.simulate:simulate",
    "verify": "companion.commands.records:verify",
}


modules.use()  # here, since the processes that a companion starts import this module before any rule


class WhenAsked(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, without importing anything."""
        del ctx
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command by its name."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        gc.disable()  # what is loaded here stays: to look through it for garbage takes a twentieth of a start
        command: click.Command = getattr(import_module(module), name)
        gc.freeze()
        gc.enable()
        return command

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Parse the arguments; wrong use becomes one line."""
        with in_one_line():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; wrong use becomes one line."""
        with in_one_line():
            return super().invoke(ctx)


def print_version(ctx: click.Context, _param: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from companion.version import described  # noqa: PLC0415 - loaded when it is asked for, like every command

        click.echo(described())
        ctx.exit()


@click.group(cls=WhenAsked)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_version,
    help="Show the version, and whether the rules run compiled.",
)
def main() -> None:
    """A companion for the board game on the table."""
    catalogues.look_in(data_folder(None, os.environ) / catalogues.FOLDER)


if __name__ == "__main__":
    main()
