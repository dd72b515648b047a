"""The promise of the next game: its secret, kept over a restart in a private file, and the numbers added so far."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from companion.fair.promise import SECRET, STARTER, AddedNumber, is_number, promise_of
from companion.table.outside import read_file
from companion.table.record.data_folder import put

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.fair.promise import PromiseJson

FILE: Final = "promise.json"


class NextPromise:
    """The secret that the next game follows from. Its fingerprint is shown before that game begins."""

    def __init__(self, folder: Path, new_secret: Callable[[], str]) -> None:
        self._path = folder / FILE
        self._new_secret = new_secret
        self.numbers: tuple[AddedNumber, ...] = ()
        try:
            self._read()
        except (OSError, ValueError, LookupError, TypeError):
            self.renew()

    @property
    def promise(self) -> str:
        """The fingerprint."""
        return promise_of(self.secret)

    def opening(self, starter: str | None) -> PromiseJson:
        """Return what goes into a game's first entry; `starter` is the number of the phone that begins the game."""
        numbers = [*self.numbers, *([AddedNumber(STARTER, starter)] if starter else [])]
        return {"promise": self.promise, "numbers": [one.as_json() for one in numbers]}

    def add(self, number: AddedNumber) -> None:
        self.numbers += (number,)
        self._keep()

    def renew(self) -> None:
        """Promise another game: no secret is used twice."""
        self.secret, self.numbers = self._new_secret(), ()
        self._keep()

    def _read(self) -> None:
        raw = read_file(self._path)
        numbers = tuple(AddedNumber(str(one["by"]), str(one["number"])) for one in raw["numbers"])
        if not SECRET.fullmatch(raw["secret"]) or not all(is_number(one.number) for one in numbers):
            raise ValueError(FILE)
        self.secret, self.numbers = raw["secret"], numbers

    def _keep(self) -> None:
        """Write it down; a disk that does not take it costs the same fingerprint after a restart, nothing else."""
        kept = {"secret": self.secret, "numbers": [one.as_json() for one in self.numbers]}
        with suppress(OSError):
            put(self._path, json.dumps(kept).encode(), private=True)
