"""The form of a new game as the setup that the session wants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.shelter.house_rules import NAMES
from companion.games.shelter.words import COLOURS

if TYPE_CHECKING:
    from collections.abc import Mapping


def setup_of(form: Mapping[str, Any]) -> dict[str, Any]:
    """Players clockwise, their levels from the second one down, who begins, decks, house rules and bots.

    Colours that were given the same place keep the order of the box.
    """
    players = [colour for colour in COLOURS if form.get(f"plays_{colour}")]
    seated = sorted(players, key=lambda colour: str(form.get(f"place_{colour}", "")))
    first = form.get("first", "")
    names = {colour: str(form.get(f"name_{colour}", "")).strip()[:24] for colour in players}
    return {
        "players": seated,
        "levels": sorted(players, key=lambda colour: str(form.get(f"level_{colour}", ""))),
        "first": first if first in players else (seated[0] if seated else ""),
        "cards": "table" if form.get("cards") == "table" else "companion",
        "house_rules": {name: True for name in NAMES if form.get(f"rule_{name}")},
        "names": {colour: name for colour, name in names.items() if name},
        "bots": {colour: form[f"bot_{colour}"] for colour in players if form.get(f"bot_{colour}")},
    }
