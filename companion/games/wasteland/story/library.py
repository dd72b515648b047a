"""W-LIB and ADD: numbered cards that wait outside the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import Icon
from companion.games.wasteland.flow.steps import ask
from companion.games.wasteland.flow.telling import remind, tell
from companion.games.wasteland.words import NOBODY

if TYPE_CHECKING:
    from companion.games.wasteland.flow.told_chance import Fate
    from companion.games.wasteland.position import Choice, Position


def add(game: Position, fate: Fate, seat: int, number: int) -> None:
    """The card, with as many from its deck as there are players, shuffled, on top (W-RESULT-1, A-44)."""
    remind(game, "library", seat, number=number)
    found = [one for one, card in enumerate(game.box.encounters) if card.number == number]
    if not found:
        ask(game, seat, "back", "W-RESULT-1", number)
        return
    deck = game.decks_of.setdefault(game.box.encounters[found[0]].back, [])
    if found[0] in deck:
        return
    taken = [deck.pop() for _ in range(min(len(game.seats), len(deck)))]
    deck += fate.shuffle([*taken, found[0]])
    tell(game, "added", NOBODY, number=number, deck=game.box.encounters[found[0]].back.value)


def back_options(_game: Position, _choice: Choice) -> list[str]:
    """The deck of a card that only the table knows."""
    return [icon.value for icon in Icon]


def answer_back(game: Position, _fate: Fate, choice: Choice, option: str) -> None:
    """There is such a deck now, on the table (W-ENC-7)."""
    game.decks_of.setdefault(Icon(option), [])
    tell(game, "added", choice.by, number=choice.data[0], deck=option)
