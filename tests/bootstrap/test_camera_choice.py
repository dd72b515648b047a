"""Which camera looks: all that are plugged in, one tried for a while, and what was chosen at the next start."""

import json
import sys
from pathlib import Path

import pytest

from companion.app import devices
from companion.app.config import CameraConfig, DeviceKind
from companion.app.devices import FoundCamera, cameras_here, open_camera
from companion.app.sight import camera_choice
from companion.app.sight.camera_choice import LOST, OVER, PATIENCE, CameraChoice
from companion.app.sight.vision_thread import GuidedCalibration
from companion.refusal import Refusal
from companion.table.ports import DeviceError
from hardware.cameras.v4l2 import UsbDevice
from hardware.cameras.watched import WatchedCamera
from tests.hardware.conftest import Clock
from tests.hardware.fake_picamera2 import SENSOR, WEBCAM, Library
from tests.hardware.scenes import moving

C920 = UsbDevice(
    "usb-046d_C920-video-index0",
    "HD Pro Webcam C920",
    Path("/dev/video8"),
    ((3840, 2160), (2560, 1920), (1920, 1080), (1280, 720), (640, 360)),
)
OTHER_SENSOR = "/base/soc/i2c0mux/i2c@0/imx708@1a"


class Adapter:
    """A camera that was opened."""

    lively, share = True, 1.0

    def __init__(self, name, size):
        self.name, self.size = name, size

    def close(self):
        pass


class Table:
    """A machine with two cameras, and what was opened of them."""

    def __init__(self, folder, monkeypatch):
        self.config = CameraConfig(profile=folder / "profile.json")
        self.clock, self.opened, self.gone, self.told = Clock(), [], set(), []
        self.gives = {}
        monkeypatch.setattr(camera_choice, "open_camera", self._open)
        self.listed = [
            FoundCamera("csi:imx219", "Camera Module 2", "csi", ((1640, 1232), (1920, 1442))),
            FoundCamera("usb:C920", "HD Pro Webcam C920", "usb", ((1920, 1080), (1280, 720))),
        ]
        self.choice = CameraChoice(self.config, lambda: self.listed, self.clock)
        self.choice.call(lambda: self.told.append(self.choice.trying))

    def _open(self, config, trial=None):
        self.opened.append(trial or devices.opened_as(config).device)
        if trial and trial[0] in self.gone:
            raise DeviceError("It is not plugged in.")
        made = Adapter("a camera", self.gives.get(trial[0], trial[1]) if trial else (1920, 1080))
        made.share = self.gives.get("share", 1.0)
        return made

    def act(self, action, camera="", size=""):
        self.choice.act(action, camera, size)
        return self.choice.view()


@pytest.fixture
def table(tmp_path, monkeypatch):
    made = Table(tmp_path, monkeypatch)
    yield made
    made.choice.act("back", "", "")


def test_a_camera_is_tried_and_kept(table):
    view = table.act("try", "usb:C920", "1280x720")
    assert (view["trial"]["name"], view["trial"]["size"], view["trial"]["seconds"]) == (
        "HD Pro Webcam C920",
        "1280x720",
        60,
    )
    table.choice.open()
    assert table.opened == [("usb:C920", (1280, 720))]
    assert not table.config.profile.exists(), "nothing is written of a trial"
    view = table.act("keep")
    assert view["trial"] is None
    assert [(one["id"], one["chosen"], one["size"]) for one in view["cameras"]] == [
        ("csi:imx219", False, ""),
        ("usb:C920", True, "1280x720"),
    ]
    assert table.told == [True, False]
    settings = devices.opened_as(table.config)
    assert (settings.device, settings.size, settings.sized) == ("usb:C920", (1280, 720), True)


