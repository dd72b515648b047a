"""`companion scenario` and `companion cards check`: run scenario files and check packs of any game."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from companion.app.config import ConfigFaults, add_games, load
from companion.cards.loader import packs_in
from companion.cards.pack import PackFaults
from companion.games.registry import DEFAULT, game_of, games
from companion.languages import catalogues
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck
from companion.table.record.data_folder import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from companion.cards.loader import PackText
    from companion.games.api import AnyGame

# What is alike in the scenarios of all games.
SHAPES: Final = {
    "name": (str, "a text"),
    "clauses": (list, "a list"),
    "seed": (int, "a whole number"),
    "moves": (list, "a list"),
    "then": (dict, "an object"),
    "overlay": (str, "a text"),
}
Packs = dict[tuple[str, str, Path | None], "PackText"]


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--config", metavar="FILE", type=click.Path(path_type=Path), help="The configuration that adds games.")
def scenario(files: tuple[Path, ...], config: Path | None) -> None:
    """Run scenario FILES; print each failure."""
    _add_games(config)
    packs: Packs = {}
    failed = 0
    for file in files:
        problems = _problems_of(file, packs)
        failed += bool(problems)
        for problem in problems:
            click.echo(f"{file}: {problem}", err=True)
    click.echo(f"{len(files) - failed} passed, {failed} failed")
    if failed:
        raise SystemExit(1)


def _add_games(config: Path | None) -> None:
    if config is None:
        add_games(data_folder(None, os.environ))
        return
    try:
        load(config)
    except ConfigFaults as faults:
        raise click.ClickException("\n".join(map(str, faults.faults))) from faults


def _problems_of(file: Path, packs: Packs) -> list[str]:
    try:
        raw = read_scenario(file)
        game = _game(raw)
        return game.scenario(raw, _pack(raw, game, packs, file.parent), SeededLuck(raw.get("seed") or 0))
    except Refusal as refusal:
        return [f"malformed: {refusal.message}"]


def read_scenario(file: Path) -> dict[str, Any]:
    try:
        raw = json.loads(file.read_text(encoding="utf-8"), parse_constant=_no_number)
    except OSError as error:
        raise Refusal("unreadable", None, f"cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise Refusal("malformed", None, f"is not JSON: {error}") from error
    if not isinstance(raw, dict):
        raise Refusal("malformed", None, "is not an object")
    for key, (kind, called) in SHAPES.items():
        if raw.get(key) is not None and type(raw[key]) is not kind:
            raise Refusal("malformed", None, f"{key} is not {called}", field=key)
    return raw


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _game(raw: Mapping[str, object]) -> AnyGame:
    name = raw.get("game", DEFAULT)
    try:
        return game_of(name)
    except Refusal as refusal:
        raise Refusal("malformed", None, f"there is no game {str(name)[:60]!r}", field="game") from refusal


def _pack(raw: Mapping[str, object], game: AnyGame, packs: Packs, folder: Path) -> PackText:
    """Return the pack that a scenario is played with; an owner's own and corrections of it lie beside the scenario."""
    overlay = None if raw.get("overlay") is None else folder / str(raw["overlay"])
    name = raw.get("pack", game.home_pack)
    ours = game.packs() or ("",)
    if isinstance(name, str) and name and name not in ours and _is_pack(game, folder / name):
        name = str(folder / name)
    elif not isinstance(name, str) or name not in ours:
        raise Refusal("malformed", None, f"there is no pack {str(name)[:60]!r}", field="pack")
    key = game.name, name, overlay
    if key not in packs:
        try:
            packs[key] = game.pack_text(name, None if overlay is None else str(overlay))
        except PackFaults as faults:
            raise Refusal("malformed", None, f"pack {name}: {faults}") from faults
    return packs[key]


def _is_pack(game: AnyGame, place: Path) -> bool:
    return place.exists() and game.check_pack(str(place), None) is not None


@click.group()
def cards() -> None:
    """Look after card packs."""


@cards.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--overlay", type=click.Path(path_type=Path), help="An owner's corrections beside the pack.")
@click.option(
    "--data", type=click.Path(path_type=Path), help="Where an owner's languages are, if not in the usual folder."
)
def check(paths: tuple[str, ...], overlay: Path | None, data: Path | None) -> None:
    """Check the packs at PATHS (folders, or the names of our own packs), and every language."""
    if data is not None:
        catalogues.look_in(data / catalogues.FOLDER)
    lines, ok = check_paths(paths, overlay)
    for line in lines:
        click.echo(line)
    if not ok:
        raise SystemExit(1)


def check_paths(
    paths: Iterable[str | PathLike[str]], overlay: str | PathLike[str] | None = None
) -> tuple[list[str], bool]:
    """Return a report on the packs at these paths, and whether all of them can be played with."""
    lines: list[str] = []
    sound = True
    for code in catalogues.codes():
        lines += [
            f"{code}: {file}: English is used for {len(keys)} missing: {', '.join(keys)}"
            for file, keys in catalogues.missing(code).items()
        ]
    lines += catalogues.faults()
    for path in [pack for one in paths for pack in packs_in(one)]:
        try:
            lines += _report(path, None if overlay is None else str(overlay))
        except PackFaults as faults:
            sound = False
            lines += map(str, faults.faults)
    return lines, sound


def _report(path: str, overlay: str | None) -> Iterable[str]:
    """Let each game report on its own packs; what none claims is reported by the default one."""
    every = sorted(games(), key=lambda one: one.name == DEFAULT)
    beside = next((told for game in every if (told := game.check_file(path)) is not None), None)
    if beside is not None:
        return list(beside)
    for game in every:
        found = game.check_pack(path, overlay)
        if found is not None:
            return list(found)
    raise AssertionError("the default game judges every pack")
