"""Draw a reading onto its picture: cards by name, figures by colour and pose, doubts by a question mark."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.camera.pose import Pose
from companion.vision.cards.card_match import size_mm
from companion.vision.cards.placing import CardPlacement
from companion.vision.places import slot_of
from companion.vision.profile import Profile
from companion.vision.reading import Dweller
from companion.vision.table_reader import LookResult

Colour = tuple[int, int, int]
PAPER: Colour = (245, 245, 245)
INK: Colour = (20, 20, 20)
ROOM_LINE: Colour = (235, 235, 235)
THREAT_LINE: Colour = (60, 60, 240)
DOUBT: Colour = (0, 170, 255)
ALARM: Colour = (118, 138, 255)
DIMMED = 0.45  # of the light around a place that is cut out
CARDS_WIDE, CARDS_HIGH = 3.0, 1.8
CUT_WIDTH = 780
FRAME = 6
TEXT_WIDTH = 1900.0
CIRCLE_POINTS = 24
SURE = 0.9  # confidence from which a figure needs no number


@dataclass(frozen=True, slots=True)
class _Pen:
    """The picture to draw on, and the scale of lines and letters."""

    picture: Array
    scale: float

    @property
    def line(self) -> int:
        return max(1, round(2 * self.scale))

    def outline(self, points: Array, colour: Colour) -> None:
        ring = np.rint(points).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(self.picture, [ring], True, INK, self.line + 2, cv2.LINE_AA)
        cv2.polylines(self.picture, [ring], True, colour, self.line, cv2.LINE_AA)

    def write(self, text: str, at: Array, ground: Colour = PAPER, ink: Colour = INK) -> None:
        size = 0.5 * self.scale
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
        x = int(np.clip(at[0], 0, max(0, self.picture.shape[1] - width - 6)))
        y = int(np.clip(at[1], height + 6, self.picture.shape[0] - 4))
        cv2.rectangle(self.picture, (x, y - height - 4), (x + width + 4, y + 4), ground, -1)
        cv2.putText(self.picture, text, (x + 2, y), cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA)


def draw(picture: Array, look: LookResult, profile: Profile) -> Array:
    """Draw a look onto a copy of its picture."""
    pen = _Pen(picture.copy(), max(0.6, picture.shape[1] / TEXT_WIDTH))
    if look.pose is None:
        pen.write("table not found", np.array([10, 30]), DOUBT)
        return pen.picture
    _draw_cards(pen, look, profile)
    feet = _feet(look, profile)
    for dweller in look.reading.dwellers:
        known = feet.get((dweller.space, dweller.player))
        _draw_dweller(pen, dweller, known.pop(0) if known else (0.0, 0.0), look.pose, profile)
    _draw_tracks(pen, look, profile)
    for die in look.reading.dice or ():
        at = look.pose.project(np.array([[die.x, die.y, 0.0]]))[0]
        pen.write(str(die.value), at + np.array([-6.0, 48.0]) * pen.scale, DOUBT)
    for place in look.reading.unsure:
        _draw_doubt(pen, place, look.pose, profile)
    if look.reading.hand:
        pen.write("hand over the table", np.array([10, 30]), DOUBT)
    return pen.picture


def _draw_cards(pen: _Pen, look: LookResult, profile: Profile) -> None:
    """Draw all outlines first, so that a card's name lies over the edges of its neighbours."""
    if look.found is None or look.pose is None:
        return
    labels = []
    for placement in look.found.cards.placements:
        threat = placement.card.kind == "threat"
        colour = THREAT_LINE if threat else ROOM_LINE
        points = look.pose.project(np.c_[_corners(placement, profile), np.zeros(4)])
        pen.outline(points, colour)
        at = points[3] if threat else points[0] + (2, 12 * pen.scale)
        labels.append((f"{placement.place} {placement.card.name}", at, THREAT_LINE if threat else PAPER))
    for label in labels:
        pen.write(*label)


def _corners(placement: CardPlacement, profile: Profile) -> Array:
    """Return the corners of a card in mm."""
    half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array(size_mm(placement.card, profile)) / 2
    cos, sin = np.cos(placement.turn), np.sin(placement.turn)
    return np.asarray(half @ np.array([[cos, sin], [-sin, cos]]) + (placement.x, placement.y))


def _feet(look: LookResult, profile: Profile) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """List where figures were found, by space and colour, in the order of the reading: mm from a space's middle."""
    players = list(profile.colours)
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    verdicts = look.found.verdicts if look.found is not None else ()
    for verdict in sorted(verdicts, key=lambda v: not v.lying):
        candidate = verdict.candidate
        found.setdefault((candidate.space.name, players[candidate.player]), []).append(candidate.foot)
    return found


