"""The profile of a table (mat, camera, figures, cards): its types, and the parser of its JSON."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

import cv2

from companion.vision.figures.memory import KINDS as FIGURE_KINDS
from companion.vision.figures.memory import KnownLook, network_name, unpacked
from companion.vision.json_reader import FAR, JsonReader, Pair, read_json
from companion.vision.places import MatSpace, Slot, slots, spaces

KINDS = ("room", "threat", "item", "elevator")
PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
SPACE_SIDES = ("a", "b", "E")
MAX_LEVELS = 9
TABLE, CARD, THREAT, FIGURE = 5000.0, (20.0, 300.0), (10.0, 300.0), (1.0, 100.0)
"""Bounds in mm: what is outside is no table, card, threat or figure but a slip of the pen."""
LENSES = (0, 4, 5, 8, 12, 14)
"""How many distortion coefficients OpenCV takes."""
DICE = (20.0, 1000.0)
HEAVIEST = 10.0
"""How much one example of a figure may count at most."""


class ProfileError(ValueError):
    """Every fault of a profile, one a line."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class MatTag:
    id: int
    centre: Pair
    size: float


@dataclass(frozen=True, slots=True)
class CardProfile:
    """A card that may lie on the table: its tags, and pictures of it."""

    name: str
    kind: str
    tags: tuple[int, ...]
    art: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class CameraModel:
    """Picture size, focal length and centre in pixels, distortion (None: estimated in each look)."""

    size: tuple[int, int]
    matrix: tuple[tuple[float, float, float], ...]
    distortion: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class Profile:
    """One table as it was set up."""

    mat: Pair
    dictionary: str
    mat_tags: tuple[MatTag, ...]
    levels: int
    card: Pair
    gap: float
    threat: Pair
    card_tag: float
    space_offsets: dict[str, Pair]
    camera: CameraModel
    figure_height: float
    figure_base: float
    colours: dict[str, tuple[int, int, int]]
    cards: dict[str, CardProfile]
    tracks: dict[str, tuple[Pair, ...]]
    slots: tuple[Slot, ...]
    spaces: tuple[MatSpace, ...]
    dice: tuple[Pair, ...] = ()
    """Where two real dice are thrown: the middle of a corner for both, or of a place for each (mm)."""
    dice_size: Pair = (62.0, 62.0)
    """Width and depth of that corner in mm."""
    mat_picture: Path | None = None
    """The empty mat from straight above, as large as the mat."""
    figure_memory: tuple[KnownLook, ...] = ()
    """What the household's own figures look like to the network of figures."""

    def card_of_tag(self) -> dict[int, CardProfile]:
        return {tag: card for card in self.cards.values() for tag in card.tags}


def load_profile(path: Path) -> Profile:
    """Read a profile file; raise `ProfileError` with every fault in it. The caller names the file."""
    try:
        data = read_json(path)
    except OSError as error:
        raise ProfileError([error.strerror or "cannot be read"]) from error
    except ValueError as error:
        raise ProfileError([f"not JSON ({error})"]) from error
    return parse_profile(data, path.parent)


def parse_profile(data: object, folder: Path) -> Profile:
    """Parse a profile; `folder` is what art paths are relative to."""
    reader = JsonReader()
    top = reader.section(data, "profile")
    table = reader.section(top.get("table"), "table")
    figures = reader.section(top.get("figures"), "figures")
    levels = reader.whole(table.get("levels"), "table.levels", 1, MAX_LEVELS)
    card = reader.pair(table.get("card"), "table.card", least=CARD[0], most=CARD[1])
    gap = reader.number(table.get("gap"), "table.gap", most=CARD[1])
    offsets = reader.section(table.get("spaces"), "table.spaces")
    space_offsets = {side: _space(offsets.get(side), f"table.spaces.{side}", card, reader) for side in SPACE_SIDES}
    all_slots = slots(levels, card, gap)
    profile = Profile(
        mat=reader.pair(table.get("mat"), "table.mat", least=1, most=TABLE),
        dictionary=_dictionary(table.get("dictionary"), reader),
        mat_tags=_mat_tags(table.get("mat_tags"), reader),
        levels=levels,
        card=card,
        gap=gap,
        threat=reader.pair(table.get("threat"), "table.threat", least=THREAT[0], most=THREAT[1]),
        card_tag=reader.number(table.get("card_tag"), "table.card_tag", default=18.0, least=1, most=CARD[1]),
        space_offsets=space_offsets,
        camera=_camera(top.get("camera"), reader),
        figure_height=reader.number(figures.get("height"), "figures.height", least=FIGURE[0], most=FIGURE[1]),
        figure_base=reader.number(figures.get("base"), "figures.base", least=FIGURE[0], most=FIGURE[1]),
        colours=_colours(figures.get("colours"), reader),
        cards=_cards(top.get("cards"), folder, reader),
        tracks=_tracks(table.get("tracks"), reader),
        slots=all_slots,
        spaces=spaces(all_slots, space_offsets),
        dice=_dice(table.get("dice"), reader),
        dice_size=reader.pair(table.get("dice_size", [62, 62]), "table.dice_size", least=DICE[0], most=DICE[1]),
        mat_picture=_mat_picture(table.get("picture"), folder, reader),
        figure_memory=_memory(figures.get("memory"), reader),
    )
    _check_tags(profile, reader)
    if reader.faults:
        raise ProfileError(reader.faults)
    return profile


