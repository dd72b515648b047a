"""`companion train` and `companion tune`: learn a value of positions, and tune the greedy player's weights."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from companion.bots.policy.budget import Budget
from companion.bots.policy.characters import make
from companion.bots.study.fitting import Fitting
from companion.bots.study.self_play import SelfPlay, gathered
from companion.bots.study.tally import ShareJson, share
from companion.bots.study.tuning import ROUND, Duel, Tuning, settled, written
from companion.bots.worth.features import FEATURES
from companion.bots.worth.learned import FORMAT, GAME, LearnedJson, rules_version
from companion.bots.worth.weights import DEFAULT
from companion.commands.simulate import FEWEST, MOST, box_named, interval, percent, with_progress, write_text

if TYPE_CHECKING:
    from companion.bots.study.fitting import CurvePoint
    from companion.bots.worth.learned import Network
    from companion.bots.worth.weights import Weights

DIGITS: Final = 4
OF_MORE: Final = 2
"""Of games of three and of four there are so many times fewer: each shows more seats."""


@click.command()
@click.option("--games", default=4000, show_default=True, type=click.IntRange(20), help="Games of two players.")
@click.option("--hidden", default=64, show_default=True, type=click.IntRange(1, 200), help="Hidden units.")
@click.option("--epochs", default=4, show_default=True, type=click.IntRange(1, 1000), help="Passes of a sweep.")
@click.option("--sweeps", default=2, show_default=True, type=click.IntRange(1, 20), help="Fits: to who won, then on.")
@click.option(
    "--teacher", default="greedy", show_default=True, type=click.Choice(["greedy", "valued"]), help="Who plays."
)
@click.option("--walks", default=16, show_default=True, type=click.IntRange(1), help="Walks a move, for valued.")
@click.option("--seed", default=1, show_default=True, help="The same seed learns the same.")
@click.option("--pack", default="standard", show_default=True, help="A built-in card pack, or a folder with one.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write what was learned, in place of learned.json."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def train(**options: Any) -> None:
    """Learn a value of positions from games that bots play against themselves."""
    box, seed = box_named(options["pack"]), options["seed"]
    learned, held_back = [], []
    for players in range(FEWEST, MOST + 1):
        count = options["games"] if players == FEWEST else options["games"] // OF_MORE
        play = SelfPlay(box, players, seed)
        if options["teacher"] != "greedy":
            play.taught_by(make(options["teacher"], box, play.source, Budget(walks=options["walks"])))
        ours, theirs = gathered(with_progress(play.games(count), count))
        learned.append(ours)
        held_back.append(theirs)
    fitting = Fitting(options["hidden"], seed)
    whole = options["sweeps"] * options["epochs"]
    curve = list(with_progress(fitting.sweeps(learned, held_back, options["sweeps"], options["epochs"]), whole))
    command = _again(options)
    if options["out"] is not None:
        write_text(options["out"], serialize(fitting.network, command))
    if options["as_json"]:
        click.echo(json.dumps({"learned_by": command, "positions": sum(map(len, learned)), "curve": curve}, indent=2))
    else:
        click.echo("\n".join([command, f"positions  {sum(map(len, learned))}", "", *_curve_table(curve)]))


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
    named = ["games", "hidden", "sweeps", "epochs", "teacher", "seed", "pack"]
    named += ["walks"] if options["teacher"] != "greedy" else []
    return " ".join(["companion train", *(f"--{name} {options[name]}" for name in named)])


def _curve_table(curve: list[CurvePoint]) -> list[str]:
    rows = [
        f"{at['sweep']:<7} {at['epoch']:<6} {at['learned']:<9.4f} {at['held_back']:<11.4f} {at['brier']:.4f}"
        for at in curve
    ]
    return ["sweep   pass   learned   held back   squared error of a seat, held back", *rows]


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
