"""A deck in a minute: cards side by side on a photograph are found, straightened and named, doubtful ones asked."""

import cv2
import numpy as np
import pytest

from calibration.measuring.papers import cards_of
from calibration.measuring.title_reader import TitleGuess, in_row, title_row
from calibration.steps.deck import DeckStep
from companion.cards.loader import builtin
from companion.vision.cards.card_grid import find_cards

from . import laid_decks

SIZES = [laid_decks.ROOM, laid_decks.THREAT]


@pytest.fixture(scope="module")
def printed():
    return laid_decks.printed_deck(tags=True)


@pytest.fixture(scope="module")
def bare():
    return laid_decks.printed_deck(tags=False)


@pytest.fixture
def step(fresh):
    fresh.know(cards_of(builtin("homemade")))
    return DeckStep(fresh, pack="homemade")


def off(found, corners):
    """Return how far (pixels) the found card nearest to the true corners is off, either way up."""
    return min(np.abs(np.roll(card.corners, turn, axis=0) - corners).max() for card in found for turn in (0, 2))


def near(found, corners):
    middle = corners.mean(axis=0)
    return min(np.linalg.norm(card.corners.mean(axis=0) - middle) for card in found)


@pytest.mark.parametrize(("seed", "sleeved"), [(0, False), (1, False), (2, True)])
def test_the_cards_of_a_photograph_are_found_on_any_table(bare, seed, sleeved):
    cards = bare[19:31]
    picture, corners = laid_decks.photograph(
        cards, np.random.default_rng(seed), columns=4, size=(1600, 1000), sleeved=sleeved
    )
    found = find_cards(picture, SIZES)
    per_mm = np.linalg.norm(corners[0][1] - corners[0][0]) / 88
    there = [one for one in corners if near(found, one) < 20 * per_mm]
    assert len(found) == len(there) >= 11, "at most one is missing, and nothing else is taken for a card"
    assert max(off(found, one) for one in there) < 4 * per_mm
    assert [card.size for card in found].count(laid_decks.THREAT) >= 5


def _checks(rng, height, width):
    """Draw a cloth of 22 mm checks, 2 pixels a mm; any chance draws the same."""
    del rng
    down, across = np.mgrid[:height, :width] // 44 % 2
    return np.array([[236, 232, 224], [150, 140, 190], [84, 60, 160]], np.uint8)[down + across]


def test_the_checks_of_a_cloth_are_no_cards(bare, monkeypatch):
    monkeypatch.setattr(laid_decks.pictures, "table_top", _checks)
    picture, corners = laid_decks.photograph(bare[19:31], np.random.default_rng(0), columns=4, size=(1600, 1000))
    found = find_cards(picture, SIZES)
    per_mm = np.linalg.norm(corners[0][1] - corners[0][0]) / 88
    assert len(found) == len(corners)
    assert all(near(found, one) < 10 * per_mm for one in corners)


def test_a_table_without_cards_has_none(step, codes):
    light = np.linspace(90, 150, 1280)[None, :, None] * (0.7, 0.9, 1.0)
    noise = np.random.default_rng(4).normal(0, 2, (720, 1280, 3))
    table = np.clip(light + noise, 0, 255).astype(np.uint8)
    assert codes(step.see(table)) == ["deck_no_cards"]


def test_cards_with_stickers_are_named_by_them_and_kept_upright(step, codes, printed):
    picture, _ = laid_decks.photograph(printed[5:17], np.random.default_rng(0), columns=4, size=(1600, 1000))
    assert codes(step.see(picture[::-1, ::-1].copy())) == ["deck_seen", "deck_left"]
    kept = [card for card in printed if step.deck.lights(card.name)]
    assert {card.name for card in kept} <= {card.name for card in printed[5:17]}
    assert len(kept) >= 11, "at most one is missing"
    for card in kept:
        picture = cv2.imread(str(step.deck.folder(card.name) / "day.jpg")).astype(float)
        true = cv2.resize(card.picture, picture.shape[1::-1]).astype(float).ravel()
        upright, over = (np.corrcoef(way.ravel(), true)[0, 1] for way in (picture, picture[::-1, ::-1]))
        assert upright > max(0.3, over + 0.1), card.name


