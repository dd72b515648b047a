"""A browser's own camera looks at a rendered table, and the table is read from what its page sends."""

import json
import threading

import cv2
import pytest
from browsing import CHROMIUM, FLAGS, shoot

from companion.app.config import CameraConfig
from companion.app.sight.camera_choice import CameraChoice
from companion.app.sight.phone_eye import PairedPhone
from companion.table.sight.reading import Reading
from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader
from hardware.cameras.watched import WatchedCamera
from tests.vision.test_frames import FRAMES

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")
FRAME = FRAMES / "std_7000.jpg"
PATIENCE = 60


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A browser whose camera shows one frame for ever."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    film = tmp_path_factory.mktemp("film") / "table.mjpeg"
    film.write_bytes(FRAME.read_bytes() * 4)
    camera = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    camera.append(f"--use-file-for-fake-video-capture={film}")
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=str(CHROMIUM), args=[*FLAGS, *camera])
        yield launched
        launched.close()


@pytest.fixture
def choice(tmp_path):
    """What looks through a phone, at the size of the frames."""
    (tmp_path / "profile.json").write_text(json.dumps({"camera": {"device": "phone:", "size": [1200, 900]}}))
    return CameraChoice(CameraConfig(profile=tmp_path / "profile.json"), list)


@pytest.fixture
def phone_eye(tmp_path, choice):
    return PairedPhone(tmp_path, choice.phone, choice)


@pytest.fixture
def house(make_house, phone_eye):
    return make_house(phone_eye=phone_eye)


def cards_in(reader, picture):
    return Reading.from_json(reader.look(picture).reading.to_json()).cards


def test_a_table_is_read_through_a_phone(looking, phone_eye, choice):
    camera, came = WatchedCamera(choice.open, lambda _: None), threading.Event()
    choice.phone.call(came.set)
    page = looking.open(f"/eye?code={phone_eye.code()}", permissions=["camera"])
    page.click("#pair button")
    page.wait_for_selector("#how[data-state=rest]")
    assert came.wait(PATIENCE)
    with camera.frame(full=True) as frame:
        seen = frame.image.copy()
    with camera.frame(full=False) as frame:
        assert frame.image.shape == (480, 640)
    reader = TableReader(load_profile(FRAMES / "profile.json"))
    there, sent = (cards_in(reader, picture) for picture in (cv2.imread(str(FRAME)), seen))
    assert len(there) > 20
    assert len([place for place, card in there.items() if sent.get(place) == card]) >= 0.9 * len(there)
    shoot(page, "eye")
    page.click("#leave")
    page.wait_for_selector("#pair")
    assert not phone_eye.view()["there"]
