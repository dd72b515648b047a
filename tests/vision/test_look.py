import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.vision.look import look

from . import tables, throws

LAID = {"1:L3": 0, "2:R1": 3}


def run(*words):
    return CliRunner().invoke(look, [str(word) for word in words])


@pytest.fixture
def photo(tmp_path):
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), tables.draw_table(LAID))
    return path


def test_one_json_line_a_picture(photo, profile_file):
    result = run(photo, "--profile", profile_file, "--json")
    assert result.exit_code == 0
    reading = json.loads(result.stdout)
    assert reading["image"] == "table.png"
    assert reading["table"] == "found"
    assert set(reading["rooms"]) == set(LAID)
    assert set(reading) == {"image", "table", "hand", "ms", "rooms", "threats", "tracks", "dwellers", "unsure"}


@pytest.fixture
def with_a_corner(profile_file):
    raw = json.loads(profile_file.read_text())
    raw["table"] |= {"dice": list(throws.MIDDLE), "dice_size": [110, 44]}
    beside = profile_file.with_name("with-a-corner.json")
    beside.write_text(json.dumps(raw))
    return beside


def test_real_dice_are_one_more_key_where_the_profile_has_a_corner_for_them(tmp_path, with_a_corner):
    x, y = throws.MIDDLE
    empty = tables.draw_table(LAID)
    thrown = [(3, x - 20, y, 0.3), (6, x + 13, y, 1.0)]
    for name, dice in (("empty", []), ("thrown", thrown), ("alone", thrown[:1])):
        cv2.imwrite(str(tmp_path / f"{name}.png"), throws.throw(empty, tables.camera(), dice))
    pictures = [tmp_path / f"{name}.png" for name in ("empty", "thrown", "alone")]
    none, both, one = (
        json.loads(line) for line in run(*pictures, "--profile", with_a_corner, "--json").stdout.splitlines()
    )
    assert (none["dice"], none["unsure"]) == ([], [])
    assert sorted(die["value"] for die in both["dice"]) == [3, 6]
    assert sorted(die["at"][0] for die in both["dice"]) == pytest.approx([x - 20, x + 13], abs=1.5)
    assert (one["dice"], one["unsure"]) == ([], ["dice"])
    assert "dice 3 and 6" in run(pictures[1], "--profile", with_a_corner).stdout


def test_a_folder_and_words_for_people(photo, profile_file):
    result = run(photo.parent, "--profile", profile_file)
    assert result.exit_code == 0
    assert result.stdout.startswith("table.png: 2 rooms")


def test_a_video_gives_a_line_a_frame(tmp_path, profile_file):
    path = tmp_path / "round.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 5, tables.SIZE)
    for _ in range(3):
        film.write(tables.draw_table(LAID))
    film.release()
    result = run(path, "--profile", profile_file, "--json")
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["image"] for line in lines] == ["round.avi#00001", "round.avi#00002", "round.avi#00003"]
    assert all(set(line["rooms"]) == set(LAID) for line in lines)


def test_what_was_seen_is_drawn(photo, profile_file, tmp_path):
    out = tmp_path / "drawn.png"
    assert run(photo, "--profile", profile_file, "--draw", out).exit_code == 0
    drawn = cv2.imread(str(out))
    assert drawn.shape == tables.draw_table(LAID).shape
    assert (drawn != tables.draw_table(LAID)).any()


def test_drawings_of_a_folder_go_to_a_folder(photo, profile_file, tmp_path):
    assert run(photo.parent, "--profile", profile_file, "--draw", tmp_path / "out").exit_code == 0
    assert (tmp_path / "out" / "table.png").exists()


NOTHING = {
    "black": np.zeros((900, 1200, 3), dtype=np.uint8),
    "white": np.full((900, 1200, 3), 255, dtype=np.uint8),
    "grey": np.full((900, 1200), 128, dtype=np.uint8),
    "dot": np.zeros((1, 1, 3), dtype=np.uint8),
    "strip": np.full((3, 1200, 3), 90, dtype=np.uint8),
    "noise": np.random.default_rng(3).integers(0, 255, (900, 1200, 3), dtype=np.uint8),
}


@pytest.mark.parametrize("name", NOTHING)
def test_no_table_is_a_state(name, tmp_path, profile_file):
    path = tmp_path / f"{name}.png"
    cv2.imwrite(str(path), NOTHING[name])
    result = run(path, "--profile", profile_file, "--json")
    assert result.exit_code == 0
    reading = json.loads(result.stdout)
    assert reading["table"] == "lost"
    assert not reading["rooms"]
    assert not reading["dwellers"]


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_a_truncated_file_is_one_clear_line(suffix, tmp_path, profile_file):
    whole = cv2.imencode(suffix, tables.draw_table(LAID))[1].tobytes()
    path = tmp_path / f"half{suffix}"
    path.write_bytes(whole[: len(whole) // 2])
    result = run(path, "--profile", profile_file, "--json")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == f"half{suffix}: the file is truncated\n"


@pytest.mark.parametrize("data", [b"", b"no picture at all"])
def test_what_is_no_picture_is_one_clear_line(data, tmp_path, profile_file):
    path = tmp_path / "note.jpg"
    path.write_bytes(data)
    result = run(path, "--profile", profile_file)
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1


def test_good_pictures_are_read_beside_a_bad_one(photo, profile_file):
    (photo.parent / "bad.jpg").write_bytes(b"")
    result = run(photo.parent, "--profile", profile_file, "--json")
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 1


def test_wrong_use_is_told(photo, tmp_path, profile_file):
    assert run(tmp_path / "none.png", "--profile", profile_file).exit_code == 2
    assert run(photo, "--profile", tmp_path / "none.json").exit_code == 2
    assert run("--profile", profile_file).exit_code == 2
    broken = tmp_path / "broken.json"
    broken.write_text('{"table": {}}')
    result = run(photo, "--profile", broken)
    assert result.exit_code == 2
    assert all(line.startswith("broken.json: ") for line in result.stderr.splitlines())
    broken.write_text('{"table": {}')
    assert run(photo, "--profile", broken).stderr.count("broken.json") == 1


ANOTHER = {
    "other tags": lambda mark: mark | {"id": mark["id"] + 300},
    "other places": lambda mark: mark | {"centre": [mark["centre"][1], mark["centre"][0] * 2]},
}


@pytest.mark.parametrize("change", ANOTHER)
def test_the_mat_of_another_profile_is_no_table(change, photo, profile_file):
    data = json.loads(profile_file.read_text())
    data["table"]["mat_tags"] = [ANOTHER[change](mark) for mark in data["table"]["mat_tags"]]
    path = profile_file.with_name("another.json")
    path.write_text(json.dumps(data))
    reading = json.loads(run(photo, "--profile", path, "--json").stdout)
    assert (reading["table"], reading["rooms"]) == ("lost", {})
