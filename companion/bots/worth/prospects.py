"""What a space promises, read off its face once: the icons of its cost and reward, added up by kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards import effects as fx
from companion.games.shelter.cards.program import price_of
from companion.games.shelter.words import ANY_LETTER, DWELLER_NUMBER, RESOURCE_NUMBER

if TYPE_CHECKING:
    from companion.games.shelter.board.face import Face, Price
    from companion.games.shelter.cards.box import Box


class Prospect:
    """A face in the words of somebody who thinks about standing there."""

    def __init__(self, number: int, face: Face) -> None:
        self.number = number
        self.face = face
        self.price: Price = face.price
        self.pays_item = face.items
        self.injures = face.injures
        self.cubes = [0, 0, 0]
        self.any = 0
        self.happiness = 0
        self.dwellers = 0
        self.items = 0
        self.first = False
        self.heals = False
        self.readies = 0
        self.refreshes = 0
        self.builds = 0
        self.letters: tuple[int, ...] = ()
        self.exchanges: list[tuple[Price, Price]] = []
        for icon in face.space.reward:
            self._add(icon)
        self.pure_training = not (any(self.cubes) or self.any)

    def _add(self, icon: fx.RewardIcon) -> None:
        match icon:
            case fx.Gain():
                self.cubes[RESOURCE_NUMBER[icon.resource.value]] += icon.amount
            case fx.GainAny():
                self.any += icon.amount
            case fx.Happiness():
                self.happiness += icon.amount
            case fx.NewDweller():
                self.dwellers += 1
            case fx.TakeItem():
                self.items += 1
            case fx.Train():
                self.letters = (DWELLER_NUMBER[icon.letter.value] if icon.letter else ANY_LETTER,)
            case fx.Exchange():
                self.exchanges.append((price_of([icon.left]), price_of([icon.right])))
            case _:
                self._add_rarer(icon)

    def _add_rarer(self, icon: fx.FirstPlayer | fx.Heal | fx.Ready | fx.Refresh | fx.Build) -> None:
        match icon:
            case fx.FirstPlayer():
                self.first = True
            case fx.Heal():
                self.heals = True
            case fx.Ready():
                self.readies += 1
            case fx.Refresh():
                self.refreshes += 1
            case fx.Build():
                self.builds += 1


class Prospects:
    """The prospects of every face of a box."""

    def __init__(self, box: Box) -> None:
        self.of: dict[Face, Prospect] = {}
        faces = [box.top_elevator, box.elevator, *box.threats]
        for room in box.rooms:
            faces += room.faces
        for face in faces:
            self.of[face] = Prospect(len(self.of), face)
