"""Who can sit in the empty chair: the policies by name, and three characters that a family understands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random

    from companion.bots.policy.policy import Policy
    from companion.bots.policy.search import Budget
    from companion.games.shelter.cards.box import Box

CHARACTERS: Final = ("easy", "fair", "hard")
POLICIES: Final = ("random", "greedy", "mcts", *CHARACTERS)
EASY_WOBBLE: Final = 1.2
"""How far, in happiness, an easy player misjudges a move at most."""

DEFAULT_WALKS: Final = 100
HARD_MILLISECONDS: Final = 500.0


def make(name: str, box: Box, source: random.Random, budget: Budget | None = None) -> Policy:
    """A policy by its name, with its own generator; the budget is for those that think."""
    # The pages know the characters from the start; what they think with is loaded by whoever thinks.
    from companion.bots.policy.greedy import Greedy  # noqa: PLC0415
    from companion.bots.policy.policy import RandomPolicy  # noqa: PLC0415
    from companion.bots.policy.search import Budget, Search  # noqa: PLC0415

    match name:
        case "random":
            return RandomPolicy(source)
        case "greedy" | "fair":
            return Greedy(box, source)
        case "easy":
            return Greedy(box, source, wobble=EASY_WOBBLE)
        case "mcts":
            return Search(box, source, budget or Budget(walks=DEFAULT_WALKS))
        case "hard":
            return Search(box, source, budget or Budget(milliseconds=HARD_MILLISECONDS))
        case _:
            raise LookupError(f"there is no policy {name!r}; there are {', '.join(POLICIES)}")
