"""Questions about the game as it is: what may be done, and with which cards it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.table.session.intents import Offer

if TYPE_CHECKING:
    from companion.cards.pack_text import PackText
    from companion.table.session.intents import AskCards, AskLegal
    from companion.table.session.state import Desk
    from companion.table.sight.explain import Position


def legal(desk: Desk, question: AskLegal) -> list[Offer]:
    """The legal moves of a player, or of everybody; what is nobody's is everybody's."""
    if desk.keeper is None or desk.sitting.frozen is not None:
        return []
    position = desk.position()
    rules = desk.sitting.rules
    moves = [rules.write(move) for move in rules.legal(desk.sitting.game, question.eyes)]
    return [
        Offer(move, move["do"] == "place" and _doubled(position, move))
        for move in moves
        if question.by is None or move.get("by") in (question.by, None)
    ]


def _doubled(position: Position, move: dict[str, Any]) -> bool:
    """Whether the reward would be gained twice: the move is played beside the game."""
    plain = all(dweller in ("plain", "injured") for dweller in move.get("dwellers", ()))
    if plain and not move.get("use"):
        return False
    game = position.game.copy()
    events = game.play(position.rules.read(move), position.chance)
    return any(event[0] == "placed" and event[-1] for event in events)


def cards(desk: Desk, question: AskCards) -> PackText | None:  # noqa: ARG001 - questions share a signature
    """The pack of the game that is being played."""
    return None if desk.keeper is None else desk.sitting.pack
