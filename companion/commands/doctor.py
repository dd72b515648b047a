"""`companion doctor`: check everything the table needs, and bundle a bug report without anything that opens a seat."""

from __future__ import annotations

import io
import json
import logging
import platform
import re
import tomllib
import zipfile
from contextlib import contextmanager
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.app.config import DeviceKind
from companion.app.devices import open_camera
from companion.app.doctor.machine_checks import output
from companion.app.doctor.report import report
from companion.app.doctor.table_checks import as_json, examine
from companion.commands.run import configured
from companion.table.ports import DeviceError, Health
from companion.table.record.checkpoint import inspect_and_read_later
from companion.table.record.export import as_journal, exported
from companion.table.record.history import story_of
from hardware.panel.wiring import WiringFaults, as_header, as_table, load
from web.base.words import words_in
from web.pages.doctor.view import told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.app.config import Config


LOG: Final = logging.getLogger(__name__)
SERVICE: Final = "table-companion"
LINES: Final = "2000"
SETTINGS: Final = ("companion.toml", "settings.toml", "profile.json")
NO_PICTURE: Final = "no picture: the camera gives none here (a running table has it: /host shows it)"
SECRET: Final = re.compile("pass|user|token|secret|key|url|pin|code", re.IGNORECASE)


def write_bundle(
    target: Path,
    config: Config,
    checks: dict[str, object],
    *,
    traces: Callable[[], str] = str,
    pictures: bool,
    hidden: bool = False,
) -> list[str]:
    """Write the file; return what it holds, in words, and what could not be had.

    `traces` gives those of what has failed up to the end. A game that is not over is written as everybody may read
    it, unless `hidden`: its journal holds the seed, the order of every deck and every hand, and whoever sends the
    bundle may be playing.
    """
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("checks.json", json.dumps(checks, ensure_ascii=False, indent=1))
        file.writestr("versions.txt", versions())
        found = inspect_and_read_later(config.data or Path())
        shortened = 0
        for game, entries in found.games.items():
            story = story_of(entries)
            if hidden or story.over:
                file.writestr(f"games/{game}.jsonl", as_journal(entries))
            else:
                file.writestr(f"games/{game}.json", exported("json", entries, story))
                shortened += 1
        file.writestr("damage.txt", "\n".join(map(str, found.damage)))
        for name in SETTINGS:
            path = (config.data or Path()) / name
            if path.is_file():
                file.writestr(name, without_secrets(path))
        log = output("journalctl", f"--namespace={SERVICE}", "--no-pager", "--lines", LINES, "--unit", SERVICE)
        if log:
            file.writestr("log.txt", log)
        contents = [
            f"{len(found.games)} games" + (f" ({shortened} not over: no seed, deck or hand)" if shortened else ""),
            "the versions",
            "these checks",
            "the log" if log else "no log: there is none",
        ]
        if pictures:
            picture = _picture(config)
            contents.append("what the camera sees" if picture else NO_PICTURE)
            if picture is not None:
                file.writestr("camera.jpg", picture)
        if traced := traces():
            file.writestr("traces.txt", traced)
        return contents


def versions() -> str:
    """Return the versions of the machine, its Python and every package."""
    packages = sorted({f"{one.metadata['Name']} {one.version}" for one in distributions()}, key=str.lower)
    return "\n".join([platform.platform(), f"Python {platform.python_version()}", *packages, ""])


def without_secrets(path: Path) -> str:
    """Return a file of settings as JSON, with the value of every key that sounds like a secret taken out."""
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        found = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        return f"This file cannot be read: {error}"
    return json.dumps(_cleared(found), ensure_ascii=False, indent=1)


def _cleared(value: object) -> object:
    if isinstance(value, dict):
        return {key: "(taken out)" if SECRET.search(key) else _cleared(inner) for key, inner in value.items()}
    return [_cleared(inner) for inner in value] if isinstance(value, list) else value


def _picture(config: Config) -> bytes | None:
    """Return what the camera sees now, unless the running table has it."""
    from companion.app.sight.vision_thread import encode_jpeg  # noqa: PLC0415 - OpenCV is loaded late

    if config.camera.kind is DeviceKind.OFF:
        return None
    try:
        camera = open_camera(config.camera)
        try:
            with camera.frame(full=True) as frame:
                return encode_jpeg(frame.image)
        finally:
            camera.close()
    except DeviceError:
        return None
    except Exception:  # a broken camera is what the bundle is written for
        LOG.exception("the camera fails in a way that is not known")
        return None


MARKS = {Health.OK: "ok  ", Health.NOTE: "note", Health.FAIL: "FAIL"}
WIDEST = 12


@click.command()
@click.option("--json", "in_json", is_flag=True, help="For scripts.")
@click.option("--config", "file", metavar="FILE", type=click.Path(path_type=Path), help="The table's configuration.")
@click.option("--data", metavar="FOLDER", help="Where the record is.")
@click.option("--bundle", metavar="FILE", type=click.Path(path_type=Path), help="Write one file for a bug report.")
@click.option("--pictures", is_flag=True, help="With --bundle: also what the camera sees now.")
@click.option("--hidden", is_flag=True, help="With --bundle: also seed, decks and hands of games that are not over.")
@click.option("--report", "as_report", is_flag=True, help="A row for the table of machines, to be pasted there.")
@click.option("--wiring", is_flag=True, help="Print the wiring table instead.")
@click.option("--own", type=click.Path(path_type=Path), help="With --wiring: the owner's changes of it.")
def doctor(  # noqa: PLR0913 - each is an option of the command
    *,
    in_json: bool,
    file: Path | None,
    data: str | None,
    bundle: Path | None,
    pictures: bool,
    hidden: bool,
    as_report: bool,
    wiring: bool,
    own: Path | None,
) -> None:
    """Check everything that the table needs; each line says what to do. Fails if something needed does."""
    if wiring:
        _print_wiring(own)
        return
    config = configured(file, data)
    target = None if bundle is None else bundle.resolve()  # libraries of the pins go to another folder
    words = words_in("en" if as_report else config.language)
    with _traces() as traces:
        checks = examine(config)
        sentences = {check.name: told(words, check) for check in checks}
        found = as_json(checks, sentences)
        try:
            held = (
                write_bundle(target, config, found, traces=traces.getvalue, pictures=pictures, hidden=hidden)
                if target is not None
                else []
            )
        except OSError as error:
            raise click.ClickException(f"{bundle}: {error.strerror or error}") from error
    if target is not None:
        click.echo(f"{bundle} holds {', '.join(held)}; no PIN, code, token or key.")
        click.echo(f"The games are those of {config.data}; others: --data FOLDER.")
    elif as_report:
        click.echo(report(checks, sentences))
        return
    elif in_json:
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        for check in checks:
            name = words.text(f"doctor_name_{check.name}")
            click.echo(f"{MARKS[check.state]}  {name:<{WIDEST}}  {sentences[check.name]}")
    if not found["ok"]:
        raise SystemExit(1)


@contextmanager
def _traces() -> Iterator[io.StringIO]:
    """Collect the traces of what fails in unknown ways: for a bundle, not between the lines on a terminal."""
    traces = io.StringIO()
    handler, ours = logging.StreamHandler(traces), logging.getLogger("companion")
    ours.addHandler(handler)
    try:
        yield traces
    finally:
        ours.removeHandler(handler)


def _print_wiring(own: Path | None) -> None:
    try:
        wiring = load(own)
        click.echo(f"{as_table(wiring)}\n\n{as_header(wiring)}")
    except WiringFaults as faults:
        for fault in faults.faults:
            click.echo(fault, err=True)
        raise SystemExit(1) from faults
