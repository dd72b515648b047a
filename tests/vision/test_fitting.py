"""How the network of figures learns. PyTorch is a tool of the fitting alone: without it there is nothing to test."""

import numpy as np
import pytest

from benchmarks.fitting.__main__ import BEFORE, chances
from companion.vision.figures.crops import CROP_SIDE, LAYERS
from companion.vision.figures.network import CLEAR, FigureNet, inputs, prepare
from tests.vision.test_learning import cut, samples_of

torch = pytest.importorskip("torch", reason="PyTorch is a tool of the fitting alone")
learning = pytest.importorskip("benchmarks.fitting.learning")


@pytest.fixture
def chance():
    return np.random.default_rng(5)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the exporter's own
def test_it_learns_to_tell_a_disc_from_a_bar_and_opencv_reads_what_it_learned(chance):
    net = learning.learn(samples_of(chance), rounds=30)
    fresh = samples_of(np.random.default_rng(77), 30)
    told = chances(FigureNet(learning.exported(net), BEFORE.read_bytes(), 1.0, 0.0), fresh)
    assert (told.argmax(axis=1) == fresh.kinds).all()
    given = torch.tensor(prepare(cut(fresh.crops), fresh.sizes)), torch.tensor(inputs(fresh.measures, fresh.sizes))
    logs = net(*given).detach().numpy()
    clear = logs.max(axis=1) > np.log(CLEAR) + 1e-4
    assert clear.any()
    assert np.allclose(told[clear], np.exp(logs[clear]), atol=1e-4)


def test_crops_are_altered_alike_by_one_seed(chance):
    crops = torch.tensor(samples_of(chance, 6).crops).permute(0, 3, 1, 2)
    one, other = (learning.altered(crops, torch.Generator().manual_seed(seed)) for seed in (1, 1))
    assert one.shape == (6, CROP_SIDE, CROP_SIDE, LAYERS)
    assert one.dtype == np.uint8
    assert np.array_equal(one, other)
    assert not np.array_equal(one, learning.altered(crops, torch.Generator().manual_seed(2)))
