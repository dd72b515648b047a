"""Cards that a glance leaves in doubt, named by all that is seen of them; and what is no card, or none of these."""

from math import radians
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.cards.card_match import CardArt
from companion.vision.cards.card_match_fine import FineMatch, FineMatcher
from companion.vision.cards.card_reader import FINE, FINE_AGREED, StickerHint, contradicts, fine_name
from companion.vision.cards.placing import CardPlacement
from companion.vision.cards.recognise import Recogniser
from companion.vision.profile import CardProfile

from . import tables

FRAMES = Path(__file__).resolve().parent.parent / "frames"
REACH, SIZE = 6, (110, 79)
CARDS = [CardProfile(f"room-{number:02d}", "room", (), ()) for number in range(6)]


def picture(number):
    return np.asarray(cv2.resize(tables.art(number), SIZE, interpolation=cv2.INTER_AREA))


@pytest.fixture(scope="module")
def fine():
    return FineMatcher([CardArt(card, picture(number)) for number, card in enumerate(CARDS)])


def window(card, right=0, down=0):
    """A card on a dark mat, so many pixels off, with a little noise."""
    wide = np.full((SIZE[1] + 2 * REACH, SIZE[0] + 2 * REACH, 3), (70, 60, 50), dtype=np.float32)
    wide[REACH + down :, REACH + right :][: SIZE[1], : SIZE[0]] = card
    noise = np.random.default_rng(3).normal(0, 2, wide.shape)
    return np.clip(wide + noise, 0, 255).astype(np.uint8)


def nothing(fine):
    return fine.under([], np.zeros(2))


def strength(found):
    return 0.0 if found is None else found.strength


@pytest.mark.parametrize(("right", "down"), [(0, 0), (-4, 3), (5, -2)])
def test_a_card_is_named_where_it_lies(fine, right, down):
    found = fine.read(window(picture(2), right, down), REACH, nothing(fine), frozenset())
    assert found.card.name == "room-02"
    assert found.strength > FINE
    assert found.shift == pytest.approx((right, down), abs=1)


def test_a_third_of_a_card_in_a_glare_is_enough(fine):
    card = picture(4).astype(np.float32)
    card = np.clip(card * 0.2 + 210, 0, 255)
    card[:, :70] = 255
    found = fine.read(window(card), REACH, nothing(fine), frozenset())
    assert found.card.name == "room-04"
    assert found.strength > FINE


def test_what_is_white_all_over_has_no_name(fine):
    assert fine.read(window(np.full((SIZE[1], SIZE[0], 3), 255)), REACH, nothing(fine), frozenset()) is None


def test_a_hand_is_no_card_however_its_shade_slopes():
    across, along = np.meshgrid(np.linspace(0, 1, SIZE[0]), np.linspace(0, 1, SIZE[1]))
    slope = np.stack([60 + 90 * along, 50 + 60 * along, 80 + 110 * along], axis=-1)
    sloping = np.where(picture(0) > 220, picture(0), slope).astype(np.uint8)
    hand = np.stack([70 + 80 * along - 30 * across, 60 + 60 * along, 100 + 90 * along - 20 * across], axis=-1)
    hand[along + across > 1.3] *= 0.3
    deck = FineMatcher(
        [CardArt(CARDS[0], sloping), *(CardArt(CARDS[number], picture(number)) for number in range(1, 6))]
    )
    assert strength(deck.read(window(hand), REACH, nothing(deck), frozenset())) < FINE / 2


def test_a_card_of_no_deck_has_no_name(fine):
    for number in range(20, 32):
        assert strength(fine.read(window(picture(number)), REACH, nothing(fine), frozenset())) < FINE


def test_a_card_that_lies_elsewhere_is_neither_the_answer_nor_a_rival():
    alike = picture(1)
    cv2.circle(alike, (60, 40), 7, (20, 240, 20), -1)
    deck = FineMatcher(
        [CardArt(CARDS[0], picture(1)), CardArt(CARDS[1], alike), *(CardArt(CARDS[n], picture(n)) for n in (2, 3))]
    )
    seen = window(picture(1))
    alone = deck.read(seen, REACH, nothing(deck), frozenset({"room-01"}))
    assert alone.card.name == "room-00"
    assert alone.lead > 1.5 * strength(deck.read(seen, REACH, nothing(deck), frozenset()))
    assert deck.read(seen, REACH, nothing(deck), frozenset({"room-00"})) is None


