"""The profile of a table with our mat and cards, and the types of a profile's JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypedDict

from companion.pieces.drawing.pen import PLAYERS
from companion.pieces.kinds import mat
from companion.pieces.kinds.deck import DICTIONARY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.pieces.drawing.raster import PrintedPiece

CARDS: Final = ("room", "threat", "item", "elevator")
CAMERA: Final = (1600, 1200)
FOCAL: Final = 0.88375
"""Share of the width: 59 degrees, until the lens is calibrated."""


class MatTagJson(TypedDict):
    """A tag of the mat: its id, its middle and its side in mm."""

    id: int
    centre: list[float]
    size: float


class MatJson(TypedDict, total=False):
    """The `table` of a profile: the mat in mm."""

    mat: list[float]
    dictionary: str
    mat_tags: list[MatTagJson]
    levels: int
    card: list[float]
    gap: float
    threat: list[float]
    card_tag: float
    spaces: dict[str, list[float]]
    tracks: dict[str, list[list[float]]]
    picture: str
    dice: list[list[float]]
    dice_size: list[float]


class CardJson(TypedDict, total=False):
    """A card of a profile: its kind, its stickers, and files or folders of pictures of it."""

    kind: str
    tags: list[int]
    art: list[str]


class LensJson(TypedDict):
    """How the lens was measured: from a board or the mat, from how many views, and the error in pixels."""

    by: str
    views: int
    error: float


class StandsJson(TypedDict):
    """Where the camera stood when the mat was measured (mm, degrees), and what it did not see whole."""

    eye: list[int]
    tilt: float
    outside: list[dict[str, object]]


class CameraJson(TypedDict, total=False):
    """The `camera` of a profile; `locked` are the values that exposure, colours and focus are locked to."""

    size: list[int]
    device: str
    rate: float
    matrix: list[list[float]]
    distortion: list[float]
    lens: LensJson
    locked: Mapping[str, object] | None
    stands: StandsJson


class FigureLookJson(TypedDict, total=False):
    """One example of an own figure: what it was, what the network saw of it, and how much it counts."""

    kind: str
    features: str
    weight: float
    player: str
    """Whose it was, where a person said at the table how it stands."""


class FigureMemoryJson(TypedDict, total=False):
    """The `memory` of figures: examples, and the network that saw them."""

    network: str
    looks: list[FigureLookJson]


class FiguresJson(TypedDict, total=False):
    """The `figures` of a profile: mm, and red, green and blue of each player."""

    height: float
    base: float
    colours: dict[str, list[int]]
    measured: list[str]
    memory: FigureMemoryJson


class ProfileJson(TypedDict, total=False):
    """A profile as it is written, or a patch to one."""

    table: MatJson
    camera: CameraJson
    figures: FiguresJson
    cards: dict[str, CardJson]


def table_of_mat() -> MatJson:
    """Return the `table` of a profile: the geometry of our mat."""
    tags: list[MatTagJson] = [
        {"id": tag, "centre": list(middle), "size": mat.MAT_TAG} for tag, middle in enumerate(mat.MAT_TAGS)
    ]
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


def profile_of(pieces: Sequence[PrintedPiece], size: tuple[int, int] = CAMERA) -> ProfileJson:
    """Return a profile for printed pieces, their pictures with it; the lens is a guess."""
    cards: dict[str, CardJson] = {}
    for piece in pieces:
        if piece.kind in CARDS and piece.tag is not None:
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
