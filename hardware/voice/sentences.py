"""What is said aloud of a snapshot, in the game's language. Pure: a snapshot in, sentences out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.bots.policy import reason_texts
from companion.games.api import CardName, name_of
from companion.games.registry import game_of
from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from companion.games.api import EventJson, State, Text
    from companion.table.session.snapshots import Snapshot


def words_of(language: str) -> dict[str, str]:
    """Return the sentences of a language, and its own code."""
    return {**catalogues.texts(language, "voice"), "language": language}


def sentences(snapshot: Snapshot, words: dict[str, str], name_of: Callable[[str], str]) -> str:
    """What has happened, as one text; empty where nothing is worth a word."""
    return " ".join(_sentences(snapshot, words, name_of))


def _sentences(snapshot: Snapshot, words: dict[str, str], name_of_card: Callable[[str], str]) -> Iterator[str]:
    """The table's own events first; whatever else there is, the game that is played puts into words."""
    state: Any = snapshot.state
    game = game_of(state["game"])
    every: Mapping[str, str] = {**words, **game.words(words["language"])}
    for event in snapshot.events:
        match event["event"]:
            case "thrown" | "dice_unsure":
                yield _thrown(event, state, words)
            case "suggested":
                what = event["what"]
                said = {"by": event["by"], "move": what[0], "reason": what[1]}
                yield reason_texts.aloud(words["language"], said, state, name_of_card)
            case _:
                text = game.spoken(event, state)
                if text is not None:
                    yield _said(text, every, name_of_card)


def _said(text: Text, words: Mapping[str, str], name_of_card: Callable[[str], str]) -> str:
    fields: dict[str, str | int] = {}
    for key, field in text.fields.items():
        if isinstance(field, tuple):
            fields[key] = f" {words['and']} ".join(field)
        else:
            fields[key] = name_of_card(field) if isinstance(field, CardName) else field
    return words[text.key].format(**fields)


def _thrown(event: EventJson, state: State, words: dict[str, str]) -> str:
    """Real dice that nobody has taken yet, a level's or somebody's; or that they cannot be read."""
    if event["event"] == "dice_unsure":
        return words["dice_unsure"]
    level, dice = event["what"]
    if level is not None:
        return words["thrown_level"].format(level=level, total=sum(dice))
    return words["thrown"].format(player=name_of(state, event["by"]), total=sum(dice))
