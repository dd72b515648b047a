"""The voice: what is said aloud of a snapshot, and espeak-ng on a thread of its own; the newest text wins."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from typing import TYPE_CHECKING, Any, Final, assert_never

from companion.bots.policy import reason_texts
from companion.games.api import in_words, name_of
from companion.languages import catalogues
from companion.table.fence import Fence
from companion.table.ports import DeviceError, Hint
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
    HandsAsked,
    MoveRedone,
    MoveRefused,
    MoveUndone,
    SeatLeft,
    SeatReturned,
    SettingsChanged,
    TableEvent,
    TroubleDecided,
)
from companion.table.session.intents import DeviceChanged, Intent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from companion.table.session.snapshots import Snapshot
    from companion.table.session.state_view import TableStateJson


def words_of(language: str) -> dict[str, str]:
    """Return the sentences of a language, and its own code."""
    return {**catalogues.texts(language, "voice"), "language": language}


def sentences(snapshot: Snapshot, words: dict[str, str]) -> str:
    """Return what has happened, as one text; empty where nothing is worth a word."""
    return " ".join(_sentences(snapshot, words))


def _namer(snapshot: Snapshot, words: Mapping[str, str]) -> Callable[[str], str]:
    """Return what names cards, pieces and places in the language of the words: the game that is played."""
    position = snapshot.position

    def name_of_card(thing: str) -> str:
        if position is None:
            return thing.replace("-", " ")
        return position.rules.named(position.game, thing, words["language"]) or words["unnamed"]

    return name_of_card


def _sentences(snapshot: Snapshot, words: dict[str, str]) -> Iterator[str]:
    """Yield the table's own events first; whatever else there is, the game that is played puts into words."""
    state: Any = snapshot.state
    game = snapshot.game
    every: Mapping[str, str] = {**words, **game.words(words["language"])}
    name_of_card = _namer(snapshot, words)
    for event in snapshot.events:
        if isinstance(event, TableEvent):
            yield from _of_table(event, state, words, name_of_card)
            if isinstance(event, GameStarted) and (first := game.opening(state)) is not None:
                yield in_words(first, every, name_of_card)
        elif (text := game.spoken(event, state)) is not None:
            yield in_words(text, every, name_of_card)


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
            said: reason_texts.SaidMove = {"by": by, "move": move, "reason": reason}
            yield reason_texts.aloud(words["language"], said, state, name_of_card)
        case HandsAsked(by, move):
            asked: reason_texts.SaidMove = {"by": by, "move": move, "reason": {"why": "away"}}
            yield reason_texts.aloud(words["language"], asked, state, name_of_card)
        case MoveRefused(refusal):
            line = words.get(f"refused_{refusal.code}")
            if line is not None:
                yield line.format(player=name_of(state, str(refusal.fields.get("by", ""))))
        case (
            DeviceReported() | SettingsChanged() | MoveUndone() | MoveRedone() | DisagreementResolved()
            | BotSeated() | BotLeft() | BotExplained() | SeatLeft() | SeatReturned() | GameStarted() | GameChosen()
            | GameFrozen() | GameThawed() | CardsEdited() | TroubleDecided()
        ):  # fmt: skip
            pass
        case _:
            assert_never(event)


PROGRAM: Final = "espeak-ng"
LONGEST: Final = 20.0
"""Seconds that one text may take."""
OK, OFF = "ok", "off"
ABSENT: Final = Hint(
    "voice_absent",
    "{program} is not installed: apt install {program}. Phones can speak meanwhile.",
    program=PROGRAM,
)
SWITCHED_OFF: Final = Hint("voice_off", "The voice is switched off.")


def espeak(voice: str, text: str, card: str = "") -> None:
    """Say a text, and return when it is said; `card` is ALSA's name of the sound card, else the system's own choice."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise DeviceError(ABSENT)
    try:
        subprocess.run(  # noqa: S603 - a fixed program; the text goes in by its standard input
            [program, "-v", voice, "--stdin"],
            input=text.encode(),
            timeout=LONGEST,
            check=True,
            capture_output=True,
            env={**os.environ, "ALSA_CARD": card} if card else None,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise DeviceError(
            Hint("voice_mute", "{program} cannot speak ({why}): check the loudspeaker.", program=PROGRAM, why=error)
        ) from error


class SpokenVoice:
    """Fills the port `Voice`."""

    def __init__(
        self,
        put: Callable[[Intent], None],
        *,
        language: str = "en",
        on: bool = True,
        speak: Callable[[str, str], None] | None = None,
        card: Callable[[], str] = str,
    ) -> None:
        """`speak` stands in for espeak-ng; `card` names the sound card, each time anew."""
        self._fence = Fence(put, ("voice",), failing=OFF)
        self._put = self._fence.put
        self._words = words_of(language)
        self._has_program = speak is not None
        self._speak = speak or (lambda voice, text: espeak(voice, text, card()))
        self._on = on
        self._changed = threading.Condition()
        self._waiting = ""
        self._closed = False
        self._told = ""
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)

    def start(self) -> None:
        """Be ready to speak, and say whether one can."""
        if not self._on:
            self._report(OFF, SWITCHED_OFF)
        elif not self._has_program and shutil.which(PROGRAM) is None:
            self._report(OFF, ABSENT)
        else:
            self._report(OK, "")
        self._thread.start()

    def tell(self, snapshot: Snapshot) -> None:
        """Say what has happened, soon, unless something newer comes first. The host may have switched it."""
        self._follow(snapshot.state["table"])
        if not self._on:
            return
        text = sentences(snapshot, self._words)
        if text:
            with self._changed:
                self._waiting = text
                self._changed.notify()

    def switch(self, *, on: bool) -> None:
        """Switch the voice on or off; what waits to be said is not said any more."""
        with self._changed:
            self._on, self._waiting = on, ""
        self._report(OK if on else OFF, "" if on else SWITCHED_OFF)

    def _follow(self, settings: TableStateJson) -> None:
        """The host's word on the settings page counts more than how the table was set up."""
        language, on = settings.get("language"), settings.get("voice")
        if language is not None:
            self._words = words_of(language)
        if on is not None and on != self._on:
            self.switch(on=on)

    def close(self) -> None:
        """Say nothing more. What is being said is not waited for."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._fence.end()

    def _run(self) -> None:
        self._fence.run(self._turn)

    def _turn(self) -> bool:
        """Say the next text; return False at the end."""
        text = self._next()
        if not text:
            return False
        try:
            self._speak(self._words["voice"], text)
        except DeviceError as error:
            self._report(OFF, str(error))
        else:
            self._report(OK, "")
        return True

    def _next(self) -> str:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            text, self._waiting = self._waiting, ""
            return "" if self._closed else text

    def _report(self, state: str, hint: str) -> None:
        if state == OK and not self._on:
            return
        if self._told != state + hint:
            self._told = state + hint
            self._put(DeviceChanged("voice", state, hint))
