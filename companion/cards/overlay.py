"""An owner's corrections of a pack: one file that overrides fields, names and columns, adds and confirms cards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from companion.cards.fields import Fields, shown, truth
from companion.cards.pack import ELEVATOR_COLOURS, Fault
from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.cards.source import Place, Source, Table

HEAD_KEYS: Final = (
    *("verified", "columns", "top_elevator", "elevator"),
    *(f"elevator-{colour}" for colour in ELEVATOR_COLOURS),
)
ADDED: Final = ("room", "threat", "item")
"""The kinds of cards that an owner may have more of than the pack; the top level has its six."""
_ITEM_KEYS: Final = {"id", "copies", "kind"}


@dataclass(slots=True)
class Overlay:
    """Applies corrections to tables while a pack is read; without a source it changes nothing."""

    source: Source | None
    faults: list[Fault]
    confirmed: set[str] = field(default_factory=set)
    _met: set[Place] = field(default_factory=set)

    def correct_head(self, table: Table) -> None:
        if self.source:
            head = self.source.table()
            table.fields |= {key: head.fields[key] for key in HEAD_KEYS if key in head.fields}

    def correct_names(self, language: str, table: Table) -> None:
        if self.source:
            self._met.add(("names", language))
            table.fields |= self.source.table("names", language).fields

    @property
    def languages(self) -> tuple[str, ...]:
        tables = self.source.data.get("names") if self.source else None
        return tuple(code for code in tables if catalogues.CODE.fullmatch(code)) if isinstance(tables, dict) else ()

    def correct_card(self, card: str, table: Table) -> None:
        """Apply a card's corrected fields; another effect replaces the old one with all its fields."""
        if not self.source:
            return
        self._met.add(("cards", card))
        correction = self.source.table("cards", card)
        confirmed = Fields(correction, card, self.faults).maybe("confirmed", truth)
        correction.fields.pop("confirmed", None)
        if confirmed:
            self.confirmed.add(card)
        if fixed := correction.fields.pop("id", None):
            self.faults.append(Fault(fixed.file, fixed.line, card, "a new id", "the id that the pack gives"))
        if "effect" in correction.fields:
            table.file, table.line = correction.file, correction.line
            table.fields = {key: value for key, value in table.fields.items() if key in _ITEM_KEYS}
        table.fields |= correction.fields

    def added(self, kind: str) -> Iterator[Table]:
        """Yield the cards that an owner has added, written as a pack writes its own (C4)."""
        raw = self.source.data.get(kind) if self.source and kind in ADDED else None
        if self.source is None or raw is None:
            return
        if isinstance(raw, list) and all(isinstance(entry, dict) for entry in raw):
            yield from (self.source.table(kind, number) for number in range(len(raw)))
        else:
            self._fault((kind,), f"{kind} = {shown(raw)}", f"[[{kind}]] tables")

    def finish(self, *, cards_are_known: bool) -> None:
        """Report what corrects nothing."""
        if not self.source:
            return
        Fields(self.source.table(), "", self.faults, {*HEAD_KEYS, *ADDED, "cards", "names"}).finish()
        for place in self._tables("cards"):
            if place not in self._met and cards_are_known:
                self._fault(place, f"a correction of {place[1]}", "a card of the pack")
        for place in self._tables("names"):
            if place not in self._met:
                self._fault(place, f"names in {place[1]}", "the code of a language, such as de")

    def _tables(self, key: str) -> Iterator[Place]:
        """Return the places of the tables below a key; what is no table is reported."""
        if not self.source or key not in self.source.data:
            return
        tables = self.source.data[key]
        if not isinstance(tables, dict):
            self._fault((key,), f"{key} = {shown(tables)}", f"[{key}.…] tables")
            return
        for name, value in tables.items():
            if isinstance(value, dict):
                yield key, name
            else:
                self._fault((key, name), f"{name} = {shown(value)}", f"a table [{key}.{name}]")

    def _fault(self, place: Place, found: str, expected: str) -> None:
        if self.source:
            card = str(place[1]) if len(place) > 1 and place[0] == "cards" else ""
            self.faults.append(Fault(self.source.file, self.source.line(place), card, found, expected))