def test_what_lies_under_a_threat_is_not_asked(fine):
    card = picture(5).copy()
    card[9:, 55:105] = picture(30)[9:, 55:105]
    hidden = fine.under([np.array([80.0, 44.0])], np.array([25.0, 35.0]))
    assert hidden.any()
    assert not hidden.all()
    with_it, without = (fine.read(window(card), REACH, cover, frozenset()) for cover in (hidden, nothing(fine)))
    assert with_it.card.name == without.card.name == "room-05"
    assert with_it.explained > without.explained


def test_nothing_is_asked_of_a_card_that_is_covered_whole(fine):
    assert fine.read(window(picture(0)), REACH, ~nothing(fine), frozenset()) is None


@pytest.mark.parametrize("degrees", [-4.0, 4.0])
def test_a_card_laid_askew_is_named_and_its_turn_told(fine, degrees):
    seen = window(picture(3))
    bend = cv2.getRotationMatrix2D((seen.shape[1] / 2, seen.shape[0] / 2), degrees, 1.0)
    seen = cv2.warpAffine(seen, bend, seen.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    found = fine.read(seen, REACH, nothing(fine), frozenset(), (-4.0, 0.0, 4.0))
    assert (found.card.name, found.turn) == ("room-03", pytest.approx(radians(degrees)))


def test_a_card_too_small_to_be_cut_into_blocks_has_no_name():
    tiny = FineMatcher([CardArt(CARDS[0], np.zeros((8, 8, 3), dtype=np.uint8))])
    assert tiny.read(np.zeros((20, 20, 3), dtype=np.uint8), REACH, nothing(tiny), frozenset()) is None


def named(number, strength):
    card = CARDS[number]
    return FineMatch(card, strength * 2, 0.5, (0.0, 0.0), 0.0), CardPlacement(card, "1:L1", "1:L1", 0.0, 0.0, 0.0, 0.8)


def half_a_sticker(number, *, firm):
    return StickerHint(CardPlacement(CARDS[number], "1:L1", "1:L1", 1.0, 1.0, 0.1, 0.6), firm)


@pytest.mark.parametrize(
    ("strength", "hint", "card"),
    [
        (FINE + 0.1, None, 1),
        (FINE - 0.1, None, None),
        (FINE_AGREED + 0.1, half_a_sticker(1, firm=False), 1),
        (FINE_AGREED - 0.1, half_a_sticker(1, firm=True), None),
        (FINE + 0.1, half_a_sticker(2, firm=False), 1),
        (FINE + 0.1, half_a_sticker(2, firm=True), None),
    ],
)
def test_a_fine_look_counts_with_half_a_sticker_and_never_against_most_of_one(strength, hint, card):
    placement = fine_name(named(1, strength), hint)
    assert (placement.card if placement else None) == (None if card is None else CARDS[card])


def test_where_both_say_the_same_the_sticker_says_where_the_card_lies():
    hint = half_a_sticker(1, firm=False)
    assert fine_name(named(1, FINE), hint) is hint.placement


def test_nothing_seen_settles_nothing():
    assert fine_name(None, half_a_sticker(1, firm=True)) is None


def test_half_a_sticker_and_a_glance_may_both_be_wrong():
    """A sticker nearly all under an arm, and a glance at a fifth of the card: both named a card that was not there."""
    hint = half_a_sticker(2, firm=False)
    assert contradicts(named(1, FINE_AGREED + 0.1), hint)
    assert not contradicts(named(1, FINE_AGREED - 0.1), hint)
    assert not contradicts(named(2, FINE), hint)
    assert not contradicts(None, hint)


@pytest.mark.parametrize(
    ("frame", "kind", "place", "name"),
    [
        ("std_7004", "rooms", "5:R1", "room-32"),  # its sticker and half of it under a threat, a figure on the rest
        ("notag_7008", "threats", "5:L1a", "threat-79"),  # without a sticker, in a glare
    ],
)
def test_what_people_can_read_is_read(frame_eyes, monkeypatch, frame, kind, place, name):
    picture = cv2.imread(str(FRAMES / f"{frame}.jpg"))
    seen = getattr(frame_eyes.look(picture).reading, kind).get(place)
    assert seen is not None
    assert seen.card == name
    monkeypatch.setattr(Recogniser, "finely", lambda *_: None)
    reading = frame_eyes.look(picture).reading
    assert place not in getattr(reading, kind)
    assert place in reading.unsure
