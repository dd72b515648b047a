"""House calls as data: twists that an evening may begin with, as files that an owner can write too (W)."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.cards.fields import Fields, UnfitError, card_id, one_of, text, whole
from companion.cards.pack import Fault, PackFaults
from companion.cards.source import Source, SourceField, Table, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

RESOURCES: Final = ("water", "food", "energy")
DEEDS: Final = ("defeat", "build", "train", "dweller", "fight")
"""What somebody may be praised for: a threat defeated, a room built, a training, a new dweller, a fight won."""
EVERYWHERE, TOP, OWN = "everywhere", "top", "own"
FOREVER: Final = 0
"""The last round of an effect that holds to the end."""
LATEST: Final = 99
LONGEST_TOLL: Final = 12
"""Rounds: who pays at every recall has all dwellers injured in the end, and then nobody can play on."""
MOST_EFFECTS: Final = 4
MOST_CALLS: Final = 200
FOLDER: Final = "house-calls"
"""Where an owner's house calls are: beside the record."""
TABLES: Final = ("call",)
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})?")


class CallEffect(NamedTuple):
    """One thing that is otherwise while a house call holds."""

    do: str
    of: str = ""
    """A resource, `happiness`, or what somebody is praised for."""
    where: str = EVERYWHERE
    """On which levels: everywhere, on the top one, or on the players' own."""
    amount: int = 1
    first: int = 1
    last: int = FOREVER


class HouseCall(NamedTuple):
    """A twist: a few effects; one that an owner wrote has its names by language."""

    id: str
    effects: tuple[CallEffect, ...]
    names: tuple[tuple[str, str], ...] = ()


class EffectKind(NamedTuple):
    """What may be said of a kind of effect besides the rounds; an empty tuple or 0: nothing."""

    of: tuple[str, ...] = ()
    has_place: bool = False
    most: int = 0
    timed: bool = True


KINDS: Final[dict[str, EffectKind]] = {
    "dry": EffectKind(RESOURCES, has_place=True),
    "rich": EffectKind(RESOURCES, has_place=True, most=2),
    "gift": EffectKind((*RESOURCES, "happiness"), most=3, timed=False),
    "toll": EffectKind(RESOURCES, most=3),
    "tough": EffectKind(most=3),
    "easy": EffectKind(most=3),
    "stir": EffectKind(has_place=True),
    "calm": EffectKind(has_place=True),
    "praise": EffectKind(DEEDS, most=2),
}


def as_json(call: HouseCall) -> dict[str, object]:
    """Return a house call as a setup keeps it: `from_json` gives the same one."""
    found: dict[str, object] = {"id": call.id, "effects": [effect_as_json(effect) for effect in call.effects]}
    return {**found, "names": dict(call.names)} if call.names else found


def effect_as_json(effect: CallEffect) -> dict[str, object]:
    kind = KINDS[effect.do]
    found: dict[str, object] = {"do": effect.do}
    if kind.of:
        found["of"] = effect.of
    if kind.has_place:
        found["where"] = effect.where
    if kind.most:
        found["amount"] = effect.amount
    if effect.first > 1:
        found["from"] = effect.first
    if effect.last:
        found["until"] = effect.last
    return found


def from_json(raw: object, field: str) -> HouseCall:
    """Return a house call out of a setup; PackFaults tells all that is wrong with it."""
    faults: list[Fault] = []
    if not isinstance(raw, dict):
        raise PackFaults([Fault(field, 0, "", "no object", "a house call with id and effects")])
    found = read_call(_table(raw, field), raw.get("effects"), 0, faults)
    if found is None or faults:
        raise PackFaults(faults)
    return found


def _table(raw: Mapping[str, object], file: str, line: int = 0) -> Table:
    return Table(file, line, {str(key): SourceField(value, file, line) for key, value in raw.items()})


def read_call(
    table: Table, effects: object, line: int, faults: list[Fault], *, named: bool = False
) -> HouseCall | None:
    """Return the house call of a table; None with the faults.

    `named`: an owner's has to bring its names, and its tolls an end. Those of the record are played on as they are.
    """
    before = len(faults)
    call = str(table.fields["id"].raw)[:60] if "id" in table.fields else ""
    fields = Fields(table, call, faults)
    id_ = fields.take("id", card_id)
    names = fields.take("names", read_names) if named else fields.maybe("names", read_names)
    fields.take("effects", _some_effects)
    fields.finish()
    listed = effects if isinstance(effects, list) else []
    tables = [_table(one, table.file, line) for one in listed if isinstance(one, dict)]
    found = [_effect(one, call, faults, ends=named) for one in tables]
    if id_ is None or len(faults) > before:
        return None
    return HouseCall(id_, tuple([effect for effect in found if effect is not None]), names or ())


def read_effects(found: SourceField, card: str, most: int, faults: list[Fault]) -> tuple[CallEffect, ...]:
    """Return effects that stand by themselves, as those that an evening of a campaign leaves behind."""
    if not isinstance(found.raw, list) or len(found.raw) > most or not all(isinstance(one, dict) for one in found.raw):
        faults.append(Fault(found.file, found.line, card, "no such list", f"a list of {most} effects at most"))
        return ()
    read = [_effect(_table(one, found.file, found.line), card, faults, ends=True) for one in found.raw]
    return tuple([effect for effect in read if effect is not None])


