"""Assemble a pack out of its files: items with their effects, rooms, threats, names and columns."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeVar, get_type_hints

from companion.cards import fields as read
from companion.cards.effects import Gain, Letter, Pay, Space
from companion.cards.fields import Fields
from companion.cards.item_effects import EFFECTS, Act, Action, Counted, ItemEffect, ItemFamily
from companion.cards.pack import ELEVATOR_COLOURS, Fault, ItemCard, Pack, RoomCard, ThreatCard
from companion.cards.source import SourceField, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from companion.cards.overlay import Overlay
    from companion.cards.pack import HeadStarts
    from companion.cards.source import Source


class Needed(StrEnum):
    """In place of a letter: the one that a threat needs."""

    OF_THE_THREAT = "of-the-threat"


def _letter(raw: object) -> Letter | None:
    letter = read.one_of(*Letter, Needed.OF_THE_THREAT)(raw)
    return letter if isinstance(letter, Letter) else None


READERS: Final[Mapping[object, Callable[[object], object]]] = {
    int: read.whole(1, 10),
    Letter | None: _letter,
    Pay: read.pay,
    Pay | None: read.pay,
    Gain: read.gain,
    Action: read.one_of(*Action),
    Counted: read.one_of(*Counted),
}
"""How a field of an effect is read, by its type."""


def parameters_of(effect: type[ItemEffect]) -> dict[str, object]:
    """Return what an effect says besides its use and its moment, each with its type."""
    types = get_type_hints(effect)
    return {one.name: types[one.name] for one in dataclasses.fields(effect) if one.name != "use"}


PARAMETERS: Final[Mapping[str, Mapping[str, object]]] = {
    kind: parameters_of(effect) for kind, effect in EFFECTS.items()
}
WHOLE: Final = frozenset(name for types in PARAMETERS.values() for name, wanted in types.items() if wanted is int)
"""What of it is a whole number."""
EFFECT_FIELDS: Final = (
    *("effect", "use", "when"),
    *dict.fromkeys(name for names in PARAMETERS.values() for name in names),
)


def parameters(effect: str, action: str) -> tuple[str, ...]:
    """Return what an effect says besides its use and its moment; of the actions only a discount has an amount."""
    names = PARAMETERS.get(effect, ())
    every = effect != Act.kind or action == Action.DISCOUNT
    return tuple(name for name in names if every or name != "amount")


def moment_of(effect: str, action: str) -> str:
    """Return when an item of this effect works; empty for what is no effect."""
    if effect == Act.kind:
        return str(Action(action).when) if action in set(Action) else ""
    return str(EFFECTS[effect].when) if effect in EFFECTS else ""


def item_effect(fields: Fields) -> ItemEffect | None:
    """Parse an item's effect; None when one of its fields is at fault."""
    kind = fields.take("effect", read.one_of(*EFFECTS))
    action = fields.take("action", read.one_of(*Action)) if kind == Act.kind else None
    if kind is None or (kind == Act.kind and action is None):
        fields.taken.update(fields.table.fields)
        return None
    effect, before = EFFECTS[kind], len(fields.faults)
    fields.take("when", read.one_of(effect.when if action is None else action.when))
    found: dict[str, object] = {"use": fields.take("use", read.one_of(*effect.uses))}
    for name in parameters(kind, action or ""):
        wanted = PARAMETERS[kind][name]
        found[name] = (fields.maybe if wanted == Pay | None else fields.take)(name, READERS[wanted])
    if len(fields.faults) > before:
        return None
    make: Callable[..., ItemEffect] = effect
    return make(**found)


ELEVATOR: Final = "elevator"
CARD_FILES: Final = ("rooms.toml", "threats.toml", "items.toml")
FILES: Final = ("pack.toml", *CARD_FILES)
NAMES: Final = re.compile(r"names\.([a-z-]+)\.toml")
"""The names of a pack's cards in one language; English is said where a name is missing."""
TOP_ROOMS: Final = 6

_COPIES: Final = read.whole(0, 99)

Card = TypeVar("Card", RoomCard, ThreatCard, ItemCard)


