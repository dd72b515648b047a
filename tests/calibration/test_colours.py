from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.measuring.own_figures import FigureLooks, learn
from calibration.measuring.papers import PLAYERS, circle_middle
from calibration.profiles import ProfileFile, memory_json
from calibration.steps import colours
from calibration.steps.colours import ColourStep, distance
from calibration.steps.step import StepError
from companion.vision.figures.memory import KnownLook

from . import scenes

PAINTS = {"red": (180, 40, 60), "blue": (40, 90, 170), "green": (60, 150, 70), "yellow": (230, 180, 50)}
VIEW = scenes.facing((0, -180, 480))


@pytest.fixture(scope="module")
def sheet():
    flat, size = scenes.paper("colour-circles")
    return scenes.shown(flat, size, VIEW)


@pytest.fixture
def codes(codes):
    """The codes of notes on colours: sizes have tests of their own."""
    return lambda notes: [code for code in codes(notes) if not code.startswith("figures_")]


def with_figures(sheet, paints=PAINTS, *, light=(1.0, 1.0, 1.0), but=(), size=(30.0, 20.0)):
    picture = sheet.copy()
    for number, player in enumerate(PLAYERS):
        for lying in (False, True):
            if (player, lying) not in but and player in paints:
                at = circle_middle(number, lying=lying)
                scenes.stand(picture, VIEW, at, paints[player], lying=lying, size=size)
    return np.clip(picture * np.array(light), 0, 255).astype(np.uint8)


def test_every_colour_is_measured_standing_and_lying(fresh, sheet, codes):
    step = ColourStep(fresh)
    assert codes(step.see(with_figures(sheet))) == ["colours_seen"]
    assert step.progress == (4, 4)
    step.keep()
    for player, measured in fresh.profile().colours.items():
        assert distance(measured, PAINTS[player]) < 16, (player, measured)


def test_a_yellow_lamp_does_not_change_what_colours_are(fresh, sheet):
    step = ColourStep(fresh)
    step.see(with_figures(sheet, light=(0.62, 0.8, 0.9)))
    for player, measured in step.colours().items():
        assert distance(measured, PAINTS[player]) < 16, (player, measured)


def test_an_empty_circle_is_told_and_the_rest_is_measured(fresh, sheet):
    step = ColourStep(fresh)
    notes = step.see(with_figures(sheet, but={("blue", False), ("green", False), ("green", True)}))
    assert [note.fields["what"] for note in notes if note.code == "circle_empty"] == [
        "blue standing",
        "green standing",
        "green lying",
    ]
    assert set(step.colours()) == {"red", "blue", "yellow"}


def test_paper_between_slim_legs_is_not_measured(fresh, sheet, codes):
    picture = sheet.copy()
    for number, player in enumerate(PLAYERS):
        for lying in (False, True):
            scenes.stand_slim(picture, VIEW, circle_middle(number, lying=lying), PAINTS[player], lying=lying)
    step = ColourStep(fresh)
    assert set(codes(step.see(picture))) <= {"colours_seen", "colours_stay"}
    assert len(step.colours()) >= 3
    for player, measured in step.colours().items():
        assert distance(measured, PAINTS[player]) < 16, (player, measured)


def test_a_shadow_and_something_grey_are_nobody(fresh, sheet):
    picture = with_figures(sheet, but={("blue", False), ("green", True)})
    scenes.stand(picture, VIEW, circle_middle(PLAYERS.index("blue"), lying=False), (120, 120, 120))
    scenes.stand(picture, VIEW, circle_middle(PLAYERS.index("green"), lying=True), (70, 68, 66), lying=True)
    notes = ColourStep(fresh).see(picture)
    assert [note.fields["what"] for note in notes if note.code == "circle_empty"] == ["blue standing", "green lying"]


@pytest.mark.parametrize(
    ("measured", "why"), [((0.55, 0.56, 0.57), "colour_pale"), ((0.30, 0.02, 0.30), "colours_worse")]
)
def test_a_colour_that_would_do_worse_is_not_taken_and_the_step_says_why(
    fresh, sheet, codes, monkeypatch, measured, why
):
    step, right = ColourStep(fresh), colours.body_colour

    def wrong_for_blue(light):
        return np.array(measured) if light.mean(axis=0).argmax() == 0 else right(light)

    monkeypatch.setattr(colours, "body_colour", wrong_for_blue)
    notes = step.see(with_figures(sheet))
    assert codes(notes) == ["colours_seen", why]
    assert next(note for note in notes if note.code == why).fields["players"] == "blue"
    before = fresh.profile().colours["blue"]
    step.keep()
    assert fresh.profile().colours["blue"] == before
    assert set(step.colours()) == {"red", "green", "yellow"}


def test_when_no_colour_is_taken_the_reason_is_said(fresh, sheet, monkeypatch):
    step = ColourStep(fresh)
    monkeypatch.setattr(colours, "body_colour", lambda _: np.full(3, 0.6))
    step.see(with_figures(sheet))
    with pytest.raises(StepError, match="hardly differs from the paper"):
        step.keep()


