"""Events as programs read them: names and shapes are the contract's."""

from typing import get_args

import pytest

from companion.games.api import CardName, Signal, Text
from companion.games.shelter import announcing, events
from companion.games.shelter.adapter import GAME
from companion.games.shelter.board.vault import Spawned
from companion.games.shelter.state import state_of
from companion.games.shelter.words import NO_CARD, NOBODY
from companion.languages import catalogues

from .play import a_game

SAMPLES = [
    (events.DwellersPlaced(1, 14, (0, 8), doubled=True), {"event": "placed", "by": "blue", "what": [14, [0, 8], True]}),
    (events.TurnPassed(0), {"event": "passed", "by": "red"}),
    (events.CubesPaid(0, "food", 2), {"event": "paid", "by": "red", "what": ["food", 2]}),
    (events.CubesGained(0, "food", 2), {"event": "gained", "by": "red", "what": ["food", 2]}),
    (events.CubesLost(0, "food", 2), {"event": "lost", "by": "red", "what": ["food", 2]}),
    (events.HappinessGained(2, 3), {"event": "happiness", "by": "green", "what": [3]}),
    (events.DwellerGained(0, 3), {"event": "dweller", "by": "red", "what": [3]}),
    (events.FirstPlayerGained(0), {"event": "first", "by": "red"}),
    (events.DwellersInjured(0, 3, 2), {"event": "injured", "by": "red", "what": [3, 2]}),
    (events.DwellerHealed(0, -1), {"event": "healed", "by": "red", "what": [-1]}),
    (events.DwellerTrained(0, "S"), {"event": "trained", "by": "red", "what": ["S"]}),
    (events.TrainingLost(0, "S"), {"event": "untrained", "by": "red", "what": ["S"]}),
    (events.ItemGained(0, "husky"), {"event": "item", "by": "red", "what": ["husky"]}),
    (events.ItemUsed(0, "husky"), {"event": "item_used", "by": "red", "what": ["husky"]}),
    (events.ItemReadied(0, "husky"), {"event": "item_ready", "by": "red", "what": ["husky"]}),
    (events.ItemDiscarded(0, "husky"), {"event": "item_discarded", "by": "red", "what": ["husky"]}),
    (events.RoomBuilt(0, "garden", 1, 4), {"event": "built", "by": "red", "what": ["garden", 1, 4]}),
    (events.FightRolled(0, 3, (3, 4), 1, 8), {"event": "rolled", "by": "red", "what": [3, [3, 4], 1, 8]}),
    (events.FightWon(0, 3, 8, 8), {"event": "won", "by": "red", "what": [3, 8, 8]}),
    (events.FightLost(0, 3, 7, 8), {"event": "defeated", "by": "red", "what": [3, 7, 8]}),
    (events.ThreatDefeated(0, 3, "raider"), {"event": "threat_defeated", "by": "red", "what": [3, "raider"]}),
    (events.IncomeDue(0, 3, again=True), {"event": "income_due", "by": "red", "what": [3, True]}),
    (events.IncomeTaken(0, 3), {"event": "income", "by": "red", "what": [3]}),
    (events.IncomeDeclined(0, 3), {"event": "income_declined", "by": "red", "what": [3]}),
    (events.IncomeLapsed(0, 3), {"event": "income_lapsed", "by": "red", "what": [3]}),
    (events.ChoiceLost(NOBODY, "drawn"), {"event": "choice_lost", "what": ["drawn"]}),
    (events.ChoiceDropped(0, "item"), {"event": "choice_dropped", "by": "red", "what": ["item"]}),
    (events.RecordCorrected(NOBODY, ("round",)), {"event": "corrected", "what": [["round"]]}),
    (events.LastRound(NOBODY, "T5"), {"event": "last_round", "what": ["T5"]}),
    (
        events.ThreatRolled(Spawned(1, (4, 5), -1, NO_CARD, "no_room")),
        {
            "event": "spawned",
            "what": [
                {"level": 2, "dice": [4, 5], "column": 9, "space": None, "why_not": "no_room", "spawned": False},
            ],
        },
    ),
    (
        events.ThreatRolled(Spawned(0, (1, 1), 0, 3, "")),
        {
            "event": "spawned",
            "what": [
                {"level": 1, "dice": [1, 1], "column": 2, "space": "1:L3a", "why_not": None, "spawned": True},
            ],
        },
    ),
    (events.CardDrawn("rooms", "garden"), {"event": "drawn", "what": ["rooms", "garden"]}),
    (events.TrackRefreshed("rooms"), {"event": "refreshed", "what": ["rooms"]}),
    (events.DeckRenewed("items"), {"event": "reshuffled", "what": ["items"]}),
    (events.DwellersRecalled(), {"event": "recalled"}),
    (events.RoundBegun(3), {"event": "round", "what": [3]}),
    (events.CrisisTurned("storm"), {"event": "crisis", "what": ["storm"]}),
    (events.HouseCallTurned(), {"event": "house_call"}),
    (events.InvaderMoved(0, 1, "raider"), {"event": "marched", "what": [0, 1, "raider"]}),
    (events.BrokeIn(0, 18, "raider", 2), {"event": "broke_in", "by": "red", "what": [18, "raider", 2]}),
    (events.BrokeIn(NOBODY, 5, "raider", 2), {"event": "broke_in", "what": [5, "raider", 2]}),
    (events.CubesStolen(0, "food", 1), {"event": "stolen", "by": "red", "what": ["food", 1]}),
    (events.DwellerStruck(0), {"event": "struck", "by": "red"}),
    (events.GameOver((0, 2)), {"event": "over", "what": [["red", "green"]]}),
]


