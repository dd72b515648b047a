"""The voice: espeak-ng on a thread of its own. Nobody waits for it, and of what waits to be said the newest wins."""

from __future__ import annotations

import shutil
import subprocess
import threading
from typing import TYPE_CHECKING, Any, Final

from companion.table.ports import DeviceError, Hint
from companion.table.session.intents import DeviceChanged, Intent
from hardware.voice.sentences import sentences, words_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.table.session.snapshots import Snapshot

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


def espeak(voice: str, text: str) -> None:
    """Say a text, and return when it is said."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise DeviceError(ABSENT)
    try:
        subprocess.run(  # noqa: S603 - a fixed program; the text goes in by its standard input
            [program, "-v", voice, "--stdin"], input=text.encode(), timeout=LONGEST, check=True, capture_output=True
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
        name_of: Callable[[str], str] = lambda card: card.replace("-", " "),
        on: bool = True,
        speak: Callable[[str, str], None] = espeak,
    ) -> None:
        self._put = put
        self._words = words_of(language)
        self._name_of = name_of
        self._speak = speak
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
        elif self._speak is espeak and shutil.which(PROGRAM) is None:
            self._report(OFF, ABSENT)
        else:
            self._report(OK, "")
        self._thread.start()

    def tell(self, snapshot: Snapshot) -> None:
        """Say what has happened, soon, unless something newer comes first. The host may have switched it."""
        self._follow(snapshot.state["table"])
        if not self._on:
            return
        text = sentences(snapshot, self._words, self._name_of)
        if text:
            with self._changed:
                self._waiting = text
                self._changed.notify()

    def switch(self, *, on: bool) -> None:
        """Switch the voice on or off; what waits to be said is not said any more."""
        with self._changed:
            self._on, self._waiting = on, ""
        self._report(OK if on else OFF, "" if on else SWITCHED_OFF)

    def _follow(self, settings: dict[str, Any]) -> None:
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

    def _run(self) -> None:
        while text := self._next():
            try:
                self._speak(self._words["voice"], text)
            except DeviceError as error:
                self._report(OFF, str(error))
            else:
                self._report(OK, "")

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
