"""Effects that pick a card or an enemy: exhaust, unexhaust, kill outside a fight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.types import Does
from companion.games.wasteland.flow.steps import ask, ask_next
from companion.games.wasteland.flow.telling import tell
from companion.games.wasteland.map import enemies
from companion.games.wasteland.survivor import items
from companion.games.wasteland.words import is_exhausted

if TYPE_CHECKING:
    from companion.games.wasteland.flow.told_chance import Fate
    from companion.games.wasteland.position import Choice, Position, Step


def turn_cards(game: Position, _fate: Fate, step: Step) -> None:
    """Turn so many cards, of the survivor's choice."""
    does, amount = step.data
    for _ in range(amount):
        ask_next(game, step.seat, "turn-card", "W-ITEM-8", does is Does.EXHAUST)


def turn_options(game: Position, choice: Choice) -> list[str]:
    """The cards that lie the other way."""
    held = game.survivors[choice.by].held()
    return items.names(game, [one for one in held if is_exhausted(one) is not choice.data[0]])


def answer_turn(game: Position, _fate: Fate, choice: Choice, option: str) -> None:
    """Turn one card."""
    held = [one for one in game.survivors[choice.by].held() if is_exhausted(one) is not choice.data[0]]
    card = items.find(game, held, option)
    items.replace(game, choice.by, card, card ^ 1)
    tell(game, "turned", choice.by, card=option, exhausted=choice.data[0])


def ask_whom_to_kill(game: Position, seat: int) -> None:
    """An enemy killed outside a fight still pays its level in XP (W-KILL-9)."""
    ask(game, seat, "kill", "W-KILL-9")


def kill_options(game: Position, choice: Choice) -> list[str]:
    """Active enemies only (W-ENEMY-11)."""
    here = game.survivors[choice.by].at
    active = [number for number, token in game.enemies.items() if token.active]
    return [str(number) for number in sorted(active, key=lambda one: game.enemies[one].at != here)]


def answer_kill(game: Position, _fate: Fate, choice: Choice, option: str) -> None:
    """The enemy is killed."""
    enemies.killed(game, choice.by, int(option))
