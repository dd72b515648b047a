"""A bug ends one intent: whatever raises before, behind or beside the record, people play on, and it is told once."""

import typing

import pytest
from at_the_table import RED, SETUP, Table

from companion.games.api import Button
from companion.games.timeline import Timeline
from companion.refusal import Refusal
from companion.table.record.commit import RecordedGame
from companion.table.record.mirror import Mirror
from companion.table.record.store import Store
from companion.table.session import session as sessions
from companion.table.session.hands import Hands
from companion.table.session.intents import (
    AddNumber,
    AskCards,
    AskLegal,
    ButtonPressed,
    ChangeSettings,
    ChooseGame,
    Decide,
    DeviceChanged,
    EditCards,
    Follow,
    Foreseen,
    Freeze,
    GoAway,
    HandsDone,
    Intent,
    Look,
    Propose,
    RecordDoubted,
    SeatBot,
    StartGame,
    TableSeen,
    Tap,
    Thaw,
)
from companion.table.sight.reading import Reading

PLACE = {"do": "place", "by": "red", "space": "1:R1a"}
SEEN = TableSeen(Reading.from_json({"table": "found"}))
INTENTS = (
    Tap(PLACE), SEEN, ButtonPressed(Button.UNDO, held=True), DeviceChanged("voice", "off", "no voice"),
    StartGame(SETUP), AddNumber("red", "0" * 32, RED),
    ChooseGame("game-1"), EditCards("standard"), Freeze(), Thaw(), Decide("set-aside"),
    ChangeSettings(rest=2.0), SeatBot("red", "officer"), Propose(PLACE), Follow(), Look(),
    HandsDone(("items:0",)), GoAway("red", True),
    Foreseen("game-1", 1, 1, {"playouts": 1, "chances": {}}),
    RecordDoubted(),
)  # fmt: skip
ERRORS = (RuntimeError, OSError, AttributeError, KeyError, MemoryError, RecursionError, UnicodeDecodeError)


def made(error):
    return error("utf-8", b"\xff", 0, 1, "odd") if error is UnicodeDecodeError else error("a bug")


def raising(error):
    def bug(*_, **__):
        raise made(error)

    return bug


def plays_on(table):
    """People place, and the record holds it."""
    assert table.session.failure is None
    by = table.state["turn"]
    before = table.state["version"]
    space = next(one for one in ("1:R2a", "1:R2b", "1:L2a") if one not in table.state["placed"])
    table.tap("place", by=by, space=space)
    table.all_answered()
    assert table.state["version"] > before
    assert len(table.record.entries(table.state["id"])) == table.state["version"] + 1


def test_every_kind_of_intent_is_tried():
    assert {type(intent) for intent in INTENTS} == set(typing.get_args(Intent))


@pytest.mark.parametrize("intent", INTENTS, ids=lambda intent: type(intent).__name__)
def test_a_bug_before_anything_is_written(table, monkeypatch, capsys, intent):
    table.start()
    before = table.state
    with monkeypatch.context() as broken:
        broken.setattr(sessions, "handle", raising(AttributeError))
        for _ in range(3):
            with pytest.raises(Refusal) as refused:
                table.ask(intent)
    assert (refused.value.code, refused.value.fields) == ("internal", {"version": before["version"]})
    assert table.session.bugs.count == 3
    assert capsys.readouterr().err.count("Traceback") == 1
    assert table.state == before
    plays_on(table)


