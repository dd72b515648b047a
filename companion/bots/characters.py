"""Who can sit in the empty chair: the policies by name, and three characters that a family understands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.bots.greedy import Greedy
from companion.bots.policy import Policy, Wandering

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from companion.games.shelter.box import Box

MAKERS: Final[dict[str, Callable[[Box, random.Random], Policy]]] = {
    "random": lambda _, source: Wandering(source),
    "greedy": Greedy,
}


def make(name: str, box: Box, source: random.Random) -> Policy:
    """A policy by its name, with its own generator."""
    return MAKERS[name](box, source)
