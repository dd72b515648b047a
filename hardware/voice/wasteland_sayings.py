"""What is said aloud of the second game: the enemy phase, who falls, how it ends; nothing of hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.table.session.snapshots import Snapshot


def sentences(snapshot: Snapshot, words: dict[str, str]) -> Iterator[str]:
    """What has happened."""
    state = snapshot.state
    for event in snapshot.events:
        match event["event"]:
            case "agenda_revealed":
                yield words["enemy_phase"]
            case "type_activated":
                yield words["acts_" + event["type"].replace("-", "_")]
            case "survivor_killed":
                yield words["killed"].format(player=_player(state, event["by"]))
            case "over":
                yield _over(event["winners"], state, words)
            case _:
                pass


def _player(state: dict[str, Any], colour: str) -> str:
    return str(state["players"][colour]["name"])


def _over(winners: list[str], state: dict[str, Any], words: dict[str, str]) -> str:
    if not winners:
        return words["lost"]
    names = f" {words['and']} ".join(_player(state, colour) for colour in winners)
    return words["over" if len(winners) == 1 else "shared"].format(winners=names)
