"""The eye, turned by hand: a camera and a vision that do what the test says, on a clock that goes when told."""

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import pytest

from companion.table.ports import DeviceError, FigureSaid
from companion.table.session.intents import DeviceChanged, TableSeen
from companion.table.sight.eye import PATIENCE, SAID_AGAIN, WATCHED, Eye
from companion.table.sight.reading import Figure, Reading

LAID = Reading(cards={"1:R1": "garden"})
MORE = replace(LAID, dwellers=(Figure("1:R1a", "red", "standing"),))


@dataclass
class Pretended:
    """Camera and vision in one: `lies` is what the table shows, `moves` whether something moves above it."""

    now: float = 100.0
    lies: Reading = LAID
    read_so_far: Reading | None = None
    moves: bool = False
    fault: str = ""
    why: str = ""
    whole: int = 0
    name: str = "pretended"
    said: list = field(default_factory=list)
    hear: object = None

    def __post_init__(self):
        self.eye = Eye(self.connected, lambda: self, self.said.append, clock=lambda: self.now)

    def connected(self, hear):
        self.hear = hear
        return self

    @contextmanager
    def frame(self, *, full):
        if self.fault:
            raise DeviceError(self.fault)
        yield SimpleNamespace(image="full" if full else "small", at=self.now)

    def close(self):
        self.fault = "closed"

    @property
    def resting(self):
        return not self.moves

    def due(self, small, at):
        assert small == "small"
        assert at <= self.now
        return not self.moves and self.lies != self.read_so_far

    def read(self, full, *, whole=False):
        assert full == "full"
        self.whole += whole
        self.read_so_far = self.lies
        return self.lies

    def cut(self, full, place):
        return full.replace("full", f"cut to {place}").encode()

    def jpeg(self, full, *, drawn):
        return b"drawn" if drawn else full.replace("full", "plain").encode()

    def turn(self, seconds=0.1):
        """Let time pass and one picture; what is said then."""
        self.now += seconds
        self.said.clear()
        self.eye.turn()
        return list(self.said)


@pytest.fixture
def above():
    return Pretended()


def test_what_lies_there_is_said_and_said_again_while_it_rests(above):
    assert above.turn() == [TableSeen(LAID, above.now)]
    assert above.turn(SAID_AGAIN / 2) == []
    assert above.turn(SAID_AGAIN) == [TableSeen(LAID, above.now)]


def test_a_change_is_said_when_it_rests(above):
    above.turn()
    above.lies, above.moves = MORE, True
    assert above.turn() == [TableSeen(replace(LAID, hand=True), above.now)]
    assert above.turn() == []
    above.moves = False
    assert above.turn() == [TableSeen(MORE, above.now)]


def test_nothing_is_said_of_a_table_that_has_not_been_read(above):
    above.moves = True
    assert above.turn() == []


def test_a_button_is_answered_once_when_all_has_been_read(above):
    above.turn()
    above.lies = MORE
    above.eye.look_now()
    assert above.turn() == [TableSeen(MORE, above.now)]
    assert above.turn() == [TableSeen(MORE, above.now, asked=True)]
    assert above.turn() == []


def test_a_button_waits_for_the_hand_to_go(above):
    above.turn()
    above.lies, above.moves = replace(LAID, hand=True), True
    above.eye.look_now()
    assert not any(one.asked for one in above.turn())
    above.moves = False
    assert not any(one.asked for one in [*above.turn(), *above.turn()])
    above.lies = MORE
    assert [one.asked for one in [*above.turn(), *above.turn()]] == [False, True]


def test_a_button_does_not_wait_for_ever_above_a_table_that_never_rests(above):
    above.turn()
    above.lies, above.moves = MORE, True
    above.eye.look_now()
    assert not any(one.asked for one in above.turn())
    assert above.turn(PATIENCE) == [TableSeen(MORE, above.now, asked=True)]
    assert above.whole == 3


