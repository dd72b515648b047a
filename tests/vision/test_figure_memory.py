"""What is remembered of the own figures: it settles the pose of what looks alike, and touches nothing else."""

import numpy as np
import pytest

from companion.vision.figures.memory import LYING, STANDING, FigureMemory, KnownLook, network_name, unpacked
from companion.vision.figures.network import load_net
from companion.vision.profile import ProfileError, parse_profile
from tests.vision import tables


def feature(seed):
    values = np.abs(np.random.default_rng(seed).normal(size=64))
    return values / np.linalg.norm(values)


def near(values, by):
    moved = values + np.random.default_rng(9).normal(0, by, 64)
    return moved / np.linalg.norm(moved)


OWN = feature(1)
MEMORY = FigureMemory([KnownLook(tuple(OWN), STANDING)])
DOUBT = np.array([[0.02, 0.47, 0.51]])


def test_a_pose_in_doubt_is_settled_by_a_figure_that_looks_the_same():
    nothing, stands, lies = MEMORY.settle(DOUBT, near(OWN, 0.005)[None])[0]
    assert nothing == pytest.approx(0.02)
    assert stands > 0.8
    assert stands + lies == pytest.approx(0.98, abs=1e-4)


def test_what_looks_otherwise_and_what_is_clear_stay_as_they_are():
    assert MEMORY.settle(DOUBT, feature(2)[None])[0] == pytest.approx(DOUBT[0], abs=0.03)
    clear = np.array([[0.001, 0.001, 0.998]])
    assert MEMORY.settle(clear, OWN[None])[0].argmax() == LYING
    assert FigureMemory([]).settle(DOUBT, OWN[None]) is DOUBT


def test_an_example_is_a_line_of_text_in_the_profile():
    packed = KnownLook(tuple(OWN), LYING).packed()
    assert len(packed) < 100
    assert float(np.dot(unpacked(packed), OWN)) > 0.999
    assert unpacked("no base64 !") is None
    assert unpacked("AAAA") is None


def test_the_profile_keeps_examples_of_this_network_and_names_a_fault(tmp_path):
    raw = tables.profile_json([])
    look = {"kind": "lying", "features": KnownLook(tuple(OWN), LYING).packed(), "weight": 0.25}
    raw["figures"]["memory"] = {"network": network_name(), "looks": [look]}
    (known,) = parse_profile(raw, tmp_path).figure_memory
    assert (known.kind, known.weight) == (LYING, 0.25)
    raw["figures"]["memory"]["network"] = "another"
    assert parse_profile(raw, tmp_path).figure_memory == ()
    raw["figures"]["memory"]["looks"] = [{"kind": "sitting", "features": look["features"]}]
    with pytest.raises(ProfileError, match=r"figures\.memory\.looks\[0\]"):
        parse_profile(raw, tmp_path)


def test_features_have_length_one_and_the_answer_is_what_it_was():
    chance = np.random.default_rng(3)
    crops = chance.integers(0, 255, (3, 48, 48, 9), dtype=np.uint8)
    measures, sizes = chance.random((3, 17)), np.array([(30.0, 12.0, 0.3)] * 3)
    chances, features = load_net().answer_with_features(crops, measures, sizes)
    assert np.linalg.norm(features, axis=1) == pytest.approx(1, abs=1e-4)
    assert load_net().answer(crops, measures, sizes) == pytest.approx(chances)
