"""Reads the tracks beside the vault, where a mat has them: each place by sticker, else by picture."""

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.art import Art
from companion.vision.gallery import Gallery
from companion.vision.pose import Pose
from companion.vision.profile import Profile
from companion.vision.tags import Tag

SCALE = 1.0
MARGIN = 8.0  # mm around the cards: a place on it is read though the card lies a little off
SIGNS = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)])
LEAST_SCORE, LEAST_MARGIN = 1.3, 0.08
FLAT = 12.0  # grey levels of contrast up to which a place is bare


class Tracks:
    """Names the cards on the tracks."""

    def __init__(self, profile: Profile, arts: list[Art]) -> None:
        self._profile = profile
        wanted = {"items": "item", "rooms": "room"}
        self._galleries = {
            name: Gallery([(art.card, art.picture) for art in arts if art.card.kind == wanted.get(name, "item")])
            for name in profile.tracks
        }

    def read(self, picture: Array, pose: Pose, tags: list[Tag]) -> tuple[dict[str, tuple[str | None, ...]], set[str]]:
        """Name the card on every place of every track; also the places (`items:0`) that cannot be told."""
        owners = self._profile.card_of_tag()
        spots = [(pose.ground(tag.centre[None])[0], owners[tag.id].name) for tag in tags if tag.id in owners]
        read: dict[str, tuple[str | None, ...]] = {}
        unsure: set[str] = set()
        for name, middles in self._profile.tracks.items():
            row = []
            for index, middle in enumerate(middles):
                card, sure = self._place(picture, pose, middle, spots, self._galleries[name])
                row.append(card)
                if not sure:
                    unsure.add(f"{name}:{index}")
            read[name] = tuple(row)
        return read, unsure

    def around(self, pose: Pose, picture: Array) -> tuple[slice, slice] | None:
        """The part of a picture that shows the tracks: rows and columns; None where none is in sight."""
        middles = [middle for row in self._profile.tracks.values() for middle in row]
        if not middles:
            return None
        half = np.array(self._profile.card) / 2 + MARGIN
        corners = np.array([np.array(middle) + half * sign for middle in middles for sign in SIGNS])
        points = pose.project(np.c_[corners, np.zeros(len(corners))])
        left, top = np.maximum(np.floor(points.min(axis=0)).astype(int), 0)
        right, low = np.ceil(points.max(axis=0)).astype(int)
        part = slice(int(top), int(min(low, picture.shape[0]))), slice(int(left), int(min(right, picture.shape[1])))
        return part if part[0].start < part[0].stop and part[1].start < part[1].stop else None

    def _place(
        self, picture: Array, pose: Pose, middle: tuple[float, float], spots: list[tuple[Array, str]], gallery: Gallery
    ) -> tuple[str | None, bool]:
        width, height = self._profile.card
        for spot, card in spots:
            if abs(spot[0] - middle[0]) < width / 2 and abs(spot[1] - middle[1]) < height / 2:
                return card, True
        crop = self._crop(picture, pose, middle)
        if crop is None:
            return None, False
        if float(crop.std(axis=(0, 1)).mean()) < FLAT:
            return None, True
        named = gallery.name(crop)
        if named is not None and named.score > LEAST_SCORE and named.margin > LEAST_MARGIN:
            return named.card.name, True
        return None, False

    def _crop(self, picture: Array, pose: Pose, middle: tuple[float, float]) -> Array | None:
        """Cut a card's place out of the picture, seen from above; None where the picture does not show it."""
        half_x, half_y = self._profile.card[0] / 2, self._profile.card[1] / 2
        corners = np.array([(-half_x, half_y), (half_x, half_y), (half_x, -half_y), (-half_x, -half_y)]) + middle
        points = pose.project(np.c_[corners, np.zeros(4)]).astype(np.float32)
        if (points < 0).any() or (points >= (picture.shape[1], picture.shape[0])).any():
            return None
        size = (round(2 * half_x * SCALE), round(2 * half_y * SCALE))
        flat = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], dtype=np.float32)
        return np.asarray(cv2.warpPerspective(picture, cv2.getPerspectiveTransform(points, flat), size))
