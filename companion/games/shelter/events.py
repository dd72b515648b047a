"""What can happen in a game of Fallout Shelter: one type an event, and their JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from companion.games.shelter.board.vault import Spawned
from companion.games.shelter.words import (
    COLOURS,
    LETTERS,
    NO_CARD,
    NOBODY,
    RESOURCES,
    SPACE_NAMES,
    SPACES,
    TRACK_LENGTH,
)

if TYPE_CHECKING:
    from companion.games.chance import Dice
    from companion.games.json_types import EventJson

# `by` is a colour's number or NOBODY, `space` and `level` are those of the engine.


class DwellersPlaced(NamedTuple):
    by: int
    space: int
    dwellers: tuple[int, ...]
    doubled: bool


class TurnPassed(NamedTuple):
    by: int


class CubesPaid(NamedTuple):
    by: int
    resource: str
    amount: int


class CubesGained(NamedTuple):
    by: int
    resource: str
    amount: int


class CubesLost(NamedTuple):
    """Cubes that did not fit on the track (Q1)."""

    by: int
    resource: str
    amount: int


class HappinessGained(NamedTuple):
    by: int
    amount: int


class DwellerGained(NamedTuple):
    by: int
    space: int


class FirstPlayerGained(NamedTuple):
    by: int


class DwellersInjured(NamedTuple):
    by: int
    space: int
    dwellers: int


class DwellerHealed(NamedTuple):
    by: int
    space: int
    """-1: one that was not placed."""


class DwellerTrained(NamedTuple):
    by: int
    letter: str


class TrainingLost(NamedTuple):
    """A letter that another dweller has taken over (A2, by option)."""

    by: int
    letter: str


class ItemGained(NamedTuple):
    by: int
    item: str


class ItemUsed(NamedTuple):
    by: int
    item: str


class ItemReadied(NamedTuple):
    by: int
    item: str


class ItemDiscarded(NamedTuple):
    by: int
    item: str


class RoomBuilt(NamedTuple):
    by: int
    room: str
    level: int
    column: int


class FightRolled(NamedTuple):
    by: int
    space: int
    dice: Dice
    bonus: int
    number: int


class FightWon(NamedTuple):
    by: int
    space: int
    total: int
    number: int


class FightLost(NamedTuple):
    by: int
    space: int
    total: int
    number: int


class ThreatDefeated(NamedTuple):
    by: int
    space: int
    threat: str


class IncomeDue(NamedTuple):
    """An income that its owner has to answer (M3); `again`: it is still open before the recall."""

    by: int
    space: int
    again: bool


class IncomeTaken(NamedTuple):
    by: int
    space: int


class IncomeDeclined(NamedTuple):
    by: int
    space: int


class IncomeLapsed(NamedTuple):
    by: int
    space: int


class ChoiceLost(NamedTuple):
    by: int  # a choice that somebody else's move left without options (P8)
    kind: str


class ChoiceDropped(NamedTuple):
    by: int  # a choice that a correction made pointless
    kind: str


class RecordCorrected(NamedTuple):
    by: int
    parts: tuple[str, ...]


class LastRound(NamedTuple):
    by: int
    clause: str


class ThreatRolled(NamedTuple):
    roll: Spawned


class CardDrawn(NamedTuple):
    """A card of the real table that somebody has named."""

    pile: str
    card: str


class TrackRefreshed(NamedTuple):
    pile: str


class DeckRenewed(NamedTuple):
    pile: str


class CrisisTurned(NamedTuple):
    """What the wasteland does this round (U3)."""

    crisis: str


class HouseCallTurned(NamedTuple):
    """Something that the house call says begins to hold with this round, or does no longer (W1)."""


class InvaderMoved(NamedTuple):
    """A threat that marched along its level (U4)."""

    space: int
    to: int
    threat: str


class BrokeIn(NamedTuple):
    """An invader that reached the elevator (U5), and how many have by now; `by` owns the level."""

    by: int
    space: int
    threat: str
    breaches: int


class CubesStolen(NamedTuple):
    by: int
    resource: str
    amount: int


class DwellerStruck(NamedTuple):
    """A dweller injured at home: by a break-in, or for want of a toll (U5, U7)."""

    by: int


class DwellersRecalled(NamedTuple):
    pass


class RoundBegun(NamedTuple):
    round: int


class GameOver(NamedTuple):
    winners: tuple[int, ...]


# Events are values: those that happen most often are made once.
CUBES_GAINED: Final = tuple(
    tuple(CubesGained(colour, resource, amount) for amount in range(TRACK_LENGTH + 1))
    for colour in range(len(COLOURS))
    for resource in RESOURCES
)
"""By the track, as in `position.cubes`, and the amount."""
CUBES_PAID: Final = tuple(tuple(CubesPaid(*gained) for gained in track) for track in CUBES_GAINED)
CUBES_LOST: Final = tuple(tuple(CubesLost(*gained) for gained in track) for track in CUBES_GAINED)
EVERYBODY: Final = range(len(COLOURS))
TURN_PASSED: Final = tuple(TurnPassed(colour) for colour in EVERYBODY)
FIRST_PLAYER_GAINED: Final = tuple(FirstPlayerGained(colour) for colour in EVERYBODY)
DWELLERS_RECALLED: Final = DwellersRecalled()

# By colour, and ...
HAPPINESS_GAINED: Final = tuple(tuple(HappinessGained(colour, amount) for amount in range(8)) for colour in EVERYBODY)
"""... the amount, as far as one icon goes."""
DWELLER_TRAINED: Final = tuple(tuple(DwellerTrained(colour, letter) for letter in LETTERS) for colour in EVERYBODY)
"""... the letter, counted from 0."""
DWELLER_GAINED: Final = tuple(tuple(DwellerGained(colour, space) for space in range(SPACES)) for colour in EVERYBODY)
"""... the space, as all that follow."""
DWELLER_HEALED: Final = tuple(tuple(DwellerHealed(colour, space) for space in range(SPACES)) for colour in EVERYBODY)
INCOME_DUE: Final = tuple(
    tuple(IncomeDue(colour, space, again=False) for space in range(SPACES)) for colour in EVERYBODY
)
INCOME_TAKEN: Final = tuple(tuple(IncomeTaken(colour, space) for space in range(SPACES)) for colour in EVERYBODY)
ONE_INJURED: Final = tuple(tuple(DwellersInjured(colour, space, 1) for space in range(SPACES)) for colour in EVERYBODY)

_placed: dict[tuple[int, int, tuple[int, ...], bool], DwellersPlaced] = {}
_rolled: dict[tuple[int, Dice, int, int, str], ThreatRolled] = {}
_defeated: dict[tuple[int, int, str], ThreatDefeated] = {}


def dwellers_placed(by: int, space: int, dwellers: tuple[int, ...], doubled: bool) -> DwellersPlaced:
    """Return what is told of a placement, made when it first happens."""
    key = (by, space, dwellers, doubled)
    found = _placed.get(key)
    if found is None:
        found = _placed[key] = DwellersPlaced(by, space, dwellers, doubled)
    return found


def threat_rolled(level: int, dice: Dice, space: int, threat: int, why_not: str) -> ThreatRolled:
    """Return what is told of a level's roll, made when it first happens."""
    key = (level, dice, space, threat, why_not)
    found = _rolled.get(key)
    if found is None:
        found = _rolled[key] = ThreatRolled(Spawned(level, dice, space, threat, why_not))
    return found