def test_nobody_on_the_sheet_and_no_sheet_at_all(fresh, sheet, codes):
    step = ColourStep(fresh)
    assert codes(step.see(sheet)) == ["circles_empty"]
    assert codes(step.see(np.full((900, 1200, 3), 90, dtype=np.uint8))) == ["no_circles"]
    with pytest.raises(StepError, match="no figure was recognised"):
        step.keep()


def test_colours_that_are_easily_taken_for_each_other_are_told(fresh, sheet):
    notes = ColourStep(fresh).see(with_figures(sheet, {**PAINTS, "green": (50, 95, 165)}))
    alike = next(note for note in notes if note.code == "colours_alike")
    assert set(alike.fields.values()) == {"blue", "green"}
    assert "a ring or a dot" in alike.text


def test_colours_that_are_no_better_stay_and_the_step_is_done(fresh, sheet, codes):
    """Pictures of the same figures soon find nothing better than what was measured before."""
    picture, notes = with_figures(sheet), []
    for _ in range(3):
        before = fresh.profile().colours
        step = ColourStep(fresh)
        notes = codes(step.see(picture))
        assert step.finished
        step.keep()
    assert notes == ["colours_stay"]
    assert fresh.profile().colours == before
    assert fresh.raw()["figures"]["measured"] == sorted(PLAYERS)


def test_without_the_sheet_figures_in_play_tell_their_colours(codes):
    """On a rendered frame with known paints."""
    profile = ProfileFile(Path(__file__).parents[1] / "frames" / "profile.json")
    step = ColourStep(profile)
    assert codes(step.see(cv2.imread(str(profile.folder / "std_7001.jpg"))))[:2] == ["mat_figures", "colours_seen"]
    painted = profile.profile().colours
    assert len(step.colours()) >= 3
    for player, measured in step.colours().items():
        assert distance(measured, painted[player]) < 32, (player, measured)


@pytest.mark.parametrize("size", [(42.0, 26.0), (22.0, 14.0), (38.0, 18.0)])
def test_the_owners_own_figures_are_measured(fresh, sheet, size):
    step = ColourStep(fresh)
    notes = step.see(with_figures(sheet, size=size))
    told = next(note for note in notes if note.code == "figures_sized")
    assert f"{told.fields['height']} mm tall" in told.text
    step.keep()
    measured = fresh.profile()
    assert (measured.figure_height, measured.figure_base) == pytest.approx(size, rel=0.15)
    assert step.details()["height"] == measured.figure_height


def test_a_size_that_fits_stays(fresh, sheet):
    profile = fresh.profile()
    step = ColourStep(fresh)
    notes = step.see(with_figures(sheet, size=(profile.figure_height, profile.figure_base)))
    assert "figures_size_stays" in [note.code for note in notes]
    step.keep()
    assert fresh.profile().figure_height == profile.figure_height


def test_one_more_picture_is_asked_for_where_the_size_is_unsure(fresh, sheet):
    step = ColourStep(fresh)
    lying = {(player, True) for player in PLAYERS}
    notes = step.see(with_figures(sheet, but=lying, size=(42.0, 26.0)))
    assert "take one more picture" in next(note for note in notes if note.code == "figures_unsized").text
    notes = step.see(with_figures(sheet, size=(42.0, 26.0)))
    assert "figures_sized" in [note.code for note in notes]


def test_own_figures_are_learned_and_kept_in_the_profile(fresh, sheet):
    step = ColourStep(fresh)
    notes = step.see(with_figures(sheet))
    assert {"figures_learned", "figures_known"} & {note.code for note in notes}
    fresh.change(step.patch())
    for look in fresh.profile().figure_memory:
        assert look.kind in {1, 2}


def test_the_step_forgets_what_people_said_at_the_table(fresh, sheet):
    said = KnownLook((1.0,) + (0.0,) * 63, 1, 1.5, "red")
    fresh.change({"figures": {"memory": memory_json([said])}})
    assert [look.player for look in fresh.profile().figure_memory] == ["red"]
    step = ColourStep(fresh)
    step.see(with_figures(sheet))
    fresh.change(step.patch())
    assert not any(look.player for look in fresh.profile().figure_memory)


def looks(what, kind, right, feature, *, seen=1.0):
    """Return a figure on eight cards: how sure the network is of its true pose, and what it sees."""
    other = 3 - kind
    chances = np.zeros((8, 3))
    chances[:, 0], chances[:, kind], chances[:, other] = 1 - seen, seen * right, seen * (1 - right)
    features = np.zeros((8, 64))
    features[:, feature] = 1
    return FigureLooks(what, kind, chances, features)


def test_only_what_makes_poses_surer_and_no_other_figure_less_sure_is_learned():
    lesson = learn([looks("red standing", 1, 0.4, 0), looks("red lying", 2, 0.9, 1)])
    assert "red standing" in lesson.learned
    assert lesson.after > lesson.before
    assert not lesson.unsure
    alike = learn([looks("red standing", 1, 0.8, 0), looks("red lying", 2, 0.3, 0)])
    assert alike.after >= alike.before - 0.01
    assert alike.unsure == ("red lying",), "two that look the same stay in doubt, and one more picture is asked for"


def test_a_figure_that_was_not_cut_out_whole_is_asked_for_again():
    lesson = learn([looks("green lying", 2, 0.9, 0, seen=0.2)])
    assert lesson.looks == ()
    assert lesson.unsure == ("green lying",)
