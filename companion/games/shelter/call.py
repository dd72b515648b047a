"""The house call of an evening: what it changes while it holds (W). Without one the rules ask nothing here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from companion.cards.evenings.house_calls import EVERYWHERE, TOP, CallEffect, HouseCall, from_json
from companion.cards.pack import PackFaults
from companion.games.fields import malformed
from companion.games.shelter.words import LEVEL_OF, RESOURCES

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.position import ShelterPosition

MOST_TO_DRAW_FROM: Final = 200


class Gift(NamedTuple):
    """What everybody begins with; `resource` is -1 for happiness."""

    resource: int
    amount: int


def calls_from_json(raw: object) -> tuple[HouseCall, ...]:
    """Return the house calls that a setup lets chance draw from; with the first entry they stay in the record (W1)."""
    if not isinstance(raw, list) or not 1 <= len(raw) <= MOST_TO_DRAW_FROM:
        raise malformed("house_calls", "", "a list of house calls")
    try:
        return tuple([from_json(one, "house_calls") for one in raw])
    except PackFaults as faults:
        raise malformed("house_calls", "", str(faults)) from faults


def draw_call(game: ShelterPosition, chance: Chance, calls: tuple[HouseCall, ...]) -> HouseCall:
    """Draw one of the house calls; a single one is not drawn (W1)."""
    if len(calls) == 1:
        return calls[0]
    game.shuffles += 1
    return calls[chance.shuffle(game.shuffles - 1, list(range(len(calls))))[-1]]


def gifts(call: HouseCall) -> list[Gift]:
    """Return what everybody is given at the start (W3)."""
    return [
        Gift(RESOURCES.index(effect.of) if effect.of in RESOURCES else -1, effect.amount)
        for effect in call.effects
        if effect.do == "gift"
    ]


def holds(effect: CallEffect, number: int) -> bool:
    """Return whether an effect holds in a round: from its first to its last, both included (W1)."""
    return effect.first <= number and (not effect.last or number <= effect.last)


def turns(call: HouseCall, number: int) -> bool:
    """Return whether something begins to hold with this round, or holds no longer (W1)."""
    return number > 1 and any(holds(one, number) != holds(one, number - 1) for one in call.effects)


def _is_there(effect: CallEffect, level: int) -> bool:
    """Return whether an effect holds on a level: everywhere, on the top one (0), or on the players' own."""
    return effect.where == EVERYWHERE or (effect.where == TOP) == (level == 0)


def cubes_of_icon(game: ShelterPosition, call: HouseCall, level: int, resource: int, amount: int) -> int:
    """Return how many cubes an icon brings on a level: none where it is dry, more where it is rich (W2)."""
    name, more = RESOURCES[resource], 0
    for effect in call.effects:
        if effect.of == name and holds(effect, game.round) and _is_there(effect, level):
            if effect.do == "dry":
                return 0
            if effect.do == "rich":
                more += effect.amount
    return amount + more


def cubes_gained(game: ShelterPosition, space: int, resource: int, amount: int) -> int:
    """Return how many cubes an icon brings where somebody has placed (W2)."""
    call = game.call
    return amount if call is None else cubes_of_icon(game, call, LEVEL_OF[space], resource, amount)


def roll_bonus(game: ShelterPosition, colour: int) -> int:
    """Return what is always added to a fight's roll: by items (I5), and by the house call, which may take away (W5)."""
    bonus = game.hands[colour].bonus
    if game.call is not None:
        for effect in game.call.effects:
            if holds(effect, game.round):
                if effect.do == "tough":
                    bonus -= effect.amount
                elif effect.do == "easy":
                    bonus += effect.amount
    return bonus


def levels_to_roll(game: ShelterPosition, number: int = 0) -> list[int]:
    """Return the levels that a threat step rolls for: each, one that stirs twice, a calm one never (W6).

    `number` is another round than the one that is played.
    """
    levels = list(range(len(game.owners)))
    if game.call is None:
        return levels
    now = [effect for effect in game.call.effects if holds(effect, number or game.round)]
    calm = [effect for effect in now if effect.do == "calm"]
    stirred = [effect for effect in now if effect.do == "stir"]
    levels = [level for level in levels if not any(_is_there(effect, level) for effect in calm)]
    return sorted(levels + [level for level in levels for effect in stirred if _is_there(effect, level)])


def praise(game: ShelterPosition, deed: str) -> int:
    """Return the happiness that a deed brings now (W7)."""
    if game.call is None:
        return 0
    return sum(
        [one.amount for one in game.call.effects if one.do == "praise" and one.of == deed and holds(one, game.round)]
    )


def tolls(game: ShelterPosition) -> list[tuple[int, int]]:
    """Return the resources that everybody pays at this recall, and how many of each (W4)."""
    if game.call is None:
        return []
    return [
        (RESOURCES.index(one.of), one.amount)
        for one in game.call.effects
        if one.do == "toll" and holds(one, game.round)
    ]
