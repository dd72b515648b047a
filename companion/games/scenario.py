"""Scenarios: a position, moves, and what must hold; and the comparison of what must hold with a state."""

from __future__ import annotations

from typing import Any


def differences(wanted: Any, found: Any, where: str = "") -> list[str]:
    """What is wanted and not contained in what was found.

    Objects may hold more than is wanted, but an empty one means empty; lists compare whole, `available` in any order.
    """
    if isinstance(wanted, dict) and isinstance(found, dict):
        if not wanted and found:
            return [f"{where or 'state'}: wanted nothing there, found {found}"]
        problems = []
        for key, value in wanted.items():
            place = f"{where}.{key}" if where else str(key)
            if key not in found:
                if value is not None:
                    problems.append(f"{place}: missing")
            else:
                problems += differences(value, found[key], place)
        return problems
    if isinstance(wanted, list) and isinstance(found, list):
        return _list_differences(wanted, found, where)
    if type(wanted) is not type(found) or wanted != found:
        return [f"{where}: wanted {wanted!r}, found {found!r}"]
    return []


def _list_differences(wanted: list[Any], found: list[Any], where: str) -> list[str]:
    if where.endswith("available"):
        wanted, found = sorted(wanted, key=str), sorted(found, key=str)
    if len(wanted) != len(found):
        return [f"{where}: wanted {wanted!r}, found {found!r}"]
    problems = []
    for number, (one, other) in enumerate(zip(wanted, found, strict=True)):
        problems += differences(one, other, f"{where}[{number}]")
    return problems
