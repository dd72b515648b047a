"""What connections may take: how many, how long, how much."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What connections may take; times in seconds."""

    connections: int = 1500
    of_one: int = 96
    """Connections of one address: more than the streams that it may have, for ten phones may share it."""
    newcomers: int = 64
    """Of one address in a tick, for which others give way or which are told why not; more are closed without a word."""
    threads: int = 12
    threads_of_one: int = 4
    """Python runs one of them at a time: more would make the others' requests wait, and nobody's faster."""
    reads: int = 8
    """Connections of one address that are read before those of others have their turn again."""
    idle: float = 30.0
    """Until the first byte of a request."""
    header: float = 10.0
    """From its first byte to the end of its header."""
    body: float = 20.0
    """From there to the end of its body, and `body_rate` more."""
    body_rate: int = 16 * 1024
    stalled: float = 20.0
    """While nothing of an answer can be sent."""
    answer_rate: int = 8 * 1024
    """Bytes a second that are read of an answer for which a thread waits, or it is given up after `stalled`, too."""
    leaving: float = 3.0
    """For what still arrives after the last answer."""
    handshake: float = 10.0
    """Until TLS is agreed on, from the first moment of a connection."""
    handshakes: int = 32
    """Of one address in a tick: each takes a millisecond or two of a Pi's core."""
    tick: float = 1.0
    ending: float = 5.0
    """For answers under way when the server ends."""

    def body_time(self, length: int) -> float:
        return self.body + length / self.body_rate
