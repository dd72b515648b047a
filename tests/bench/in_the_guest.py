"""What only a kernel can answer. Run by the bench."""

import inspect
import sys
import threading
from pathlib import Path

import pytest

from companion.app.config import CameraConfig, DeviceKind
from companion.app.devices import open_camera
from companion.games.api import Button
from companion.table.ports import DeviceError
from companion.table.session.intents import ButtonPressed
from hardware.cameras.camera_settings import CameraSettings
from hardware.cameras.pi import PiCamera
from hardware.cameras.usb import UsbCamera
from hardware.cameras.watched import WatchedCamera
from hardware.panel.wiring import load
from tests.bench import virtual_camera
from tests.bench.gpio_sim import KernelFingers
from tests.hardware import fake_picamera2
from tests.hardware.conftest import Clock, snapshot
from tests.hardware.evening import Evening
from tests.hardware.test_panel_contract import Desk, kernel

CLOSINGS = 40


@pytest.fixture
def desk():
    desk = Desk(kernel)
    yield desk
    desk.panel.close()


@pytest.fixture
def hasty():
    """Threads give way to each other at every step, so that what may happen between two happens."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def test_a_chip_that_goes_comes_back(desk):
    desk.panel.show(snapshot(turn="red"))
    assert desk.shines("red", 1.0)
    desk.fingers.unplug()
    desk.comes_to("off")
    desk.fingers.plug()
    desk.comes_to("ok")
    assert desk.shines("red", 1.0)
    desk.fingers.press(Button.THREATS)
    assert desk.arrived(1) == [ButtonPressed(Button.THREATS)]


def test_a_panel_that_is_closed_can_be_opened_again():
    for _ in range(2):
        desk = Desk(kernel)
        desk.fingers.press(Button.ROLL)
        assert desk.arrived(1) == [ButtonPressed(Button.ROLL)]
        desk.panel.close()


def test_edges_while_a_panel_is_closed_end_no_button(hasty):
    """Contacts chatter on, whoever closes the panel; the next panel has its buttons."""
    for _ in range(CLOSINGS):
        desk = Desk(kernel)
        stop = threading.Event()
        fingers = threading.Thread(target=fidget, args=(desk.fingers, stop))
        fingers.start()
        stop.wait(0.05)
        desk.panel.close()
        stop.set()
        fingers.join()
    desk = Desk(kernel)
    desk.fingers.press(Button.ROLL)
    assert desk.arrived(1) == [ButtonPressed(Button.ROLL)]
    desk.panel.close()


def fidget(fingers, stop):
    while not stop.is_set():
        for button in (Button.RED, Button.ROLL, Button.UNDO):
            fingers.down(button)
            fingers.up(button)


def test_a_whole_evening_sees_its_camera_and_hears_its_buttons(tmp_path):
    """Pins, camera, session and record as `companion run` puts them together."""
    fingers = KernelFingers(load())
    camera = CameraConfig(kind=DeviceKind.USB, profile=Path(__file__).parents[1] / "frames" / "profile.json")
    with Evening(tmp_path, fingers, fingers.chip, lambda: open_camera(camera), camera.profile) as evening:
        evening.until(lambda state: state["table"]["camera"] == "lost")  # the kernel's test picture is no table
        assert evening.press_threats() > 0
        assert evening.entries()[-1] == "move"
        shown = evening.parts.sight.newer_than(0, drawn=True, timeout=60)
        assert shown.jpeg.startswith(b"\xff\xd8")


def test_a_usb_camera_that_goes_comes_back():
    """Its driver is taken from it, and given back."""
    driver, device = Path("/sys/bus/platform/drivers/vivid"), "vivid.0"
    clock, said = Clock(), []
    camera = WatchedCamera(lambda: UsbCamera(0, CameraSettings((640, 360), rate=25)), said.append, clock)
    with camera.frame(full=True) as frame:
        assert frame.image.shape == (360, 640, 3)
    (driver / "unbind").write_text(device)
    for _ in range(3):
        clock.go(6)
        with pytest.raises(DeviceError), camera.frame(full=False):
            pass
    (driver / "bind").write_text(device)
    clock.go(6)
    with camera.frame(full=False):
        pass
    camera.close()
    assert [one.state for one in said][::2] == ["ok", "off"] or [one.state for one in said] == [
        "ok",
        "off",
        "off",
        "ok",
    ]


def test_a_pi_camera_that_stands_still_is_noticed():
    """The virtual camera shows one picture for ever, as a stuck sensor does."""
    clock, said = Clock(), []
    settings = CameraSettings(virtual_camera.SIZE, rate=15, format="NV12")
    camera = WatchedCamera(lambda: PiCamera(settings, virtual_camera, clock=clock), said.append, clock)
    with pytest.raises(DeviceError, match="stands still"):
        look_on(camera, clock)
    clock.go(6)
    with camera.frame(full=True):
        pass
    camera.close()
    assert [one.state for one in said] == ["ok", "off", "ok"]


def look_on(camera, clock):
    for _ in range(10):
        clock.go(1)
        with camera.frame(full=False):
            pass


def test_without_a_camera_it_says_what_to_do():
    with pytest.raises(DeviceError, match="No Pi camera is found"):
        PiCamera(CameraSettings(), virtual_camera, number=7)


@pytest.mark.parametrize("name", ["create_video_configuration", "configure", "start", "capture_request", "close"])
def test_the_stand_in_has_the_signatures_of_the_real_one(name):
    real = inspect.signature(getattr(virtual_camera.Picamera2, name)).parameters
    ours = inspect.signature(getattr(fake_picamera2.Picamera2, name)).parameters
    assert list(ours) == list(real)


def test_the_stand_ins_arrays_are_mapped_as_the_real_ones():
    real = inspect.signature(virtual_camera.MappedArray.__init__).parameters
    assert list(inspect.signature(fake_picamera2.MappedArray.__init__).parameters) == list(real)
