"""The wiring table: which part is on which GPIO of the 40-pin header (the same on every Pi since 2014)."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.games.api import Button
from hardware.panel.gestures import Times

HEADER_OF: Final[dict[int, int]] = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""From the BCM number to the place on the header."""

GROUNDS: Final = frozenset({6, 9, 14, 20, 25, 30, 34, 39})
PLACES: Final = 40


DEFAULT: Final = Path(__file__).with_name("wiring.toml")
EYE: Final = "eye"
BUZZER: Final = "buzzer"
LAMPS: Final = ("red", "blue", "green", "yellow", EYE)
GROUND_NAMES: Final = ("buttons", "lamps")
TIMES: Final = ("hold_ms", "settle_ms", "glitch_ms")
SECTIONS: Final = ("times", "buttons", "lamps", BUZZER, "grounds")
PART_KEYS: Final = frozenset({"pin", "header", "wire", "absent", "ohms"})
Table = dict[str, Any]


class WiringFaults(ValueError):  # noqa: N818 - it carries all of them
    """Everything that is wrong with a wiring table."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class PinWire:
    part: str
    pin: int
    header: int
    wire: str
    ohms: int = 0
    """The resistor before an LED; nought where there is none."""


@dataclass(frozen=True, slots=True)
class GroundWire:
    part: str
    header: int
    wire: str


@dataclass(frozen=True, slots=True)
class Wiring:
    """What is wired; what is absent is not in it."""

    buttons: dict[Button, PinWire]
    lamps: dict[str, PinWire]
    buzzer: PinWire | None
    grounds: tuple[GroundWire, ...]
    times: Times

    @property
    def lines(self) -> list[PinWire]:
        return [*self.buttons.values(), *self.lamps.values(), *([self.buzzer] if self.buzzer else [])]


def load(own: Path | None = None) -> Wiring:
    """Return the wiring of this table: the usual one, changed by the owner's file."""
    raw = _read(DEFAULT)
    faults: list[str] = []
    if own is not None:
        _check_shape(changes := _read(own), faults)
        if faults:
            raise WiringFaults([f"{own.name}: {fault}" for fault in faults])
        _merge(raw, changes)
    return _assembled(raw)


def _read(path: Path) -> Table:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WiringFaults([f"{path.name}: cannot be read: {error.strerror}"]) from error
    except UnicodeDecodeError as error:
        raise WiringFaults([f"{path.name}: is not UTF-8"]) from error
    except (ValueError, RecursionError) as error:
        raise WiringFaults([f"{path.name}: is not TOML: {error}"]) from error


# --- shape ------------------------------------------------------------------------------------------------------------


def _check_shape(raw: Table, faults: list[str]) -> None:
    expected = ", ".join(SECTIONS)
    faults += [f"{section}: unknown, expected one of {expected}" for section in sorted(raw.keys() - set(SECTIONS))]
    _check_section(raw, "buttons", tuple(Button), faults)
    _check_section(raw, "lamps", LAMPS, faults)
    _check_section(raw, "grounds", GROUND_NAMES, faults)
    if BUZZER in raw:
        _check_part(BUZZER, raw[BUZZER], faults)
    times = raw.get("times", {})
    if not isinstance(times, dict):
        faults.append("times: expected a table")
        return
    for name, value in times.items():
        if name not in TIMES:
            faults.append(f"times.{name}: unknown, expected one of {', '.join(TIMES)}")
        elif not _is_number(value) or value <= 0:
            faults.append(f"times.{name}: expected milliseconds above nought, not {value!r}")


def _check_section(raw: Table, section: str, known: tuple[str, ...], faults: list[str]) -> None:
    parts = raw.get(section, {})
    if not isinstance(parts, dict):
        faults.append(f"{section}: expected a table")
        return
    for name, part in parts.items():
        if name not in known:
            faults.append(f"{section}.{name}: unknown part, expected one of {', '.join(known)}")
        else:
            _check_part(f"{section}.{name}", part, faults)


