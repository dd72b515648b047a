"""Staged quests with their objectives, carried out task by task, and cards from outside the game (W-QUEST, W-LIB)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.cards.wasteland.types import Asks, StepKind
from companion.cards.wasteland.words import EncounterIcon, EnemyType
from companion.games.wasteland import moves
from companion.games.wasteland.box import COLOUR_NUMBER, COLOURS, NOBODY
from companion.games.wasteland.events import EncounterAdded, PlainEvent, QuestEvent, QuestPursued
from companion.games.wasteland.fight import fights
from companion.games.wasteland.flow import conditions, sequence
from companion.games.wasteland.flow.sequence import ask, push
from companion.games.wasteland.map import enemies
from companion.games.wasteland.map.actions import refuse_if_enemy_here, refuse_unless_action_left, take_action
from companion.games.wasteland.position import remind
from companion.games.wasteland.story import agendas
from companion.games.wasteland.survivor import pegs
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Effect, Instruction, Objective
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition


SOLO_RESULT = 3
WAITING = ("enemy-order", "attack-order", "moved-to", "nearest", "adjacent", "by-hand", "encounter", "quest-card")
"""Choices during which a triggered objective may be fulfilled."""


class Task(NamedTuple):
    """Instructions, the results of success and of failure, the icon's level, and the quest that they stand on."""

    steps: tuple[Instruction, ...]
    succeed: tuple[Effect, ...]
    fail: tuple[Effect, ...]
    level: int
    quest: int


def begin_task(game: WastelandPosition, seat: int, task: Task) -> None:
    """Carry out the instructions, then the results of success or of failure."""
    game.succeeded = True
    push(game, "judge", seat, *task)


