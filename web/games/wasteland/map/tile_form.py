"""The form of a map tile: triangles to tap, and for every space what is printed there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland import lattice, notation
from companion.cards.wasteland.words import EncounterIcon, EnemyType, Faction, Terrain, TileBack
from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from web.base.words import Words

KIND: Final = "tile"
SPACES: Final = 8
ICONS: Final = 2
"""So many spaces a tile's form has, and so many enemy icons a space."""
LETTERS: Final = "abcdefghijklmnop"
RANDOM: Final = "random"
ENEMIES: Final = (*(kind.value for kind in EnemyType if kind.value not in list(Faction)), RANDOM)
LEVELLED: Final = (EncounterIcon.SETTLEMENT, EncounterIcon.WASTELAND)
LEVELS: Final = (1, 2, 3)
"""Encounter icons with a level, and the levels that are one tap; any other is typed."""
R: Final = 100.0

Option = tuple[str, str, bool]
"""A value, how it is called, and whether it is chosen."""


@dataclass(frozen=True, slots=True)
class TriangleView:
    number: int
    points: str
    letter: str


@dataclass(frozen=True, slots=True)
class SpaceForm:
    number: int
    letter: str
    used: bool
    id: str
    name: str
    names: list[tuple[str, str]]
    icons: list[Option]
    level: str
    terrain: list[Option]
    enemies: list[list[Option]]


@dataclass(frozen=True, slots=True)
class IconChip:
    """An icon to tap: what it puts into the space that was tapped last."""

    field: str
    """`encounter`, `enemy` or `terrain`."""
    value: str
    sign: str
    """What is drawn on it."""
    level: str
    label: str


@dataclass(frozen=True, slots=True)
class TileForm:
    id: str
    name: str
    names: list[tuple[str, str]]
    backs: list[Option]
    pattern: str
    triangles: list[TriangleView]
    spaces: list[SpaceForm]
    chips: list[IconChip]


def tile_form(words: Words, record: Mapping[str, object]) -> TileForm:
    """Return the form of a tile; a new one is a single space."""
    pattern = "".join(str(record.get("pattern") or "").split())
    whole = pattern if len(pattern) == len(lattice.TRIANGLES) else "a" * len(lattice.TRIANGLES)
    raw = record.get("space")
    written = [one for one in raw if isinstance(one, dict)] if isinstance(raw, list) else []
    spaces = {str(one.get("area", "")): one for one in written}
    letters = list(dict.fromkeys([*whole, *spaces]))
    letters += [one for one in LETTERS if one not in letters][: max(0, SPACES - len(letters))]
    backs = [("", words.text("wtile_no_back"), not record.get("back"))]
    chosen = record.get("back")
    backs += [(back.value, words.text(f"wdeck_{back.value}_tiles"), chosen == back.value) for back in TileBack]
    return TileForm(
        id=_text(record, "id"),
        name=_text(record, "name"),
        names=_names(record),
        backs=backs,
        pattern=rows(pattern or whole),
        triangles=[_triangle(number, whole[number]) for number in range(len(lattice.TRIANGLES))],
        spaces=[_space(words, nth, one, spaces.get(one), used=one in whole) for nth, one in enumerate(letters)],
        chips=_chips(words),
    )


def _chips(words: Words) -> list[IconChip]:
    """Return every icon that may be printed in a space, encounters with their level."""
    found = []
    for place in EncounterIcon:
        name, sign = words.text(f"wopt_{place.value}"), place.value if place in LEVELLED else "vault"
        if place in LEVELLED:
            found += [IconChip("encounter", f"{place.value} {n}", sign, str(n), f"{name} {n}") for n in LEVELS]
        else:
            found.append(IconChip("encounter", place.value, sign, place.value.removeprefix("vault"), name))
    for enemy in ENEMIES:
        sign = "explore" if enemy == RANDOM else enemy
        label = words.text(f"wtype_{enemy.replace('-', '_')}")
        found.append(IconChip("enemy", enemy, sign, "?" * (enemy == RANDOM), label))
    return found + [IconChip("terrain", one.value, one.value, "", words.text(f"w{one.value}")) for one in Terrain]


