"""Photographs of cards laid out in a grid, drawn: any table, askew, sleeved, curled, in uneven light, from a slant."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.cards.loader import builtin
from companion.pieces.drawing.raster import render
from companion.pieces.sheets.all_pieces import PrintedBox
from tests.rendering import pictures

PX = 5.0
GAP, RIM = 9.0, 40.0
SLEEVE = 1.6
BAR = 0.16
FONTS = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)
ROOM, THREAT = (88.0, 63.0), (40.0, 56.0)


@dataclass(frozen=True)
class LaidCard:
    """A card, its picture (BGR) and its size in mm."""

    name: str
    kind: str
    title: str
    picture: np.ndarray
    size: tuple


def printed_deck(*, tags=True, pack="homemade", language="en"):
    """Return the printed cards of a pack, one of each; without tags where there shall be no stickers."""
    box = PrintedBox(builtin(pack), language, "")
    pieces = [piece for piece in box.pieces("cards") if piece.copy == 1]
    deck = []
    for piece, drawn in zip(pieces, render(pieces, PX), strict=True):
        picture = drawn.copy()
        if not tags:
            side = round(24.5 * PX)
            picture[round(0.7 * PX) : side, -side : -round(0.7 * PX)] = picture[round(3 * PX), round(10 * PX)]
        deck.append(LaidCard(piece.id, piece.kind, box.words.name(piece.id), picture, piece.size))
    return deck


def strange_deck(rng, named, write=None):
    """Return a deck of art and lettering that is nobody's: `named` are ids with kind and title."""
    style = str(rng.choice(["printed", "shapes", "photograph", "pattern", "swirls"]))
    bottom, upper, font = rng.random() < 0.3, rng.random() < 0.6, int(rng.choice(FONTS))
    dark, middle = rng.random() < 0.5, rng.random() < 0.5
    deck = []
    for name, kind, title in named:
        size = THREAT if kind == "threat" else ROOM
        width, height = (round(side * PX) for side in size)
        art = np.clip(pictures.STYLES[style](rng, height, width), 0, 255).astype(np.uint8)
        picture = np.ascontiguousarray(cv2.resize(art, (width, height))[..., ::-1])
        cv2.rectangle(picture, (0, 0), (width - 1, height - 1), (235, 235, 235) if dark else (30, 30, 30), 6)
        bar = round(BAR * ROOM[1] * PX)
        top = height - bar - 8 if bottom else 8
        ground, ink = ((45, 40, 35), (240, 240, 240)) if dark else ((225, 235, 240), (30, 25, 20))
        picture[top : top + bar, 8:-8] = ground
        _write(picture, title.upper() if upper else title, (14, top, width - 28, bar), font, ink, middle, write)
        deck.append(LaidCard(name, kind, title, picture, size))
    return deck


