"""An owner's corrections laid over a pack: records by their id or number, settings and values by their name."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cards.loader import PackText
from companion.cards.pack import Fault, PackFaults
from companion.cards.source import parse_source
from companion.cards.wasteland.loader import FILES, pack_of, texts
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping


def overlaid(text: PackText, overlay: str) -> PackText:
    """Return a pack with these corrections; PackFaults tells whatever of them would be ignored or does not fit."""
    place = Path(overlay)
    try:
        source = parse_source(place.name, place.read_bytes())
    except OSError as error:
        why = f"{place.name} cannot be read: {error.strerror}"
        raise Refusal("malformed", None, why, field="overlay") from error
    if isinstance(source, Fault):
        raise PackFaults([source])
    data: dict[str, Any] = {}
    for _, content in text.files:
        data |= tomllib.loads(content)
    found = PackText(tuple(sorted(texts(_merged(data, source.data)).items())))
    pack_of(found)
    return found


def _merged(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(data)
    for key, change in changes.items():
        before = merged.get(key)
        if key in FILES and isinstance(change, list):
            merged[key] = _rows(before if isinstance(before, list) else [], change)
        elif isinstance(before, dict) and isinstance(change, dict):
            merged[key] = before | change
        else:
            merged[key] = change
    return merged


def _rows(before: list[Any], changes: list[Any]) -> list[Any]:
    """Return the records with these changes; one that nobody has is added."""
    rows = list(before)
    for change in changes:
        name = _name(change)
        place = next((at for at, row in enumerate(rows) if name is not None and _name(row) == name), None)
        if place is None:
            rows.append(change)
        else:
            rows[place] = rows[place] | change
    return rows


def _name(row: object) -> object:
    """Return what a record is known by: its id, or the number of a quest."""
    return row.get("id", row.get("number")) if isinstance(row, dict) else None
