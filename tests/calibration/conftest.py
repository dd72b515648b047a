import cv2
import pytest

from calibration.profiles import ProfileFile
from tests.vision import tables

cv2.setNumThreads(1)


@pytest.fixture
def file(tmp_path):
    """The profile of a drawn table with six rooms and their flat pictures."""
    return ProfileFile(tables.write_profile(tmp_path))


@pytest.fixture
def fresh(tmp_path):
    """A profile that is not there yet."""
    return ProfileFile(tmp_path / "new" / "profile.json")


@pytest.fixture
def codes():
    return lambda notes: [note.code for note in notes]