@dataclass(slots=True)
class _Assembly:
    sources: Mapping[str, Source]
    overlay: Overlay
    faults: list[Fault]
    met: dict[str, SourceField] = field(default_factory=dict)
    all_met: bool = True
    """Whether a card that was not met is really missing: no file, table or id was at fault."""
    strays: list[str] = field(default_factory=list)
    """Names of cards that are not there: their owner may have lost them (C4)."""
    unnamed: list[str] = field(default_factory=list)
    """Cards without a name in a language that names others."""

    def cards(self, file: str, key: str, card: Callable[[Fields], Card | None]) -> tuple[Card, ...]:
        """The cards in the tables `[[key]]` of a file, and those that an owner has added (C4)."""
        found = [card(fields) for fields in self._card_fields(file, key)]
        return tuple(one for one in found if one is not None)

    def _card_fields(self, file: str, key: str) -> Iterator[Fields]:
        for number, table in enumerate(self._tables(file, key), 1):
            raw = table.fields.get("id")
            name = str(raw.raw) if raw and isinstance(raw.raw, str) else f"{key} {number}"
            self.overlay.correct_card(name, table)
            fields = Fields(table, name, self.faults)
            if fields.take("id", read.card_id) and raw:
                self._meet(name, raw)
            else:
                self.all_met = False
            yield fields
            fields.finish()

    def _tables(self, file: str, key: str) -> Iterator[Table]:
        source = self.sources.get(file)
        raw = source.data.get(key) if source else None
        if source and isinstance(raw, list) and raw and all(isinstance(entry, dict) for entry in raw):
            yield from (source.table(key, number) for number in range(len(raw)))
            yield from self.overlay.added(key)
            return
        self.all_met = False
        if source:
            found = f"{key} = {read.shown(raw)}" if key in source.data else f"no {key}"
            self.faults.append(Fault(source.file, source.line((key,)), "", found, f"[[{key}]] tables"))

    def _meet(self, card: str, written: SourceField) -> None:
        first = self.met.setdefault(card, written)
        if card == ELEVATOR:
            found, expected = "a card named elevator", "an id that is no elevator's"
        elif first is not written:
            found, expected = f"an id taken at {first.file}:{first.line}", "an id of its own"
        else:
            return
        self.all_met = False
        self.faults.append(Fault(written.file, written.line, card, found, expected))

    def names(self) -> dict[str, dict[str, str]]:
        """The name of every card and of the elevator in every language."""
        named = [found[1] for file in self.sources if (found := NAMES.fullmatch(file))]
        return {language: self._names(language) for language in dict.fromkeys((*named, *self.overlay.languages))}

    def _names(self, language: str) -> dict[str, str]:
        source = self.sources.get(f"names.{language}.toml")
        table = source.table() if source else Table("", 0)
        self.overlay.correct_names(language, table)
        names = {}
        for card in (*self.met, ELEVATOR):
            if card not in table.fields:
                self.unnamed.append(f"{table.file or language}: {card}: no name in {language}; English is used")
            elif name := Fields(table, card, self.faults).take(card, read.text):
                names[card] = name
        for card, stray in table.fields.items():
            if self.all_met and card not in self.met and card != ELEVATOR:
                self.strays.append(f"{stray.file}:{stray.line}: {card}: a name for no card (C4)")
        return names

    def check_files(self) -> None:
        """Card files hold cards and nothing else."""
        for file, keys in zip(CARD_FILES, ({"top", "room"}, {"threat"}, {"item"}), strict=True):
            if file in self.sources:
                Fields(self.sources[file].table(), "", self.faults, keys).finish()


def assemble(sources: Mapping[str, Source], overlay: Overlay, faults: list[Fault]) -> Pack:
    """Return the pack that the sources describe; valid only if no fault was added to the list."""
    assembly = _Assembly(sources, overlay, faults)
    top = assembly.cards("rooms.toml", "top", _top_room)
    rooms = assembly.cards("rooms.toml", "room", _room)
    threats = assembly.cards("threats.toml", "threat", _threat)
    items = assembly.cards("items.toml", "item", _item)
    names = assembly.names()
    assembly.check_files()
    overlay.finish(cards_are_known=assembly.all_met)
    head = _head(sources, overlay, faults)
    _check_top(sources, len(top), faults)
    return Pack(
        id=head.id,
        verified=head.verified or set(assembly.met) <= overlay.confirmed,
        top_level=top,
        top_elevator=head.top_elevator,
        elevator=head.elevators.pop(ELEVATOR, Space()),
        rooms=rooms,
        threats=threats,
        items=items,
        columns=head.columns,
        names=names,
        warnings=(*_warnings(len(top), rooms, threats, items), *assembly.strays, *assembly.unnamed),
        confirmed=frozenset(overlay.confirmed),
        elevators=head.elevators,
        head_starts=head.head_starts,
    )


