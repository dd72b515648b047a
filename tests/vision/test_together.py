"""What several looks say together of a figure that none of them is sure of."""

from hypothesis import given
from hypothesis import strategies as st

from companion.vision.reading import Dweller, FigureChance, VisionReading
from companion.vision.time.multi_look import FIGURE, LOOKS, MultiLook
from companion.vision.time.steadier import Steadier


def look(figure, *, lying=0.05, player="red", unsure=True, space="2:R1a"):
    chance = FigureChance(player, figure, lying, 0.5, 0.55)
    return VisionReading("f", "found", unsure=(space,) if unsure else (), chances={space: chance})


def run(looks):
    steadier = Steadier()
    return [steadier.see(reading) for reading in looks][-1]


def test_three_likely_looks_of_which_none_is_sure_are_a_dweller():
    steady = run([look(0.8, lying=0.3)] * 3)
    assert [(d.space, d.player, d.pose) for d in steady.dwellers] == [("2:R1a", "red", "standing")]
    assert steady.unsure == ()


def test_three_unlikely_looks_are_nobody():
    assert run([look(0.12), look(0.05, unsure=False), look(0.11)]).unsure == ()
    assert run([look(0.12)] * 3).unsure == ("2:R1a",)


def test_two_looks_are_not_enough():
    assert run([look(0.9)] * 2).dwellers == ()


def test_what_stays_in_the_middle_stays_in_doubt():
    steady = run([look(0.5), look(0.7), look(0.4)])
    assert steady.dwellers == ()
    assert steady.unsure == ("2:R1a",)


def test_a_pose_or_a_colour_that_changes_stays_in_doubt():
    assert run([look(0.9, lying=0.5)] * 3).dwellers == ()
    assert run([look(0.9), look(0.9, player="yellow"), look(0.9)]).dwellers == ()


def test_a_figure_of_which_only_the_pose_is_open_is_told_by_its_colour():
    steady = run([look(0.95, lying=0.5)] * 3)
    assert steady.unposed == {"2:R1a": "red"}
    assert steady.to_json()["unposed"] == {"2:R1a": "red"}
    for others in ([look(0.95, lying=0.5)] * 2, [look(0.8, lying=0.5)] * 3, [look(0.95, lying=0.05)] * 3):
        assert run(others).unposed == {}
    assert "unposed" not in run([look(0.8, lying=0.5)] * 3).to_json()


def test_a_change_begins_anew():
    steadier = Steadier()
    for _ in range(2):
        steadier.see(look(0.9))
    steadier.changed({"2:R1"})
    assert steadier.see(look(0.9)).dwellers == ()
    steadier.disturb()
    assert [len(steadier.see(look(0.9)).dwellers) for _ in range(3)] == [0, 0, 1]


def test_a_hand_adds_nothing():
    hand = VisionReading("f", "found", hand=True, unsure=("2:R1a",), chances=look(0.9).chances)
    assert run([look(0.9), hand, look(0.9)]).dwellers == ()


def test_what_is_held_is_not_put_away_by_doubt():
    there = VisionReading("f", "found", dwellers=(Dweller("2:R1a", "blue", "standing", 0.9),))
    assert [d.player for d in run([there, there, *[look(0.9)] * 3]).dwellers] == ["blue"]


def test_who_has_gone_is_soon_no_doubt():
    together = MultiLook()
    for _ in range(LOOKS):
        together.see(look(0.3))
    told = [together.see(VisionReading("f", "found")) for _ in range(2)]
    assert told[-1] == {"2:R1a": None}


@given(st.lists(st.floats(0, 1), min_size=LOOKS, max_size=LOOKS))
def test_nobody_is_told_whom_no_look_finds_likely(figures):
    together = MultiLook()
    told = [together.see(look(figure)) for figure in figures][-1].get("2:R1a")
    if max(figures) <= FIGURE:
        assert told is None
