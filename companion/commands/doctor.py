"""`companion doctor`: says how everything is that the table needs, and what to do."""

from __future__ import annotations

import io
import json
import logging
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.app.doctor.bundle import bundle as write_bundle
from companion.app.doctor.examine import LOG, as_json, examine
from companion.commands.run import configured
from companion.table.health import State
from hardware.panel.wiring import WiringFaults, load, printed
from web.base.words import words_in
from web.pages.doctor.view import told

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKS = {State.OK: "ok  ", State.NOTE: "note", State.FAIL: "FAIL"}
WIDEST = 12


@click.command()
@click.option("--json", "in_json", is_flag=True, help="For scripts.")
@click.option("--config", "file", metavar="FILE", type=click.Path(path_type=Path), help="The table's configuration.")
@click.option("--data", metavar="FOLDER", help="Where the record is.")
@click.option("--bundle", metavar="FILE", type=click.Path(path_type=Path), help="Write one file for a bug report.")
@click.option("--pictures", is_flag=True, help="With --bundle: also what the camera sees now.")
@click.option("--wiring", is_flag=True, help="Print the wiring table instead.")
@click.option("--own", type=click.Path(path_type=Path), help="With --wiring: the owner's changes of it.")
def doctor(  # noqa: PLR0913 - each is an option of the command
    *,
    in_json: bool,
    file: Path | None,
    data: str | None,
    bundle: Path | None,
    pictures: bool,
    wiring: bool,
    own: Path | None,
) -> None:
    """Check everything that the table needs; each line says what to do. Fails if something needed does."""
    if wiring:
        _print_wiring(own)
        return
    config = configured(file, data)
    target = None if bundle is None else bundle.resolve()  # libraries of the pins go to another folder
    with _traces() as traces:
        checks = examine(config)
    words = words_in(config.language.value)
    sentences = {check.name: told(words, check) for check in checks}
    found = as_json(checks, sentences)
    if target is not None:
        try:
            held = write_bundle(target, config, found, traces=traces.getvalue(), pictures=pictures)
        except OSError as error:
            raise click.ClickException(f"{bundle}: {error.strerror or error}") from error
        click.echo(f"{bundle} holds {', '.join(held)}; no PIN, code, token or key.")
        click.echo(f"The games are those of {config.data}; others: --data FOLDER.")
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
    """Where checks that fail themselves leave their traces: for a bundle, not between the lines on a terminal."""
    traces = io.StringIO()
    handler = logging.StreamHandler(traces)
    LOG.addHandler(handler)
    try:
        yield traces
    finally:
        LOG.removeHandler(handler)


def _print_wiring(own: Path | None) -> None:
    try:
        click.echo(printed(load(own)))
    except WiringFaults as faults:
        for fault in faults.faults:
            click.echo(fault, err=True)
        raise SystemExit(1) from faults
