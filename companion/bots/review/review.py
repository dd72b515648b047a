"""Look at a finished game afterwards: three moments that decided it, everybody's average loss, and their dice.

A decision is looked at roughly first: what was played and what else was likely, played on a few times each. Those after
which the chances moved most are looked at again, with other decks and dice and many more of them, and the three that
moved them most are told. What is told of a move is therefore never what it was chosen by.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypedDict

from companion.bots.policy.policy import box_of, choice_of, moves_of
from companion.bots.policy.reasons import why
from companion.bots.policy.search import WEIGHED
from companion.bots.review.luck import Luck, note
from companion.bots.review.values import MoveValues, doubt, mean, shortfall
from companion.games.shelter.events import FightRolled
from companion.games.shelter.moves import CHOOSE, PASS, PLACE, USE
from companion.games.shelter.words import COLOURS
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.bots.policy.reason_texts import Reason
    from companion.bots.review.luck import LuckJson
    from companion.bots.review.values import Walks
    from companion.games.json_types import MoveJson
    from companion.games.shelter.events import Event
    from companion.games.shelter.game import ShelterGame
    from companion.games.shelter.moves import Move


class MomentJson(TypedDict):
    """A decision and what came of it; the chances are those of the player who decided."""

    nth: int
    """The entry of the record that holds the move."""
    round: int
    by: str
    move: MoveJson
    before: float
    after: float
    """After the move, whatever the dice would bring."""
    came: float
    """When the turn was over, the dice included."""
    rolled: bool
    best: MoveJson | None
    """None where nothing was clearly better."""
    of_best: float
    reason: Reason | None


class PlayerJson(TypedDict):
    decisions: int
    loss: float | None
    """Chance given away by a decision, on average. None together: nobody is told apart who won or lost with all."""
    luck: LuckJson


class ReviewJson(TypedDict):
    moments: list[MomentJson]
    players: dict[str, PlayerJson]


class PlayedStep(NamedTuple):
    """A move of the line that led to the end, and the game as it was before."""

    nth: int
    before: ShelterGame
    move: Move
    events: Sequence[Event]


class Effort(NamedTuple):
    """How often is played on. Fixed numbers, no clock: the same game is told the same everywhere."""

    rough: int = 16
    fine: int = 160
    wide: int = 3
    """So many other moves are looked at."""
    again: int = 6
    """So many moments are looked at finely."""


TOLD: Final = 3
CLEARLY: Final = 0.02
"""Of a chance from 0 to 1: what is less is no difference that anybody should be told of."""
SURE: Final = 2.0
"""Standard errors."""
TURNS: Final = frozenset({PLACE, PASS, USE})


@dataclass(slots=True)
class Decision:
    """One decision as it was looked at."""

    at: int
    until: int
    """The step with which the next turn begins."""
    seat: int
    played: Move
    best: Move
    """The best of the other moves."""
    loss: float
    weight: float = 0.0


class Reviewer:
    """Reviews one game."""

    def __init__(self, steps: Sequence[PlayedStep], end: ShelterGame, seed: str, effort: Effort) -> None:
        self._steps, self._end, self._effort = steps, end, effort
        self._values = MoveValues(box_of(end), seed)
        self._stood: dict[tuple[int, str], Walks] = {}

    def review(self) -> ReviewJson:
        decisions = [found for at in range(len(self._steps)) if (found := self._decision(at)) is not None]
        return {"moments": self._moments(decisions), "players": self._players(decisions)}

    # --- looked at roughly --------------------------------------------------------------------------------------------

    def _decision(self, at: int) -> Decision | None:
        """Return a decision with what else was likely; None where there was nothing to decide."""
        step, effort = self._steps[at], self._effort
        others = self._others(step)
        if not others:
            return None
        seat, mark, game = step.move.by, f"rough/{at}", step.before
        try:
            played = self._values.walks(game, bare(step.move), mark, effort.rough)
            walks = [self._values.walks(game, move, mark, effort.rough) for move in others]
        except Refusal:
            return None  # a card that nobody had named would have changed what is possible
        best = max(range(len(others)), key=lambda one: mean(walks[one], seat))
        found = Decision(at, self._turn_over(at), seat, bare(step.move), others[best], shortfall(played, walks, seat))
        found.weight = self._moved(found, "rough", effort.rough) + max(0.0, found.loss)
        return found

    def _others(self, step: PlayedStep) -> list[Move]:
        """Return the likely ones of the moves that were not played."""
        game, played, seat = step.before, bare(step.move), step.move.by
        choice = choice_of(game, seat) if seat in game.seats else None
        if played.do == CHOOSE and choice is not None:
            asked = played.id in (0, choice.id) and choice.kind in WEIGHED
            found = moves_of(game, seat) if asked else []
            return [move for move in found if move.option != played.option][: self._effort.wide]
        if played.do not in TURNS or choice is not None or game.turn != seat:
            return []
        ranked = self._values.greedy.ranked(self._values.greedy.outlook(game, seat))
        ranked.sort(key=lambda pair: -pair[0])
        return [move for _, move in ranked if move != played][: self._effort.wide]

    def _turn_over(self, at: int) -> int:
        """Return the step after this move and the answers that followed it."""
        after = at + 1
        while after < len(self._steps) and self._steps[after].move.do == CHOOSE:
            after += 1
        return after

    def _standing(self, at: int, mark: str, times: int) -> Walks:
        """Return how everybody stood before a step."""
        found = self._stood.get((at, mark))
        if found is None:
            game = self._steps[at].before if at < len(self._steps) else self._end
            found = self._stood[at, mark] = self._values.walks(game, None, f"{mark}/stood/{at}", times)
        return found

    def _moved(self, decision: Decision, mark: str, times: int) -> float:
        """Return how far the chances moved from before the decision until the turn was over."""
        before, after = (self._standing(at, mark, times) for at in (decision.at, decision.until))
        return max(abs(mean(after, seat) - mean(before, seat)) for seat in self._end.seats)

    # --- looked at finely ---------------------------------------------------------------------------------------------

    def _moments(self, decisions: list[Decision]) -> list[MomentJson]:
        """Return the moments that moved the chances most, one a turn, in the order they were played."""
        found: list[tuple[float, MomentJson]] = []
        turns: set[int] = set()
        for decision in sorted(decisions, key=lambda one: -one.weight):
            if len(found) < self._effort.again and decision.until not in turns:
                turns.add(decision.until)
                found.append(self._finely(decision))
        found.sort(key=lambda pair: -pair[0])
        return sorted([moment for _, moment in found[:TOLD]], key=lambda one: one["nth"])

    def _finely(self, decision: Decision) -> tuple[float, MomentJson]:
        step, seat, times = self._steps[decision.at], decision.seat, self._effort.fine
        mark, game = f"fine/{decision.at}", step.before
        played = self._values.walks(game, decision.played, mark, times)
        best = self._values.walks(game, decision.best, mark, times)
        loss = mean(best, seat) - mean(played, seat)
        is_better = loss > max(CLEARLY, SURE * doubt(best, played, seat))
        passed = self._steps[decision.at : decision.until]
        moment: MomentJson = {
            "nth": step.nth,
            "round": game.round,
            "by": COLOURS[seat],
            "move": decision.played.as_json(),
            "before": round(mean(self._standing(decision.at, "fine", times), seat), 3),
            "after": round(mean(played, seat), 3),
            "came": round(mean(self._standing(decision.until, "fine", times), seat), 3),
            "rolled": any(isinstance(event, FightRolled) for one in passed for event in one.events),
            "best": decision.best.as_json() if is_better else None,
            "of_best": round(mean(best if is_better else played, seat), 3),
            "reason": why(game, seat, decision.best, self._values.greedy) if is_better else None,
        }
        return self._moved(decision, "fine", times) + (loss if is_better else 0.0), moment

    # --- everybody ----------------------------------------------------------------------------------------------------

    def _players(self, decisions: list[Decision]) -> dict[str, PlayerJson]:
        luck = {seat: Luck() for seat in self._end.seats}
        for step in self._steps:
            note(luck, step.before, step.events)
        losses = {seat: [one.loss for one in decisions if one.seat == seat] for seat in self._end.seats}
        alone = self._end.together is None
        return {
            COLOURS[seat]: {
                "decisions": len(losses[seat]),
                "loss": _average(losses[seat]) if alone else None,
                "luck": luck[seat].as_json(),
            }
            for seat in self._end.seats
        }


def _average(losses: list[float]) -> float:
    """Return the mean, at least nought: one decision may be measured a little below it."""
    return round(max(0.0, sum(losses) / len(losses)), 4) if losses else 0.0


def bare(move: Move) -> Move:
    """Return a move without what fell or was drawn with it at the table."""
    if not move.dice and not move.drawn:
        return move
    found = type(move)(move.do, move.by, move.space, move.dwellers)
    found.use, found.option, found.id, found.item = move.use, move.option, move.id, move.item
    return found


def review(steps: Sequence[PlayedStep], end: ShelterGame, seed: str, effort: Effort | None = None) -> ReviewJson:
    """Review the line of a game that is over."""
    return Reviewer(steps, end, seed, effort or Effort()).review()