@pytest.mark.parametrize("intent", INTENTS, ids=lambda intent: type(intent).__name__)
def test_a_bug_behind_what_was_written(make_table, monkeypatch, intent):
    """What is written counts: a game that is as its record says goes on, any other is taken up by the next start."""
    table = make_table()
    table.start()
    table.start()
    handle = sessions.handle

    def then_a_bug(state, what):
        handle(state, what)
        raise AttributeError("a bug")

    with monkeypatch.context() as broken:
        broken.setattr(sessions, "handle", then_a_bug)
        with pytest.raises((Refusal, AttributeError)):
            table.ask(intent)
    written = {game: len(entries) for game, entries in table.record.games.items()}
    if table.session.failure is not None:
        assert isinstance(intent, StartGame | ChooseGame), "only another game leaves this one half-way"
    else:
        table.ask(Look())
        assert table.state["version"] + 1 == written[table.state["id"]]
    table.again()
    assert table.state["version"] + 1 == written[table.state["id"]]
    if table.state["phase"] == "frozen":
        table.ask(Thaw())
    plays_on(table)


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("at", [(Timeline, "try_out"), (RecordedGame, "_write"), (Store, "append")], ids=str)
def test_whatever_is_raised_before_the_write(table, monkeypatch, at, error):
    table.start()
    with monkeypatch.context() as broken:
        broken.setattr(*at, raising(error))
        with pytest.raises(Refusal, match="made a mistake") as refused:
            table.ask(Tap(PLACE))
    assert refused.value.code == "internal"
    assert table.state["version"] == 0
    plays_on(table)
    table.again()
    plays_on(table)


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("at", [(Timeline, "take"), (Mirror, "append")], ids=str)
def test_a_game_that_was_left_half_way_is_taken_up_from_its_record(table, monkeypatch, at, error):
    table.start()
    with monkeypatch.context() as broken:
        broken.setattr(*at, raising(error))
        with pytest.raises(error):
            table.ask(Tap(PLACE))
        table.session.wait()
    assert error.__name__ in table.session.failure
    with pytest.raises(Refusal, match="stopped"):
        table.ask(Look())
    table.again()
    assert table.state["placed"]["1:R1a"]["by"] == "red"
    plays_on(table)


def test_a_transaction_that_a_bug_cuts_short_is_taken_back(table, monkeypatch):
    table.start()
    store = table.record._files[0]
    real = store._db

    class Odd:
        """A database that breaks behind its BEGIN."""

        in_transaction = property(lambda _: real.in_transaction)

        def execute(self, sql, *values):
            if sql.startswith("INSERT"):
                raise RuntimeError("a bug")
            return real.execute(sql, *values)

    with monkeypatch.context() as broken:
        broken.setattr(store, "_db", Odd())
        with pytest.raises(Refusal, match="made a mistake"):
            table.ask(Tap(PLACE))
    assert not real.in_transaction
    plays_on(table)


def test_a_state_that_cannot_be_shown_is_undone(table, monkeypatch):
    table.start()
    state_of = sessions.state_of

    def odd(session, seq):
        if session.version:
            raise KeyError("a bug")
        return state_of(session, seq)

    with monkeypatch.context() as broken:
        broken.setattr(sessions, "state_of", odd)
        with pytest.raises(Refusal) as refused:
            table.ask(Tap(PLACE))
        assert (refused.value.code, refused.value.fields) == ("internal", {"version": 1})
        assert table.state["version"] == 0
    table.tap("undo")
    assert table.state["placed"] == {}
    plays_on(table)


def odd_state_from(version):
    """Return a `state_of` with a bug in every state of a game from a version on."""
    state_of = sessions.state_of

    def odd(session, seq):
        if session.played is not None and session.version >= version:
            raise KeyError("a bug")
        return state_of(session, seq)

    return odd


def test_a_first_state_that_cannot_be_shown_is_a_last_entry_that_the_host_decides_about(table, monkeypatch):
    table.start()
    table.tap("place", by="red", space="1:R1a")
    table.all_answered()
    last = table.state["version"]
    with monkeypatch.context() as broken:
        broken.setattr(sessions, "state_of", odd_state_from(last))
        table.again()
        assert table.session.bugs.count == 1
        assert table.state["version"] == last - 1
        assert table.state["record"]["trouble"] == {"game": "game-1", "nth": last, "why": "KeyError: 'a bug'"}
        with pytest.raises(Refusal, match="a bug") as refused:
            table.tap("pass", by="blue")
        assert refused.value.code == "set_aside_first"
    table.ask(Decide("set-aside"))
    assert table.state["record"]["trouble"] is None
    table.again()
    assert (table.state["record"]["trouble"], table.session.bugs.count) == (None, 0)
    plays_on(table)


