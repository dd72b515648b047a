"""The renderer's truth, without any light: where things appear, how much of them is visible, how figures lie."""

import importlib.util
import json
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.profile import load_profile
from tests.rendering import tracing
from tests.rendering.figures import FAMILIES, sculpt, whole
from tests.rendering.rooms import make_room, mirrored
from tests.rendering.scenes import Camera, Finish, Piece, Scene, make_scene, outline, sheet
from tests.rendering.shapes import box, laid, moved
from tests.rendering.truth import shown, truth, visible
from tests.rendering.worlds import CARD, GROWN, KEPT, LEARNED, MORE_FIGURES, draw, linked, make_world, write_world

HIGH = 500.0  # mm: a camera straight above the middle of the table
FOCAL = 400.0
SIZE = (400, 300)


def above(lens=(0.0, 0.0, 0.0, 0.0, 0.0)):
    turn = np.diag([1.0, -1.0, -1.0])
    matrix = np.array([[FOCAL, 0, SIZE[0] / 2], [0, FOCAL, SIZE[1] / 2], [0, 0, 1]])
    return Camera(matrix, np.array(lens), turn, -turn @ (0, 0, HIGH), SIZE)


def lying_card(middle=(0.0, 0.0), name="card0"):
    mesh, uv = sheet(CARD, middle, 0.0, 0.0, (0, 0, 0))
    return Piece(name, "card", mesh, Finish(0.5), shown="room-00", uv=uv)


def block(size, at, name="block", kind="thing"):
    return Piece(name, kind, moved(box((0, 0, 0), size), at), Finish(0.5), colours=np.zeros((24, 3)))


def share(scene, name):
    picture, alone = shown(scene)
    return visible(scene, picture, alone, name)


@pytest.fixture(scope="module")
def world():
    return make_world(3)


def test_a_point_appears_where_a_pinhole_shows_it():
    at = above().project([(100, 50, 0), (100, 50, 100)])
    assert at[0] == pytest.approx((200 + FOCAL * 100 / HIGH, 150 - FOCAL * 50 / HIGH))
    assert at[1] == pytest.approx((200 + FOCAL * 100 / 400, 150 - FOCAL * 50 / 400))
    assert above().eye == pytest.approx((0, 0, HIGH))


def test_a_barrel_pulls_points_inwards():
    straight, bent = above().project([(150, 0, 0)]), above((-0.2, 0, 0, 0, 0)).project([(150, 0, 0)])
    assert straight[0, 0] > bent[0, 0] > 200
    assert above((-0.2, 0, 0, 0, 0)).project([(150, 0, 0)], lens=False) == pytest.approx(straight)


def test_a_card_has_its_corners_from_the_upper_left():
    corners = above().project(outline(CARD, (0, 0), 0.0))
    assert corners[0] == pytest.approx((200 - FOCAL * 44 / HIGH, 150 - FOCAL * 31.5 / HIGH))
    assert corners[2] == pytest.approx((200 + FOCAL * 44 / HIGH, 150 + FOCAL * 31.5 / HIGH))


def test_what_lies_free_is_visible_and_half_under_a_block_it_is_half():
    free = Scene(None, 0, above(), [lying_card()])
    assert share(free, "card0") == 1
    half = replace(free, pieces=[lying_card(), block((100, 100, 1), (50, 0, 1))])
    assert share(half, "card0") == pytest.approx(0.5, abs=0.03)
    gone = replace(free, pieces=[lying_card(), block((200, 200, 1), (0, 0, 1))])
    assert share(gone, "card0") == 0


def test_the_nearer_of_two_hides_the_other_in_whatever_order_they_are_told():
    low, high = block((20, 20, 2), (0, 0, 5), "low", "figure"), block((40, 40, 2), (0, 0, 30), "high", "hand")
    for pieces in ([low, high], [high, low]):
        assert share(Scene(None, 0, above(), pieces), "low") == 0


def test_what_is_out_of_the_picture_is_not_visible():
    assert share(Scene(None, 0, above(), [lying_card((2000.0, 0.0))]), "card0") == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_stands_on_the_table_as_tall_as_asked_and_lies_lower(family):
    rng = np.random.default_rng(1)
    for seed in range(6):
        mesh = whole(sculpt(family, seed, 34, 8))
        assert mesh.points[:, 2].max() == pytest.approx(34)
        assert mesh.points[:, 2].min() >= 0
        rested = laid(mesh, rng)
        assert rested.points[:, 2].min() == pytest.approx(0, abs=1e-6)
        assert rested.points[:, 2].max() < 0.85 * 34
        length = np.linalg.norm(mesh.points[0] - mesh.points[-1])
        assert np.linalg.norm(rested.points[0] - rested.points[-1]) == pytest.approx(length)


