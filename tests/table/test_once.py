"""The state of a version is built once, whoever asks for it."""

import pytest

from companion.games.api import Button
from companion.games.registry import game_of
from companion.games.shelter.adapter import Shelter
from companion.table.session import state as session_state
from companion.table.session.intents import ButtonPressed, Look
from companion.table.sight import reconcile


@pytest.fixture
def calls(monkeypatch):
    counted = {"state": 0, "differences": 0}

    def counting(name, function):
        def count(*given):
            counted[name] += 1
            return function(*given)

        return count

    monkeypatch.setattr(Shelter, "state", counting("state", Shelter.state))
    for module in (session_state, reconcile):
        monkeypatch.setattr(module, "differences", counting("differences", module.differences))
    assert isinstance(game_of("shelter"), Shelter)
    return counted


def test_a_dweller_that_is_seen(table, eye, calls):
    eye.put(("1:R1a", "red"))
    eye.look()
    assert table.state["placed"]["1:R1a"]["by"] == "red"
    assert calls == {"state": 1, "differences": 2}, "before the placement, whose state is known, and after it"


def test_a_dweller_that_breaks_a_rule(eye, calls):
    eye.put(("1:R1a", "blue"))
    eye.look()
    assert [one["kind"] for one in eye.disagreements] == ["turn"]
    assert calls["state"] <= 2
    assert calls["differences"] <= 2


@pytest.mark.usefixtures("eye")
def test_a_tap_while_a_camera_looks_on(table, calls):
    table.tap("place", by="red", space="1:R1a")
    assert calls == {"state": 1, "differences": 1}, "those before it are known from the last look"


def test_what_changes_nothing(table, eye, calls):
    eye.look()
    table.ask(Look())
    assert calls == {"state": 0, "differences": 0}


@pytest.mark.usefixtures("eye")
def test_a_button_that_confirms(table, calls):
    table.ask(ButtonPressed(Button.RED))
    assert calls["state"] == 0
    assert calls["differences"] <= 1


@pytest.mark.usefixtures("eye")
def test_undo_and_redo(table, calls):
    table.tap("place", by="red", space="1:R1a")
    before = dict(calls)
    table.tap("undo")
    table.tap("redo")
    assert calls["state"] - before["state"] == 2
    assert calls["differences"] - before["differences"] == 2
    assert table.state["placed"]["1:R1a"]["by"] == "red"


def test_an_answer_to_a_choice(table, calls):
    table.start(start={"threats": {"1:R1b": "raider"}, "players": {"red": {"available": ["plain"] * 3}}})
    table.tap("place", by="red", space="1:R1b")
    assert table.state["pending"]
    before = dict(calls)
    choice = table.state["pending"][0]
    table.tap("choose", by="red", option=choice["options"][0])
    assert calls["state"] - before["state"] == 1
