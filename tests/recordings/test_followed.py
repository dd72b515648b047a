"""A round in a strange kitchen, filmed by our renderer: its moves are recorded without a tap, and nothing else is."""

import json
from pathlib import Path

import pytest

from tests.recordings.followed import STORY, follow
from tests.recordings.improvised import improvise
from tests.recordings.projector import clear, things

KITCHEN = Path(__file__).parent / "kitchen"


@pytest.fixture(scope="module")
def told():
    return json.loads((KITCHEN / STORY).read_text())


def test_a_round_beside_a_phone_and_a_plate_on_the_mat_is_recorded_without_a_tap(told):
    found = follow(KITCHEN)
    assert found.moves == sum(len(one["moves"]) for one in told["scenes"] if one["name"])
    assert (found.right, found.doubts, found.wrong, found.left) == (found.moves, [], [], 0)
    assert (found.disagreements, found.phantoms) == ([], [])
    assert found.whole == found.rests


def test_a_rest_is_whole_where_nothing_in_view_is_in_doubt():
    hidden, seen = {"card": "tea-room", "visible": 0.5}, {"card": "dew-catcher", "visible": 0.8}
    figures = [{"space": "1:R2a", "player": "red", "pose": "standing", "visible": part} for part in (0.9, 0.89)]
    truth = {"rooms": {"2:R1": hidden, "1:R2": seen}, "dwellers": figures[:1]}
    assert clear(truth) == {("card", "1:R2", "dew-catcher"), ("dweller", "1:R2a", "red standing")}
    assert clear(truth | {"dwellers": figures[1:]}) == {("card", "1:R2", "dew-catcher")}
    assert things(truth) - clear(truth) == {("card", "2:R1", "tea-room")}


def test_what_is_filmed_is_what_its_seed_improvises(told):
    played = improvise(3011)
    assert played.setup == told["setup"]
    named = [one for one in told["scenes"] if one["name"]]
    assert len(named) > 3
    for one in named:
        step = played.steps[one["name"]]
        assert (step.moves, step.taps) == (one["moves"], one["taps"])


def test_a_room_that_is_paid_with_a_cube_of_ones_choice_is_laid():
    played = improvise(3102)
    assert any(tap.get("option") == "food" for step in played.steps.values() for tap in step.taps)
    assert "2:R2" in played.play.rooms


def test_a_move_that_was_not_made_is_counted_taken_back_and_said(tmp_path, told):
    """The story is changed: the figure is said to have been placed elsewhere than in the pictures."""
    changed = json.loads(json.dumps(told))
    step = [one for one in changed["scenes"] if one.get("moves")][1]
    step["moves"][0]["space"] = "1:L2b"
    changed["scenes"] = changed["scenes"][: changed["scenes"].index(step) + 1]
    for part in KITCHEN.iterdir():
        (tmp_path / part.name).symlink_to(part)
    (tmp_path / STORY).unlink()
    (tmp_path / STORY).write_text(json.dumps(changed))
    found = follow(tmp_path)
    assert (found.right, len(found.wrong), len(found.doubts), found.left) == (1, 1, 1, 0)
    assert "1:L1a" in found.wrong[0]
    assert "1:L2b" in found.doubts[0]
