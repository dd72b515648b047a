"""`companion print` as somebody at a terminal sees it."""

import json

import cv2
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.pieces.drawing.raster import PIXELS_PER_MM


def run(*words):
    return CliRunner().invoke(main, ["print", *map(str, words)])


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_pdf_is_written(tmp_path, paper):
    out = tmp_path / "sheets" / "out.pdf"
    result = run(out, "--paper", paper, "--what", "guide", "--language", "pl")
    assert (result.exit_code, result.output) == (0, "")
    assert out.read_bytes().startswith(b"%PDF")


def test_pictures_and_their_manifest(tmp_path):
    assert run("--png", tmp_path, "--what", "tokens").exit_code == 0
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert {entry["id"] for entry in manifest} >= {"figure-red", "tracker-green", "first-player", "happiness-5"}
    for entry in manifest:
        assert all(round(side, 2) == side > 0 for side in entry["mm"])
        assert entry.keys() >= {"id", "kind", "file", "mm"}
        height, width = cv2.imread(str(tmp_path / entry["file"])).shape[:2]
        assert (width, height) == pytest.approx([side * PIXELS_PER_MM for side in entry["mm"]], abs=1)
    assert len({entry["file"] for entry in manifest}) == len(manifest)


def test_pictures_of_cards_tell_their_tags(tmp_path):
    assert run("--png", tmp_path, "--what", "cards").exit_code == 0
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert all(isinstance(entry["tag"], int) for entry in manifest)
    assert {entry["kind"] for entry in manifest} == {"room", "threat", "item", "elevator"}
    profile = json.loads((tmp_path / "profile.json").read_text(encoding="utf-8"))
    tags = {tag: name for name, card in profile["cards"].items() for tag in card["tags"]}
    assert tags == {entry["tag"]: entry["id"] for entry in manifest}


@pytest.mark.parametrize(
    "words", [(), ("--what", "dice", "x.pdf"), ("--paper", "a5", "x.pdf"), ("--pack", "nix", "x.pdf")]
)
def test_wrong_use_is_told_in_a_line(words):
    result = run(*words)
    assert result.exit_code == 2
    assert "Error: " in result.output


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").touch()
    result = run(tmp_path / "file" / "out.pdf", "--what", "guide")
    assert result.exit_code == 1
    assert "file" in result.output
    assert "Traceback" not in result.output


def test_a_pack_that_cannot_be_printed_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.pieces.kinds.deck.LAST_TAG", 20)
    result = run(tmp_path / "out.pdf", "--what", "cards")
    assert result.exit_code == 1
    assert "there are tags for" in result.output
