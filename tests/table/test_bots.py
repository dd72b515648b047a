"""Bots at a real session: whole games, handing over and back, suggestions for a watched table, and helpers that die."""

import contextlib
import os
import signal

import pytest
from at_the_table import Eye
from bots_at_the_table import Bots, events

from companion.bots.officer import Officer
from companion.games.refusal import Refusal
from companion.table import officers as officers_module
from companion.table.inspecting import inspect
from companion.table.intents import (
    AskLegal,
    Button,
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
from companion.table.replaying import replay

RED, BLUE = Speaker(frozenset({"red"}), name="red"), Speaker(frozenset({"blue"}), name="blue")


@pytest.fixture
def bots(table):
    made = []

    def seat(**more):
        made.append(Bots(table, **more))
        return made[-1]

    yield seat
    for one in made:
        one.close()
        assert one.officers.helper is None


def test_bots_alone_play_a_whole_game(table, bots, monkeypatch):
    asked, consider = [], Officer.consider

    def considered(self, game, seat, version, character):
        asked.append((seat, version))
        consider(self, game, seat, version, character)

    monkeypatch.setattr(Officer, "consider", considered)
    table.start(players=["red", "blue", "green"], levels=["red", "blue", "green"], bots={"red": "easy", "blue": "fair"})
    here = bots(walks=2)
    here.seat("green", "hard")
    state = here.until(lambda state: state["phase"] == "over")
    assert state["result"]["winners"]
    found = inspect(table.folder)
    again = replay(found.games[found.current])
    assert again.trouble is None
    assert again.sitting.state()["result"] == state["result"]
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
            assert refusal.code in {"not_yet", "choice_open", "wrong_phase", "pending"}, refusal.code
            here.until(lambda newer, seq=state["seq"]: newer["seq"] > seq)
    assert {"red", "blue", "green"} == set(state["result"]["scores"])


def _one_of(table, state):
    """A move of red's, or of nobody's."""
    for choice in state["pending"]:
        if choice["by"] == "red":
            return Tap({"do": "choose", "by": "red", "id": choice["id"], "option": choice["options"][0]}, RED)
    if state["phase"] in ("spawn", "recall"):
        return Tap({"do": state["phase"]}, RED)
    moves = [move for move in table.session._desk.position().legal() if move.get("by") == "red"]
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
        (StartGame({"players": ["red", "blue"], "bots": {"red": "easy"}}, plays="wasteland"), "no_bots"),
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
    here.officers._thread.join(60)
    assert not here.officers._thread.is_alive()


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


# --- a table that is watched ------------------------------------------------------------------------------------------


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
    assert events(table, "suggested")[-1]["what"] == [said["move"], said["reason"]]
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
        for move in table.session._desk.position().legal()
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
    table.ask(Follow(BLUE))
    assert table.state["placed"][said["move"]["space"]]["by"] == "red"
    assert table.state["suggestion"] is None


@pytest.mark.usefixtures("watched")
def test_without_its_camera_the_table_does_not_wait(table, bots):
    here = bots()
    said = here.until(suggested)["suggestion"]
    table.ask(DeviceChanged("camera", "failing", "The plug is out."))
    state = here.until(lambda state: state["placed"])
    assert said["move"]["space"] in state["placed"]
    assert events(table, "reason")


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
    assert events(table, "placed")[-1]["what"][-1] is True


def _a_doubling_placement(table):
    """A legal placement of the trained dweller of which the camera cannot tell that it is no plain one."""
    offers = table.session.question(AskLegal("red")).result(30)
    return next(one.move for one in offers if one.doubled and one.move["dwellers"] == ["S"])


# --- helpers that die -------------------------------------------------------------------------------------------------


def killed_when_asked(monkeypatch, times):
    """Each question finds the helper killed in the middle of its thought, so many times."""
    killed = []
    consider = Officer.consider

    def considered(self, *question):
        consider(self, *question)
        if len(killed) < times:
            killed.append(self.pid)
            os.kill(self.pid, signal.SIGKILL)

    monkeypatch.setattr(Officer, "consider", considered)
    return killed


def test_a_helper_that_is_killed_in_mid_thought_is_started_again(table, bots, monkeypatch):
    table.start(bots={"red": "hard"})
    killed = killed_when_asked(monkeypatch, 1)
    here = bots(walks=40)
    state = here.until(lambda state: state["placed"])
    assert len(killed) == 1
    assert here.officers.helper.pid not in killed
    said = [event for event in events(table, "device") if event["device"] == "officer"]
    assert [event["state"] for event in said] == ["restarted", "ok"]
    assert "officer" in state["devices"]


def test_bots_play_on_though_every_helper_dies(table, bots, monkeypatch):
    table.start(bots={"red": "hard", "blue": "hard"})
    killed = killed_when_asked(monkeypatch, 1000)
    here = bots()
    state = here.until(lambda state: state["round"] > 1)
    assert len(killed) == officers_module.DEATHS
    assert state["devices"]["officer"] == {"state": "failing", "hint": officers_module.FAILING}
    said = [event["state"] for event in events(table, "device") if event["device"] == "officer"]
    assert said == ["restarted", "failing"]


def test_a_bot_is_beaten_by_no_bug(table, bots, monkeypatch):
    table.start(bots={"red": "hard", "blue": "fair"})
    killed_when_asked(monkeypatch, 1000)
    monkeypatch.setattr(officers_module.Greedy, "choose", lambda *_: 1 / 0)
    here = bots()
    state = here.until(lambda state: state["round"] > 1)
    assert state["devices"]["officer"]["state"] == "failing"


def test_a_helper_that_stands_still_is_ended(table, bots, monkeypatch):
    table.start(bots={"red": "fair"})
    stopped = []
    consider = Officer.consider

    def considered(self, *question):
        if not stopped:
            stopped.append(self.pid)
            os.kill(self.pid, signal.SIGSTOP)
        consider(self, *question)

    monkeypatch.setattr(Officer, "consider", considered)
    here = bots(patience=1.5)
    here.until(lambda state: state["placed"])
    assert here.officers.helper.pid not in stopped