def _write(picture, text, box, font, ink, middle, write):
    """Write a title into a box; `write` draws it in a font of a file and returns how much ink covers each pixel."""
    left, top, width, height = box
    if write is not None:
        cover = write(text, round(height * 0.8))
    else:
        (wide, tall), low = cv2.getTextSize(text, font, 1.6, 3)
        cover = np.zeros((tall + low + 8, wide + 12), dtype=np.uint8)
        cv2.putText(cover, text, (6, tall + 2), font, 1.6, 255, 3, cv2.LINE_AA)
    scale = min(width / cover.shape[1], height * 0.8 / cover.shape[0])
    cover = cv2.resize(cover, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(float)[..., None] / 255
    x = left + (int((width - cover.shape[1]) / 2) if middle else 0)
    y = top + int((height - cover.shape[0]) / 2)
    part = picture[y : y + cover.shape[0], x : x + cover.shape[1]]
    part[:] = (part * (1 - cover) + np.array(ink) * cover).astype(np.uint8)


def photograph(deck, rng, *, columns=6, size=(2304, 1296), sleeved=False, sloppy=1.0, slant=None):
    """Return a photograph of cards in rows, and each one's corners in it, clockwise from its own upper left."""
    rows = [deck[at : at + columns] for at in range(0, len(deck), columns)]
    wide = max(sum(card.size[0] + GAP for card in row) for row in rows)
    high = sum(max(card.size[1] for card in row) + GAP for row in rows)
    ground = (wide + 2 * RIM, high + 2 * RIM)
    table = pictures.table_top(rng, round(ground[1] * 2), round(ground[0] * 2))
    flat = cv2.resize(table, (round(ground[0] * PX), round(ground[1] * PX)))[..., ::-1].astype(np.float32)
    flat = np.ascontiguousarray(flat)
    corners, y = [], RIM
    for row in rows:
        x, tall = RIM, max(card.size[1] for card in row)
        for card in row:
            middle = (x + card.size[0] / 2 + rng.normal(0, 0.9 * sloppy), y + tall / 2 + rng.normal(0, 0.9 * sloppy))
            corners.append(_lay(flat, card, middle, rng.normal(0, 1.3 * sloppy), rng, sleeved=sleeved))
            x += card.size[0] + GAP
        y += tall + GAP
    picture, bend = _seen(flat, rng, size, 0.06 if slant is None else slant)
    seen = [cv2.perspectiveTransform((one * PX)[None].astype(np.float32), bend)[0] for one in corners]
    return _developed(picture, rng), seen


def _lay(flat, card, middle, turn, rng, *, sleeved):
    """Lay a card with its shadow, in a sleeve, bent a little; return its corners in mm."""
    picture, (width, height) = card.picture.astype(np.float32), card.size
    if sleeved:
        rim = round(SLEEVE * PX)
        picture = cv2.copyMakeBorder(picture, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(206, 206, 206))
        width, height = width + 2 * SLEEVE, height + 2 * SLEEVE
        sheen = np.linspace(rng.uniform(0, 0.2), rng.uniform(0, 0.2), picture.shape[1])[None, :, None]
        picture = picture * (1 - sheen) + 255 * sheen
    picture = picture * _bent(picture.shape, rng)
    half = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    corners = half @ np.array([[cos, sin], [-sin, cos]]) + middle
    curl = rng.normal(0, 0.5, (4, 2)) if rng.random() < 0.4 else np.zeros((4, 2))
    at = ((corners + curl) * PX).astype(np.float32)
    tall, wide = picture.shape[:2]
    page = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], dtype=np.float32)
    left, top = np.floor(at.min(axis=0)).astype(int) - 16
    area = tuple(int(side) for side in np.ceil(np.ptp(at, axis=0)) + 32)
    bend = cv2.getPerspectiveTransform(page, (at - (left, top)).astype(np.float32))
    under = flat[top : top + area[1], left : left + area[0]]
    cover = cv2.warpPerspective(np.ones((tall, wide), np.float32), bend, area, flags=cv2.INTER_LINEAR)[..., None]
    shade = cv2.GaussianBlur(np.roll(cover[..., 0], (3, 3), axis=(0, 1)), (0, 0), 4)[..., None]
    under *= (1 - 0.45 * shade * (1 - cover)) * (1 - cover)
    under += cv2.warpPerspective(picture, bend, area, flags=cv2.INTER_AREA) * cover
    inner = np.array([[-card.size[0], -card.size[1]], [card.size[0], -card.size[1]], list(card.size)])
    inner = np.vstack([inner, [[-card.size[0], card.size[1]]]]) / 2
    return inner @ np.array([[cos, sin], [-sin, cos]]) + middle


def _bent(shape, rng):
    """Return how bright each column of a bent card is."""
    across = np.linspace(-1, 1, shape[1])
    return (1 + rng.normal(0, 0.05) * across + rng.normal(0, 0.05) * across**2)[None, :, None].astype(np.float32)


def _seen(flat, rng, size, slant):
    """Look at the table from a slant, through a camera of a size."""
    tall, wide = flat.shape[:2]
    width, height = size
    scale = min(width / wide, height / tall) * 0.96
    half = np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) * scale / 2
    lean = np.array([rng.normal(0, slant), abs(rng.normal(slant, slant / 2))]) / 1000
    turn = rng.normal(0, 0.02)
    half @= np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    depth = 1 + half @ lean
    far = half / depth[:, None]
    far -= (far.max(axis=0) + far.min(axis=0)) / 2
    far *= min(width / np.ptp(far[:, 0]), height / np.ptp(far[:, 1]), 1.0)
    goal = (far + np.array([width, height]) / 2).astype(np.float32)
    page = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], dtype=np.float32)
    bend = cv2.getPerspectiveTransform(page, goal)
    around = tuple(float(v) for v in flat[::40, ::40].mean(axis=(0, 1)))
    shrunk = cv2.GaussianBlur(flat, (0, 0), 0.45 / scale) if scale < 1 else flat
    return cv2.warpPerspective(shrunk, bend, size, flags=cv2.INTER_LINEAR, borderValue=around), bend


def _developed(picture, rng):
    """Put uneven light, a cast of colour, noise and JPEG on it."""
    height, width = picture.shape[:2]
    light = cv2.resize(
        rng.uniform(0.62, 1.0, (3, 3)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )
    cast = rng.uniform([0.78, 0.92, 0.95], [1.05, 1.0, 1.06])
    lit = picture * light[..., None] * cast
    lit += rng.normal(0, rng.uniform(1, 4), lit.shape)
    done = cv2.imencode(".jpg", np.clip(lit, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 85])[1]
    return cv2.imdecode(done, cv2.IMREAD_COLOR)
