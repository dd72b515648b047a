"""Income: who owns the room may gain a resource when another player uses it (M)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.shelter.places import LEVEL_OF
from companion.games.shelter.turn.asking import ask
from companion.games.shelter.turn.rewards import gain_cubes
from companion.games.shelter.words import NOBODY, RESOURCES

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.board.choice import Choice
    from companion.games.shelter.board.figures import Placement
    from companion.games.shelter.position import Position

DECLINE = "decline"


def fall_due(game: Position, placement: Placement, chance: Chance, number: int) -> bool:
    """The cost is paid: another player's room owes its owner an income (M1), a threat does not (M2)."""
    owner = game.owners[LEVEL_OF[placement.space]]
    if owner in (NOBODY, placement.by) or placement.space in game.vault.threats:
        return False
    times = 2 if placement.face.linked and game.rules.income_per_dweller else 1
    for _ in range(times):
        ask(game, owner, "income", "M1", placement.space)
    return False


def options(game: Position, choice: Choice) -> list[str]:
    """A resource, or none; by house rule the income is always taken."""
    return list(RESOURCES) if game.rules.income_automatic else [*RESOURCES, DECLINE]


def answer(game: Position, chance: Chance, choice: Choice, option: str) -> None:
    """The owner takes the income or leaves it."""
    if option == DECLINE:
        game.events.append(("income_declined", choice.by, choice.data))
    else:
        game.events.append(("income", choice.by, choice.data))
        gain_cubes(game, choice.by, RESOURCES.index(option), 1)


def lapse(game: Position) -> None:
    """Incomes that nobody asked for are gone at the recall (M3)."""
    for choice in [choice for choice in game.pending if choice.kind == "income"]:
        game.pending.remove(choice)
        game.events.append(("income_lapsed", choice.by, choice.data))
