"""What a finished game is worth beside the same one at other tables, and what of it is worth telling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from companion.games.shelter.state import ShelterPlayer, ShelterState

AN_AIM: Final = 10
A_ROUND_LEFT: Final = 5
"""For each round that was not needed, where the vault holds."""
A_BREACH: Final = 3
LANDSLIDE: Final = 10
A_FULL_LEVEL: Final = 6
EVERYBODY: Final = 7
A_FULL_TRACKER: Final = 18
HARDEST: Final = "hard"


def points(state: ShelterState) -> int | None:
    """Return the points of an evening together (U8): aims, happiness and rounds to spare, less the break-ins."""
    together = state.get("together")
    if together is None:
        return None
    met = sum([aim["met"] for aim in together["aims"]])
    happiness = sum([player["happiness"] for player in state["players"].values()])
    won = state["result"] is not None and bool(state["result"]["winners"])
    spare = together["rounds"] - state["round"] if won else 0
    return max(0, AN_AIM * met + happiness + A_ROUND_LEFT * spare - A_BREACH * together["breaches"])


def deeds(state: ShelterState) -> list[tuple[str, str]]:
    """Return what somebody has done this evening that is worth telling, and what all have."""
    result = state["result"]
    if result is None:
        return []
    found = [(key, colour) for colour in state["order"] for key in _of_a_player(state, colour)]
    if not state["threats"]:
        found.append(("quiet_vault", ""))
    return found + [(key, "") for key in _together(state)]


def _of_a_player(state: ShelterState, colour: str) -> list[str]:
    player, found = state["players"][colour], []
    if len(state["levels"][str(player["level"])]["rooms"]) == A_FULL_LEVEL:
        found.append("full_level")
    if player["total"] == EVERYBODY:
        found.append("everybody_home")
    if sum(player["resources"].values()) == A_FULL_TRACKER:
        found.append("hoarder")
    result = state["result"]
    if result is not None and colour in result["winners"] and "together" not in state:
        found += _of_a_winner(state, colour, player)
    return found


def _of_a_winner(state: ShelterState, colour: str, player: ShelterPlayer) -> list[str]:
    result, found = state["result"], []
    if result is None:
        return []
    scores = {one: score["happiness"] for one, score in result["scores"].items()}
    if scores[colour] - max(score for one, score in scores.items() if one != colour) >= LANDSLIDE:
        found.append("landslide")
    if result["decided_by"] != "happiness":
        found.append("whisker")
    if not player["items"]:
        found.append("bare_hands")
    if any(other.get("bot") == HARDEST for other in state["players"].values()):
        found.append("beat_the_machine")
    return found


def _together(state: ShelterState) -> list[str]:
    together, result, found = state.get("together"), state["result"], []
    if together is None or result is None or not result["winners"]:
        return []
    if len(state["order"]) == 1:
        found.append("alone")
    if together["difficulty"] == HARDEST:
        found.append("hard_times")
    if not together["breaches"]:
        found.append("nobody_came_in")
    if state["round"] == together["rounds"]:
        found.append("last_minute")
    return found
