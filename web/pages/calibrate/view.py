"""The calibration's view in words: notes, steps, cards by name, a table of scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from web.base.words import Words
    from web.games.shelter.cards import PackCards

SIGNS: Final = {"fine": "✓", "hint": "!", "fault": "✗"}
COLOURED: Final = {"players", "what", "one", "other"}
"""The fields of notes that name colours."""


def shown(texts: Words, view: dict[str, Any], cards: PackCards) -> dict[str, Any]:
    details = view.get("details", {})
    told = {**view, "notes": [_note(texts, note, cards) for note in view["notes"]]}
    told["steps"] = [{**step, "title": texts.text(f"calstep_{step['name']}")} for step in view["steps"]]
    names = {card: cards.name(card, texts.language) for card in _asked(details)}
    told["named"] = {card: name or card for card, name in names.items()}
    told["levels"] = _levels(details)
    return told


def _note(texts: Words, note: dict[str, Any], cards: PackCards) -> dict[str, Any]:
    fields = dict(note["fields"])
    if "card" in fields:
        fields["card"] = cards.name(fields["card"], texts.language) or fields["card"]
    if "light" in fields:
        fields["light"] = texts.text(f"light_{fields['light']}")
    if "by" in fields:
        fields["by"] = texts.text(f"knownby_{fields['by']}")
    for name in COLOURED & fields.keys():
        fields[name] = ", ".join(
            " ".join(_word(texts, part) for part in one.split()) for one in fields[name].split(", ")
        )
    key = f"calnote_{note['code']}"
    text = texts.text(key, **fields) if texts.has(key) else texts.text("calibrate_odd", code=note["code"])
    return {"text": text, "level": note["level"], "sign": SIGNS[note["level"]]}


def _word(texts: Words, word: str) -> str:
    """Return a colour or a pose in a reader's language."""
    for key in (f"colour_{word}", f"calpose_{word}"):
        if texts.has(key):
            return texts.text(key).lower()
    return word


def _asked(details: dict[str, Any]) -> list[str]:
    return [*(card["id"] for card in details.get("cards", [])), *details.get("likely", [])]


def _levels(details: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """Return the scores as they lie on the table, each with how good it is."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for one in details.get("scores", []):
        level, _, slot = one["place"].partition(":")
        good = "good" if one["score"] >= details["good"] else "fair" if one["score"] >= details["fair"] else "poor"
        rows.setdefault(level, []).append({**one, "slot": slot, "level": level, "good": good})
    return list(rows.values())
