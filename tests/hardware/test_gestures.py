import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.api import Meaning
from hardware.panel.gestures import HELD_BACK, POWER, STUCK, TOGETHER, Edge, Gesture, Gestures, Times

TIMES = Times(hold=0.9, settle=0.025, glitch=0.001)
RED, BLUE, THREATS, UNDO, RECALL = 5, 6, 26, 16, 20
MEANINGS = {
    RED: Meaning.PRESS_OR_HOLD,
    BLUE: Meaning.PRESS_OR_HOLD,
    THREATS: Meaning.PRESS,
    UNDO: Meaning.HOLD,
    RECALL: Meaning.PRESS,
}


def told(edges, until=1000.0, down=frozenset()):
    """What is told of these edges, asking at every moment that the machine names, as the panel does."""
    gestures = Gestures(MEANINGS, TIMES, down, frozenset({UNDO, RECALL}))
    found = []
    for edge in edges:
        while (at := gestures.next_change()) is not None and at < edge.at:
            found += gestures.until(at)
        found += gestures.feed(edge)
    return found + gestures.until(until)


def kinds(gestures):
    return [(gesture.pin, gesture.held) for gesture in gestures]


def down_and_up(pin, at=0.0, length=0.1):
    return [Edge(at, pin, True), Edge(at + length, pin, False)]


@st.composite
def chatter(draw, longest):
    """Gaps between edges, each shorter than what counts as let go; an even number, so the level ends as it began."""
    pairs = draw(st.integers(0, 6))
    return draw(st.lists(st.floats(0, longest, exclude_max=True), min_size=2 * pairs, max_size=2 * pairs))


def chattering(pin, at, level, gaps):
    """An edge to `level`, chatter, and the level again; returns the edges and when they end."""
    edges = [Edge(at, pin, level)]
    for gap in gaps:
        at += gap
        level = not level
        edges.append(Edge(at, pin, level))
    return edges, at


def a_touch(pin, bounces, length):
    """A finger on a bad contact: it chatters going down and coming up, and lies still for `length` between."""
    going_down, quiet = chattering(pin, 1.0, True, bounces[0])
    coming_up, end = chattering(pin, quiet + length, False, bounces[1])
    return going_down + coming_up, end


SHORT_OF_SETTLED = 0.0249
BOUNCES = st.tuples(chatter(SHORT_OF_SETTLED), chatter(SHORT_OF_SETTLED))


@given(BOUNCES, st.floats(0.002, 0.2))
def test_chatter_of_any_shape_is_one_press(bounces, length):
    for pin in (RED, THREATS):
        assert kinds(told(a_touch(pin, bounces, length)[0])) == [(pin, False)]


@given(BOUNCES, st.floats(0.91, 5))
def test_chatter_of_any_shape_is_one_hold(bounces, length):
    for pin in (RED, UNDO):
        assert kinds(told(a_touch(pin, bounces, length)[0])) == [(pin, True)]


@given(BOUNCES, st.floats(0.002, 0.2))
def test_a_short_touch_of_undo_is_nothing(bounces, length):
    assert told(a_touch(UNDO, bounces, length)[0]) == []


@given(st.lists(st.tuples(st.floats(0, 0.0009), st.floats(0, 3)), max_size=20))
def test_noise_on_the_wire_is_nothing(spikes):
    edges, at = [], 0.0
    for length, pause in spikes:
        edges += down_and_up(THREATS, at, length)
        at += length + pause
    assert told(edges) == []


@given(st.lists(st.tuples(st.sampled_from([RED, BLUE, THREATS, UNDO]), st.booleans(), st.floats(0, 3)), max_size=60))
def test_whatever_the_wires_do_no_button_says_more_than_it_was_down(steps):
    edges, at = [], 0.0
    for pin, level, gap in steps:
        at += gap
        edges.append(Edge(at, pin, level))
    found = told(edges)
    for pin in MEANINGS:
        falls = sum(1 for edge in edges if edge.pin == pin and edge.down)
        assert sum(gesture.pin == pin for gesture in found) <= falls
    assert [gesture.at for gesture in found] == sorted(gesture.at for gesture in found)


@given(st.lists(st.floats(0.0005, 0.3), min_size=1, max_size=12), st.data())
def test_it_matters_not_how_often_one_asks(gaps, data):
    at, edges = 0.0, []
    for number, gap in enumerate(gaps):
        at += gap
        edges.append(Edge(at, data.draw(st.sampled_from([RED, THREATS])), number % 2 == 0))
    lazy = Gestures(MEANINGS, TIMES, pair=frozenset({UNDO, RECALL}))
    assert [g for edge in edges for g in lazy.feed(edge)] + lazy.until(100) == told(edges)


def test_a_press_of_threats_is_told_before_anybody_notices():
    assert told([Edge(1.0, THREATS, True)], until=1.0 + HELD_BACK) == [
        Gesture(THREATS, held=False, at=pytest.approx(1.0 + HELD_BACK))
    ]
    assert kinds(told(down_and_up(THREATS, 1.0, 0.02), until=1.05)) == [(THREATS, False)], "a short one no later"


ALL = (RED, BLUE, THREATS, UNDO, RECALL)