def _dictionary(value: object, reader: JsonReader) -> str:
    if isinstance(value, str) and hasattr(cv2.aruco, f"DICT_{value}"):
        return value
    reader.fault("table.dictionary", "a tag dictionary that OpenCV knows, such as APRILTAG_36h11")
    return "APRILTAG_36h11"


def _space(value: object, where: str, card: Pair, reader: JsonReader) -> Pair:
    """Parse the offset of a space from the middle of its card: a space beside its card is a fault."""
    x, y = reader.pair(value, where)
    told = any(fault.startswith(("table.card:", "table.card[", where)) for fault in reader.faults)
    if not told and (abs(x) > card[0] / 2 or abs(y) > card[1] / 2):
        reader.fault(where, f"a place on the card, up to {card[0] / 2:g} and {card[1] / 2:g} from its middle")
    return x, y


def _mat_tags(value: object, reader: JsonReader) -> tuple[MatTag, ...]:
    found = []
    for index, item in enumerate(reader.items(value, "table.mat_tags")):
        where = f"table.mat_tags[{index}]"
        tag = reader.section(item, where)
        found.append(
            MatTag(
                id=reader.whole(tag.get("id"), f"{where}.id", 0, 100000),
                centre=reader.pair(tag.get("centre"), f"{where}.centre"),
                size=reader.number(tag.get("size"), f"{where}.size", least=1, most=TABLE),
            )
        )
    return tuple(found)


def _camera(value: object, reader: JsonReader) -> CameraModel:
    data = reader.section(value, "camera")
    width, height = reader.pair(data.get("size"), "camera.size", least=16)
    rows = data.get("matrix")
    matrix: tuple[tuple[float, float, float], ...]
    if rows is None:
        guess = 0.88 * width
        matrix = ((guess, 0.0, width / 2), (0.0, guess, height / 2), (0.0, 0.0, 1.0))
    elif _is_matrix(rows):
        matrix = tuple((float(a), float(b), float(c)) for a, b, c in rows)
    else:
        reader.fault("camera.matrix", "three rows of three numbers with positive focal lengths")
        matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    lens = data.get("distortion")
    distortion = None
    if lens is not None:
        numbers = reader.items(lens, "camera.distortion")
        if len(numbers) not in LENSES:
            reader.fault("camera.distortion", "4, 5, 8, 12 or 14 numbers, as OpenCV orders them")
        distortion = tuple(reader.number(v, f"camera.distortion[{i}]", least=-1e4) for i, v in enumerate(numbers))
    return CameraModel(size=(int(width), int(height)), matrix=matrix, distortion=distortion)


def _is_matrix(rows: object) -> TypeGuard[list[tuple[float, float, float]]]:
    def is_number(value: object) -> bool:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and -FAR <= value <= FAR

    def is_row(row: object) -> bool:
        return isinstance(row, list) and len(row) == 3 and all(map(is_number, row))  # noqa: PLR2004

    return isinstance(rows, list) and len(rows) == 3 and all(map(is_row, rows)) and rows[0][0] > 1 and rows[1][1] > 1  # noqa: PLR2004


