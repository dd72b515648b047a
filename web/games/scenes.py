"""What happens at the table as all pages show it: made once from events, played step by step on one clock."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.table.session import events as table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.table.session.snapshots import Snapshot

TOLD: Final = "told"
"""The kind of a scene that a game tells in lines alone."""
LINGERS: Final = 2.0
"""Seconds that a scene of lines stays longer while nobody goes on."""


class Step(NamedTuple):
    """How many seconds a step of a scene is shown: at least until it has been read, at most while nobody goes on."""

    least: float
    most: float


UNTIL_ANSWERED: Final = (Step(inf, inf),)


@dataclass(frozen=True, slots=True)
class Scene:
    """One thing that happened, with the facts that its game shows of it; it has no words and no reader."""

    kind: str
    snapshot: Snapshot
    steps: tuple[Step, ...]
    facts: object
    group: int = 0
    """Scenes of one group are one thing as it goes on, such as a fight: the next one replaces the last at once."""
    asks: str = ""
    """The colour whose answer it waits for."""

    @property
    def key(self) -> str:
        return f"{self.kind}-{self.snapshot.seq}"


@dataclass(frozen=True, slots=True)
class Showing:
    """The scene that everybody sees, its step, and until when that stays so."""

    scene: Scene
    step: int
    until: float


def showing(
    scenes: Sequence[Scene],
    moved: Sequence[float],
    taps: Mapping[tuple[str, int], float],
    now: float,
    pace: float = 1.0,
) -> Showing | None:
    """Return what is shown now; `moved` are the times at which somebody went on, `taps` end a step.

    Nothing is replaced before it could be read, unless two others wait already: then the table is far ahead.
    """
    free, at = -inf, 0
    while at < len(scenes):
        scene, later = scenes[at], scenes[at + 1 :]
        others = _begun([one for one in later if not (scene.group and one.group == scene.group)])
        same = [one.snapshot.at for one in later if scene.group and one.group == scene.group]
        cut = min([*same[:1], *others[1:2]], default=inf)
        went_on = min([*[time for time in moved if time > scene.snapshot.at][:1], *others[:1]], default=inf)
        free = max(scene.snapshot.at, free)
        if now < free:
            return None
        for nth, step in enumerate(scene.steps):
            end = min(free + step.most * pace, max(free + step.least * pace, went_on))
            end = min(end, max(taps.get((scene.key, nth), inf), free), max(cut, free))
            if now < end:
                return Showing(scene, nth, end)
            free = end
        at += 1
    return None


def _begun(scenes: Sequence[Scene]) -> list[float]:
    """Return when each of these began, those of one group once."""
    found: dict[str, float] = {}
    for one in scenes:
        found.setdefault(str(one.group) if one.group else one.key, one.snapshot.at)
    return list(found.values())


def moved_on(recent: Sequence[Snapshot]) -> list[float]:
    """Return the times at which the game went on, or a bot said what it wants to do."""
    return [
        one.at
        for one in recent
        if any(isinstance(event, table.BotSuggested) or not isinstance(event, table.TableEvent) for event in one.events)
    ]


def told(recent: Sequence[Snapshot]) -> list[Scene]:
    """Return a scene of lines for each snapshot with something that people look at, in any game."""
    return [
        Scene(TOLD, one, (Step(seconds, seconds + LINGERS),), None) for one in recent if (seconds := one.seconds_to_see)
    ]
