"""How an event is announced: lamps and buzzer, how long people look at it, and what is said aloud."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from companion.cards.evenings.house_calls import EVERYWHERE
from companion.games.api import CardName, Names, Sentences, Signal, Text, name_of
from companion.games.shelter.events import (
    BrokeIn,
    CrisisTurned,
    DwellersRecalled,
    Event,
    FightLost,
    FightRolled,
    FightWon,
    GameOver,
    HouseCallTurned,
    IncomeDue,
    IncomeLapsed,
    InPassing,
    LastRound,
    RoundBegun,
    ThreatRolled,
)
from companion.games.shelter.words import COLOURS, NO_CARD, SPACE_NAMES, SPACES_A_LEVEL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.games.shelter.board.vault import Spawned
    from companion.games.shelter.state import ShelterState


def signal(event: Event) -> Signal | None:
    """Return how lamps and buzzer announce the event, if they do."""
    if isinstance(event, InPassing):
        return None
    match event:
        case ThreatRolled() | CrisisTurned() | BrokeIn() | HouseCallTurned():
            return Signal.NEWS
        case LastRound():
            return Signal.LAST_ROUND
        case GameOver():
            return Signal.OVER
        case (
            FightRolled() | FightWon() | FightLost() | IncomeDue() | IncomeLapsed() | DwellersRecalled() | RoundBegun()
        ):
            return None
        case _:
            assert_never(event)


def seconds_to_see(event: Event) -> float:
    """Return how long people look at what happened: a card has to be found and laid, a stamp to be read."""
    if isinstance(event, InPassing):
        return 0.0
    match event:
        case ThreatRolled(roll):
            return 1.8 if roll.threat == NO_CARD else 3.2
        case FightRolled():
            return 1.2
        case FightWon() | FightLost() | BrokeIn():
            return 4.0
        case DwellersRecalled() | LastRound() | CrisisTurned() | HouseCallTurned():
            return 3.0
        case IncomeDue() | IncomeLapsed() | RoundBegun() | GameOver():
            return 0.0
        case _:
            assert_never(event)


def spoken(event: Event, state: ShelterState) -> Text | None:
    """Return what is said aloud of an event; most are not worth a word."""
    if isinstance(event, InPassing):
        return None
    match event:
        case ThreatRolled(roll):
            return _threat(roll, state)
        case FightRolled() | FightWon() | FightLost():
            return _fight(event, state)
        case IncomeDue() | IncomeLapsed():
            return _income(event, state)
        case RoundBegun(number):
            return Text("round", {"round": number})
        case LastRound():
            return Text("last_round")
        case CrisisTurned() | BrokeIn() | HouseCallTurned():
            return _of_the_evening(event, state)
        case GameOver(winners):
            return _end(winners, state)
        case DwellersRecalled():
            return None
        case _:
            assert_never(event)


def house_call(state: ShelterState) -> Text | None:
    """Return what the house call of the evening is called and says, in its own words (W1); None: there is none."""
    told = state.get("house_call")
    return None if told is None else call_text(told["id"], told["names"], told["effects"])


def call_text(id_: str, names: dict[str, str], effects: Sequence[Mapping[str, object]]) -> Text:
    """Return what a house call is called, and what its effects do."""
    name = Names(names) if names else Text(f"call_{id_.replace('-', '_')}")
    says = Sentences([call_effect(effect) for effect in effects])
    return Text("house_call", {"name": name, "says": says})


def call_effect(effect: Mapping[str, object]) -> Text:
    """Return what one effect of a house call does, where and when."""
    of = f"_{effect['of']}" if "of" in effect else ""
    what = Text(f"does_{effect['do']}{of}", {"n": _number(effect.get("amount", 1))})
    where = effect.get("where", EVERYWHERE)
    first, last = _number(effect.get("from", 1)), _number(effect.get("until", 0))
    placed = what if where == EVERYWHERE else Text(f"where_{where}", {"what": what})
    when = "always" if first == 1 and not last else "until" if first == 1 else "between" if last else "from"
    return Text(f"when_{when}", {"what": placed, "first": first, "last": last})


def _number(raw: object) -> int:
    return raw if isinstance(raw, int) else 0


def _fight(event: FightRolled | FightWon | FightLost, state: ShelterState) -> Text:
    who = name_of(state, COLOURS[event.by])
    if isinstance(event, FightRolled):
        return Text("rolled", {"player": who, "total": sum(event.dice) + event.bonus})
    return Text("won" if isinstance(event, FightWon) else "defeated", {"player": who})


def _of_the_evening(event: CrisisTurned | BrokeIn | HouseCallTurned, state: ShelterState) -> Text | None:
    """Return what is said of a house call, of the crisis of the round, and of a break-in and those left (U3, U6)."""
    if isinstance(event, HouseCallTurned):
        return house_call(state)
    if isinstance(event, CrisisTurned):
        return Text(f"crisis_{event.crisis}")
    limit = state["together"]["limit"] if "together" in state else event.breaches
    where = {"level": event.space // SPACES_A_LEVEL + 1, "left": max(0, limit - event.breaches)}
    return Text("broke_in", {"threat": CardName(event.threat), **where})


def _end(winners: tuple[int, ...], state: ShelterState) -> Text:
    if "together" in state:
        return Text("together_won" if winners else "together_lost")
    names = tuple(name_of(state, COLOURS[colour]) for colour in winners)
    return Text("over" if len(names) == 1 else "shared", {"winners": names})


def _income(event: IncomeDue | IncomeLapsed, state: ShelterState) -> Text | None:
    """Return what is said of an open income; a bot takes its own and needs no telling."""
    colour = COLOURS[event.by]
    key = "income_lapsed" if isinstance(event, IncomeLapsed) else "income_again" if event.again else "income_due"
    return None if state["players"][colour].get("bot") else Text(key, {"player": name_of(state, colour)})


def _threat(roll: Spawned, state: ShelterState) -> Text:
    space = SPACE_NAMES[roll.space] if roll.space >= 0 else None
    threat = next((row["threat"] for row in state["spawned"] if row["space"] == space), None)
    where = {"level": roll.level + 1, "column": sum(roll.dice)}
    if roll.threat == NO_CARD or threat is None:
        return Text("nothing", where)
    return Text("spawned", {**where, "threat": CardName(threat)})
