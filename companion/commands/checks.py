"""`companion scenario`: runs scenario files of any game and says what does not hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

import click

from companion.cards import loader as shelter_cards
from companion.cards.checking import check_paths
from companion.cards.pack import PackFaults
from companion.cards.wasteland import loader as wasteland_cards
from companion.games.shelter.cards.box import Box as ShelterBox
from companion.games.shelter.scenario import run as run_shelter
from companion.games.wasteland.box import WastelandBox
from companion.games.wasteland.scenario import run as run_wasteland
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.chance import Chance


class Runner(NamedTuple):
    """How the scenarios of one game are run."""

    pack: str
    packs: Callable[[], tuple[str, ...]]
    box: Callable[[str, Path | None], Any]
    run: Callable[[dict[str, Any], Any, Chance], list[str]]


GAMES: Final[dict[str, Runner]] = {
    "shelter": Runner(
        "standard",
        shelter_cards.builtin_names,
        lambda name, overlay: ShelterBox(shelter_cards.builtin(name, overlay)),
        run_shelter,
    ),
    "wasteland": Runner(
        "homemade",
        wasteland_cards.builtin_names,
        lambda name, _: WastelandBox(wasteland_cards.builtin(name)),
        run_wasteland,
    ),
}

# What is alike in the scenarios of all games.
SHAPES: Final = {
    "name": (str, "a text"),
    "clauses": (list, "a list"),
    "seed": (int, "a whole number"),
    "moves": (list, "a list"),
    "then": (dict, "an object"),
    "overlay": (str, "a text"),
}
Boxes = dict[tuple[str, str, Path | None], Any]


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def scenario(files: tuple[Path, ...]) -> None:
    """Run scenario FILES; print each failure."""
    boxes: Boxes = {}
    failed = 0
    for file in files:
        problems = _problems_of(file, boxes)
        failed += bool(problems)
        for problem in problems:
            click.echo(f"{file}: {problem}", err=True)
    click.echo(f"{len(files) - failed} passed, {failed} failed")
    if failed:
        raise SystemExit(1)


def _problems_of(file: Path, boxes: Boxes) -> list[str]:
    try:
        raw = read_scenario(file)
        game = _game(raw)
        box = _box(raw, game, boxes, file.parent)
        return GAMES[game].run(raw, box, SeededLuck(raw.get("seed") or 0))
    except Refusal as refusal:
        return [f"malformed: {refusal.message}"]


def read_scenario(file: Path) -> dict[str, Any]:
    """A scenario file as an object."""
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


def _game(raw: dict[str, Any]) -> str:
    game = raw.get("game", "shelter")
    if not isinstance(game, str) or game not in GAMES:
        raise Refusal("malformed", None, f"there is no game {str(game)[:60]!r}", field="game")
    return game


def _box(raw: dict[str, Any], game: str, boxes: Boxes, folder: Path) -> Any:
    """The cards that are played with; an owner's corrections of them lie beside the scenario."""
    runner = GAMES[game]
    overlay = None if raw.get("overlay") is None else folder / raw["overlay"]
    pack = raw.get("pack", runner.pack)
    if not isinstance(pack, str) or pack not in runner.packs():
        raise Refusal("malformed", None, f"there is no pack {str(pack)[:60]!r}", field="pack")
    key = game, pack, overlay
    if key not in boxes:
        try:
            boxes[key] = runner.box(pack, overlay)
        except PackFaults as faults:
            raise Refusal("malformed", None, f"pack {pack}: {faults}") from faults
    return boxes[key]


@click.group()
def cards() -> None:
    """Look after card packs."""


@cards.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--overlay", type=click.Path(path_type=Path), help="An owner's corrections beside the pack.")
def check(paths: tuple[str, ...], overlay: Path | None) -> None:
    """Check the packs at PATHS (folders, or the names of our own packs)."""
    lines, ok = check_paths(paths, overlay)
    for line in lines:
        click.echo(line)
    if not ok:
        raise SystemExit(1)
