import cv2
import pytest

from companion.cards.loader import builtin
from companion.pieces.drawing.raster import PIXELS_PER_MM, render
from companion.pieces.sheets.all_pieces import PrintedBox

ADDRESS = "http://table.local:8000/"


@pytest.fixture(scope="session")
def box():
    return PrintedBox(builtin("homemade"), "en", ADDRESS)


@pytest.fixture(scope="session")
def picture_of(box):
    """A piece's picture by its id."""
    made = {}

    def find(name):
        if name not in made:
            piece = next(piece for piece in box.all_pieces() if piece.id == name)
            made[name] = next(iter(render([piece])))
        return made[name]

    return find


@pytest.fixture(scope="session")
def tags_in():
    """The tags of a picture: id, middle and side, in millimetres from its upper left corner."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))

    def find(picture, pixels_per_mm=PIXELS_PER_MM):
        corners, ids, _ = detector.detectMarkers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
        found = []
        for corner, number in zip(corners, [] if ids is None else ids.ravel(), strict=True):
            edges = corner[0] / pixels_per_mm
            side = cv2.arcLength(edges, closed=True) / 4 + 1 / pixels_per_mm  # from middle to middle of pixels
            found.append((int(number), (edges.mean(axis=0) + 0.5 / pixels_per_mm).tolist(), side))
        return found

    return find