@given(st.permutations(ALL), st.lists(st.floats(0, 0.039), min_size=4, max_size=4), st.floats(0.05, 10))
def test_something_laid_on_all_buttons_presses_none(order, gaps, length):
    at, edges = 1.0, []
    for pin, gap in zip(order, [0.0, *gaps], strict=True):
        at += gap
        edges.append(Edge(at, pin, True))
    edges += [Edge(at + length, pin, False) for pin in order]
    assert told(edges) == []


def test_something_that_comes_to_lie_on_one_more_presses_it_as_little():
    edges = [Edge(1.0 + number / 100, pin, True) for number, pin in enumerate((RED, BLUE, UNDO))]
    edges += [Edge(1.6, THREATS, True), *(Edge(9.0, pin, False) for pin in (RED, BLUE, UNDO, THREATS))]
    assert told(edges) == []


def test_fingers_that_come_one_after_the_other_are_no_box():
    edges = [*down_and_up(RED, 1.0), *down_and_up(BLUE, 1.15), *down_and_up(THREATS, 1.3)]
    assert sorted(kinds(told(edges))) == [(RED, False), (BLUE, False), (THREATS, False)]


@pytest.mark.parametrize("first", [UNDO, RECALL])
def test_undo_and_recall_held_together_are_neither_of_them(first):
    second = RECALL if first == UNDO else UNDO
    edges = [Edge(1.0, first, True), Edge(1.05, second, True), Edge(9.0, first, False), Edge(9.0, second, False)]
    found = told(edges)
    assert [(one.together, one.held, one.at) for one in found] == [(True, True, pytest.approx(1.05 + POWER))]


def test_undo_and_recall_let_go_too_early_are_nothing():
    assert told([Edge(1.0, UNDO, True), *down_and_up(RECALL, 1.05, POWER - 0.1), Edge(9.0, UNDO, False)]) == []


def test_a_third_button_is_no_wish_to_switch_off():
    edges = [Edge(1.0, UNDO, True), Edge(1.05, RECALL, True), Edge(3.0, RED, True), Edge(9.0, RED, False)]
    assert not [one for one in told(edges, until=20) if one.together]


def test_how_long_both_are_held_can_be_shown():
    gestures = Gestures(MEANINGS, TIMES, pair=frozenset({UNDO, RECALL}))
    gestures.feed(Edge(1.0, UNDO, True))
    gestures.feed(Edge(1.05, RECALL, True))
    gestures.until(3.0)
    assert gestures.paired_since() == pytest.approx(1.05)
    gestures.feed(Edge(3.0, UNDO, False))
    gestures.until(3.1)
    assert gestures.paired_since() is None


def test_a_colour_is_pressed_when_it_is_let_go():
    assert told([Edge(1.0, RED, True)], until=1.5) == []
    assert kinds(told(down_and_up(RED, 1.0), until=1.2)) == [(RED, False)]


def test_a_press_that_becomes_a_hold_is_no_press():
    assert told(down_and_up(RED, 1.0, 3.0)) == [Gesture(RED, True, pytest.approx(1.9))]


def test_a_hold_is_told_while_the_finger_is_still_there():
    assert kinds(told([Edge(1.0, RED, True)], until=1.91)) == [(RED, True)]


def test_two_people_press_at_once():
    edges = sorted(down_and_up(RED, 1.0) + down_and_up(BLUE, 1.05), key=lambda edge: edge.at)
    assert kinds(told(edges)) == [(RED, False), (BLUE, False)]


def test_one_holds_while_another_presses():
    edges = [Edge(1.0, RED, True), *down_and_up(BLUE, 1.0 + TOGETHER + 0.1), Edge(3.0, RED, False)]
    assert kinds(told(edges)) == [(BLUE, False), (RED, True)]


def test_a_box_on_the_panel_neither_undoes_nor_passes():
    edges = [Edge(1.0, RED, True), Edge(1.0 + TOGETHER / 2, UNDO, True), Edge(4.0, RED, False), Edge(4.0, UNDO, False)]
    assert told(edges) == []


def test_after_the_box_is_gone_a_hold_is_a_hold():
    box = [Edge(1.0, RED, True), Edge(1.01, UNDO, True), Edge(2.5, RED, False), Edge(2.5, UNDO, False)]
    assert kinds(told(box + down_and_up(UNDO, 5.0, 1.0))) == [(UNDO, True)]


def test_a_button_that_is_down_at_the_start_was_not_pressed():
    assert told([Edge(1.0, THREATS, False)], down=frozenset({THREATS})) == []
    assert told([Edge(1.0, RED, False)], down=frozenset({RED})) == []
    later = [Edge(1.0, RED, False), *down_and_up(RED, 2.0)]
    assert kinds(told(later, down=frozenset({RED}))) == [(RED, False)]


def test_a_button_that_is_stuck_is_known():
    gestures = Gestures(MEANINGS, TIMES)
    gestures.feed(Edge(1.0, RED, True))
    gestures.until(2.0)
    assert gestures.stuck(2.0) == frozenset()
    assert gestures.stuck(1.0 + STUCK) == frozenset({RED})
