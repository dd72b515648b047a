"""The command `companion`: the only place, with bootstrap, where everything is put together."""

from __future__ import annotations

import click

from companion.commands import records
from companion.commands.cards import cards
from companion.commands.running import run
from companion.commands.scenarios import scenario


@click.group()
def main() -> None:
    """A companion for the board game on the table."""


main.add_command(cards)
main.add_command(run)
main.add_command(scenario)
for command in records.COMMANDS:
    main.add_command(command)

if __name__ == "__main__":
    main()
