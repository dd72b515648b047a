"""A profile for another mat: the table is lost and one line says why; never a wrong reading."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.seeing import Score, judge
from companion.vision.camera.pose import find_pose
from companion.vision.cards.placing import mat_fits
from companion.vision.look import MISFIT, look
from companion.vision.profile import load_profile, parse_profile
from companion.vision.table_reader import TableReader

FRAMES = Path(__file__).resolve().parent.parent / "frames"
NAMES = ("std_7002", "pair_7020")


def moved(right=0.0, away=0.0, scale=1.0, size=1.0):
    def change(table):
        for mark in table["mat_tags"]:
            mark["centre"] = [mark["centre"][0] * scale + right, mark["centre"][1] * scale + away]
            mark["size"] *= size

    return change


def numbered(order):
    def change(table):
        ids = [mark["id"] for mark in table["mat_tags"]]
        for mark, number in zip(table["mat_tags"], order, strict=True):
            mark["id"] = ids[number]

    return change


def sides_swapped(table):
    for mark in table["mat_tags"]:
        mark["centre"] = [mark["centre"][1], mark["centre"][0] * 2]


OTHERS = {
    "four levels": lambda table: table.update(levels=4),
    "three levels": lambda table: table.update(levels=3),
    "six levels": lambda table: table.update(levels=6),
    "a column to the right": moved(right=92),
    "a column to the left": moved(right=-92),
    "half a column to the right": moved(right=46),
    "two centimetres to the right": moved(right=20),
    "a level up": moved(away=67),
    "half a level up": moved(away=33),
    "a twentieth narrower": moved(scale=0.95),
    "a twentieth wider": moved(scale=1.05),
    "larger with its tags": moved(scale=1.2, size=1.2),
    "smaller with its tags": moved(scale=0.9, size=0.9),
    "smaller cards": lambda table: table.update(card=[70, 50]),
    "wide gaps": lambda table: table.update(gap=15),
    "turned numbers": numbered((2, 3, 0, 1, 5, 4)),
    "mirrored numbers": numbered((1, 0, 3, 2, 4, 5)),
    "swapped sides": sides_swapped,
}


def other(change):
    raw = json.loads((FRAMES / "profile.json").read_text())
    change(raw["table"])
    return raw


@pytest.fixture(scope="module")
def profile():
    return load_profile(FRAMES / "profile.json")


@pytest.fixture(scope="module")
def found(profile):
    """The tags of every frame with stickers, and its pose."""
    seeing, tables = TableReader(profile), {}
    for path in sorted(FRAMES.glob("*.jpg")):
        grey = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        tags, size = seeing.finder.find(grey), grey.shape[::-1]
        tables[path.stem] = (tags, find_pose(tags, profile, size), size)
    return tables


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mat", OTHERS)
def test_by_the_profile_of_another_mat_there_is_no_table(mat, name, found):
    tags, _, size = found[name]
    profile = parse_profile(other(OTHERS[mat]), FRAMES)
    pose = find_pose(tags, profile, size)
    assert pose is None or not mat_fits(tags, pose, profile)


def run(tmp_path, raw, *names):
    for card in raw["cards"].values():
        card["art"] = [str(FRAMES / art) for art in card["art"]]
    path = tmp_path / "other.json"
    path.write_text(json.dumps(raw))
    pictures = [str(FRAMES / f"{name}.jpg") for name in names]
    return CliRunner().invoke(look, [*pictures, "--profile", str(path), "--json"])


@pytest.mark.parametrize("mat", ["four levels", "a column to the right", "larger with its tags", "smaller cards"])
def test_the_state_is_lost_and_one_line_says_why(mat, tmp_path):
    result = run(tmp_path, other(OTHERS[mat]), *NAMES)
    assert result.exit_code == 0
    readings = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(one["table"], one["rooms"], one["dwellers"]) for one in readings] == [("lost", {}, [])] * 2
    assert result.stderr == f"{NAMES[0]}.jpg: {MISFIT}\n"


def test_a_mat_with_other_tags_is_read_by_its_elevators():
    raw = other(lambda table: [mark.update(id=mark["id"] + 300) for mark in table["mat_tags"]])
    seeing, score = TableReader(parse_profile(raw, FRAMES)), Score()
    for name in NAMES:
        reading = seeing.look(cv2.imread(str(FRAMES / f"{name}.jpg"))).reading
        judge(reading, json.loads((FRAMES / f"{name}.json").read_text()), score)
    assert not any(row["wrong"] for row in score.rows.values())
    assert score.phantoms == 0


def share_of(tags, profile, share, chance):
    owners = profile.card_of_tag()
    return [tag for tag in tags if tag.id not in owners or chance.random() < share]


@pytest.mark.parametrize("share", [0.2, 0.5, 1.0])
def test_every_good_frame_fits_whatever_is_hidden(share, found, profile):
    chance = np.random.default_rng(4)
    for tags, pose, _ in found.values():
        assert all(mat_fits(share_of(tags, profile, share, chance), pose, profile) for _ in range(10))


def test_cards_laid_askew_by_a_centimetre_fit(found, profile):
    chance, owners = np.random.default_rng(5), profile.card_of_tag()
    for tags, pose, _ in found.values():
        start, right, away = pose.project(np.array([[0, 0, 0], [10, 0, 0], [0, 10, 0]]))
        for _ in range(10):
            steps = chance.uniform(-1, 1, (len(tags), 2)) @ np.array([right - start, away - start])
            laid = [tag.shifted(*step) if tag.id in owners else tag for tag, step in zip(tags, steps, strict=True)]
            assert mat_fits(share_of(laid, profile, 0.7, chance), pose, profile)


@pytest.mark.parametrize("name", ["capsule_7006", "pair_7020", "std_7002", "std_7005"])
def test_a_picture_of_another_shape_is_no_other_mat(name):
    """Its lens is only guessed, so not all of the mat's tags agree."""
    still = cv2.imread(str(FRAMES / f"{name}.jpg"))
    high, wide = still.shape[:2]
    side = (round(high * 16 / 9) - wide) // 2
    picture = cv2.copyMakeBorder(still, 0, 0, side, side, cv2.BORDER_REPLICATE)
    look = TableReader(load_profile(FRAMES / "profile.json")).look(picture)
    assert (look.reading.table, look.misfit) == ("found", False)
    assert len(look.reading.rooms) > 15
