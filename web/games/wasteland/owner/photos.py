"""Photos of the owner's cards, kept beside the pack: a card that was taken once is named by the next photo of it."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.corner import CORNER
from companion.refusal import Refusal
from companion.table.record.data_folder import put

if TYPE_CHECKING:
    from pathlib import Path

    from companion.vision.arrays import Array

MOST: Final = 3
"""Photos of a card: one more takes the place of the oldest."""


class Photos:
    """The photos of one kind of card, by the id of the card."""

    def __init__(self, folder: Path, kind: str) -> None:
        self._folder, self._kind = folder / CORNER.photos, kind

    def named(self, sent: str) -> tuple[str, str]:
        """Return the card that a photo shows, empty where none is sure, and the card cut out of it as text."""
        from companion.vision.cards import card_photo  # noqa: PLC0415 - only who takes photos needs the eye

        photo = _read(sent)
        found, card = card_photo.CardAlbum(self._enrolled()).name(photo)
        text = base64.urlsafe_b64encode(card_photo.write_photo(card)).decode()
        return (found.card if found is not None and found.is_sure else ""), text

    def keep(self, card: str, cut: str) -> None:
        """Keep a card that was cut out of a photo; the disk may be full, and nobody waits for it."""
        _read(cut)
        places = [self._folder / f"{self._kind}~{card}~{nth}.jpg" for nth in range(MOST)]
        free = next((one for one in places if not one.is_file()), None)
        oldest = free or min(places, key=lambda one: one.stat().st_mtime)
        put(oldest, base64.urlsafe_b64decode(cut))

    def _enrolled(self) -> dict[str, list[Array]]:
        from companion.vision.cards.card_photo import read_photo  # noqa: PLC0415

        found: dict[str, list[Array]] = {}
        for file in sorted(self._folder.glob(f"{self._kind}~*~*.jpg")):
            picture = read_photo(file.read_bytes())
            if picture is not None:
                found.setdefault(file.stem.split("~")[1], []).append(picture)
        return found


def _read(sent: str) -> Array:
    from companion.vision.cards.card_photo import read_photo  # noqa: PLC0415

    try:
        photo = read_photo(base64.urlsafe_b64decode(sent.encode("ascii", "replace")))
    except (binascii.Error, ValueError):
        photo = None
    if photo is None:
        raise Refusal("malformed", None, "That is no picture.", field="photo")
    return photo
