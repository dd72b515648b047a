"""What is said aloud of a snapshot, in the game's language. Pure: a snapshot in, sentences out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from companion.bots.policy import reason_texts
from companion.games.api import CardName, name_of
from companion.languages import catalogues
from companion.table.session.events import (
    BotExplained,
    BotLeft,
    BotSeated,
    BotSuggested,
    CardsEdited,
    DeviceReported,
    DiceThrown,
    DiceUnsure,
    DisagreementResolved,
    GameChosen,
    GameFrozen,
    GameStarted,
    GameThawed,
    MoveRedone,
    MoveRefused,
    MoveUndone,
    SettingsChanged,
    TableEvent,
    TroubleDecided,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from companion.games.api import Text
    from companion.table.session.snapshots import Snapshot


def words_of(language: str) -> dict[str, str]:
    """Return the sentences of a language, and its own code."""
    return {**catalogues.texts(language, "voice"), "language": language}


def sentences(snapshot: Snapshot, words: dict[str, str], name_of: Callable[[str], str]) -> str:
    """Return what has happened, as one text; empty where nothing is worth a word."""
    return " ".join(_sentences(snapshot, words, name_of))


def _sentences(snapshot: Snapshot, words: dict[str, str], name_of_card: Callable[[str], str]) -> Iterator[str]:
    """Yield the table's own events first; whatever else there is, the game that is played puts into words."""
    state: Any = snapshot.state
    game = snapshot.game
    every: Mapping[str, str] = {**words, **game.words(words["language"])}
    for event in snapshot.events:
        if isinstance(event, TableEvent):
            yield from _of_table(event, state, words, name_of_card)
        elif (text := game.spoken(event, state)) is not None:
            yield _said(text, every, name_of_card)


def _said(text: Text, words: Mapping[str, str], name_of_card: Callable[[str], str]) -> str:
    fields: dict[str, str | int] = {}
    for key, field in text.fields.items():
        if isinstance(field, tuple):
            fields[key] = f" {words['and']} ".join(field)
        else:
            fields[key] = name_of_card(field) if isinstance(field, CardName) else field
    return words[text.key].format(**fields)


def _of_table(
    event: TableEvent, state: Any, words: dict[str, str], name_of_card: Callable[[str], str]
) -> Iterator[str]:
    match event:
        case DiceThrown(dice, None, by):
            yield words["thrown"].format(player=name_of(state, by or ""), total=sum(dice))
        case DiceThrown(dice, level):
            yield words["thrown_level"].format(level=level, total=sum(dice))
        case DiceUnsure():
            yield words["dice_unsure"]
        case BotSuggested(by, move, reason):
            said = {"by": by, "move": move, "reason": reason}
            yield reason_texts.aloud(words["language"], said, state, name_of_card)
        case (
            DeviceReported() | SettingsChanged() | MoveRefused() | MoveUndone() | MoveRedone() | DisagreementResolved()
            | BotSeated() | BotLeft() | BotExplained() | GameStarted() | GameChosen() | GameFrozen() | GameThawed()
            | CardsEdited() | TroubleDecided()
        ):  # fmt: skip
            pass
        case _:
            assert_never(event)