def test_pictures_are_made_only_for_whoever_looks_on(above):
    assert above.eye.window.newer_than(0, drawn=True, timeout=0) is None
    above.turn()
    shown = above.eye.window.newer_than(0, drawn=True, timeout=0)
    assert (shown.number, shown.jpeg, shown.reading) == (1, b"drawn", LAID)
    assert above.eye.window.newer_than(1, drawn=True, timeout=0) is None
    assert above.eye.window.newer_than(0, drawn=False, timeout=0) is None
    above.turn()  # nothing changed, but somebody looks
    assert above.eye.window.newer_than(0, drawn=False, timeout=0) is None
    above.turn(0.3)
    assert above.eye.window.newer_than(0, drawn=False, timeout=0).jpeg == b"plain"
    above.turn(5)  # and nobody any more
    assert above.eye.window.newer_than(2, drawn=True, timeout=0) is None


def test_after_a_fault_the_table_is_read_anew(above, monkeypatch):
    monkeypatch.setattr(above.eye._wake, "wait", lambda _: None)
    above.turn()
    above.fault = "unplugged"
    above.eye.look_now()
    assert above.turn() == []
    above.fault = ""
    above.read_so_far = None
    assert above.turn() == [TableSeen(LAID, above.now)]
    assert above.turn() == []  # the button of before the fault is not answered later


def test_without_a_profile_it_says_why_and_shows_pictures(above):
    above.why, above.moves = "no profile yet", True
    blind = DeviceChanged("camera", "off", "no profile yet")
    assert above.turn() == [blind]
    above.said.clear()
    above.hear(DeviceChanged("camera", "ok"))
    above.hear(DeviceChanged("camera", "ok", "another size"))
    above.hear(DeviceChanged("camera", "lost", "black"))
    assert above.said == [blind, blind, DeviceChanged("camera", "lost", "black")]
    above.eye.window.newer_than(0, drawn=True, timeout=0)
    above.turn(0.3)
    assert above.eye.window.newer_than(0, drawn=True, timeout=0) is not None
    above.why, above.moves, above.read_so_far = "", False, None
    above.eye.reload()
    assert above.turn() == [TableSeen(LAID, above.now)]
    above.hear(DeviceChanged("camera", "ok"))
    assert above.said[-1] == DeviceChanged("camera", "ok")


def test_it_looks_on_a_thread_of_its_own_until_it_is_closed(above):
    above.eye.start()
    shown = above.eye.window.newer_than(0, drawn=True, timeout=20)
    above.now += 1
    shown = shown or above.eye.window.newer_than(0, drawn=True, timeout=20)
    assert shown is not None
    above.eye.close()
    assert above.eye.window.newer_than(99, drawn=True, timeout=20) is None
    assert above.fault == "closed"


def test_a_place_is_shown_while_somebody_asks_for_it_and_forgotten_after(above):
    window = above.eye.window
    assert window.newer_than(0, drawn=False, place="1:L1a", timeout=0) is None
    above.turn()
    assert window.newer_than(0, drawn=False, place="1:L1a", timeout=0).jpeg == b"cut to 1:L1a"
    assert window.newer_than(0, drawn=False, timeout=0) is None
    above.turn(WATCHED)
    assert not any(one.place for one in (*window._asked, *window._shown))


def test_what_people_say_goes_to_vision_that_learns_before_the_next_look(above):
    said, heard = FigureSaid(7, "1:R1a", "red", "lying"), []
    above.eye.learn(said)
    above.turn()
    above.eye.forget(7)
    above.turn()
    above.learn = lambda one: heard.append(one) or one.space
    above.forget = lambda learned: heard.append(f"not {learned}")
    above.eye.learn(said)
    assert not heard
    above.turn()
    above.eye.forget(6)
    above.eye.forget(7)
    above.eye.forget(7)
    above.turn()
    assert heard == [said, "not 1:R1a"]