def test_what_was_measured_through_another_lens_is_put_aside(table):
    measured = {
        "size": [1920, 1080],
        "matrix": [[1000, 0, 960], [0, 1000, 540], [0, 0, 1]],
        "locked": {"exposure_us": 9000},
    }
    table.act("try", "csi:imx219")
    table.choice.open()
    table.act("keep")
    raw = json.loads(table.config.profile.read_text())
    table.config.profile.write_text(json.dumps({**raw, "camera": measured}))
    before = table.config.profile.read_text()
    table.act("try", "csi:imx219")
    table.choice.open()
    table.act("keep")
    after = json.loads(table.config.profile.read_text())
    assert after["camera"] == {"device": "csi:imx219", "size": [1640, 1232]}
    assert after["table"] == raw["table"]
    assert json.loads(table.config.profile.with_suffix(".before.json").read_text()) == json.loads(before)


def test_the_camera_that_was_chosen_keeps_what_was_measured(table):
    table.act("try", "csi:imx219")
    table.choice.open()
    table.act("keep")
    raw = json.loads(table.config.profile.read_text())
    raw["camera"]["matrix"] = [[1000, 0, 820], [0, 1000, 616], [0, 0, 1]]
    table.config.profile.write_text(json.dumps(raw))
    table.act("try", "csi:imx219", "1640x1232")
    table.choice.open()
    table.act("keep")
    assert json.loads(table.config.profile.read_text()) == raw


def test_a_trial_that_nobody_keeps_is_over(table):
    table.act("try", "usb:C920")
    trial = table.choice._trial
    assert table.choice._timer.interval == PATIENCE
    table.choice._expire(trial)
    view = table.choice.view()
    assert (view["trial"], view["notes"][0]["hint"]) == (None, OVER)
    table.act("try", "csi:imx219")
    table.choice._expire(trial)
    assert table.choice.trying, "the time of another trial"


def test_a_camera_that_cannot_be_opened_gives_way_to_the_one_before(table):
    table.gone.add("usb:C920")
    table.act("try", "usb:C920")
    table.choice.open()
    assert table.opened == [("usb:C920", (1920, 1080)), ""]
    assert not table.choice.trying
    assert table.choice.view()["notes"][0]["hint"] == "It is not plugged in."


def test_a_camera_that_is_lost_gives_way_to_the_one_before(table):
    table.act("try", "usb:C920")
    table.choice.open()
    table.choice.open()
    assert table.opened == [("usb:C920", (1920, 1080)), ""]
    assert table.choice.view()["notes"][0]["hint"] == LOST


def test_a_camera_that_lies_about_its_modes_is_told(table):
    table.gives = {"usb:C920": (640, 480), "share": 0.5}
    table.act("try", "usb:C920")
    table.choice.open()
    assert [one["hint"] for one in table.choice.view()["notes"]] == [
        "The camera gives 640x480 in place of 1920x1080: choose that size, or another.",
        "It shows 50 % of what its sensor sees: another size may show more.",
    ]


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        (("try", "usb:gone", ""), "no_such_camera"),
        (("try", "usb:C920", "1x1"), "malformed"),
        (("keep", "", ""), "nothing_tried"),
        (("wait", "", ""), "malformed"),
    ],
)
def test_what_cannot_be_done_is_refused(table, wish, code):
    with pytest.raises(Refusal) as told:
        table.act(*wish)
    assert told.value.code == code


def test_what_has_given_no_picture_yet_cannot_be_kept(table):
    table.act("try", "usb:C920")
    with pytest.raises(Refusal) as told:
        table.act("keep")
    assert told.value.code == "nothing_tried"


def test_a_full_card_keeps_the_camera_before(table, monkeypatch):
    table.act("try", "usb:C920")
    table.choice.open()
    monkeypatch.setattr(camera_choice, "write_choice", _full)
    with pytest.raises(Refusal) as told:
        table.act("keep")
    assert told.value.code == "choice_not_written"
    assert table.choice.trying, "it may be tried again"


def _full(*_):
    raise Refusal("choice_not_written", None, "full")


