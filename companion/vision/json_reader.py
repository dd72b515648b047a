"""Take typed values out of parsed JSON, and collect every fault with its place."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Pair = tuple[float, float]
FAR = 1e5  # what no length, angle or number of pixels of a table comes near


def read_json(path: Path) -> Any:
    """Read a JSON file; raise `ValueError` for what is no JSON, or nests too deeply to be a profile."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except RecursionError as error:
        raise ValueError("it nests too deeply") from error


@dataclass(slots=True)
class JsonReader:
    """Takes typed values out of parsed JSON and collects every fault instead of stopping at the first."""

    faults: list[str] = field(default_factory=list)

    def fault(self, where: str, expected: str) -> None:
        self.faults.append(f"{where}: expected {expected}")

    def section(self, value: object, where: str) -> dict[str, object]:
        if isinstance(value, dict):
            return value
        self.fault(where, "an object")
        return {}

    def number(
        self, value: object, where: str, *, default: float | None = None, least: float = 0.0, most: float = FAR
    ) -> float:
        """Take a finite number; NaN is refused, since it is not less than anything."""
        if value is None and default is not None:
            return default
        if isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most:
            return float(value)
        self.fault(where, f"a number from {least:g} " + (f"to {most:g}" if most < FAR else "up"))
        return max(1.0, least)

    def pair(self, value: object, where: str, *, least: float = -FAR, most: float = FAR) -> Pair:
        if isinstance(value, (list, tuple)) and len(value) == 2:  # noqa: PLR2004
            return (
                self.number(value[0], f"{where}[0]", least=least, most=most),
                self.number(value[1], f"{where}[1]", least=least, most=most),
            )
        self.fault(where, "two numbers")
        return (max(1.0, least), max(1.0, least))

    def whole(self, value: object, where: str, least: int, most: int) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        self.fault(where, f"a whole number from {least} to {most}")
        return least

    def items(self, value: object, where: str) -> list[object]:
        if isinstance(value, list):
            return value
        self.fault(where, "a list")
        return []
