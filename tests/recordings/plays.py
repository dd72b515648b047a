"""What happens in the traced recordings, shot by shot: plain data, which `traced` renders and the tests judge by.

A shot is one picture and how long it stands: what lies where, whose hand is over the table, and what it carries.
"""

from dataclasses import dataclass, field, replace

import numpy as np

REACHING, WORKING, RESTING = 0.4, 0.6, 3.0  # seconds
AT_THE_START = 15.0  # seconds that a table lies there before the first move: it takes minutes to lay one
ASIDE = (70.0, 95.0)  # mm from the place to where a hand is seen on its way


@dataclass(frozen=True)
class Piece:
    """A card or a figure: which, where, and how it lies there (mm and degrees off the middle of its place)."""

    name: str
    place: str
    off: tuple[float, float] = (0.0, 0.0)
    turned: float = 0.0
    pose: str = ""
    seed: int = 0


@dataclass(frozen=True)
class Hand:
    """Somebody's hand: the fingertips are over a place, or so far beside it."""

    seat: str
    place: str
    beside: tuple[float, float] = (0.0, 0.0)
    carries: str = ""


@dataclass(frozen=True)
class Shot:
    """One picture."""

    name: str
    seconds: float
    rooms: tuple[Piece, ...]
    threats: tuple[Piece, ...]
    figures: tuple[Piece, ...]
    hand: Hand | None = None


@dataclass
class Play:
    """The table while it is played; every act leaves shots behind."""

    name: str
    chance: np.random.Generator
    mirrors: str = ""
    """The place whose card mirrors a lamp, moved there when the camera is set: all cards are in smooth sleeves."""
    meters: bool = False
    """Whether the camera sets its white and its exposure anew in every picture."""
    rooms: dict[str, Piece] = field(default_factory=dict)
    threats: dict[str, Piece] = field(default_factory=dict)
    figures: dict[str, Piece] = field(default_factory=dict)
    shots: list[Shot] = field(default_factory=list)

    # --- what lies there ----------------------------------------------------------------------------------------------

    def room(self, card: str, place: str) -> None:
        self.rooms[place] = self._somehow(Piece(card, place), 1.3, 1.3)

    def threat(self, card: str, place: str) -> None:
        self.threats[place] = self._somehow(Piece(card, place), 2.0, 4.0)

    def figure(self, player: str, place: str, pose: str = "standing") -> None:
        self._nudge(place)
        self.figures[place] = self._somehow(Piece(player, place, pose=pose), 3.0, 180.0)

    def lift(self, *places: str) -> None:
        for place in places:
            del self.figures[place]

    def take_threat(self, place: str) -> None:
        del self.threats[place]
        self._nudge(place)

    def _nudge(self, place: str) -> None:
        """Whoever reaches for a place moves its room a little."""
        slot = place[:-1] if place[-1] in "ab" else place
        room = self.rooms[slot]
        across, along, turn = self.chance.normal(0, 0.6, 3)
        off = (room.off[0] + across, room.off[1] + along)
        self.rooms[slot] = replace(room, off=off, turned=room.turned + turn / 2)

    def _somehow(self, piece: Piece, off: float, turned: float) -> Piece:
        across, along = np.clip(self.chance.normal(0, off, 2), -1.6 * off, 1.6 * off)
        turn = self.chance.uniform(-turned, turned)
        seed = int(self.chance.integers(1 << 30))
        return replace(piece, off=(float(across), float(along)), turned=float(turn), seed=seed)

    # --- shots --------------------------------------------------------------------------------------------------------

    def shoot(self, name: str, seconds: float, hand: Hand | None = None) -> None:
        lying = (tuple(self.rooms.values()), tuple(self.threats.values()), tuple(self.figures.values()))
        self.shots.append(Shot(name, seconds, *lying, hand))

    def start(self) -> None:
        self.shoot("start", AT_THE_START)

    def rest(self, name: str) -> None:
        self.shoot(name, RESTING)

    def on_the_way(self, seat: str, place: str, carries: str = "", seconds: float = REACHING) -> None:
        """A hand comes in, perhaps with something in it, and has not changed anything yet."""
        side = -1.0 if place[2] == "R" else 1.0
        self.shoot("", seconds, Hand(seat, place, (side * ASIDE[0], -ASIDE[1]), carries))

    def at_work(self, seat: str, place: str, name: str, seconds: float = WORKING) -> None:
        """The hand is where it has just changed something; then the table rests."""
        self.shoot("", seconds, Hand(seat, place))
        self.rest(name)
