"""The pieces of co-operative play: a strip of rounds and break-ins, and cards of the shared aims and the crises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.together import DIFFICULTIES, TABLE
from companion.pieces.drawing.pen import INKS, PAPER
from companion.pieces.drawing.signs import draw_shape

if TYPE_CHECKING:
    from companion.cards.together import AimCard, ByPlayers, CrisisCard
    from companion.pieces.drawing.pen import Pen
    from companion.pieces.drawing.signs import PrintedWords

STRIP: Final = (186.0, 62.0)
CARD: Final = (60.0, 42.0)
MOST_ROUNDS: Final = max(max(level.rounds) for level in TABLE)
MOST_BREACHES: Final = max(max(level.breaches) for level in TABLE)
EACH: Final = ("rooms", "content")
"""Aims whose goal is added up over the players: the card says what each has to have."""
OF_EACH_RESOURCE: Final = "stores"
RESOURCES: Final = 3
LEFT: Final = 3.0
STAGES: Final = ("mint", "straw", "coral")
"""What the three stages of the crises are painted with, from weak to strong."""


def draw_strip(pen: Pen, words: PrintedWords) -> None:
    """Draw two rows of places for a marker each: the round, and the break-ins."""
    width, height = STRIP
    pen.box(0, 0, width, height, fill=PAPER, line=INKS["stone"])
    _row(pen, words.say("printed_rounds"), height / 2 + 1, MOST_ROUNDS, INKS["sky"])
    _row(pen, words.say("printed_breaches"), 1, MOST_BREACHES, INKS["rose"])


def _row(pen: Pen, title: str, low: float, places: int, ink: str) -> None:
    width, height = STRIP[0] - 2 * LEFT, STRIP[1] / 2
    pen.fitted((LEFT, low + height - 11, width, 8), title, 4, bold=True)
    side = width / max(MOST_ROUNDS, MOST_BREACHES)
    for number in range(1, places + 1):
        x = LEFT + (number - 1) * side
        pen.box(x + 0.5, low + 2, side - 1, side - 1, fill=ink, line=INKS["ink"], corner=2)
        pen.text(x + side / 2, low + side / 2, str(number), 4, align="middle", bold=True)


def draw_aim(pen: Pen, words: PrintedWords, aim: AimCard) -> None:
    """Draw an aim with what it asks of one to four players at each difficulty."""
    width, height = CARD
    pen.box(0, 0, width, height, fill=INKS["paper"], line=INKS["ink"], corner=2)
    pen.fitted((LEFT, height - 14, width - 2 * LEFT, 12), aim_in_words(words, aim.key), 4.4, bold=True, lines=2)
    left, column, line = 22.0, 8.8, 6.0
    for players in range(1, 5):
        draw_shape(pen, "dweller", left + players * column - 8, height - 20.6, 4)
        pen.text(left + players * column - 3.4, height - 20, str(players), 3)
    for row, difficulty in enumerate(DIFFICULTIES):
        low = height - 26 - row * line
        pen.line([(LEFT, low + 4.4), (width - LEFT, low + 4.4)], INKS["stone"], 0.2)
        pen.fitted((LEFT, low - 0.6, left - LEFT, 4.6), words.say(f"printed_{difficulty}"), 3)
        for players, asked in enumerate(asked_of(aim, aim.goals[row]), 1):
            pen.text(left + players * column - 4, low + 0.4, str(asked), 3.6, align="middle", bold=True)


def aim_in_words(words: PrintedWords, key: str) -> str:
    """Return an aim without its number."""
    return words.say(f"aim_{key}", goal="", each="", third="").rstrip(" :")


def asked_of(aim: AimCard, goals: ByPlayers) -> list[int]:
    """Return the number that the card tells for each number of players."""
    if aim.key in EACH:
        return [goal // players for players, goal in enumerate(goals, 1)]
    if aim.key == OF_EACH_RESOURCE:
        return [goal // RESOURCES for goal in goals]
    return list(goals)


def draw_crisis(pen: Pen, words: PrintedWords, crisis: CrisisCard) -> None:
    """Draw a crisis: its name and what it does; its colour and dots say how early it comes."""
    width, height = CARD
    pen.box(0, 0, width, height, fill=INKS[STAGES[crisis.stage]], line=INKS["ink"], corner=2)
    pen.fitted((LEFT, height - 13, width - 2 * LEFT, 11), words.say(f"crisis_{crisis.key}"), 5.5, bold=True)
    pen.fitted((LEFT, 8, width - 2 * LEFT, height - 23), words.say(f"crisis_{crisis.key}_does"), 4, lines=4)
    for dot in range(crisis.stage + 1):
        pen.disc(width - LEFT - 2 - dot * 5, 5, 1.6, fill=INKS["ink"])
