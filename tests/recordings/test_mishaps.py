"""What may happen in the middle of a traced round: the right moves all the same, and nothing that is not there."""

import numpy as np
import pytest

from companion.games.api import Button
from companion.table.session.settings import BUTTON, Settings
from companion.table.sight.reconcile import LOST, WATCHING
from tests.recordings import mishaps
from tests.recordings.mishaps import MOVES, as_it_is, go_on, happens
from tests.recordings.projector import Projector, scenes

RESTED = 1.0  # second, within which a camera that was knocked has found the table again


@pytest.fixture
def played(tmp_path):
    made = Projector(tmp_path, "evening")
    mishaps.begin(made)
    yield made
    made.end()


def test_by_button_only_who_has_pressed_is_moved_for(tmp_path):
    played = Projector(tmp_path, "evening", Settings(way=BUTTON))
    try:
        played.start(mishaps.SETUP)
        played.play(scenes("evening", only=slice(5, 8)))
        played.press(Button.RED)  # the arm is still over the table
        assert played.moves == []
        played.play(scenes("evening", only=slice(8, 12)))  # red's arm goes, blue's comes and goes
        assert played.moves == MOVES[:1]
        played.press(Button.GREEN)
        played.play([happens(as_it_is, "", 0.6, nth=11)])
        assert played.moves == MOVES[:1]
        played.press(Button.BLUE)
        played.play([happens(as_it_is, "", 0.6, nth=11)])
        assert played.moves == MOVES[:2]
        found = played.verdicts
        assert (found.phantoms, found.wrong, found.missed, found.lost) == ([], [], [], 0)
    finally:
        played.end()


def played_rightly(played, lost=0):
    assert played.moves == MOVES
    found = played.verdicts
    assert (found.phantoms, found.wrong, found.missed, found.lost) == ([], [], [], lost)
    assert all(not state["table"]["disagreements"] for state in played.states.values())


def middle(look):
    """Where a look sees the middle of the table."""
    return look.pose.project(np.zeros((1, 3)))[0]


def found_again(played, since, far):
    """How long after a moment the table was found where it is now."""
    found = [(at, middle(look)) for at, look in played.looks if look.pose is not None]
    old = [where for at, where in found if at < since][-1]
    return next(at for at, where in found if at >= since and np.linalg.norm(where - old) >= far) - since


def test_a_camera_that_is_knocked_finds_the_table_again_by_itself(played):
    since = played.now
    played.play([happens(mishaps.bumped)])
    assert found_again(played, since, far=10) <= RESTED
    go_on(played, mishaps.bumped)
    played_rightly(played)


def test_a_camera_that_is_knocked_while_a_hand_is_in_finds_the_table_again(played):
    go_on(played, mishaps.bumped)
    played_rightly(played)


def test_mugs_on_half_of_the_mats_tags_do_not_matter(played):
    change = mishaps.mugs(played, {1, 4, 5})
    played.play([happens(change)])
    go_on(played, change)
    played_rightly(played)


def test_another_lamp_needs_no_new_calibration(played):
    played.play([happens(mishaps.lamp_changed)])
    go_on(played, mishaps.lamp_changed)
    played_rightly(played)


def test_a_hand_on_the_lens_is_said_and_forgotten(played):
    played.play([happens(mishaps.lens_covered, "covered", seconds=2.0)])
    assert played.states["covered"]["table"]["camera"] == LOST
    assert played.moves == MOVES[:1]
    since = played.now
    played.play([happens(as_it_is, "open again")])
    assert played.states["open again"]["table"]["camera"] == WATCHING
    assert found_again(played, since, far=0) <= RESTED
    go_on(played)
    played_rightly(played, lost=1)
