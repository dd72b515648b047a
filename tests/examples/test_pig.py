"""A game from outside: 250 lines and a line of configuration, and everything the table has serves it."""

import json
import re
from queue import Queue

import pytest
from click.testing import CliRunner

from companion.app.config import Config
from companion.app.devices import Devices
from companion.app.runtime import TableRuntime
from companion.cli import main
from companion.games import registry
from companion.games.api import Button, View
from companion.refusal import Refusal
from companion.table.record.record import Record
from companion.table.session.intents import AskLegal, SeatBot, StartGame, Tap
from hardware.panel.pins import Fingers
from hardware.panel.wiring import load as wiring
from hardware.voice.voice import SpokenVoice
from tests.network.conftest import league, listening, mosquitto, place
from tests.table.at_the_table import BLUE, RED, WAIT, Table

from .playing import PIG, ROOT, SCENARIOS, begin

__all__ = ["league", "listening", "mosquitto", "place"]
SOON = 20
pytestmark = pytest.mark.usefixtures("pig")


@pytest.fixture
def table(tmp_path):
    made = Table(tmp_path / "data")
    yield made
    made.close()


def what_counts(state):
    return [state[key] for key in ("id", "round", "turn", "players", "pot", "die", "result")]


def roll(table, by, die):
    return table.tap("roll", by=by, dice=[[die, 6]])


# --- how much it is, and its rules ------------------------------------------------------------------------------------


def test_it_is_a_page_of_python_and_a_catalogue():
    files = [file for file in PIG.iterdir() if file.suffix in (".py", ".toml")]
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files) <= 250
    added = [line for line in (PIG / "companion.toml").read_text(encoding="utf-8").splitlines() if "=" in line]
    assert added == ['games = ["pig:Pig"]']


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_a_scenario(file):
    done = CliRunner().invoke(main, ["scenario", str(file), "--config", str(PIG / "companion.toml")])
    assert (done.exit_code, done.output) == (0, "1 passed, 0 failed\n")


def test_a_scenario_that_does_not_hold_says_what(tmp_path):
    wrong = json.loads(SCENARIOS[0].read_text(encoding="utf-8"))
    wrong["then"]["players"]["red"]["points"] = 7
    wrong["then_events"] = [{"event": "flew"}]
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps(wrong), encoding="utf-8")
    done = CliRunner().invoke(main, ["scenario", str(file), "--config", str(PIG / "companion.toml")])
    assert done.exit_code == 1
    assert "players.red.points: wanted 7, found 0" in done.output
    assert "no event like {'event': 'flew'}" in done.output


def test_the_scenario_of_the_document_holds(tmp_path):
    (text,) = re.findall(r"```json\n(.*?)```", (ROOT / "docs/games.md").read_text(encoding="utf-8"), re.DOTALL)
    file = tmp_path / "document.json"
    file.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, ["scenario", str(file), "--config", str(PIG / "companion.toml")])
    assert (done.exit_code, done.output) == (0, "1 passed, 0 failed\n")


def test_a_configuration_that_names_no_game_ends_the_command_in_one_line(tmp_path):
    file = tmp_path / "companion.toml"
    file.write_text('[table]\ngames = ["pog:Pig"]\n', encoding="utf-8")
    done = CliRunner().invoke(main, ["scenario", str(SCENARIOS[0]), "--config", str(file)])
    assert (done.exit_code, done.output.count("\n")) == (1, 1)
    assert "pog:Pig cannot be imported" in done.output


def test_its_moves_are_read_and_written(pig):
    for raw in (
        {"do": "roll", "by": "red"},
        {"do": "roll", "by": "red", "dice": [[4, 6]]},
        {"do": "hold", "by": "blue"},
        {"do": "correct", "set": {"pot": 3}},
        {"do": "correct", "by": "red", "set": {}},
    ):
        assert pig.write(pig.read(raw)) == raw
    for raw in (
        None,
        {"do": "roll"},
        {"do": "hold", "by": "red", "dice": [[1, 1]]},
        {"do": "roll", "by": "red", "dice": [[7, 1]]},
        {"do": "roll", "by": "red", "dice": [[True, 1]]},
        {"do": "correct", "set": []},
    ):
        with pytest.raises(Refusal, match="is not like"):
            pig.read(raw)


# --- the session: undo, seats, the record -----------------------------------------------------------------------------


def test_it_is_played_undone_and_taken_up_again(table):
    begin(table)
    roll(table, "red", 5)
    table.tap("roll", RED)
    fell = table.state["pot"], table.state["die"]
    table.tap("undo", RED)
    assert (table.state["pot"], table.state["die"]) == (5, 5)
    table.tap("roll", RED)
    assert (table.state["pot"], table.state["die"]) == fell  # a roll made again after an undo falls the same
    state = table.state
    table.again()
    assert what_counts(table.state) == what_counts(state)
    table.tap("undo", to=0)
    table.tap("redo")
    assert table.state["pot"] == fell[0]


