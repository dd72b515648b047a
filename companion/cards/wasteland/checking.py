"""Says of a pack of the second game what it holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland import loader
from companion.cards.wasteland.loader import load_pack

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

KINDS: Final = ("agendas", "enemies", "cards", "perks", "quests", "encounters", "characters", "scenarios")


def is_one(path: str | PathLike[str]) -> bool:
    """Whether a path is a pack of the second game: one file, or a folder with survivors."""
    place = Path(path)
    return (place.suffix == ".toml" and place.is_file()) or (place / "survivors.toml").is_file()


def report(path: str | PathLike[str]) -> Iterator[str]:
    """What it holds; PackFaults tells all that is wrong with it."""
    place = Path(path)
    pack = loader.load(str(place), place.read_bytes()) if place.is_file() else load_pack(place)
    counts = ", ".join(f"{len(getattr(pack, kind))} {kind}" for kind in KINDS)
    dice = "dice known" if pack.dice else "dice keyed in"
    yield f"{path}: {pack.id}: {counts}; {dice}; {'verified' if pack.verified else 'unverified'}"