def _check_part(name: str, part: object, faults: list[str]) -> None:
    if not isinstance(part, dict):
        faults.append(f"{name}: expected a table")
        return
    faults += [
        f"{name}.{key}: unknown, expected pin, header, wire, ohms or absent" for key in sorted(part.keys() - PART_KEYS)
    ]
    for key in ("pin", "header", "ohms"):
        if key in part and (not isinstance(part[key], int) or isinstance(part[key], bool)):
            faults.append(f"{name}.{key}: expected a number, not {part[key]!r}")
    if not isinstance(part.get("wire", ""), str):
        faults.append(f"{name}.wire: expected a colour, not {part['wire']!r}")
    if not isinstance(part.get("absent", False), bool):
        faults.append(f"{name}.absent: expected true or false, not {part['absent']!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# --- the owner's changes ----------------------------------------------------------------------------------------------


def _merge(raw: Table, changes: Table) -> None:
    raw["times"] |= changes.get("times", {})
    for section in ("buttons", "lamps", "grounds"):
        for name, part in changes.get(section, {}).items():
            raw[section][name] = _changed(raw[section][name], part)
    if BUZZER in changes:
        raw[BUZZER] = _changed(raw[BUZZER], changes[BUZZER])


def _changed(part: Table, change: Table) -> Table:
    """Apply a change to a part: another pin is at another place of the header, so the old place goes with it."""
    kept = {key: value for key, value in part.items() if not (key == "header" and "pin" in change)}
    return kept | change


# --- the whole --------------------------------------------------------------------------------------------------------


def _assembled(raw: Table) -> Wiring:
    faults: list[str] = []
    buttons = {Button(name): _line(f"buttons.{name}", part, faults) for name, part in _present(raw["buttons"])}
    lamps = {name: _line(f"lamps.{name}", part, faults) for name, part in _present(raw["lamps"])}
    buzzer = [_line(BUZZER, part, faults) for _, part in _present({BUZZER: raw[BUZZER]})]
    grounds = [_ground(f"grounds.{name}", part, faults) for name, part in _present(raw["grounds"])]
    times = Times(*(raw["times"][name] / 1000 for name in TIMES))
    if times.hold <= times.settle + times.glitch:
        faults.append("times.hold_ms: expected more than settle_ms and glitch_ms together")
    wiring = Wiring(buttons, lamps, buzzer[0] if buzzer else None, tuple(grounds), times)
    taken: dict[int, list[str]] = {}
    for line in wiring.lines:
        taken.setdefault(line.pin, []).append(line.part)
    faults += [f"GPIO {pin} is used twice: {', '.join(parts)}" for pin, parts in taken.items() if len(parts) > 1]
    counted = Counter(ground.header for ground in grounds)
    faults += [f"header {place} is used twice, for grounds" for place, count in counted.items() if count > 1]
    if faults:
        raise WiringFaults(faults)
    return wiring


def _present(parts: Table) -> list[tuple[str, Table]]:
    return [(name, part) for name, part in parts.items() if not part.get("absent", False)]


def _line(name: str, part: Table, faults: list[str]) -> PinWire:
    pin = part["pin"]
    if pin not in HEADER_OF:
        faults.append(f"{name}.pin: {pin} is no BCM pin of the header, expected 0 to 27")
        return PinWire(name, pin, 0, part["wire"])
    header = part.get("header", HEADER_OF[pin])
    if header != HEADER_OF[pin]:
        faults.append(f"{name}.header: GPIO {pin} is at place {HEADER_OF[pin]} of the header, not {header}")
    return PinWire(name, pin, header, part["wire"], part.get("ohms", 0))


def _ground(name: str, part: Table, faults: list[str]) -> GroundWire:
    if part["header"] not in GROUNDS:
        places = ", ".join(map(str, sorted(GROUNDS)))
        faults.append(f"{name}.header: place {part['header']} is no ground, expected one of {places}")
    return GroundWire(name, part["header"], part["wire"])


# --- printed ----------------------------------------------------------------------------------------------------------


def as_table(wiring: Wiring) -> str:
    """Return the table as text, to be read with a soldering iron in the hand."""
    rows = [("part", "GPIO", "header", "wire", "resistor")]
    rows += [
        (line.part, str(line.pin), str(line.header), line.wire, f"{line.ohms} ohms" if line.ohms else "")
        for line in wiring.lines
    ]
    rows += [(ground.part, "ground", str(ground.header), ground.wire, "") for ground in wiring.grounds]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def as_header(wiring: Wiring) -> str:
    """Return the 40-pin header as text, seen from above; places 1 and 2 are at the edge with the card."""
    used = {wire.header: f"{wire.part}, GPIO {wire.pin}, {wire.wire}" for wire in wiring.lines}
    used |= {ground.header: f"{ground.part}, ground, {ground.wire}" for ground in wiring.grounds}
    wide = max((len(text) for place, text in used.items() if place % 2), default=0)
    rows = []
    for odd, even in zip(range(1, PLACES, 2), range(2, PLACES + 1, 2), strict=True):
        pins = " ".join("#" if place in used else "." for place in (odd, even))
        rows.append(f"{used.get(odd, ''):>{wide}} {odd:2} {pins} {even:<2} {used.get(even, '')}".rstrip())
    return "\n".join(rows)
