"""The tiles of the wasteland's map on paper."""

from collections import Counter

import pypdfium2
import pytest
from click.testing import CliRunner

from companion.cards.wasteland.loader import builtin
from companion.cli import main
from companion.pieces.drawing.raster import render
from companion.pieces.kinds.map_tiles import TILE
from companion.pieces.sheets.paper import PAPERS, print_sheets
from companion.pieces.sheets.wasteland_pieces import PrintedWasteland


def run(*words):
    return CliRunner().invoke(main, ["print", *map(str, words)])


def said(path):
    document = pypdfium2.PdfDocument(path)
    return "\n".join(page.get_textpage().get_text_bounded() for page in document)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", ["en", "pl", "ru", "de"])
def test_tiles_fit_every_paper_in_every_language(paper, language):
    assert print_sheets(PrintedWasteland(builtin("homemade"), language), paper, ("tiles", "backs")).startswith(b"%PDF")


def test_every_tile_has_a_face_and_every_facedown_one_a_back():
    box = PrintedWasteland(builtin("homemade"), "en")
    assert [piece.id for piece in box.pieces("tiles")] == [tile.id for tile in box.pack.tiles]
    backs = {piece.id: piece.count for piece in box.pieces("backs")}
    counted = Counter(f"back-{tile.back}" for tile in box.pack.tiles if tile.back)
    assert backs == counted
    assert {piece.size for sheet in ("tiles", "backs") for piece in box.pieces(sheet)} == {TILE}


def test_borders_are_drawn_in_red_and_green():
    box = PrintedWasteland(builtin("homemade"), "en")
    [market] = [piece for piece in box.pieces("tiles") if piece.id == "market-tile"]
    [picture] = render([market], 4)
    blue, green, red = (picture[:, :, nth].astype(int) for nth in range(3))
    assert ((red > 150) & (green < 90) & (blue < 60)).sum() > 500
    assert ((green > 90) & (red < 60) & (blue < 90)).sum() > 500


def test_names_and_icons_are_printed(tmp_path):
    assert run(tmp_path / "tiles.pdf", "--game", "wasteland", "--language", "ru", "--what", "tiles").exit_code == 0
    text = said(tmp_path / "tiles.pdf")
    for word in ("Рынок", "Соляной рынок", "Паромная лестница"):
        assert word in text


def test_each_game_has_its_own_sheets(tmp_path):
    told = run(tmp_path / "x.pdf", "--game", "wasteland", "--what", "mat")
    assert told.exit_code == 2
    assert "of this game there are guide, boards, cards, tokens, dice, corner, tiles, backs" in told.output
    assert run(tmp_path / "x.pdf", "--what", "tiles").exit_code == 2
    assert "There is no pack 'nix'" in run(tmp_path / "x.pdf", "--game", "wasteland", "--pack", "nix").output


def test_faults_of_a_pack_are_not_printed(tmp_path):
    (tmp_path / "mine.toml").write_text("id = 3\n", encoding="utf-8")
    told = run(tmp_path / "x.pdf", "--game", "wasteland", "--pack", tmp_path / "mine.toml")
    assert told.exit_code == 2
    assert "is no card pack" in told.output
