"""Debounce buttons: from edges on wires to presses and holds. Pure: times are passed in, nothing waits.

Contacts chatter and wires catch noise, so a level counts only when it has lasted: `glitch` to be down, and `settle` to
be up, which is longer because nobody waits for it. A press is held back for as long as something that is laid on the
panel takes to come down on more than two buttons.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.games.api import Meaning

if TYPE_CHECKING:
    from collections.abc import Mapping

TOGETHER: Final = 0.12
"""Buttons that go down within so many seconds of each other are under one hand, or one box: no hold is meant."""
HELD_BACK: Final = 0.08
"""Seconds of a press until it is told: nobody notices, and a box has come down by then."""
LAID: Final = 0.25
"""Three buttons that go down within so many seconds of each other are under a box: none of them is pressed."""
SETTLING: Final = 1.0
"""Seconds in which a box may come to lie on more of them."""
POWER: Final = 5.0
"""Seconds for which two buttons are held together to switch off; pressing and holding them means nothing else then."""
PAIR: Final = 2
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
    together: bool = False
    """Whether it was held together with its pair, for long."""


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
        self.is_laid_on = self.is_paired = False
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
        if self.down and not self._spent:
            return self.down_since + (HELD_BACK if self._meaning is Meaning.PRESS else self._times.hold)
        return None

    def change(self, at: float) -> Gesture | None:
        """Apply what happens by itself at its time; return the gesture it makes."""
        if self._wire == self.down:
            self._spent = True
            return self._told(at, held=self._meaning is not Meaning.PRESS)
        if self._wire:
            self._goes_down()
            return None
        return self._goes_up(at)

    def _goes_down(self) -> None:
        self.down, self.down_since = True, self._wire_since
        self.in_company = self.is_laid_on = self.is_paired = self._spent = False

    def _goes_up(self, at: float) -> Gesture | None:
        was_short = self._wire_since - self.down_since < self._times.hold
        self.down, spent, self._spent = False, self._spent, True
        if spent or not was_short or self._meaning is Meaning.HOLD:
            return None
        return self._told(at, held=False)

    def _told(self, at: float, *, held: bool) -> Gesture | None:
        if self.is_laid_on or self.is_paired or (held and self.in_company):
            return None
        return Gesture(self.pin, held=held, at=at)


class Gestures:
    def __init__(
        self,
        meanings: Mapping[int, Meaning],
        times: Times | None = None,
        down: frozenset[int] = frozenset(),
        pair: frozenset[int] = frozenset(),
    ) -> None:
        """`pair` are two buttons that mean something else when both are held for long."""
        times = times or Times()
        self._contacts = {pin: Contact(pin, meaning, times, down=pin in down) for pin, meaning in meanings.items()}
        there = [self._contacts[pin] for pin in sorted(pair) if pin in self._contacts]
        self._pair = there if len(there) == PAIR else []
        self._pair_told = False

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
            since = self.paired_since()
            if since is not None and not self._pair_told and since + POWER <= at:
                gestures += self._pair_held(since)
                continue
            was_down = contact.down
            gesture = contact.change(at)
            if contact.down and not was_down:
                self._is_down(contact)
            if gesture is not None:
                gestures.append(gesture)
        since = self.paired_since()
        if since is not None and not self._pair_told and since + POWER <= now:
            gestures += self._pair_held(since)
        return gestures

    def paired_since(self) -> float | None:
        """Return since when both buttons of the pair are down, and nothing else is."""
        both = [one for one in self._pair if one.down and one.is_paired and not one.is_laid_on]
        if len(both) < PAIR or any(one.down for one in self._contacts.values() if one not in both):
            return None
        return max(contact.down_since for contact in both)

    def _pair_held(self, since: float) -> list[Gesture]:
        self._pair_told = True
        return [Gesture(self._pair[0].pin, held=True, at=since + POWER, together=True)]

    def next_change(self) -> float | None:
        """Return when to ask again, if no edge comes."""
        due, since = self._due(), self.paired_since()
        times = [] if due is None else [due[0]]
        if since is not None and not self._pair_told:
            times.append(since + POWER)
        return min(times, default=None)

    def stuck(self, now: float) -> frozenset[int]:
        """Return the pins whose buttons have been down for longer than anybody holds one."""
        return frozenset(pin for pin, contact in self._contacts.items() if contact.is_stuck(now))

    def _due(self) -> tuple[float, Contact] | None:
        changes = [(at, contact) for contact in self._contacts.values() if (at := contact.next_change()) is not None]
        return min(changes, key=lambda change: change[0], default=None)

    def _is_down(self, new: Contact) -> None:
        """Drop what is meant by nobody: a hold is of one finger on one button, and a box presses none."""
        others = [other for other in self._contacts.values() if other is not new and other.down]
        for other in others:
            if new.down_since - other.down_since < TOGETHER:
                new.in_company = other.in_company = True
        near = [other for other in others if new.down_since - other.down_since < LAID]
        more = [other for other in others if other.is_laid_on and new.down_since - other.down_since < SETTLING]
        if len(near) >= PAIR or more:
            for contact in (new, *near):
                contact.is_laid_on = True
        if new not in self._pair:
            self._pair_told = True  # a third button is no wish to switch off, also when it is let go again
        elif all(contact.down and not contact.is_laid_on for contact in self._pair):
            self._pair_told = False
            for contact in self._pair:
                contact.is_paired = True
