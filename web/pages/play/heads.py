"""What the head of every page holds, of either game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Head:
    """The one large thing of the status page."""

    round: str
    phase: str
    camera: str
    camera_text: str
    colour: str
    title: str
    sub: str
    last_round: bool
