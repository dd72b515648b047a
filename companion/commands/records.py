"""`companion games`, `replay`, `export`, `backup`, `restore`: the record from the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, TypeVar

import click

from companion.app.config import add_games
from companion.fair.check import BY_PEOPLE, check
from companion.refusal import Refusal
from companion.table.record import backup as copies
from companion.table.record.audit import DAMAGED, audit, sum_up
from companion.table.record.checkpoint import inspect_and_read_later
from companion.table.record.data_folder import VARIABLE, data_folder
from companion.table.record.entries import Damage, RecordError
from companion.table.record.export import FORMATS, FoundGame, NoSuchGameError, exported, find
from companion.table.record.history import Ends
from companion.table.record.open_game import Replayed, replay
from companion.table.record.record import now
from companion.table.record.verify import inspect

if TYPE_CHECKING:
    from companion.fair.check import Fairness
    from companion.games.api import AnyGame
    from companion.table.record.entries import Entry
    from companion.table.record.open_game import OpenGameState

Function = TypeVar("Function", bound=Callable[..., None])


class Failed(click.ClickException):
    """What a person asked for did not work out: one clear line, exit 1."""


def in_the_record(function: Function) -> Function:
    """Add the option for the data folder; troubles with the record become one clear line."""

    @click.option(
        "--data", metavar="FOLDER", help=f"Where the record is; otherwise ${VARIABLE}, or the XDG data folder."
    )
    @wraps(function)
    def wrapped(data: str | None, **arguments: object) -> None:
        try:
            folder = data_folder(data, os.environ)
            add_games(folder)
            function(folder=folder, **arguments)
        except NoSuchGameError as error:
            raise click.UsageError(str(error)) from error
        except RecordError as error:
            raise Failed(str(error)) from error
        except Refusal as refusal:
            raise Failed(refusal.message) from refusal
        except OSError as error:
            raise Failed(f"{error.filename or data}: {error.strerror}") from error

    return wrapped  # type: ignore[return-value]  # click's own decorators are typed no better


def _tell(damage: Iterable[Damage]) -> None:
    for one in damage:
        click.echo(f"damage: {one}", err=True)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
@in_the_record
def games(folder: Path, *, as_json: bool) -> None:
    """List the games of the record, the current one marked."""
    found = inspect_and_read_later(folder)
    rows = [_row(entries, current=game == found.current) for game, entries in found.games.items()]
    if as_json:
        whole = {"games": rows, "damage": [damage.as_json() for damage in found.damage]}
        click.echo(json.dumps(whole, ensure_ascii=False))
    for row in [] if as_json else rows:
        mark = "*" if row["current"] else " "
        players = ", ".join(row["players"])
        click.echo(f"{mark} {row['id']}  {row['began']}  {row['entries']} entries  {row['plays']}: {players}")
    if not rows and not as_json:
        click.echo(f"No games yet in {folder}.")
    _tell(found.damage)
    if found.broken:
        raise SystemExit(1)


class GameRow(TypedDict):
    """A game of the record in a line."""

    id: str
    current: bool
    plays: object
    began: str
    entries: int
    players: list[str]
    pack: str


def _row(entries: list[Entry], *, current: bool) -> GameRow:
    first = entries[0].body
    players, pack = _within(first.get("setup"), "players"), _within(first.get("pack"), "hash")
    return {
        "id": entries[0].game,
        "current": current,
        "plays": first.get("plays"),
        "began": str(first.get("at", "")),
        "entries": len(entries),
        "players": list(map(str, players)) if isinstance(players, list | tuple) else [],
        "pack": str(pack or "")[:12],
    }


def _within(whole: object, key: str) -> object:
    """Return a part of an entry that verifies, and may all the same be of any shape."""
    return whole.get(key) if isinstance(whole, dict) else None


@click.command("replay")
@click.argument("game")
@click.option("--to", type=click.IntRange(min=0), help="Stop after this entry.")
@click.option("--json", "as_json", is_flag=True, help="The whole state, for scripts.")
@click.option("--fair", is_flag=True, help="Check every roll and shuffle against what was promised.")
@in_the_record
def replay_command(folder: Path, game: str, to: int | None, *, as_json: bool, fair: bool) -> None:
    """Rebuild GAME (an id, or a file that was exported or backed up) from its record, and verify it."""
    found = find(game, folder)
    _tell(found.damage)
    if not found.entries:
        raise Failed(f"Nothing of {game} verifies.")
    if to is not None and to > found.entries[-1].nth:
        raise click.UsageError(f"There is no entry {to}; the last one is {found.entries[-1].nth}.")
    ends = Ends()
    replayed = replay(found.entries, to, ends.watch if fair else None)
    fairness = check(found.entries[: None if to is None else to + 1], ends.reopened) if fair else None
    if replayed.open_game is not None:
        state = replayed.open_game.state()
        more = {} if fairness is None else {"fairness": fairness.as_json()}
        rules = replayed.open_game.rules
        click.echo(json.dumps({**state, **more}, ensure_ascii=False) if as_json else _summary(state, rules, found))
    if fairness is not None and not as_json:
        click.echo("\n".join(_told(fairness)))
    _refuse_unless_verified(found, replayed)
    if fairness is not None and not fairness.is_fair:
        raise Failed("Chance does not follow from what was promised.")


def _told(fairness: Fairness) -> Iterable[str]:
    if not fairness.is_promised:
        yield "chance: played before chance could be checked, or with a seed that was given"
        return
    yield f"chance: promised as {fairness.promise}"
    yield "  the secret is " + ("the one that was promised" if fairness.kept else "WRONG: another was promised")
    for one in fairness.draws:
        if one.kind == "number":
            yield f"  a number of {one.by} (entry {one.entry}): {one.fell}"
    yield f"  {fairness.count('roll')} rolls, {fairness.count('shuffle')} shuffles, {len(fairness.wrong)} wrong"
    for one in fairness.draws:
        if one.kind == "reopened":
            yield f"  the end was taken back (entry {one.entry}): the secret was told before"
    yield "  by people: " + ", ".join(f"{fairness.count(kind)} {kind}" for kind in BY_PEOPLE)
    for one in fairness.wrong:
        should = f", and should be {one.follows}" if one.wrong == "value" else ""
        yield f"  WRONG ({one.wrong}): {one.kind} {one.nth} (entry {one.entry}) is {one.fell}{should}"


def _refuse_unless_verified(found: FoundGame, replayed: Replayed) -> None:
    if replayed.trouble is not None:
        raise Failed(str(replayed.trouble))
    if found.broken:
        raise Failed(f"The record does not verify; the last good entry is {found.entries[-1].nth}.")


def _summary(state: OpenGameState, rules: AnyGame, found: FoundGame) -> str:
    lines = [f"game {state['id']}: version {state['version']}, round {state['round']}, {state['phase']}"]
    for colour, player in state["players"].items():
        lines.append(f"  {colour}: {rules.summary(player)}")
    result = state["result"]
    if result is not None:
        lines.append(f"  won by {', '.join(result['winners']) or 'nobody'}")
    lines.append("last good entry:" if found.broken else "verified:")
    return "\n".join([*lines, f"  {found.entries[-1].nth} {found.entries[-1].hash}"])


@click.command()
@click.argument("game")
@click.option("--format", "wanted", type=click.Choice(sorted(FORMATS)), default="journal", show_default=True)
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="A file instead of the screen.")
@in_the_record
def export(folder: Path, game: str, wanted: str, output: Path | None) -> None:
    """Write GAME as a journal that can be replayed, or as JSON, a table (CSV) or a page (HTML)."""
    found = find(game, folder)
    _tell(found.damage)
    if not found.entries:
        raise Failed(f"Nothing of {game} verifies.")
    text = exported(wanted, found.entries)
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")
    if found.broken:
        raise Failed("The record does not verify; what was written is its last good state.")


@click.command()
@in_the_record
def verify(folder: Path) -> None:
    """Verify every entry of every game in both copies, also while a game is being played; exit 3 where one fails."""
    found = audit(folder, now())
    if found is None:
        damage = inspect(folder).damage
        _tell(damage)
        raise SystemExit(DAMAGED if damage else 0)
    click.echo(f"{folder}: {found.entries} entries in {len(found.games)} games, every one verified.")
    read = sum(1 for _ in sum_up(folder, found))
    if read:
        click.echo(f"{read} past games read for the history.")


@click.command("backup")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace a file that is there already.")
@click.option("--finished", is_flag=True, help="Leave out games that are not over: they hold their seed and decks.")
@in_the_record
def backup_command(folder: Path, out: Path, *, force: bool, finished: bool) -> None:
    """Copy the record into the single file OUT, also while a game is being played."""
    if out.exists() and not force:
        raise click.UsageError(f"{out} is there already; --force replaces it.")
    entries = copies.backup(folder, out, finished=finished)
    click.echo(f"{out}: {entries} entries, verified.")


@click.command("restore")
@click.argument("source", metavar="[IN]", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--last-good", is_flag=True, help="Take what verifies of a damaged file; without IN, of the record itself."
)
@in_the_record
def restore_command(folder: Path, source: Path | None, *, last_good: bool) -> None:
    """Make the backup IN the record, or add the game of an exported journal; what was there is kept aside."""
    if source is None:
        if not last_good:
            raise click.UsageError("Say which file, or --last-good to go on from what verifies of the record.")
        click.echo(f"The damaged files are in {copies.keep_last_good(folder)}.")
        return
    entries, aside = copies.restore(folder, source, last_good=last_good)
    click.echo(f"{folder}: {entries} entries restored.")
    if aside is not None:
        click.echo(f"What was there before is in {aside}.")