def test_seats_speak_for_themselves(table):
    begin(table)
    with pytest.raises(Refusal) as refused:
        table.tap("roll", BLUE, by="red")
    assert refused.value.code == "not_yours"
    with pytest.raises(Refusal) as refused:
        table.tap("roll", BLUE)
    assert (refused.value.code, refused.value.clause) == ("not_your_turn", "PIG-1")


@pytest.mark.parametrize("players", [["red"], ["red", "red"], ["red", "black"]])
def test_players_are_two_to_four_colours(table, players):
    with pytest.raises(Refusal) as refused:
        table.ask(StartGame({"players": players}, plays="pig"))
    assert refused.value.code == "bad_players"


@pytest.mark.parametrize(
    "setup",
    [
        {},
        {"players": "red"},
        {"players": [["red"], {}]},
        {"players": ["red", "blue"], "start": [3]},
        {"players": ["red", "blue"], "start": {"players": {"red": 3}}},
        {"players": ["red", "blue"], "starting": {}},
    ],
)
def test_a_setup_that_is_none_is_refused(table, setup):
    with pytest.raises(Refusal) as refused:
        table.ask(StartGame(setup, plays="pig"))
    assert refused.value.code == "malformed"
    begin(table)  # the session is there as before


def test_no_bot_takes_a_seat(table):
    begin(table)
    with pytest.raises(Refusal) as refused:
        table.ask(SeatBot("blue", "fair"))
    assert (refused.value.code, refused.value.fields) == ("no_bots", {"game": "pig"})


def test_a_whole_game_by_what_is_legal(table):
    begin(table, "green", "yellow", "red")
    for _ in range(1000):
        moves = [offer.move for offer in table.session.question(AskLegal()).result(WAIT)]
        if not moves:
            break
        enough = table.state["pot"] >= 18
        table.ask(Tap(next(move for move in moves if move["do"] == ("hold" if enough else "roll"))))
    assert table.state["phase"] == "over"
    (winner,) = table.state["result"]["winners"]
    assert table.state["players"][winner]["points"] >= 50


def test_a_correction_puts_points_right_and_names_a_player(table):
    begin(table, names={"blue": "Bo"})
    table.tap("correct", set={"players": {"blue": {"points": 3}}})
    assert table.state["players"]["blue"] == {"points": 3, "name": "Bo"}
    table.tap("correct", set={"players": {"red": {"points": 30, "name": "Ada"}}, "turn": "blue", "pot": 4})
    assert table.state["players"]["red"] == {"points": 30, "name": "Ada"}
    assert (table.state["turn"], table.state["pot"]) == ("blue", 4)
    before = table.state
    for wrong in (
        {"players": {"green": {}}},
        {"players": {"red": {"points": 1}, "blue": 3}},
        {"players": {"red": {"points": 100}}},
        {"players": {"red": {"name": 3}}},
        {"players": []},
        {"pot": "much"},
        {"pot": 1, "turn": 3},
    ):
        with pytest.raises(Refusal):
            table.tap("correct", set=wrong)
        assert table.state["players"] == before["players"]
    table.tap("correct", set={key: before[key] for key in ("players", "turn", "pot", "round", "order")})
    assert what_counts(table.state) == what_counts(before)


def test_the_record_is_read_from_the_command_line(table):
    begin(table)
    roll(table, "red", 5)
    table.tap("hold", by="red")
    folder = table.folder
    (folder / "companion.toml").write_text((PIG / "companion.toml").read_text(encoding="utf-8"), encoding="utf-8")
    table.session.stop()
    table.record.close()
    run = CliRunner().invoke
    told = run(main, ["replay", "game-1", "--data", str(folder)])
    assert "red: 5 points" in told.output, told.output
    assert run(main, ["export", "game-1", "--format", "csv", "--data", str(folder)]).output.startswith("nth")
    table.open()


def test_a_record_of_a_game_that_is_no_longer_added_is_told_and_kept(table, pig):
    begin(table)
    roll(table, "red", 5)
    registry.remove("pig")
    table.again()
    assert table.state["phase"] == "none"
    assert "There is no game 'pig'" in table.state["record"]["trouble"]["why"]
    registry.add("pig:Pig")
    table.again()
    assert (table.state["game"], table.state["pot"]) == (pig.name, 5)


# --- the panel, the voice, the network --------------------------------------------------------------------------------


