"""Random pictures: decks of cards in many styles, table tops, mats. RGB bytes."""

import cv2
import numpy as np

FONTS = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)
PX_PER_MM = 5
OWN_COLOURS = 0.6  # of the cards of some styles have the figures' own colours
WORDS = (
    "attic",
    "bath",
    "cellar",
    "den",
    "elm",
    "forge",
    "garden",
    "hall",
    "icebox",
    "jam",
    "kitchen",
    "loft",
    "mill",
    "nook",
    "oven",
    "pantry",
    "quilt",
    "rain",
    "shed",
    "tower",
)


def colour(rng, low=20, high=240, pale=0.0):
    """Return any colour; `pale` mixes it with white."""
    hsv = np.uint8([[[rng.integers(0, 180), rng.integers(30, 255), rng.integers(low, high + 1)]]])
    rgb = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0].astype(float)
    return rgb * (1 - pale) + 250 * pale


def clouds(rng, height, width, rough=1.0, channels=3):
    """Return noise with detail at every scale, like a photograph's: floats around 0, most within 1."""
    total = np.zeros((height, width, channels), dtype=np.float32)
    side, weight = 2, 1.0
    while side < max(height, width) / 2:
        rows = max(2, round(side * height / max(height, width)))
        noise = rng.normal(0, 1, (rows + 1, side + 1, channels)).astype(np.float32)
        grown = cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
        total += weight * grown.reshape(height, width, channels)
        side, weight = side * 2, weight * 0.62 * rough
    return total / max(float(total.std()), 1e-6) / 1.6


def photograph(rng, height, width):
    """Return something like a photograph: clouds of some colours with hard things in front."""
    palette = np.stack([colour(rng, 10, 250) for _ in range(4)])
    field = clouds(rng, height, width, rng.uniform(0.8, 1.15), 1)[..., 0]
    steps = np.clip((field + 1.2) / 2.4 * 3, 0, 2.999)
    index, part = steps.astype(int), (steps % 1)[..., None]
    picture = palette[index] * (1 - part) + palette[index + 1] * part
    picture += clouds(rng, height, width) * rng.uniform(5, 35)
    for _ in range(rng.integers(0, 9)):
        blot(rng, picture, colour(rng))
    if rng.random() < 0.3:
        levels = rng.integers(3, 8)
        picture = np.round(picture / 255 * levels) / levels * 255
    return np.clip(picture * rng.uniform(0.6, 1.4), 0, 255)


