"""`companion train` and `companion tune`: learn a value of positions, and tune the greedy player's weights."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import click

from companion.bots.study.fitting import Fitting
from companion.bots.study.self_play import Examples, SelfPlay, gathered, gathered_families
from companion.bots.study.siblings import Families
from companion.bots.study.tally import ShareJson, share
from companion.bots.study.tuning import ROUND, Duel, Tuning, settled, written
from companion.bots.worth.features import FEATURES
from companion.bots.worth.learned import FORMAT, GAME, LearnedJson, Network, rules_version
from companion.bots.worth.weights import DEFAULT
from companion.commands.simulate import FEWEST, MOST, box_named, interval, percent, with_progress, write_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.bots.study.fitting import CurvePoint
    from companion.bots.study.tournament import Box
    from companion.bots.worth.weights import Weights

DIGITS: Final = 4
OF_MORE: Final = 2
"""Of games of three and of four there are so many times fewer: each shows more seats."""
PIECES: Final = ((2, 2), (3, 1), (4, 1))
"""Families are gathered in so many pieces for each number of players, each with a seed of its own."""
FAMILIES_OF_MORE: Final = 4
"""Of three and of four a piece has so many times fewer: playing on takes longer."""
FIRST_PASSES: Final = 6
"""Of the first fit, which only judges where playouts end."""


@click.command()
@click.option("--games", default=4000, show_default=True, type=click.IntRange(20), help="Games of two players.")
@click.option("--families", default=5900, show_default=True, type=click.IntRange(2), help="Decisions of a piece.")
@click.option("--hidden", default=64, show_default=True, type=click.IntRange(1, 200), help="Hidden units.")
@click.option("--epochs", default=20, show_default=True, type=click.IntRange(1, 1000), help="Passes over the families.")
@click.option("--seed", default=1, show_default=True, help="The same seed learns the same.")
@click.option("--pack", default="standard", show_default=True, help="A built-in card pack, or a folder with one.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write what was learned, in place of learned.json."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def train(**options: Any) -> None:
    """Learn a value of positions from games that bots play against themselves.

    A first value learns from who won; it judges playouts, and the value that is written learns from these.
    """
    box, seed = box_named(options["pack"]), options["seed"]
    games = [_of_games(box, players, seed, options["games"]) for players in range(FEWEST, MOST + 1)]
    judge = Fitting(options["hidden"], seed)
    first = _fitted(judge, games, FIRST_PASSES)
    families = [
        gathered_families(
            family
            for piece in range(pieces)
            for family in islice(Families(box, players, seed + piece, rounded(judge.network)).families(), count)
        )
        for players, pieces in PIECES
        for count in [options["families"] if players == FEWEST else max(1, options["families"] // FAMILIES_OF_MORE)]
    ]
    fitting = Fitting(options["hidden"], seed)
    second = _fitted(fitting, families, options["epochs"])
    command = _again(options)
    if options["out"] is not None:
        write_text(options["out"], serialize(fitting.network, command))
    positions = [sum(len(ours) for ours, _ in found) for found in (games, families)]
    if options["as_json"]:
        click.echo(json.dumps({"learned_by": command, "positions": positions, "curves": [first, second]}, indent=2))
    else:
        lines = [f"positions  {positions[0]}, and {positions[1]} siblings", "", *_curve_table(first)]
        click.echo("\n".join([command, *lines, "", *_curve_table(second)]))


Gathered: TypeAlias = tuple[Examples, Examples]
"""What is learned from, and what is held back."""


def _of_games(box: Box, players: int, seed: int, games: int) -> Gathered:
    count = games if players == FEWEST else games // OF_MORE
    return gathered(with_progress(SelfPlay(box, players, seed).games(count), count))


def _fitted(fitting: Fitting, found: Sequence[Gathered], epochs: int) -> list[CurvePoint]:
    passes = fitting.passes([ours for ours, _ in found], [theirs for _, theirs in found], epochs)
    return list(with_progress(passes, epochs))


def rounded(network: Network) -> Network:
    """Return a network as its file would have it."""
    return Network(*(layer.round(DIGITS) for layer in (network.hidden, network.bias, network.out, network.straight)))


def serialize(network: Network, command: str) -> str:
    """Return the file of a learned value, a line for each list."""
    hidden, bias, out, straight = (
        layer.round(DIGITS).tolist() for layer in (network.hidden, network.bias, network.out, network.straight)
    )
    raw: LearnedJson = {
        "format": FORMAT,
        "game": GAME,
        "rules": rules_version(),
        "features": list(FEATURES),
        "learned_by": command,
        "hidden": [_short(row) for row in hidden],
        "bias": _short(bias),
        "out": _short(out),
        "straight": _short(straight),
    }
    return json.dumps(raw).replace('], "', '],\n"').replace("], [", "],\n[") + "\n"


def _short(numbers: list[float]) -> list[float]:
    """Return the numbers as short as they are read: of four bytes each, a list has more digits than it means."""
    return [round(number, DIGITS) for number in numbers]


def _again(options: dict[str, Any]) -> str:
    """Return the command that learns the same again."""
    named = ("games", "families", "hidden", "epochs", "seed", "pack")
    return " ".join(["companion train", *(f"--{name} {options[name]}" for name in named)])


def _curve_table(curve: list[CurvePoint]) -> list[str]:
    rows = [
        f"{at['epoch']:<6} {at['learned']:<9.4f} {at['held_back']:<11.4f} {at['brier']:<17.4f} {at['siblings']:.3f}"
        for at in curve
    ]
    return ["pass   learned   held back   squared error of a seat, and correlation of siblings, held back", *rows]


class Against(ShareJson):
    """Games that the weights found won against those of now."""

    games: int


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
    box, players, seed = box_named(options["pack"]), options["players"], options["seed"]
    walk = Tuning(box, players, seed, options["games"]).walk(STARTS[options["start"]], options["steps"])
    found = settled(list(with_progress(walk, options["steps"])))
    duel = Duel(box, players, seed)
    won = sum(with_progress((duel.won(found, DEFAULT, number) for number in range(options["check"])), options["check"]))
    against_now: Against = {"games": options["check"], **share(won, options["check"])}
    report = {"weights": asdict(found), "against_now": against_now}
    if options["out"] is not None:
        write_text(options["out"], written(found, _tuned_again(options)))
    click.echo(json.dumps(report, indent=2) if options["as_json"] else _weights_table(found, against_now, players))


def _tuned_again(options: dict[str, Any]) -> str:
    """Return the command that finds the same again."""
    named = {name: options[name] for name in ("steps", "games", "players", "seed", "pack")}
    return " ".join(
        ["companion tune", *(f"--{name} {value}" for name, value in named.items()), "--from", options["start"]]
    )


def _weights_table(found: Weights, against: Against, players: int) -> str:
    now = asdict(DEFAULT)
    rows = [f"{name:<17} {value:<8g} {now[name]:<8g}" for name, value in asdict(found).items()]
    fair = f"fair: {percent(1 / players)}"
    end = f"found against now: {percent(against['share'])} ({interval(against)}) of {against['games']} games; {fair}"
    return "\n".join(["weight            found    now", *rows, "", end])
