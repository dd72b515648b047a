"""The PDF: measured with a ruler of pixels."""

import numpy as np
import pypdfium2
import pytest
from reportlab.lib.units import mm

from companion.pieces.kinds.deck import deck_of
from companion.pieces.kinds.mat import CARD_TAG, MAT, MAT_TAG, MAT_TAGS, TRACK, TRACKS
from companion.pieces.sheets.all_pieces import SHEETS
from companion.pieces.sheets.paper import FOOT, MARGIN, OVERLAP, PAPERS, RULER, PrintedPage, pages_of, print_sheets

DOTS = 6.0  # a millimetre
SLIP = 1.2 / DOTS


@pytest.fixture(params=sorted(PAPERS))
def paper(request):
    return request.param


def rasterised(pdf):
    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            bitmap = page.render(scale=DOTS / mm)
            yield [side / mm for side in page.get_size()], bitmap.to_numpy().copy()
            bitmap.close()
            page.close()
    finally:
        document.close()


def test_pages_are_the_paper_and_the_ruler_is_100_mm(box, paper):
    width, height = PAPERS[paper]
    for size, picture in rasterised(print_sheets(box, paper, ["guide", "mat"])):
        assert sorted(size) == pytest.approx(sorted((width, height)), abs=0.01)
        row = round((size[1] - MARGIN - 3.2) * DOTS)
        line = picture[row - 1 : row + 1, :, 1].min(axis=0) < 128
        inked = np.flatnonzero(line[round((MARGIN - 1) * DOTS) : round((MARGIN + RULER + 1) * DOTS)])
        assert (inked[-1] - inked[0] + 1) / DOTS == pytest.approx(RULER, abs=0.5)


def test_the_tiles_make_the_mat_and_cut_no_tag(box, paper, tags_in):
    pages = list(rasterised(print_sheets(box, paper, ["mat"])))
    tiles = list(pages_of(box, "mat", paper))
    seen = {}
    for tile, (size, picture) in zip(tiles, pages, strict=True):
        for tag, (x, y), side in tags_in(picture, DOTS):
            assert side == pytest.approx(MAT_TAG, abs=SLIP)
            on_mat = (x - MARGIN + tile.corner[0], size[1] - y - MARGIN - FOOT + tile.corner[1])
            seen.setdefault(tag, on_mat)
    for tag, (x, y) in enumerate(MAT_TAGS):
        assert seen[tag] == pytest.approx((x + MAT[0] / 2, y + MAT[1] / 2), abs=SLIP)
    lefts = sorted({round(tile.corner[0], 3) for tile in tiles if tile.piece.kind == "mat"})
    assert lefts[0] == 0
    assert lefts[-1] + tiles[0].part[0] == pytest.approx(MAT[0])
    assert np.diff(lefts) == pytest.approx(tiles[0].part[0] - OVERLAP, abs=0.01)


def test_the_strips_of_the_tracks_are_whole_and_true(box, paper):
    """Each strip's tiles, laid on their overlaps, are as long as it is, and none is cut across its height."""
    for track in TRACKS:
        tiles = [tile for tile in pages_of(box, "mat", paper) if tile.piece.id == f"track-{track}"]
        assert tiles[-1].corner[0] + tiles[-1].part[0] == pytest.approx(TRACK[0])
        assert {tile.part[1] for tile in tiles} == {TRACK[1]}
        assert len(tiles) == (1 if paper == "a4" else 2)


def test_every_sticker_is_there_once_at_true_size(box, paper, tags_in):
    found = [tag for _, picture in rasterised(print_sheets(box, paper, ["tags"])) for tag in tags_in(picture, DOTS)]
    wanted = sorted([carried.tag for carried in deck_of(box.pack)] + [583, 584, 585, 586])
    assert sorted(tag for tag, _, _ in found) == wanted
    assert [side for _, _, side in found] == pytest.approx([CARD_TAG] * len(found), abs=SLIP)


def test_nothing_leaves_the_page_or_lies_on_something_else(box, paper):
    for sheet in SHEETS:
        for page in pages_of(box, sheet, paper):
            if not isinstance(page, PrintedPage):
                assert page.part[0] <= page.size[0] - 2 * MARGIN + 0.001
                assert page.part[1] <= page.size[1] - 2 * MARGIN - FOOT + 0.001
                continue
            boxes = [(one.x, one.y, one.x + one.size[0], one.y + one.size[1]) for one in page.placed]
            for left, low, right, high in boxes:
                assert left >= MARGIN
                assert low >= MARGIN + FOOT - 0.001
                assert right <= page.size[0] - MARGIN + 0.001
                assert high <= page.size[1] - MARGIN + 0.001
            for index, one in enumerate(boxes):
                for other in boxes[:index]:
                    assert one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]


def test_every_piece_is_printed_as_often_as_it_is_needed(box, paper):
    for sheet in ("cards", "tokens", "tags", "guide"):
        printed = [one.piece for page in pages_of(box, sheet, paper) for one in page.placed]
        for piece in box.pieces(sheet):
            assert sum(one.file == piece.file for one in printed) == piece.count


def test_a_camera_knows_every_printed_card(box, tags_in):
    pages = [picture for _, picture in rasterised(print_sheets(box, "a4", ["cards"]))]
    found = [tag for picture in pages for tag in tags_in(picture, DOTS)]
    assert sorted(tag for tag, _, _ in found) == [carried.tag for carried in deck_of(box.pack)]
    assert {round(side) for _, _, side in found} == {18}


def test_the_same_box_is_the_same_pdf(box):
    assert print_sheets(box, "a4", ["guide"]) == print_sheets(box, "a4", ["guide"])
