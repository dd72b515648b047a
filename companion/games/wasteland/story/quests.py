"""Numbered cards: staged quests with their objectives, and cards added from outside the game (W-QUEST, W-LIB)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.types import Asks
from companion.cards.wasteland.words import EncounterIcon
from companion.games.wasteland import moves
from companion.games.wasteland.box import NOBODY
from companion.games.wasteland.events import EncounterAdded, QuestEvent, QuestPursued
from companion.games.wasteland.flow import conditions, step_stack
from companion.games.wasteland.flow.rounds import refuse_unless_idle_turn
from companion.games.wasteland.flow.step_stack import ask
from companion.games.wasteland.map.actions import refuse_if_enemy_here, refuse_unless_action_left, take_action
from companion.games.wasteland.reminders import remind
from companion.games.wasteland.story import tasks
from companion.games.wasteland.story.tasks import Task
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Objective
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import AskedChoice, WastelandPosition


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
    step_stack.carry_out(game, seat, quest.on_stage, quest=number)


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
    objective = _objective(game, move, triggered=False)
    _refuse_unless_met(game, move.by, objective)
    take_action(game, move.by)
    game.events.append(QuestPursued(move.by, number=move[moves.QUEST], objective=move[moves.OBJECTIVE]))
    complete(game, move, objective)


def trigger(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Pursue a triggered objective, which takes no action (W-QUEST-2)."""
    refuse_unless_idle_turn(game, move.by)
    objective = _objective(game, move, triggered=True)
    _refuse_unless_met(game, move.by, objective)
    game.events.append(QuestPursued(move.by, number=move[moves.QUEST], objective=move[moves.OBJECTIVE]))
    complete(game, move, objective)


def complete(game: WastelandPosition, move: WastelandMove, objective: Objective) -> None:
    """Carry out the instructions, then the results; without a trash the quest stays (W-QUEST-5, A-37)."""
    quest = move[moves.QUEST]
    tasks.begin(game, move.by, Task(objective.steps, objective.results, (), step_stack.UNKNOWN_LEVEL, quest))


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
