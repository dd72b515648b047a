"""The cameras on the calibration's page: listed, tried, kept, and given back."""

import pytest
from at_the_door import PIN

from companion.languages.catalogues import codes
from companion.refusal import Refusal
from companion.table.ports import Hint, as_json
from web.base.words import words_in


class Picker:
    """Two cameras; what is done is noted."""

    def __init__(self):
        self.trial, self.notes, self.done = None, [], []

    def view(self):
        cameras = [
            {"id": "csi:imx708", "name": "Camera Module 3", "port": "csi", "sizes": ["1920x1080", "2304x1296"]},
            {"id": "usb:C920", "name": "Webcam <C920>", "port": "usb", "sizes": ["1920x1080"]},
        ]
        chosen = {"chosen": True, "size": "1920x1080"}, {"chosen": False, "size": ""}
        told = [one | how for one, how in zip(cameras, chosen, strict=True)]
        return {"cameras": told, "trial": self.trial, "notes": self.notes}

    def act(self, action, camera, size):
        if action not in ("try", "keep", "back"):
            raise Refusal("malformed", None, "no", field="action")
        self.done.append((action, camera, size))
        tried = {"camera": camera, "name": "Webcam <C920>", "size": size, "seconds": 60}
        self.trial = tried if action == "try" else None


class Closed:
    """A calibration of which no step is open."""

    def view(self):
        return {"open": "", "steps": [], "notes": [], "profile": "profile.json"}


@pytest.fixture
def picker():
    return Picker()


@pytest.fixture
def client(make_house, picker):
    client = make_house(calibrator=Closed(), cameras=picker).client()
    assert client.post("/api/host/login", json={"pin": PIN}).status_code == 200
    return client


def test_only_the_host_chooses(make_house, picker):
    house = make_house(calibrator=Closed(), cameras=picker)
    assert house.client().get("/api/cameras").status_code == 401
    assert house.seated("red").post("/api/cameras", json={"action": "keep"}).status_code == 403
    assert "cameras" not in house.client().get("/calibrate").text
    assert not picker.done


def test_every_camera_is_there_by_name_with_its_sizes(client):
    page = client.get("/calibrate").text
    assert page.index("Camera Module 3") < page.index("Webcam &lt;C920&gt;")
    assert "1920x1080 · suggested" in page
    assert page.count("· chosen") == 1
    assert "/api/camera.mjpg" in page
    assert "keep-camera" not in page


def test_a_camera_is_tried_and_kept(client, picker):
    answer = client.post("/api/cameras", json={"action": "try", "camera": "usb:C920", "size": "1920x1080"})
    assert answer.json["trial"]["seconds"] == 60
    page = client.get("/calibrate").text
    assert "Webcam &lt;C920&gt;, 1920x1080: is the whole table in the picture?" in page
    assert 'data-step="camera"' in page, "the page follows it as it follows a step"
    picker.notes = [as_json(Hint("camera_other_size", "", given="640x480", wanted="1920x1080"))]
    assert "gives 640x480 in place of 1920x1080" in client.get("/calibrate").text
    assert client.post("/api/cameras", data={"action": "keep"}).status_code == 303
    assert picker.done == [("try", "usb:C920", "1920x1080"), ("keep", "", "")]


@pytest.mark.parametrize("body", [{}, {"action": 3}, {"action": "try", "camera": []}, {"action": "sell"}])
def test_what_cannot_be_done_is_refused(client, body):
    answer = client.post("/api/cameras", json=body)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "malformed")


def test_where_the_camera_is_no_choice_there_is_no_picker(make_house):
    client = make_house(calibrator=Closed()).client()
    client.post("/api/host/login", json={"pin": PIN})
    assert 'id="cameras"' not in client.get("/calibrate").text
    answer = client.get("/api/cameras")
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "no_camera")


@pytest.mark.parametrize("language", codes())
def test_what_is_said_of_a_trial_is_said_in_every_language(language):
    words = words_in(language)
    hints = ("trial", "trial_lost", "trial_over", "other_size", "cropped")
    assert all(words.has(f"device_camera_{name}") for name in hints)