def test_a_linked_world_has_two_figures_on_many_spaces_and_no_hand_over_them(world):
    scenes = [make_scene(linked(world), number) for number in range(3)]
    shared = [Counter((one["level"], one["col"], one["space"]) for one in scene.dwellers) for scene in scenes]
    assert all(sum(count == 2 for count in spaces.values()) >= 3 for spaces in shared)
    assert not any(scene.hands for scene in scenes)
    told = [
        [one["colour"] for one in scene.dwellers if (one["level"], one["col"], one["space"]) == place]
        for scene, spaces in zip(scenes, shared, strict=True)
        for place, count in spaces.items()
        if count == 2
    ]
    alike = sum(one == other for one, other in told) / len(told)
    assert 0.4 < alike < 0.95, "most are one player's, as on a linked space"


def test_a_number_makes_the_same_scene_again_and_another_a_different_one(world):
    first, again, other = (truth(make_scene(world, number))[0] for number in (0, 0, 1))
    assert first == again
    assert first["dwellers"] != other["dwellers"]


def test_the_truth_is_complete_and_the_mask_shows_what_is_visible(world):
    told, picture = truth(make_scene(world, 0))
    assert json.loads(json.dumps(told)) == told
    assert {card["kind"] for card in told["cards"]} >= {"room", "elevator"}
    assert len(told["dwellers"]) > 3
    assert all(0 <= one["visible"] <= 1 for one in told["cards"] + told["dwellers"])
    seen = [one for one in told["dwellers"] if one["visible"] > 0.5]
    assert all((picture == one["mask"]).any() for one in seen)


def test_kept_worlds_share_neither_figures_nor_art_with_those_that_are_learned_from():
    learned = {*LEARNED["figures"], *MORE_FIGURES}
    assert not set(KEPT["figures"]) & learned
    assert not set(KEPT["art"]) & set(LEARNED["art"])
    assert set(KEPT["figures"]) | learned == set(FAMILIES)
    for seed in (*range(4), *range(GROWN, GROWN + 4)):
        assert {one.family for one in make_world(seed, kept=True).sculpts} <= set(KEPT["figures"])
        assert {one.family for one in make_world(seed).sculpts} <= learned


def test_worlds_before_the_renderer_grew_have_the_figures_that_they_had():
    early = {one.family for seed in range(GROWN - 12, GROWN) for one in make_world(seed).sculpts}
    later = {one.family for seed in range(GROWN, GROWN + 12) for one in make_world(seed).sculpts}
    assert not early & set(MORE_FIGURES)
    assert later & set(MORE_FIGURES)


def test_the_camera_sees_all_of_the_mat(world):
    corners = np.array([(x, y, 0) for x in (-370, 370) for y in (-215, 215)])
    for number in range(4):
        seen = make_scene(world, number).camera.project(corners)
        assert (seen >= 0).all()
        assert (seen < world.size).all()


def test_a_mirror_on_the_table_shows_the_lamp_to_the_camera():
    eye, at = np.array([120.0, -340.0, 800.0]), np.array([-60.0, 90.0])
    lamp = np.array(mirrored(make_room(np.random.default_rng(5)), eye, at).lamp)
    behind = lamp * (1, 1, -1)  # its image below the table
    reached = eye + (behind - eye) * eye[2] / (eye[2] - behind[2])
    assert np.allclose(reached, [*at, 0])
    assert lamp[2] > eye[2]  # not between table and camera


def test_a_world_has_a_profile_that_eyes_can_use(world, tmp_path):
    write_world(world, draw(world), tmp_path)
    profile = load_profile(tmp_path / "profile.json")
    assert set(profile.cards) == set(world.tags)
    assert profile.figure_height == pytest.approx(world.height, abs=0.1)


def test_pixels_find_their_way_through_the_lens():
    """What a camera without a lens sees at a point's place is found where the lens shows that point."""
    camera = above((-0.2, 0.03, 0, 0, 0))
    field = tracing.Field(camera)
    straight = np.zeros((field.size[1], field.size[0], 3), dtype=np.float32)
    point = np.array([[120.0, -70.0, 0.0]])
    spot = camera.project(point, lens=False)[0] - (SIZE[0] / 2, SIZE[1] / 2) + field.middle
    cv2.circle(straight, tuple(round(v) for v in spot.tolist()), 4, (1, 1, 1), -1)
    found = np.argwhere(field.through_lens(straight)[..., 0] > 0.5)[:, ::-1].mean(axis=0)
    assert found == pytest.approx(camera.project(point)[0], abs=1.0)


@pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="Mitsuba, a tool, is not installed")
def test_a_small_picture_shows_what_the_truth_says(world):
    small = replace(world, size=(256, 192), focal=world.focal * 256 / world.size[0])
    scene = make_scene(small, 0)
    light, field = tracing.Tracer(draw(small), samples=2).trace(scene, make_room(np.random.default_rng(1)), 1)
    kept = cv2.imdecode(tracing.photographed(field.through_lens(light), np.random.default_rng(2)), cv2.IMREAD_COLOR)
    assert kept.shape == (192, 256, 3)
    assert kept.std() > 5
