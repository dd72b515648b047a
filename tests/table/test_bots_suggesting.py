"""Bots at a table that is watched: they say where their dweller goes, and the camera sees whether it went there."""

import pytest
from at_the_table import Eye
from bots_at_the_table import events

from companion.games.shelter.events import DwellersPlaced
from companion.refusal import Refusal
from companion.table.session.events import BotExplained, BotSuggested
from companion.table.session.intents import AskLegal, DeviceChanged, Follow, Propose, SeatBot, Speaker


@pytest.fixture
def watched(table):
    table.start(bots={"red": "fair"})
    eye = Eye(table)
    eye.look()
    return eye


def suggested(state):
    return state["suggestion"] is not None


def test_a_bot_says_where_its_dweller_goes_and_the_camera_agrees(table, bots, watched):
    here = bots()
    said = here.until(suggested)["suggestion"]
    assert said["by"] == "red"
    assert said["reason"]["why"]
    assert table.state["placed"] == {}
    assert events(table, BotSuggested)[-1] == BotSuggested(said["by"], said["move"], said["reason"])
    watched.put((said["move"]["space"], "red"))
    watched.look()
    state = here.until(lambda state: state["turn"] == "blue")
    assert state["placed"][said["move"]["space"]]["by"] == "red"
    assert state["suggestion"] is None
    assert watched.disagreements == []


def test_a_figure_put_elsewhere_counts_as_it_stands(table, bots, watched):
    here = bots()
    said = here.until(suggested)["suggestion"]
    other = next(
        move["space"]
        for move in table.session._state.position().legal()
        if move["do"] == "place" and move["space"] != said["move"]["space"]
    )
    watched.put((other, "red"))
    watched.look()
    state = here.until(lambda state: state["suggestion"] is None)
    assert list(state["placed"]) == [other]


@pytest.mark.usefixtures("watched")
def test_nobody_has_to_wait_for_the_camera(table, bots):
    here = bots()
    said = here.until(suggested)["suggestion"]
    with pytest.raises(Refusal):
        table.ask(Follow(Speaker()))
    table.ask(Follow(Speaker(frozenset({"blue"}), name="blue")))
    assert table.state["placed"][said["move"]["space"]]["by"] == "red"
    assert table.state["suggestion"] is None


@pytest.mark.usefixtures("watched")
def test_without_its_camera_the_table_does_not_wait_where_bots_play_at_once(table, bots):
    here = bots()
    said = here.until(suggested)["suggestion"]
    table.ask(DeviceChanged("camera", "failing", "The plug is out."))
    state = here.until(lambda state: state["placed"])
    assert said["move"]["space"] in state["placed"]
    assert events(table, BotExplained)


@pytest.mark.usefixtures("watched")
def test_what_was_said_is_forgotten_when_the_seat_is_taken_back(table, bots):
    here = bots()
    here.until(suggested)
    here.seat("red", None)
    assert table.state["suggestion"] is None
    assert table.state["placed"] == {}


def test_the_table_is_not_asked_about_a_bots_own_figure(table, bots):
    table.start(start={"players": {"red": {"available": ["plain", "S"]}}})
    eye = Eye(table)
    eye.look()
    doubled = _a_doubling_placement(table)
    table.ask(SeatBot("red", "fair"))
    table.ask(Propose(doubled, {"why": "resources"}))
    here = bots()
    eye.put((doubled["space"], "red"))
    eye.look()
    here.until(lambda state: doubled["space"] in state["placed"])
    assert events(table, DwellersPlaced)[-1].doubled


def _a_doubling_placement(table):
    """A legal placement of the trained dweller of which the camera cannot tell that it is no plain one."""
    offers = table.session.question(AskLegal("red")).result(30)
    return next(one.move for one in offers if one.doubled and one.move["dwellers"] == ["S"])
