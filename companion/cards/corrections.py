"""View and edit an owner's corrections of a pack, and write the overlay file."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from companion.cards.assemble import EFFECT_FIELDS
from companion.cards.loader import packs_folder
from companion.cards.notation import NO_SPACE
from companion.cards.overlay import ADDED
from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable
    from pathlib import Path

KINDS: Final = {"top": "rooms.toml", "room": "rooms.toml", "threat": "threats.toml", "item": "items.toml"}
OWN_ELEVATOR: Final = "elevator-"
"""What the names of elevators of one colour begin with."""
SIDES: Final = ("left", "right")
FIELDS: Final = {
    "top": SIDES,
    "room": ("copies", "build", *SIDES),
    "threat": ("copies", "space"),
    "item": ("copies", "kind", *EFFECT_FIELDS),
}
HEAD: Final = (
    "# What the owner of this table found printed otherwise, and which cards were compared.\n"
    "# The cards page writes this file anew with every change: what else stands in it, comments too, is not kept.\n"
)
Values = dict[str, object]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One card: what the pack says of it, and what counts."""

    id: str
    kind: str
    printed: Values
    fields: Values
    confirmed: bool

    @property
    def corrected(self) -> bool:
        return self.fields != self.printed


@dataclass(slots=True)
class Corrections:
    """A pack's very fields, and those of its overlay beside them."""

    pack: str
    printed: dict[str, tuple[str, Values]] = field(default_factory=dict)
    head_printed: Values = field(default_factory=dict)
    names_printed: dict[str, dict[str, str]] = field(default_factory=dict)
    overlay: Values = field(default_factory=dict)

    @property
    def sheets(self) -> list[Sheet]:
        """Every card, in the order of the pack."""
        return [self.sheet(card) for card in self.printed]

    def sheet(self, card: str) -> Sheet:
        """Return a card; KeyError where the pack has none of this id."""
        kind, printed = self.printed[card]
        own = dict(self._tables("cards").get(card, {}))
        confirmed = own.pop("confirmed", False) is True
        base = {name: value for name, value in printed.items() if "effect" not in own or name not in EFFECT_FIELDS}
        return Sheet(card, kind, printed, {**base, **own}, confirmed)

    def head(self, name: str) -> object:
        """Return the columns, or what an elevator shows; empty for a colour whose elevator is like the others."""
        return self.overlay.get(name, self.head_printed.get(name, ""))

    @property
    def columns(self) -> list[object]:
        """The numbers of the twelve room spaces of a level."""
        numbers = self.head("columns")
        return numbers if isinstance(numbers, list) else []

    def name(self, language: str, card: str) -> str:
        named = self._tables("names").get(language, {})
        return str(named.get(card) or self.names_printed.get(language, {}).get(card, card))

    def set_card(self, card: str, fields: Values) -> None:
        """Set what is printed on a card; only what differs from the pack is kept. Whether it was compared stays."""
        kind, printed = self.printed[card]
        own = {name: value for name, value in fields.items() if name in FIELDS[kind] and printed.get(name) != value}
        effect = {name: value for name, value in fields.items() if name in EFFECT_FIELDS}
        if effect != {name: value for name, value in printed.items() if name in EFFECT_FIELDS}:
            own |= effect
        if self.sheet(card).confirmed:
            own["confirmed"] = True
        self._put("cards", card, own)

    def confirm(self, card: str, *, compared: bool) -> None:
        """Note that a card was compared with the printed one, or take that back."""
        own = {name: value for name, value in self._tables("cards").get(card, {}).items() if name != "confirmed"}
        self._put("cards", card, {**own, "confirmed": True} if compared else own)

    def set_name(self, language: str, card: str, name: str) -> None:
        named = {known: one for known, one in self._tables("names").get(language, {}).items() if known != card}
        if name != self.names_printed.get(language, {}).get(card):
            named[card] = name
        self._put("names", language, named)

    def set_head(self, name: str, value: object) -> None:
        """Set the columns, or what an elevator shows; nothing for a colour makes it like the others."""
        self.overlay.pop(name, None)
        if value != self.head_printed.get(name, ""):
            self.overlay[name] = value if value or not name.startswith(OWN_ELEVATOR) else self.head("elevator")

    def add_like(self, card: str, new: str) -> None:
        """Add a card that says what another one says; the pack counts one card more (C4)."""
        sheet = self.sheet(card)
        fields = {key: value for key, value in sheet.fields.items() if key != "copies"}
        added = self.overlay.setdefault(sheet.kind, [])
        if isinstance(added, list):
            added.append({"id": new, "copies": 1, **fields})
        self.printed[new] = (sheet.kind, {"copies": 1, **fields})

    def _tables(self, key: str) -> dict[str, Values]:
        found = self.overlay.get(key, {})
        return found if isinstance(found, dict) else {}

    def added(self, kind: str) -> list[Values]:
        """Return the cards that the owner has added, field by field."""
        found = self.overlay.get(kind, [])
        return found if isinstance(found, list) else []

    def _put(self, key: str, name: str, values: Mapping[str, object]) -> None:
        tables = {known: one for known, one in self._tables(key).items() if known != name}
        if values:
            tables[name] = dict(values)
        self.overlay.pop(key, None)
        if tables:
            self.overlay[key] = tables

    def text(self) -> str:
        """Return the overlay file."""
        head = {name: value for name, value in self.overlay.items() if name not in ADDED}
        lines = [f"{name} = {_toml(value)}" for name, value in head.items() if not isinstance(value, dict)]
        for kind in ADDED:
            for card in self.added(kind):
                lines += ["", f"[[{kind}]]", *(f"{field} = {_toml(value)}" for field, value in card.items())]
        for key in ("cards", "names"):
            for name, values in self._tables(key).items():
                lines += ["", f"[{key}.{name}]", *(f"{field} = {_toml(value)}" for field, value in values.items())]
        return HEAD + "\n".join(lines) + "\n"


def corrections_of(pack: str, overlay: Path | None) -> Corrections:
    """Return what can be corrected in a built-in pack, and what was corrected already."""
    folder = packs_folder() / pack
    found = Corrections(pack, overlay={} if overlay is None else _read(overlay))
    for kind, file in KINDS.items():
        for raw in (*_read(folder / file).get(kind, ()), *found.added(kind)):
            sides = dict.fromkeys(SIDES, NO_SPACE) if "left" in FIELDS[kind] else {}
            whole = sides | {name: value for name, value in raw.items() if name in FIELDS[kind]}
            found.printed[raw["id"]] = (kind, {name: whole[name] for name in FIELDS[kind] if name in whole})
    found.head_printed = _read(folder / "pack.toml")
    found.names_printed = {code: _read(file) for code, file in catalogues.card_names(pack).items()}
    return found


def _read(file: Traversable) -> dict[str, Any]:
    return tomllib.loads(file.read_bytes().decode("utf-8-sig"))


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
