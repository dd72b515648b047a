"""The camera's light: it settles, exposes less while white paper is blown out, is held, and stays so."""

import json

import numpy as np
import pytest

from calibration.measuring.measures import Locator
from calibration.steps.aim import Aim
from calibration.steps.lighting import CLIPPED, LightLock, white_of, with_exposure
from calibration.steps.mat_position import TableStep
from calibration.steps.step import StepError
from hardware.cameras.camera_settings import settings_of
from hardware.cameras.simulated import AS_DRAWN, Sensor, SimulatedCamera
from tests.vision import tables

ROOMS = {"2:R1": 3, "4:L2": 1, "1:L1": 0}


class Bench:
    """A drawn table under a lamp, a camera that can be set, and a step before it."""

    def __init__(self, made, file, lamp=1.0, table=None):
        self.lamp, self.file = lamp, file
        self.table = tables.draw_table(ROOMS) if table is None else table
        locked = file.raw()["camera"].get("locked")
        self.camera = SimulatedCamera(lambda: self.table, sensor=Sensor(lambda: self.lamp, locked))
        self.step = made(file, controls=self.camera)

    def picture(self):
        with self.camera.frame(full=True) as frame:
            return frame.image.copy()

    def see(self, times=1):
        for _ in range(times):
            notes = self.step.see(self.picture())
        return [note.code for note in notes]

    def settles(self):
        """Until it is settled; what was said on the way."""
        said = set()
        for _ in range(80):
            said.update(self.see())
            if self.step.light != "settling":
                return said
        raise AssertionError(said)

    def white(self):
        return white_of(self.picture(), Locator(self.file.profile()).locate(self.table).tags)


def dark_cloth():
    """A table that is nearly black: whoever exposes for its mean blows white paper out."""
    picture = tables.draw_table(ROOMS)
    return np.where(picture.max(axis=2, keepdims=True) < 200, picture // 4, picture)


def test_a_lamp_too_bright_settles_is_held_below_the_limit_and_stays(file):
    bench = Bench(Aim, file, lamp=4.0, table=dark_cloth())
    assert "light_free" in bench.see(20)
    assert bench.white() >= CLIPPED, "what the camera finds by itself is too bright for stickers"
    bench.step.act("hold", {})
    assert bench.step.light == "settling"
    assert {"light_settling", "light_held"} <= bench.settles()
    assert 190 < bench.white() < CLIPPED
    locked = file.raw()["camera"]["locked"]
    assert locked.keys() == AS_DRAWN.keys()
    assert locked == bench.camera.values()

    bench.lamp = 3.0
    darker = bench.picture()
    assert "light_is_held" in bench.see(20)
    assert bench.camera.values() == locked, "the lamp changes a little, the exposure stays"
    assert np.abs(bench.picture()[50:].astype(int) - darker[50:]).max() == 0


def test_the_next_start_has_what_was_held(file):
    bench = Bench(Aim, file, lamp=0.5)
    bench.step.act("hold", {})
    bench.settles()
    assert settings_of(file.raw()).exposure_us == bench.camera.values()["exposure_us"]
    again = Bench(Aim, file, lamp=0.5)
    assert again.camera.values() == bench.camera.values()
    assert again.see()[0] == "light_is_held"
    assert abs(again.white() - bench.white()) < 3


def test_it_can_be_let_go_and_held_again(file):
    bench = Bench(Aim, file)
    bench.step.act("hold", {})
    bench.settles()
    bench.step.act("release", {})
    assert bench.see()[0] == "light_let_go"
    assert "locked" not in file.raw()["camera"]
    bench.lamp = 0.3
    assert bench.see(20)[0] == "light_free"
    bench.step.act("hold", {})
    bench.settles()
    assert file.raw()["camera"]["locked"]["exposure_us"] > 2 * AS_DRAWN["exposure_us"]
    assert bench.step.details() == {"light": "held"}


def test_the_mat_is_measured_when_the_light_is_held(file):
    bench = Bench(TableStep, file)
    assert bench.see() == ["light_settling"]
    assert bench.step.eager
    assert bench.step.progress == (0, 1)
    said = bench.settles()
    assert {"light_held", "table_found"} <= said
    assert (bench.step.progress, bench.step.finished) == ((1, 1), True)
    assert "locked" not in file.raw()["camera"], "nothing is kept before somebody says so"
    bench.step.keep()
    assert file.raw()["camera"]["locked"] == bench.camera.values()
    assert "light_settling" not in Bench(TableStep, file).see(), "what is held stays held"


def test_what_was_not_kept_is_put_back(file):
    file.change({"camera": {"locked": AS_DRAWN}})
    bench = Bench(TableStep, file, lamp=0.4)
    bench.step.act("hold", {})
    bench.settles()
    assert bench.camera.values()["exposure_us"] > AS_DRAWN["exposure_us"] * 1.5
    bench.step.leave()
    assert bench.camera.values() == AS_DRAWN


def test_a_camera_that_cannot_be_set_says_so_and_the_mat_is_measured_all_the_same(file):
    bench = Bench(Aim, file)
    bench.step.controls = SimulatedCamera(lambda: bench.table)
    assert bench.see()[0] == "light_cannot"
    assert bench.step.light == ""
    bench.step.act("hold", {})
    assert bench.see()[0] == "light_cannot"
    assert not bench.step.light
    plain = TableStep(file, controls=bench.step.controls)
    assert plain.see(bench.table)[0].code == "table_found"


def test_without_a_camera_nothing_is_held(file):
    step = Aim(file)
    step.act("hold", {})
    with pytest.raises(StepError, match="leave --from out"):
        step.see(tables.draw_table(ROOMS))
    assert step.see(tables.draw_table(ROOMS))[0].code == "in_view"
    with pytest.raises(StepError, match="dance"):
        step.act("dance", {})


def test_nothing_is_judged_without_white_paper_in_view(file):
    bench = Bench(Aim, file, table=np.full((1200, 1600, 3), 90, np.uint8))
    bench.step.act("hold", {})
    assert bench.see(30)[0] == "light_unseen"
    assert bench.step.light == "settling"


class Scripted:
    """A camera whose values and whose white paper are told."""

    def __init__(self, values, white=lambda _: 200.0, wave_us=0.0):
        self.said, self.white, self.told, self.wave_us = values, white, [], wave_us

    def values(self):
        return self.said(len(self.told)) if callable(self.said) else self.told[-1] or self.said

    def hold(self, values):
        self.told.append(dict(values))


def held(camera):
    holding = LightLock(camera)
    for number in range(200):
        if holding.done:
            return holding.found, number
        holding.look(camera.white(camera.told[-1]))
    raise AssertionError(camera.told)


def test_a_camera_that_holds_darker_than_it_told_is_brightened():
    """Some cameras tell an old exposure while they seek by themselves."""
    camera = Scripted({"exposure_us": 2000}, lambda told: 60.0 if told.get("exposure_us", 9e9) < 9000 else 210.0)
    assert held(camera)[0]["exposure_us"] >= 9000


PI = {"colour_gains": [1.8, 1.6]}


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        ({"exposure_us": 15_000, "gain": 2.0, **PI}, {"exposure_us": 20_000, "gain": 1.5, **PI}),
        ({"exposure_us": 15_000, "gain": 1.0, **PI}, {"exposure_us": 10_000, "gain": 1.5, **PI}),
        ({"exposure_us": 8_000, "gain": 1.0, **PI}, {"exposure_us": 10_000, "gain": 1.0, **PI}),
        ({"exposure_us": 15_600, "gain": 64}, {"exposure_us": 20_000, "gain": 64}),
        ({"exposure_us": 3_900}, {"exposure_us": 3_900}),
        ({"focus": 1.0}, {"focus": 1.0}),
    ],
)
def test_light_is_held_for_whole_waves_of_the_lamps(values, kept):
    """Otherwise LED lamps lie in bands over the table."""
    assert held(Scripted(values, wave_us=10_000))[0] == kept