def test_nothing_is_read_while_a_camera_is_tried(table, tmp_path):
    guided = GuidedCalibration(tmp_path / "none.json", lambda: None, choice=table.choice)
    assert guided.vision().why.code == "no_profile"
    table.act("try", "usb:C920")
    assert guided.vision().why.code == "camera_trial"


def test_the_eye_opens_another_camera_from_the_next_picture_on(clock_of_eye):
    opened, camera = clock_of_eye
    with camera.frame(full=False):
        pass
    camera.reopen()
    with camera.frame(full=False):
        pass
    assert opened == ["opened", "closed", "opened"]


@pytest.fixture
def clock_of_eye():
    from hardware.cameras.simulated import SimulatedCamera  # noqa: PLC0415

    told = []

    class Camera(SimulatedCamera):
        def opened(self):
            return self

        def close(self):
            told.append("closed")

    def opened():
        told.append("opened")
        return Camera(moving())

    return told, WatchedCamera(opened, lambda _: None)


# --- what is plugged in -----------------------------------------------------------------------------------------------


@pytest.fixture
def plugged(monkeypatch):
    library = Library(moving())
    library.model = "imx219"
    monkeypatch.setitem(sys.modules, "picamera2", library)
    monkeypatch.setattr(devices, "usb_devices", lambda: [C920])
    return library


def test_all_cameras_are_listed_with_the_sizes_that_cut_nothing_off(plugged):
    plugged.ids = [WEBCAM, SENSOR]
    assert cameras_here() == [
        FoundCamera("csi:imx219", "Camera Module 2", "csi", ((1640, 1232), (1920, 1442))),
        FoundCamera(
            "usb:usb-046d_C920-video-index0",
            "HD Pro Webcam C920",
            "usb",
            ((1920, 1080), (1280, 720), (3840, 2160)),
        ),
    ], "and not the webcam twice, which libcamera lists too"


def test_two_modules_of_one_kind_are_told_apart(plugged):
    plugged.ids = [SENSOR, OTHER_SENSOR]
    assert [(one.id, one.name) for one in cameras_here()][:2] == [
        ("csi:imx219#1", "Camera Module 2 (1)"),
        ("csi:imx219#2", "Camera Module 2 (2)"),
    ]
    chosen = open_camera(CameraConfig(), ("csi:imx219#2", (1640, 1232)))
    assert (chosen.name, plugged.cameras[0].id) == ("Pi camera 1", OTHER_SENSOR)


def test_a_sensor_that_nobody_knows_may_be_tried_and_says_what_it_crops(plugged):
    plugged.model = "imx999"
    found = cameras_here()[0]
    assert (found.id, found.sizes[0]) == ("csi:imx999", (1920, 1080))
    assert open_camera(CameraConfig(), (found.id, (1920, 1080))).share == pytest.approx(0.2566, abs=1e-4)
    plugged.model = "imx219"
    assert open_camera(CameraConfig(), ("csi:imx219", (1640, 1232))).share == pytest.approx(0.25, abs=1e-3)


@pytest.mark.usefixtures("plugged")
def test_without_picamera2_there_are_usb_cameras(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    assert [one.port for one in cameras_here()] == ["usb"]


@pytest.mark.parametrize("kind", [DeviceKind.AUTO, DeviceKind.PI, DeviceKind.USB])
@pytest.mark.usefixtures("plugged")
def test_what_was_chosen_counts_before_what_is_configured(monkeypatch, tmp_path, kind):
    (tmp_path / "profile.json").write_text(json.dumps({"camera": {"size": [1920, 1080], "device": "usb:C920"}}))
    monkeypatch.setattr(devices, "UsbCamera", lambda which, settings: (which, settings.size))
    config = CameraConfig(kind=kind, profile=tmp_path / "profile.json")
    assert open_camera(config) == ("C920", (1920, 1080))
    (tmp_path / "profile.json").write_text(json.dumps({"camera": {"size": [1920, 1080], "device": "csi:imx708"}}))
    with pytest.raises(DeviceError, match="imx708 is not there"):
        open_camera(config)
