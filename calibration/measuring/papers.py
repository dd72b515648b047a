"""The printed papers of the calibration (the board, the sheet of colours), a new profile, and pictures for the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.pieces.drawing.pen import PLAYERS as PAINTS
from companion.pieces.drawing.signs import PrintedWords
from companion.pieces.kinds.deck import deck_of
from companion.pieces.kinds.mat import CARD_TAG, FIGURE
from companion.pieces.sheets import leaflets as printed
from companion.pieces.sheets.printed_profile import table_of_mat

if TYPE_CHECKING:
    from calibration.steps.step import Mark
    from companion.cards.pack import Pack
    from companion.pieces.sheets.printed_profile import CardJson, ProfileJson
    from companion.vision.arrays import Array


PLAYERS: Final = tuple(PAINTS)


@dataclass(frozen=True, slots=True)
class LensBoard:
    """A ChArUco board: squares across and down, their side, their markers' side, and the markers' family."""

    squares: tuple[int, int]
    square: float
    marker: float
    dictionary: str


BOARD: Final = LensBoard(printed.SQUARES, printed.SQUARE, printed.MARKER, printed.BOARD_TAGS)
CHESSBOARDS: Final = ((9, 6), (8, 6), (7, 6), (8, 5), (7, 5), (10, 7), (7, 4), (6, 4))
"""Inner corners of the chessboards that people have."""
CIRCLE_TAGS: Final = printed.CIRCLE_TAGS
CIRCLE_TAG: Final = CARD_TAG
circle_middle = printed.circle_middle


def circle_tag_middles() -> dict[int, tuple[float, float]]:
    """Return where the tags of the sheet of colours are, from its middle."""
    x, y = (side / 2 - printed.CIRCLE_INSET for side in printed.CIRCLES)
    return dict(zip(CIRCLE_TAGS, ((-x, y), (x, y), (x, -y), (-x, -y)), strict=True))


def cards_of(pack: Pack) -> dict[str, CardJson]:
    """Return a pack's cards as a profile has them, with the tags that their stickers and sheets are printed with."""
    cards: dict[str, CardJson] = {}
    for carried in deck_of(pack):
        cards.setdefault(carried.id, {"kind": carried.kind, "tags": [], "art": []})["tags"].append(carried.tag)
    return cards


def titles_of(pack: Pack) -> dict[str, list[str]]:
    """Return what may stand on each card: its name in every language that the pack has names in."""
    titles: dict[str, list[str]] = {}
    for language in pack.names:
        words = PrintedWords.of(language, pack.names)
        for carried in deck_of(pack):
            name = words.name("elevator" if carried.kind == "elevator" else carried.id)
            colour = "" if carried.player is None else words.say(f"colour-{carried.player}")
            titles.setdefault(carried.id, []).extend([f"{name} · {colour}", f"{name} {colour}"] if colour else [name])
    return titles


def new_profile(size: tuple[int, int] = (1920, 1080)) -> ProfileJson:
    """Return a profile before anything was measured: the mat that `companion print` makes, and printed colours."""
    colours = {player: [int(paint[at : at + 2], 16) for at in (1, 3, 5)] for player, paint in PAINTS.items()}
    return {
        "table": table_of_mat(),
        "camera": {"size": list(size)},
        "figures": {"height": FIGURE[0], "base": FIGURE[1], "colours": colours},
        "cards": {},
    }


INK: Final = (20, 20, 20)
WIDE: Final = 1100.0
LARGEST: Final = 1280
QUALITY: Final = 75


def draw_marks(picture: Array, marks: list[Mark]) -> Array:
    """Return a copy of the picture, no wider than a page needs, with the marks on it."""
    factor = min(1.0, LARGEST / picture.shape[1])
    size = (round(picture.shape[1] * factor), round(picture.shape[0] * factor))
    canvas = np.array(cv2.resize(picture, size, interpolation=cv2.INTER_AREA)) if factor < 1 else picture.copy()
    scale = max(0.6, canvas.shape[1] / WIDE)
    for mark in marks:
        ring = np.rint(mark.points * factor).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(canvas, [ring], True, INK, round(4 * scale) + 1, cv2.LINE_AA)
        cv2.polylines(canvas, [ring], True, mark.colour, round(2 * scale), cv2.LINE_AA)
        if mark.label:
            _write(canvas, mark.label, ring.reshape(-1, 2), scale, mark.colour)
    return canvas


def _write(canvas: Array, text: str, ring: Array, scale: float, colour: tuple[int, int, int]) -> None:
    size = 0.55 * scale
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    middle = ring.mean(axis=0)
    x = int(np.clip(middle[0] - width / 2, 0, max(0, canvas.shape[1] - width - 4)))
    y = int(np.clip(middle[1] + height / 2, height + 4, canvas.shape[0] - 4))
    cv2.rectangle(canvas, (x - 3, y - height - 3), (x + width + 3, y + 4), INK, -1)
    cv2.putText(canvas, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, colour, max(1, round(scale)), cv2.LINE_AA)


def jpeg(picture: Array) -> bytes:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise ValueError("a picture that cannot be a JPEG")
    return bytes(data)
