"""A process beside the table that thinks about games at the lowest priority: asked, looked in on, sent home."""

from __future__ import annotations

import multiprocessing
import os
import signal
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

LOW_PRIORITY: Final = 19
LAST_PATIENCE: Final = 2.0
HUNG_UP: Final = (EOFError, ConnectionError)
"""What a line says when nobody is at its other end any more."""


class Helper:
    """One process and the line to it. A line that is dead answers nothing; whoever owns it looks whether it lives."""

    def __init__(self, work: Callable[..., None], *given: object) -> None:
        context = multiprocessing.get_context("spawn")
        self.line, theirs = context.Pipe()
        self._process = context.Process(target=_begin, args=(work, theirs, *given), daemon=True)
        self._process.start()
        theirs.close()

    @property
    def pid(self) -> int | None:
        """The number of its process."""
        return self._process.pid

    @property
    def sentinel(self) -> int:
        """Becomes ready when the process has ended, however it did."""
        return self._process.sentinel

    def ask(self, question: object) -> None:
        """Send a question; a process that has ended never answers it."""
        try:
            self.line.send(question)
        except HUNG_UP:
            return

    def answers(self, patience: float = 0.0) -> list[Any]:
        """Every answer that has come by now, or the first ones within so many seconds."""
        found: list[Any] = []
        try:
            while self.line.poll(0.0 if found else patience):
                found.append(self.line.recv())
        except HUNG_UP:
            return found
        return found

    def is_alive(self) -> bool:
        """Whether its process runs."""
        return self._process.is_alive()

    def dismiss(self) -> None:
        """Hang up; one that goes on thinking is ended."""
        self.line.close()
        self._process.terminate()
        self._process.join(LAST_PATIENCE)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _begin(work: Callable[..., None], line: Connection, *given: object) -> None:
    """The process: out of everybody's way, and not meant by the Ctrl-C that ends the companion."""
    os.nice(LOW_PRIORITY)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        work(line, *given)
    except HUNG_UP:
        return


def latest(line: Connection) -> Any:
    """The latest of the questions that wait; waits for one."""
    question = line.recv()
    while line.poll():
        question = line.recv()
    return question
