"""Bots at a real session: whole games, handing a seat over and taking it back."""

import contextlib

import pytest

from companion.bots.policy.helper_process import BotHelper
from companion.games.api import Button
from companion.games.wasteland.adapter import GAME as WASTELAND
from companion.refusal import Refusal
from companion.table.record.open_game import replay
from companion.table.record.verify import inspect
from companion.table.session.intents import (
    ButtonPressed,
    DeviceChanged,
    Follow,
    Freeze,
    Propose,
    SeatBot,
    Speaker,
    StartGame,
    Tap,
    Thaw,
)

RED, BLUE = Speaker(frozenset({"red"}), name="red"), Speaker(frozenset({"blue"}), name="blue")


def test_bots_alone_play_a_whole_game(table, bots, monkeypatch):
    asked, consider = [], BotHelper.consider

    def considered(self, game, seat, version, character):
        asked.append((seat, version))
        consider(self, game, seat, version, character)

    monkeypatch.setattr(BotHelper, "consider", considered)
    table.start(players=["red", "blue", "green"], levels=["red", "blue", "green"], bots={"red": "easy", "blue": "fair"})
    here = bots(walks=2)
    here.seat("green", "hard")
    state = here.until(lambda state: state["phase"] == "over")
    assert state["result"]["winners"]
    found = inspect(table.folder)
    again = replay(found.games[found.current])
    assert again.trouble is None
    assert again.open_game.state()["result"] == state["result"]
    moves = [entry.body for entry in found.games[found.current] if entry.kind == "move"]
    assert {move["by"] for move in moves} == {"bot"}
    assert len(set(asked)) == len(asked)


def test_two_bots_play_a_whole_game_with_a_person(table, bots):
    table.start(
        players=["red", "blue", "green"], levels=["red", "blue", "green"], bots={"blue": "fair", "green": "easy"}
    )
    here = bots()

    def mine(state):
        return state["phase"] in ("spawn", "recall", "over") or "red" in (
            state["turn"] if state["phase"] == "place" else "",
            *(one["by"] for one in state["pending"]),
        )

    while (state := here.until(mine))["phase"] != "over":
        try:
            table.ask(_one_of(table, state))
        except Refusal as refusal:  # a bot's income was still open
            assert refusal.code in {"not_yet", "choice_open", "wrong_phase", "pending", "income_open"}, refusal.code
            assert refusal.fields.get("by") != "red", refusal
            here.until(lambda newer, seq=state["seq"]: newer["seq"] > seq)
    assert {"red", "blue", "green"} == set(state["result"]["scores"])


def _one_of(table, state):
    """A move of red's, or of nobody's."""
    for choice in state["pending"]:
        if choice["by"] == "red":
            return Tap({"do": "choose", "by": "red", "id": choice["id"], "option": choice["options"][0]}, RED)
    if state["phase"] in ("spawn", "recall"):
        return Tap({"do": state["phase"]}, RED)
    moves = [move for move in table.session._state.position().legal() if move.get("by") == "red"]
    return Tap(next((move for move in moves if move["do"] == "place"), moves[0]), RED)


def test_a_seat_is_handed_over_and_taken_back_in_the_middle(table, bots):
    table.start()
    here = bots()
    table.tap("place", RED, by="red", space="1:R1a")
    table.all_answered()
    here.seat("blue", "fair", speaker=BLUE)
    state = here.until(lambda state: state["turn"] == "red" and not state["pending"])
    assert any(standing["by"] == "blue" for standing in state["placed"].values())
    assert state["players"]["blue"]["bot"] == "fair"
    here.seat("blue", None, speaker=BLUE)
    table.tap("pass", RED, by="red")
    assert table.state["turn"] == "blue"
    assert table.state["players"]["blue"]["bot"] is None
    with pytest.raises(Refusal) as refused:
        table.ask(Propose({"do": "pass", "by": "blue"}))
    assert refused.value.code == "no_bot"
    table.tap("pass", BLUE, by="blue")


def test_who_plays_is_in_the_record(table):
    table.start(bots={"blue": "hard"})
    table.tap("place", by="red", space="1:R1a")
    table.ask(SeatBot("red", "easy"))
    table.ask(SeatBot("blue", None))
    table.tap("undo")
    assert table.state["placed"] == {}
    table.again()
    assert {colour: player["bot"] for colour, player in table.state["players"].items()} == {
        "red": "easy",
        "blue": None,
    }
    version = table.state["version"]
    table.ask(SeatBot("red", "easy"))
    assert table.state["version"] == version


