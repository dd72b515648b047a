"""The vault: which face each space shows, who may stand there and who does; and what a game keeps under way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from companion.games.shelter.words import (
    COLOURS,
    ELEVATOR_COLUMN,
    LETTERS,
    NO_CARD,
    NOBODY,
    OUTWARDS,
    ROOM_OF,
    ROOMS_A_LEVEL,
    SPACES,
    SPACES_A_LEVEL,
    UNKNOWN,
    elevator,
    spaces_of_room,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.cards.effects import Space
    from companion.games.chance import Dice
    from companion.games.shelter.cards.box import Contents


# Circles of a space (P6, J2): one or two, for the injured or the others.
ONE: Final = 0
ONE_INJURED: Final = 1
PAIR: Final = 2
INJURED_PAIR: Final = 3

FULL: Final = (-1, -1)  # the openings of a level that takes no room any more


class Vault:
    """Rooms and threats, with masks of what their spaces allow. Immutable, so games may share it."""

    box: Contents
    owners: tuple[int, ...]  # by level
    rooms: list[int]
    threats: dict[int, int]
    faces: list[Face | None]
    known: int  # spaces that show a face
    free_of_charge: int  # ... that costs nothing
    circles: list[int]  # ... by their circles
    special: int  # spaces whose cost is not of cubes alone
    lettered: list[int]  # spaces by the letter in their circle
    prices: list[bytes]  # the tables of what covers a price,
    priced: list[int]  # ... and the spaces that have it
    openings: list[tuple[int, int]]  # for each level, where the next room of each side goes (B3)
    own_elevators: list[int]  # for each colour, the own elevator, where it costs a room and nothing else
    open_to: list[int]  # for each colour, the spaces that are not another's elevator (P4), nor in a room too new (B6)
    fresh: int  # spaces of rooms that can be used from the next round on, by option

    def __init__(self, box: Contents) -> None:
        self.box = box

    def build_elevators(self, owners: tuple[int, ...]) -> None:
        """Build the elevators, without rooms yet."""
        self.owners = owners
        self.rooms = [NO_CARD] * (len(owners) * ROOMS_A_LEVEL)
        self.threats = {}
        self.faces = [None] * SPACES
        self.known = self.free_of_charge = self.special = self.fresh = 0
        self.circles = [0, 0, 0, 0]
        self.lettered = [0] * (len(LETTERS) + 1)
        everywhere = (1 << len(owners) * SPACES_A_LEVEL) - 1  # of the levels in play: wide numbers are slow
        self.prices = []
        self.priced = []
        self.openings = [(OUTWARDS[0][0], OUTWARDS[1][0])] * len(owners)
        self.open_to = [everywhere] * len(COLOURS)
        self.own_elevators = [0] * len(COLOURS)
        for level, owner in enumerate(owners):
            space = elevator(level)
            self.show(space, self.box.top_elevator if owner == NOBODY else self.box.elevators[owner])
            if owner != NOBODY and self.box.elevators[owner].room_alone:
                self.own_elevators[owner] = 1 << space
            for colour in range(len(COLOURS)):
                if owner not in (NOBODY, colour):
                    self.open_to[colour] &= ~(1 << space)

    def with_rooms(self, rooms: list[int]) -> Vault:
        """Return the vault with these rooms: one number for each column of each level."""
        vault = self._copy()
        for index, kind in enumerate(rooms):
            if kind != vault.rooms[index] and index % ROOMS_A_LEVEL != ELEVATOR_COLUMN:
                vault.rooms[index] = kind
                vault.open_level(index // ROOMS_A_LEVEL)
                for space in spaces_of_room(index // ROOMS_A_LEVEL, index % ROOMS_A_LEVEL):
                    vault.show(space, vault.face_at(space))
        return vault

    def with_room(self, index: int, kind: int) -> Vault:
        vault = self._copy()
        vault.rooms[index] = kind
        vault.open_level(index // ROOMS_A_LEVEL)
        for space in spaces_of_room(index // ROOMS_A_LEVEL, index % ROOMS_A_LEVEL):
            vault.show(space, vault.face_at(space))
        return vault

    def close(self, index: int) -> None:
        """Close the spaces of a room to everybody until the next round; only in a vault that nobody shares yet."""
        for space in spaces_of_room(index // ROOMS_A_LEVEL, index % ROOMS_A_LEVEL):
            self.fresh |= 1 << space
        self.open_to = [spaces & ~self.fresh for spaces in self.open_to]

    def opened(self) -> Vault:
        """Return the vault with every new room open."""
        vault = self._copy()
        vault.open_to = [spaces | self.fresh for spaces in self.open_to]
        vault.fresh = 0
        return vault

    def with_threats(self, threats: dict[int, int]) -> Vault:
        vault = self._copy()
        vault.threats = threats
        before = self.threats
        for space, threat in threats.items():
            if space not in before or before[space] != threat:
                vault.show(space, vault.face_at(space))
        for space in before:
            if space not in threats:
                vault.show(space, vault.face_at(space))
        return vault

    def threats_on(self, level: int) -> int:
        return sum(ROOM_OF[space] // ROOMS_A_LEVEL == level for space in self.threats)

    def rooms_on(self, level: int) -> int:
        row = self.rooms[level * ROOMS_A_LEVEL : (level + 1) * ROOMS_A_LEVEL]
        return ROOMS_A_LEVEL - row.count(NO_CARD)

    def open_level(self, level: int) -> None:
        self.openings[level] = self._next_column(level, OUTWARDS[0]), self._next_column(level, OUTWARDS[1])

    def _next_column(self, level: int, outwards: tuple[int, ...]) -> int:
        """Return the column where the next room of that side goes (B3), or -1 where the side is full (B4)."""
        for column in outwards:
            if self.rooms[level * ROOMS_A_LEVEL + column] == NO_CARD:
                return column
        return -1

    def face_at(self, space: int) -> Face | None:
        """Return the face that a space shows: the threat's, else the room's (P5)."""
        threat = self.threats.get(space)
        if threat is not None:
            return None if threat == UNKNOWN else self.box.threats[threat]
        return self.room_face(space)

    def room_face(self, space: int) -> Face | None:
        """Return the face of the room, whatever lies on it; None where the room has no such space (V2)."""
        index = ROOM_OF[space]
        kind = self.rooms[index]
        if kind in (NO_CARD, UNKNOWN):
            return None
        room = self.box.rooms[kind]
        left, _ = spaces_of_room(index // ROOMS_A_LEVEL, index % ROOMS_A_LEVEL)
        return room.left if space == left else room.right

    def show(self, space: int, face: Face | None) -> None:
        """Set the face of a space, and update the masks."""
        bit = 1 << space
        old = self.faces[space]
        self.faces[space] = face
        if old is not None:
            self.known &= ~bit
            self.free_of_charge &= ~bit
            self.special &= ~bit
            self.circles[old.circles] &= ~bit
            self.lettered[old.letter] &= ~bit
            if old.plain_price and not old.free_of_charge:
                at = self.prices.index(old.affordable)
                self.priced[at] &= ~bit
                if not self.priced[at]:
                    del self.prices[at], self.priced[at]
        if face is None:
            return
        self.known |= bit
        if face.free_of_charge:
            self.free_of_charge |= bit
        elif face.plain_price:
            if face.affordable not in self.prices:
                self.prices.append(face.affordable)
                self.priced.append(0)
            self.priced[self.prices.index(face.affordable)] |= bit
        else:
            self.special |= bit
        self.circles[face.circles] |= bit
        self.lettered[face.letter] |= bit

    def _copy(self) -> Vault:
        vault = Vault(self.box)
        vault.owners, vault.open_to, vault.own_elevators = self.owners, self.open_to, self.own_elevators
        vault.rooms, vault.threats, vault.faces = self.rooms.copy(), self.threats, self.faces.copy()
        vault.prices, vault.priced, vault.openings = self.prices.copy(), self.priced.copy(), self.openings.copy()
        vault.known, vault.free_of_charge, vault.special = self.known, self.free_of_charge, self.special
        vault.circles, vault.lettered, vault.fresh = self.circles.copy(), self.lettered.copy(), self.fresh
        return vault


if TYPE_CHECKING:
    Step = tuple[Callable[..., bool], int | "Cubes" | "ExchangeRate"]
    """One icon: what it does to (position, placement, chance), and with what. True: it waits for a choice."""

Price = tuple[int, int, int, int]
"""Water, food, energy, and '?'."""

STACKS: Final = 7  # a track holds 0 to 6 cubes
STATES: Final = STACKS**3
FREE: Final[Price] = (0, 0, 0, 0)


class Programs(NamedTuple):
    """The steps of a placement: the reward once, twice, fought for each time (A7), and what there is in it."""

    once: tuple[Step, ...]
    twice: tuple[Step, ...]
    each: tuple[Step, ...]
    exchanges: tuple[Step, ...]
    brings: tuple[int, int, int]
    """How many new dwellers, items and rooms."""


class Cubes:
    """So many cubes of one resource, as a step gains them."""

    __slots__ = ("amount", "resource")

    def __init__(self, resource: int, amount: int) -> None:
        self.resource = resource
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cubes) and (self.resource, self.amount) == (other.resource, other.amount)

    def __hash__(self) -> int:
        return hash((self.resource, self.amount))


class ExchangeRate:
    """What an exchange takes and gives, in either direction (Q4)."""

    __slots__ = ("left", "right")

    def __init__(self, left: Cubes, right: Cubes) -> None:
        self.left = left
        self.right = right

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExchangeRate) and (self.left, self.right) == (other.left, other.right)

    def __hash__(self) -> int:
        return hash((self.left, self.right))


class Face:
    """A space's cost, reward and circle, compiled to steps."""

    def __init__(
        self,
        space: Space,
        price: Price,
        marks: tuple[int, bool, bool],
        letter: int,
        training: int,
        programs: Programs,
    ) -> None:
        self.space = space
        self.price = price
        self.items, self.injures, self.pay_room = marks
        self.letter = letter
        self.linked = space.linked
        self.injured_only = space.injured_only
        self.fight = space.fight or 0
        self.training = training
        self.once, self.twice, self.each, exchanges, brings = programs
        # With an exchange that stays open to the end of the turn (Q4, by option).
        self.left_open = {
            program: (*program, *exchanges) for program in programs[:3] if exchanges and program[-1] not in exchanges
        }
        self.dwellers, self.takes, self.builds = brings
        self.affordable = affordable(price)
        self.free_of_charge = price == FREE and not self.items and not self.pay_room
        self.room_alone = self.pay_room and price == FREE and not self.items and not self.linked
        self.plain_price = not self.items and not self.pay_room
        self.circles = (PAIR if self.linked else ONE) + (1 if self.injured_only else 0)


