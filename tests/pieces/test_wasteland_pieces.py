"""The homemade pack of the wasteland on paper: a newcomer needs nothing else."""

import re
from collections import Counter

import cv2
import pytest

from companion.cards.wasteland.in_words import CATALOGUE, texts_of
from companion.cards.wasteland.loader import builtin
from companion.languages import catalogues
from companion.pieces.drawing.raster import render
from companion.pieces.kinds.wasteland_cards import CardWords, wasteland_deck
from companion.pieces.sheets.paper import PAPERS, print_sheets
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
