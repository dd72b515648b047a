"""`companion simulate` and `companion tune`: let bots play many games, and tune the greedy player's weights."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import click

from companion.bots.policy.characters import POLICIES
from companion.bots.policy.search import Budget
from companion.bots.study.reliability import Calibration
from companion.bots.study.reliability import report as calibration_report
from companion.bots.study.report import page, picture
from companion.bots.study.tally import ShareJson, Tally, share
from companion.bots.study.together import DIFFICULTIES, TogetherTally, as_lines, serialize_evening
from companion.bots.study.tournament import (
    OtherStudyError,
    SavedGame,
    SavedGames,
    Study,
    Tournament,
    box_of,
    parse_estimate,
    serialize_estimate,
    serialize_game,
)
from companion.bots.study.tuning import ROUND, Duel, Tuning, settled, written
from companion.bots.worth.weights import DEFAULT
from companion.cards.loader import builtin, builtin_names, load_pack
from companion.cards.pack import PackFaults
from companion.commands.wrong_use import wrong_use

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.bots.study.reliability import ReliabilityRow
    from companion.bots.study.report import CalibrationReport, GamesReport, Heading, Report
    from companion.bots.study.together import TogetherReport
    from companion.bots.study.tournament import Box, CardShareJson
    from companion.bots.worth.weights import Weights


MOST_CARDS: Final = 8


def as_table(report: Report) -> str:
    """Return the lines of a report for people."""
    return "\n".join(_calibration_lines(report) if "calibration" in report else _game_lines(report))


def _calibration_lines(report: CalibrationReport) -> list[str]:
    calibration = report["calibration"]
    low, high = calibration["interval"]
    return [
        f"{calibration['games']} games of {report['players']} players, {report['playouts']} playouts at mid-game",
        f"Brier score     {calibration['brier']:.4f} ({low:.4f} to {high:.4f})",
        f"always 1/n      {calibration['brier_of_1_over_n']:.4f}; better by {percent(calibration['better_by'])}",
        "",
        "told      came true   95 % interval    seats",
        *(
            f"{percent(row['told']):<9} {percent(row['came_true']):<11} {interval(row):<16} {row['count']}"
            for row in calibration["reliability"]
        ),
    ]


def _game_lines(report: GamesReport) -> list[str]:
    speed, rounds, scores = report["speed"], report["rounds"], report["scores"]
    lines = [
        f"{report['games']} games of {report['players']} players, {report['policy']}, pack {report['pack']}",
        f"speed       {speed['decisions_per_second']} decisions/s, {speed['games_per_second']} games/s",
        f"rounds      mean {rounds['mean']:.2f}, {rounds['min']} to {rounds['max']}; unfinished {report['unfinished']}",
        f"happiness   mean {scores['mean']:.2f}, {scores['min']} to {scores['max']}",
        f"winners     mean {scores['winner']['mean']:.2f}; shared victories {report['shared_victories']}",
        "",
        "seat   wins      share   95 % interval    times its share",
    ]
    lines += [f"{seat['seat']:<6} {share_line(seat)}  {seat['times_fair_share']:.3f}" for seat in report["seats"]]
    for name, won in report.get("match", {}).items():
        lines += ["", f"{name:<8} wins {won['wins']:g}: {percent(won['share'])} ({interval(won)})"]
    if "study" in report:
        lines += _cards("rooms", report["study"]["rooms"], report["players"])
        lines += _cards("items", report["study"]["items"], report["players"])
    return lines


def _cards(kind: str, cards: list[CardShareJson], players: int) -> list[str]:
    """Return the cards whose owners won most."""
    heading = ["", f"{kind} whose owners won most (fair share {percent(1 / players)})"]
    return heading + [
        f"{card['id']:<28} {percent(card['share'])} ({interval(card)}) of {card['owners']}"
        for card in cards[:MOST_CARDS]
    ]


def share_line(won: ShareJson) -> str:
    return f"{won['wins']:<9.1f} {percent(won['share'])} {interval(won):>16}"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def interval(won: ShareJson | ReliabilityRow) -> str:
    """Format the 95 % interval of a share."""
    low, high = won["interval"]
    return f"{percent(low)} to {percent(high)}"


T = TypeVar("T")
RIVALS, TOGETHER = "rivals", "together"
FEWEST, MOST = 2, 4
PLAYOUTS = 100


@dataclass(frozen=True, slots=True)
class SimulationRequest:
    games: int
    players: int
    policy: str
    match: str | None
    budget: float | None
    walks: int | None
    seed: int
    pack: str
    study: bool
    calibrate: bool
    html: Path | None
    svg: Path | None
    as_json: bool
    first: int
    keep: Path | None
    mode: str
    difficulty: str | None

    @property
    def together(self) -> str:
        """The difficulty of a co-operative game; empty where everybody plays for themselves."""
        return (self.difficulty or "normal") if self.mode == TOGETHER else ""

    def refuse_what_does_not_fit(self) -> None:
        if self.mode == TOGETHER:
            odd = {"match": self.match, "study": self.study, "calibrate": self.calibrate, "html": self.html}
            for name in [name for name, given in odd.items() if given]:
                wrong_use(f"--{name}: together nobody plays against anybody; there is only how many games were won.")
        elif self.difficulty is not None:
            wrong_use("--difficulty: it is for --mode together.")
        elif self.players < FEWEST:
            wrong_use(f"--players: {FEWEST} to {MOST}; one player alone plays with --mode together.")

    @property
    def company(self) -> list[str]:
        """Who plays; two that are matched change seats from game to game."""
        if self.match is None:
            return [self.policy]
        names = self.match.split(":")
        if len(names) != FEWEST or names[0] == names[1] or not set(names) <= set(POLICIES):
            known = ", ".join(POLICIES)
            wrong_use(f"--match: {self.match!r} is not two different policies out of {known}, as in hard:greedy.")
        return names

    @property
    def thinking(self) -> Budget | None:
        """The budget of those that search."""
        if self.budget is None and self.walks is None:
            return None
        return Budget(walks=self.walks or 0, milliseconds=self.budget or 0.0, clock=process_time)

    @property
    def numbers(self) -> range:
        return range(self.first, self.first + self.games)

    def shelf(self) -> SavedGames | None:
        """Return where the games are kept, if they are."""
        if self.keep is None:
            return None
        if self.study or (self.html is not None and not self.calibrate):
            wrong_use("--keep: a study of rooms and items needs the whole games; these are not kept.")
        named = {"players": self.players, "pack": self.pack, "seed": self.seed}
        named |= {"calibrate": PLAYOUTS} if self.calibrate else {"policy": self.match or self.policy}
        named |= {"together": self.together} if self.together else {}
        named |= {key: value for key, value in (("budget", self.budget), ("walks", self.walks)) if value}
        try:
            return SavedGames(self.keep, named)
        except (OtherStudyError, OSError) as error:
            wrong_use(f"--keep: {error}")


@click.command()
@click.option("--games", required=True, type=click.IntRange(1, 10_000_000), help="How many games to play.")
@click.option("--players", default=4, show_default=True, type=click.IntRange(1, MOST), help="How many players.")
@click.option(
    "--mode",
    default=RIVALS,
    show_default=True,
    type=click.Choice([RIVALS, TOGETHER]),
    help="Everybody for themselves, or all against the wasteland.",
)
@click.option("--difficulty", type=click.Choice(DIFFICULTIES), help="Of --mode together; normal without it.")
@click.option("--policy", default="greedy", show_default=True, type=click.Choice(POLICIES), help="Who plays.")
@click.option("--match", metavar="ONE:OTHER", help="Two policies against each other, changing chairs.")
@click.option("--budget", type=click.FloatRange(1, 600_000), help="Milliseconds a move for mcts and hard.")
@click.option(
    "--walks", type=click.IntRange(1, 1_000_000), help="Walks a move for mcts and hard: plays the same again."
)
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--pack", default="standard", show_default=True, help="A built-in card pack, or a folder with one.")
@click.option("--study", is_flag=True, help="Say which rooms and items win, too.")
@click.option("--calibrate", is_flag=True, help="Hold the win chances told at mid-game against who won.")
@click.option("--first", default=0, show_default=True, type=click.IntRange(0), help="The number of the first game.")
@click.option(
    "--keep",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep each game in this file; what is there is not played again.",
)
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write a page with charts.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw how far win chances can be trusted.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def simulate(**options: Any) -> None:
    """Play whole games without table or page."""
    asked = SimulationRequest(**options)
    asked.refuse_what_does_not_fit()
    if asked.together:
        evenings = _together(asked)
        click.echo(json.dumps(evenings, indent=2) if asked.as_json else "\n".join(as_lines(evenings)))
        return
    if asked.svg is not None and not asked.calibrate:
        wrong_use("--svg: the curve is drawn of --calibrate.")
    report: Report
    if asked.calibrate:
        report = _calibration(asked)
        if asked.svg is not None:
            _write(asked.svg, picture(report))
    else:
        report = _games(asked)
    if asked.html is not None:
        _write(asked.html, page(report, _again(asked)))
    click.echo(json.dumps(report, indent=2) if asked.as_json else as_table(report))


def _games(asked: SimulationRequest) -> GamesReport:
    company = asked.company
    tournament = Tournament(_box(asked.pack), company, asked.players, asked.seed, asked.thinking)
    tally, study, shelf = Tally(asked.players), Study(asked.players), asked.shelf()
    if shelf is None:
        for played in with_progress(map(tournament.play, asked.numbers), asked.games):
            tally.add(played)
            study.add(played)
    else:
        for raw in with_progress(shelf.games(asked.numbers, tournament.play, serialize_game), asked.games):
            tally.add(SavedGame(raw))
    report = cast("GamesReport", {**_heading(asked, asked.match or asked.policy), **tally.as_json()})
    if asked.match is not None:
        report["match"] = tally.shares(company)
    if asked.study or asked.html is not None:
        report["study"] = study.as_json()
    return report


def _together(asked: SimulationRequest) -> TogetherReport:
    tournament = Tournament(
        _box(asked.pack), [asked.policy], asked.players, asked.seed, asked.thinking, together=asked.together
    )
    tally, shelf = TogetherTally(), asked.shelf()
    played = (
        (serialize_evening(tournament.play(number)) for number in asked.numbers)
        if shelf is None
        else shelf.games(asked.numbers, tournament.play, serialize_evening)
    )
    for evening in with_progress(played, asked.games):
        tally.add(evening)
    return tally.report(_heading(asked, asked.policy), asked.together)


def _calibration(asked: SimulationRequest) -> CalibrationReport:
    calibration = Calibration(_box(asked.pack), asked.players, asked.seed, PLAYOUTS)
    shelf = asked.shelf()
    if shelf is None:
        estimates = list(with_progress(map(calibration.tell, asked.numbers), asked.games))
    else:
        kept = shelf.games(asked.numbers, calibration.tell, serialize_estimate)
        estimates = [parse_estimate(raw) for raw in with_progress(kept, asked.games)]
    return {**_heading(asked, "greedy"), "playouts": PLAYOUTS, "calibration": calibration_report(estimates)}


def _heading(asked: SimulationRequest, policy: str) -> Heading:
    return {
        "games": asked.games,
        "players": asked.players,
        "pack": asked.pack,
        "policy": policy,
        "seed": asked.seed,
    }


def _again(asked: SimulationRequest) -> str:
    """Return the command that plays the same games again."""
    words = ["companion simulate", f"--games {asked.games}", f"--players {asked.players}", f"--seed {asked.seed}"]
    words.append(f"--policy {asked.policy}" if asked.match is None else f"--match {asked.match}")
    words.append(f"--pack {asked.pack}")
    words += [f"--first {asked.first}"] if asked.first else []
    words += ["--calibrate"] if asked.calibrate else ["--study"]
    return " ".join(words)


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{file}: {(error.strerror or 'cannot be written').lower()}") from error


def _box(pack: str) -> Box:
    """Return the box of a built-in pack, or of one in a folder."""
    try:
        return box_of(builtin(pack) if pack in builtin_names() else load_pack(pack))
    except PackFaults as faults:
        wrong_use(f"--pack: {str(faults).splitlines()[0]} (built in: {', '.join(builtin_names())})")


def with_progress(games: Iterable[T], count: int) -> Iterator[T]:
    """Yield the games, with a progress bar where somebody watches."""
    if not sys.stderr.isatty():
        yield from games
        return
    with click.progressbar(games, length=count, label="games", file=sys.stderr) as bar:
        yield from bar


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
    box, players, seed = _box(options["pack"]), options["players"], options["seed"]
    walk = Tuning(box, players, seed, options["games"]).walk(STARTS[options["start"]], options["steps"])
    found = settled(list(with_progress(walk, options["steps"])))
    duel = Duel(box, players, seed)
    won = sum(with_progress((duel.won(found, DEFAULT, number) for number in range(options["check"])), options["check"]))
    against_now: Against = {"games": options["check"], **share(won, options["check"])}
    report = {"weights": asdict(found), "against_now": against_now}
    if options["out"] is not None:
        _write(options["out"], written(found, _tuned_again(options)))
    click.echo(json.dumps(report, indent=2) if options["as_json"] else _as_table(found, against_now, players))


def _tuned_again(options: dict[str, Any]) -> str:
    """Return the command that finds the same again."""
    named = {name: options[name] for name in ("steps", "games", "players", "seed", "pack")}
    return " ".join(
        ["companion tune", *(f"--{name} {value}" for name, value in named.items()), "--from", options["start"]]
    )


def _as_table(found: Weights, against: Against, players: int) -> str:
    now = asdict(DEFAULT)
    rows = [f"{name:<17} {value:<8g} {now[name]:<8g}" for name, value in asdict(found).items()]
    fair = f"fair: {percent(1 / players)}"
    end = f"found against now: {percent(against['share'])} ({interval(against)}) of {against['games']} games; {fair}"
    return "\n".join(["weight            found    now", *rows, "", end])
