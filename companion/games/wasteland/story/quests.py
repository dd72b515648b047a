"""W-QUEST: staged quests, their objectives and what they bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.types import Asks
from companion.games.wasteland.flow import conditions, due
from companion.games.wasteland.flow.rounds import refuse_unless_idle_turn
from companion.games.wasteland.flow.telling import remind, tell
from companion.games.wasteland.map.actions import refuse_if_enemy_here, refuse_unless_action_left, take_action
from companion.games.wasteland.story import tasks
from companion.games.wasteland.words import NOBODY
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Objective
    from companion.games.wasteland.flow.told_chance import Fate
    from companion.games.wasteland.moves import Move
    from companion.games.wasteland.position import Position


def stage(game: Position, seat: int, number: int) -> None:
    """The card lies open for all; its top section comes first (W-RESULT-2, W-QUEST-1)."""
    remind(game, "library", seat, number=number)
    if number in game.quests:
        return
    game.quests.append(number)
    tell(game, "quest_staged", NOBODY, number=number)
    quest = game.box.quests.get(number)
    if quest is None:
        return
    if quest.marker:
        remind(game, "quest-marker", seat, number=number)
    due.carry_out(game, seat, quest.on_stage, quest=number)


def trash(game: Position, number: int) -> None:
    """Back to the box, both markers with it (W-QUEST-6)."""
    if number in game.quests:
        game.quests.remove(number)
        tell(game, "quest_trashed", NOBODY, number=number)


def _objective(game: Position, move: Move, *, triggered: bool) -> Objective:
    number, place = move.get("quest"), move.get("objective")
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


def _refuse_unless_met(game: Position, seat: int, objective: Objective) -> None:
    """All stated conditions must hold (W-QUEST-3); solo a settlement stands for another survivor (W-SOLO-1)."""
    for condition in objective.requires:
        if not conditions.holds(game, seat, condition):
            wanted = f"{condition.asks} {condition.word}".strip()
            raise Refusal("condition_not_met", "W-QUEST-3", f"Not met: {wanted}.", condition=wanted)
        if condition.asks is Asks.WITH_SURVIVOR and len(game.seats) == 1:
            remind(game, "settlement-instead", seat, space=game.box.settings.solo_substitute_space)


def quest(game: Position, _fate: Fate, move: Move) -> None:
    """One objective per action; no faceup enemy in the space (W-QUEST-3, W-QUEST-4)."""
    refuse_unless_action_left(game, move.by)
    refuse_if_enemy_here(game, move.by)
    objective = _objective(game, move, triggered=False)
    _refuse_unless_met(game, move.by, objective)
    take_action(game, move.by)
    tell(game, "quest", move.by, number=move.get("quest"), objective=move.get("objective"))
    complete(game, move, objective)


def trigger(game: Position, _fate: Fate, move: Move) -> None:
    """A triggered objective happens by doing the named thing; it takes no action (W-QUEST-2)."""
    refuse_unless_idle_turn(game, move.by)
    objective = _objective(game, move, triggered=True)
    _refuse_unless_met(game, move.by, objective)
    tell(game, "quest", move.by, number=move.get("quest"), objective=move.get("objective"))
    complete(game, move, objective)


def complete(game: Position, move: Move, objective: Objective) -> None:
    """The instructions, then the results below the objective; without a trash the quest stays (W-QUEST-5, A-37)."""
    tasks.begin(game, move.by, objective.steps, objective.results, (), due.UNKNOWN_LEVEL, move.get("quest"))