@dataclass(slots=True)
class _PackHead:
    """What pack.toml says; of the elevators that of all players, and by colour those that differ."""

    id: str = ""
    verified: bool = False
    top_elevator: Space = field(default_factory=Space)
    elevators: dict[str, Space] = field(default_factory=dict)
    columns: tuple[int | None, ...] = ()
    head_starts: dict[int, HeadStarts] = field(default_factory=dict)


def _head(sources: Mapping[str, Source], overlay: Overlay, faults: list[Fault]) -> _PackHead:
    if "pack.toml" not in sources:
        return _PackHead()
    table = sources["pack.toml"].table()
    overlay.correct_head(table)
    fields = Fields(table, "", faults)
    pack_id, verified = fields.take("id", read.card_id), fields.take("verified", read.truth)
    top, elevator = fields.take("top_elevator", read.space), fields.take("elevator", read.space)
    own = {colour: fields.maybe(f"{ELEVATOR}-{colour}", read.space) for colour in ELEVATOR_COLOURS}
    columns, head_starts = fields.take("columns", read.columns), fields.maybe("head_start", read.head_starts)
    fields.finish()
    elevators = {name: space for name, space in ({ELEVATOR: elevator} | own).items() if space is not None}
    return _PackHead(pack_id or "", bool(verified), top or Space(), elevators, columns or (), head_starts or {})


def _check_top(sources: Mapping[str, Source], rooms: int, faults: list[Fault]) -> None:
    """A level has no place for a seventh room (V1)."""
    if rooms > TOP_ROOMS:
        source = sources["rooms.toml"]
        line = source.line(("top", TOP_ROOMS))
        faults.append(Fault(source.file, line, "", f"{rooms} rooms on the top level", f"{TOP_ROOMS} at most"))


def _warnings(
    top: int, rooms: Iterable[RoomCard], threats: Iterable[ThreatCard], items: Iterable[ItemCard]
) -> Iterator[str]:
    """Counts that are not the box's: owners may add or lose cards (C4)."""
    counts = (
        ("red-backed rooms", top, TOP_ROOMS),
        ("rooms to build", sum(card.copies for card in rooms), 24),
        ("items", sum(card.copies for card in items), 31),
        ("threats", sum(card.copies for card in threats), 18),
    )
    for name, count, boxed in counts:
        if count != boxed:
            yield f"{name}: {count} cards, {boxed} in the box (C2, C4)"


def _top_room(fields: Fields) -> RoomCard | None:
    spaces = _spaces(fields)
    return RoomCard(fields.card, 1, None, spaces) if spaces else None


def _room(fields: Fields) -> RoomCard | None:
    copies, build = fields.take("copies", _COPIES), fields.take("build", read.cost)
    spaces = _spaces(fields)
    if copies is None or build is None or not spaces:
        return None
    return RoomCard(fields.card, copies, build, spaces)


def _spaces(fields: Fields) -> tuple[Space | None, Space | None] | None:
    """Both sides of a room, None where it has no space (V2): `right` may be left out, and either may be `none`."""
    before = len(fields.faults)
    left, right = fields.take("left", read.side), fields.maybe("right", read.side)
    if len(fields.faults) == before and left is None and right is None:
        fields.fault(fields.table.line, "no space", "a space on the left or on the right", "left", "no_space")
    return None if len(fields.faults) > before else (left, right)


def _threat(fields: Fields) -> ThreatCard | None:
    copies, space = fields.take("copies", _COPIES), fields.take("space", read.space)
    return ThreatCard(fields.card, copies, space) if copies is not None and space else None


def _item(fields: Fields) -> ItemCard | None:
    copies, kind = fields.take("copies", _COPIES), fields.take("kind", read.one_of(*ItemFamily))
    effect = item_effect(fields)
    return ItemCard(fields.card, copies, kind, effect) if copies is not None and kind and effect else None


CARD_READERS: Final[Mapping[str, Callable[[Fields], RoomCard | ThreatCard | ItemCard | None]]] = {
    "top": _top_room,
    "room": _room,
    "threat": _threat,
    "item": _item,
}


def read_card(
    kind: str, card: str, values: Mapping[str, object]
) -> tuple[RoomCard | ThreatCard | ItemCard | None, list[Fault]]:
    """Read one card out of its fields alone; None where one of them is at fault."""
    faults: list[Fault] = []
    fields = Fields(Table("", 0, {name: SourceField(value, "", 0) for name, value in values.items()}), card, faults)
    found = CARD_READERS[kind](fields)
    fields.finish()
    return (None if faults else found), faults
