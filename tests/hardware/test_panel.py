"""The panel on pretended pins: what is pressed, what is shown, and what is told when something is missing or goes."""

from queue import Queue

import pytest
from gpiozero import GPIOPinInUse
from gpiozero.pins.mock import MockPWMPin

from companion.games.api import Button
from companion.games.shelter.events import GameOver, LastRound
from companion.refusal import Refusal
from companion.table.ports import DeviceError
from companion.table.session.events import MoveRefused
from companion.table.session.intents import ButtonPressed, DeviceChanged
from hardware.panel.gestures import HELD_BACK, POWER, STUCK
from hardware.panel.lamps import HURRYING
from hardware.panel.panel import CHECKING, RETRYING, GpioPanel
from hardware.panel.pins import Fingers
from hardware.panel.wiring import load

from .conftest import Table, snapshot

COLOURS = (Button.RED, Button.BLUE, Button.GREEN, Button.YELLOW)


def test_every_button_is_told_as_what_it_means(table):
    for button in Button:
        table.fingers.press(button)
        table.fingers.hold(button)
    expected = []
    for button in Button:
        if button in COLOURS:
            expected += [(button, False), (button, True)]
        elif button is Button.UNDO:
            expected += [(button, True)]
        else:
            expected += [(button, False), (button, False)]
    assert table.pressed() == expected


def test_a_bad_contact_is_one_press(table):
    table.fingers.chatter(Button.THREATS, [(0.003, 0.002), (0.004, 0.001), (0.05, 0.003), (0.002, 0)])
    assert table.pressed() == [("threats", False)]


def test_threats_is_told_before_it_is_let_go(table):
    table.fingers.down(Button.THREATS)
    table.passes(HELD_BACK + 0.002)
    assert table.pressed() == [("threats", False)]


def test_a_box_on_all_buttons_presses_none(table):
    for button in Button:
        table.fingers.down(button)
        table.passes(0.01)
    table.passes(3)
    for button in Button:
        table.fingers.up(button)
    table.passes(1)
    assert table.pressed() == []
    table.fingers.press(Button.THREATS)
    assert table.pressed() == [("threats", False)], "and afterwards all is as before"


def shown(table):
    return {name: lamp.value for name, lamp in table.panel._bank.lamps.items()}


def hold_both(table, seconds):
    table.fingers.down(Button.UNDO)
    table.fingers.down(Button.RECALL)
    for _ in range(round(seconds * 10)):
        table.passes(0.1)


def test_undo_and_recall_held_together_switch_off_and_the_lamps_say_so(table):
    table.show()
    lit = []
    hold_both(table, 0.9)
    assert sum(shown(table).values()) == shown(table)["eye"], "not yet"
    for _ in range(5):
        table.passes(POWER / 5 * 0.95)
        lit.append(sum(shown(table)[colour.value] for colour in COLOURS))
    assert lit == sorted(lit)
    assert lit[0] >= 1
    assert table.switched_off == 0 or lit[-1] == 4
    table.passes(1)
    assert table.switched_off == 1
    assert set(shown(table).values()) == {1.0}
    assert table.pressed() == []


def test_undo_and_recall_let_go_in_time_change_nothing(table):
    hold_both(table, POWER - 0.5)
    table.fingers.up(Button.UNDO)
    table.fingers.up(Button.RECALL)
    table.passes(6)
    assert (table.switched_off, table.pressed()) == (0, [])
    assert set(shown(table).values()) == {0.0}


def test_a_machine_that_may_not_be_switched_off_beeps(table):
    table.refused = Refusal("power_refused", None, "no")
    hold_both(table, POWER + 0.2)
    assert table.panel._bank.buzzer.value
    assert shown(table)["red"] in (0.0, 1.0)


def test_all_is_well(table):
    assert table.said("panel") == [("ok", "")]
    assert table.said("lamps") == [("ok", "")]
    table.passes(10 * CHECKING)
    assert len(table.said()) == 1


def test_without_a_chip_the_panel_is_off_and_comes_back(clock):
    table = Table(clock, broken=DeviceError("Bring a Pi."))
    assert table.said("panel") == table.said("lamps") == [("off", "Bring a Pi.")]
    table.fingers.press(Button.THREATS)
    assert table.pressed() == []
    table.broken = None
    table.passes(RETRYING * 1.1)
    assert table.said()[-1] == ("ok", "")
    table.fingers.press(Button.THREATS)
    assert table.pressed() == [("threats", False)]


