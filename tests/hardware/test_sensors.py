"""The Pi's camera modules: their modes, and the table of them in the guide for builders."""

from pathlib import Path

import pytest

from companion.pieces.kinds.mat import CARD_TAG, MAT
from hardware.cameras.sensors import MODULES, is_full, module_of

BUILD = (Path(__file__).parents[2] / "docs/build.md").read_text(encoding="utf-8")
READ_AT = 1.25
"""Pixels a millimetre of the view from straight above, in which everything is read."""
KNOWN = [pytest.param(module, id=name) for name, module in MODULES.items() if module.shows_mm()]


@pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)
def test_every_picture_is_made_of_the_whole_sensor(module):
    assert all(is_full(size, module.modes[-1]) for size in (*module.sizes, *module.modes))
    for size in module.sizes:
        mode = module.mode_for(size)
        assert mode[0] >= size[0]
        assert mode[1] >= size[1]


@pytest.mark.parametrize("module", KNOWN)
def test_from_its_height_a_module_sees_the_mat_finely_enough(module):
    across, down = module.shows_mm()
    assert across > MAT[0] + 100
    assert down > MAT[1] + 90, "and the strips at its far edge, with the camera tilted"
    assert all(module.pixels_per_mm(size) > READ_AT for size in module.sizes)


def test_the_standard_lens_shows_no_more_from_the_height_of_the_wide_one():
    wide = MODULES["imx708_wide"]
    assert wide.sizes[0][0] / wide.shows_mm(700)[0] * CARD_TAG < 24, "from 70 cm its stickers are too small"
    assert MODULES["imx708"].shows_mm(400)[0] < MAT[0]


def test_the_shape_of_a_picture_tells_whether_something_is_cut_off():
    assert is_full((1920, 1080), (3840, 2160))
    assert not is_full((1920, 1080), (3280, 2464))


def test_a_module_without_a_filter_is_the_same_to_us():
    assert module_of("imx708_wide_noir") is MODULES["imx708_wide"]
    assert module_of("imx999") is None


@pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)
def test_the_guide_tells_of_every_module(module):
    rows = [line for line in BUILD.splitlines() if line.startswith(f"| {module.name} |")]
    assert len(rows) == len(module.sizes)
    for row, size in zip(rows, module.sizes, strict=True):
        assert f" {size[0]} x {size[1]}{', suggested' if size == module.sizes[0] else ''} |" in row
        if module.shows_mm() is None:
            continue
        across, down = module.shows_mm()
        fine = module.pixels_per_mm(size)
        assert f"| {module.height_mm // 10} cm | {across / 10:.0f} x {down / 10:.0f} cm |" in row
        assert f"| {fine:.1f} | {fine * CARD_TAG:.0f} px |" in row
