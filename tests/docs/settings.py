"""Settings as the documents write them, held against the readers that the companion starts with."""

import re
import tempfile
import tomllib
from functools import cache
from pathlib import Path
from unittest.mock import patch

from companion.app.config import TABLES, ConfigFaults, load
from companion.cards.loader import builtin
from companion.cards.pack import PackFaults
from companion.games import registry
from hardware.panel.wiring import WiringFaults
from hardware.panel.wiring import load as load_wiring

from .pages import blocks_of, spans

WRONG = "no-such-key"
PIG = Path(__file__).parents[2] / "examples/pig"
PIECE = re.compile(r"(\[[\w.]+\])? *(?:(\w+)( = .+)?)?")


def config_faults(text):
    """What the reader of `companion.toml` finds wrong; the files beside it are there."""
    with tempfile.TemporaryDirectory() as name, patch("companion.network.broker_settings._verify"):
        folder = Path(name)
        (folder / "companion.toml").write_text(text, encoding="utf-8")
        for example in PIG.glob("pig.*"):
            (folder / example.name).write_bytes(example.read_bytes())
        for file in re.findall(r'^password_file = "([\w.]+)"', text, re.MULTILINE):
            (folder / file).write_text("secret", encoding="utf-8")
        try:
            added = load(folder / "companion.toml").games
        except ConfigFaults as faults:
            return [f"{fault.found} ({fault.expected})" for fault in faults.faults]
        for game in added:
            registry.remove(game)
    return []


def wiring_faults(text):
    """What the reader of a wiring table finds wrong."""
    with tempfile.TemporaryDirectory() as name:
        own = Path(name) / "wiring.toml"
        own.write_text(text, encoding="utf-8")
        try:
            load_wiring(own)
        except WiringFaults as faults:
            return faults.faults
    return []


def overlay_faults(text):
    """What the reader of an owner's corrections finds wrong, with either pack."""
    told = []
    with tempfile.TemporaryDirectory() as name:
        own = Path(name) / "corrections.toml"
        own.write_text(text, encoding="utf-8")
        for pack in ("standard", "homemade"):
            try:
                builtin(pack, own)
            except PackFaults as faults:
                told.append([str(fault) for fault in faults.faults])
    return min(told, key=len) if len(told) > 1 else []


@cache
def known(table):
    """The keys that the reader knows of a table, out of its own mouth."""
    (told,) = [fault for fault in config_faults(f"[{table}]\n{WRONG} = 1\n") if WRONG in fault]
    return frozenset(told.partition("(one of ")[2].rstrip(")").split(", "))


def blocks_of_settings(text):
    """Blocks of TOML: those that say so, and indented ones that look like it."""
    for block in blocks_of(text):
        if block.kind == "toml" or (not block.kind and re.search(r"^(\[\w+\]|\w+ = .*)$", block.text, re.MULTILINE)):
            yield block.text


def told_in_sentences(text):
    """Pieces of TOML between backticks: tables, keys and values, each a table's text."""
    for span in spans(text):
        found = PIECE.fullmatch(span)
        if found and (found[1] or found[3]):
            table, key, value = found.groups()
            yield table and table.strip("[]"), key, value


def settings_faults(text):
    """What of a text about `companion.toml` its reader would not take."""
    faults = [fault for block in blocks_of_settings(text) for fault in config_faults(block)]
    for table, key, value in told_in_sentences(text):
        tables = [table] if table else [one for one in TABLES if key in known(one)]
        if not tables or tables[0] not in TABLES:
            faults.append(f"{table or key}: nobody knows it")
        elif key and key not in known(tables[0]):
            faults.append(f"{key}: no key of [{tables[0]}]")
        elif value:
            url = 'url = "mqtt://x"\n' if tables[0] == "mqtt" and key != "url" else ""
            faults += config_faults(f"[{tables[0]}]\n{url}{key}{value}\n")
    return faults


def panel_faults(text):
    """What of a text about the panel the reader of the wiring would not take, its pieces one behind the other."""
    lines = []
    for table, key, value in told_in_sentences(text):
        lines += [f"[{table}]"] if table else []
        lines += [f"{key}{value}"] if value else []
    try:
        return wiring_faults("\n".join(lines))
    except tomllib.TOMLDecodeError as error:
        return [str(error)]


def keys_in(rows):
    """The settings that a table with a table, a key and a meaning lists: (table, key)."""
    found, table = set(), ""
    for first, second, *_ in rows:
        table = first.strip("`[]") or table
        found |= {(table, key) for key in re.findall(r"`(\w+)`", second)}
    return found
