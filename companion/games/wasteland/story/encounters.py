"""W-ENC: encounters, with the cards as data or read out at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.fields import malformed
from companion.games.wasteland import moves
from companion.games.wasteland.box import COLOURS, NO_CARD
from companion.games.wasteland.events import ArrowChosen, EncounterOpened
from companion.games.wasteland.flow import conditions, sequence
from companion.games.wasteland.flow.decks import take_top
from companion.games.wasteland.flow.sequence import ask, push, refuse_unless_idle_turn, right_hand_neighbour
from companion.games.wasteland.map.actions import refuse_if_enemy_here, refuse_unless_action_left, take_action
from companion.games.wasteland.position import Visit, remind
from companion.games.wasteland.story import quests
from companion.games.wasteland.story.quests import Task
from companion.games.wasteland.survivor.hp import end_visit
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.wasteland.types import EncounterArrow
    from companion.cards.wasteland.words import EncounterIcon
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition

READ = "read"
"""The option of a card that is known in part: another section of it is read out."""
OPEN_CARDS = ("by-hand", "encounter", "quest-card")
"""Choices during which people key in what a card says."""


def icon_at(game: WastelandPosition, at: str) -> EncounterIcon | None:
    """Return the encounter icon of a space, where the map knows it."""
    found = game.map
    space = found.spaces.get(at) if found is not None else None
    return space.encounter if space is not None else None


def encounter(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Take the encounter action, once a turn, on an icon whose deck exists (W-ENC-1, W-ENC-7)."""
    refuse_unless_action_left(game, move.by)
    if game.encountered:
        raise Refusal("encountered", "W-ENC-1", "One encounter action a turn.")
    refuse_if_enemy_here(game, move.by)
    icon = move[moves.ICON]
    level = move.get(moves.LEVEL, sequence.UNKNOWN_LEVEL)
    if game.map is not None:
        if moves.LEVEL.key in move.args:
            raise malformed("level", level, "told where the map is known")
        if icon_at(game, game.survivors[move.by].at) is not icon:
            raise Refusal("no_icon", "W-ENC-1", "The space does not show that icon.", icon=icon.value)
        level = sequence.level_here(game, move.by)
    if icon not in game.decks_of:
        raise Refusal("no_deck", "W-ENC-7", "There is no deck for that icon.", icon=icon.value)
    take_action(game, move.by)
    game.encountered = True
    push(game, "open-encounter", move.by, icon, level)


def open_card(game: WastelandPosition, chance: MoveChance, step: PendingStep) -> None:
    """Open the top card of the deck; without cards as data it is read from the table."""
    icon, level = step.data
    deck = game.decks_of[icon]
    names = [one.id for one in game.box.encounters]
    card = take_top(deck, chance, names, f"{icon.value}-encounters") if deck else NO_CARD
    game.visit = Visit(icon, level, card)
    _ask_reader(game, step.seat)
    push(game, "end-visit", step.seat)
    game.events.append(EncounterOpened(step.seat, icon=icon.value, card=None if card == NO_CARD else names[card]))
    has_options = card != NO_CARD and bool(game.box.encounters[card].options)
    ask(game, step.seat, "option" if has_options else "encounter", "W-ENC-2", card)


def _ask_reader(game: WastelandPosition, seat: int) -> None:
    """Remind the right-hand neighbour to read it out; alone one decides first (W-ENC-2, W-SOLO-3)."""
    if len(game.alive()) == 1:
        remind(game, "read-alone", seat)
    else:
        remind(game, "right-hand-reads", seat, reader=COLOURS[right_hand_neighbour(game, seat)])


def option_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return a forced section whose condition is met, else those whose conditions are met (W-ENC-3, W-ENC-4)."""
    card = game.box.encounters[choice.data[0]]
    arrows = list(enumerate(card.options, 1))
    forced = [place for place, arrow in arrows if _is_forced(game, choice.by, arrow)]
    if forced:
        return [str(place) for place in forced]
    fitting = [str(place) for place, arrow in arrows if arrow.forced_if is None and _is_open(game, choice.by, arrow)]
    return [*fitting, READ] if card.open else fitting


def _is_forced(game: WastelandPosition, seat: int, arrow: EncounterArrow) -> bool:
    return arrow.forced_if is not None and conditions.holds(game, seat, arrow.forced_if)


def _is_open(game: WastelandPosition, seat: int, arrow: EncounterArrow) -> bool:
    return all(conditions.holds(game, seat, condition) for condition in arrow.requires)


def answer_option(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Carry out its instructions, then succeed or fail, then its results (W-ENC-5); or read what nobody entered."""
    if option == READ:
        ask(game, choice.by, "encounter", "W-ENC-2", *choice.data)
        return
    arrow = game.box.encounters[choice.data[0]].options[int(option) - 1]
    level = game.visit.level if game.visit is not None else sequence.UNKNOWN_LEVEL
    game.events.append(ArrowChosen(choice.by, option=int(option)))
    sequence.carry_out(game, choice.by, arrow.results, level)
    if arrow.steps:
        quests.begin_task(game, choice.by, Task(arrow.steps, arrow.succeed, arrow.fail, level, 0))


def close(game: WastelandPosition, _chance: MoveChance, _step: PendingStep) -> None:
    """Put a card that was not trashed at the bottom of its deck (W-ENC-6)."""
    end_visit(game)


# --- cards that only the table can read -------------------------------------------------------------------------------


def done_options(_game: WastelandPosition, _choice: AskedChoice) -> list[str]:
    """Return `done`: everything on the card has been keyed in or done by hand."""
    return ["done"]


def answer_done(_game: WastelandPosition, _chance: MoveChance, _choice: AskedChoice, _option: str) -> None:
    pass


def _behind_the_card(game: WastelandPosition, seat: int) -> None:
    """Allow keying in to who is on turn or has a card open; that card is asked for again afterwards."""
    if not (game.pending and game.pending[0].by == seat and sequence.set_aside(game, OPEN_CARDS)):
        refuse_unless_idle_turn(game, seat)


def result(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Carry out results that a card on the table gives: any survivor, in anybody's turn."""
    if not sequence.set_aside(game, OPEN_CARDS):
        sequence.refuse_unless_between(game, move.by)
    level = game.visit.level if game.visit is not None else sequence.UNKNOWN_LEVEL
    sequence.carry_out(game, move.by, move[moves.RESULTS], move.get(moves.LEVEL, level))


def keyed_test(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Make a test that a card on the table asks for."""
    _refuse_in_contest(game)
    _behind_the_card(game, move.by)
    push(game, "test", move.by, move[moves.LETTERS], move[moves.DIFFICULTY])


def keyed_fight(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Draw and fight as a card on the table asks."""
    _refuse_in_contest(game)
    _behind_the_card(game, move.by)
    push(game, "draw-and-fight", move.by, move[moves.TYPE])


def _refuse_in_contest(game: WastelandPosition) -> None:
    if game.contest is not None:
        raise Refusal("in_a_fight", "W-ACT-3", "A fight or test is under way.")