def threat_defeated(by: int, space: int, threat: str) -> ThreatDefeated:
    """Return what is told of a threat that is gone, made when it first happens."""
    key = (by, space, threat)
    found = _defeated.get(key)
    if found is None:
        found = _defeated[key] = ThreatDefeated(by, space, threat)
    return found


_OwnInPassing = (
    DwellersPlaced | TurnPassed | CubesPaid | CubesGained | CubesLost | HappinessGained | DwellerGained
    | FirstPlayerGained | DwellersInjured | DwellerHealed | DwellerTrained | TrainingLost | ItemGained | ItemUsed
    | ItemReadied | ItemDiscarded | RoomBuilt | ThreatDefeated | IncomeTaken | IncomeDeclined | ChoiceLost
    | ChoiceDropped | RecordCorrected | CubesStolen | DwellerStruck
)  # fmt: skip
InPassing = _OwnInPassing | CardDrawn | TrackRefreshed | DeckRenewed | InvaderMoved
"""What happens many times a round: no lamp, voice or pause tells it."""
OfSomebody = _OwnInPassing | FightRolled | FightWon | FightLost | IncomeDue | IncomeLapsed | LastRound | BrokeIn
OfNobody = (
    ThreatRolled | CardDrawn | TrackRefreshed | DeckRenewed | DwellersRecalled | RoundBegun | GameOver | CrisisTurned
    | InvaderMoved | HouseCallTurned
)  # fmt: skip
Event = OfSomebody | OfNobody