def rows(pattern: str) -> str:
    """Return a pattern below each other, as it is written in a pack."""
    found, at = [], 0
    for long in lattice.ROWS:
        found.append(" " * ((max(lattice.ROWS) - long) // 2) + pattern[at : at + long])
        at += long
    return "\n".join([*found, *([pattern[at:]] if pattern[at:] else [])]) + "\n"


def _text(record: Mapping[str, object], key: str) -> str:
    found = record.get(key)
    return "" if found is None else str(found)


def _others() -> list[str]:
    return [code for code in catalogues.codes() if code != catalogues.DEFAULT]


def _names(record: Mapping[str, object]) -> list[tuple[str, str]]:
    names = record.get("names")
    return [(code, _text(names, code) if isinstance(names, dict) else "") for code in _others()]


def _triangle(number: int, letter: str) -> TriangleView:
    spots = [lattice.on_paper(point) for point in lattice.TRIANGLES[number].points]
    return TriangleView(number, " ".join(f"{x * R:.1f},{y * R:.1f}" for x, y in spots), letter)


def _space(words: Words, number: int, letter: str, raw: Mapping[str, object] | None, *, used: bool) -> SpaceForm:
    record = raw or {}
    icon, _, level = _text(record, "encounter").partition(" ")
    terrain, enemies = _list(record, "terrain"), _list(record, "enemies")
    icons = [("", words.text("wtile_none"), not icon)]
    icons += [(one.value, words.text(f"wopt_{one.value}"), one.value == icon) for one in EncounterIcon]
    return SpaceForm(
        number=number,
        letter=letter,
        used=used,
        id=_text(record, "id"),
        name=_text(record, "name"),
        names=_names(record),
        icons=icons,
        level=level,
        terrain=[(one.value, words.text(f"w{one.value}"), one.value in terrain) for one in Terrain],
        enemies=[_enemy(words, enemies[nth] if nth < len(enemies) else "") for nth in range(max(ICONS, len(enemies)))],
    )


def _list(record: Mapping[str, object], key: str) -> list[str]:
    found = record.get(key)
    return [str(one) for one in found] if isinstance(found, list) else []


def _enemy(words: Words, chosen: str) -> list[Option]:
    options = [("", words.text("wtile_none"), not chosen)]
    return options + [(one, words.text(f"wtype_{one.replace('-', '_')}"), one == chosen) for one in ENEMIES]


# --- what is posted ---------------------------------------------------------------------------------------------------


def tile_of(form: Mapping[str, str]) -> dict[str, object]:
    """Read a tile from its form; what was left empty is left out, and the loader says what is missing."""
    pattern = str(form.get("pattern", "")).replace("\r\n", "\n")
    name = _posted(form, "name")
    tile = {
        "id": _posted(form, "id") or notation.space_id(name),
        "name": name,
        "names": _posted_names(form, ""),
        "back": _posted(form, "back"),
        "pattern": pattern if "\n" not in pattern.strip() else pattern.strip("\n") + "\n",
        "space": _posted_spaces(form, "".join(pattern.split())),
    }
    return _given(tile.items())


def named(tile: dict[str, object], number: int, words: Words) -> dict[str, object]:
    """Return a new tile with a name: its own, else that of its first landmark, else its number."""
    spaces = tile.get("space")
    landmarks = [str(one["name"]) for one in spaces if "name" in one] if isinstance(spaces, list) else []
    name = str(tile.get("name") or next(iter(landmarks), words.text("wtile_numbered", n=number)))
    own = f"{notation.space_id(name)}-tile" if name in landmarks else notation.space_id(name)
    return {**tile, "id": tile.get("id") or own, "name": name}


def _posted_spaces(form: Mapping[str, str], letters: str) -> list[dict[str, object]]:
    """Return the spaces of the pattern; while that is none yet, all that anybody wrote something about."""
    found = [(_letter(form, place), _posted_space(form, place)) for place in _places(form)]
    if len(letters) == len(lattice.TRIANGLES):
        return [space for letter, space in found if letter in letters]
    return [space for _, space in found if len(space) > 1]


def _places(form: Mapping[str, str]) -> list[str]:
    """Return the beginnings of the names of all spaces in the form."""
    return [f"s{number}_" for number in range(len(lattice.TRIANGLES)) if f"s{number}_area" in form]


def _letter(form: Mapping[str, str], place: str) -> str:
    return _posted(form, f"{place}area") or "-"


def _posted(form: Mapping[str, str], key: str) -> str:
    return str(form.get(key, "")).strip()


def _posted_names(form: Mapping[str, str], place: str) -> dict[str, object]:
    return _given((code, _posted(form, f"{place}name_{code}")) for code in _others())


def _posted_space(form: Mapping[str, str], place: str) -> dict[str, object]:
    name = _posted(form, f"{place}name")
    icon, level = _posted(form, f"{place}icon"), _posted(form, f"{place}level")
    enemies = [_posted(form, key) for key in sorted(form) if key.startswith(f"{place}enemy_")]
    space = {
        "area": _letter(form, place),
        "id": _posted(form, f"{place}id") or notation.space_id(name),
        "name": name,
        "names": _posted_names(form, place),
        "encounter": f"{icon} {level}".strip() if icon else "",
        "terrain": [one.value for one in Terrain if form.get(f"{place}{one.value}")],
        "enemies": [one for one in enemies if one],
    }
    return _given(space.items())


def _given(fields: Iterable[tuple[str, object]]) -> dict[str, object]:
    return {key: value for key, value in fields if value not in ("", [], {})}


def copied(record: Mapping[str, object], number: str) -> dict[str, object]:
    """Return a copy whose spaces have names of their own, as every space has."""
    raw = record.get("space")
    spaces = [dict(one) for one in raw if isinstance(one, dict)] if isinstance(raw, list) else []
    for space in spaces:
        if "id" in space:
            space["id"] = f"{space['id']}-{number}"
    return {**record, **({"space": spaces} if spaces else {})}
