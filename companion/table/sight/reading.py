"""A reading: what the camera saw on the table in one frame (section 6 of the contract)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

DICE: Final = "dice"
"""The place of the real dice, where they cannot be read."""


@dataclass(frozen=True, slots=True)
class Figure:
    space: str
    player: str
    pose: str


@dataclass(frozen=True, slots=True)
class Thrown:
    """A real die that lies still: its value, and where (mm)."""

    value: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class CornerDie:
    """A die in the marked corner: which one (None where several have that side), its upper side, and where (mm)."""

    die: int | None
    face: str
    x: float
    y: float


@dataclass(frozen=True)
class Reading:
    """What was read; what could not be read is in `unsure` and nowhere else."""

    table: str = "found"
    hand: bool = False
    cards: dict[str, str | None] = field(default_factory=dict)
    """The card at each place; None where a place of a track shows nothing."""
    dwellers: tuple[Figure, ...] = ()
    unsure: frozenset[str] = frozenset()
    unposed: dict[str, str] = field(default_factory=dict)
    """The colour of figures that are surely there, but may stand or lie: by space, each of them unsure."""
    dice: tuple[Thrown, ...] = field(default=(), compare=False)
    """Real dice, where the table has a corner for them; they say nothing of rooms and figures."""
    dice_unsure: bool = field(default=False, compare=False)
    """Whether something lies in their corner that cannot be read as two dice."""
    corner_card: str | None = field(default=None, compare=False)
    """The card in the frame of the marked corner, where its sheet lies on the table."""
    corner_dice: tuple[CornerDie, ...] = field(default=(), compare=False)
    corner_unsure: bool = field(default=False, compare=False)
    """Whether dice lie there that cannot be told."""

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> Reading:
        """Read a reading from JSON; confidences have done their work by then."""
        try:
            seen = {**raw.get("rooms", {}), **raw.get("threats", {})}
            rows = {f"{name}:{n}": card for name, row in raw.get("tracks", {}).items() for n, card in enumerate(row)}
            return cls(
                table=str(raw.get("table", "found")),
                hand=bool(raw.get("hand", False)),
                cards={**{str(place): str(one["card"]) for place, one in seen.items()}, **rows},
                dwellers=tuple(
                    sorted(
                        (
                            Figure(str(one["space"]), str(one["player"]), str(one["pose"]))
                            for one in raw.get("dwellers", [])
                        ),
                        key=lambda one: (one.space, one.player, one.pose),
                    )
                ),
                unsure=frozenset(map(str, raw.get("unsure", []))) - {DICE},
                unposed={str(space): str(player) for space, player in raw.get("unposed", {}).items()},
                dice=tuple(
                    Thrown(int(one["value"]), *(float(value) for value in one["at"])) for one in raw.get("dice", [])
                ),
                dice_unsure=DICE in raw.get("unsure", []),
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise Refusal("malformed", None, f"This is no reading: {error!r}.", field="reading") from error


SURE_SHARE: Final = 1 / 3
"""Of the rest: so long is enough where nothing is in doubt."""


class Steady:
    """Hands on a reading once it has been the same for `rest` seconds, or a part of it, and only once."""

    def __init__(self, rest: float) -> None:
        self.rest = rest
        self._last: Reading | None = None
        self._since = 0.0
        self._handed_on: Reading | None = None
        self._doubted: Reading | None = None

    def feed(
        self, reading: Reading, at: float, is_certain: Callable[[Reading], bool] = lambda _: False
    ) -> Reading | None:
        """Return the reading, if the table has changed and rests.

        After a third of the rest it is asked, once for each reading, whether the reading is certain already.
        """
        if reading != self._last:
            self._last, self._since, self._doubted = reading, at, None
        if reading == self._handed_on or reading.hand or reading.table != "found":
            return None
        rested = at - self._since
        if rested < self.rest:
            if rested < self.rest * SURE_SHARE or reading == self._doubted:
                return None
            self._doubted = reading
            if not is_certain(reading):
                return None
        self._handed_on = reading
        return reading

    def forget(self) -> None:
        """Hand on the next steady reading even if it is the same."""
        self._handed_on = None
