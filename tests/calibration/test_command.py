"""`companion calibrate` from stills and before a camera."""

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.guide import LiveStep
from calibration.steps.lens import LensStep
from calibration.steps.mat_position import TableStep
from calibration.steps.step import texts
from companion.cards.loader import overlay_path
from companion.cli import main
from companion.commands.calibrate import follow
from companion.table.ports import DeviceError
from companion.vision.time.watcher import luma
from hardware.cameras.simulated import SimulatedCamera
from tests.vision import tables

from . import scenes


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))

    def call(*words, answers=""):
        return CliRunner().invoke(main, ["calibrate", *map(str, words)], input=answers)

    return call


def still(folder, name, picture):
    folder.mkdir(exist_ok=True)
    cv2.imwrite(str(folder / name), picture)
    return folder / name


def test_the_table_from_a_still(run, file, tmp_path):
    shot = still(tmp_path / "shots", "a.png", tables.draw_table({"2:R1": 3}))
    before = file.raw()
    done = run("table", "--from", shot, "--profile", file.path)
    assert done.exit_code == 0, done.output
    assert "the mat lies as expected: 6 tags" in done.output
    assert f"written to {file.path}" in done.output
    after = file.raw()
    assert after["camera"].pop("stands")["tilt"] == pytest.approx(20, abs=1)
    assert after == before


def test_several_pictures_and_folders_behind_from(run, file, tmp_path):
    one = still(tmp_path / "one", "a.png", tables.draw_table({}))
    still(tmp_path / "two", "b.png", tables.draw_table({"2:R1": 3}))
    done = run("check", "--from", one, tmp_path / "two", "--profile", file.path, "--draw", tmp_path / "drawn")
    assert done.exit_code == 0, done.output
    assert "a.png: mean score" in done.output
    assert "b.png: mean score" in done.output
    assert [line.split()[0] for line in done.output.splitlines()[-5:]] == ["1", "2", "3", "4", "5"]
    assert cv2.imread(str(tmp_path / "drawn" / "b.jpg")).shape == (900, 1200, 3)
    told = json.loads(run("check", "--from", one, "--profile", file.path, "--json").stdout)
    assert len(told["scores"]) == 35


def test_pictures_of_one_name_have_a_drawing_each(run, file, tmp_path):
    shots = [still(tmp_path / folder, "a.png", tables.draw_table({})) for folder in ("one", "two")]
    film = tmp_path / "b.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter_fourcc(*"MJPG"), 5, tables.SIZE)
    for _ in range(2):
        writer.write(tables.draw_table({}))
    writer.release()
    assert run("table", "--from", *shots, film, "--profile", file.path, "--draw", tmp_path / "drawn").exit_code == 0
    drawn = sorted(path.name for path in (tmp_path / "drawn").iterdir())
    assert drawn == ["a-2.jpg", "a.jpg", "b.avi-00001.jpg", "b.avi-00002.jpg"]


def test_a_truncated_still_is_one_line_and_the_others_count(run, file, tmp_path):
    good = still(tmp_path / "shots", "good.jpg", tables.draw_table({}))
    (tmp_path / "shots" / "half.jpg").write_bytes(good.read_bytes()[:5000])
    done = run("table", "--from", tmp_path / "shots", "--profile", file.path)
    assert done.exit_code == 1
    assert done.stderr == "half.jpg: the file is truncated\n"
    assert "written to" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (("lens", "--from", "{shot}"), 1, "1 pictures show the board"),
        (("table", "--from", "{none}"), 1, "the mat is not in view (0 of 6 tags seen)"),
        (("aim", "--from", "{none}"), 1, "the mat is not in view"),
        (("colours", "--from", "{none}"), 1, "neither the sheet with circles nor the mat is in view"),
        (("cards", "--from", "{none}"), 1, "the mat is not in view"),
        (("check", "--from", "{none}"), 1, "the mat is not in view"),
        (("columns", "--numbers", "1 2 3"), 1, "3 numbers were given, there are twelve spaces"),
        (("table", "--from", "no-such.jpg"), 2, "no-such.jpg: no such file or folder"),
        (("table", "stray.jpg"), 2, "name them behind --from"),
        (("lens", "--chessboard", "9by6", "--from", "{none}"), 2, "such as 9x6"),
        (("cards", "--pack", "no-such-pack", "--from", "{none}"), 1, "no-such-pack"),
        (("table",), 1, "No camera is found"),
    ],
)
def test_every_fault_is_a_clear_line(run, fresh, tmp_path, words, code, line):
    flat, size = scenes.paper("charuco-board")
    paths = {
        "shot": still(tmp_path, "board.png", scenes.shown(flat, size, scenes.facing((0, -200, 420)))),
        "none": still(tmp_path, "none.png", np.full((600, 800, 3), 130, dtype=np.uint8)),
    }
    done = run(*(word.format(**paths) for word in words), "--profile", fresh.path)
    assert done.exit_code == code, done.output
    assert line in done.stderr
    assert "Traceback" not in done.output


DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize("step", ["table", "lens", "check", "colours"])
@pytest.mark.parametrize(
    ("key", "old", "new", "line"),
    [
        (
            "matrix",
            "[[",
            '[[NaN, 0, 600], [0, 900, 450], [0, 0, 1]], "was": [[',
            "camera.matrix: expected three rows of three numbers",
        ),
        (
            "matrix",
            "[[",
            '[[Infinity, 0, 600], [0, 900, 450], [0, 0, 1]], "was": [[',
            "camera.matrix: expected three rows of three numbers",
        ),
        ("height", "30", "300", "figures.height: expected a number from 1 to 100"),
        ("card_tag", "18", DEEP, "it nests too deeply"),
    ],
    ids=["nan", "infinity", "height", "deep"],
)
def test_a_profile_that_cannot_be_is_one_line_for_every_step(run, file, tmp_path, step, key, old, new, line):
    shot = still(tmp_path, "a.png", tables.draw_table({}))
    text = file.path.read_text()
    assert f'"{key}": {old}' in text
    file.path.write_text(text.replace(f'"{key}": {old}', f'"{key}": {new}', 1))
    done = run(step, "--from", shot, "--profile", file.path, "--json")
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit)
    assert line in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_cards_are_enrolled_from_a_folder_and_what_is_missing_is_told(run, file, tmp_path):
    file.change({"cards": {f"room-{n:02d}": {"art": []} for n in range(6)}})
    for number in (2, 3):
        still(tmp_path / "shots", f"room-{number:02d}.png", scenes.card_at(tables.art(number)))
    done = run("cards", "--from", tmp_path / "shots", "--profile", file.path, "--light", "lamp")
    assert done.exit_code == 0, done.output
    assert "2 of 6 cards have a picture (light: lamp)" in done.output
    assert "room-00, room-01, room-04, room-05" in done.output
    assert (tmp_path / "cards" / "room-03" / "lamp.jpg").exists()


def test_a_bad_picture_of_the_columns_fails_though_the_numbers_are_kept(run, fresh, tmp_path):
    bad = tmp_path / "half.jpg"
    bad.write_bytes(cv2.imencode(".jpg", tables.draw_table({}))[1].tobytes()[:5000])
    done = run("columns", "--from", bad, "--profile", fresh.path, "--numbers", "- 2 4 3 5 6 8 9 10 11 12 -")
    assert done.exit_code == 1
    assert done.stderr == "half.jpg: the file is truncated\n"
    assert "columns = [" in overlay_path(tmp_path / "data", "standard").read_text()


