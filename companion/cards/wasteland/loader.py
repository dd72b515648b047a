"""Packs of the wasteland: read from a folder, a file or a record, and what they hold in a line."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.cards.loader import PackText
from companion.cards.pack import Fault, PackFaults
from companion.cards.source import Source, parse_source, read_folder
from companion.cards.wasteland.assemble import NEEDED, OPTIONAL, assemble
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable
    from os import PathLike

    from companion.cards.source import Place
    from companion.cards.wasteland.types import WastelandPack


def load_pack(path: str | PathLike[str]) -> WastelandPack:
    """Return the pack in a folder; PackFaults tells all that is wrong with it."""
    return _load(Path(path))


def builtin(name: str) -> WastelandPack:
    """Return a pack that comes with the companion; LookupError if there is none of this name."""
    if name not in builtin_names():
        raise LookupError(f"no wasteland pack {name!r}; there are {', '.join(builtin_names())}")
    return _load(_builtins() / name)


def builtin_names() -> tuple[str, ...]:
    return tuple(sorted(folder.name for folder in _builtins().iterdir() if (folder / "pack.toml").is_file()))


def _builtins() -> Traversable:
    return resources.files("companion.cards.wasteland") / "packs"


def _load(folder: Traversable) -> WastelandPack:
    faults: list[Fault] = []
    pack = assemble(read_folder(folder, _files_in(folder), faults), faults)
    if faults:
        raise PackFaults(faults)
    return pack


def _files_in(folder: Traversable) -> tuple[str, ...]:
    return (*NEEDED, *(name for name in OPTIONAL if (folder / name).is_file()))


HEAD: Final = "pack.toml"
FILES: Final = {
    "agenda": "agendas.toml",
    "enemy": "enemies.toml",
    "card": "cards.toml",
    "survivor": "survivors.toml",
    "scenario": "scenarios.toml",
    "perk": "perks.toml",
    "quest": "quests.toml",
    "encounter": "encounters.toml",
    "tile": "tiles.toml",
}
"""The tables of a pack, and the files in which a folder has them."""


def read(file: str, content: bytes) -> tuple[dict[str, Any], list[Fault]]:
    """Return what is in a file of a whole pack, and everything that is wrong with it, at its lines."""
    source = parse_source(file, content)
    if isinstance(source, Fault):
        return {}, [source]
    faults: list[Fault] = []
    assemble(split(source), faults)
    return dict(source.data), sorted(set(faults))


def load(file: str, content: bytes) -> WastelandPack:
    """Return the pack in such a file; PackFaults tells all that is wrong with it."""
    source = parse_source(file, content)
    if isinstance(source, Fault):
        raise PackFaults([source])
    faults: list[Fault] = []
    pack = assemble(split(source), faults)
    if faults:
        raise PackFaults(faults)
    return pack


@dataclass(frozen=True, slots=True)
class PlayablePack:
    """A whole pack as far as it can be played, and everything that is wrong with the rest, at its lines."""

    data: dict[str, Any]
    pack: WastelandPack
    faults: list[Fault]


def playable(file: str, content: bytes) -> PlayablePack:
    """Leave out every record and setting with a fault, and what needs it; PackFaults where too little is left."""
    source = parse_source(file, content)
    if isinstance(source, Fault):
        raise PackFaults([source])
    told: list[Fault] = []
    while True:
        faults: list[Fault] = []
        pack = assemble(split(source), faults)
        told += faults
        if not faults:
            return PlayablePack(dict(source.data), pack, sorted(set(told)))
        left = _without(source, {fault.line for fault in faults})
        if left is None:
            raise PackFaults(sorted(set(told)))
        source = left


def _without(source: Source, lines: set[int]) -> Source | None:
    """Return the file without the records, or the values of its head, that stand at these lines."""
    records = sorted((line, place[:2]) for place, line in source.lines.items() if place[0] in FILES and len(place) > 1)
    first: dict[Place, int] = {}
    for line, place in records:
        first.setdefault(place, line)
    faulty: set[Place] = set()
    for line in lines:
        inside = [place for place, begins in first.items() if begins <= line]
        if inside:
            faulty.add(max(inside, key=lambda place: first[place]))
        else:
            faulty |= {max((place for place, at in source.lines.items() if at == line), key=len, default=())}
    faulty -= {()}
    if not faulty:
        return None
    lists = _lists(source)
    rows = {key: [nth for nth in range(len(raw)) if (key, nth) not in faulty] for key, raw in lists.items()}
    head = {key: value for key, value in source.data.items() if key not in FILES and (key,) not in faulty}
    for place in faulty:
        table = head.get(str(place[0]))
        if isinstance(table, dict) and len(place) > 1:
            head[str(place[0])] = {key: value for key, value in table.items() if key != place[1]}
    data = head | {key: [lists[key][nth] for nth in kept] for key, kept in rows.items() if kept}
    now: dict[Place, int] = {(key, old): new for key, kept in rows.items() for new, old in enumerate(kept)}
    moved: dict[Place, int] = {}
    for place, line in source.lines.items():
        if place[0] not in FILES or len(place) == 1:
            moved[place] = line
        elif place[:2] in now:
            moved[(place[0], now[place[:2]], *place[2:])] = line
    return Source(source.file, data, moved) if data != source.data else None


def _lists(source: Source) -> dict[str, list[object]]:
    """Return the records of each kind, as they were written."""
    return {key: raw for key in FILES if isinstance(raw := source.data.get(key), list)}


def split(source: Source) -> dict[str, Source]:
    """Split such a file into the files of a folder; every line stays where it was written."""
    head = {key: value for key, value in source.data.items() if key not in FILES}
    found = {HEAD: Source(source.file, head, source.lines)}
    for key, file in FILES.items():
        if key in source.data or file in NEEDED:
            own = {key: source.data[key]} if key in source.data else {}
            found[file] = Source(source.file, own, source.lines)
    return found


def texts(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the files of a folder for these tables."""
    head = {key: value for key, value in data.items() if key not in FILES}
    return {HEAD: written(head), **{file: written({key: data[key]}) for key, file in FILES.items() if key in data}}


