"""What is shown of threats, fights, the recall and the last round, made once from the events; no words, no reader."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from companion.games.shelter import announcing
from companion.games.shelter import events as shelter
from companion.games.shelter.words import COLOURS, DWELLERS, SPACE_NAMES
from companion.table.session import events as table
from web.games.scenes import UNTIL_ANSWERED, Scene, Step
from web.games.shelter.cards import vault_state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.api import Event
    from companion.games.shelter.state import SpawnedState
    from companion.table.session.snapshots import Snapshot
    from web.games.shelter.cards import VaultState

THREATS: Final = "threats"
FIGHT: Final = "fight"
RECALL: Final = "recall"
LAST_ROUND: Final = "last-round"
OPEN, ROLLED, WON, LOST = "open", "rolled", "won", "lost"

LAYING, NOTHING_COMES, LINGERS = 8.0, 3.5, 4.0
"""Seconds that a step lasts while nobody goes on: a card has to be found and laid; nothing comes; it is only read."""
BEGINS_ANEW: Final = (
    table.MoveUndone,
    table.MoveRedone,
    table.GameStarted,
    table.GameChosen,
    table.GameFrozen,
    table.GameThawed,
)
"""What makes everything before it untrue, or long ago."""
ENDS_A_FIGHT: Final = (shelter.TurnPassed, shelter.ThreatRolled, shelter.DwellersRecalled, shelter.RecordCorrected)


@dataclass(frozen=True, slots=True)
class ThreatsFact:
    levels: tuple[SpawnedState, ...]
    last_round: bool
    """Whether the last card of the threat deck was drawn (T5)."""


@dataclass(frozen=True, slots=True)
class FightFact:
    """A fight, from the placement to what it has brought."""

    by: str
    space: str
    dwellers: tuple[str, ...]
    doubled: bool
    phase: str = OPEN
    dice: tuple[int, ...] = ()
    bonus: int = 0
    items: tuple[str, ...] = ()
    fresh: bool = False
    """Whether the dice have only just fallen."""
    gains: tuple[tuple[str, int], ...] = ()

    @property
    def total(self) -> int:
        return sum(self.dice) + self.bonus


WASTELAND = (shelter.BrokeIn, shelter.InvaderMoved, shelter.CrisisTurned, shelter.DwellerStruck)


@dataclass(frozen=True, slots=True)
class RecallFact:
    home: dict[str, int]
    """How many dwellers of each colour come home."""
    off: tuple[tuple[str, str], ...]
    """The spaces whose threats are taken off, and the threats."""
    trained: tuple[tuple[str, str], ...] = ()
    broke_in: tuple[tuple[str, str], ...] = ()
    """Spaces beside the elevator, and the invaders that came from there (U5)."""
    marched: tuple[tuple[str, str, str], ...] = ()
    """From where, to where, and the invader (U4)."""
    crisis: str = ""
    """That of the next round (U3)."""


@dataclass(frozen=True, slots=True)
class LastRoundFact:
    by: str
    """Whose sixth room it was; empty where the threat deck is at its end."""


def scenes(recent: Sequence[Snapshot]) -> list[Scene]:
    """Return what is shown of the snapshots of one game, in order."""
    made = _Maker()
    for snapshot in recent:
        made.take(snapshot)
    return made.scenes


@dataclass(slots=True)
class _Maker:
    """Goes through the snapshots once."""

    scenes: list[Scene] = field(default_factory=list)
    before: VaultState | None = None
    fight: FightFact | None = None
    group: int = 0

    def take(self, snapshot: Snapshot) -> None:
        events, state = snapshot.events, vault_state(snapshot.state)
        if any(isinstance(event, BEGINS_ANEW) for event in events):
            self.scenes, self.fight = [], None
        self._fight(snapshot, state)
        last = next((event for event in events if isinstance(event, shelter.LastRound)), None)
        if any(isinstance(event, shelter.ThreatRolled) for event in events):
            self._threats(snapshot, state, last_round=last is not None)
        elif last is not None:
            self._add(LAST_ROUND, snapshot, LastRoundFact(shelter.by(last) or ""))
        self._recall(snapshot, state)
        if self.scenes and self.scenes[-1].asks and not _is_asked(state, self.scenes[-1].asks):
            self.scenes.pop()  # it has been corrected away
        self.before = state

    def _add(self, kind: str, snapshot: Snapshot, facts: object, group: int = 0) -> None:
        """Show it until it has been read, and longer while nobody goes on; the end of the game goes on by itself."""
        seconds = snapshot.seconds_to_see
        lingers = 0.0 if snapshot.state["phase"] == "over" else LINGERS
        self.scenes.append(Scene(kind, snapshot, (Step(seconds, seconds + lingers),), facts, group))

    def _threats(self, snapshot: Snapshot, state: VaultState, *, last_round: bool) -> None:
        steps = [
            Step(announcing.seconds_to_see(event), NOTHING_COMES if event.roll.why_not else LAYING)
            for event in snapshot.events
            if isinstance(event, shelter.ThreatRolled)
        ]
        steps += [Step(LINGERS, 2 * LINGERS)] * last_round
        facts = ThreatsFact(tuple(state["spawned"]), last_round)
        self.scenes.append(Scene(THREATS, snapshot, tuple(steps), facts))

    def _recall(self, snapshot: Snapshot, state: VaultState) -> None:
        """Show the recall; letters that are chosen one after the other renew it."""
        trained = tuple(
            (COLOURS[event.by], event.letter) for event in snapshot.events if isinstance(event, shelter.DwellerTrained)
        )
        last = self.scenes[-1] if self.scenes else None
        if any(isinstance(event, shelter.DwellersRecalled) for event in snapshot.events):
            standing = (self.before or state)["placed"].values()
            home = {
                colour: sum(len(one["dwellers"]) for one in standing if one["by"] == colour)
                for colour in state["order"]
            }
            off = tuple(
                (SPACE_NAMES[event.space], event.threat)
                for event in snapshot.events
                if isinstance(event, shelter.ThreatDefeated)
            )
            facts = RecallFact({colour: number for colour, number in home.items() if number}, off, trained)
            self._add(RECALL, snapshot, _with_wasteland(facts, snapshot), snapshot.seq)
        elif last is not None and isinstance(last.facts, RecallFact) and (trained or _has_acted(snapshot)):
            facts = _with_wasteland(replace(last.facts, trained=(*last.facts.trained, *trained)), snapshot)
            self.scenes.append(Scene(RECALL, snapshot, last.steps, facts, last.group))

    def _fight(self, snapshot: Snapshot, state: VaultState) -> None:
        before = self.fight = replace(self.fight, fresh=False) if self.fight is not None else None
        for event in snapshot.events:
            self._event(event, snapshot.seq)
        fight = self.fight
        if fight is None or fight == before:
            return
        if fight.phase in (OPEN, ROLLED):
            if _is_asked(state, fight.by):
                self.scenes.append(Scene(FIGHT, snapshot, UNTIL_ANSWERED, fight, self.group, fight.by))
        elif before is not None and before.phase == WON and self.scenes and self.scenes[-1].group == self.group:
            self.scenes[-1] = replace(self.scenes[-1], facts=fight)  # a reward that somebody had to choose first
        else:
            self._add(FIGHT, snapshot, fight, self.group)

    def _event(self, event: Event, seq: int) -> None:
        if isinstance(event, shelter.DwellersPlaced):
            names = tuple(DWELLERS[dweller] for dweller in event.dwellers)
            self.fight = FightFact(COLOURS[event.by], SPACE_NAMES[event.space], names, event.doubled)
            self.group = seq
        elif isinstance(event, ENDS_A_FIGHT):
            self.fight = None
        elif self.fight is not None and isinstance(event, shelter.Event) and shelter.by(event) == self.fight.by:
            self.fight = _after(self.fight, event)


def _after(fight: FightFact, event: shelter.Event) -> FightFact:
    """Return a fight after an event of who fights."""
    match event:
        case shelter.ItemUsed(_, item) if fight.phase in (OPEN, ROLLED):
            return replace(fight, items=(*fight.items, item))
        case shelter.FightRolled(_, _, dice, bonus):
            return replace(fight, phase=ROLLED, dice=tuple(dice), bonus=bonus, fresh=True)
        case shelter.FightWon():
            return replace(fight, phase=WON)
        case shelter.FightLost():
            return replace(fight, phase=LOST)
        case _ if fight.phase == WON and (gain := _gain(event)) is not None:
            total = dict(fight.gains)
            total[gain[0]] = total.get(gain[0], 0) + gain[1]
            return replace(fight, gains=tuple(total.items()))
        case _:
            return fight


def _gain(event: shelter.Event) -> tuple[str, int] | None:
    match event:
        case shelter.CubesGained(_, resource, amount):
            return resource, amount
        case shelter.HappinessGained(_, amount):
            return "happiness", amount
        case shelter.DwellerGained():
            return "dweller", 1
        case shelter.ItemGained():
            return "item", 1
        case shelter.FirstPlayerGained():
            return "first", 1
        case shelter.RoomBuilt():
            return "build", 1
        case _:
            return None


def _is_asked(state: VaultState, colour: str) -> bool:
    """Whether somebody is asked about a fight."""
    return any(choice["by"] == colour and choice["kind"] in ("fight", "reroll") for choice in state["pending"])


def _has_acted(snapshot: Snapshot) -> bool:
    """Return whether the wasteland has acted: a recall whose last letter is chosen goes on with that (U4)."""
    return any(isinstance(event, WASTELAND) for event in snapshot.events)


def _with_wasteland(fact: RecallFact, snapshot: Snapshot) -> RecallFact:
    """Add what the wasteland did; who marches twice is told once, and who breaks in was nowhere in between."""
    broke_in, marched, crisis = [*fact.broke_in], [*fact.marched], fact.crisis
    for event in snapshot.events:
        match event:
            case shelter.BrokeIn(_, space, threat):
                broke_in.append((SPACE_NAMES[space], threat))
                marched = [one for one in marched if one[1] != SPACE_NAMES[space]]
            case shelter.InvaderMoved(space, to, threat):
                begun = next((one[0] for one in marched if one[1] == SPACE_NAMES[space]), SPACE_NAMES[space])
                marched = [one for one in marched if one[1] != SPACE_NAMES[space]]
                marched.append((begun, SPACE_NAMES[to], threat))
            case shelter.CrisisTurned(crisis):
                pass
            case _:
                pass
    return replace(fact, broke_in=tuple(broke_in), marched=tuple(marched), crisis=crisis)
