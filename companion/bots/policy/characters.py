"""Who can sit in the empty chair: the policies by name, and the characters that a family understands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random

    from companion.bots.policy.budget import Budget
    from companion.bots.policy.policy import Policy
    from companion.games.shelter.cards.box import Box

STYLED: Final = ("builder", "fighter", "gambler", "careful")
"""Characters that think as `fair` does, each in its own way."""
CHARACTERS: Final = ("easy", "fair", "hard", *STYLED)
POLICIES: Final = ("random", "greedy", "mcts", "valued", *CHARACTERS)
THINKING: Final = ("mcts", "valued", "hard")
"""Those that a budget is for."""
EASY_WOBBLE: Final = 1.2
"""How far, in happiness, an easy player misjudges a move at most."""

DEFAULT_WALKS: Final = 100
VALUED_MILLISECONDS: Final = 50.0
HARD_MILLISECONDS: Final = 500.0


def make(name: str, box: Box, source: random.Random, budget: Budget | None = None) -> Policy:
    """A policy by its name, with its own generator; the budget is for those that think."""
    # The pages know the characters from the start; what they think with is loaded by whoever thinks.
    from companion.bots.policy.budget import Budget  # noqa: PLC0415
    from companion.bots.policy.greedy import Beginner, Greedy  # noqa: PLC0415
    from companion.bots.policy.policy import RandomPolicy  # noqa: PLC0415
    from companion.bots.policy.search import Search  # noqa: PLC0415
    from companion.bots.worth.learned import network_of  # noqa: PLC0415
    from companion.bots.worth.styles import STYLES  # noqa: PLC0415

    match name:
        case "random":
            return RandomPolicy(source)
        case "greedy" | "fair":
            return Greedy(box, source)
        case "easy":
            return Beginner(box, source, EASY_WOBBLE)
        case "mcts":
            return Search(box, source, budget or Budget(walks=DEFAULT_WALKS))
        case "valued":
            return Search(box, source, budget or Budget(milliseconds=VALUED_MILLISECONDS), network=network_of())
        case "hard":
            return Search(box, source, budget or Budget(milliseconds=HARD_MILLISECONDS))
        case _ if name in STYLED:
            return Greedy(box, source, STYLES[name].weights, style=STYLES[name])
        case _:
            raise LookupError(f"there is no policy {name!r}; there are {', '.join(POLICIES)}")
