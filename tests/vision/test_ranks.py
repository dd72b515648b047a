"""Medians and ranks of our own: what numpy says, without what numpy loads for them."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from companion.vision.arrays import median, median_of, quantile

FRAMES = Path(__file__).resolve().parent.parent / "frames"
LOOK = """
import sys, cv2
from pathlib import Path
from companion.vision.table_reader import TableReader
from companion.vision.profile import load_profile
frames = Path(sys.argv[1])
look = TableReader(load_profile(frames / "profile.json")).look(cv2.imread(str(frames / "notag_7008.jpg")))
print(look.reading.table, "numpy.ma" in sys.modules)
"""


@pytest.mark.parametrize("count", [1, 2, 7, 28, 36])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.8, 0.995, 1.0])
def test_a_quantile_is_numpys(count, share):
    values = np.random.default_rng(count).normal(size=(count, 3)).astype(np.float32)
    assert np.allclose(quantile(values, share, axis=0), np.quantile(values, share, axis=0), atol=1e-6)
    assert quantile(values, share, axis=0).dtype == np.float32


@pytest.mark.parametrize("count", [1, 4, 9])
def test_a_median_is_numpys(count):
    values = np.random.default_rng(count).normal(size=(5, count))
    assert np.allclose(median(values), np.median(values, axis=1))


def test_a_median_of_some_is_that_of_the_usable_ones():
    values = np.array([[5.0, 1.0, 900.0, 3.0], [4.0, 900.0, 2.0, 900.0], [7.0, 7.0, 7.0, 7.0]])
    usable = np.array([[True, True, False, True], [True, False, True, False], [False] * 4])
    assert median_of(values, usable).tolist() == [3.0, 3.0, 0.0]


def test_a_look_loads_no_masked_arrays():
    told = subprocess.run([sys.executable, "-c", LOOK, str(FRAMES)], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["found", "False"]