def judge_task(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Carry out the next instruction; after the last, or after a failure, the results."""
    task = Task(*step.data)
    if not game.succeeded:
        sequence.carry_out(game, step.seat, task.fail, task.level, task.quest)
        game.events.append(PlainEvent("failed", step.seat))
    elif not task.steps:
        sequence.carry_out(game, step.seat, task.succeed, task.level, task.quest)
        game.events.append(PlainEvent("succeeded", step.seat))
    else:
        _next_instruction(game, step, task)


def _next_instruction(game: WastelandPosition, step: PendingStep, task: Task) -> None:
    """Carry out the next instruction, after asking for the icon's level where it is needed and unknown (W-ENC-8)."""
    if task.level == sequence.UNKNOWN_LEVEL:
        task = task._replace(level=sequence.level_here(game, step.seat))
    if task.steps[0].amount.of_level and task.level == sequence.UNKNOWN_LEVEL:
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
    """Return active enemies of the type in reach, or `none` where there is none to fight."""
    kind = choice.data[0]
    active = [number for number, token in game.enemies.items() if token.active]
    fit = [number for number in active if enemies.enemy_of(game, number).type is kind]
    if game.by_the_book or game.map is not None:
        fit = [number for number in fit if fights.reaches(game, choice.by, number)]
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


def stage(game: WastelandPosition, seat: int, number: int) -> None:
    """Stage a quest for all; its top section comes first (W-RESULT-2, W-QUEST-1)."""
    remind(game, "library", seat, number=number)
    if number in game.quests:
        return
    game.quests.append(number)
    game.events.append(QuestEvent("quest_staged", NOBODY, number=number))
    quest = game.box.quests.get(number)
    if quest is None:
        return
    if quest.marker:
        remind(game, "quest-marker", seat, number=number)
    sequence.carry_out(game, seat, quest.on_stage, quest=number)


def trash(game: WastelandPosition, number: int) -> None:
    """Return the quest to the box, both markers with it (W-QUEST-6)."""
    if number in game.quests:
        game.quests.remove(number)
        game.events.append(QuestEvent("quest_trashed", NOBODY, number=number))


def _objective(game: WastelandPosition, move: WastelandMove, *, triggered: bool) -> Objective:
    number, place = move[moves.QUEST], move[moves.OBJECTIVE]
    if number not in game.quests:
        raise Refusal("not_staged", "W-QUEST-1", f"Quest {number} is not staged.", quest=number)
    quest = game.box.quests.get(number)
    if quest is None or place > len(quest.objectives):
        raise Refusal("no_such_objective", "W-QUEST-2", f"No objective {place} is known.", quest=number)
    objective: Objective = quest.objectives[place - 1]
    if objective.triggered is not triggered:
        kind = "triggered" if objective.triggered else "a quest action"
        raise Refusal("other_objective", "W-QUEST-2", f"That objective is {kind}.", quest=number, objective=place)
    return objective


def _refuse_unless_met(game: WastelandPosition, seat: int, objective: Objective) -> None:
    """Refuse unless all conditions hold (W-QUEST-3); solo a settlement stands for another survivor (W-SOLO-1)."""
    for condition in objective.requires:
        if not conditions.holds(game, seat, condition):
            wanted = f"{condition.asks} {condition.word}".strip()
            raise Refusal("condition_not_met", "W-QUEST-3", f"Not met: {wanted}.", condition=wanted)
        if condition.asks is Asks.WITH_SURVIVOR and len(game.seats) == 1:
            remind(game, "settlement-instead", seat, space=game.box.settings.solo_substitute_space)


def quest(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Pursue one objective with an action, with no faceup enemy in the space (W-QUEST-3, W-QUEST-4)."""
    refuse_unless_action_left(game, move.by)
    refuse_if_enemy_here(game, move.by)
    if move[moves.QUEST] in game.quests and move[moves.OBJECTIVE] == by_hand(game, move[moves.QUEST]):
        take_action(game, move.by)
        game.events.append(QuestPursued(move.by, number=move[moves.QUEST], objective=move[moves.OBJECTIVE]))
        ask(game, move.by, "quest-card", "W-QUEST-3", move[moves.QUEST])
        return
    objective = _objective(game, move, triggered=False)
    _refuse_unless_met(game, move.by, objective)
    take_action(game, move.by)
    game.events.append(QuestPursued(move.by, number=move[moves.QUEST], objective=move[moves.OBJECTIVE]))
    complete(game, move, objective)


def by_hand(game: WastelandPosition, number: int) -> int:
    """Return the objective that stands for what nobody entered of a quest, behind those that are known; 0 for none."""
    quest = game.box.quests.get(number)
    if quest is None:
        return 1
    return len(quest.objectives) + 1 if quest.open else 0


def trigger(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Fulfil a triggered objective: whoever does it, in anybody's turn or the enemy phase; no action (W-QUEST-2)."""
    if not sequence.set_aside(game, WAITING):
        sequence.refuse_unless_between(game, move.by)
    objective = _objective(game, move, triggered=True)
    _refuse_unless_met(game, move.by, objective)
    game.events.append(QuestPursued(move.by, number=move[moves.QUEST], objective=move[moves.OBJECTIVE]))
    complete(game, move, objective)


def complete(game: WastelandPosition, move: WastelandMove, objective: Objective) -> None:
    """Carry out the instructions, then the results; without a trash the quest stays (W-QUEST-5, A-37)."""
    quest = move[moves.QUEST]
    begin_task(game, move.by, Task(objective.steps, objective.results, (), sequence.UNKNOWN_LEVEL, quest))


def card_options(_game: WastelandPosition, _choice: AskedChoice) -> list[str]:
    """Return `done` and `trash`: a card that nobody entered has been carried out, and stays or leaves (W-QUEST-5)."""
    return ["done", "trash"]


def answer_card(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    if option == "trash":
        trash(game, choice.data[0])


def add_to_deck(game: WastelandPosition, chance: MoveChance, seat: int, number: int) -> None:
    """Shuffle the card with as many of its deck as there are players, on top (W-RESULT-1, A-44)."""
    remind(game, "library", seat, number=number)
    found = [one for one, card in enumerate(game.box.encounters) if card.number == number]
    if not found:
        ask(game, seat, "back", "W-RESULT-1", number)
        return
    deck = game.decks_of.setdefault(game.box.encounters[found[0]].back, [])
    if found[0] in deck:
        return
    taken = [deck.pop() for _ in range(min(len(game.seats), len(deck)))]
    deck += chance.shuffle([*taken, found[0]])
    game.events.append(EncounterAdded(NOBODY, number=number, deck=game.box.encounters[found[0]].back.value))


def back_options(_game: WastelandPosition, _choice: AskedChoice) -> list[str]:
    """Return the decks that a card which only the table knows may belong to."""
    return [icon.value for icon in EncounterIcon]


def answer_back(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Note that there is such a deck on the table (W-ENC-7)."""
    game.decks_of.setdefault(EncounterIcon(option), [])
    game.events.append(EncounterAdded(choice.by, number=choice.data[0], deck=option))
