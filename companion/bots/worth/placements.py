"""What a placement is worth now: its cost, its reward, who is used up for it, and what it does to the vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.shelter.call import cubes_of_icon, praise
from companion.games.shelter.turn.paying import ROOMS_OF_A_FULL_LEVEL, covers
from companion.games.shelter.words import INJURED, LEVEL_OF, NO_CARD, NOBODY, PLAIN, ROOMS

if TYPE_CHECKING:
    from companion.bots.worth.outlook import Outlook
    from companion.bots.worth.prospects import Prospect, Prospects
    from companion.bots.worth.styles import Style
    from companion.cards.evenings.house_calls import HouseCall
    from companion.games.shelter.moves import Move

NOT_POSSIBLE = -99.0
NO_ROOM = -5.0
MOST_LEAD = 4
FREE = (0, 0, 0, 0)


class Appraiser:
    """Puts a number on placements: one for a space, adjusted for the dwellers and the items that go there."""

    def __init__(self, prospects: Prospects, rooms: list[float], style: Style) -> None:
        self._prospects = prospects.of
        self.rooms = rooms
        """How much people want to stand in each room, by its number."""
        self._style = style

    def worth(self, outlook: Outlook, move: Move, known: dict[int, float]) -> float:
        """A placement in happiness. `known` keeps what a space is worth, once and doubled."""
        game, space = outlook.game, move.space
        face = game.vault.faces[space]
        if face is None:
            return NOT_POSSIBLE
        dwellers = move.dwellers
        letter = face.letter
        doubled = bool(move.use) or (letter != 0 and (letter in dwellers or letter + INJURED in dwellers))
        key = 2 * space + doubled
        found = known.get(key)
        if found is None:
            found = known[key] = self.of_space(outlook, space, self._prospects[face], 1 + doubled)
        if dwellers == (PLAIN,) and not move.use:
            return found
        return found - self._used_up(outlook, dwellers, letter) - (outlook.weights.outfit * 0.3 if move.use else 0.0)

    def _used_up(self, outlook: Outlook, dwellers: tuple[int, ...], letter: int) -> float:
        """What the dwellers could have done elsewhere: a training that finds no letter here, a second dweller."""
        lost = outlook.weights.space * (len(dwellers) - 1)
        lettered = outlook.game.vault.lettered
        for dweller in dwellers:
            trained = dweller % INJURED
            if trained and trained != letter:
                lost += outlook.weights.waste * outlook.trained(lettered[trained].bit_count())
        return lost

    def of_space(self, outlook: Outlook, space: int, prospect: Prospect, times: int) -> float:
        """A space, its reward gained once or twice."""
        game, face = outlook.game, prospect.face
        level = LEVEL_OF[space]
        gain = self._reward(outlook, prospect, times)
        if game.call is not None:
            gain += self._heard(outlook, game.call, prospect, level, times)
        if prospect.pays_item:
            gain -= self._least_item(outlook) * prospect.pays_item
        if prospect.injures:
            gain -= outlook.injury
        if space in game.vault.threats:
            gone = outlook.threat_gone(space)
            if face.fight:
                chance = outlook.win_chance(face.fight)
                hurt = (1 - chance) * outlook.injury * (2 if face.linked else 1)
                return chance * (gain + gone) - hurt + self._thrill(chance)
            return gain + gone
        if face.fight:
            chance = outlook.win_chance(face.fight)
            return chance * gain - (1 - chance) * outlook.injury + self._thrill(chance)
        owner = game.owners[level]
        if owner not in (NOBODY, outlook.colour):
            gain -= outlook.weights.income
        return gain

    def _thrill(self, chance: float) -> float:
        """What a fight means to a character, beside what it brings and costs."""
        return self._style.fight * chance + self._style.risk * 4 * chance * (1 - chance)

    def _heard(self, outlook: Outlook, call: HouseCall, prospect: Prospect, level: int, times: int) -> float:
        """What the house call adds to a space or takes from it: cubes, and happiness for what is praised."""
        game, gain = outlook.game, 0.0
        if any(prospect.cubes):
            heard = [
                cubes_of_icon(game, call, level, resource, cubes) if cubes else 0
                for resource, cubes in enumerate(prospect.cubes)
            ]
            if heard != prospect.cubes:
                table, purse = outlook.purse.table, outlook.purse
                gain += table[purse.after(prospect, outlook.state, times, heard)]
                gain -= table[purse.after(prospect, outlook.state, times)]
        face = prospect.face
        deeds = {"build": prospect.builds, "dweller": prospect.dwellers * times, "train": bool(prospect.letters)}
        deeds |= {"fight": bool(face.fight), "defeat": face in game.box.threats}
        return gain + outlook.happiness * sum(praise(game, deed) * number for deed, number in deeds.items() if number)

    def _reward(self, outlook: Outlook, prospect: Prospect, times: int) -> float:
        if prospect.builds:
            return self._build(outlook, prospect, times)
        gain = outlook.purse.change(prospect, outlook.state, times) + times * prospect.happiness * outlook.happiness
        if prospect.dwellers:
            gain += prospect.dwellers * outlook.dweller * (1.0 if times == 1 else 1.9)
        if prospect.items:
            gain += prospect.items * outlook.best_item() * (1.0 if times == 1 else 1.8)
        if prospect.letters:
            gain += outlook.training(prospect.letters[0])
        if prospect.first:
            gain += outlook.first
        if prospect.heals:
            gain += outlook.heal
        if prospect.readies and outlook.game.hands[outlook.colour].exhausted:
            gain += outlook.weights.pet * times
        return gain + (outlook.weights.refresh + self._style.cards) * prospect.refreshes

    def _build(self, outlook: Outlook, prospect: Prospect, times: int) -> float:
        """A room: the happiness, the best room that can be paid, and whether the end that it brings is welcome."""
        gain = times * prospect.happiness * outlook.happiness
        gain += self.best_room(outlook, free=not prospect.face.pay_room)[0] + self._style.build
        game, last = outlook.game, ROOMS_OF_A_FULL_LEVEL - 1
        if game.together is None and game.vault.rooms_on(outlook.level) == last and not game.last_round:
            lead = outlook.lead() + times * prospect.happiness
            gain += outlook.weights.ending * max(-MOST_LEAD, min(MOST_LEAD, lead))
        return gain

    def best_room(self, outlook: Outlook, *, free: bool = False) -> tuple[float, int]:
        """The best room of the track that can be paid now: its worth less its price, and its card."""
        best, which = NO_ROOM, NO_CARD
        game, purse, state = outlook.game, outlook.purse, outlook.state
        for card in dict.fromkeys(game.tracks[ROOMS]):
            if card < 0 or not (free or covers(game, outlook.colour, game.box.rooms[card], FREE)):
                continue
            worth = self.room(outlook, card)
            if not free:
                worth += purse.table[purse.paid(state, game.box.rooms[card].price)] - purse.table[state]
            if worth > best:
                best, which = worth, card
        return best, which

    def room(self, outlook: Outlook, card: int) -> float:
        """What a room on one's own level is worth for the rounds to come."""
        return outlook.weights.room * self.rooms[card] * outlook.ahead

    def _least_item(self, outlook: Outlook) -> float:
        items = outlook.box.items
        return min(
            [outlook.worth_of(items[card >> 1]) for card in outlook.game.hands[outlook.colour].cards], default=0.0
        )


def attraction(rooms: list[list[Prospect]]) -> list[float]:
    """How much people want to stand in each room, about 1 for a middling one with two spaces."""
    return [sum(map(_nominal, spaces)) / 2 for spaces in rooms]


def _nominal(prospect: Prospect) -> float:
    cubes = sum(prospect.cubes) + prospect.any
    gain = 0.5 * cubes + 1.5 * prospect.happiness + 1.2 * prospect.dwellers + prospect.items
    gain += 0.5 * len(prospect.letters) + 0.5 * len(prospect.exchanges) + prospect.builds + 0.3 * prospect.readies
    gain -= 0.4 * sum(prospect.price) + 0.5 * prospect.pays_item + 0.5 * prospect.injures
    if prospect.face.injured_only:
        gain *= 0.5
    return max(0.1, gain)
