"""What is learned, and how: the network of figures, and the samples that it learns from."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.fitting import odds
from benchmarks.fitting.samples import (
    DECOYS,
    LARGE,
    NOTHING,
    Decoys,
    Samples,
    eyes_for,
    gather,
    of_frame,
    together,
    worlds,
)
from benchmarks.seeing import place_of
from companion.vision.figures import network
from companion.vision.figures.crops import CROP_SIDE, LAYERS
from companion.vision.figures.evidence import Evidence
from companion.vision.figures.network import AT_ONCE, DRAWN, drawn, load_net, prepare
from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader

FRAMES = Path(__file__).resolve().parent.parent / "frames"
MEASURES = 17
SIZE = (30.0, 20.0, 0.3)


@pytest.fixture
def chance():
    return np.random.default_rng(5)


def samples_of(chance, count=90):
    """Nothing is dark, standing is a disc, lying a bar across."""
    crops = chance.integers(60, 110, (count, LARGE, LARGE, LAYERS), dtype=np.uint8)
    kinds = np.arange(count) % 3
    for crop, kind in zip(crops, kinds, strict=True):
        shown = np.zeros((LARGE, LARGE), dtype=np.uint8)
        if kind == 1:
            cv2.circle(shown, (LARGE // 2, LARGE // 2), 9, 120, -1)
        elif kind == 2:
            cv2.line(shown, (12, LARGE // 2), (LARGE - 12, LARGE // 2), 120, 9)
        np.add(crop, shown[..., None], out=crop)
    sizes = np.tile(SIZE, (count, 1))
    return Samples(crops, chance.normal(0, 1, (count, MEASURES)), sizes, kinds, np.ones(count))


def cut(crops):
    edge = (LARGE - CROP_SIDE) // 2
    return np.ascontiguousarray(crops[:, edge : edge + CROP_SIDE, edge : edge + CROP_SIDE])


def test_the_network_says_how_likely_each_kind_is(chance):
    samples = samples_of(chance, AT_ONCE + 5)
    crops = cut(samples.crops)
    all_at_once = load_net().answer(crops, samples.measures, samples.sizes)
    assert all_at_once.shape == (AT_ONCE + 5, 3)
    assert np.allclose(all_at_once.sum(axis=1), 1, atol=1e-5)
    last = load_net().answer(crops[-1:], samples.measures[-1:], samples.sizes[-1:])
    assert np.allclose(all_at_once[-1:], last, atol=1e-5)


def test_only_in_doubt_the_mirrored_crop_and_those_before_are_asked(chance, monkeypatch):
    samples = samples_of(chance, 12)
    given = cut(samples.crops), samples.measures, samples.sizes
    mirrored = np.ascontiguousarray(given[0][:, :, ::-1]), *given[1:]
    net = load_net()
    monkeypatch.setattr(network, "CLEAR", 0.0)
    plain = net.answer(*given)
    assert not np.allclose(plain, net.answer(*mirrored))
    monkeypatch.setattr(network, "CLEAR", 1.1)
    assert np.allclose(net.answer(*given), net.answer(*mirrored), atol=1e-4)
    monkeypatch.setattr(network, "CLEAR", float(np.median(plain.max(axis=1))))
    changed = np.abs(net.answer(*given) - plain).max(axis=1) > 1e-6
    assert np.array_equal(changed, plain.max(axis=1) < network.CLEAR)


def test_crops_become_numbers_around_nought(chance):
    found = prepare(cut(samples_of(chance, 3).crops), np.tile(SIZE, (3, 1)))
    assert found.shape == (3, LAYERS + DRAWN, CROP_SIDE, CROP_SIDE)
    assert found.dtype == np.float32
    assert np.abs(found).max() < 4


def test_a_base_is_drawn_at_the_foot_and_a_body_above_it():
    base, body = drawn(np.array([SIZE]), CROP_SIDE)[0]
    rows = np.arange(CROP_SIDE) - (CROP_SIDE - 1) / 2
    foot, top = ((layer.sum(axis=1) * rows).sum() / layer.sum() for layer in (base, body))
    assert foot == pytest.approx(0.3 * 0.4 * 24, abs=0.1)  # the picture's middle is at two fifths of its height
    assert top < foot
    assert base.sum() == pytest.approx(np.pi * (20 / 30 / 2 * 24) ** 2, rel=0.05)


def test_nothing_to_judge_gives_nothing():
    crops = np.zeros((0, CROP_SIDE, CROP_SIDE, LAYERS), np.uint8)
    assert load_net().answer(crops, np.zeros((0, MEASURES)), np.zeros((0, 3))).shape == (0, 3)


def test_decoys_lie_where_no_figure_is_near_and_are_nothing():
    eyes = TableReader(load_profile(FRAMES / "profile.json"), keep_scenes=True)
    picture, truth = cv2.imread(str(FRAMES / "std_7000.jpg")), json.loads((FRAMES / "std_7000.json").read_text())
    plain, more = of_frame(eyes, picture, truth), of_frame(eyes, picture, truth, Decoys(eyes))
    assert 0 < len(more) - len(plain) <= DECOYS
    assert {kind for *_, kind, _ in more[: len(more) - len(plain)]} == {NOTHING}
    full = [{**truth["dwellers"][0], "centre_mm": [space.x, space.y]} for space in eyes.profile.spaces]
    assert len(of_frame(eyes, picture, truth | {"dwellers": full}, Decoys(eyes))) <= len(plain)


def test_what_was_seen_once_is_kept(tmp_path):
    for name in ("std_7000.jpg", "std_7000.json"):
        (tmp_path / name).write_bytes((FRAMES / name).read_bytes())
    eyes = TableReader(load_profile(FRAMES / "profile.json"), keep_scenes=True)
    first = gather(eyes, [tmp_path], None, tmp_path / "kept")
    again = gather(None, [tmp_path], None, tmp_path / "kept")  # nobody looks
    assert np.array_equal(first.crops, again.crops)
    assert np.array_equal(first.kinds, again.kinds)
    assert len(together([first, again])) == 2 * len(first)


def test_a_folder_without_a_profile_needs_one(tmp_path):
    with pytest.raises(SystemExit, match="no profile"):
        eyes_for(None, tmp_path)


def test_samples_are_labelled_with_the_truth(tmp_path):
    for name in ("std_7000.jpg", "std_7000.json"):
        (tmp_path / name).write_bytes((FRAMES / name).read_bytes())
    found = gather(TableReader(load_profile(FRAMES / "profile.json"), keep_scenes=True), [tmp_path])
    assert set(found.kinds.tolist()) == {0, 1, 2}
    assert found.crops.shape[1:] == (LARGE, LARGE, LAYERS)


def test_members_of_a_pair_are_figures_and_halves_of_one_are_nothing(tmp_path):
    eyes = TableReader(load_profile(FRAMES / "profile.json"), keep_scenes=True)
    truth = json.loads((FRAMES / "pair_7020.json").read_text())
    (tmp_path / "pair.jpg").write_bytes((FRAMES / "pair_7020.jpg").read_bytes())
    (tmp_path / "pair.json").write_text(json.dumps(truth))
    both = gather(eyes, [tmp_path])
    alone = {place_of(figure): figure for figure in truth["dwellers"]}
    assert len(alone) < len(truth["dwellers"])
    (tmp_path / "pair.json").write_text(json.dumps(truth | {"dwellers": list(alone.values())}))
    one = gather(eyes, [tmp_path])
    shared = len(one) - len(both)  # spaces with two are no sample of one figure
    assert shared > 0
    assert (both.kinds > 0).sum() > (one.kinds > 0).sum() - shared
    assert (one.kinds == 0).sum() > (both.kinds == 0).sum()


def test_a_folder_may_have_a_profile_of_its_own(tmp_path):
    eyes = TableReader(load_profile(FRAMES / "profile.json"), keep_scenes=True)
    assert eyes_for(eyes, tmp_path) is eyes
    smaller = json.loads((FRAMES / "profile.json").read_text())
    smaller["table"]["card_tag"] = 14
    smaller["cards"] = {}
    (tmp_path / "profile.json").write_text(json.dumps(smaller))
    assert eyes_for(eyes, tmp_path).profile.card_tag == 14


def test_a_world_is_judged_by_its_own_colours(tmp_path):
    eyes = TableReader(load_profile(FRAMES / "profile.json"), keep_scenes=True)
    other = json.loads((FRAMES / "profile.json").read_text())
    other["figures"]["colours"] = {"pink": [240, 120, 180]}
    other["cards"] = {}
    (tmp_path / "profile.json").write_text(json.dumps(other))
    log_odds = np.full((14, 64), -1.0, dtype=np.float32)
    own = eyes_for(eyes, tmp_path, log_odds)
    assert own.whole.evidence.players == ["pink"]
    assert np.array_equal(own.whole.evidence._packed, Evidence(own.profile.colours, log_odds)._packed)


def test_a_folder_of_worlds_is_each_of_them(tmp_path):
    for name in ("b", "a"):
        (tmp_path / "all" / name).mkdir(parents=True)
        (tmp_path / "all" / name / "profile.json").write_text("{}")
    assert worlds([tmp_path / "all"]) == [tmp_path / "all" / "a", tmp_path / "all" / "b"]
    assert worlds([tmp_path / "all" / "a"]) == [tmp_path / "all" / "a"]


def test_a_folder_without_frames_is_told(tmp_path):
    with pytest.raises(SystemExit, match="no frame with truth"):
        gather(TableReader(load_profile(FRAMES / "profile.json"), keep_scenes=True), [tmp_path])


def test_a_mask_tells_which_pixels_show_a_player():
    camera = {"K": [[100.0, 0, 50], [0, 100, 50], [0, 0, 1]], "dist": [0.0] * 4, "R": np.eye(3), "t": [0.0, 0.0, 94.0]}
    mask = np.zeros((100, 100), np.uint16)
    mask[45:56, 45:56] = 7
    truth = {"camera": camera, "dwellers": [{"centre_mm": [0, 0], "colour": "blue"}]}
    shown = odds.labels(mask, truth, ["red", "blue"])
    assert (shown == 2).sum() == 121
    assert (shown > 0).sum() == 121


def test_what_only_figures_show_speaks_for_them():
    figures, cards = np.zeros((14, 64)), np.zeros((14, 64))
    figures[9, 5], cards[1, 60] = 1000, 1000
    found = odds.odds_of(figures, cards)
    assert found[9, 5] > 1
    assert found[1, 60] < -1


def test_a_mask_that_is_numbered_needs_no_guess():
    mask = np.array([[0, 7, 7], [9, 9, 0]], np.uint16)
    truth = {"dwellers": [{"colour": "blue", "mask": 9}, {"colour": "red", "mask": 7}]}
    assert odds.labels(mask, truth, ["red", "blue"]).tolist() == [[0, 1, 1], [2, 2, 0]]
