"""A bot's reason as a sentence, in the languages of the table; pages and voice say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SILENT: Final = frozenset({"answer"})
"""Reasons that say nothing which the move does not say."""
CARDS: Final = ("item", "room", "threat")
"""What a reason may name."""


def texts(language: str) -> Mapping[str, str]:
    """Return the sentences of a language."""
    return catalogues.texts(language, "reasons")


def because(language: str, reason: dict[str, Any], name_of: Callable[[str], str]) -> str:
    """Why, without a full stop; cards are named by whoever asks."""
    said = texts(language)
    told = said[_key(reason)].format(
        **{kind: name_of(reason[kind]) if kind in reason else "" for kind in CARDS},
        percent=round(100 * float(reason.get("chance", 0))),
        n=reason.get("happiness", 0),
        letter=reason.get("letter", ""),
        gain=", ".join(said[what].format(n=n) for what, n in reason.get("gain", {}).items()) or said["best_left"],
    )
    doubled = reason.get("doubled")
    return said["doubled"].format(why=told, letter=doubled) if doubled else told


def _key(reason: dict[str, Any]) -> str:
    """Which sentence; some say more where there is more to say."""
    why = str(reason["why"])
    match why:
        case "room" if "room" in reason:
            return "room_named"
        case "training" if "letter" not in reason:
            return "training_any"
        case "dweller" | "item" if int(reason.get(f"{why}s", 1)) > 1:
            return f"{why}s"
        case _:
            return why


def aloud(language: str, said: dict[str, Any], state: dict[str, Any], name_of: Callable[[str], str]) -> str:
    """A suggestion as one sentence to be heard: who goes where, and why."""
    move = said["move"]
    level, slot = move["space"].split(":")
    room = state["threats"].get(move["space"]) or state["levels"][level]["rooms"].get(slot[:2]) or "elevator"
    key = "suggested_two" if len(move.get("dwellers", ())) > 1 else "suggested"
    return texts(language)[key].format(
        player=state["players"][said["by"]]["name"],
        room=name_of(room),
        level=level,
        why=because(language, said["reason"], name_of),
    )