def test_a_game_that_cannot_be_shown_at_all_is_left_and_another_one_begins(table, monkeypatch):
    table.start()
    table.tap("place", by="red", space="1:R1a")
    entries = len(table.record.entries("game-1"))
    with monkeypatch.context() as broken:
        broken.setattr(sessions, "state_of", odd_state_from(0))
        table.again()
        assert table.session.bugs.count == 2
    assert (table.state["phase"], table.state["record"]["trouble"]["game"]) == ("none", "game-1")
    assert table.state["record"]["trouble"]["why"] == "KeyError: 'a bug'"
    with pytest.raises(Refusal, match="No game"):
        table.tap("undo")
    table.start()
    assert (table.state["id"], table.state["record"]["trouble"]) == ("game-2", None)
    plays_on(table)
    table.ask(ChooseGame("game-1"))
    assert table.state["placed"]["1:R1a"]["by"] == "red", "the record has kept it"
    assert len(table.record.entries("game-1")) == entries + 1


@pytest.mark.parametrize("error", ERRORS)
def test_a_game_whose_taking_up_raises_anything_is_left(table, monkeypatch, error):
    table.start()
    with monkeypatch.context() as broken:
        broken.setattr(Hands, "take_up", raising(error))
        table.again()
    assert table.state["phase"] == "none"
    assert error.__name__ in table.state["record"]["trouble"]["why"]
    table.again()
    plays_on(table)


@pytest.mark.parametrize("question", [AskLegal(), AskCards()], ids=str)
def test_a_bug_in_a_question(table, monkeypatch, question):
    table.start()
    with monkeypatch.context() as broken:
        broken.setattr(sessions.taps, "legal_offers", raising(KeyError))
        broken.setattr(sessions.taps, "pack_played", raising(KeyError))
        with pytest.raises(Refusal, match="made a mistake"):
            table.session.question(question).result(30)
    assert table.session.bugs.count == 1
    plays_on(table)


def test_a_bug_that_the_camera_meets_again_and_again_is_told_once(table, monkeypatch, capsys):
    table.start()
    seq = table.state["seq"]
    with monkeypatch.context() as broken:
        broken.setattr(sessions.table_seen, "handle", raising(RuntimeError))
        for _ in range(500):
            table.session.put(SEEN)
        table.ask(Look())
    assert table.session.bugs.count == 500
    assert capsys.readouterr().err.count("Traceback") == 1
    assert table.state["seq"] == seq + 1, "one refusal among the events"
    plays_on(table)


def test_there_is_an_end_of_different_traces(table, monkeypatch, capsys):
    table.start()

    def deeper(depth):
        if depth:
            deeper(depth - 1)
        raise RuntimeError("a bug")

    for depth in range(200):
        monkeypatch.setattr(sessions, "handle", lambda *_, depth=depth: deeper(depth))
        with pytest.raises(Refusal):
            table.ask(Look())
    assert table.session.bugs.count == 200
    assert capsys.readouterr().err.count("is refused: Traceback") == 50


@pytest.mark.parametrize("error", ERRORS)
def test_lamps_and_voice_that_raise_anything_are_faults_of_theirs(tmp_path, error):
    class Odd:
        def show(self, _):
            raise made(error)

        tell = show

    table = Table(tmp_path / "data", lamps=Odd(), voice=Odd())
    table.start()
    plays_on(table)
    for device in ("lamps", "voice"):
        told = table.state["devices"][device]
        assert (told["state"], told["code"]) == ("failing", "fails")
        assert error.__name__ in told["fields"]["why"]
    table.close()
