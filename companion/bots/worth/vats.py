"""Exact odds of a fight or test of the second game: for each choice of dice to keep, and for each card that helps."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.cards.wasteland.types import Does
from companion.games.wasteland.box import DICE, card_of
from companion.games.wasteland.fight import fights
from companion.games.wasteland.fight.dice import REROLLS
from companion.games.wasteland.survivor import abilities

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.cards.wasteland.types import DieFace, Effect
    from companion.games.wasteland.position import DiceContest, WastelandPosition

Spread = dict[int, float]
"""How likely each number is."""
Values = tuple[int, ...]
MOST_REROLLS: Final = 3
"""Of more than these the odds know nothing: they are seldom, and would change little."""
AS_THEY_LIE: Final = frozenset({"keep", "go-on"})
SUBSETS: Final = tuple(tuple(int(die) - 1 for die in option.split("+")) for option in REROLLS)


class ContestChance(NamedTuple):
    """How likely an answer succeeds, with rerolls used as well as can be; in a fight, the HP that its throw costs."""

    win: float
    damage: float | None


class ContestOdds:
    """The fight or test under way, with dice whose faces are known."""

    def __init__(self, game: WastelandPosition, contest: DiceContest) -> None:
        self._game, self._contest = game, contest
        self._enemy = game.box.enemies[contest.kind] if contest.is_fight else None
        self._spreads = [_spread(map(self._value, die)) for die in game.box.dice]
        self._thrown = [_spread(face.hits for face in die) for die in game.box.dice]
        self._needed = contest.difficulty if self._enemy is None else fights.hits_needed(game, self._enemy)
        self._bonus = contest.hits if self._enemy is None else fights.hits_besides(game, contest, self._enemy)
        self._known: dict[tuple[Values, int, int], float] = {}

    def of(self, kind: str, option: str) -> ContestChance | None:
        """Return the odds of an answer to a choice of this kind; None where it is not about the dice."""
        rerolls, hits, lying = self._contest.rerolls, 0, self._lying()
        if option in AS_THEY_LIE:
            return None if lying is None else self._chance(lying, (), 0)
        if option[0].isdecimal():
            which = tuple(int(die) - 1 for die in option.split("+"))
            return None if lying is None else self._chance(lying, which, rerolls - 1)
        if option == "well-rested":
            rerolls += 1
        elif option != "roll":
            found = _help(_effects(self._game, self._contest.seat, kind, option))
            if found is None:
                return None
            rerolls, hits = rerolls + found[0], found[1]
        if lying is None:
            return self._chance((), tuple(range(DICE)), rerolls, hits)
        return self._chance(lying, (), 0 if kind == "during-fight" else rerolls, hits)

    def _chance(self, lying: Sequence[DieFace], which: Values, rerolls: int, hits: int = 0) -> ContestChance:
        """Return the odds where these dice are thrown now, and so many rerolls are left after that."""
        values = tuple(map(self._value, lying)) or (0,) * DICE
        win = self._after(values, which, self._needed - self._bonus - hits, min(rerolls, MOST_REROLLS))
        return ContestChance(win, None if self._enemy is None else self._damage(lying, which))

    def _value(self, face: DieFace) -> int:
        """Return what a face counts for: one hit at most in a fight (W-FIGHT-8), its bullets in a test (W-TEST-3)."""
        return face.hits if self._enemy is None else int(bool(face.areas & self._enemy.areas))

    def _lying(self) -> tuple[DieFace, ...] | None:
        found = tuple(face for face in self._contest.dice if face is not None)
        return found if len(found) == DICE else None

    def _after(self, values: Values, which: Values, needed: int, rerolls: int) -> float:
        """Return the chance after a throw of these dice, which is that of all its outcomes."""
        total = 0.0
        for outcome in product(*(self._spreads[die].items() for die in which)):
            thrown, share = list(values), 1.0
            for die, (value, chance) in zip(which, outcome, strict=True):
                thrown[die], share = value, share * chance
            total += share * self._best(tuple(thrown), needed, rerolls)
        return total

    def _best(self, values: Values, needed: int, rerolls: int) -> float:
        """Return the chance where every reroll is used as well as can be."""
        missing = needed - sum(values)
        if missing <= 0 or rerolls <= 0:
            return float(missing <= 0)
        found = self._known.get((values, needed, rerolls))
        if found is None:
            found = max(self._after(values, which, needed, rerolls - 1) for which in SUBSETS)
            self._known[values, needed, rerolls] = found
        return found

    def _damage(self, lying: Sequence[DieFace], which: Values) -> float:
        """Return the HP that the enemy's hits cost on average, if the dice stay as they fall now."""
        if self._enemy is None:
            return 0.0
        kept = sum(face.hits for die, face in enumerate(lying) if die not in which)
        total = 0.0
        for outcome in product(*(self._thrown[die].items() for die in which)):
            share = 1.0
            for _, chance in outcome:
                share *= chance
            thrown = kept + sum(hits for hits, _ in outcome)
            total += share * fights.damage(self._game, self._contest, self._enemy, thrown)
        return total


def contest_odds(game: WastelandPosition) -> ContestOdds | None:
    """Return the odds of the fight or test under way; None without one, or where nobody knows the faces of the dice."""
    return None if game.contest is None or not game.box.dice else ContestOdds(game, game.contest)


def _spread(numbers: Iterable[int]) -> Spread:
    every = list(numbers)
    return {number: every.count(number) / len(every) for number in sorted(set(every))}


def _effects(game: WastelandPosition, seat: int, kind: str, option: str) -> tuple[Effect, ...]:
    """Return what a card or perk does that may be used in this step."""
    how, _, name = option.partition(":")
    if how == "perk" and name in game.box.perk_number:
        return game.box.perks[game.box.perk_number[name]].effects
    number = game.box.card_number.get(name, -1)
    timings = fights.timings_of(game, kind)
    found = (one for held, one in abilities.usable(game, seat, *timings) if card_of(held) == number)
    ability = next(found, None)
    return () if ability is None else ability.effects


def _help(effects: Iterable[Effect]) -> tuple[int, int] | None:
    """Return the rerolls and hits that effects add; None where they add neither, or do not say how many."""
    rerolls = hits = 0
    for one in effects:
        if one.does in (Does.REROLL, Does.HIT) and one.amount.of_level:
            return None
        rerolls += one.amount.number * (one.does is Does.REROLL)
        hits += one.amount.number * (one.does is Does.HIT)
    return (rerolls, hits) if rerolls or hits else None
