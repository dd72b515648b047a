"""Put a bot's reason into words, in every language; pages and voice use the same sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypedDict

from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.games.json_types import MoveJson
    from companion.games.shelter.state import ShelterState


class Reason(TypedDict, total=False):
    """Why a move was chosen: the key of a sentence, and those of its fields that there are."""

    why: str
    option: str
    item: str
    room: str
    threat: str
    chance: float
    """To win the fight."""
    happiness: int
    dwellers: int
    items: int
    letter: str
    gain: dict[str, int]
    """Cubes by resource; those of choice as `any`."""
    doubled: str
    """The letter that doubles the reward."""
    style: str
    """Whose way of putting it: a character that has sentences of its own."""


SILENT: Final = frozenset({"answer"})
"""Reasons that say nothing which the move does not say."""


class SaidMove(TypedDict):
    """A move that a bot asks people to make for it."""

    by: str
    move: MoveJson
    reason: Reason


def texts(language: str) -> Mapping[str, str]:
    """Return the sentences of a language."""
    return catalogues.texts(language, "reasons")


def because(language: str, reason: Reason, name_of: Callable[[str], str]) -> str:
    """Return why, without a full stop; `name_of` names the cards."""
    said = texts(language)
    key = _key(reason)
    told = said.get(f"{reason.get('style')}_{key}", said[key]).format(
        item=name_of(reason["item"]) if "item" in reason else "",
        room=name_of(reason["room"]) if "room" in reason else "",
        threat=name_of(reason["threat"]) if "threat" in reason else "",
        percent=round(100 * reason.get("chance", 0)),
        n=reason.get("happiness", 0),
        letter=reason.get("letter", ""),
        gain=", ".join(said[what].format(n=n) for what, n in reason.get("gain", {}).items()) or said["best_left"],
    )
    doubled = reason.get("doubled")
    return said["doubled"].format(why=told, letter=doubled) if doubled else told


def _key(reason: Reason) -> str:
    """Return the key of the sentence that fits the fields that there are."""
    why = reason["why"]
    match why:
        case "room" if "room" in reason:
            return "room_named"
        case "training" if "letter" not in reason:
            return "training_any"
        case "dweller" if reason.get("dwellers", 1) > 1:
            return "dwellers"
        case "item" if reason.get("items", 1) > 1:
            return "items"
        case _:
            return why


def aloud(language: str, said: SaidMove, state: ShelterState, name_of: Callable[[str], str]) -> str:
    """Return a suggestion as one spoken sentence: who goes where, and why."""
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