def blot(rng, picture, shade, least=0.04, most=0.25):
    """Draw one random shape."""
    height, width = picture.shape[:2]
    at = (int(rng.integers(0, width)), int(rng.integers(0, height)))
    size = max(2, int(rng.uniform(least, most) * height))
    kind, shade = rng.integers(5), tuple(float(v) for v in shade)
    if kind == 0:
        cv2.circle(picture, at, size, shade, int(rng.choice([-1, 2, 4])), cv2.LINE_AA)
    elif kind == 1:
        end = (at[0] + int(rng.integers(-2, 3) * size), at[1] + size)
        cv2.rectangle(picture, at, end, shade, int(rng.choice([-1, -1, 3])), cv2.LINE_AA)
    elif kind == 2:
        end = (at[0] + int(rng.normal(0, 2) * size), at[1] + int(rng.normal(0, 2) * size))
        cv2.line(picture, at, end, shade, int(rng.integers(1, 9)), cv2.LINE_AA)
    elif kind == 3:
        corners = rng.normal(0, size, (int(rng.integers(3, 6)), 2)) + at
        cv2.fillPoly(picture, [corners.astype(np.int32)], shade, cv2.LINE_AA)
    else:
        cv2.ellipse(picture, at, (size, max(1, size // 2)), float(rng.uniform(0, 180)), 0, 360, shade, -1, cv2.LINE_AA)


def pattern(rng, height, width, palette=None):
    """Return checks, stripes, dots or scales of a few colours."""
    palette = palette or [colour(rng) for _ in range(3)]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    turn, size = rng.uniform(0, np.pi), rng.uniform(0.04, 0.2) * height
    u = (x * np.cos(turn) + y * np.sin(turn)) / size
    v = (y * np.cos(turn) - x * np.sin(turn)) / size
    kind = rng.integers(4)
    if kind == 0:
        mix = ((u % 1 < 0.5) * 0.5 + (v % 1 < 0.5) * 0.5)[..., None]
    elif kind == 1:
        mix = (u % 1 < rng.uniform(0.2, 0.8)).astype(float)[..., None]
    elif kind == 2:
        mix = (np.hypot(u % 1 - 0.5, v % 1 - 0.5) < rng.uniform(0.2, 0.45)).astype(float)[..., None]
    else:
        mix = (np.sin(u * 2) * np.sin(v * 2 + np.sin(u)) * 0.5 + 0.5)[..., None]
    return palette[0] * (1 - mix) + palette[1] * mix


def printed(rng, height, width):
    """Return pale print: one light ground, small signs in a row, lines."""
    picture = np.full((height, width, 3), colour(rng, 200, 250, rng.uniform(0.4, 0.95)), dtype=np.float32)
    for _ in range(rng.integers(2, 7)):
        part = picture[int(height * 0.15) : int(height * 0.5)]
        blot(rng, part, colour(rng), 0.1, 0.3)
    for k in range(rng.integers(0, 6)):
        at = (int(width * (0.15 + 0.14 * k)), int(height * 0.9))
        cv2.circle(picture, at, int(height * 0.04), tuple(colour(rng)), int(rng.choice([-1, 2])), cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.rectangle(
            picture, (int(width * 0.4), int(height * 0.2)), (int(width * 0.75), int(height * 0.34)), (255, 255, 255), -1
        )
    return picture


def shapes(rng, height, width, palette=None):
    """Return a picture of many flat shapes on a slope of colour."""
    first, second = colour(rng), colour(rng)
    slope = np.linspace(0, 1, height)[:, None, None]
    picture = np.repeat(first * (1 - slope) + second * slope, width, axis=1).astype(np.float32)
    for _ in range(rng.integers(10, 40)):
        shade = palette[rng.integers(len(palette))] + rng.normal(0, 30, 3) if palette is not None else colour(rng)
        blot(rng, picture, np.clip(shade, 0, 255))
    return picture + clouds(rng, height, width) * 5


def page(rng, height, width):
    """Return a page of small print."""
    ground, ink = colour(rng, 180, 255, 0.7), colour(rng, 0, 90)
    picture = np.ascontiguousarray(np.full((height, width, 3), ground).astype(np.uint8))
    for line in range(int(height * 0.2), height, max(8, height // rng.integers(10, 22))):
        words = " ".join(rng.choice(WORDS, 12))
        cv2.putText(picture, words, (8, line), int(rng.choice(FONTS)), height / 900, tuple(ink), 1, cv2.LINE_AA)
    for _ in range(rng.integers(0, 3)):
        blot(rng, picture, colour(rng))
    return picture


def swirls(rng, height, width):
    """Return brush strokes that follow a slow field."""
    picture = photograph(rng, height // 2, width // 2).astype(np.float32)
    picture = cv2.resize(picture, (width, height))
    angle = clouds(rng, height, width, 0.5, 1)[..., 0] * 4
    for _ in range(700):
        y, x = int(rng.integers(0, height)), int(rng.integers(0, width))
        step = rng.uniform(6, 25)
        end = (int(x + np.cos(angle[y, x]) * step), int(y + np.sin(angle[y, x]) * step))
        shade = np.clip(picture[y, x] + rng.normal(0, 25), 0, 255)
        cv2.line(picture, (x, y), end, tuple(float(v) for v in shade), int(rng.integers(1, 5)), cv2.LINE_AA)
    return picture


STYLES = {
    "printed": printed,
    "shapes": shapes,
    "photograph": photograph,
    "pattern": pattern,
    "page": page,
    "swirls": swirls,
}


def card(rng, style, size, spaces, palette):
    """Draw one card, `size` in mm, with rings at its spaces and a title."""
    width, height = (round(side * PX_PER_MM) for side in size)
    draw = STYLES[style]
    own = rng.random() < OWN_COLOURS and style in {"shapes", "pattern"}
    drawn = draw(rng, height, width, palette) if own else draw(rng, height, width)
    picture = np.ascontiguousarray(np.clip(drawn, 0, 255).astype(np.uint8))
    for x, y in spaces:
        at = (round((x + size[0] / 2) * PX_PER_MM), round((size[1] / 2 - y) * PX_PER_MM))
        if rng.random() < 0.6:
            cv2.circle(picture, at, round(9 * PX_PER_MM), (250, 250, 250), int(rng.choice([-1, 3, 5])), cv2.LINE_AA)
        if rng.random() < 0.5:
            cv2.circle(picture, at, round(9 * PX_PER_MM), (40, 40, 40), 1, cv2.LINE_AA)
        if rng.random() < 0.3:
            cv2.putText(
                picture,
                str(rng.choice(list("APLCSI"))),
                (at[0] - 14, at[1] + 14),
                FONTS[0],
                1.3,
                (70, 70, 70),
                3,
                cv2.LINE_AA,
            )
    if rng.random() < 0.8:
        bar = int(height * rng.uniform(0.1, 0.16))
        if rng.random() < 0.6:
            picture[:bar] = colour(rng, 200, 255, 0.8) if rng.random() < 0.7 else colour(rng, 0, 70)
        ink = (20, 20, 20) if picture[: bar // 2].mean() > 110 else (240, 240, 240)
        cv2.putText(
            picture, str(rng.choice(WORDS)), (12, int(bar * 0.8)), int(rng.choice(FONTS)), bar / 45, ink, 2, cv2.LINE_AA
        )
    if rng.random() < 0.6:
        edge = (250, 250, 250) if rng.random() < 0.5 else (25, 25, 25)
        cv2.rectangle(picture, (0, 0), (width - 1, height - 1), edge, int(rng.integers(2, 16)))
    return picture


def sticker(family, number, size):
    """Draw a tag with its white edge, and tell how wide (mm) all of it is."""
    cells = cv2.aruco.generateImageMarker(family, number, 160)
    framed = cv2.copyMakeBorder(cells, 24, 24, 24, 24, cv2.BORDER_CONSTANT, value=255)
    grey = np.clip(framed, 20, 238).astype(np.uint8)
    return cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB), size * 208 / 160


def put_sticker(picture, tag, middle, side):
    """Stick a tag onto a card: its middle and side in mm, from the card's upper left corner."""
    pixels = round(side * PX_PER_MM)
    left, top = (round(at * PX_PER_MM - pixels / 2) for at in middle)
    left, top = max(0, min(left, picture.shape[1] - pixels)), max(0, min(top, picture.shape[0] - pixels))
    picture[top : top + pixels, left : left + pixels] = cv2.resize(tag, (pixels, pixels), interpolation=cv2.INTER_AREA)


def table_top(rng, height, width):
    """Draw any table: planks, checked cloth, stone, one colour, a printed cloth."""
    kind = rng.integers(5)
    if kind == 0:
        grain = clouds(rng, height // 16, width, 1.1, 1)
        grain = cv2.resize(grain, (width, height))[..., None]
        first, second = colour(rng, 40, 150) * (1, 0.8, 0.6), colour(rng, 90, 230) * (1, 0.85, 0.7)
        mix = np.clip(grain * 0.5 + 0.5, 0, 1)
        picture = first * (1 - mix) + second * mix
        planks = rng.integers(0, 9)
        for k in range(planks):
            cv2.line(picture, (0, int(height * k / planks)), (width, int(height * k / planks)), tuple(first * 0.5), 3)
    elif kind == 1:
        picture = pattern(rng, height, width, [colour(rng), np.array([245.0, 245, 240]), colour(rng)])
    elif kind == 2:
        picture = colour(rng, 40, 230, rng.uniform(0, 0.8)) + clouds(rng, height, width) * rng.uniform(2, 30)
    elif kind == 3:
        picture = colour(rng, 10, 250, rng.uniform(0, 1)) + clouds(rng, height, width, 1.3) * 3
    else:
        picture = shapes(rng, height, width)
    return np.clip(picture, 0, 255).astype(np.uint8)


def mat_ground(rng, kind, height, width):
    """Draw a mat: white or tinted paper, felt, or a picture."""
    if kind == "paper":
        picture = colour(rng, 215, 255, rng.uniform(0.7, 1)) + clouds(rng, height, width) * 2
    elif kind == "felt":
        picture = colour(rng, 25, 170) + rng.normal(0, 6, (height, width, 1))
    else:
        picture = STYLES[str(rng.choice(["photograph", "swirls", "shapes", "pattern"]))](rng, height, width)
    return np.clip(picture, 0, 255).astype(np.uint8)