def written(data: Mapping[str, Any]) -> str:
    """Return tables as TOML: plain values first, then the tables, then the rows of tables."""
    return "\n".join(_table(data, ())).strip() + "\n"


def _table(table: Mapping[str, Any], place: tuple[str, ...]) -> list[str]:
    lines = [
        f"{key} = {_value(value)}" for key, value in table.items() if not _is_table(value) and not _are_rows(value)
    ]
    for key, value in table.items():
        here = (*place, key)
        if _is_table(value):
            lines += ["", f"[{'.'.join(here)}]", *_table(value, here)]
        elif _are_rows(value):
            for row in value:
                lines += ["", f"[[{'.'.join(here)}]]", *_table(row, here)]
    return lines


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _are_rows(value: object) -> bool:
    """Return whether these are rows of tables in double brackets; small ones, as of a track, stand in one line."""
    if not isinstance(value, list) or not value or not all(isinstance(row, dict) for row in value):
        return False
    return not all(isinstance(field, int) for row in value for field in row.values())


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_value(one)}' for key, one in value.items())} }}" if value else "{}"
    return str(value) if isinstance(value, int) else _quoted(str(value))


def _quoted(text: str) -> str:
    """Write a text; the rows of a tile's pattern stay below each other."""
    rows = text.split("\n")
    if len(rows) > 1 and all(row.isprintable() for row in rows) and not set(text) & set('"\\'):
        return f'"""\n{text}"""'
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(one: str) -> str:
    if one in '"\\':
        return f"\\{one}"
    if one.isprintable():
        return one
    half = 0xD800 <= ord(one) < 0xE000  # noqa: PLR2004 - half a character is none
    return "\\uFFFD" if half else f"\\U{ord(one):08X}"


def pack_text(name_or_folder: str) -> PackText:
    """Return the files of a pack of ours, or of one in a folder; PackFaults tells all that is wrong with it.

    An owner's own pack is one file.
    """
    folder: Traversable = Path(name_or_folder)
    if Path(name_or_folder).is_file():
        return single_text(Path(name_or_folder))
    if name_or_folder in builtin_names():
        folder = _builtins() / name_or_folder
    elif not folder.is_dir():
        raise Refusal("no_such_pack", None, f"There is no pack {name_or_folder[:60]!r}.", pack=name_or_folder[:60])
    with resources.as_file(folder) as there:
        load_pack(there)
        files = {name: _text(there / name) for name in _files_in(there)}
    return PackText(tuple(sorted(files.items())))


def single_text(path: Path) -> PackText:
    """Return the files of a pack that is kept as one, without what is faulty: what can be played is played."""
    return PackText(tuple(sorted(texts(playable(path.name, path.read_bytes()).data).items())))


def skeleton() -> str:
    """Return a pack with what lies in the box, of which no card is entered yet."""
    return (resources.files("companion.cards.wasteland") / "skeleton.toml").read_text(encoding="utf-8")


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")


@lru_cache(maxsize=8)
def pack_of(text: PackText) -> WastelandPack:
    """Return the cards in the files. Faults were told when they were first read, so lines are not looked for again."""
    faults: list[Fault] = []
    pack = assemble({name: Source(name, tomllib.loads(content), {}) for name, content in text.files}, faults, kept=True)
    if faults:
        raise PackFaults(faults)
    return pack


KINDS: Final = ("agendas", "enemies", "cards", "perks", "quests", "encounters", "characters", "scenarios", "tiles")


def is_one(path: str | PathLike[str]) -> bool:
    """Return whether a path is a pack of the wasteland: one file, or a folder with survivors."""
    place = Path(path)
    return (place.suffix == ".toml" and place.is_file()) or (place / "survivors.toml").is_file()


def report(path: str | PathLike[str]) -> Iterator[str]:
    """Say what a pack holds; PackFaults tells all that is wrong with it."""
    place = Path(path)
    pack = load(str(place), place.read_bytes()) if place.is_file() else load_pack(place)
    counts = ", ".join(f"{len(getattr(pack, kind))} {kind}" for kind in KINDS)
    dice = "dice known" if pack.dice else "dice keyed in"
    yield f"{path}: {pack.id}: {counts}; {dice}; {'verified' if pack.verified else 'unverified'}"
