"""The profile of a table with our mat and our cards, in the form that the eyes take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.pieces.drawing.style import PLAYERS
from companion.pieces.drawing.tags import DICTIONARY
from companion.pieces.kinds import mat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.pieces.drawing.raster import Piece

CARDS: Final = ("room", "threat", "item", "elevator")
CAMERA: Final = (1600, 1200)
FOCAL: Final = 0.88375
"""Of the width: 59 degrees, until the lens is calibrated."""


def table_of_mat() -> dict[str, Any]:
    """The `table` of a profile: the geometry of our mat."""
    tags = [{"id": tag, "centre": list(middle), "size": mat.MAT_TAG} for tag, middle in enumerate(mat.MAT_TAGS)]
    return {
        "mat": list(mat.MAT),
        "dictionary": DICTIONARY,
        "mat_tags": tags,
        "levels": mat.LEVELS,
        "card": list(mat.CARD),
        "gap": mat.GAP,
        "threat": list(mat.THREAT),
        "card_tag": mat.CARD_TAG,
        "spaces": {side: list(middle) for side, middle in mat.SPACES.items()},
        "tracks": {
            track: [list(mat.track_middle(track, number)) for number in range(mat.TRACK_PLACES)] for track in mat.TRACKS
        },
        "dice": [list(mat.DICE)],
        "dice_size": list(mat.DICE_SIZE),
    }


def profile_of(pieces: Sequence[Piece], size: tuple[int, int] = CAMERA) -> dict[str, Any]:
    """A profile for printed pieces, their pictures beside it; the lens is a guess."""
    cards: dict[str, dict[str, Any]] = {}
    for piece in pieces:
        if piece.kind in CARDS:
            card = cards.setdefault(piece.id, {"kind": piece.kind, "tags": [], "art": [piece.file]})
            card["tags"].append(piece.tag)
    focal = FOCAL * size[0]
    return {
        "table": table_of_mat(),
        "camera": {"size": list(size), "matrix": [[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]]},
        "figures": {
            "height": mat.FIGURE[0],
            "base": mat.FIGURE_BASE,
            "colours": {player: _rgb(colour) for player, colour in PLAYERS.items()},
        },
        "cards": cards,
    }


def _rgb(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
