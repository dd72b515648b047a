from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from companion.vision.reading import CardSeen, Dweller, VisionReading, lost
from companion.vision.time.steadier import Steadier


def reading(card=None, figure=None, unsure=()):
    rooms = {"2:R1": CardSeen(card, 1.0)} if card else {}
    dwellers = (Dweller("2:R1a", *figure, 0.9),) if figure else ()
    return VisionReading("f", "found", rooms=rooms, dwellers=dwellers, unsure=tuple(unsure))


def run(frames):
    steadier = Steadier()
    return [steadier.see(frame) for frame in frames]


def test_one_frame_is_not_enough():
    first, second = run([reading("garden"), reading("garden")])
    assert first.rooms == {}
    assert "2:R1" in first.unsure
    assert second.rooms["2:R1"].card == "garden"


def test_two_of_three_frames_are_enough():
    assert run([reading("garden"), reading(), reading("garden")])[-1].rooms["2:R1"].card == "garden"


def test_going_away_takes_three_clear_frames():
    there = [reading("garden")] * 3
    steps = run([*there, reading(), reading(), reading()])
    assert [bool(step.rooms) for step in steps[3:]] == [True, True, False]


def test_looks_that_cannot_tell_do_not_count_as_clear():
    steps = run([*[reading("garden")] * 3, *[reading(unsure=["2:R1"])] * 2, reading(), reading(), reading()])
    assert [bool(step.rooms) for step in steps[-4:]] == [True, True, True, False]


def test_a_hidden_place_is_frozen():
    steps = run([reading("garden")] * 2 + [reading(unsure=["2:R1"])] * 9)
    assert all(step.rooms["2:R1"].card == "garden" for step in steps[1:])


def test_a_hand_over_a_slot_freezes_its_figures():
    under_a_hand = replace(reading(unsure=["2:R1"]), hand=True)
    steps = run([reading(figure=("red", "standing"))] * 2 + [under_a_hand] * 9)
    assert all(step.dwellers for step in steps[1:])


def test_a_pose_that_flickers_stays():
    up, down = reading(figure=("red", "standing")), reading(figure=("red", "lying"))
    assert [step.dwellers[0].pose for step in run([up, up, down, up, up])[1:]] == ["standing"] * 4
    assert run([up, up, down, down])[-1].dwellers[0].pose == "lying"


def test_a_lost_table_changes_nothing():
    steps = run([reading("garden")] * 2 + [lost("x")] * 5)
    assert steps[-1].rooms["2:R1"].card == "garden"
    assert steps[-1].table == "lost"


def test_after_a_bump_it_takes_two_frames_again():
    steadier = Steadier()
    steadier.see(reading("garden"))
    steadier.disturb()
    assert steadier.see(reading("garden")).rooms == {}
    assert steadier.see(reading("garden")).rooms


def test_nothing_arrives_and_nothing_goes_under_a_hand():
    under_a_hand = replace(reading("armory", ("blue", "lying"), unsure=["2:R2"]), hand=True)
    steps = run([reading("garden")] * 2 + [under_a_hand] * 5 + [reading()] * 3)
    assert all(step.rooms["2:R1"].card == "garden" and not step.dwellers for step in steps[1:-1])
    assert "2:R2" in steps[6].unsure
    assert not steps[-1].rooms  # the hand took it away


def test_one_frame_of_doubt_is_none_and_two_of_three_are():
    clear, doubt = reading(), reading(unsure=["2:R1a"])
    steps = run([clear, clear, clear, doubt, clear, doubt, clear, clear])
    assert [bool(step.unsure) for step in steps] == [False, False, False, False, False, True, False, False]


def test_what_cannot_be_read_any_more_is_unsure_and_not_absent():
    steps = run([reading("garden")] * 3 + [reading()] * 3 + [reading(unsure=["2:R1"])] * 3)
    assert not steps[-1].rooms
    assert steps[-1].unsure == ("2:R1",)


def test_a_single_glimpse_is_forgotten():
    steps = run([reading(figure=("red", "standing")), reading(), reading(), reading()])
    assert [step.unsure for step in steps] == [("2:R1a",)] * 3 + [()]


glimpses = st.sampled_from([reading(), reading("garden"), reading("armory"), reading(unsure=["2:R1"]), lost("x")])


@given(st.lists(glimpses, max_size=12))
def test_nothing_is_held_that_two_of_three_frames_did_not_show(frames):
    counted = [frame for frame in frames if frame.table == "found"]
    steadier = Steadier()
    held = None
    for index, frame in enumerate(counted):
        now = steadier.see(frame).rooms.get("2:R1")
        if now is not None and (held is None or now.card != held.card):
            recent = counted[max(0, index - 2) : index + 1]
            assert sum(f.rooms.get("2:R1") == CardSeen(now.card, 1.0) for f in recent) >= 2
        if held is not None and now is None:
            assert all(not f.rooms and not f.unsure for f in counted[index - 2 : index + 1])
        held = now


@given(st.lists(glimpses, max_size=12))
def test_a_place_is_never_both_known_and_unsure(frames):
    for step in run(frames):
        assert not set(step.rooms) & set(step.unsure)


def two(*poses):
    return VisionReading("f", "found", dwellers=tuple(Dweller("2:R1a", "red", pose, 0.9) for pose in poses))


def test_two_on_one_space_arrive_and_leave_each_by_itself():
    one, both = two("standing"), two("standing", "standing")
    steps = run([one, one, both, both, one, one])
    assert [len(step.dwellers) for step in steps] == [0, 1, 1, 2, 2, 1]
    assert [len(step.dwellers) for step in run([both, both, two(), two(), two()])] == [0, 2, 2, 2, 0]


def test_of_two_on_one_space_one_is_laid_down():
    steps = run([two("standing", "standing")] * 2 + [two("lying", "standing")] * 2)
    assert [dweller.pose for dweller in steps[-1].dwellers] == ["lying", "standing"]