def _some_effects(raw: object) -> list[object]:
    wrong = not isinstance(raw, list) or not all(isinstance(one, dict) for one in raw)
    if not isinstance(raw, list) or wrong or not 1 <= len(raw) <= MOST_EFFECTS:
        raise UnfitError(f"a list of 1 to {MOST_EFFECTS} effects")
    return raw


def read_names(raw: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(raw, dict) or not raw or not all(_LANGUAGE.fullmatch(str(code)) for code in raw):
        raise UnfitError('a name by language, as { en = "The long night" }')
    return tuple([(str(code), text(name)) for code, name in sorted(raw.items())])


def _effect(table: Table, call: str, faults: list[Fault], *, ends: bool) -> CallEffect | None:
    """Return one effect; None with its faults. `ends`: a toll says until when."""
    before = len(faults)
    fields = Fields(table, call, faults)
    do = fields.take("do", one_of(*KINDS))
    if do is None:
        return None
    kind = KINDS[do]
    of = (fields.take("of", one_of(*kind.of)) or "") if kind.of else ""
    where = (fields.maybe("where", one_of(EVERYWHERE, TOP, OWN)) or EVERYWHERE) if kind.has_place else EVERYWHERE
    amount = (fields.maybe("amount", whole(1, kind.most)) or 1) if kind.most else 1
    first = (fields.maybe("from", whole(1, LATEST)) or 1) if kind.timed else 1
    last = (fields.maybe("until", whole(1, LATEST)) or FOREVER) if kind.timed else FOREVER
    fields.finish()
    if last and last < first:
        fields.fault(table.line, f"until = {last}", f"a round from {first} on", "until", "number")
    if ends and do == "toll" and not (last and last - first < LONGEST_TOLL):
        found = f"a toll until round {last}" if last else "a toll without an end"
        fields.fault(table.line, found, f"until, {LONGEST_TOLL} rounds at most", "until", "number")
    return CallEffect(do, of, where, amount, first, last) if len(faults) == before else None


# --- files ------------------------------------------------------------------------------------------------------------


def calls_of(source: Source, faults: list[Fault], *, named: bool) -> list[HouseCall]:
    """Return the house calls of a file, as far as they can be read."""
    listed = source.data.get("call", [])
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        faults.append(Fault(source.file, source.line(("call",)), "", "no list of tables", "[[call]]"))
        return []
    found = [
        read_call(
            source.table("call", nth), one.get("effects"), source.line(("call", nth, "effects")), faults, named=named
        )
        for nth, one in enumerate(listed)
    ]
    return [call for call in found if call is not None]


def refuse_odd_tables(source: Source, known: tuple[str, ...], faults: list[Fault]) -> None:
    """Note every table of a file that means nothing there."""
    for key in source.data:
        if key not in known:
            expected = " or ".join(f"[[{name}]]" for name in known)
            faults.append(Fault(source.file, source.line((key,)), "", f"an unknown key {key}", expected))


def shipped_folder() -> Traversable:
    return resources.files("companion.cards.evenings")


@lru_cache(maxsize=1)
def our_calls() -> tuple[HouseCall, ...]:
    """Return the house calls that come with the companion; what they are called is in the catalogues."""
    faults: list[Fault] = []
    source = read_file(shipped_folder() / "house-calls.toml", faults)
    calls = calls_of(source, faults, named=False) if source else []
    if faults:
        raise PackFaults(faults)
    return tuple(calls)


def house_calls(folder: Path | None = None) -> tuple[HouseCall, ...]:
    """Return all house calls, ours and those in a folder; PackFaults tells what is wrong with an owner's files."""
    found, faults = list(our_calls()), list[Fault]()
    for file in owners_files(folder / FOLDER) if folder is not None else ():
        source = read_file(file, faults)
        if source is not None:
            refuse_odd_tables(source, TABLES, faults)
            found += calls_of(source, faults, named=True)
            _refuse_doubles(found, source, faults)
    if len(found) > MOST_CALLS:
        faults.append(Fault(str(folder), 0, "", f"{len(found)} house calls", f"at most {MOST_CALLS}"))
    if faults:
        raise PackFaults(faults)
    return tuple(found)


def _refuse_doubles(found: list[HouseCall], source: Source, faults: list[Fault]) -> None:
    known = [call.id for call in found]
    doubles = dict.fromkeys(name for name in known if known.count(name) > 1)
    faults += [Fault(source.file, 0, id_, f"a second house call {id_}", "an id of its own") for id_ in doubles]


def owners_files(folder: Path) -> list[Path]:
    """Return the files that an owner has written into a folder; there may be no such folder."""
    return sorted(folder.glob("*.toml")) if folder.is_dir() else []


def is_call_file(path: str) -> bool:
    """Return whether this is a file of house calls: it lies where they lie, or has such tables."""
    file = Path(path)
    if file.suffix != ".toml" or file.is_dir():
        return False
    return file.parent.name == FOLDER or (file.is_file() and b"[[call" in file.read_bytes())


def report(path: str) -> Iterator[str]:
    """Say which house calls a file brings; PackFaults tells all that is wrong with it."""
    faults: list[Fault] = []
    file = Path(path)
    source = read_file(file, faults)
    if source is not None:
        refuse_odd_tables(source, TABLES, faults)
        found = calls_of(source, faults, named=True)
        _refuse_doubles([*our_calls(), *found], source, faults)
        if not faults:
            yield f"{file}: {len(found)} house calls: {', '.join(call.id for call in found)}"
    if faults:
        raise PackFaults(faults)