def _draw_tracks(pen: _Pen, look: LookResult, profile: Profile) -> None:
    """Write the names of the cards on the tracks."""
    if look.pose is None:
        return
    for name, row in look.reading.tracks.items():
        for card, middle in zip(row, profile.tracks.get(name, ()), strict=False):
            if card is not None:
                at = look.pose.project(np.array([[*middle, 0.0]]))[0]
                pen.write(card, at - np.array([40.0, 0.0]) * pen.scale, PAPER, INK)


def _draw_dweller(pen: _Pen, dweller: Dweller, foot: tuple[float, float], pose: Pose, profile: Profile) -> None:
    space = next(space for space in profile.spaces if space.name == dweller.space)
    angles = np.linspace(0, 2 * np.pi, CIRCLE_POINTS, endpoint=False)
    reach = profile.figure_base / 2
    ring = np.stack([np.cos(angles) * reach + space.x + foot[0], np.sin(angles) * reach + space.y + foot[1]], axis=1)
    points = pose.project(np.c_[ring, np.zeros(len(ring))])
    red, green, blue = profile.colours[dweller.player]
    pen.outline(points, (blue, green, red))
    dark = red * 0.3 + green * 0.6 + blue * 0.1 < 130  # noqa: PLR2004 - light letters on dark colours
    doubt = f" {dweller.confidence:.2f}" if dweller.confidence < SURE else ""
    label = f"{dweller.player[0].upper()} {dweller.pose}{doubt}"
    at = points.max(axis=0) + np.array([-30.0, 14.0]) * pen.scale
    pen.write(label, at, (blue, green, red), PAPER if dark else INK)


def _spot(place: str, profile: Profile) -> tuple[float, float] | None:
    """Return the middle of a place in mm."""
    spots = {slot.name: (slot.x, slot.y) for slot in profile.slots}
    spots |= {space.name: (space.x, space.y) for space in profile.spaces}
    spots |= {f"{name}:{number}": at for name, row in profile.tracks.items() for number, at in enumerate(row)}
    if profile.dice:
        spots["dice"] = profile.dice[0]
    return spots.get(place) or spots.get(slot_of(place))


def cut_out(picture: Array, pose: Pose, profile: Profile, place: str) -> Array:
    """Return a picture cut to a place and its neighbours, dark but for the place in its frame."""
    spot = _spot(place, profile)
    if spot is None:
        return picture
    width, height = profile.card
    around = _box(picture, pose, spot, (CARDS_WIDE * width / 2, CARDS_HIGH * height / 2), 0.0)
    is_space = any(space.name == place for space in profile.spaces)
    half = (profile.figure_base, profile.figure_base) if is_space else (width / 2, height / 2)
    left, top, right, bottom = _box(picture, pose, spot, half, profile.figure_height if is_space else 0.0)
    if right <= left or bottom <= top:
        return picture
    cut = (picture * DIMMED).astype(np.uint8)
    cut[top:bottom, left:right] = picture[top:bottom, left:right]
    line = max(2, round((around[2] - around[0]) / CUT_WIDTH * FRAME))
    cv2.rectangle(cut, (left, top), (right, bottom), INK, 2 * line)
    cv2.rectangle(cut, (left, top), (right, bottom), ALARM, line)
    cut = cut[around[1] : around[3], around[0] : around[2]]
    high = max(1, round(cut.shape[0] * CUT_WIDTH / cut.shape[1]))
    return np.asarray(cv2.resize(cut, (CUT_WIDTH, high), interpolation=cv2.INTER_AREA))


def _box(
    picture: Array, pose: Pose, middle: tuple[float, float], half: tuple[float, float], height: float
) -> tuple[int, int, int, int]:
    """Return what holds a part of the mat in the picture, up to a height above it: left, top, right, bottom."""
    corners = np.array([[x, y] for x in (-half[0], half[0]) for y in (-half[1], half[1])]) + middle
    points = pose.project(np.r_[np.c_[corners, np.zeros(4)], np.c_[corners, np.full(4, height)]])
    rows, columns = picture.shape[:2]
    left, top = np.clip(np.floor(points.min(axis=0)), 0, (columns, rows)).astype(int)
    right, bottom = np.clip(np.ceil(points.max(axis=0)), 0, (columns, rows)).astype(int)
    return int(left), int(top), int(right), int(bottom)


def _draw_doubt(pen: _Pen, place: str, pose: Pose, profile: Profile) -> None:
    spot = _spot(place, profile)
    if spot is not None:
        pen.write(f"? {place}", pose.project(np.array([[*spot, 0.0]]))[0], DOUBT)
