"""Dice as rays find them: those that lean have not the outline of a flat one, and what lamps make is no pip."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.throwing import throws, verdict_on
from companion.vision.dice import dice
from companion.vision.dice.faces import Spots, find_faces
from companion.vision.dice.outlines import lie_flat


@pytest.mark.parametrize("seed", [3, 12, 18])
def test_a_die_that_leans_is_a_doubt_though_its_face_looks_whole(seed):
    """Without a look at the outline each of these was read."""
    [throw] = throws("cocked", seed, 1)
    assert verdict_on(throw) == "unsure"


@pytest.mark.parametrize("seed", [3, 12, 18])
def test_dice_that_lie_flat_are_read(seed):
    [throw] = throws("flat", seed, 1)
    assert verdict_on(throw) == "right"


@pytest.fixture(scope="module")
def scene():
    """Two flat dice, as they are asked about."""
    seen = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dice, "lie_flat", lambda scene, strays: seen.append((scene, strays)) or True)
        assert verdict_on(throws("flat", 3, 1)[0]) == "right"
    [(scene, strays)] = seen
    assert strays == ()
    return scene


def test_a_spot_that_nothing_explains_may_be_on_the_ground_and_not_on_a_die(scene):
    on_a_die = scene.faces[0].spots[0]
    assert lie_flat(scene)
    assert not lie_flat(scene, (on_a_die,))
    middles = scene.spots.middles.copy()
    middles[on_a_die] = scene.faces[0].middle - scene.drop(scene.faces[0], 50.0)
    assert lie_flat(replace(scene, spots=replace(scene.spots, middles=middles)), (on_a_die,))


def test_a_die_that_looks_like_its_ground_explains_no_spot(scene):
    picture = np.full_like(scene.picture, 128)
    alike = replace(scene, picture=picture)
    assert lie_flat(alike)
    assert not lie_flat(alike, (scene.faces[0].spots[0],))


def test_where_no_ground_is_seen_no_spot_is_explained(scene):
    rows, columns = (slice(int(v) * 5 - 40, int(v) * 5 + 40) for v in scene.faces[0].middle[::-1])
    face = replace(scene.faces[0], middle=np.array([8.0, 8.0]))
    near = replace(scene, faces=(face,), picture=scene.picture[rows, columns])
    assert lie_flat(near)
    assert not lie_flat(near, (scene.faces[0].spots[0],))


@pytest.mark.parametrize(
    ("depths", "areas", "values"),
    [
        ((119, 112, 106, 97, 93), (6.3, 6.1, 7.3, 5.8, 5.2), [5]),
        ((119, 112, 66, 57, 53), (6.3, 6.1, 7.3, 3.8, 3.2), []),
    ],
)
def test_corners_of_a_lamp_that_a_three_mirrors_make_no_five_of_it(depths, areas, values):
    """As they were measured on a green die under a lamp, beside a five whose pips are alike."""
    corners = np.array([(-4.4, -4.4), (4.4, 4.4), (0, 0), (-4.4, 4.4), (4.4, -4.4)]) + 12.0
    spots = Spots(corners, np.array(areas), np.array(depths, float), np.tile(np.eye(2), (5, 1, 1)), np.ones(5, bool))
    picture = np.full((120, 120, 3), 90, np.uint8)
    assert [face.value for face in find_faces(spots, picture)] == values