class GonePin(MockPWMPin):
    """A pin of a chip that can go."""

    def _get_state(self):
        if getattr(self.factory, "is_gone", False):
            raise OSError("no such device")
        return super()._get_state()

    def _set_state(self, value):
        if getattr(self.factory, "is_gone", False):
            raise OSError("no such device")
        super()._set_state(value)


def a_table_that_can_go(clock):
    table = Table(clock, broken=DeviceError("later"))
    table.fingers.chip.pin_class = GonePin
    table.broken = None
    table.passes(RETRYING * 1.1)
    assert table.said()[-1] == ("ok", "")
    return table


def test_a_chip_that_goes_is_taken_back_when_it_returns(clock):
    table = a_table_that_can_go(clock)
    table.show(turn="red")
    table.fingers.chip.is_gone, table.broken = True, DeviceError("gone")
    table.passes(CHECKING * 1.1)
    state, hint = table.said()[-1] if table.said()[-1][1] != "gone" else table.said()[-2]
    assert state == "off"
    assert "no such device" in hint
    table.show(turn="blue")
    table.fingers = Fingers(table.wiring, table.passes)
    table.broken = None
    table.passes(RETRYING * 1.1)
    assert table.said()[-1] == ("ok", "")
    assert (table.fingers.brightness("red"), table.fingers.brightness("blue")) == (0.0, 1.0)
    table.fingers.press(Button.RED)
    assert table.pressed() == [("red", False)]


def test_a_chip_that_goes_while_a_lamp_is_set(clock):
    table = a_table_that_can_go(clock)
    table.fingers.chip.is_gone, table.broken = True, DeviceError("gone")
    table.show(turn="red")
    assert table.said()[-1][0] == "off"


class BusyPin(MockPWMPin):
    """Pins that another program uses."""

    def __init__(self, factory, info):
        if info.name in factory.busy:
            raise GPIOPinInUse(f"{info.name} is in use")
        super().__init__(factory, info)


def test_a_pin_that_cannot_be_had_is_named_and_tried_again(clock):
    table = Table(clock, broken=DeviceError("later"))
    table.fingers.chip.pin_class = BusyPin
    table.fingers.chip.busy = {"GPIO26", "GPIO24", "GPIO25"}
    table.broken = None
    table.passes(RETRYING * 1.1)
    assert table.said()[-1] == (
        "partly",
        "buttons.threats (GPIO 26, header 37): GPIO26 is in use. The wiring is printed by `companion doctor --wiring`.",
    )
    assert table.said("lamps")[-1][0] == "partly"
    table.fingers.press(Button.ROLL)
    assert table.pressed() == [("roll", False)]
    table.fingers.chip.busy = set()
    table.passes(CHECKING * 1.1)
    assert table.said()[-1] == table.said("lamps")[-1] == ("ok", "")
    table.fingers.press(Button.THREATS)
    assert table.pressed()[-1] == ("threats", False)


def test_a_button_that_is_stuck_is_named(table):
    table.fingers.down(Button.ROLL)
    table.passes(STUCK + CHECKING)
    assert table.said()[-1][0] == "partly"
    assert "roll seems to be stuck" in table.said()[-1][1]
    table.fingers.up(Button.ROLL)
    table.passes(2 * CHECKING)
    assert table.said()[-1] == ("ok", "")


def test_an_edge_that_was_lost_is_found_by_looking(table):
    pin = table.fingers.chip.pin(table.wiring.buttons[Button.ROLL].pin)
    pin._change_state(False)
    table.passes(CHECKING * 1.1)
    assert table.pressed() == [("roll", False)]


def test_nothing_wired_is_off(clock, tmp_path):
    own = tmp_path / "own.toml"
    own.write_text("\n".join(f"[{line.part}]\nabsent = true" for line in load().lines))
    table = Table(clock, wiring=load(own))
    assert table.said("panel") == [("off", "No button is wired.")]
    assert table.said("lamps") == [("off", "No lamp is wired.")]
    table.show(GameOver((0,)), turn="red")