@pytest.mark.parametrize(
    ("intent", "code"),
    [
        (SeatBot("green", "hard"), "no_such_seat"),
        (SeatBot("red", "devious"), "no_such_character"),
        (SeatBot("red", "hard", BLUE), "not_yours"),
        (SeatBot("red", None, Speaker()), "not_yours"),
        (Follow(), "no_suggestion"),
        (Propose({"do": "spawn"}), "no_bot"),
        (StartGame({"players": ["red", "blue"], "bots": {"red": "devious"}}), "no_such_character"),
        (StartGame({"players": ["red", "blue"], "bots": {"green": "easy"}}), "no_such_seat"),
        (StartGame({"players": ["red", "blue"], "bots": ["red"]}), "malformed"),
        (StartGame({"players": ["red", "blue"], "bots": {"green": "easy"}}, plays="wasteland"), "no_such_seat"),
    ],
)
def test_what_cannot_be_is_refused(table, intent, code):
    table.start()
    with pytest.raises(Refusal) as refused:
        table.ask(intent)
    assert refused.value.code == code


def test_a_bot_is_taken_back_with_the_persons_move(table, bots):
    table.start(bots={"blue": "fair"})
    here = bots()
    table.tap("place", RED, by="red", space="1:R1a")
    here.until(lambda state: len(state["placed"]) > 1 and state["turn"] == "red" and not state["pending"])
    table.tap("undo", RED)
    assert table.state["placed"] == {}
    assert table.state["turn"] == "red"
    table.tap("redo")
    here.until(lambda state: len(state["placed"]) > 1)
    table.ask(ButtonPressed(Button.UNDO, held=True))
    assert table.state["placed"] == {}


def test_a_game_of_bots_alone_goes_back_by_one_move(table):
    table.start(bots={"red": "fair", "blue": "fair"})
    table.ask(Propose({"do": "place", "by": "red", "space": "1:R1a"}))
    table.tap("undo")
    assert table.state["placed"] == {}


def test_nothing_happens_while_the_game_is_put_away(table, bots):
    table.start(bots={"red": "fair"})
    table.ask(Freeze())
    here = bots()
    table.ask(DeviceChanged("panel", "ok"))
    assert table.state["placed"] == {}
    table.ask(Thaw())
    here.until(lambda state: state["placed"])


def test_a_table_that_disappears_takes_the_bots_along(table, bots):
    table.start(bots={"blue": "fair"})
    here = bots()
    table.session.stop()
    here.thread._thread.join(60)
    assert not here.thread._thread.is_alive()


def test_with_real_decks_bots_wait_for_the_cards_that_people_tell(table, bots):
    table.start(cards="table", bots={"red": "fair", "blue": "hard"})
    here = bots()

    def asks_or_goes_on(state):
        return state["round"] > 2 or any(choice["by"] is None for choice in state["pending"])

    while (state := here.until(asks_or_goes_on))["round"] <= 2:
        for choice in state["pending"]:
            if choice["by"] is None:
                with contextlib.suppress(Refusal):  # a bot was quicker, and the card is another one now
                    table.tap("choose", id=choice["id"], option=choice["options"][0])
    assert table.state["devices"].get("officer") is None


def test_a_polite_bot_waits_until_people_have_seen_what_happened(table, bots):
    """Otherwise its move replaced dice and stamp before anybody could read them."""
    table.start(players=["red", "blue"], levels=["red", "blue"], first="red")
    table.tap(do="correct", set={"threats": {"1:R1a": "raider"}, "players": {"red": {"available": ["plain"]}}})
    here = bots(polite=True)
    here.seat("blue", "fair")
    table.tap(do="place", by="red", space="1:R1a")
    table.tap(do="choose", by="red", option="roll", dice=[[1, 1]])
    here.until(lambda state: any(one["by"] == "blue" for one in state["placed"].values()))
    shown = table.session.snapshots.all_newer_than(0, 0)
    lost = next(one for one in shown if one.seconds_to_see)
    moved = next(one for one in shown if any(placed["by"] == "blue" for placed in one.state["placed"].values()))
    assert lost.seconds_to_see > 4
    assert moved.at - lost.at >= lost.seconds_to_see


def test_a_game_without_bots_seats_none(table, monkeypatch):
    monkeypatch.setattr(type(WASTELAND), "has_bots", False)
    with pytest.raises(Refusal) as refused:
        table.ask(StartGame({"players": ["red", "blue"], "bots": {"red": "easy"}}, plays="wasteland"))
    assert refused.value.code == "no_bots"
