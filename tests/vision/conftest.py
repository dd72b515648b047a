import cv2
import pytest

from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader

from . import tables

cv2.setNumThreads(1)


@pytest.fixture(scope="session")
def profile_file(tmp_path_factory):
    return tables.write_profile(tmp_path_factory.mktemp("table"))


@pytest.fixture(scope="session")
def eyes(profile_file):
    return TableReader(load_profile(profile_file))
