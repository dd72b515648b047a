"""Styles of play: what a character likes more than it is worth, and what it shies away from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from companion.bots.worth.weights import DEFAULT, Weights


@dataclass(frozen=True, slots=True)
class Style:
    """What moves are worth to a character, beside what they bring. All in happiness."""

    name: str = ""
    weights: Weights = DEFAULT
    fight: float = 0.0
    """A fight that is won, whatever it brings."""
    risk: float = 0.0
    """A fight whose end is open: all of it at even odds, less towards a sure one."""
    build: float = 0.0
    """A room that is built."""
    cards: float = 0.0
    """New cards on a track."""


NO_STYLE: Final = Style()
BUILDER: Final = Style("builder", replace(DEFAULT, plan=1.0, room=0.5), fight=-0.3, build=2.0)
FIGHTER: Final = Style("fighter", replace(DEFAULT, weapon=0.3, injury=0.35, threat_elsewhere=0.3), fight=1.0)
GAMBLER: Final = Style("gambler", replace(DEFAULT, injury=0.4), risk=0.4, cards=0.7)
CAREFUL: Final = Style("careful", replace(DEFAULT, injury=1.0, threat=0.4, threat_near=0.9), risk=-1.0)
STYLES: Final = {style.name: style for style in (BUILDER, FIGHTER, GAMBLER, CAREFUL)}
