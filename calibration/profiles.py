"""The profile file: changed in parts, atomically, with what we do not know in it left alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

import cv2

from calibration.measuring.papers import new_profile
from calibration.steps.step import StepError, fault
from companion.table.record.data_folder import put
from companion.vision.figures.memory import KINDS, network_name
from companion.vision.json_reader import read_json
from companion.vision.profile import PICTURES, ProfileError, load_profile, parse_profile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from companion.pieces.sheets.printed_profile import CardJson, FigureLookJson, FigureMemoryJson, ProfileJson
    from companion.vision.arrays import Array
    from companion.vision.figures.memory import KnownLook
    from companion.vision.profile import Profile


NARROW: Final = 100
SECTIONS: Final[tuple[str, ...]] = ("table", "camera", "figures", "cards")


class ProfileFile:
    """A profile that may not be there yet."""

    def __init__(self, path: Path, cards: Mapping[str, CardJson] | None = None) -> None:
        """`cards` are what a new profile knows of cards: ids with kind and tags."""
        self.path = path
        self._cards = dict(cards or {})

    @property
    def folder(self) -> Path:
        """What paths in the profile are relative to."""
        return self.path.parent

    def raw(self) -> ProfileJson:
        """Return what is written there, or a new profile before anything was measured."""
        if not self.path.exists():
            return {**new_profile(), "cards": dict(self._cards)}
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
        return cast("ProfileJson", read)  # the steps reach no deeper than what was judged

    def know(self, cards: Mapping[str, CardJson]) -> None:
        """Add a pack's cards, where the profile names none."""
        if not self.raw().get("cards"):
            self.change({"cards": dict(cards)})

    def profile(self) -> Profile:
        """Return the parsed profile; raise StepError with every fault in it."""
        try:
            if self.path.exists():
                return load_profile(self.path)
            return parse_profile(self.raw(), self.folder)
        except ProfileError as error:
            raise StepError(*(fault("profile_fault", file=self.path.name, why=why) for why in error.faults)) from error

    def keep_answers(self, said: Sequence[KnownLook]) -> None:
        """Keep what people said of figures at the table, in place of what they had said before."""
        if not self.path.exists():
            raise StepError(fault("profile_unreadable", file=self.path.name, why="it is gone"))
        learned = [look for look in self.profile().figure_memory if not look.player]
        self.change({"figures": {"memory": memory_json([*learned, *said])}})

    def change(self, patch: ProfileJson) -> None:
        """Apply a patch: objects merge, lists replace, None deletes. The file is replaced atomically."""
        data = merged(self.raw(), patch)
        try:
            parse_profile(data, self.folder)
        except ProfileError as error:
            raise StepError(*(fault("profile_fault", file=self.path.name, why=why) for why in error.faults)) from error
        try:
            put(self.path, serialize(data).encode())
        except OSError as error:
            raise StepError(fault("not_written", file=self.path.name, why=error.strerror or str(error))) from error


def memory_json(looks: Sequence[KnownLook]) -> FigureMemoryJson:
    """Return examples of figures as a profile keeps them."""
    kept: list[FigureLookJson] = []
    for look in looks:
        one: FigureLookJson = {"kind": KINDS[look.kind], "features": look.packed(), "weight": look.weight}
        kept.append({**one, "player": look.player} if look.player else one)
    return {"network": network_name(), "looks": kept}


def _misshapen(read: dict[str, object]) -> list[str]:
    """Return the parts that steps reach into before the whole is parsed, and that are no objects."""
    parts = [(name, read[name]) for name in SECTIONS if name in read]
    for name, keys in (("camera", ("lens", "locked")), ("cards", None)):
        below = read.get(name)
        if isinstance(below, dict):
            parts += [(f"{name}.{key}", below[key]) for key in keys or below if key in below]
    return [name for name, value in parts if not isinstance(value, dict)]


def merged(under: Mapping[str, object], over: Mapping[str, object]) -> dict[str, object]:
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


def serialize(value: object, indent: int = 0) -> str:
    """Serialize JSON for people: what fits into a line is one, the rest is indented."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or (indent and len(line) + indent < NARROW):
        return line + ("\n" if not indent else "")
    pad, inner = "\n" + " " * indent, "\n" + " " * (indent + 1)
    if isinstance(value, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {serialize(one, indent + 1)}" for key, one in value.items()]
        text = "{" + inner + ("," + inner).join(parts) + pad + "}" if parts else "{}"
    else:
        text = "[" + inner + ("," + inner).join(serialize(one, indent + 1) for one in value) + pad + "]"
    return text + ("\n" if not indent else "")


FOLDER: Final = "cards"
LIGHTS: Final = ("day", "lamp", "evening")
"""Three pictures in different light name a card far better than one."""
QUALITY: Final = 95


@dataclass(frozen=True, slots=True)
class EnrolledDeck:
    """The pictures of a profile's cards."""

    file: ProfileFile

    def folder(self, card: str) -> Path:
        return self.file.folder / FOLDER / card

    def lights(self, card: str) -> list[str]:
        folder = self.folder(card)
        return sorted(path.stem for path in folder.iterdir() if path.suffix in PICTURES) if folder.is_dir() else []

    def missing(self, profile: Profile, light: str) -> list[str]:
        """Return the cards without a picture in a light."""
        return [name for name in profile.cards if light not in self.lights(name)]

    def put(self, card: str, light: str, picture: Array) -> None:
        """Keep a card's picture in a light; a new one replaces the old one."""
        raw = self.file.raw().get("cards", {}).get(card)
        if raw is None:
            raise StepError(fault("no_such_card", card=card[:60]))
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if not done:
            raise StepError(fault("no_picture_yet"))
        path = self.folder(card) / f"{light}.jpg"
        try:
            put(path, bytes(data))
        except OSError as error:
            raise StepError(fault("not_written", file=path.name, why=error.strerror or str(error))) from error
        art = with_folder(raw.get("art", []), f"{FOLDER}/{card}")
        if art != raw.get("art"):
            self.file.change({"cards": {card: {"art": art}}})

    def forget(self, card: str) -> None:
        """Delete a card's enrolled pictures, to take them again."""
        raw = self.file.raw().get("cards", {}).get(card)
        if raw is None:
            raise StepError(fault("no_such_card", card=card[:60]))
        mine = f"{FOLDER}/{card}"
        art = [one for one in as_list(raw.get("art", [])) if one != mine]
        self.file.change({"cards": {card: {"art": art}}})
        for light in self.lights(card):
            for path in self.folder(card).glob(f"{light}.*"):
                path.unlink()


def as_list(art: str | list[str]) -> list[str]:
    """Return the art of a card as a list; it may be one text."""
    return [art] if isinstance(art, str) else list(art)


def with_folder(art: str | list[str], folder: str) -> list[str]:
    """Return the art of a card with its folder of enrolled pictures in it."""
    listed = as_list(art)
    return listed if folder in listed else [*listed, folder]
