"""The form of a new game in the wasteland as the setup that the session wants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.wasteland.words import COLOURS

if TYPE_CHECKING:
    from collections.abc import Mapping


def setup_of(form: Mapping[str, Any]) -> dict[str, Any]:
    """Players clockwise, the scenario sheet, survivors where they were chosen already, dice and decks."""
    players = [colour for colour in COLOURS if form.get(f"plays_{colour}")]
    seated = sorted(players, key=lambda colour: str(form.get(f"place_{colour}", "")))
    survivors = {colour: str(form[f"survivor_{colour}"]) for colour in players if form.get(f"survivor_{colour}")}
    names = {colour: str(form.get(f"name_{colour}", "")).strip()[:24] for colour in players}
    first = form.get("first")
    setup: dict[str, Any] = {
        "players": seated,
        "survivors": survivors,
        "options": {key: "table" if form.get(key) == "table" else "companion" for key in ("dice", "cards")},
        "names": {colour: name for colour, name in names.items() if name},
    }
    if form.get("scenario"):
        setup["scenario"] = str(form["scenario"])
    return {**setup, "first": first} if first in players else setup
