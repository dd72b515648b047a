"""Chance for one move: what was told with it first, then what the companion rolls and shuffles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.cards.wasteland.types import Face
    from companion.games.chance import Chance
    from companion.games.wasteland.position import Position


class Untold(Exception):  # noqa: N818 - nothing failed; somebody has to say what was drawn
    """A card was drawn from a real deck, and nobody has told which."""

    def __init__(self, pile: str, options: tuple[str, ...]) -> None:
        super().__init__(pile)
        self.pile = pile
        self.options = options


class Fate:
    """Every shuffle, die and told card of a move passes through here, so that a replay can repeat it."""

    def __init__(
        self, game: Position, chance: Chance, dice: Sequence[tuple[Face, ...]] = (), drawn: Sequence[str] = ()
    ) -> None:
        self._game = game
        self._chance = chance
        self._dice = list(dice)
        self._drawn = list(drawn)
        self._may_ask = False
        self.consumed: tuple[str, ...] = ()  # what this step was told so far

    def begin_step(self) -> None:
        """From here on a step is under way, which can wait for what the table tells."""
        self._may_ask, self.consumed = self._game.table_cards, ()

    def end_step(self) -> None:
        """What was told for the step is used up."""
        self._may_ask, self._game.told = False, ()

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """The same cards in another order; nothing is asked for less than two."""
        if len(cards) < 2:  # noqa: PLR2004 - one card has one order
            return list(cards)
        self._game.shuffles += 1
        return self._chance.shuffle(self._game.shuffles - 1, cards)

    def pick(self, count: int) -> int:
        """One of so many, at random: the top of a shuffle."""
        return self.shuffle(range(count))[-1]

    def told_card(self, pile: str = "", options: Iterable[str] = ()) -> str | None:
        """The next card that somebody drew on the real table. Agendas are always dealt: they name no pile."""
        told = self._next_told()
        if told is not None:
            self.consumed = (*self.consumed, told)
        elif self._may_ask and pile:
            raise Untold(pile, tuple(dict.fromkeys(options)))
        return told

    def _next_told(self) -> str | None:
        if self._game.told:
            first, *rest = self._game.told
            self._game.told = tuple(rest)
            return first
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