def test_every_event_has_its_name_and_a_sample_here():
    assert set(events.NAMES) == set(get_args(events.Event)) == {type(event) for event, _ in SAMPLES}


@pytest.mark.parametrize(("event", "told"), SAMPLES)
def test_an_event_as_json(event, told):
    assert events.serialize(event) == GAME.serialize(event) == told
    assert GAME.by(event) == told.get("by")
    assert events.by(event) == told.get("by")


def test_lamps_announce_few():
    assert all(GAME.signal(event) == announcing.signal(event) for event, _ in SAMPLES)
    loud = {type(event): announcing.signal(event) for event, _ in SAMPLES if announcing.signal(event)}
    assert loud == {
        events.ThreatRolled: Signal.NEWS,
        events.CrisisTurned: Signal.NEWS,
        events.HouseCallTurned: Signal.NEWS,
        events.BrokeIn: Signal.NEWS,
        events.LastRound: Signal.LAST_ROUND,
        events.GameOver: Signal.OVER,
    }


def spoken(event, **spawned):
    state = state_of(a_game(3))
    state["players"]["red"]["name"] = "Ann"
    if spawned:
        state["spawned"] = [{"level": 1, "space": "1:R1b", "threat": "ghoul"}, spawned]
    return announcing.spoken(event, state)


def test_a_roll_of_the_threats_says_what_it_has_brought():
    raider = events.ThreatRolled(Spawned(1, (4, 5), 14, 3, ""))
    told = spoken(raider, level=2, space="2:L3b", threat="raider")
    assert told == Text("spawned", {"level": 2, "column": 9, "threat": "raider"})
    assert isinstance(told.fields["threat"], CardName)
    nothing = Text("nothing", {"level": 2, "column": 9})
    assert spoken(raider) == nothing
    assert spoken(raider, level=2, space="2:L3b", threat=None) == nothing
    assert (
        spoken(events.ThreatRolled(Spawned(1, (4, 5), -1, NO_CARD, "no_card")), level=2, space=None, threat="raider")
        == nothing
    )


def test_a_fight_a_round_and_the_end_are_said_with_names():
    assert spoken(events.FightRolled(0, 3, (3, 4), 2, 8)) == Text("rolled", {"player": "Ann", "total": 9})
    assert spoken(events.FightWon(0, 3, 9, 8)) == Text("won", {"player": "Ann"})
    assert spoken(events.FightLost(1, 3, 7, 8)) == Text("defeated", {"player": "Blue"})
    assert spoken(events.RoundBegun(3)) == Text("round", {"round": 3})
    assert spoken(events.LastRound(NOBODY, "T5")) == Text("last_round")
    assert spoken(events.GameOver((1,))) == Text("over", {"winners": ("Blue",)})
    assert spoken(events.GameOver((0, 2))) == Text("shared", {"winners": ("Ann", "Green")})


def test_a_break_in_is_said_with_how_many_more_are_borne_and_the_end_of_an_evening_together():
    state = state_of(a_game(3))
    state["together"] = {"limit": 5}
    broke_in = events.BrokeIn(0, 18, "raider", 3)
    assert announcing.spoken(broke_in, state) == Text("broke_in", {"threat": "raider", "level": 2, "left": 2})
    assert announcing.spoken(events.GameOver((0, 1, 2)), state) == Text("together_won")
    assert announcing.spoken(events.GameOver(()), state) == Text("together_lost")


def test_an_income_is_said_when_it_is_due_again_before_the_recall_and_when_it_lapses():
    said = [events.IncomeDue(0, 3, again=False), events.IncomeDue(1, 3, again=True), events.IncomeLapsed(2, 3)]
    assert [spoken(event) for event in said] == [
        Text("income_due", {"player": "Ann"}),
        Text("income_again", {"player": "Blue"}),
        Text("income_lapsed", {"player": "Green"}),
    ]


def test_a_bots_income_is_not_said():
    state = state_of(a_game(2))
    state["players"]["red"]["bot"] = "fair"
    assert announcing.spoken(events.IncomeDue(0, 3, again=False), state) is None


def test_what_is_said_has_its_line_and_most_is_not_said():
    loud = {type(event): spoken(event) for event, _ in SAMPLES if spoken(event)}
    assert set(loud) == {
        events.ThreatRolled, events.FightRolled, events.FightWon, events.FightLost, events.RoundBegun,
        events.LastRound, events.GameOver, events.IncomeDue, events.IncomeLapsed, events.CrisisTurned, events.BrokeIn,
    }  # fmt: skip
    assert {text.key for text in loud.values()} <= set(catalogues.catalogue("en", "voice"))