def test_cards_without_stickers_are_named_by_their_titles_and_none_wrongly(step, bare):
    for number, part in enumerate((bare[:12], bare[40:52])):
        picture, _ = laid_decks.photograph(part, np.random.default_rng(number), columns=4, size=(1600, 1000))
        step.see(picture)
        while step.waiting is not None:
            step.act("leave", {})
    done = [card for card in bare if step.deck.lights(card.name)]
    assert len(done) >= 20
    for card in done:
        kept = cv2.imread(str(step.deck.folder(card.name) / "day.jpg"))
        true = cv2.resize(card.picture, kept.shape[1::-1], interpolation=cv2.INTER_AREA)
        assert np.corrcoef(kept.ravel().astype(float), true.ravel().astype(float))[0, 1] > 0.5, card.name


def test_threats_alone_are_not_taken_for_rooms(step, bare):
    threats = [card for card in bare if card.kind == "threat"]
    picture, _ = laid_decks.photograph(threats, np.random.default_rng(6), size=(1600, 1000))
    step.see(picture)
    assert all(one.kind == "threat" for one in bare if step.deck.lights(one.name))
    assert step.progress[0] >= 7


def test_a_doubtful_card_is_asked_with_its_picture_and_the_answer_is_kept(step, codes, bare):
    strange = [laid_decks.LaidCard(card.name, card.kind, "", _without_title(card.picture), card.size) for card in bare]
    picture, _ = laid_decks.photograph(strange[:6], np.random.default_rng(1), columns=3, size=(1280, 720))
    assert "deck_asks" in codes(step.see(picture))
    assert step.progress == (0, 72)
    assert step.details()["picture"]
    step.act("name", {"card": "rummage-heap"})
    assert codes(step.notes) == ["card_taken", "deck_asks"]
    assert step.progress == (1, 72)
    while step.waiting is not None:
        step.act("leave", {})
    notes = codes(step.see(picture))
    assert "deck_asks" not in notes, "what was named or left out is not asked again"


def _without_title(picture):
    bare = picture.copy()
    bare[20 : round(14 * laid_decks.PX), 10:-10] = bare[round(16 * laid_decks.PX), 12]
    return bare


def test_no_card_of_a_shuffled_deck_is_named_by_a_stray_line(step, bare):
    rng = np.random.default_rng(0)
    order = rng.permutation(len(bare))
    for first in (0, 24, 48):
        laid = [bare[index] for index in order[first : first + 24]]
        picture, corners = laid_decks.photograph(laid, rng)
        if not any(card.name == "row-of-hooks" for card in laid):
            continue
        step.see(picture)
        owners = [
            laid[int(np.argmin([np.hypot(*off) for off in middles_off(one, corners)]))].name for one in step.marks
        ]
        assert all(mark.label in {"?", owner} for mark, owner in zip(step.marks, owners, strict=True))
        assert sum(mark.label != "?" for mark in step.marks) >= 20


def middles_off(mark, corners):
    return [mark.points.mean(axis=0) - one.mean(axis=0) for one in corners]


def guess(card, score, lead, line, rivals=()):
    return TitleGuess(card, (), score, lead, ((f"other than {card}", lead), *rivals), line=line)


def test_titles_stand_in_one_row_and_a_line_elsewhere_is_none():
    read = [[guess(f"card {number}", 0.9, 0.3, (3.0 + number / 10, 7.0))] for number in range(5)]
    row = title_row(read)
    assert row is not None
    assert row.is_familiar
    stray = guess("bunk-room", 0.68, 0.22, (50.0, 54.0))
    assert not in_row([stray], row).sure
    told = in_row([stray, guess("row-of-hooks", 0.6, 0.14, (3.2, 7.1))], row)
    assert told.card == "row-of-hooks"
    assert told.sure
    assert not guess("row-of-hooks", 0.6, 0.14, (3.2, 7.1)).sure, "without a row a title has to be more alike"


def test_titles_in_another_lettering_have_to_be_farther_ahead():
    read = [[guess(f"card {number}", 0.7, 0.2, (3.0, 7.0))] for number in range(5)]
    row = title_row(read)
    assert not row.is_familiar
    assert not in_row([guess("tea-room", 0.62, 0.16, (3.0, 7.0))], row).sure
    assert title_row(read[:2]) is None
    apart = [[guess("card", 0.9, 0.3, (place, place + 4))] for place in (3, 15, 30, 45)]
    assert title_row(apart) is None, "these stand nowhere in common"


def test_what_is_left_of_the_deck_names_a_doubtful_title():
    doubtful = guess("clover-hat", 0.9, 0.02, (3.0, 7.0), (("teapot", 0.4),))
    assert not doubtful.sure
    left = doubtful.without({"clover-hat"})
    assert (left.card, left.sure) == ("other than clover-hat", True)
    assert doubtful.without({"clover-hat", "other than clover-hat"}).score == pytest.approx(0.5)
