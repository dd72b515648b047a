from pathlib import Path

import cv2
import pytest

from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader

from . import tables

FRAMES = Path(__file__).resolve().parent.parent / "frames"

cv2.setNumThreads(1)


@pytest.fixture(scope="session")
def profile_file(tmp_path_factory):
    return tables.write_profile(tmp_path_factory.mktemp("table"))


@pytest.fixture(scope="session")
def eyes(profile_file):
    return TableReader(load_profile(profile_file))


@pytest.fixture(scope="session")
def frame_eyes():
    """For the rendered frames; a reader remembers nothing between two looks."""
    return TableReader(load_profile(FRAMES / "profile.json"))
