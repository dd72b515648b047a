import numpy as np
import pytest

from companion.app.sight.vision_thread import GuidedCalibration, NoVision, ProfileVision
from companion.refusal import Refusal
from tests.vision import tables


def test_the_eye_sees_with_the_guide_while_a_step_is_open_and_with_the_new_profile_after_it(tmp_path):
    changes = []
    guided = GuidedCalibration(tmp_path / "profile.json", lambda: changes.append(True))
    assert isinstance(guided.vision(), NoVision)
    assert guided.view()["open"] == ""
    guided.act("table", "open", {})
    vision = guided.vision()
    assert "calibrated" in vision.why
    assert vision.resting
    guided.act("table", "take", {})
    picture = tables.draw_table({})
    assert vision.due(np.ascontiguousarray(picture[::3, ::3, 1]), 1.0)
    assert vision.read(picture).table == "lost"
    assert vision.jpeg(picture, drawn=True).startswith(b"\xff\xd8")
    guided.act("table", "keep", {})
    guided.act("table", "close", {})
    assert isinstance(guided.vision(), ProfileVision)
    assert changes == [True, True]


def test_a_step_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(Refusal):
        GuidedCalibration(tmp_path / "profile.json", lambda: None).act("dance", "open", {})
