"""Cards on photos taken by hand: found, rectified, and named by a photo that was taken before."""

import cv2
import numpy as np
import pytest

from companion.vision.cards.card_photo import CardAlbum, cards_in, read_photo, write_photo

CARD = (126, 176)


def art(number):
    """A card with a frame, a picture and lines of text, unlike any other."""
    chance = np.random.default_rng(900 + number)
    card = np.full((CARD[1] * 2, CARD[0] * 2, 3), chance.integers(150, 235, 3), dtype=np.uint8)
    cv2.rectangle(card, (10, 10), (CARD[0] * 2 - 10, 170), chance.integers(30, 200, 3).tolist(), -1)
    for _ in range(14):
        x, y = int(chance.integers(12, 200)), int(chance.integers(12, 130))
        cv2.circle(card, (x, y), int(chance.integers(6, 40)), chance.integers(0, 255, 3).tolist(), -1)
    for line in range(7):
        cv2.line(card, (20, 200 + 20 * line), (int(chance.integers(90, 235)), 200 + 20 * line), (40, 40, 40), 4)
    return card


def photo(number, seed):
    """The card on a table, held freely: turned, from aside, in another light, a little blurred."""
    chance, size = np.random.default_rng(seed), (600, 800)
    table = np.full((size[1], size[0], 3), chance.integers(40, 120, 3), dtype=np.uint8)
    table = cv2.add(table, chance.integers(0, 14, table.shape, dtype=np.uint8))
    card = art(number)
    half = np.array([CARD[0], CARD[1]]) * chance.uniform(1.1, 1.7)
    angle = np.radians(chance.uniform(-25, 25) + 180 * chance.integers(0, 2))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    ring = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half @ turn.T + np.array(size) / 2
    ring += chance.uniform(-16, 16, ring.shape)
    flat = np.array([[0, 0], [card.shape[1], 0], [card.shape[1], card.shape[0]], [0, card.shape[0]]])
    into = cv2.getPerspectiveTransform(flat.astype(np.float32), ring.astype(np.float32))
    mask = cv2.warpPerspective(np.full(card.shape[:2], 255, np.uint8), into, size)
    seen = np.where(mask[..., None] > 0, cv2.warpPerspective(card, into, size), table).astype(np.float32)
    light = np.linspace(chance.uniform(0.55, 1.0), chance.uniform(0.8, 1.25), size[0])[None, :, None]
    warm = np.array([chance.uniform(0.8, 1.05), 1.0, chance.uniform(0.95, 1.15)])
    seen = cv2.GaussianBlur(np.clip(seen * light * warm, 0, 255), (0, 0), chance.uniform(0.6, 2.0))
    return np.clip(seen + chance.normal(0, 4, seen.shape), 0, 255).astype(np.uint8)


def taken(number, seed):
    return cards_in(photo(number, seed))[0]


def test_cards_are_named_by_another_photo_and_strange_ones_are_not():
    album = CardAlbum({str(number): [taken(number, number)] for number in range(8)})
    named = [album.name(photo(number, 500 + number))[0] for number in range(8)]
    assert sum(one.is_sure and one.card == str(number) for number, one in enumerate(named)) >= 7
    assert not [one for number, one in enumerate(named) if one.is_sure and one.card != str(number)]
    strange = [album.name(photo(number, 700 + number))[0] for number in range(100, 108)]
    assert sum(one.is_sure for one in strange) == 0


def test_an_empty_album_names_nobody_and_still_cuts_the_card_out():
    found, picture = CardAlbum({}).name(photo(3, 3))
    assert found is None
    assert picture.shape == (240, 160, 3)


def test_a_kept_photo_reads_back():
    card = taken(1, 1)
    again = read_photo(write_photo(card))
    assert again.shape == card.shape


@pytest.mark.parametrize("content", [b"", b"no picture", b"\xff\xd8\xff"])
def test_what_is_no_picture_is_none(content):
    assert read_photo(content) is None
