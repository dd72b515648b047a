"""W-DICE: the three V.A.T.S. dice, rolled by the companion, told with the move, or keyed in one by one."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland import notation
from companion.cards.wasteland.notation import face_name
from companion.games.wasteland.box import DICE
from companion.games.wasteland.events import DiceLaid
from companion.games.wasteland.flow.sequence import ask, push

if TYPE_CHECKING:
    from companion.cards.wasteland.types import DieFace
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.position import AskedChoice, DiceContest, PendingStep, WastelandPosition

ALL_DICE: Final = (0, 1, 2)
_ANY_FACE: Final = tuple(
    "".join(areas) + str(hits) for hits in range(4) for count in range(5) for areas in combinations("hbal", count)
)
REROLLS: Final = tuple("+".join(dice) for count in range(1, DICE + 1) for dice in combinations("123", count))


def contest_of(game: WastelandPosition) -> DiceContest:
    """Return the fight or test under way."""
    if game.contest is None:
        raise AssertionError("neither a fight nor a test is under way")
    return game.contest


def throw(game: WastelandPosition, chance: MoveChance, step: PendingStep) -> None:
    """Throw these dice (W-DICE-1): real ones that were told, or the companion's."""
    which: tuple[int, ...] = step.data[0]
    told = chance.told_dice(len(which))
    if told is None and game.table_dice:
        push(game, "die", step.seat, which)
        return
    game.rolls += 1
    faces = told or tuple(game.box.dice[die][chance.pick(len(game.box.dice[die]))] for die in which)
    lay_down(game, dict(zip(which, faces, strict=True)))


def ask_die(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Ask what the next real die shows (A-40)."""
    which: tuple[int, ...] = step.data[0]
    if not which:
        game.rolls += 1
        lay_down(game, {})
        return
    push(game, "die", step.seat, which[1:])
    ask(game, step.seat, "die", "W-DICE-2", which[0])


def die_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return the faces of that die; every possible one while its faces are not known."""
    die: int = choice.data[0]
    if not game.box.dice:
        return list(_ANY_FACE)
    return list(dict.fromkeys(face_name(face) for face in game.box.dice[die]))


def answer_die(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Lay a real die down as it was keyed in."""
    contest = contest_of(game)
    dice = list(contest.dice)
    dice[choice.data[0]] = notation.face(option)
    contest.dice = tuple(dice)


def lay_down(game: WastelandPosition, faces: dict[int, DieFace]) -> None:
    """Replace the faces of these dice; earlier ones count for nothing (W-DICE-4)."""
    contest = contest_of(game)
    contest.dice = tuple(faces.get(die, face) for die, face in enumerate(contest.dice))
    game.events.append(DiceLaid(contest.seat, dice=tuple(shown(contest)), rerolls=contest.rerolls))


def shown(contest: DiceContest) -> list[str | None]:
    """Return the dice as the state shows them."""
    return [None if face is None else face_name(face) for face in contest.dice]


def faces_of(contest: DiceContest) -> list[DieFace]:
    return [face for face in contest.dice if face is not None]


def reroll(game: WastelandPosition, option: str) -> None:
    """Spend one reroll on exactly these dice (W-DICE-3)."""
    contest = contest_of(game)
    contest.rerolls -= 1
    push(game, "throw", contest.seat, tuple(int(die) - 1 for die in option.split("+")))
