"""The homemade pack of the wasteland on paper: a newcomer needs nothing else."""

import itertools
import re
from collections import Counter

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.cards.wasteland.in_words import CATALOGUE, texts_of
from companion.cards.wasteland.loader import builtin
from companion.languages import catalogues
from companion.pieces.drawing.raster import render
from companion.pieces.kinds.wasteland_cards import CardWords, wasteland_deck
from companion.pieces.sheets.paper import PAPERS, pages_of, print_sheets
from companion.pieces.sheets.wasteland_pieces import SHEETS, PrintedWasteland

PACK = builtin("homemade")
CODES = ["en", "de", "pl", "ru"]


def box_in(language):
    return PrintedWasteland(PACK, language, "http://table.local:8000/")


@pytest.mark.parametrize(("language", "paper"), [*zip(CODES, [*PAPERS] * 2, strict=True)])
def test_all_sheets_can_be_printed(language, paper):
    """Words that do not fit their box are refused, never cut."""
    small = ("guide", "boards", "cards", "tokens", "dice")
    assert print_sheets(box_in(language), paper, small).startswith(b"%PDF")


def test_everything_in_the_pack_is_a_piece():
    pieces = [piece for sheet in SHEETS for piece in box_in("en").pieces(sheet)]
    assert len({piece.id for piece in pieces}) == len(pieces)
    counted = Counter({piece.id: piece.count for piece in pieces})
    for pile in (PACK.cards, PACK.perks, PACK.agendas):
        assert {one.id: counted[one.id] for one in pile} == {one.id: one.count for one in pile}
    assert {f"enemy-{one.id}": one.count for one in PACK.enemies}.items() <= counted.items()
    assert {one.id for one in PACK.encounters} | {f"quest-{one.number}" for one in PACK.quests} <= counted.keys()
    assert {f"board-{one.id}" for one in PACK.characters} | {
        f"scenario-{one.id}" for one in PACK.scenarios
    } <= counted.keys()
    assert [counted[f"letter-{letter}"] for letter in "SPECIAL"] == list(PACK.settings.special_supply)
    assert counted["trait-super-mutant-of-the-brine-child"] == 1
    assert {"die-1", "die-2", "die-3", "figure-red", "peg-yellow-rads", "power-star", "caps-5"} <= counted.keys()


@pytest.mark.parametrize("code", CODES[1:])
def test_every_text_of_the_pack_is_there_in_every_language(code):
    """What changes on a card is missed here until it is translated."""
    assert catalogues.card_texts(code, CATALOGUE).keys() == set(texts_of(PACK))
    assert all(catalogues.card_texts(code, CATALOGUE).values())


@pytest.mark.parametrize("code", CODES[1:])
def test_no_english_stands_on_a_card_of_another_language(code):
    english = set(texts_of(PACK)) - set(catalogues.card_texts(code, CATALOGUE).values())
    words = CardWords(PACK, code)
    for _, _, card, _ in wasteland_deck(PACK):
        told = [words.told(card.name), *(line for line, _ in words.lines(card))]
        for line in told:
            assert not [text for text in english if re.search(rf"(?<!\w){re.escape(text)}(?!\w)", line)], line


def test_a_card_is_known_by_its_tag_and_a_die_shows_what_the_pack_says():
    box = box_in("en")
    assert list(box.tags().values()) == [name for name, *_ in wasteland_deck(PACK)]
    by_id = {piece.id: piece for piece in (*box.pieces("cards"), *box.pieces("dice"))}
    market, die = render([by_id["fish-market"], by_id["die-1"]])
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    _, ids, _ = detector.detectMarkers(cv2.cvtColor(market, cv2.COLOR_BGR2GRAY))
    assert [box.tags()[int(tag)] for tag in ids.ravel()] == ["fish-market"]
    assert (die < 90).all(axis=2).mean() > 0.02


def pages_in(what):
    """The pages of a PDF as pictures, two pixels a millimetre."""
    document = pypdfium2.PdfDocument(print_sheets(box_in("en"), "a4", what))
    return [page.render(scale=2 * 25.4 / 72).to_numpy().copy() for page in document]


def test_a_shuffled_card_does_not_tell_what_it_is():
    """Every card of a deck has the same back, which looks the same upside down; decks differ."""
    box = box_in("en")
    backs = {}
    for piece in box.pieces("cards"):
        backs.setdefault(piece.back.id, set()).add(piece.back)
    assert all(len(same) == 1 for same in backs.values())
    decks = {f"back-{CardWords(PACK, 'en').deck(card)[0]}" for _, _, card, _ in wasteland_deck(PACK)}
    assert backs.keys() == decks
    pictures = dict(zip(backs, render([next(iter(same)) for same in backs.values()], 4), strict=True))
    for name, picture in pictures.items():
        turned = picture[::-1, ::-1]
        assert np.abs(picture.astype(int) - turned).mean() < 1, name
    for one, other in itertools.combinations(pictures.values(), 2):
        assert np.abs(one.astype(int) - other).mean() > 1


def test_both_sides_meet_when_the_paper_is_flipped_on_its_long_edge():
    box = box_in("en")
    fronts = list(pages_of(box, "cards", "a4"))
    printed = pages_in(["cards"])
    assert len(printed) == 2 * len(fronts)
    back_of = {piece.back.id: next(iter(render([piece.back], 2))) for piece in box.pieces("cards")}
    for page, other_side in zip(fronts, printed[1::2], strict=True):
        seen = other_side[:, ::-1]  # through the paper
        for one in page.placed:
            low = seen.shape[0] - round(2 * (one.y + one.size[1]))
            left = round(2 * one.x)
            card = seen[low : low + round(2 * one.size[1]), left : left + round(2 * one.size[0])]
            wanted = back_of[one.piece.back.id][:, ::-1]
            assert np.abs(card.astype(int) - wanted[: card.shape[0], : card.shape[1]]).mean() < 12, one.piece.id


def test_several_sheets_together_are_for_one_side_of_the_paper():
    alone = len(list(pages_of(box_in("en"), "cards", "a4"))) + len(list(pages_of(box_in("en"), "dice", "a4")))
    assert len(pages_in(["cards", "dice"])) == alone
