"""Bots that fill chairs of the second game, as the table seats them."""

import pytest
from bots_at_the_table import events
from in_the_wasteland import begin

from companion.bots.wasteland.helper import SurvivorHelper
from companion.games.wasteland.adapter import GAME
from companion.refusal import Refusal
from companion.table.session.events import BotExplained
from companion.table.session.intents import SeatBot, Tap

MAPPED = {"scenario": "the-sunken-bell", "players": ["red", "blue"], "survivors": {}}


def whose_it_is(state):
    """Whether a person has something to do."""
    asked = state["pending"] and state["pending"][0]["by"] == "red"
    return asked or (not state["pending"] and (state["turn"] == "red" or state["phase"] == "enemies"))


def test_where_all_are_bots_the_game_plays_itself(table, bots):
    seated = bots()
    begin(table, **MAPPED, bots={"red": "easy", "blue": "easy"})
    state = seated.until(lambda state: state["round"] >= 3 or state["phase"] == "over")
    assert {player["bot"] for player in state["players"].values()} == {"easy"}
    said = {event.reason["why"] for event in events(table, BotExplained)}
    assert said & {"w_walk", "w_walk_quest", "w_encounter", "w_camp", "w_fight", "w_explore"}


def test_a_bot_plays_its_turn_and_leaves_the_others_and_the_enemies_to_people(table, bots):
    seated = bots()
    begin(table, **MAPPED, first="red", bots={"blue": "fair"})
    while True:
        state = seated.until(whose_it_is)
        if not state["pending"]:
            break
        choice = state["pending"][0]
        table.ask(Tap({"do": "choose", "by": "red", "id": choice["id"], "option": choice["options"][0]}))
    assert state["turn"] == "red"
    with pytest.raises(Refusal) as refused:
        table.ask(Tap({"do": "end", "by": "blue"}))
    assert refused.value.code == "not_your_turn"
    table.ask(Tap({"do": "end", "by": "red"}))
    state = seated.until(lambda state: state["phase"] == "enemies" or state["turn"] == "red")
    assert state["phase"] == "enemies"
    table.ask(Tap({"do": "reveal"}))
    assert GAME.has_bots


def test_a_seat_is_handed_to_a_bot_and_taken_back(table):
    begin(table, **MAPPED)
    table.ask(SeatBot("blue", "hard"))
    assert table.state["players"]["blue"]["bot"] == "hard"
    table.ask(SeatBot("blue", None))
    assert table.state["players"]["blue"]["bot"] is None


def test_bots_go_on_where_their_helper_dies_again_and_again(table, bots, monkeypatch):
    def killed(helper, *_):
        helper._process.kill()
        helper._process.join()

    monkeypatch.setattr(SurvivorHelper, "consider", killed)
    seated = bots()
    begin(table, **MAPPED, bots={"red": "easy", "blue": "hard"})
    state = seated.until(lambda state: state["phase"] in ("enemies", "over") or state["round"] > 1)
    assert state["devices"]["officer"]["state"] == "failing"
