"""From the printed icons to the steps that carry them out, in the order of the rulebook (P2, P3, A4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from companion.cards import effects as fx
from companion.games.shelter.board.vault import FREE, Cubes, ExchangeRate, Face, Price, Programs
from companion.games.shelter.turn import fights, paying, rewards
from companion.games.shelter.words import ANY_LETTER, DWELLER_NUMBER, ITEMS, RESOURCE_NUMBER, ROOMS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.games.shelter.board.vault import Step


def price_of(cost: Iterable[fx.CostIcon]) -> Price:
    """Return the cubes of a cost: water, food, energy, and '?'."""
    cubes = [0, 0, 0, 0]
    for icon in cost:
        if isinstance(icon, fx.Pay):
            cubes[RESOURCE_NUMBER[icon.resource.value]] += icon.amount
        elif isinstance(icon, fx.PayAny):
            cubes[3] += icon.amount
    return (cubes[0], cubes[1], cubes[2], cubes[3]) if any(cubes) else FREE


def face_of(space: fx.Space) -> Face:
    """Compile a printed space."""
    icons = space.cost
    pay_room = any(isinstance(icon, fx.PayRoom) for icon in icons)
    marks = (
        sum(isinstance(icon, fx.PayItem) for icon in icons),
        any(isinstance(icon, fx.Injure) for icon in icons),
        pay_room,
    )
    letter = 0 if space.letter is None else DWELLER_NUMBER[space.letter.value]
    trainings = [icon for icon in space.reward if isinstance(icon, fx.Train)]
    training = _training(trainings[0]) if trainings else 0
    before = _cost_steps(space)
    first = _reward_steps(space.reward, room_is_paid=pay_room)
    second = _reward_steps(
        [icon for icon in space.reward if not isinstance(icon, fx.Train | fx.Exchange)],
        priced=pay_room,
    )
    again: list[Step] = [(fights.fight_again, space.fight)] if space.fight else []
    programs = Programs(
        once=(*before, *first),
        twice=(*before, *first, *second),
        each=(*before, *first, *again, *second),
        exchanges=tuple(_reward_steps([icon for icon in space.reward if isinstance(icon, fx.Exchange)])),
        brings=(_count(space, fx.NewDweller), _count(space, fx.TakeItem), _count(space, fx.Build)),
    )
    return Face(space, price_of(icons), marks, letter, training, programs)


def _count(space: fx.Space, kind: type) -> int:
    return sum([isinstance(icon, kind) for icon in space.reward])


def _cost_steps(space: fx.Space) -> list[Step]:
    """Return what is paid, and the fight behind it where there is one: on a room as on a threat (G5).

    A threat without a fight is an ordinary space (G2).
    """
    price = price_of(space.cost)
    steps: list[Step] = []
    if any(price):
        steps.append((paying.pay_price, 0))
    for icon in space.cost:
        match icon:
            case fx.Pay() | fx.PayAny():
                pass  # part of the price
            case fx.Injure():
                steps.append((paying.injure, 0))
            case fx.PayItem():
                steps.append((paying.pay_item, 0))
            case fx.PayRoom():
                steps += [(paying.ask_room, paying.AS_COST), (paying.offer_discount, 0), (paying.pay_price, 0)]
            case _:
                assert_never(icon)
    if price[3] or any(isinstance(icon, fx.PayRoom) for icon in space.cost):
        steps.append((paying.settle_any, 0))
    steps.append((rewards.income_falls_due, 0))
    if space.fight:
        steps.append((fights.fight, space.fight))
    return steps


def _reward_steps(icons: Iterable[fx.RewardIcon], *, room_is_paid: bool = False, priced: bool = False) -> list[Step]:
    steps: list[Step] = []
    for icon in icons:
        if not isinstance(icon, fx.Build):
            steps += _reward_icon(icon)
        elif room_is_paid:
            steps.append((paying.raise_room, 0))
            room_is_paid, priced = False, True
        else:
            steps += [
                (paying.ask_room, paying.PRICED if priced else paying.BUILD_FREE),
                (paying.offer_discount, 0),
                (paying.pay_price, 0),
                (paying.settle_any, 0),
                (paying.raise_room, 0),
            ]
    return steps


def _reward_icon(icon: fx.IconButBuild) -> list[Step]:  # noqa: C901 - one case an icon
    match icon:
        case fx.Gain(resource, amount):
            steps: list[Step] = [(rewards.gain, Cubes(RESOURCE_NUMBER[resource.value], amount))]
        case fx.GainAny(amount):
            steps = [(rewards.gain_any, 0)] * amount
        case fx.Happiness(amount):
            steps = [(rewards.happiness, amount)]
        case fx.Train():
            steps = [(rewards.train, _training(icon))]
        case fx.Refresh(track):
            steps = [(rewards.refresh, ITEMS if track == fx.Track.ITEMS else ROOMS)]
        case fx.Exchange(left, right):
            steps = [(rewards.exchange, ExchangeRate(_cubes(left), _cubes(right)))]
        case fx.NewDweller():
            steps = [(rewards.new_dweller, 0)]
        case fx.FirstPlayer():
            steps = [(rewards.first_player, 0)]
        case fx.TakeItem():
            steps = [(rewards.take_item, 0)]
        case fx.Heal():
            steps = [(rewards.heal, 0)]
        case fx.Ready():
            steps = [(rewards.ready, 0)]
        case _:
            assert_never(icon)
    return steps


def _training(icon: fx.Train) -> int:
    return ANY_LETTER if icon.letter is None else DWELLER_NUMBER[icon.letter.value]


def _cubes(pay: fx.Pay | fx.Gain) -> Cubes:
    return Cubes(RESOURCE_NUMBER[pay.resource.value], pay.amount)
