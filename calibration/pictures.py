"""The enrolled pictures of a deck: one file for each card and light, in a folder beside the profile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import cv2

from calibration.notes import StepError, fault
from calibration.profiles import write_whole
from companion.vision.profile import PICTURES

if TYPE_CHECKING:
    from pathlib import Path

    from calibration.profiles import ProfileFile
    from companion.vision.arrays import Array
    from companion.vision.profile import Profile

FOLDER: Final = "cards"
LIGHTS: Final = ("day", "lamp", "evening")
"""Three pictures in different light name a card far better than one."""
QUALITY: Final = 95


@dataclass(frozen=True, slots=True)
class Deck:
    """The pictures of a profile's cards."""

    file: ProfileFile

    def folder(self, card: str) -> Path:
        """Where a card's pictures are."""
        return self.file.folder / FOLDER / card

    def lights(self, card: str) -> list[str]:
        """In which lights a card has a picture."""
        folder = self.folder(card)
        return sorted(path.stem for path in folder.iterdir() if path.suffix in PICTURES) if folder.is_dir() else []

    def missing(self, profile: Profile, light: str) -> list[str]:
        """The cards without a picture in a light."""
        return [name for name in profile.cards if light not in self.lights(name)]

    def put(self, card: str, light: str, picture: Array) -> None:
        """Keep a card's picture in a light; one taken again takes the place of the old one."""
        raw = self.file.raw().get("cards", {}).get(card)
        if raw is None:
            raise StepError(fault("no_such_card", card=card[:60]))
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if not done:
            raise StepError(fault("no_picture_yet"))
        path = self.folder(card) / f"{light}.jpg"
        try:
            write_whole(path, bytes(data))
        except OSError as error:
            raise StepError(fault("not_written", file=path.name, why=error.strerror or str(error))) from error
        art = with_folder(raw.get("art", []), f"{FOLDER}/{card}")
        if art != raw.get("art"):
            self.file.change({"cards": {card: {"art": art}}})

    def forget(self, card: str) -> None:
        """Throw a card's enrolled pictures away, to take them again."""
        raw = self.file.raw().get("cards", {}).get(card)
        if raw is None:
            raise StepError(fault("no_such_card", card=card[:60]))
        mine = f"{FOLDER}/{card}"
        art = [one for one in as_list(raw.get("art", [])) if one != mine]
        self.file.change({"cards": {card: {"art": art}}})
        for light in self.lights(card):
            for path in self.folder(card).glob(f"{light}.*"):
                path.unlink()


def as_list(art: Any) -> list[Any]:
    """The art of a card, which may be one text."""
    return [art] if isinstance(art, str) else list(art)


def with_folder(art: Any, folder: str) -> list[Any]:
    """The art of a card with its folder of enrolled pictures in it."""
    listed = as_list(art)
    return listed if folder in listed else [*listed, folder]
