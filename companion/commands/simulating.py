"""`companion simulate`: plays whole games without a table and says how they went."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from companion.bots.characters import POLICIES
from companion.bots.tally import Tally
from companion.bots.tournament import Tournament
from companion.cards.faults import PackFaults
from companion.cards.loader import builtin, builtin_names, load_pack
from companion.commands.simulated import as_table
from companion.games.shelter.box import Box

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")
FEWEST, MOST = 2, 4


class WrongUse(click.ClickException):
    """Wrong use, told in one line without the usage above it."""

    exit_code = 2


class OneLine(click.Command):
    """A command whose wrong use is told in one line."""

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Read the arguments."""
        try:
            return super().make_context(*args, **more)
        except click.UsageError as error:
            wrong_use(error.format_message())


def wrong_use(message: str) -> NoReturn:
    """End with one line on stderr and the exit code of wrong use."""
    raise WrongUse(" ".join(message.split()))


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line."""

    games: int
    players: int
    policy: str
    match: str | None
    seed: int
    pack: str
    as_json: bool

    @property
    def company(self) -> list[str]:
        """Who plays; two that are matched change chairs from game to game."""
        if self.match is None:
            return [self.policy]
        names = self.match.split(":")
        if len(names) != FEWEST or names[0] == names[1] or not set(names) <= set(POLICIES):
            known = ", ".join(POLICIES)
            wrong_use(f"--match: {self.match!r} is not two different policies out of {known}, as in greedy:random.")
        return names


@click.command(cls=OneLine)
@click.option("--games", required=True, type=click.IntRange(1, 10_000_000), help="How many games to play.")
@click.option("--players", default=4, show_default=True, type=click.IntRange(FEWEST, MOST), help="How many players.")
@click.option("--policy", default="greedy", show_default=True, type=click.Choice(POLICIES), help="Who plays.")
@click.option("--match", metavar="ONE:OTHER", help="Two policies against each other, changing chairs.")
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--pack", default="standard", show_default=True, help="A built-in card pack, or a folder with one.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def simulate(**options: Any) -> None:
    """Play whole games without table or page."""
    asked = Asked(**options)
    report = _games(asked)
    click.echo(json.dumps(report, indent=2) if asked.as_json else as_table(report))


def _games(asked: Asked) -> dict[str, Any]:
    company = asked.company
    tournament = Tournament(box_of(asked.pack), company, asked.players, asked.seed)
    tally = Tally(asked.players)
    for played in with_progress(tournament.games(asked.games), asked.games):
        tally.add(played)
    report: dict[str, Any] = {
        "games": asked.games,
        "players": asked.players,
        "pack": asked.pack,
        "policy": asked.match or asked.policy,
        "seed": asked.seed,
        **tally.as_json(),
    }
    if asked.match is not None:
        report["match"] = tally.shares(company)
    return report


def box_of(pack: str) -> Box:
    """The box of a built-in pack, or of one in a folder."""
    try:
        return Box(builtin(pack) if pack in builtin_names() else load_pack(pack))
    except PackFaults as faults:
        wrong_use(f"--pack: {str(faults).splitlines()[0]} (built in: {', '.join(builtin_names())})")


def with_progress(games: Iterable[T], count: int) -> Iterator[T]:
    """The games; how far they are is shown where somebody watches."""
    if not sys.stderr.isatty():
        yield from games
        return
    with click.progressbar(games, length=count, label="games", file=sys.stderr) as bar:
        yield from bar
