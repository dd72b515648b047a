"""Name the cards on the tracks, and tell a bare place from one that something smooth hides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.vision.arrays import Array, median
from companion.vision.cards.card_match import CardArt, WholeCardMatcher
from companion.vision.cards.reread import duplicate_tags
from companion.vision.scene.light import LINEAR
from companion.vision.scene.mat import FAINT, OTHER_HUE

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.vision.camera.pose import Pose
    from companion.vision.cards.tags import Tag
    from companion.vision.profile import CardProfile, Profile

LONG, SHORT = 12, 6  # samples along a card's edges
BESIDE = (2.0, 4.0)  # mm from its far and near edge; at the others there is only a gap
SPAN = 300.0  # mm
SPREAD, SHADE = 0.3, 0.45  # logarithms of light: what weighs less, and what is another brightness
ROUNDS = 8
FEW, MOST = 24, 0.6  # samples, and the share of them that must look alike
WHITE = 250  # of 255: brighter pixels are ignored


@dataclass(frozen=True, slots=True)
class TrackSurroundings:
    """The hue and brightness around the places, which changes slowly from one to the next."""

    hue: Array
    terms: Array

    def goes_on(self, crop: Array, middle: tuple[float, float]) -> bool:
        """Return whether a place shows the same as what is around all of them."""
        colour = median(crop.reshape(-1, 3).astype(np.float64), axis=0)
        if colour.min() >= WHITE:
            return False
        body = np.log(LINEAR[colour.astype(int)] + FAINT)[None]
        return bool(
            _alike(body, self.hue)[0] and abs(body.mean() - (_plane(np.array([middle])) @ self.terms)[0]) < SHADE
        )


def edging(picture: Array, pose: Pose, points: Array) -> TrackSurroundings | None:
    """Fit the surroundings of the places at points (n, 2) in mm; None where most of them do not look alike.

    Half of them may lie under something, so no single place is judged by its own surroundings.
    """
    pixels = np.round(pose.project(np.c_[points, np.zeros(len(points))])).astype(int)
    inside = ((pixels >= 0) & (pixels < (picture.shape[1], picture.shape[0]))).all(axis=1)
    if inside.sum() < FEW:
        return None
    colours = picture[pixels[inside, 1], pixels[inside, 0]]
    body, plane = np.log(LINEAR[colours] + FAINT), _plane(points[inside])
    hue = median(body - body.mean(axis=1, keepdims=True), axis=0)
    own, light = _alike(body, hue), body.mean(axis=1)
    if own.mean() < MOST:
        return None
    terms = _fit(plane[own], light[own])
    alike = own & (np.abs(light - plane @ terms) < SHADE)
    return TrackSurroundings(hue, terms) if alike.mean() >= MOST else None


def around_places(profile: Profile) -> Array:
    """Return points close to the edges of all places of the tracks: (n, 2), mm."""
    half_x, half_y = profile.card[0] / 2, profile.card[1] / 2
    along, up = np.linspace(-half_x, half_x, LONG), np.linspace(-half_y, half_y, SHORT)
    ring = [(x, side * (half_y + off)) for x in along for side in (-1, 1) for off in BESIDE]
    ring += [(side * (half_x + BESIDE[0]), y) for y in up for side in (-1, 1)]
    middles = [middle for row in profile.tracks.values() for middle in row]
    return np.concatenate([np.array(ring) + middle for middle in middles] or [np.zeros((0, 2))])


def _alike(body: Array, hue: Array) -> Array:
    """Mark those of some colours (n, 3; logarithms of light) that share a hue."""
    off = body - hue
    return np.asarray(np.abs(off - off.mean(axis=1, keepdims=True)).max(axis=1) < OTHER_HUE)


def _plane(points: Array) -> Array:
    return np.asarray(np.c_[np.ones(len(points)), points / SPAN])


def _fit(plane: Array, light: Array) -> Array:
    """Fit a plane to the light, robustly: what lies over some of the points does not pull."""
    terms = np.array([float(median(light)), 0.0, 0.0])
    for _ in range(ROUNDS):
        weight = 1 / (1 + ((light - plane @ terms) / SPREAD) ** 2) ** 2
        weighted = plane * weight[:, None]
        terms = terms + np.linalg.solve(weighted.T @ plane + np.eye(3) * 0.5, weighted.T @ (light - plane @ terms))
    return np.asarray(terms)


SCALE = 1.0
Middle = tuple[float, float]
KINDS = {"items": "item", "rooms": "room"}
MARGIN = 8.0  # mm around the cards: a place on it is read though the card lies a little off
SIGNS = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)])
LEAST_SCORE, LEAST_MARGIN = 1.3, 0.08
FLAT = 12.0  # grey levels of contrast up to which a place is bare


@dataclass(frozen=True, slots=True)
class TrackSticker:
    """A sticker: its middle on the mat (mm), its card, and whether the same one is seen at another place too."""

    at: Array
    card: CardProfile
    twin: bool


class Tracks:
    def __init__(self, profile: Profile, arts: list[CardArt]) -> None:
        self._profile = profile
        self._owners = profile.card_of_tag()
        self._edges = around_places(profile)
        self._kinds = {name: KINDS.get(name, "item") for name in profile.tracks}
        self._galleries = {name: WholeCardMatcher(self._whole_deck(arts, kind)) for name, kind in self._kinds.items()}

    def read(
        self, picture: Array, pose: Pose, tags: tuple[Tag, ...], covered: Callable[[Middle], bool]
    ) -> tuple[dict[str, tuple[str | None, ...]], set[str]]:
        """Name the card on every place of every track; return with them the places (`items:0`) that cannot be read.

        `tags` are all that lie on the table: a sticker seen twice counts for none. `covered` says where a hand is.
        """
        spots = self._spots(pose, tags)
        read: dict[str, tuple[str | None, ...]] = {}
        unsure: set[str] = set()
        for name, middles in self._profile.tracks.items():
            row = []
            for index, middle in enumerate(middles):
                stickers = [spot for spot in spots if self._lies_at(spot, middle)]
                crop = None if stickers else self._crop(picture, pose, middle)
                if stickers:
                    card, sure = _named(stickers, self._kinds[name])
                elif crop is not None and float(crop.std(axis=(0, 1)).mean()) < FLAT:
                    card, sure = None, not covered(middle) and self._is_bare(crop, middle, picture, pose)
                else:
                    card, sure = None if crop is None else self._by_picture(crop, name, spots), False
                row.append(card)
                if card is None and not sure:
                    unsure.add(f"{name}:{index}")
            read[name] = tuple(row)
        return read, unsure

    def around(self, pose: Pose, picture: Array) -> tuple[slice, slice] | None:
        """Return the rows and columns of the picture that show the tracks; None where none is in sight."""
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

    def _whole_deck(self, arts: list[CardArt], kind: str) -> list[tuple[CardProfile, Array]]:
        """Return the pictures of a kind, or none if one is missing: a card without one would be taken for another."""
        enrolled = [(art.card, art.picture) for art in arts if art.card.kind == kind]
        deck = {card.name for card in self._profile.cards.values() if card.kind == kind}
        return enrolled if {card.name for card, _ in enrolled} == deck else []

    def _spots(self, pose: Pose, tags: tuple[Tag, ...]) -> list[TrackSticker]:
        twins = duplicate_tags(tags)
        mine = [tag for tag in tags if tag.id in self._owners]
        return [TrackSticker(pose.ground(tag.centre[None])[0], self._owners[tag.id], tag.id in twins) for tag in mine]

    def _lies_at(self, spot: TrackSticker, middle: Middle) -> bool:
        return bool((np.abs(spot.at - middle) < np.array(self._profile.card) / 2).all())

    def _is_bare(self, crop: Array, middle: Middle, picture: Array, pose: Pose) -> bool:
        """Return whether a place without texture shows its surroundings, and not a sleeve or a glare."""
        surroundings = edging(picture, pose, self._edges)
        return surroundings is not None and surroundings.goes_on(crop, middle)

    def _by_picture(self, crop: Array, name: str, spots: list[TrackSticker]) -> str | None:
        """Name a card by its picture, unless all of its stickers are seen elsewhere."""
        named = self._galleries[name].name(crop)
        if named is None or named.score <= LEAST_SCORE or named.margin <= LEAST_MARGIN:
            return None
        left = len(named.card.tags) - sum(spot.card == named.card for spot in spots)
        return named.card.name if left > 0 or not named.card.tags else None

    def _crop(self, picture: Array, pose: Pose, middle: Middle) -> Array | None:
        """Rectify a card's place; None where the picture does not show it."""
        half_x, half_y = self._profile.card[0] / 2, self._profile.card[1] / 2
        corners = np.array([(-half_x, half_y), (half_x, half_y), (half_x, -half_y), (-half_x, -half_y)]) + middle
        points = pose.project(np.c_[corners, np.zeros(4)]).astype(np.float32)
        if (points < 0).any() or (points >= (picture.shape[1], picture.shape[0])).any():
            return None
        size = (round(2 * half_x * SCALE), round(2 * half_y * SCALE))
        flat = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], dtype=np.float32)
        return np.asarray(cv2.warpPerspective(picture, cv2.getPerspectiveTransform(points, flat), size))


def _named(stickers: list[TrackSticker], kind: str) -> tuple[str | None, bool]:
    """Name a card by the stickers at its place: one that lies nowhere else, of a card that belongs on this track."""
    if len(stickers) == 1 and not stickers[0].twin and stickers[0].card.kind == kind:
        return stickers[0].card.name, True
    return None, False
