"""Debounce buttons: from edges on wires to presses and holds. Pure: times are passed in, nothing waits.

Contacts chatter and wires catch noise, so a level counts only when it has lasted: `glitch` to be down, which is short
because somebody waits for the press, and `settle` to be up, which is longer because nobody does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.games.api import Meaning

if TYPE_CHECKING:
    from collections.abc import Mapping

TOGETHER: Final = 0.12
"""Buttons that go down within so many seconds of each other are under one hand, or one box: no hold is meant."""
STUCK: Final = 15.0
"""Nobody holds a button for so many seconds."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A level has changed on a pin: `down` is a closed contact."""

    at: float
    pin: int
    down: bool


@dataclass(frozen=True, slots=True)
class Gesture:
    """A button was pressed, or has been held."""

    pin: int
    held: bool
    at: float


@dataclass(frozen=True, slots=True)
class Times:
    """How long is long, in seconds."""

    hold: float = 0.9
    settle: float = 0.025
    glitch: float = 0.001


class Contact:
    """One button: the level on its wire, and the level that counts after debouncing."""

    def __init__(self, pin: int, meaning: Meaning, times: Times, *, down: bool = False) -> None:
        self.pin = pin
        self._meaning = meaning
        self._times = times
        self._wire = self.down = down
        self._wire_since = 0.0
        self.down_since = 0.0
        self.in_company = False
        self._spent = down
        """Whether this press was reported already, or began before we listened."""

    def wire(self, at: float, *, down: bool) -> None:
        if down != self._wire:
            self._wire, self._wire_since = down, at

    def is_stuck(self, now: float) -> bool:
        """Return whether it has been down for longer than anybody holds a button."""
        return self.down and now - self.down_since >= STUCK

    def next_change(self) -> float | None:
        """Return when something happens by itself, if the wire stays as it is."""
        if self._wire != self.down:
            return self._wire_since + (self._times.glitch if self._wire else self._times.settle)
        if self.down and not self._spent and self._meaning is not Meaning.PRESS:
            return self.down_since + self._times.hold
        return None

    def change(self, at: float) -> Gesture | None:
        """Apply what happens by itself at its time; return the gesture it makes."""
        if self._wire == self.down:
            self._spent = True
            return None if self.in_company else Gesture(self.pin, held=True, at=at)
        if self._wire:
            return self._goes_down(at)
        return self._goes_up(at)

    def _goes_down(self, at: float) -> Gesture | None:
        self.down, self.down_since = True, self._wire_since
        self.in_company = self._spent = False
        if self._meaning is not Meaning.PRESS:
            return None
        self._spent = True
        return Gesture(self.pin, held=False, at=at)

    def _goes_up(self, at: float) -> Gesture | None:
        was_short = self._wire_since - self.down_since < self._times.hold
        self.down, spent, self._spent = False, self._spent, True
        if spent or not was_short or self._meaning is not Meaning.PRESS_OR_HOLD:
            return None
        return Gesture(self.pin, held=False, at=at)


class Gestures:
    def __init__(
        self, meanings: Mapping[int, Meaning], times: Times | None = None, down: frozenset[int] = frozenset()
    ) -> None:
        times = times or Times()
        self._contacts = {pin: Contact(pin, meaning, times, down=pin in down) for pin, meaning in meanings.items()}

    def feed(self, edge: Edge) -> list[Gesture]:
        """Return the gestures up to this edge."""
        gestures = self.until(edge.at)
        self._contacts[edge.pin].wire(edge.at, down=edge.down)
        return gestures

    def until(self, now: float) -> list[Gesture]:
        """Return the gestures up to now, in order."""
        gestures = []
        while (due := self._due()) is not None and due[0] <= now:
            at, contact = due
            was_down = contact.down
            gesture = contact.change(at)
            if contact.down and not was_down:
                self._drop_holds(contact)
            if gesture is not None:
                gestures.append(gesture)
        return gestures

    def next_change(self) -> float | None:
        """Return when to ask again, if no edge comes."""
        due = self._due()
        return None if due is None else due[0]

    def stuck(self, now: float) -> frozenset[int]:
        """Return the pins whose buttons have been down for longer than anybody holds one."""
        return frozenset(pin for pin, contact in self._contacts.items() if contact.is_stuck(now))

    def _due(self) -> tuple[float, Contact] | None:
        changes = [(at, contact) for contact in self._contacts.values() if (at := contact.next_change()) is not None]
        return min(changes, key=lambda change: change[0], default=None)

    def _drop_holds(self, new: Contact) -> None:
        """Drop holds of buttons pressed together: two presses stay two, a hold is of one finger on one button."""
        for other in self._contacts.values():
            if other is not new and other.down and new.down_since - other.down_since < TOGETHER:
                new.in_company = other.in_company = True
