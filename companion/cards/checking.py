"""Says of a card pack what it holds, or everything that is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.cards.loader import builtin, builtin_names, load_pack
from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from companion.cards.pack import Pack


def packs_in(path: str | PathLike[str]) -> list[str]:
    """Return the packs at a path: a folder of packs is each of them."""
    folder = Path(path)
    if not folder.is_dir() or list(folder.glob("*.toml")):
        return [str(path)]
    return [str(pack) for pack in sorted(folder.iterdir()) if pack.is_dir() and list(pack.glob("*.toml"))] or [
        str(path)
    ]


def report(path: str, overlay: str | None) -> Iterator[str]:
    """Say what the pack in a folder (or built in under this name) holds; PackFaults tells all that is wrong with it."""
    pack = _load(path, overlay)
    counts = (
        f"{len(pack.top_level)} rooms of the top level",
        f"{sum(card.copies for card in pack.rooms)} rooms to build",
        f"{sum(card.copies for card in pack.items)} items",
        f"{sum(card.copies for card in pack.threats)} threats",
    )
    state = "verified" if pack.verified else f"unverified, {len(pack.confirmed)} of {len(pack.cards)} cards confirmed"
    yield f"{path}: {pack.id}: {', '.join(counts)}; {state}"
    yield from (f"{path}: warning: {warning}" for warning in pack.warnings)
    unnamed = [code for code in catalogues.codes() if code not in pack.names]
    yield from (f"{path}: warning: no names in {code}; English is used" for code in unnamed)


def _load(name: str, overlay: str | None) -> Pack:
    if name in builtin_names() and not Path(name).exists():
        return builtin(name, overlay)
    return load_pack(name, overlay)
