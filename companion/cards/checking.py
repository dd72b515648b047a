"""Says of card packs what they are, or everything that is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.cards.loader import builtin, builtin_names, load_pack
from companion.cards.pack import PackFaults
from companion.cards.wasteland import checking as wasteland

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike

    from companion.cards.pack import Pack


def check_paths(
    paths: Iterable[str | PathLike[str]], overlay: str | PathLike[str] | None = None
) -> tuple[list[str], bool]:
    """A report on the packs in these folders (or built in under these names), and whether all can be played with."""
    lines: list[str] = []
    sound = True
    for path in [pack for one in paths for pack in _packs_in(one)]:
        try:
            lines += wasteland.report(path) if wasteland.is_one(path) else _report(str(path), _load(path, overlay))
        except PackFaults as faults:
            sound = False
            lines += map(str, faults.faults)
    return lines, sound


def _packs_in(path: str | PathLike[str]) -> list[str | PathLike[str]]:
    """A folder of packs is each of them."""
    folder = Path(path)
    if not folder.is_dir() or list(folder.glob("*.toml")):
        return [path]
    return [pack for pack in sorted(folder.iterdir()) if pack.is_dir() and list(pack.glob("*.toml"))] or [path]


def _load(path: str | PathLike[str], overlay: str | PathLike[str] | None) -> Pack:
    name = str(path)
    if name in builtin_names() and not Path(name).exists():
        return builtin(name, overlay)
    return load_pack(path, overlay)


def _report(path: str, pack: Pack) -> Iterator[str]:
    counts = (
        f"{len(pack.top_level)} rooms of the top level",
        f"{sum(card.copies for card in pack.rooms)} rooms to build",
        f"{sum(card.copies for card in pack.items)} items",
        f"{sum(card.copies for card in pack.threats)} threats",
    )
    state = "verified" if pack.verified else f"unverified, {len(pack.confirmed)} of {len(pack.cards)} cards confirmed"
    yield f"{path}: {pack.id}: {', '.join(counts)}; {state}"
    yield from (f"{path}: warning: {warning}" for warning in pack.warnings)
