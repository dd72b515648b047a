"""What is shown of the enemy phase, of fights and tests, and before the end, made once from the events; no words."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, cast

from companion.games.registry import game_of
from companion.games.wasteland import events as wasteland
from companion.games.wasteland.box import COLOURS
from companion.table.session import events as table
from web.games.scenes import UNTIL_ANSWERED, Scene, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.api import Event
    from companion.games.wasteland.state_types import WastelandState
    from companion.table.session.snapshots import Snapshot

ENEMIES: Final = "enemies"
CONTEST: Final = "contest"
POWER: Final = "power"
CLAIM: Final = "claim"
OPEN, ROLLED, WON, LOST = "open", "rolled", "won", "lost"
ANSWERS: Final = frozenset({"fight", "test", "die", "reroll", "during-fight"})
"""Questions that are asked in the scene of a fight or test."""
LINGERS, READS = 4.0, 2.5
"""Seconds that a step lasts longer while nobody goes on; that a sentence takes to be read."""
BEGINS_ANEW: Final = (
    table.MoveUndone,
    table.MoveRedone,
    table.GameStarted,
    table.GameChosen,
    table.GameFrozen,
    table.GameThawed,
)
"""What makes everything before it untrue, or long ago."""

ON_THE_MAP: Final = (wasteland.EnemyMoved, wasteland.FightBegun)
"""What enemies do by themselves where the map is known."""
MOVES: Final = 1.6
"""Seconds for which a token that moves is looked at."""
ENEMIES_ACT: Final = (wasteland.AgendaRevealed, wasteland.TypeActivated)


@dataclass(frozen=True, slots=True)
class ContestFact:
    """A fight or a test, from its beginning to what it has brought."""

    by: str
    enemy: str = ""
    """Empty for a test."""
    letters: str = ""
    needed: int = 0
    """Hits that are needed; of a fight only known when it is judged."""
    phase: str = OPEN
    dice: tuple[str | None, ...] = ()
    hits: int = 0
    taken: int = 0
    """Hits that the enemy lands."""
    fresh: bool = False
    """Whether the dice have only just fallen."""
    killed: bool = False
    """Whether the survivor was."""
    effects: tuple[tuple[str, int], ...] = ()
    """HP, rads, XP and Caps that it has changed."""
    drawn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ActedType:
    """A type of enemies that acts, and what is known of it at once."""

    kind: str
    events: tuple[wasteland.WastelandEvent, ...] = ()
    ways: tuple[tuple[str, str], ...] = ()
    """Where its enemies have moved from and to, on a known map."""


@dataclass(frozen=True, slots=True)
class EnemiesFact:
    """The agenda that was revealed, if it was, and the types that act one after the other."""

    agenda: str
    by: str
    revealed: bool
    types: tuple[str, ...]
    first: int
    """Which of the types is the first that acts here."""
    acted: tuple[ActedType, ...]


@dataclass(frozen=True, slots=True)
class PowerFact:
    """The agenda deck was passed, or a faction stands before its last step."""

    passed: bool
    power: tuple[tuple[str, int], ...]
    track: int
    near: tuple[str, ...]
    """Factions whose next step ends the game."""


@dataclass(frozen=True, slots=True)
class ClaimFact:
    """Somebody claims victory, or, without anybody, a faction is at the end of its track."""

    by: str


def scenes(recent: Sequence[Snapshot]) -> list[Scene]:
    """Return what is shown of the snapshots of one game, in order."""
    made = _Maker()
    for snapshot in recent:
        made.take(snapshot)
    return made.scenes


def wasteland_state(snapshot: Snapshot) -> WastelandState:
    return cast("WastelandState", snapshot.state)


@dataclass(slots=True)
class _Maker:
    """Goes through the snapshots once."""

    scenes: list[Scene] = field(default_factory=list)
    contest: ContestFact | None = None
    group: int = 0
    agenda: wasteland.AgendaRevealed | None = None
    acted: int = 0
    """How many types of the revealed agenda have begun to act."""
    phase: str = ""
    places: dict[str, str] = field(default_factory=dict)
    """Where the enemies were in the last snapshot."""

    def take(self, snapshot: Snapshot) -> None:
        if any(isinstance(event, BEGINS_ANEW) for event in snapshot.events):
            self.scenes, self.contest, self.agenda = [], None, None
        at = (nth for nth, event in enumerate(snapshot.events) if isinstance(event, ENEMIES_ACT))
        first = next(at, len(snapshot.events))
        self._contest(snapshot, snapshot.events[:first])
        self._power(snapshot)
        self._enemies(snapshot)
        self._contest(snapshot, snapshot.events[first:])
        self._claim(snapshot)
        state = wasteland_state(snapshot)
        self.phase = state["phase"]
        self.places = {number: one["space"] or "" for number, one in state.get("enemies", {}).items()}
        if self.scenes and self.scenes[-1].asks and not _is_asked(wasteland_state(snapshot), self.scenes[-1].asks):
            self.scenes.pop()  # it has been corrected away

    def _contest(self, snapshot: Snapshot, events: Sequence[Event]) -> None:
        before = self.contest = replace(self.contest, fresh=False) if self.contest is not None else None
        for event in events:
            if isinstance(event, wasteland.FightBegun | wasteland.SkillTested):
                self._show(snapshot, before)
                before, self.group, self.contest = None, snapshot.seq, _begun(event)
            elif self.contest is not None and isinstance(event, wasteland.WastelandEvent):
                self.contest = _after(self.contest, event)
        self._show(snapshot, before)
        if self.contest is not None and self.contest.phase in (WON, LOST) and not snapshot.state["pending"]:
            self.contest = None  # whatever comes now is no longer of this fight

    def _show(self, snapshot: Snapshot, before: ContestFact | None) -> None:
        """Show a fight that has gone on; what it brings later is added to what is shown of it."""
        now = self.contest
        if now is None or now == before:
            return
        last = self.scenes[-1] if self.scenes else None
        if now.phase in (OPEN, ROLLED):
            if _is_asked(wasteland_state(snapshot), now.by):
                self.scenes.append(Scene(CONTEST, snapshot, UNTIL_ANSWERED, now, self.group, now.by))
        elif before is not None and before.phase in (WON, LOST) and last is not None and last.group == self.group:
            self.scenes[-1] = replace(last, facts=now)
        else:
            seconds = max(snapshot.seconds_to_see, READS)
            self.scenes.append(Scene(CONTEST, snapshot, (Step(seconds, seconds + LINGERS),), now, self.group))

    def _enemies(self, snapshot: Snapshot) -> None:
        game, acted, first = game_of(snapshot.state["game"]), list[ActedType](), self.acted
        steps: list[Step] = []
        revealed = False
        known = "map" in snapshot.state and self.phase == ENEMIES
        for event in snapshot.events:
            if isinstance(event, wasteland.AgendaRevealed):
                self.agenda, self.acted, first, revealed = event, 0, 0, True
                known = "map" in snapshot.state
            elif isinstance(event, wasteland.TypeActivated) and self.agenda is not None:
                acted.append(ActedType(event.type))
                self.acted += 1
            elif known and isinstance(event, ON_THE_MAP) and self.agenda is not None and self.acted:
                if not acted:  # the type goes on after a fight
                    first = self.acted - 1
                    acted.append(ActedType(self.agenda.activates[first]))
                    steps.append(Step(READS, READS))
                acted[-1] = self._on_the_map(acted[-1], event)
                steps[-1] = Step(steps[-1].least + MOVES, steps[-1].most + MOVES)
            elif acted and isinstance(event, wasteland.EnemyWoken | wasteland.EnemyEvent):
                acted[-1] = replace(acted[-1], events=(*acted[-1].events, event))
            if isinstance(event, ENEMIES_ACT):
                seconds = game.seconds_to_see(event)
                steps.append(Step(seconds, seconds + READS))
        if steps and self.agenda is not None:
            by, types = COLOURS[self.agenda.by], self.agenda.activates
            facts = EnemiesFact(self.agenda.agenda, by, revealed, types, first, tuple(acted))
            self.scenes.append(Scene(ENEMIES, snapshot, tuple(steps), facts))

    def _on_the_map(self, acted: ActedType, event: wasteland.EnemyMoved | wasteland.FightBegun) -> ActedType:
        """Note who has moved where, or whom it fights."""
        ways = acted.ways
        if isinstance(event, wasteland.EnemyMoved):
            number, to = str(event.number), event.at or ""
            ways = (*ways, (self.places.get(number, ""), to))
            self.places[number] = to
        return replace(acted, events=(*acted.events, event), ways=ways)

    def _power(self, snapshot: Snapshot) -> None:
        state = wasteland_state(snapshot)
        grown = {event.faction for event in snapshot.events if isinstance(event, wasteland.FactionAdvanced)}
        passed = any(
            isinstance(event, wasteland.PlainEvent) and event.event == "agenda_deck_ran_out"
            for event in snapshot.events
        )
        near = tuple(faction for faction in grown if _next_step_ends(state, faction))
        if (passed or near) and state["phase"] != "over":
            facts = PowerFact(passed, tuple(state["power"].items()), state["track"], near)
            self.scenes.append(Scene(POWER, snapshot, (Step(READS, READS + LINGERS),), facts))

    def _claim(self, snapshot: Snapshot) -> None:
        for event in snapshot.events:
            claimed = isinstance(event, wasteland.PlainEvent) and event.event == "claimed"
            if claimed or isinstance(event, wasteland.PowerEnd):
                by = (wasteland.by(event) or "") if isinstance(event, wasteland.PlainEvent) else ""
                lingers = 0.0 if snapshot.state["phase"] == "over" else LINGERS
                self.scenes.append(Scene(CLAIM, snapshot, (Step(READS, READS + lingers),), ClaimFact(by)))


def _next_step_ends(state: WastelandState, faction: str) -> bool:
    """Return whether one more step of a faction ends the game: together only where the others are at the end."""
    last = state["track"] - 1
    others = [power for name, power in state["power"].items() if name != faction]
    return state["power"][faction] == last - 1 and ("together" not in state or min(others) >= last)


def _begun(event: wasteland.FightBegun | wasteland.SkillTested) -> ContestFact:
    match event:
        case wasteland.FightBegun(by, enemy):
            return ContestFact(COLOURS[by], enemy)
        case wasteland.SkillTested(by, letters, difficulty):
            return ContestFact(COLOURS[by], "", letters, difficulty)


def _after(contest: ContestFact, event: wasteland.WastelandEvent) -> ContestFact:
    """Return a fight or test after an event of who fights."""
    if wasteland.by(event) != contest.by:
        return contest
    is_open = contest.phase in (OPEN, ROLLED)
    match event:
        case wasteland.DiceLaid(_, dice) if is_open:
            return replace(contest, phase=ROLLED, dice=dice, fresh=True)
        case wasteland.EnemyHits(_, hits):
            return replace(contest, taken=hits)
        case wasteland.SurvivorHits(_, hits, needed, killed):
            return replace(contest, phase=WON if killed else LOST, hits=hits, needed=needed)
        case wasteland.SkillTestJudged(_, hits, needed, success):
            return replace(contest, phase=WON if success else LOST, hits=hits, needed=needed)
        case wasteland.PlainEvent("survivor_killed"):
            return replace(contest, phase=LOST, killed=True)
        case wasteland.CardEvent("drawn", _, card):
            return replace(contest, drawn=(*contest.drawn, card))
        case _ if (effect := _effect(event)) is not None:
            total = dict(contest.effects)
            total[effect[0]] = total.get(effect[0], 0) + effect[1]
            return replace(contest, effects=tuple(total.items()))
        case _:
            return contest


def _effect(event: Event) -> tuple[str, int] | None:
    match event:
        case wasteland.DamageTaken(_, amount):
            return "hp", -amount
        case wasteland.RadsChanged(_, amount):
            return "rads", amount
        case wasteland.XpGained(_, amount):
            return "xp", amount
        case wasteland.CapsChanged(_, amount):
            return "caps", amount
        case _:
            return None


def _is_asked(state: WastelandState, colour: str) -> bool:
    """Whether somebody is asked about a fight or test."""
    return any(choice["by"] == colour and choice["kind"] in ANSWERS for choice in state["pending"])
