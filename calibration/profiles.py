"""The profile on the disk: changed in parts, whole or not at all; what we do not know in it stays."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Final

from calibration.measuring.papers import fresh
from calibration.notes import StepError, fault
from companion.vision.checked import read_json
from companion.vision.profile import ProfileError, load_profile, parse_profile

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from companion.vision.profile import Profile

NARROW: Final = 100
SECTIONS: Final[tuple[str, ...]] = ("table", "camera", "figures", "cards")


class ProfileFile:
    """A profile that may not be there yet."""

    def __init__(self, path: Path, cards: Mapping[str, Any] | None = None) -> None:
        """`cards` are what a new profile knows of cards: ids with kind and tags."""
        self.path = path
        self._cards = dict(cards or {})

    @property
    def folder(self) -> Path:
        """What paths in the profile are relative to."""
        return self.path.parent

    def raw(self) -> dict[str, Any]:
        """What is written there, or a table before anything was measured."""
        if not self.path.exists():
            return {**fresh(), "cards": dict(self._cards)}
        try:
            read = read_json(self.path)
        except OSError as error:
            why = error.strerror or "it cannot be opened"
            raise StepError(fault("profile_unreadable", file=self.path.name, why=why)) from error
        except ValueError as error:
            raise StepError(fault("profile_unreadable", file=self.path.name, why=str(error))) from error
        if not isinstance(read, dict):
            raise StepError(fault("profile_unreadable", file=self.path.name, why="it is no object"))
        for name in _misshapen(read):
            raise StepError(fault("profile_unreadable", file=self.path.name, why=f"{name} is no object"))
        return read

    def know(self, cards: Mapping[str, Any]) -> None:
        """Learn a pack's cards, where the profile names none."""
        if not self.raw().get("cards"):
            self.change({"cards": dict(cards)})

    def profile(self) -> Profile:
        """The profile as the eyes read it; every fault in it is told."""
        try:
            if self.path.exists():
                return load_profile(self.path)
            return parse_profile(self.raw(), self.folder)
        except ProfileError as error:
            raise StepError(*(fault("profile_fault", file=self.path.name, why=why) for why in error.faults)) from error

    def change(self, patch: Mapping[str, Any]) -> None:
        """Lay a patch over it: objects merge, lists replace, None deletes. The file is exchanged at once."""
        data = merged(self.raw(), patch)
        try:
            parse_profile(data, self.folder)
        except ProfileError as error:
            raise StepError(*(fault("profile_fault", file=self.path.name, why=why) for why in error.faults)) from error
        try:
            write_whole(self.path, written(data))
        except OSError as error:
            raise StepError(fault("not_written", file=self.path.name, why=error.strerror or str(error))) from error


def _misshapen(read: dict[str, Any]) -> list[str]:
    """What the steps reach into before the eyes have judged the whole, and cannot."""
    parts = [(name, read[name]) for name in SECTIONS if name in read]
    for name, keys in (("camera", ("lens", "locked")), ("cards", None)):
        below = read.get(name)
        if isinstance(below, dict):
            parts += [(f"{name}.{key}", below[key]) for key in keys or below if key in below]
    return [name for name, value in parts if not isinstance(value, dict)]


def merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Lay one object over another."""
    found = dict(under)
    for key, value in over.items():
        if value is None:
            found.pop(key, None)
        elif isinstance(value, dict):
            below = found.get(key)
            found[key] = merged(below if isinstance(below, dict) else {}, value)
        else:
            found[key] = value
    return found


def written(value: Any, indent: int = 0) -> str:
    """JSON for people: what fits into a line is one, the rest is indented."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or (indent and len(line) + indent < NARROW):
        return line + ("\n" if not indent else "")
    pad, inner = "\n" + " " * indent, "\n" + " " * (indent + 1)
    if isinstance(value, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {written(one, indent + 1)}" for key, one in value.items()]
        text = "{" + inner + ("," + inner).join(parts) + pad + "}" if parts else "{}"
    else:
        text = "[" + inner + ("," + inner).join(written(one, indent + 1) for one in value) + pad + "]"
    return text + ("\n" if not indent else "")


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that it is the old one or the new one, whenever the plug is pulled."""
    path.parent.mkdir(parents=True, exist_ok=True)
    newer = path.with_name(f".{path.name}.new")
    with newer.open("wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())
    newer.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
