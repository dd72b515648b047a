"""The little pictures: each stays inside its frame, wherever it is drawn."""

import numpy as np

from companion.pieces.drawing.pictures import OUTLINE, SIDE, draw_picture, pictures
from companion.pieces.drawing.raster import PrintedPiece, render

AROUND = 20.0  # of the paper around the frame
SCALE = 5


def test_every_picture_stays_inside_its_frame_but_for_half_an_outline():
    names = sorted(pictures())
    paper = (SIDE + 2 * AROUND,) * 2
    pieces = [
        PrintedPiece(name, "picture", paper, lambda pen, name=name: draw_picture(pen, name, AROUND, AROUND, SIDE))
        for name in names
    ]
    outside = {}
    for name, picture in zip(names, render(pieces, SCALE), strict=True):
        drawn = np.argwhere((picture < 250).any(axis=2)) / SCALE - AROUND
        assert len(drawn) > 100
        beyond = max(-float(drawn.min()), float(drawn.max()) + 1 / SCALE - SIDE)
        if beyond > OUTLINE / 2 + 2 / SCALE:
            outside[name] = round(beyond, 1)
    assert outside == {}
