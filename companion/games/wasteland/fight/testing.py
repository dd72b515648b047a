"""W-TEST: a test names letters and a difficulty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import Timing
from companion.games.wasteland.fight import dice
from companion.games.wasteland.fight.dice import contest_of
from companion.games.wasteland.flow.steps import ask, push
from companion.games.wasteland.flow.telling import tell
from companion.games.wasteland.position import Contest
from companion.games.wasteland.survivor import abilities
from companion.games.wasteland.words import letters_of

if TYPE_CHECKING:
    from companion.games.wasteland.flow.told_chance import Fate
    from companion.games.wasteland.position import Choice, Position, Step


def start(game: Position, _fate: Fate, step: Step) -> None:
    """Rerolls for the named letters that are owned; the weapon does not matter (W-TEST-2)."""
    letters, difficulty = step.data
    contest = Contest(step.seat, letters, len(set(letters) & set(letters_of(game.survivors[step.seat].letters))))
    contest.difficulty = difficulty
    game.contest, game.succeeded = contest, False
    tell(game, "test", step.seat, letters=letters, difficulty=difficulty)
    for do in ("test-result", "reroll"):
        push(game, do, step.seat)
    push(game, "throw", step.seat, dice.ALL_DICE)
    ask(game, step.seat, "test", "W-TEST-1")


def test_options(game: Position, choice: Choice) -> list[str]:
    """Cards that help in a test, and `roll`."""
    return ["roll", *abilities.options(game, choice.by, Timing.TEST)]


def answer_test(game: Position, _fate: Fate, choice: Choice, option: str) -> None:
    """Roll, or use a card first."""
    if option != "roll":
        push(game, "ask", choice.by, "test", "W-TEST-1")
        abilities.answer(game, choice.by, option, Timing.TEST)


def result(game: Position, _fate: Fate, step: Step) -> None:
    """Success if the hits reach the difficulty; areas, armor and levels play no part (W-TEST-3, W-TEST-5)."""
    contest = contest_of(game)
    hits = sum(face.hits for face in dice.faces_of(contest)) + contest.hits
    game.contest, game.succeeded = None, hits >= contest.difficulty
    tell(game, "tested", step.seat, hits=hits, difficulty=contest.difficulty, success=game.succeeded)