def can_pay(cubes: tuple[int, int, int], price: Price) -> bool:
    """Return whether a tracker's cubes cover a price, '?' included."""
    water, food, energy = cubes[0] - price[0], cubes[1] - price[1], cubes[2] - price[2]
    return water >= 0 and food >= 0 and energy >= 0 and water + food + energy >= price[3]


_TABLES: dict[Price, bytes] = {}


def affordable(price: Price) -> bytes:
    """Return for every state of a tracker (water + 7 food + 49 energy) whether it covers the price."""
    if price not in _TABLES:
        _TABLES[price] = bytes(
            can_pay((state % STACKS, state // STACKS % STACKS, state // (STACKS * STACKS)), price)
            for state in range(STATES)
        )
    return _TABLES[price]


class Standing:
    """Dwellers on a space: colour, who they are (plain or injured), and the training that the recall gives them."""

    __slots__ = ("colour", "dwellers", "training", "wounded")

    def __init__(self, colour: int, dwellers: tuple[int, ...], training: int = 0, wounded: int = 0) -> None:
        self.colour = colour
        self.dwellers = dwellers
        self.training = training
        self.wounded = wounded  # who was injured here, one bit each, though they may be healed since


class OngoingPlacement:
    """A placement that is being carried out: its next step, and what has been chosen and owed so far."""

    __slots__ = ("aside", "at", "bonus", "by", "column", "dice", "face", "owed", "price", "program", "room", "space")

    def __init__(self, by: int, space: int, face: Face, program: tuple[Step, ...], price: Price) -> None:
        self.by = by
        self.space = space
        self.face = face
        self.program = program
        self.at = 0
        self.price = price  # what the next payment takes
        self.owed = 0  # '?' icons not yet paid
        self.room = NO_CARD  # the room chosen
        self.aside = False  # whether its track was dealt anew since: the card is no longer on it
        self.column = -1  # where that room goes
        self.bonus = 0
        self.dice = (0, 0)

    def copy(self) -> OngoingPlacement:
        """Return a copy that shares nothing that changes."""
        twin = OngoingPlacement(self.by, self.space, self.face, self.program, self.price)
        twin.at, twin.owed, twin.column = self.at, self.owed, self.column
        twin.room, twin.aside = self.room, self.aside
        twin.bonus, twin.dice = self.bonus, self.dice
        return twin


class Spawned:
    """The result of one level's threat roll."""

    __slots__ = ("dice", "level", "space", "threat", "why_not")

    def __init__(self, level: int, dice: Dice, space: int, threat: int, why_not: str) -> None:
        self.level = level
        self.dice = dice
        self.space = space
        self.threat = threat
        self.why_not = why_not

    def named(self, space: int, threat: int) -> Spawned:
        """Return this roll with the card that was drawn, once somebody has named it."""
        return Spawned(self.level, self.dice, space, threat, "") if self.space == space else self


class Score:
    """One player's final score, and the parts that changed it."""

    __slots__ = ("happiness", "items", "threats")

    def __init__(self, happiness: int, items: int, threats: int) -> None:
        self.happiness = happiness
        self.items = items
        self.threats = threats


class GameResult:
    __slots__ = ("decided_by", "scores", "winners")

    def __init__(self, winners: tuple[int, ...], decided_by: str, scores: dict[int, Score]) -> None:
        self.winners = winners
        self.decided_by = decided_by
        self.scores = scores


class PendingShelterChoice:
    """A question to a player. Its options are computed when somebody looks, so they are never out of date.

    Its kind says what `data` is; `place` is where a drawn card lies, on its track or, a threat, in the vault.
    """

    __slots__ = ("by", "clause", "data", "id", "kind", "of_placement", "place")

    def __init__(self, number: int, by: int, kind: str, clause: str, data: int, of_placement: bool) -> None:
        self.id = number
        self.by = by
        self.kind = kind
        self.clause = clause
        self.data = data
        self.of_placement = of_placement
        self.place = 0

    def lying_at(self, place: int) -> PendingShelterChoice:
        """Return the same question about a card that lies elsewhere: copies of a game share questions."""
        twin = PendingShelterChoice(self.id, self.by, self.kind, self.clause, self.data, self.of_placement)
        twin.place = place
        return twin