def _memory(value: object, reader: JsonReader) -> tuple[KnownLook, ...]:
    """Return what was learned of the own figures, by the present network; by another one it is of no use."""
    if value is None:
        return ()
    kept = reader.section(value, "figures.memory")
    looks = []
    for number, one in enumerate(reader.items(kept.get("looks"), "figures.memory.looks")):
        where = f"figures.memory.looks[{number}]"
        look = reader.section(one, where)
        kind, packed = look.get("kind"), look.get("features")
        features = unpacked(packed) if isinstance(packed, str) else None
        if features is None or kind not in FIGURE_KINDS:
            reader.fault(where, f"one of {', '.join(FIGURE_KINDS)}, with the features that the step of colours wrote")
            continue
        weight = reader.number(look.get("weight"), f"{where}.weight", default=1.0, least=0.0, most=HEAVIEST)
        player = look.get("player")
        said = player if isinstance(player, str) else ""
        looks.append(KnownLook(features, FIGURE_KINDS.index(str(kind)), weight, said))
    return tuple(looks) if kept.get("network") == network_name() else ()


def _colours(value: object, reader: JsonReader) -> dict[str, tuple[int, int, int]]:
    found = {}
    for player, rgb in reader.section(value, "figures.colours").items():
        where = f"figures.colours.{player}"
        numbers = reader.items(rgb, where)
        if len(numbers) != 3:  # noqa: PLR2004
            reader.fault(where, "red, green and blue from 0 to 255")
            continue
        red, green, blue = (reader.whole(v, f"{where}[{i}]", 0, 255) for i, v in enumerate(numbers))
        found[player] = (red, green, blue)
    return found


def _cards(value: object, folder: Path, reader: JsonReader) -> dict[str, CardProfile]:
    found = {}
    for name, item in reader.section(value, "cards").items():
        where = f"cards.{name}"
        card = reader.section(item, where)
        kind = card.get("kind")
        if kind not in KINDS:
            reader.fault(f"{where}.kind", f"one of {', '.join(KINDS)}")
            kind = "item"
        tags = tuple(
            reader.whole(tag, f"{where}.tags[{i}]", 0, 100000)
            for i, tag in enumerate(reader.items(card.get("tags", []), f"{where}.tags"))
        )
        found[name] = CardProfile(name=name, kind=kind, tags=tags, art=_art(card.get("art", []), where, folder, reader))
    return found


def _art(value: object, where: str, folder: Path, reader: JsonReader) -> tuple[Path, ...]:
    found: list[Path] = []
    for index, item in enumerate([value] if isinstance(value, str) else reader.items(value, f"{where}.art")):
        path = folder / item if isinstance(item, str) else None
        if path is not None and path.is_dir():
            found += sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURES)
        elif path is not None and path.is_file():
            found.append(path)
        else:
            reader.fault(f"{where}.art[{index}]", f"a picture or a folder of pictures, not {item}")
    return tuple(found)


def _tracks(value: object, reader: JsonReader) -> dict[str, tuple[Pair, ...]]:
    if value is None:
        return {}
    return {
        name: tuple(
            reader.pair(point, f"table.tracks.{name}[{i}]")
            for i, point in enumerate(reader.items(points, f"table.tracks.{name}"))
        )
        for name, points in reader.section(value, "table.tracks").items()
    }


def _mat_picture(value: object, folder: Path, reader: JsonReader) -> Path | None:
    if value is None:
        return None
    path = folder / value if isinstance(value, str) else None
    if path is None or not path.is_file():
        reader.fault("table.picture", f"a picture of the empty mat, not {value}")
    return path


def _dice(value: object, reader: JsonReader) -> tuple[Pair, ...]:
    if value is None:
        return ()
    middles = reader.items(value, "table.dice")
    if middles and not isinstance(middles[0], list):
        middles = [middles]
    if len(middles) > 2:  # noqa: PLR2004 - a place for each
        reader.fault("table.dice", "one middle, or two")
    return tuple(reader.pair(middle, f"table.dice[{index}]") for index, middle in enumerate(middles))


def _check_tags(profile: Profile, reader: JsonReader) -> None:
    owners: dict[int, str] = {}
    claims = [(tag.id, "the mat") for tag in profile.mat_tags]
    claims += [(tag, f"card {card.name}") for card in profile.cards.values() for tag in card.tags]
    for tag, owner in claims:
        if tag in owners:
            reader.faults.append(f"tag {tag}: belongs to {owners[tag]} and to {owner}")
        owners.setdefault(tag, owner)
