"""The check of the wiring at a panel on pretended pins: what is lit, what was pressed, and what is swapped."""

import pytest

from companion.games.api import Button
from companion.refusal import Refusal
from hardware.panel.check import ABANDONED, NONE

from .test_panel import shown


def answer(table, part):
    table.panel.check.act("answer", part)
    table.passes(0.1)


def now(table):
    return table.panel.check.view()["now"]


def found(table):
    return {one["part"]: one["found"] for one in table.panel.check.view()["parts"]}


def start(table):
    table.show(turn="red")
    table.panel.check.act("start", "")
    table.passes(0.1)


def past_the_lamps(table):
    start(table)
    while not now(table).startswith("buttons."):
        answer(table, now(table))


def test_lamp_by_lamp_is_lit_and_nothing_else(table):
    start(table)
    for lamp in table.wiring.lamps:
        assert now(table) == f"lamps.{lamp}"
        assert shown(table) == {name: float(name == lamp) for name in table.wiring.lamps}
        answer(table, f"lamps.{lamp}")
    assert now(table) == "buzzer"
    heard = set()
    for _ in range(20):
        table.passes(0.1)
        heard.add(bool(table.panel._bank.buzzer.value))
    assert heard == {True, False}
    assert set(shown(table).values()) == {0.0}


def test_button_by_button_is_asked_for_and_plays_nothing(table):
    past_the_lamps(table)
    for button in table.wiring.buttons:
        assert now(table) == f"buttons.{button}"
        table.fingers.hold(button)
    assert now(table) == ""
    assert set(found(table).values()) == {"ok"}
    assert table.pressed() == []
    table.panel.check.act("stop", "")
    table.fingers.press(Button.THREATS)
    assert table.pressed() == [("threats", False)]


def test_swapped_wires_are_named(table):
    start(table)
    answer(table, "lamps.blue")
    answer(table, "lamps.red")
    past = found(table)
    assert (past["lamps.red"], past["lamps.blue"]) == ("lamps.blue", "lamps.red")
    while not now(table).startswith("buttons."):
        answer(table, now(table))
    table.fingers.press(Button.BLUE)
    table.passes(1)
    table.fingers.press(Button.RED)
    assert found(table)["buttons.red"] == "buttons.blue"
    assert found(table)["buttons.blue"] == "buttons.red"


def test_what_does_not_answer_is_passed_over(table):
    start(table)
    answer(table, NONE)
    assert found(table)["lamps.red"] == NONE
    assert now(table) == "lamps.blue"


def test_a_bad_contact_is_one_press(table):
    past_the_lamps(table)
    table.fingers.chatter(Button.RED, [(0.003, 0.002), (0.004, 0.001), (0.05, 0.003), (0.002, 0)])
    assert now(table) == "buttons.blue"


def test_a_check_that_everybody_has_left_ends(table):
    past_the_lamps(table)
    table.passes(ABANDONED + 1)
    table.fingers.press(Button.THREATS)
    assert table.pressed() == [("threats", False)]
    table.show(turn="red")
    assert shown(table)["red"] == 1.0


@pytest.mark.parametrize(("do", "said", "code"), [("answer", "lamps.red", "no_check"), ("sell", "", "malformed")])
def test_what_cannot_be_done_is_refused(table, do, said, code):
    with pytest.raises(Refusal) as told:
        table.panel.check.act(do, said)
    assert told.value.code == code
    table.panel.check.act("start", "")
    with pytest.raises(Refusal):
        table.panel.check.act("answer", "lamps.violet")
