"""Where `companion look --draw` puts its drawings: each picture's own, none over another."""

import cv2
import pytest
from click.testing import CliRunner

from companion.vision.look import PICTURES, NamedPicture, PictureNames, look

from . import tables


@pytest.fixture
def run(profile_file):
    def call(*words):
        return CliRunner().invoke(look, [*(str(word) for word in words), "--profile", str(profile_file)])

    return call


@pytest.fixture
def shots(tmp_path):
    """Two folders with a picture of the same name, one of another size."""
    for folder, factor in (("a", 1.0), ("b", 0.5)):
        (tmp_path / folder).mkdir()
        picture = cv2.resize(tables.draw_table({"1:L3": 0}), None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(tmp_path / folder / "f.jpg"), picture)
    return tmp_path


@pytest.fixture
def film(tmp_path):
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 5, (320, 240))
    for grey in (40, 80, 120):
        writer.write(cv2.UMat(240, 320, cv2.CV_8UC3, (grey, grey, grey)).get())
    writer.release()
    return path


def widths(folder):
    return {path.name: cv2.imread(str(path)).shape[1] for path in sorted(folder.iterdir())}


def test_pictures_of_one_name_are_numbered(run, shots):
    assert run(shots / "a" / "f.jpg", shots / "b" / "f.jpg", "--draw", shots / "out").exit_code == 0
    assert widths(shots / "out") == {"f.png": 1200, "f-2.png": 600}


def test_no_picture_is_written_over(run, shots):
    cv2.imwrite(str(shots / "a" / "f.png"), tables.draw_table({}))
    before = (shots / "a" / "f.png").read_bytes()
    assert run(shots / "a", "--draw", shots / "a").exit_code == 0
    assert (shots / "a" / "f.png").read_bytes() == before
    assert sorted(path.name for path in (shots / "a").iterdir()) == ["f-2.png", "f-3.png", "f.jpg", "f.png"]
    done = run(shots / "a" / "f.jpg", "--draw", shots / "a" / "f.jpg")
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)


def test_every_frame_of_a_video_has_a_drawing(run, film, tmp_path):
    assert run(film, "--draw", tmp_path / "out").exit_code == 0
    assert list(widths(tmp_path / "out")) == [f"film.avi-{number:05d}.png" for number in (1, 2, 3)]


def test_one_file_is_for_one_picture(run, film, shots):
    for several in ([film], [shots / "a"], [shots / "a" / "f.jpg", shots / "b" / "f.jpg"]):
        done = run(*several, "--draw", shots / "one.png")
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == f"{shots / 'one.png'}: one picture file cannot hold several; name a folder\n"
        assert not (shots / "one.png").exists()


@pytest.mark.parametrize("name", ["out.gif", "out.pdf", "out.mp4", "out.json"])
def test_what_is_no_picture_is_no_folder_either(run, shots, name):
    done = run(shots / "a" / "f.jpg", "--draw", shots / name)
    assert (done.exit_code, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert all(suffix in done.stderr for suffix in PICTURES)
    assert not (shots / name).exists()


def test_a_folder_may_have_a_dot_where_it_is_there(run, shots):
    (shots / "evening.2").mkdir()
    assert run(shots / "a" / "f.jpg", "--draw", shots / "evening.2").exit_code == 0
    assert list(widths(shots / "evening.2")) == ["f.png"]
    (shots / "notes").write_text("mine")
    assert run(shots / "a" / "f.jpg", "--draw", shots / "notes").exit_code == 2
    assert (shots / "notes").read_text() == "mine"


def test_a_number_that_a_picture_has_itself_is_not_given_again():
    names = PictureNames(".png", ["C.PNG"])
    given = [
        names.of(NamedPicture(name, None)) for name in ("f.jpg", "f-2.jpg", "F.jpg", "f.jpg", "c.jpg", "v.avi#00001")
    ]
    assert given == ["f.png", "f-2.png", "F-3.png", "f-4.png", "c-2.png", "v.avi-00001.png"]
