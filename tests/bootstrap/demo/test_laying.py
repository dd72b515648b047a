"""A game that goes on: when it does, and how its table is laid."""

import random

import pytest

from companion.app.demo import helper
from companion.games.registry import game_of
from companion.table.record.record import Record
from companion.table.session.intents import AskLegal, StartGame, Tap
from companion.table.session.session import Session
from companion.table.sight.difference import differences
from companion.table.sight.reading import Reading

MAT = game_of("shelter").mat
SETUP = {"players": ["red", "blue"], "bots": {"blue": "easy"}}


@pytest.fixture
def session(tmp_path):
    with Record(tmp_path) as record:
        session = Session(record)
        session.start()
        session.ask(StartGame(SETUP, pack="homemade", seed="1")).result(30)
        yield session
        session.stop()


def state_of(session):
    return session.snapshots.latest.state


def of_what_lies_there(table):
    """What eyes that make no mistake would read."""
    rooms = {f"{level}:{slot}" for level in range(1, 6) for slot in ("L3", "L2", "L1", "E", "R1", "R2", "R3")}
    spaces = {f"{room}{side}" for room in rooms for side in "ab"}
    found = {place: table.card_at(place) for place in rooms}
    threats = {space: table.card_at(space, threat=True) for space in spaces if not space.split(":")[1].startswith("E")}
    return Reading.from_json(
        {
            "table": "found",
            "rooms": {place: {"card": card} for place, card in found.items() if card},
            "threats": {space: {"card": card} for space, card in threats.items() if card},
            "tracks": {track: [table.card_at(f"{track}:{n}") for n in range(3)] for track in ("items", "rooms")},
            "dwellers": [
                {"space": space, "player": one.player, "pose": "lying" if one.lying else "standing", "confidence": 1.0}
                for one in table.scene.figures
                if (space := table.space_of(one)) is not None
            ],
            "unsure": [],
        }
    )


def test_a_table_is_laid_as_the_record_has_it(session, drawn):
    rng = random.Random(5)
    compared = 0
    for _ in range(250):
        state = state_of(session)
        if state["phase"] in helper.DONE:
            break
        moves = [offer.move for offer in session.question(AskLegal()).result(30)]
        session.ask(Tap(rng.choice([move for move in moves if move["do"] != "pass"] or moves))).result(30)
        state = state_of(session)
        if not state["pending"] and state["placed"]:
            helper.lay(drawn.table, state)
            assert differences(of_what_lies_there(drawn.table), MAT.lies(state)) == []
            at_home = sum(drawn.table.space_of(one) is None for one in drawn.table.scene.figures)
            placed = sum(len(standing["dwellers"]) for standing in state["placed"].values())
            assert at_home + placed == sum(player["total"] for player in state["players"].values())
            compared += 1
    assert compared > 20


@pytest.mark.parametrize(
    ("change", "does"),
    [
        ({}, True),
        ({"phase": "frozen"}, True),
        ({"phase": "over"}, False),
        ({"phase": "none"}, False),
        ({"game": "wasteland"}, False),
        ({"options": {"pack": "standard", "cards": "companion"}}, False),
        ({"options": {"pack": "homemade", "cards": "table"}}, False),
    ],
)
def test_a_game_goes_on_that_is_one_of_this_table(session, change, does):
    assert helper.goes_on({**state_of(session), **change}, SETUP, "homemade") is does


def test_other_players_or_more_bots_begin_anew(session):
    state = state_of(session)
    assert not helper.goes_on(state, {"players": ["red", "blue", "green"], "bots": {"blue": "easy"}}, "homemade")
    assert not helper.goes_on(state, {"players": ["red", "blue"], "bots": {}}, "homemade")
