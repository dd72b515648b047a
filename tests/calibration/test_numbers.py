"""The camera reads the columns' numbers off the red-backed rooms, or says that it is unsure."""

from random import Random

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.steps.columns import ColumnStep
from companion.cli import main

from .rows import a_row

NUMBERS = [None, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, None]


def numbers_of(seed):
    """Any numbers at any space, some of them none."""
    found = list(NUMBERS)
    Random(seed).shuffle(found)
    return found


def verdicts(step, numbers):
    wanted = ["-" if number is None else str(number) for number in numbers]
    kinds = [
        "unsure" if seen == "?" else "right" if seen == said else "wrong"
        for seen, said in zip(step.read, wanted, strict=True)
    ]
    return {kind: kinds.count(kind) for kind in ("right", "unsure", "wrong")}


def test_numbers_are_read_in_any_light_and_never_wrongly(tmp_path):
    found = {"right": 0, "unsure": 0, "wrong": 0}
    for seed in range(9):
        numbers = numbers_of(seed)
        row = a_row(numbers, tmp_path / str(seed), seed, ("en", "pl", "ru")[seed % 3])
        step = ColumnStep(row.file)
        step.see(row.picture)
        for kind, count in verdicts(step, numbers).items():
            found[kind] += count
    assert found["wrong"] == 0
    assert found["right"] >= 0.85 * sum(found.values()), found


def test_what_is_read_is_offered_and_what_is_unsure_stays_as_it_was(tmp_path, codes):
    row = a_row(NUMBERS, tmp_path, seed=2)
    step = ColumnStep(row.file)
    picture = row.picture.copy()
    spot = step_spot(row, "1:L2")
    cv2.circle(picture, spot, 40, (40, 60, 190), -1)
    cv2.line(picture, (spot[0] - 30, spot[1]), (spot[0] + 30, spot[1]), (250, 250, 250), 6)
    notes = step.see(picture)
    assert codes(notes) == ["columns_read", "columns_unsure"]
    assert "3" in notes[1].fields["places"]
    assert step.read[2] == "?"
    assert step.read[1] in ("2", "?"), "its edge lies on the neighbour"
    assert step.offered() == ["-", *map(str, NUMBERS[1:-1]), "-"], "the pack says 3 there"
    for _ in range(4):
        step.see(row.picture)
    assert step.read[2] == "3", "when nothing hides it, it is read"


def step_spot(row, room):
    """Where the left number of a room is in the picture."""
    slot = next(slot for slot in row.file.profile().slots if slot.name == room)
    seen = row.table._painter._view.project([(slot.x - 36, slot.y - 8.8, 0)])[0]
    return tuple(int(value) for value in seen)


def test_rooms_without_any_number_are_no_columns(tmp_path, codes):
    row = a_row([None] * 12, tmp_path)
    step = ColumnStep(row.file)
    assert codes(step.see(row.picture)) == ["read_columns"]
    assert step.offered() == [str(number or "-") for number in step.numbers()]


def test_a_level_outside_the_picture_is_unsure(tmp_path):
    row = a_row(NUMBERS, tmp_path)
    step = ColumnStep(row.file)
    step.see(np.ascontiguousarray(row.picture[:, : row.picture.shape[1] * 3 // 5]))
    assert step.read[10:] == ["?", "?"]


@pytest.mark.parametrize("as_json", [False, True])
def test_the_command_offers_what_it_reads(tmp_path, monkeypatch, as_json):
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    numbers = numbers_of(4)
    row = a_row(numbers, tmp_path, seed=4)
    cv2.imwrite(str(tmp_path / "row.png"), row.picture)
    words = ["calibrate", "columns", "--from", str(tmp_path / "row.png"), "--profile", str(row.file.path)]
    done = CliRunner().invoke(main, [*words, *(["--json"] if as_json else [])], input="\n")
    assert done.exit_code == 0, done.output
    offered = done.output.split("left to right [")[1].split("]")[0].split()
    assert sum(a == str(b or "-") for a, b in zip(offered, numbers, strict=True)) >= 10


def test_the_command_looks_through_the_camera_and_asks(tmp_path, monkeypatch):
    data = tmp_path / "data"
    row = a_row(NUMBERS, data, seed=5)
    monkeypatch.setenv("COMPANION_DATA", str(data))
    (data / "shots").mkdir()
    cv2.imwrite(str(data / "shots" / "row.png"), row.picture)
    config = '[camera]\nkind = "stills"\npath = "shots"\n[panel]\non = false\n'
    (data / "companion.toml").write_text(config)
    done = CliRunner().invoke(main, ["calibrate", "columns"], input="\n")
    assert done.exit_code == 0, done.output
    assert "read off the cards: - 2 3" in done.output
    (data / "shots" / "row.png").write_text("no picture")
    assert CliRunner().invoke(main, ["calibrate", "columns"], input="\n").exit_code == 0
