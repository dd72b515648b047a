"""What lies where in a state, piece by piece: for laying a game, and for laying it again."""

from __future__ import annotations

from typing import Any

Piece = dict[str, str]
UNKNOWN = "unknown"


def track_place(track: str, number: int) -> str:
    """The name of a place of a track."""
    return f"{track}:{number}"


def pieces(state: dict[str, Any]) -> list[Piece]:
    """Everything that lies on the mat, in the order in which it is best laid: from the top, cards before figures."""
    laid = []
    for number, level in state["levels"].items():
        laid.append({"place": f"{number}:E", "piece": f"elevator-{level['owner']}" if level["owner"] else "elevator"})
        laid += [{"place": f"{number}:{column}", "piece": card} for column, card in level["rooms"].items()]
    laid += [{"place": space, "piece": card} for space, card in state["threats"].items()]
    for name, row in state["tracks"].items():
        laid += [{"place": track_place(name, number), "piece": card} for number, card in enumerate(row)]
    for space, standing in state["placed"].items():
        laid += [{"place": space, "piece": f"{standing['by']} {dweller}"} for dweller in standing["dwellers"]]
    return [piece for piece in laid if piece["piece"] != UNKNOWN]


def boards(state: dict[str, Any]) -> dict[str, Any]:
    """What lies in front of the players: the camera does not see it, people lay it by the list."""
    return {
        colour: {key: player[key] for key in ("happiness", "resources", "available", "items")}
        for colour, player in state["players"].items()
    }
