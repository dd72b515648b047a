"""A phone is paired, listed, tried and kept as a camera, and goes on after a restart of the table."""

import json
import stat

import pytest

from companion.app.config import CameraConfig
from companion.app.devices import open_camera, opened_as
from companion.app.sight.camera_choice import CameraChoice
from companion.app.sight.phone_eye import PairedPhone
from companion.refusal import Refusal
from companion.table.ports import DeviceError
from tests.hardware.test_phone_camera import jpeg


class Table:
    """A table with nothing plugged in, and a phone that may be its camera."""

    def __init__(self, folder):
        self.folder, self.looks = folder, []
        self.config = CameraConfig(profile=folder / "profile.json")
        self.start()

    def start(self):
        self.choice = CameraChoice(self.config, list)
        self.phone = PairedPhone(self.folder, self.choice.phone, self.choice, lambda: self.looks.append(1))


@pytest.fixture
def table(tmp_path):
    made = Table(tmp_path)
    yield made
    made.choice.act("back", "", "")


def test_a_code_works_once_and_one_phone_is_the_camera(table):
    code = table.phone.code()
    assert table.phone.pair("0" * 8 if code != "0" * 8 else "1" * 8) is None
    first = table.phone.pair(f" {code} ")
    assert table.phone.pair(code) is None
    assert table.phone.holds(first)
    second = table.phone.appoint()
    assert (table.phone.holds(first), table.phone.holds(second)) == (False, True)
    table.phone.dismiss()
    assert not table.phone.holds(second)
    for odd in (None, "", 7, [second]):
        assert not table.phone.holds(odd)


def test_after_a_restart_the_phone_goes_on(table):
    secret = table.phone.appoint()
    kept = table.folder / "eye.json"
    assert secret not in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    table.start()
    assert table.phone.holds(secret)
    kept.write_text("nonsense")
    table.start()
    assert not table.phone.holds(secret)


def test_it_is_listed_while_it_is_there_tried_and_kept(table):
    assert table.choice.view()["cameras"] == []
    table.phone.appoint()
    table.phone.take(jpeg())
    (listed,) = table.choice.view()["cameras"]
    assert (listed["id"], listed["port"], listed["sizes"]) == ("phone:", "phone", ["1280x720"])
    assert not table.phone.view()["used"]
    table.choice.act("try", "phone:", "")
    assert table.phone.view()["used"]
    with table.choice.open().frame(full=True) as frame:
        assert frame.image.shape == (720, 1280, 3)
    table.choice.act("keep", "", "")
    settings = opened_as(table.config)
    assert (settings.device, settings.size) == ("phone:", (1280, 720))
    assert json.loads(table.config.profile.read_text())["camera"]["device"] == "phone:"
    assert table.phone.view() == {"paired": True, "there": True, "used": True}
    with table.choice.open().frame(full=False) as frame:
        assert frame.image.ndim == 2


def test_one_that_was_kept_and_is_away_is_listed_and_says_what_to_do(table):
    table.config.profile.write_text(json.dumps({"camera": {"device": "phone:", "size": [1280, 720]}}))
    (listed,) = table.choice.view()["cameras"]
    assert (listed["chosen"], listed["size"]) == (True, "1280x720")
    for opened in (table.choice.open, lambda: open_camera(table.config)):
        with pytest.raises(DeviceError, match="open the page /eye on it"):
            opened()


def test_a_photo_is_looked_at_at_once_and_what_is_none_is_refused(table):
    table.phone.take(jpeg(), photo=True)
    assert table.looks == [1]
    with pytest.raises(Refusal) as refused:
        table.phone.take(b"nothing", photo=True)
    assert refused.value.code == "no_such_picture"
    assert table.looks == [1]
