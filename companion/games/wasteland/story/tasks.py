"""The instructions of an objective or an option: tests, fights, payments, one after the other (W-QUEST-3, W-ENC-5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.cards.wasteland.types import StepKind
from companion.cards.wasteland.words import EnemyType
from companion.games.wasteland.box import COLOUR_NUMBER, COLOURS
from companion.games.wasteland.events import PlainEvent
from companion.games.wasteland.fight import fights
from companion.games.wasteland.flow import step_stack
from companion.games.wasteland.flow.step_stack import ask, push
from companion.games.wasteland.map import enemies
from companion.games.wasteland.reminders import remind
from companion.games.wasteland.story import agendas
from companion.games.wasteland.survivor import pegs

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Effect, Instruction
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition

SOLO_RESULT = 3


class Task(NamedTuple):
    """Instructions, the results of success and of failure, the icon's level, and the quest that they stand on."""

    steps: tuple[Instruction, ...]
    succeed: tuple[Effect, ...]
    fail: tuple[Effect, ...]
    level: int
    quest: int


def begin(game: WastelandPosition, seat: int, task: Task) -> None:
    """Carry out the instructions, then the results of success or of failure."""
    game.succeeded = True
    push(game, "judge", seat, *task)


def judge(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Carry out the next instruction; after the last, or after a failure, the results."""
    task = Task(*step.data)
    if not game.succeeded:
        step_stack.carry_out(game, step.seat, task.fail, task.level, task.quest)
        game.events.append(PlainEvent("failed", step.seat))
    elif not task.steps:
        step_stack.carry_out(game, step.seat, task.succeed, task.level, task.quest)
        game.events.append(PlainEvent("succeeded", step.seat))
    else:
        _next(game, step, task)


def _next(game: WastelandPosition, step: PendingStep, task: Task) -> None:
    """Carry out the next instruction, after asking for the icon's level where it is needed and unknown (W-ENC-8)."""
    if task.steps[0].amount.of_level and task.level == step_stack.UNKNOWN_LEVEL:
        game.steps.append(step)
        ask(game, step.seat, "level", "W-ENC-8")
    else:
        push(game, "judge", step.seat, *task._replace(steps=task.steps[1:]))
        _attempt(game, step.seat, task.steps[0], max(task.level, 0))


def _attempt(game: WastelandPosition, seat: int, step: Instruction, level: int) -> None:
    match step.kind:
        case StepKind.TEST:
            push(game, "test", seat, step.letters, step.amount.at(level))
        case StepKind.HELPER_TEST:
            _helper_test(game, seat, step, level)
        case StepKind.DRAW_AND_FIGHT:
            push(game, "draw-and-fight", seat, EnemyType(step.word))
        case StepKind.FIGHT:
            ask(game, seat, "fight-whom", "W-FIGHT-14", EnemyType(step.word))
        case StepKind.PAY:
            _pay(game, seat, step.amount.at(level))
        case StepKind.MANUAL:
            remind(game, "by-hand", seat, words=step.word)
            ask(game, seat, "manual-step", "W-QUEST-3", step.word)


def _pay(game: WastelandPosition, seat: int, amount: int) -> None:
    """Pay, or fail without the Caps."""
    game.succeeded = game.survivors[seat].caps >= amount
    if game.succeeded:
        pegs.change_caps(game, seat, -amount)


def _helper_test(game: WastelandPosition, seat: int, step: Instruction, level: int) -> None:
    """Ask another survivor to make the test; solo it counts as a result of 3 (W-SOLO-2)."""
    difficulty = step.amount.at(level)
    if len(game.seats) == 1:
        remind(game, "settlement-instead", seat, space=game.box.settings.solo_substitute_space)
        game.succeeded = difficulty <= SOLO_RESULT
    else:
        ask(game, seat, "helper", "W-TEST-1", step.letters, difficulty)


def helper_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return the other survivors, those in the same space first."""
    here = game.survivors[choice.by].at
    others = [seat for seat in game.alive() if seat != choice.by]
    return [COLOURS[seat] for seat in sorted(others, key=lambda one: game.survivors[one].at != here)]


def answer_helper(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    push(game, "test", COLOUR_NUMBER[option], *choice.data)


def whom_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return active enemies of the type, or `none` where there is none to fight."""
    kind = choice.data[0]
    active = [number for number, token in game.enemies.items() if token.active]
    fit = [number for number in active if enemies.enemy_of(game, number).type is kind]
    return [str(number) for number in fit if not agendas.is_loyal_to(game, choice.by, kind)] or ["none"]


def answer_whom(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Begin the fight, which counts as success only if the enemy dies (W-FIGHT-14)."""
    game.succeeded = False
    if option != "none":
        adjacent = game.enemies[int(option)].at != game.survivors[choice.by].at
        fights.begin(game, choice.by, int(option), adjacent=adjacent)


def manual_options(_game: WastelandPosition, _choice: AskedChoice) -> list[str]:
    return ["succeed", "fail"]


def answer_manual(game: WastelandPosition, _chance: MoveChance, _choice: AskedChoice, option: str) -> None:
    game.succeeded = option == "succeed"
