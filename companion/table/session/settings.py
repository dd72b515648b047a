"""How the people play, kept in a file that they can read."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from companion.cards.pack import Fault
from companion.cards.source import read_file
from companion.languages import catalogues
from companion.table.record.data_folder import put
from companion.table.record.entries import RecordError

if TYPE_CHECKING:
    from pathlib import Path

FILE: Final = "settings.toml"
STILLNESS, BUTTON = "stillness", "button"
WAYS: Final = (STILLNESS, BUTTON)
ODDS: Final = ("fight", "columns", "win", "hint")
"""Of a fight before it is fought, of each column tonight, everybody's chance to win, and two good moves on demand."""
LONGEST_REST: Final = 60.0
HEAD: Final = "# How this table plays. The settings page writes this; by hand only while the companion rests.\n"


@dataclass(frozen=True, slots=True)
class Settings:
    """How the people play: by stillness or by button, voice, language, odds.

    What is None is as the table was set up.
    """

    way: str = STILLNESS
    rest: float = 1.5
    """Seconds that a reading stays the same before it is played, after the camera's own stillness (`watcher.py`)."""
    voice: bool | None = None
    language: str | None = None
    odds_fight: bool = True
    odds_columns: bool = True
    odds_win: bool = False
    odds_hint: bool = False
    bots_wait: bool = True
    """Whether a bot waits until its figure stands where it said, also where no camera looks."""

    @property
    def odds(self) -> list[str]:
        return [name for name in ODDS if getattr(self, f"odds_{name}")]


EXPECTED: Final = {
    "way": f"way is {STILLNESS} or {BUTTON}",
    "rest": f"rest is from 0 to {LONGEST_REST:g} seconds",
    "voice": "voice is true or false",
    "language": "language is one that this companion speaks",
    **{f"odds_{name}": f"odds_{name} is true or false" for name in ODDS},
    "bots_wait": "bots_wait is true or false",
}


def is_fit(name: str, value: object) -> bool:
    match name:
        case "way":
            return value in WAYS
        case "rest":
            return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LONGEST_REST
        case "language":
            return value in catalogues.codes()
        case _:
            return name in EXPECTED and isinstance(value, bool)


class SettingsFaults(RecordError):  # noqa: N818 - it carries all of them
    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults


def kept(folder: Path, otherwise: Settings) -> Settings:
    """Read the settings in a folder; every fault in them is reported before anything starts."""
    path = folder / FILE
    if not path.exists():
        return otherwise
    faults: list[Fault] = []
    source = read_file(path, faults)
    found = {} if source is None else source.table().fields
    for name, field in found.items():
        if not is_fit(name, field.raw):
            wanted = EXPECTED.get(name, f"one of {', '.join(EXPECTED)}")
            faults.append(Fault(field.file, field.line, "", f"{name} = {field.raw!r}"[:80], wanted))
    if faults:
        raise SettingsFaults(faults)
    values: dict[str, Any] = {name: field.raw for name, field in found.items()}
    return replace(otherwise, **values)


def keep(folder: Path, settings: Settings) -> None:
    values = {field.name: getattr(settings, field.name) for field in fields(settings)}
    lines = [f"{name} = {_toml(value)}\n" for name, value in values.items() if value is not None]
    put(folder / FILE, (HEAD + "".join(lines)).encode())


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
