"""What Fallout Shelter asks before a game: how the elevators lie, who begins, and which cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.cards.together import DIFFICULTIES, FEWEST_TOGETHER
from companion.games.shelter.readings import BOOKS, GROUPS
from web.games.asking import WHO, Asking, answers_of
from web.games.shelter.readings import OWN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.table.session.state_view import SnapshotState
    from web.games.asking import Answers, NewPlayer

VAULT, CARDS = "vault", "cards"
TOGETHER: Final = DIFFICULTIES
STEPS: Final = (WHO, VAULT, CARDS)
TOP: Final = 2
"""The first level that belongs to somebody."""
FOR_A_START: Final = "homemade"
"""The pack that the first evening is offered: everybody can print it."""


@dataclass(frozen=True, slots=True)
class VaultGame:
    """What has been answered of this game so far."""

    answers: Answers
    levels: tuple[str, ...]
    """Colours in the order of their elevators, from the top."""
    first: str
    cards: str
    pack: str
    book: str
    """The book whose house rules the game is begun with."""
    rules: frozenset[str]
    """The house rules that are ticked besides."""
    together: str
    """The difficulty of a game against the wasteland; empty where everybody plays for themselves."""
    house_call: bool
    """Whether a twist is drawn for the evening."""
    moved: str
    """The colour whose elevator has just been moved, which keeps the focus."""

    @property
    def playing(self) -> list[NewPlayer]:
        return self.answers.playing

    @property
    def agreed(self) -> frozenset[str]:
        """Every house rule of the book and of those ticked besides."""
        return BOOKS.get(self.book, frozenset()) | self.rules

    def player(self, colour: str) -> NewPlayer:
        return next(one for one in self.answers.players if one.colour == colour)

    def asking(self) -> Asking:
        """Return the step with what it takes along; the order of the elevators goes through all of them."""
        levels = [(f"level_{colour}", str(TOP + number)) for number, colour in enumerate(self.levels)]
        rules = [(f"rule_{rule}", "on") for rule in sorted(self.rules)]
        fields = {
            "": levels,
            WHO: [("together", self.together), ("house_call", "on" if self.house_call else "")],
            VAULT: [("first", self.first)],
            CARDS: [("cards", self.cards), ("pack", self.pack), ("book", self.book), *rules],
        }
        return Asking(self.answers, VAULT, fields)


def new_game(game: str, state: SnapshotState, asked: Mapping[str, str], packs: Sequence[str]) -> VaultGame:
    """Return the answers so far; to move an elevator is a step back to where it lies."""
    up = asked.get("up", "")
    together = asked.get("together", "") if asked.get("step") else _as_last(state)
    together = together if together in TOGETHER else ""
    fewest = FEWEST_TOGETHER if together else None
    answers = answers_of(game, state, {**asked, "step": VAULT} if up else asked, STEPS, fewest)
    return VaultGame(
        answers=answers,
        levels=tuple(_moved(_levels(answers), up)),
        first=answers.value("first", answers.colours, next(iter(answers.colours), "")),
        cards=answers.value("cards", ("table",), "companion"),
        pack=answers.value("pack", packs, FOR_A_START),
        book=answers.value("book", tuple(BOOKS), OWN),
        rules=frozenset(rule for rules in GROUPS.values() for rule in rules if answers.values.get(f"rule_{rule}")),
        together=together,
        house_call=bool(answers.values.get("house_call")) if asked.get("step") else "house_call" in state,
        moved=up,
    )


def _as_last(state: SnapshotState) -> str:
    """Return how the last game was played."""
    last: object = state.get("together")
    return str(last.get("difficulty", "")) if isinstance(last, dict) else ""


def _levels(answers: Answers) -> list[str]:
    """Return who plays in the order of their levels; who has none yet comes last."""
    return sorted(answers.colours, key=lambda colour: answers.values.get(f"level_{colour}") or "9")


def _moved(levels: list[str], up: str) -> list[str]:
    """Return the levels with one colour a level higher."""
    at = levels.index(up) if up in levels else 0
    if at:
        levels[at - 1 : at + 1] = [levels[at], levels[at - 1]]
    return levels
