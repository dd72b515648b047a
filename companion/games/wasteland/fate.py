"""Chance for one move: what was told with it first, then what the companion rolls and shuffles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.cards.wasteland.types import Face
    from companion.games.chance import Chance
    from companion.games.wasteland.game import Game


class Fate:
    """Every shuffle, die and told card of a move passes through here, so that a replay can repeat it."""

    def __init__(
        self, game: Game, chance: Chance, dice: Sequence[tuple[Face, ...]] = (), drawn: Sequence[str] = ()
    ) -> None:
        self._game = game
        self._chance = chance
        self._dice = list(dice)
        self._drawn = list(drawn)

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """The same cards in another order; nothing is asked for less than two."""
        if len(cards) < 2:  # noqa: PLR2004 - one card has one order
            return list(cards)
        self._game.shuffles += 1
        return self._chance.shuffle(self._game.shuffles - 1, cards)

    def pick(self, count: int) -> int:
        """One of so many, at random: the top of a shuffle."""
        return self.shuffle(range(count))[-1]

    def told_card(self) -> str | None:
        """The next card that somebody drew on the real table."""
        return self._drawn.pop(0) if self._drawn else self._chance.told()

    def told_dice(self, count: int) -> tuple[Face, ...] | None:
        """The next throw of real dice, as many as were thrown."""
        if not self._dice:
            return None
        if len(self._dice[0]) != count:
            raise Refusal(
                "wrong_number_of_dice",
                "W-DICE-3",
                f"{count} dice are thrown here.",
                wanted=count,
                told=len(self._dice[0]),
            )
        return self._dice.pop(0)