def test_lamps_that_flicker_faster_are_met_too():
    assert held(Scripted({"exposure_us": 15_000}, wave_us=8333))[0] == {"exposure_us": 16_666}


def test_a_light_that_never_rests_is_held_at_last():
    rising = iter(range(1000, 10**6, 1000))
    camera = Scripted(lambda _: {"exposure_us": next(rising)})
    found, looks = held(camera)
    assert found
    assert looks < 40


def test_a_dull_picture_is_not_exposed_for_ever():
    found, _ = held(Scripted({"exposure_us": 50000, "gain": 2.0}, lambda _: 100.0))
    assert found == {"exposure_us": 60000, "gain": 2.0}


def test_white_that_stays_blown_out_is_held_as_dark_as_it_goes():
    found, _ = held(Scripted({"exposure_us": 10000, "gain": 4.0}, lambda _: 255.0))
    assert found["gain"] == 1.0
    assert found["exposure_us"] < 100


@pytest.mark.parametrize(
    ("by", "exposure", "gain"), [(0.5, 10000, 2.0), (0.1, 4000, 1.0), (2.0, 20000, 4.0), (1.0, 10000, 4.0)]
)
def test_gain_goes_down_first(by, exposure, gain):
    changed = with_exposure({"exposure_us": 10000, "gain": 4.0, "focus": 1.0}, by)
    assert changed == {"exposure_us": exposure, "gain": gain, "focus": 1.0}
    assert "gain" not in with_exposure({"exposure_us": 10000}, by)


def test_what_is_held_is_a_profile_that_everybody_reads(file):
    bench = Bench(Aim, file)
    bench.step.act("hold", {})
    bench.settles()
    raw = json.loads(file.path.read_text())
    assert settings_of(raw).colour_gains is not None
    assert file.profile().cards
