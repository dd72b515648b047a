"""What is learned, and how: the small network, its slopes, and the samples that it learns from."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.fitting import learning, odds
from benchmarks.fitting.samples import LARGE, Samples, eyes_for, gather, worlds
from benchmarks.seeing import place_of
from companion.vision.figures import verdict as network
from companion.vision.figures.evidence import Evidence
from companion.vision.figures.verdict import CROP_SIDE
from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader

FRAMES = Path(__file__).resolve().parent.parent / "frames"
MEASURES = 4


@pytest.fixture
def chance():
    return np.random.default_rng(5)


def samples_of(chance, count=90):
    """Nothing is dark, standing is a disc, lying a bar across."""
    crops = chance.integers(60, 110, (count, LARGE, LARGE, 3), dtype=np.uint8)
    kinds = np.arange(count) % 3
    for crop, kind in zip(crops, kinds, strict=True):
        if kind == 1:
            cv2.circle(crop, (LARGE // 2, LARGE // 2), 7, (230, 120, 200), -1)
        elif kind == 2:
            cv2.line(crop, (8, LARGE // 2), (LARGE - 8, LARGE // 2), (230, 120, 200), 7)
    crops += chance.integers(0, 20, crops.shape, dtype=np.uint8)  # two windows alike would share a slope
    return Samples(crops, chance.normal(0, 1, (count, MEASURES)), kinds, np.ones(count))


def cut(crops):
    edge = (LARGE - CROP_SIDE) // 2
    return crops[:, edge : edge + CROP_SIDE, edge : edge + CROP_SIDE]


def test_it_learns_to_tell_a_disc_from_a_bar(chance):
    net = learning.learn(samples_of(chance), rounds=60)
    fresh = samples_of(np.random.default_rng(77), 30)
    answers = net.answer(cut(fresh.crops), fresh.measures)
    assert np.allclose(answers.sum(axis=1), 1, atol=1e-5)
    assert (answers.argmax(axis=1) == fresh.kinds).all()


def test_the_slopes_are_those_of_the_loss(chance):
    weights = {name: values.astype(np.float64) for name, values in learning._start(chance, MEASURES).items()}
    given = (network.prepare(cut(samples_of(chance, 6).crops)), chance.normal(0, 1, (6, MEASURES)))
    seen = network.windows(given[0], network.FIRST, network.STEP)
    wanted, heed = np.eye(3)[np.arange(6) % 3], np.ones(6)

    def loss():
        net = network.Net(weights, np.zeros(MEASURES), np.ones(MEASURES))
        return -float((np.log(net.forward(seen, given[1])) * wanted).sum(axis=1).mean())

    found = learning.slopes(weights, given, wanted, heed)
    for name, at in (("w1", (3, 2)), ("w2", (5, 1)), ("w3", (11, 7)), ("w4", (2, 1)), ("b2", (4,)), ("b3", (9,))):
        step = 1e-6
        weights[name][at] += step
        above = loss()
        weights[name][at] -= 2 * step
        below = loss()
        weights[name][at] += step
        assert found[name][at] == pytest.approx((above - below) / (2 * step), rel=0.05, abs=2e-5)


def test_who_learns_on_keeps_what_it_began_with(chance):
    first = learning.learn(samples_of(chance), rounds=4)
    before = {name: values.copy() for name, values in first.weights.items()}
    end = learning.learn(samples_of(chance), 4, 1, first)
    assert all(np.array_equal(before[name], values) for name, values in first.weights.items())
    assert not np.array_equal(end.weights["w3"], before["w3"])
    way = learning.between(first, end, 0.25)
    assert np.allclose(way.weights["w3"], 0.75 * before["w3"] + 0.25 * end.weights["w3"])
    assert way.middle is first.middle


def test_those_who_know_many_shapes_say_the_pose_that_the_others_are_not_sure_of(chance, monkeypatch):
    both = [learning.learn(samples_of(chance), 8, seed) for seed in (1, 2)]
    fresh = samples_of(np.random.default_rng(78), 30)
    terms, measures = network.prepare(cut(fresh.crops)), fresh.measures
    mine, its = (network.Nets((net,))._said(terms, measures) for net in both)
    monkeypatch.setattr(network, "SETTLED", 0.8)
    said = network.Nets((both[0],), (both[1],))._said(terms, measures)
    likely = mine[:, 0] < 1 - network.LIKELY
    likely &= mine[:, 1:].max(axis=1) < 0.8 * (1 - mine[:, 0])
    likely &= its[:, 1:].max(axis=1) >= 0.8 * (1 - its[:, 0])
    assert np.array_equal(said[~likely], mine[~likely])
    assert np.allclose(said[:, 0], mine[:, 0])
    assert np.allclose(said[likely, 2] / said[likely, 1], its[likely, 2] / its[likely, 1], rtol=1e-3)
    assert np.allclose(said.sum(axis=1), 1, atol=1e-5)
    monkeypatch.setattr(network, "SETTLED", 0.0)
    assert np.array_equal(network.Nets((both[0],), (both[1],))._said(terms, measures), mine)


def test_only_what_is_in_doubt_is_mirrored(chance, monkeypatch):
    nets, samples = network.load_nets(), samples_of(chance, 12)
    crops, values = cut(samples.crops), np.zeros((12, 17))
    plain = nets._said(network.prepare(crops), values)
    mirrored = nets._said(network.prepare(crops[:, :, ::-1]), values)
    monkeypatch.setattr(network, "CLEAR", 0.5)
    assert np.allclose(nets.answer(crops, values), plain)
    monkeypatch.setattr(network, "CLEAR", 0.0)
    assert np.allclose(nets.answer(crops, values), (plain + mirrored) / 2)


def test_arrays_are_kept_as_text(chance):
    values = chance.normal(0, 1, (3, 5))
    assert np.allclose(network.unpack(network.pack(values)), values, atol=2e-3)
    with pytest.raises(TypeError, match="a shape is a list"):
        network.unpack({"shape": 15, "data": network.pack(values)["data"]})


def test_nothing_to_judge_gives_nothing():
    assert network.load_nets().answer(np.zeros((0, CROP_SIDE, CROP_SIDE, 3), np.uint8), np.zeros((0, 17))).shape == (
        0,
        3,
    )


def test_samples_are_labelled_with_the_truth(tmp_path):
    for name in ("std_7000.jpg", "std_7000.json"):
        (tmp_path / name).write_bytes((FRAMES / name).read_bytes())
    found = gather(TableReader(load_profile(FRAMES / "profile.json"), keep_scenes=True), [tmp_path])
    assert set(found.kinds.tolist()) == {0, 1, 2}
    assert found.crops.shape[1:] == (LARGE, LARGE, 3)


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


def test_light_changes_a_crop_and_leaves_what_is_strange(chance):
    crop = samples_of(chance, 1).crops[0]
    lit = learning._lit_otherwise(crop, chance)
    assert np.array_equal(lit[..., 1], crop[..., 1])
    assert not np.array_equal(lit[..., 0], crop[..., 0])
    assert not np.array_equal(lit[..., 2], crop[..., 2])


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
