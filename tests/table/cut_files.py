"""Ends a writer of a small file at every step that it makes on the disk, and reads what it left: one JSON line each.

usage: cut_files.py WHERE WRITER
"""

import json
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from calibration.profiles import ProfileFile
from calibration.steps.columns import write_columns
from companion.canonical import text_of
from companion.cards.loader import overlay_path
from companion.table.record.checkpoint import Checkpoint, load, save
from companion.table.record.data_folder import put
from companion.table.record.entries import LastEntry
from companion.table.record.open_game import replay
from companion.table.record.record import Record
from companion.table.record.verify import inspect
from companion.table.session.intents import HOST, Freeze, StartGame
from companion.table.session.session import Session
from companion.table.session.settings import Settings, keep, kept
from tests.table.cut_short import cut
from web.base.access import Access, Locks
from web.base.past_games import FOLDER
from web.games.wasteland.owner.own_packs import Packs

CODE = "AAAAAA"


def claimed(folder, colour):
    access = Access(folder)
    access._codes[colour] = CODE
    access.claim(colour, CODE)


def seats(folder):
    access = Access(folder)
    return [colour for colour in ("red", "blue") if not access.is_free(colour)]


def tokens(folder):
    return [one.name for one in Locks(folder).tokens]


def profile(folder):
    return ProfileFile(folder / "profile.json").raw().get("figures", {})


def measured(folder, colours):
    ProfileFile(folder / "profile.json").change({"figures": {colour: {"hue": 1} for colour in colours}})


def columns(folder, last):
    write_columns(overlay_path(folder, "standard"), "standard", [2, 3, 4, 5, 6, 8, 9, 10, 11, 12, None, last])


def session_of(folder, does):
    with Record(folder) as record:
        session = Session(record)
        session.start()
        does(session)
        session.stop()


def began(folder):
    session_of(folder, lambda session: session.ask(StartGame({"players": ["red", "blue"]}, speaker=HOST)).result(60))


def froze(folder):
    put(folder / FOLDER / "game-1.jpg", b"the table")
    session_of(folder, lambda session: session.ask(Freeze("game-1.jpg", speaker=HOST)).result(60))


def frozen(folder):
    found = inspect(folder)
    ((_, entries),) = found.games.items()
    replayed = replay(entries)
    lies = replayed.open_game.frozen
    assert not found.damage
    assert replayed.trouble is None
    assert lies is None or (folder / FOLDER / lies["photo"]).read_bytes() == b"the table"
    return lies is not None


WRITERS = {
    "settings": (
        lambda folder: keep(folder, Settings(rest=1.0)),
        lambda folder: keep(folder, Settings(rest=2.0, way="button")),
        lambda folder: str(kept(folder, Settings())),
    ),
    "seats": (lambda folder: claimed(folder, "red"), lambda folder: claimed(folder, "blue"), seats),
    "locks": (lambda folder: Locks(folder).new_token("a"), lambda folder: Locks(folder).new_token("b"), tokens),
    "profile": (lambda folder: measured(folder, ["red"]), lambda folder: measured(folder, ["blue"]), profile),
    "columns": (
        lambda folder: columns(folder, 2),
        lambda folder: columns(folder, 12),
        lambda folder: overlay_path(folder, "standard").read_text(encoding="utf-8"),
    ),
    "pack": (
        lambda folder: Packs(folder).begin("homemade"),
        lambda folder: Packs(folder).keep(f"{Packs(folder).text()}# more\n"),
        lambda folder: Packs(folder).text(),
    ),
    "checkpoint": (
        lambda folder: save(folder, Checkpoint(1, 9, {"a": LastEntry("a", 0, "x")}, "a")),
        lambda folder: save(folder, Checkpoint(2, 19, {"a": LastEntry("a", 1, "y")}, "a")),
        lambda folder: str(load(folder)),
    ),
    "freeze": (began, froze, frozen),
}


def main(where, name):
    before, does, reads = WRITERS[name]
    old = Path(where) / "old"
    old.mkdir(parents=True)
    before(old)
    whole = shutil.copytree(old, Path(where) / "whole")
    does(whole)
    known = [text_of(reads(old)), text_of(reads(whole))]
    step, goes_on = 0, True
    while goes_on:
        step += 1
        folder = shutil.copytree(old, Path(where) / f"{step}")
        goes_on = cut(step, lambda folder=folder: does(folder))
        found = text_of(reads(folder))
        with suppress(ValueError):
            found = known.index(found)
        if found == 0:
            does(folder)  # what was left is not in the way
            assert text_of(reads(folder)) == known[1]
        sys.stdout.write(f"{json.dumps({'step': step, 'cut': goes_on, 'found': found})}\n")
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
