"""Corrections of a player's own board: cubes, happiness, dwellers, passing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.games.chance import renamed
from companion.games.fields import flag, malformed, whole
from companion.games.shelter.corrections.fields import mapping, names, space_of
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.words import (
    COLOURS,
    DWELLER_NUMBER,
    INJURED,
    MOST_DWELLERS,
    PLAIN,
    RESOURCE_NUMBER,
    TRACK_LENGTH,
)
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.shelter.position import Position

SETTABLE: Final = frozenset(
    {"name", "happiness", "resources", "available", "arriving", "arriving_at", "items", "passed"}
)
DERIVED: Final = frozenset({"bot", "level", "if_ended_now", "total"})
MOST_HAPPINESS: Final = 999
NOWHERE: Final = -1  # a new dweller who stands on an icon that nobody has named


def apply(game: Position, colour: int, board: dict[str, Any]) -> None:
    """Everything of one board but the items, which are cards."""
    who = COLOURS[colour]
    for key in board:
        if key not in SETTABLE and key not in DERIVED:
            raise malformed(f"players.{who}", key, "a part of a player's board")
    _refuse_another_level(game, colour, board)
    if "name" in board:
        game.names = renamed(game.names, who, board["name"])
    if "happiness" in board:
        game.happiness[colour] = whole(board["happiness"], f"players.{who}.happiness", 0, MOST_HAPPINESS, "H1")
    for name, amount in mapping(board, "resources").items():
        if name not in RESOURCE_NUMBER:
            raise malformed(f"players.{who}.resources", name, "water, food or energy")
        clause = "Q5" if isinstance(amount, int) and amount < 0 else "Q1"
        place = 3 * colour + RESOURCE_NUMBER[name]
        game.cubes[place] = whole(amount, f"players.{who}.resources.{name}", 0, TRACK_LENGTH, clause)
    if "available" in board:
        _available(game, colour, names(board["available"], f"players.{who}.available"))
    _arriving(game, colour, board)
    if "passed" in board:
        bit = 1 << colour
        passed = flag(board["passed"], f"players.{who}.passed")
        game.passed = game.passed | bit if passed else game.passed & ~bit


def _refuse_another_level(game: Position, colour: int, board: dict[str, Any]) -> None:
    level = game.levels[colour] + 1
    if "level" in board and board["level"] != level:
        raise Refusal(
            "fixed", "S2", f"{COLOURS[colour]}'s level is {level} for the whole game.", field="level", level=level
        )


def _available(game: Position, colour: int, dwellers: list[str]) -> None:
    plain = hurt = trained = 0
    for name in dwellers:
        kind = DWELLER_NUMBER.get(name)
        if kind is None:
            raise malformed(f"players.{COLOURS[colour]}.available", name, "a dweller")
        if kind == PLAIN:
            plain += 1
        elif kind == INJURED:
            hurt += 1
        else:
            letter = kind if kind < INJURED else kind - INJURED
            if (trained | trained >> INJURED) >> letter & 1:
                raise Refusal("impossible", "A2", f"Two dwellers cannot be trained in {name[-1]}.", dweller=name)
            trained |= 1 << kind
    game.plain[colour], game.hurt[colour], game.trained[colour] = plain, hurt, trained


def _arriving(game: Position, colour: int, board: dict[str, Any]) -> None:
    who = COLOURS[colour]
    if "arriving_at" in board:
        spaces = names(board["arriving_at"], f"players.{who}.arriving_at")
        game.arriving[colour] = tuple(space_of(name, "arriving_at") for name in spaces)
    if "arriving" in board:
        count = whole(board["arriving"], f"players.{who}.arriving", 0, MOST_DWELLERS, "N2")
        here = game.arriving[colour][:count]
        game.arriving[colour] = here + (NOWHERE,) * (count - len(here))


def refuse_too_many(game: Position, colour: int) -> None:
    """N2: no player has more than seven dwellers."""
    total = dwellers_of(game, colour)
    if total > MOST_DWELLERS:
        raise Refusal(
            "impossible", "N2", f"{COLOURS[colour]} cannot have {total} dwellers.", by=COLOURS[colour], total=total
        )
