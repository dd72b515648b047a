"""`companion calibrate` before the table's own camera, which here is a folder of stills."""

from itertools import count

import cv2
import pytest
from click.testing import CliRunner

from calibration.profiles import ProfileFile
from companion.cli import main
from companion.commands import calibrate
from hardware.cameras.simulated import Sensor, SimulatedCamera
from tests.vision import tables

from . import scenes


@pytest.fixture
def run(tmp_path, monkeypatch):
    data = tmp_path / "data"
    data.mkdir()
    monkeypatch.setenv("COMPANION_DATA", str(data))
    tables.write_profile(data)
    config = '[camera]\nkind = "stills"\npath = "shots"\n[panel]\non = false\n'
    (data / "companion.toml").write_text(config)

    def call(*words, shots=(), answers=""):
        (data / "shots").mkdir(exist_ok=True)
        for number, shot in enumerate(shots):
            cv2.imwrite(str(data / "shots" / f"{number:03d}.png"), shot)
        return CliRunner().invoke(main, ["calibrate", *words], input=answers)

    return call


def test_the_mat_is_measured_as_soon_as_it_is_in_view(run):
    done = run("table", shots=[tables.draw_table({}, mat_tags=())] * 2 + [tables.draw_table({})] * 4)
    assert done.exit_code == 0, done.output
    assert "stills in shots; Ctrl-C when it is enough." in done.output
    assert "the mat lies as expected" in done.output
    assert "written to" in done.output


def test_a_card_without_a_sticker_is_asked_for_until_it_has_a_name(run, tmp_path):
    file = ProfileFile(tmp_path / "data" / "profile.json")
    raw = file.raw()
    raw["cards"] = {"room-00": {**raw["cards"]["room-00"], "art": []}}
    file.path.unlink()
    file.change(raw)
    done = run("cards", shots=[scenes.card_at(tables.art(0))], answers="no-such-card\n\n")
    assert done.exit_code == 0, done.output
    assert "there is no card 'no-such-card'" in done.stderr
    assert "room-00 (known by you, light: day)" in done.output
    assert "1 of 1 cards have a picture" in done.output


def a_camera(monkeypatch, sensor):
    """A camera that can be set, on a clock that goes half a second a picture."""
    ticks = count(1)
    camera = SimulatedCamera(lambda: tables.draw_table({}), clock=lambda: next(ticks) / 2, sensor=sensor)
    monkeypatch.setattr(calibrate, "open_camera", lambda _: camera)
    return camera


def test_the_light_is_held_and_let_go_on_a_terminal(run, tmp_path, monkeypatch):
    camera = a_camera(monkeypatch, Sensor(lambda: 2.0))
    done = run("aim", "--hold")
    assert done.exit_code == 0, done.output
    assert "gets used to the light" in done.output
    assert "are held now" in done.output
    profile = ProfileFile(tmp_path / "data" / "profile.json")
    assert profile.raw()["camera"]["locked"] == camera.values()
    done = run("aim", "--release")
    assert "follows the light by itself again" in done.output
    assert "locked" not in profile.raw()["camera"]
    done = run("table")
    assert "the mat lies as expected" in done.output
    assert profile.raw()["camera"]["locked"] == camera.values()


def test_light_is_held_before_a_camera_and_by_the_steps_that_aim(run, tmp_path):
    cv2.imwrite(str(tmp_path / "one.png"), tables.draw_table({}))
    done = run("aim", "--hold", "--from", str(tmp_path / "one.png"))
    assert (done.exit_code, "leave --from out" in done.output) == (1, True)
    done = run("colours", "--hold")
    assert (done.exit_code, "aim and table" in done.output) == (2, True)


def test_a_camera_that_is_missing_and_a_bad_configuration_are_one_line(run, tmp_path):
    done = run("table")
    assert (done.exit_code, "There are no stills" in done.output) == (1, True)
    assert "--from FOLDER" in done.output
    (tmp_path / "data" / "companion.toml").write_text("[camera]\nkind = 'eye'\n")
    done = run("table")
    assert done.exit_code == 1
    assert "expected one of auto, pi" in done.output
