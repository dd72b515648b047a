"""`companion simulate`: let bots play many games."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import click

from companion.bots.policy.budget import Budget
from companion.bots.policy.characters import POLICIES, THINKING
from companion.bots.study.reliability import Calibration
from companion.bots.study.reliability import report as calibration_report
from companion.bots.study.report import page, picture
from companion.bots.study.tally import Tally
from companion.bots.study.together import DIFFICULTIES, TogetherTally, as_lines, serialize_evening
from companion.bots.study.tournament import (
    OtherStudyError,
    SavedGame,
    SavedGames,
    Study,
    Terms,
    Tournament,
    box_of,
    parse_estimate,
    serialize_estimate,
    serialize_game,
)
from companion.cards.loader import builtin, builtin_names, load_pack
from companion.cards.pack import PackFaults
from companion.commands.wrong_use import wrong_use
from companion.games.registry import DEFAULT, game_of
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.bots.study.reliability import ReliabilityRow
    from companion.bots.study.report import CalibrationReport, GamesReport, Heading, Report
    from companion.bots.study.tally import ShareJson
    from companion.bots.study.together import TogetherReport
    from companion.bots.study.tournament import Box, CardShareJson


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
RIVALS, TOGETHER, STANDARD = "rivals", "together", "standard"
FEWEST, MOST = 2, 4
PLAYOUTS = 100
MOST_THINKING: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class SimulationRequest:
    games: int
    players: int
    policy: str
    match: str | None
    budget: str | None
    walks: str | None
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
    rules: tuple[str, ...]
    game: str
    scenario: str | None

    @property
    def together(self) -> str:
        """The difficulty of a co-operative game; empty where everybody plays for themselves."""
        return (self.difficulty or "normal") if self.mode == TOGETHER else ""

    @property
    def bench(self) -> str:
        """The module with the bots of a game that brings its own; empty for the first game."""
        try:
            game = game_of(self.game)
        except Refusal as refusal:
            wrong_use(f"--game: {refusal.message}")
        if not game.has_bots:
            wrong_use(f"--game: bots do not play {game.title}.")
        return game.bench

    def refuse_what_does_not_fit(self) -> None:
        if self.bench:
            odd: dict[str, object] = {
                   "study": self.study, "calibrate": self.calibrate, "html": self.html, "svg": self.svg,
                   "keep": self.keep, "budget": self.budget, "walks": self.walks, "json": self.as_json}  # fmt: skip
            for name in [name for name, given in odd.items() if given]:
                wrong_use(f"--{name}: it is for games whose positions are judged.")
        elif self.scenario is not None:
            wrong_use("--scenario: this game has none.")
        if self.mode == TOGETHER:
            odd = {"match": self.match, "study": self.study, "calibrate": self.calibrate, "html": self.html}
            for name in [name for name, given in odd.items() if given]:
                wrong_use(f"--{name}: together nobody plays against anybody; there is only how many games were won.")
        elif self.difficulty is not None:
            wrong_use("--difficulty: it is for --mode together.")
        elif self.players < FEWEST:
            wrong_use(f"--players: {FEWEST} to {MOST}; one player alone plays with --mode together.")
        if self.calibrate and self.rules:
            wrong_use("--rule: win chances are calibrated by the book.")

    @property
    def company(self) -> list[str]:
        """Who plays; those that are matched change seats from game to game."""
        if self.match is None:
            return [self.policy]
        names = self.match.split(":")
        if not FEWEST <= len(names) <= self.players or len(set(names)) == 1 or not set(names) <= set(POLICIES):
            known = ", ".join(POLICIES)
            wrong_use(
                f"--match: {self.match!r} is not two different policies out of {known}, as in hard:greedy,"
                " nor one for each chair, as in hard:fair:fair."
            )
        return names

    @property
    def thinking(self) -> dict[str, Budget]:
        """The budgets of those that search, by their names."""
        walks, milliseconds = self._for_each("walks", self.walks), self._for_each("budget", self.budget)
        return {
            name: Budget(int(walks[name]), milliseconds[name], process_time)
            for name in self.company
            if name in THINKING and (walks[name] or milliseconds[name])
        }

    def _for_each(self, option: str, given: str | None) -> dict[str, float]:
        """Return what everybody was given: one number for all, or one for each of the policies that are matched."""
        names = list(dict.fromkeys(self.company))
        parts = (given or "0").split(":")
        if len(parts) not in (1, len(names)):
            wrong_use(f"--{option}: {given!r} is neither one number nor one for each of {':'.join(names)}.")
        try:
            found = [float(part) for part in parts]
        except ValueError:
            wrong_use(f"--{option}: {given!r} is no number, nor two as in 50:500.")
        if given is not None and not all(1 <= number <= MOST_THINKING for number in found):
            wrong_use(f"--{option}: from 1 to {MOST_THINKING}, or two such numbers as in 50:500.")
        return dict(zip(names, found * len(names), strict=False))

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
        named |= {"rules": sorted(set(self.rules))} if self.rules else {}
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
@click.option("--game", default=DEFAULT, show_default=True, help="Which game.")
@click.option("--scenario", help="Of a game that has several.")
@click.option("--difficulty", type=click.Choice(DIFFICULTIES), help="Of --mode together; normal without it.")
@click.option("--rule", "rules", multiple=True, metavar="NAME", help="A house rule to play by, such as even_seats.")
@click.option("--policy", default="greedy", show_default=True, type=click.Choice(POLICIES), help="Who plays.")
@click.option(
    "--match",
    metavar="ONE:OTHER[:...]",
    help="Policies against each other, changing chairs: two, or one for each chair.",
)
@click.option("--budget", metavar="MS[:MS]", help="Milliseconds a move for those that think; two for two in a match.")
@click.option("--walks", metavar="N[:N]", help="Walks a move instead: the same seed plays the same again.")
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--pack", default=STANDARD, show_default=True, help="A built-in card pack, or a folder with one.")
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
    if asked.bench:
        click.echo("\n".join(_of_its_own(asked)))
        return
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
            write_text(asked.svg, picture(report))
    else:
        report = _games(asked)
    if asked.html is not None:
        write_text(asked.html, page(report, _again(asked)))
    click.echo(json.dumps(report, indent=2) if asked.as_json else as_table(report))


def _of_its_own(asked: SimulationRequest) -> Iterable[str]:
    """Return what came of games whose bots a module of their own brings."""
    bench = import_module(asked.bench)
    pack = game_of(asked.game).home_pack if asked.pack == STANDARD else asked.pack
    try:
        request = bench.StudyRequest(
            asked.numbers, asked.players, asked.company, asked.seed, pack, asked.scenario or "", asked.together
        )
        lines: Iterable[str] = bench.study(request)
    except PackFaults as faults:
        wrong_use(f"--pack: {faults}")
    except Refusal as refusal:
        wrong_use(refusal.message)
    except LookupError as unknown:
        wrong_use(f"--policy: {unknown}")
    return lines


def _games(asked: SimulationRequest) -> GamesReport:
    company = asked.company
    tournament = _tournament(asked, company)
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
    tournament = _tournament(asked, [asked.policy])
    tally, shelf = TogetherTally(), asked.shelf()
    played = (
        (serialize_evening(tournament.play(number)) for number in asked.numbers)
        if shelf is None
        else shelf.games(asked.numbers, tournament.play, serialize_evening)
    )
    for evening in with_progress(played, asked.games):
        tally.add(evening)
    return tally.report(_heading(asked, asked.policy), asked.together)


def _tournament(asked: SimulationRequest, company: list[str]) -> Tournament:
    """Return the games that were asked for; house rules that do not go together, or with the pack, are wrong use."""
    box = box_named(asked.pack)
    if "even_seats" in asked.rules and asked.players not in box.head_starts:
        wrong_use(f"--rule: the pack {asked.pack} has no head starts for {asked.players} players.")
    try:
        return Tournament(box, company, asked.players, asked.seed, asked.thinking, Terms(asked.together, asked.rules))
    except Refusal as refusal:
        wrong_use(f"--rule: {refusal}")


def _calibration(asked: SimulationRequest) -> CalibrationReport:
    calibration = Calibration(box_named(asked.pack), asked.players, asked.seed, PLAYOUTS)
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
    words += [f"--rule {rule}" for rule in asked.rules]
    words += [f"--first {asked.first}"] if asked.first else []
    words += ["--calibrate"] if asked.calibrate else ["--study"]
    return " ".join(words)


def write_text(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{file}: {(error.strerror or 'cannot be written').lower()}") from error


def box_named(pack: str) -> Box:
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
