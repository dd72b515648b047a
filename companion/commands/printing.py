"""`companion print`: sheets of paper at true size, or a picture of every piece."""

from __future__ import annotations

import json
import socket
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cards.pack import PackFaults
from companion.games.registry import DEFAULT, game_of
from companion.languages import catalogues
from companion.pieces.drawing.pen import OverflowingError
from companion.pieces.drawing.raster import write_pictures
from companion.pieces.kinds.deck import TooManyCardsError
from companion.pieces.sheets import all_pieces, wasteland_pieces
from companion.pieces.sheets.paper import PAPERS, print_sheets
from companion.pieces.sheets.printed_profile import profile_of
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.pieces.sheets.paper import Printable

ALL = "all"
WHAT = tuple(dict.fromkeys((*all_pieces.SHEETS, *wasteland_pieces.SHEETS)))
PORT = 8000
LONGEST_ADDRESS = 300


def known_language(_ctx: click.Context, _option: click.Parameter, code: str) -> str:
    """Return the code of a language that there is, an owner's among them."""
    if code not in catalogues.codes():
        raise click.BadParameter(f"{code!r} is not one of {', '.join(catalogues.codes())}.")
    return code


def _with_sheets(_ctx: click.Context, _option: click.Parameter, name: str) -> str:
    """Return the module that makes a game's sheets; refuse a game that has none."""
    try:
        game = game_of(name)
    except Refusal as refusal:
        raise click.BadParameter(refusal.message) from refusal
    if not game.sheets:
        raise click.BadParameter(f"there are no sheets for {game.title}.")
    return game.sheets


@click.command("print")
@click.argument("out", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--paper", type=click.Choice(sorted(PAPERS)), default="a4", show_default=True)
@click.option("--what", type=click.Choice([*WHAT, ALL]), default=ALL, show_default=True)
@click.option("--png", type=click.Path(path_type=Path, file_okay=False), help="One PNG a piece, and manifest.json.")
@click.option("--game", "module", callback=_with_sheets, default=DEFAULT, show_default=True, help="Whose sheets.")
@click.option("--language", callback=known_language, default=catalogues.DEFAULT, show_default=True)
@click.option("--pack", "pack_name", default="homemade", show_default=True, help="A pack's name, or its folder.")
@click.option("--address", help="What the QR code says; otherwise this machine's name in the home network.")
def print_command(  # noqa: PLR0913, PLR0917 - one parameter an option
    out: Path | None,
    paper: str,
    what: str,
    png: Path | None,
    module: str,
    language: str,
    pack_name: str,
    address: str | None,
) -> None:
    """Write the sheets of a table to OUT.pdf at true size, or every piece as a picture."""
    if out is None and png is None:
        raise click.UsageError("Where to? Name a PDF file, or a folder with --png.")
    if address is not None and len(address) > LONGEST_ADDRESS:
        raise click.UsageError(f"--address: a code that phones can read has at most {LONGEST_ADDRESS} letters.")
    box = _printed(module, pack_name, language, address or f"http://{socket.gethostname()}.local:{PORT}/")
    if what not in (ALL, *box.sheets):
        raise click.UsageError(f"--what: of this game there are {', '.join(box.sheets)}.")
    sheets = box.sheets if what == ALL else (what,)
    try:
        if out is not None:
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_bytes(print_sheets(box, paper, sheets))
        if png is not None:
            pieces = [piece for sheet in sheets for piece in box.pieces(sheet)]
            write_pictures(pieces, png)
            profile = json.dumps(profile_of(pieces), indent=1)
            (png / "profile.json").write_text(f"{profile}\n", encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from error
    except (OverflowingError, TooManyCardsError) as error:
        raise click.ClickException(f"The pack cannot be printed: {error}.") from error


def _printed(module: str, pack: str, language: str, address: str) -> Printable:
    """Return what is printed of a pack that comes with the companion, or of one in a folder."""
    try:
        made: Printable = import_module(module).printed(pack, language, address)
    except PackFaults as faults:
        raise click.UsageError(f"{pack} is no card pack: `companion cards check {pack}` says why.") from faults
    except Refusal as refusal:
        raise click.UsageError(refusal.message) from refusal
    return made