def test_the_button_roll_rolls_and_the_own_colour_keeps(tmp_path):
    """A whole game of one player who is lucky, on pretended pins, through the real panel, session and record."""
    fingers = Fingers(wiring())
    with Record(tmp_path) as record:
        runtime = TableRuntime(record, Config(voice=False), Devices(None, tmp_path, wiring(), lambda: fingers.chip))
        runtime.start()
        session = runtime.session

        def until(holds):
            seen = session.snapshots.latest
            while not holds(seen.state):
                seen = session.snapshots.newer_than(seen.seq, SOON)
                assert seen is not None, session.snapshots.latest.state
            return seen.state

        def press(button, holds):
            fingers.down(button)
            state = until(holds)
            fingers.let_go(button)
            return state

        try:
            until(lambda state: state["panel"] == "ok")
            session.ask(StartGame({"players": ["red", "blue"]}, plays="pig", seed="a lucky one")).result(SOON)
            turns = 0
            while session.snapshots.latest.state["phase"] != "over":
                before = session.snapshots.latest.state
                thrown = press(Button.ROLL, lambda now, was=before["version"]: now["version"] > was)
                if thrown["turn"] == before["turn"] and thrown["pot"] >= 15:
                    colour = Button(thrown["turn"])
                    press(colour, lambda now, was=thrown["version"]: now["version"] > was)
                turns += 1
                assert turns < 500
            seen = session.snapshots.latest.seq
            fingers.down(Button.THREATS)
            said = session.snapshots.all_newer_than(seen, SOON)
            assert [event["code"] for one in said for event in one.events_as_json()] == ["button_unused"]
        finally:
            runtime.close()
        entries = len(record.entries(record.current))
    assert entries > turns


def test_the_voice_says_what_fell_in_its_own_words(table):
    said = Queue()
    voice = SpokenVoice(Queue().put, speak=lambda _, text: said.put(text))
    voice.start()

    def heard():
        voice.tell(table.session.snapshots.latest)
        return said.get(timeout=SOON)

    try:
        begin(table)
        table.tap("correct", set={"players": {"red": {"name": "Ada", "points": 44}}})
        roll(table, "red", 6)
        assert heard() == "Ada throws 6: 6 points."
        table.tap("hold", by="red")
        assert heard() == "Ada keeps 6 points. The game is over. Ada wins."
        begin(table)
        roll(table, "red", 1)
        assert heard() == "Red throws a one, and the points are gone."
    finally:
        voice.close()


def test_the_broker_hears_of_it(mosquitto, listening, place):
    broker = mosquitto()
    ear = listening(broker.port)
    at = place(broker.port, "Kitchen")
    at.connected()
    begin(at.table, start={"players": {"red": {"points": 48}}})
    roll(at.table, "red", 5)
    at.table.tap("hold", by="red")
    ear.the_state_of(at)
    ear.on("companion/Kitchen/results", lambda results: len(results) == 1)
    told = {}
    for one in ear.all:
        if one.payload.startswith((b"{", b"[")):
            told.setdefault(one.topic, []).append(json.loads(one.payload))
    assert told["companion/Kitchen/state"][-1]["players"]["red"] == {"name": "Red", "points": 53}
    events = [(one["event"], one.get("by")) for one in told["companion/Kitchen/event"]]
    assert events[-3:] == [("threw", "red"), ("kept", "red"), ("over", None)]
    (result,) = told["companion/Kitchen/results"][-1]
    assert result["players"] == {"red": {"name": "Red", "won": True}, "blue": {"name": "Blue", "won": False}}
    sensor = told["homeassistant/sensor/companion_Kitchen/points_red/config"][-1]
    assert sensor["name"] == "Red points"
    assert {"turn", "over"} <= set(told["homeassistant/sensor/companion_Kitchen/phase/config"][-1]["options"])


def test_a_league_counts_its_wins(mosquitto, place, league):
    broker = mosquitto()
    shown = league(broker.port)
    at = place(broker.port, "Kitchen")
    at.connected()
    begin(at.table, start={"players": {"red": {"points": 49}}})
    roll(at.table, "red", 2)
    at.table.tap("hold", by="red")
    picture = shown.until(lambda picture: picture["standings"])
    assert [(one["colour"], one["wins"], one["happiness"]) for one in picture["standings"]] == [
        ("red", 1, 0),
        ("blue", 0, 0),
    ]


# --- what pages are given ---------------------------------------------------------------------------------------------


def test_a_view_says_what_pages_need_and_every_line_is_in_the_catalogue(pig, table):
    begin(table)
    roll(table, "red", 4)
    state = table.state
    legal = [offer.move for offer in table.session.question(AskLegal("red")).result(WAIT)]
    view = pig.view(state, legal, "red")
    assert isinstance(view, View)
    texts = [view.title, *view.lines, *view.columns, *(button.label for button in view.buttons)]
    words = pig.words("pl")
    said = [words[text.key].format(**text.fields) for text in texts]
    assert said == [
        "Red throws",
        "4 points lie on the table.",
        "Who keeps 50 points wins.",
        "Points",
        "Throw the die",
        "Keep 4 points",
    ]
    assert [(row.colour, row.numbers) for row in view.rows] == [("red", (0,)), ("blue", (0,))]
    assert [button.move["do"] for button in view.buttons] == ["roll", "hold"]
    assert pig.view(state, [], None).buttons == ()