@pytest.mark.parametrize("part", [line.part for line in load().lines])
def test_any_part_may_be_missing(clock, tmp_path, part):
    own = tmp_path / "own.toml"
    own.write_text(f"[{part}]\nabsent = true")
    table = Table(clock, wiring=load(own))
    assert table.said("panel") == table.said("lamps") == [("ok", "")]
    table.show(LastRound(0, "B5"), turn="red", pending=[{"by": "blue"}])
    for button in table.wiring.buttons:
        table.fingers.hold(button)
    assert len(table.pressed()) == len(table.wiring.buttons)
    table.panel.close()


def test_lamps_show_the_latest(table):
    table.show(turn="red", table={"camera": "lost", "disagreements": []})
    assert [table.fingers.brightness(lamp) for lamp in ("red", "blue")] == [1.0, 0.0]
    table.panel.show(snapshot(turn="green"))
    table.panel.show(snapshot(turn="blue"))
    table.passes(0.01)
    assert [table.fingers.brightness(lamp) for lamp in ("red", "green", "blue", "eye")] == [0.0, 0.0, 1.0, 1.0]


def test_a_lamp_blinks_where_the_table_disagrees(table):
    table.show(turn="red", table={"camera": "lost", "disagreements": [{"id": 1, "by": "blue"}]})
    seen = set()
    for _ in range(20):
        table.passes(HURRYING)
        seen.add((table.fingers.brightness("blue"), table.fingers.brightness("red")))
    assert seen == {(0.0, 1.0), (1.0, 1.0)}


def test_the_buzzer_sounds_and_stops(table):
    table.show(MoveRefused(Refusal("no_game", None, "No game is being played.")))
    assert table.fingers.buzzes
    table.passes(1)
    assert not table.fingers.buzzes


def test_a_hold_is_heard(table):
    table.fingers.down(Button.UNDO)
    table.passes(0.95)
    assert table.fingers.buzzes
    table.passes(0.1)
    assert not table.fingers.buzzes


def test_in_the_end_the_lamps_are_off(clock):
    table = Table(clock)
    table.show(turn="red")
    chip = table.fingers.chip
    pin = chip.pin(table.wiring.lamps["red"].pin)
    assert pin.state == 1.0
    table.panel.close()
    assert pin.function == "input"
    assert chip.pins == {}


def test_the_thread_does_all_this_by_itself():
    wiring, intents = load(), Queue()
    fingers = Fingers(wiring)
    panel = GpioPanel(wiring, intents.put, chip=lambda: fingers.chip)
    panel.start()
    assert {intents.get(timeout=5), intents.get(timeout=5)} == {
        DeviceChanged("panel", "ok"),
        DeviceChanged("lamps", "ok"),
    }
    fingers.press(Button.RED)
    assert intents.get(timeout=5) == ButtonPressed(Button.RED)
    fingers.hold(Button.UNDO)
    assert intents.get(timeout=5) == ButtonPressed(Button.UNDO, held=True)
    panel.close()


class SulkingPin(MockPWMPin):
    """A pin that fails to close."""

    def _disable_event_detect(self):
        if self.factory.is_sulking:
            raise OSError("busy")

    def close(self):
        if self.factory.is_sulking:
            raise OSError("busy")
        super().close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_pins_that_fail_to_close_leave_nothing_behind(clock):
    table = Table(clock, broken=DeviceError("later"))
    table.fingers.chip.pin_class = SulkingPin
    table.broken = None
    table.passes(RETRYING * 1.1)
    table.fingers.chip.is_sulking = True
    table.panel.close()
    table.fingers.chip.is_sulking = False
    assert table.fingers.chip.pins == {}
    again = GpioPanel(table.wiring, table.intents.append, chip=lambda: table.fingers.chip, clock=clock)
    again.turn(0)
    assert table.said()[-1] == ("ok", "")
    again.close()


def test_an_edge_counts_from_when_it_was(table):
    """The thread that brings edges is late by more and more: a bounce is no second press for that."""
    table.show()
    pin = table.fingers.chip.pin(table.wiring.buttons[Button.RED].pin)
    pin.factory.ticks = table.clock
    began = table.clock.now
    for at, is_up in ((0, False), (0.1, True), (0.11, False), (0.2, True)):
        table.clock.go(0.15)
        pin._last_change, pin._state = began + at, is_up
        pin._call_when_changed()
    table.passes(1)
    assert table.pressed() == [("red", False)]
