"""The marked corner: a sheet that any camera finds by its tags, with a frame for a card and a field for dice."""

from __future__ import annotations

from typing import Final

SHEET: Final = (190.0, 100.0)
"""Millimetres; x to the right, y up, from the lower left corner."""
TAG: Final = 18.0
TAGS: Final = {6: (14.0, 14.0), 7: (176.0, 14.0), 8: (176.0, 86.0), 9: (14.0, 86.0)}
"""The middle of each tag; a mat has 0 to 5, cards begin at 10."""
CARD: Final = (28.0, 4.0, 70.0, 92.0)
"""The frame for a card: its corner and its size."""
FIELD: Final = (104.0, 4.0, 58.0, 92.0)
"""The field for dice."""
SPOT: Final = (133.0, 50.0)
"""The middle of the square on which a die lies whose side is shown to be learned."""
DIE: Final = 16.0
PHOTOS: Final = "wasteland-photos"
"""Where an owner's photos lie, beside the record: of cards `card~ID~NUMBER.jpg`, of dice `die~1-hb1~0.jpg`."""
ALL_SHOWN: Final = "die~all-shown"
"""A file among them that is there once every side of the owner's dice was shown."""