NAMES: Final[dict[type[Event], str]] = {
    DwellersPlaced: "placed",
    TurnPassed: "passed",
    CubesPaid: "paid",
    CubesGained: "gained",
    CubesLost: "lost",
    HappinessGained: "happiness",
    DwellerGained: "dweller",
    FirstPlayerGained: "first",
    DwellersInjured: "injured",
    DwellerHealed: "healed",
    DwellerTrained: "trained",
    TrainingLost: "untrained",
    ItemGained: "item",
    ItemUsed: "item_used",
    ItemReadied: "item_ready",
    ItemDiscarded: "item_discarded",
    RoomBuilt: "built",
    FightRolled: "rolled",
    FightWon: "won",
    FightLost: "defeated",
    ThreatDefeated: "threat_defeated",
    IncomeDue: "income_due",
    IncomeTaken: "income",
    IncomeDeclined: "income_declined",
    IncomeLapsed: "income_lapsed",
    ChoiceLost: "choice_lost",
    ChoiceDropped: "choice_dropped",
    RecordCorrected: "corrected",
    LastRound: "last_round",
    ThreatRolled: "spawned",
    CardDrawn: "drawn",
    TrackRefreshed: "refreshed",
    DeckRenewed: "reshuffled",
    DwellersRecalled: "recalled",
    CrisisTurned: "crisis",
    HouseCallTurned: "house_call",
    InvaderMoved: "marched",
    BrokeIn: "broke_in",
    CubesStolen: "stolen",
    DwellerStruck: "struck",
    RoundBegun: "round",
    GameOver: "over",
}
"""How the contract calls them."""


def by(event: Event) -> str | None:
    """Return the colour whose event this is."""
    number = event.by if isinstance(event, OfSomebody) else NOBODY
    return None if number == NOBODY else COLOURS[number]


def serialize(event: Event) -> EventJson:
    """Return the event as JSON: its name, the colour if it is somebody's, and the rest in order."""
    told: EventJson = {"event": NAMES[type(event)]}
    whose = by(event)
    if whose is not None:
        told["by"] = whose
    what = _what(event)
    if what:
        told["what"] = what
    return told


def _what(event: Event) -> list[object]:
    match event:
        case ThreatRolled(roll):
            return [_roll(roll)]
        case GameOver(winners):
            return [[COLOURS[colour] for colour in winners]]
        case (
            CardDrawn() | TrackRefreshed() | DeckRenewed() | DwellersRecalled() | RoundBegun() | CrisisTurned()
            | InvaderMoved() | HouseCallTurned()
        ):  # fmt: skip
            return [*event]
        case _:
            return [list(value) if isinstance(value, tuple) else value for value in event[1:]]


def _roll(roll: Spawned) -> dict[str, object]:
    return {
        "level": roll.level + 1,
        "dice": list(roll.dice),
        "column": sum(roll.dice),
        "space": SPACE_NAMES[roll.space] if roll.space >= 0 else None,
        "why_not": roll.why_not or None,
        "spawned": roll.threat != NO_CARD,
    }
