"""`companion tune`: finds the numbers of the greedy player again, by letting it play against itself."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from companion.bots.study.tally import share
from companion.bots.study.tuning import ROUND, Duel, Tuning, settled, written
from companion.bots.worth.weights import DEFAULT
from companion.commands.simulate import FEWEST, MOST, box_of, interval, percent, with_progress

if TYPE_CHECKING:
    from companion.bots.worth.weights import Weights

STARTS: Final = {"round": ROUND, "current": DEFAULT}


@click.command()
@click.option("--steps", default=400, show_default=True, type=click.IntRange(2, 1_000_000), help="Steps of the walk.")
@click.option("--games", default=8, show_default=True, type=click.IntRange(1, 10_000), help="Games a step.")
@click.option("--players", default=2, show_default=True, type=click.IntRange(FEWEST, MOST), help="How many players.")
@click.option(
    "--from",
    "start",
    default="round",
    show_default=True,
    type=click.Choice(sorted(STARTS)),
    help="Where to begin: at the numbers of now, or at these with one digit each.",
)
@click.option("--seed", default=1, show_default=True, help="The same seed takes the same way.")
@click.option("--pack", default="standard", show_default=True, help="A built-in card pack, or a folder with one.")
@click.option("--check", default=400, show_default=True, type=click.IntRange(1), help="Games of found against now.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write what was found, in place of weights.py."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def tune(**options: Any) -> None:  # fmt: skip
    """Find what things are worth to the greedy player, and hold it against the numbers of now."""
    box, players, seed = box_of(options["pack"]), options["players"], options["seed"]
    walk = Tuning(box, players, seed, options["games"]).walk(STARTS[options["start"]], options["steps"])
    found = settled(list(with_progress(walk, options["steps"])))
    duel = Duel(box, players, seed)
    won = sum(with_progress((duel.won(found, DEFAULT, number) for number in range(options["check"])), options["check"]))
    report = {"weights": asdict(found), "against_now": {"games": options["check"], **share(won, options["check"])}}
    if options["out"] is not None:
        _write(options["out"], written(found, _again(options)))
    click.echo(json.dumps(report, indent=2) if options["as_json"] else _as_table(found, report["against_now"], players))


def _again(options: dict[str, Any]) -> str:
    """The command that finds the same again."""
    named = {name: options[name] for name in ("steps", "games", "players", "seed", "pack")}
    return " ".join(
        ["companion tune", *(f"--{name} {value}" for name, value in named.items()), "--from", options["start"]]
    )


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{file}: {(error.strerror or 'cannot be written').lower()}") from error


def _as_table(found: Weights, against: dict[str, Any], players: int) -> str:
    now = asdict(DEFAULT)
    rows = [f"{name:<17} {value:<8g} {now[name]:<8g}" for name, value in asdict(found).items()]
    fair = f"fair: {percent(1 / players)}"
    end = f"found against now: {percent(against['share'])} ({interval(against)}) of {against['games']} games; {fair}"
    return "\n".join(["weight            found    now", *rows, "", end])