def test_a_program_has_its_json_whether_anybody_answers_or_not(run, fresh, tmp_path):
    black = still(tmp_path, "black.png", np.zeros((600, 800, 3), dtype=np.uint8))
    done = run("columns", "--from", black, "--profile", fresh.path, "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == 1
    assert [note["code"] for note in told["notes"]] == ["no_table", "columns_not_given"]
    assert told["read"] == ["?"] * 12
    assert "behind --numbers" in done.stderr
    assert not overlay_path(tmp_path / "data", "standard").exists()
    numbers = "- 2 4 3 5 6 8 9 10 11 12 -"
    for more, answers in ((("--numbers", numbers), ""), ((), f"{numbers}\n")):
        given = run("columns", "--profile", fresh.path, "--json", *more, answers=answers)
        assert given.exit_code == 0
        assert [note["code"] for note in json.loads(given.stdout)["notes"]] == ["columns_kept"]


@pytest.mark.parametrize("step", ["check", "aim"])
def test_a_program_is_told_what_would_help_too(run, file, tmp_path, step):
    dim = still(tmp_path, "dim.png", tables.draw_table({"2:R1": 3}) // 2)
    said = run(step, "--from", dim, "--profile", file.path)
    told = json.loads(run(step, "--from", dim, "--profile", file.path, "--json").stdout)
    assert said.exit_code == 0
    assert len(told["notes"]) > 1
    for note in told["notes"]:
        assert note["text"] in said.output
    assert any(note["level"] == "hint" for note in told["notes"])


def test_columns_are_asked_for_with_what_is_known(run, fresh, tmp_path):
    done = run("columns", "--profile", fresh.path, answers="- 2 4 3 5 6 8 9 10 11 12 -\n")
    assert done.exit_code == 0, done.output
    assert "[- 2 3 4 5 6 8 9 10 11 12 -]" in done.output
    assert "columns = [" in overlay_path(tmp_path / "data", "standard").read_text()


class Film(SimulatedCamera):
    """A camera before which each scene lies still for a while, with a hand between two."""

    def __init__(self, scenes_shown, still_for=14):
        self.now, self._scenes, self._still = 0.0, list(scenes_shown), still_for
        super().__init__(self._now, clock=lambda: self.now)
        self.shown = 0

    def _now(self):
        self.now += 0.15
        number, step = divmod(self.shown, self._still)
        if number > len(self._scenes) + 2:
            raise DeviceError("The film is over.")
        self.shown += 1
        picture = self._scenes[min(number, len(self._scenes) - 1)].copy()
        if step < 2 and number < len(self._scenes):
            picture[300:600, 200 + 60 * step : 700] = (90, 120, 160)
        return picture


def test_a_live_lens_takes_each_view_by_itself_when_it_is_at_rest(fresh):
    flat, size = scenes.paper("charuco-board")
    eyes = [(x, y, 420) for x in (-220, 0, 220) for y in (-300, -100, 100, 300)]
    views = [scenes.shown(flat, size, scenes.facing(eye, (eye[0] / 4, 0, 0)), seed=n) for n, eye in enumerate(eyes)]
    step, said = LensStep(fresh), []
    follow(step, Film(views), said.append)
    assert step.progress == (10, 10)
    step.keep()
    assert abs(fresh.profile().camera.matrix[0][0] / tables.FOCAL - 1) < 0.01


def test_a_live_table_waits_for_a_good_picture(file):
    said = []
    follow(TableStep(file), Film([tables.draw_table({}, mat_tags=()), tables.draw_table({})]), said.append)
    assert said[0].code == "no_table"
    assert said[-1].code == "table_found" or "table_found" in [note.code for note in said]


def test_nothing_is_taken_while_something_moves_nor_twice(fresh):
    live = LiveStep(LensStep(fresh))
    flat, size = scenes.paper("charuco-board")
    still_picture = luma(scenes.shown(flat, size, scenes.facing((0, -200, 420))))
    moving = [np.roll(still_picture, 9 * n, axis=1) for n in range(6)]
    assert not any(live.due(small, 0.15 * n) for n, small in enumerate(moving))
    rested = [live.due(still_picture, 1.0 + 0.15 * n) for n in range(8)]
    assert rested[-1]
    live.take(scenes.shown(flat, size, scenes.facing((0, -200, 420))))
    assert not live.due(still_picture, 3.0)
    live.tell()
    assert live.due(still_picture, 3.1)


def test_every_note_has_words():
    for code, text in texts().items():
        assert text == text.strip(), code
        assert text[0].islower() or text[0] in "{C", code
