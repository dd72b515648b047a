"""The pieces themselves: what is in the box, and that camera and people can read it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from reportlab.pdfbase.pdfmetrics import getFont

from companion.cards.loader import builtin, builtin_names
from companion.languages.catalogues import catalogue_file, codes, texts
from companion.pieces.drawing.pen import BOLD, INKS, PLAIN, PLAYERS, OverflowingError, fit, register, width_of
from companion.pieces.drawing.pictures import pictures
from companion.pieces.drawing.raster import PIXELS_PER_MM, render
from companion.pieces.kinds.deck import FIRST_TAG, TooManyCardsError, deck_of
from companion.pieces.kinds.mat import CARD, CARD_TAG, MAT, MAT_TAG, MAT_TAGS, THREAT, tag_middle
from companion.pieces.sheets import leaflets
from companion.pieces.sheets.all_pieces import SHEETS, PrintedBox
from companion.pieces.sheets.paper import print_sheets
from companion.pieces.sheets.printed_profile import profile_of
from companion.vision.profile import parse_profile

from .conftest import ADDRESS

FAR = 24  # in Lab: clearly another colour


def test_every_card_of_the_pack_has_its_piece_and_its_own_tag(box):
    pieces = box.pieces("cards")
    wanted = {card.id: card.copies for card in box.pack.cards}
    for name, copies in wanted.items():
        assert sum(piece.id == name for piece in pieces) == copies, name
    assert {piece.id for piece in pieces} - wanted.keys() == {"elevator", *(f"elevator-{one}" for one in PLAYERS)}
    tags = [piece.tag for piece in pieces]
    assert tags == list(range(FIRST_TAG, FIRST_TAG + len(pieces)))


def test_every_homemade_card_has_a_picture_of_its_own(box):
    assert [card.id for card in box.pack.cards if card.id not in pictures()] == []
    assert len(set(pictures().values())) == len(pictures())


@pytest.mark.parametrize("language", codes())
@pytest.mark.parametrize("pack", builtin_names())
def test_all_words_fit_their_boxes(pack, language):
    """`fit` refuses what does not: nothing is cut off or runs over."""
    for paper in ("a4", "letter"):
        assert print_sheets(PrintedBox(builtin(pack), language, ADDRESS), paper).startswith(b"%PDF")


@pytest.mark.parametrize("language", codes())
def test_the_fonts_have_every_letter_that_is_printed(language):
    """A letter that is cut out of a font is printed as an empty box."""
    register()
    words = [*texts(language, "printed").values(), *catalogue_file(language, "pages/items.toml").values()]
    words += [name for pack in builtin_names() for name in builtin(pack).names[language].values()]
    for font in (PLAIN, BOLD):
        known = getFont(font).face.charToGlyph
        assert {letter for letter in "".join(words) if ord(letter) not in known} == set(), font


def test_v2_a_room_with_one_space_is_printed_with_one(box):
    """The other side stays bare: not a pixel of a circle or a strip."""
    first, *others = box.pack.top_level
    narrow = replace(box.pack, top_level=(replace(first, spaces=(first.spaces[0], None)), *others))
    one, whole = (
        next(iter(render([piece for piece in made.pieces("cards") if piece.id == first.id])))
        for made in (PrintedBox(narrow, "en", ADDRESS), box)
    )
    low, middle = one.shape[0] // 2, one.shape[1] // 2
    assert np.array_equal(one[low:, :middle], whole[low:, :middle])
    strip = slice(one.shape[0] - 10 * PIXELS_PER_MM, one.shape[0] - 4 * PIXELS_PER_MM)
    right = slice(middle + 2 * PIXELS_PER_MM, one.shape[1] - 4 * PIXELS_PER_MM)
    assert np.ptp(one[strip, right], axis=(0, 1)).max() == 0
    assert np.ptp(whole[strip, right], axis=(0, 1)).max() > 0


def test_words_that_cannot_fit_are_refused():
    with pytest.raises(OverflowingError, match="mushroom"):
        fit("mushroomsandmushrooms", (8, 5), 4)
    size, rows = fit("one two three", (12, 10), 4, lines=3)
    assert len(rows) * size <= 10
    assert max(width_of(row, size) for row in rows) <= 12


def test_the_languages_say_the_same_things():
    keys = [texts(language, "printed").keys() for language in codes()]
    assert keys[0] == keys[1] == keys[2]


def test_no_picture_looks_like_a_player():
    def lab(name):
        rgb = np.float32([[[int(name[at : at + 2], 16) / 255 for at in (1, 3, 5)]]])
        return cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB)[0, 0]

    for ink, colour in INKS.items():
        for player in PLAYERS.values():
            assert sum((lab(colour) - lab(player)) ** 2) ** 0.5 > FAR, (ink, player)


def test_the_mat_has_its_tags_where_the_profile_says(picture_of, tags_in):
    mat = picture_of("mat")
    assert mat.shape[:2] == (MAT[1] * PIXELS_PER_MM, MAT[0] * PIXELS_PER_MM)
    found = {tag: (middle, side) for tag, middle, side in tags_in(mat)}
    assert found.keys() == set(range(6))
    for tag, (x, y) in enumerate(MAT_TAGS):
        middle, side = found[tag]
        assert middle == pytest.approx([MAT[0] / 2 + x, MAT[1] / 2 - y], abs=0.1)
        assert side == pytest.approx(MAT_TAG, abs=0.1)


@pytest.mark.parametrize(("name", "size"), [("rain-barrel", CARD), ("wild-goose", THREAT), ("elevator-blue", CARD)])
def test_a_card_has_its_tag_top_right(box, picture_of, tags_in, name, size):
    piece = next(piece for piece in box.pieces("cards") if piece.id == name)
    [(tag, middle, side)] = tags_in(picture_of(name))
    assert tag == piece.tag
    x, y = tag_middle(size)
    assert middle == pytest.approx([x, size[1] - y], abs=0.1)
    assert side == pytest.approx(CARD_TAG, abs=0.1)


def test_the_board_for_the_lens_is_found_whole(picture_of):
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{leaflets.BOARD_TAGS}"))
    board = cv2.aruco.CharucoBoard(leaflets.SQUARES, leaflets.SQUARE, leaflets.MARKER, known)
    grey = cv2.cvtColor(picture_of("charuco-board"), cv2.COLOR_BGR2GRAY)
    grey = cv2.copyMakeBorder(grey, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=255)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(cv2.resize(grey, None, fx=0.5, fy=0.5))
    assert sorted(ids.ravel()) == list(range((leaflets.SQUARES[0] - 1) * (leaflets.SQUARES[1] - 1)))
    across = corners.reshape(-1, 2)[1] - corners.reshape(-1, 2)[0]
    assert across[0] == pytest.approx(leaflets.SQUARE * PIXELS_PER_MM / 2, abs=0.5)


def test_the_code_on_the_stand_can_be_read(picture_of):
    half = picture_of("qr-stand")[75 * PIXELS_PER_MM :]
    assert cv2.QRCodeDetector().detectAndDecode(half)[0] == ADDRESS


def test_the_colours_have_circles_between_their_tags(picture_of, tags_in):
    found = {tag: middle for tag, middle, _ in tags_in(picture_of("colour-circles"))}
    assert found.keys() == set(leaflets.CIRCLE_TAGS)
    assert found[583] == pytest.approx([leaflets.CIRCLE_INSET, leaflets.CIRCLE_INSET], abs=0.1)


def test_the_eyes_take_the_profile(box, tmp_path):
    pieces = box.pieces("cards")
    for piece in pieces:
        (tmp_path / piece.file).touch()
    profile = parse_profile(profile_of(pieces), tmp_path)
    assert profile.card_of_tag()[FIRST_TAG].name == box.pack.top_level[0].id
    assert profile.mat == MAT
    assert profile.levels == 5


def test_a_pack_with_more_cards_than_tags_is_refused(box):
    many = replace(box.pack, items=tuple(replace(card, copies=20) for card in box.pack.items))
    with pytest.raises(TooManyCardsError, match="tags for"):
        deck_of(many)


def test_a_card_without_a_picture_is_printed_all_the_same(box):
    strange = replace(box.pack.threats[0], id="own-ghost")
    own = PrintedBox(replace(box.pack, threats=(strange,)), "pl", ADDRESS)
    assert print_sheets(own, "a4", ["cards"]).startswith(b"%PDF")
    assert {sheet for sheet in SHEETS if own.pieces(sheet)} == set(SHEETS)
