"""The cards' own pictures, made small once and kept."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.profile import Card, Profile


@dataclass(frozen=True, slots=True)
class Art:
    """One picture of a card, upright, at the scale of the view."""

    card: Card
    picture: Array


def size_mm(card: Card, profile: Profile) -> tuple[float, float]:
    """Give width and height of a card."""
    return profile.threat if card.kind == "threat" else profile.card


def load_art(profile: Profile, scale: float) -> tuple[list[Art], list[str]]:
    """Load every card's pictures; also names the files that are no pictures."""
    found, faults = [], []
    for card in profile.cards.values():
        width, height = (max(8, round(mm * scale)) for mm in size_mm(card, profile))
        for path in card.art:
            picture = cv2.imdecode(np.fromfile(path, dtype=np.uint8), cv2.IMREAD_COLOR) if path.stat().st_size else None
            if picture is None:
                faults.append(f"{path}: not a picture that can be read")
                continue
            small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
            found.append(Art(card, np.asarray(small)))
    return found, faults
