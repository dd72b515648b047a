"""What is said aloud of a snapshot, in the game's language. Pure: a snapshot in, sentences out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.bots.policy import reason_texts
from companion.languages import catalogues
from hardware.voice import wasteland_sayings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.table.session.snapshots import Snapshot

SPACE, DICE, BONUS = 0, 1, 2
"""What the event of a roll tells."""


def words_of(language: str) -> dict[str, str]:
    """Return the sentences of a language, and its own code."""
    return {**catalogues.texts(language, "voice"), "language": language}


def sentences(snapshot: Snapshot, words: dict[str, str], name_of: Callable[[str], str]) -> str:
    """What has happened, as one text; empty where nothing is worth a word."""
    return " ".join(_sentences(snapshot, words, name_of))


def _sentences(snapshot: Snapshot, words: dict[str, str], name_of: Callable[[str], str]) -> Iterator[str]:
    state = snapshot.state
    if state.get("game") == "wasteland":
        yield from wasteland_sayings.sentences(snapshot, words)
        return
    for event in snapshot.events:
        what = event.get("what", [])
        match event["event"]:
            case "spawned":
                yield _spawned(what[0], state, words, name_of)
            case "rolled":
                total = sum(what[DICE]) + what[BONUS]
                yield words["rolled"].format(player=_player(state, event["by"]), total=total)
            case "thrown" | "dice_unsure":
                yield _thrown(event, state, words)
            case "won" | "defeated" as outcome:
                yield words[outcome].format(player=_player(state, event["by"]))
            case "round" | "last_round" as name:
                yield words[name].format(round=what[0] if what else "")
            case "suggested":
                said = {"by": event["by"], "move": what[0], "reason": what[1]}
                yield reason_texts.aloud(words["language"], said, state, name_of)
            case "over":
                yield _over(what[0], state, words)
            case _:
                pass


def _spawned(one: dict[str, Any], state: dict[str, Any], words: dict[str, str], name_of: Callable[[str], str]) -> str:
    threats = {row["level"]: row["threat"] for row in state["spawned"]}
    threat = threats.get(one["level"])
    if not one["spawned"] or threat is None:
        return words["nothing"].format(level=one["level"], column=one["column"])
    return words["spawned"].format(level=one["level"], column=one["column"], threat=name_of(threat))


def _thrown(event: dict[str, Any], state: dict[str, Any], words: dict[str, str]) -> str:
    """Real dice that nobody has taken yet, a level's or somebody's; or that they cannot be read."""
    if event["event"] == "dice_unsure":
        return words["dice_unsure"]
    level, dice = event["what"]
    if level is not None:
        return words["thrown_level"].format(level=level, total=sum(dice))
    return words["thrown"].format(player=_player(state, event["by"]), total=sum(dice))


def _player(state: dict[str, Any], colour: str) -> str:
    return str(state["players"][colour]["name"])


def _over(winners: list[str], state: dict[str, Any], words: dict[str, str]) -> str:
    names = f" {words['and']} ".join(_player(state, colour) for colour in winners)
    return words["over" if len(winners) == 1 else "shared"].format(winners=names)
