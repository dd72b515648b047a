"""The page of a phone that is the camera: who may be it, what it sends, and what is refused."""

import io

import pytest
from at_the_door import PIN

from companion.app.config import CameraConfig
from companion.app.sight.camera_choice import CameraChoice
from companion.app.sight.phone_eye import PairedPhone
from companion.languages.catalogues import codes
from tests.hardware.test_phone_camera import header, jpeg
from web.base.words import words_in
from web.pages.eye import routes

PICTURE = {"content_type": "image/jpeg"}


@pytest.fixture
def eye(tmp_path):
    choice = CameraChoice(CameraConfig(profile=tmp_path / "profile.json"), list)
    made = PairedPhone(tmp_path, choice.phone, choice)
    made.link = choice.phone
    return made


@pytest.fixture
def house(make_house, eye):
    return make_house(phone_eye=eye)


@pytest.fixture
def host(house):
    client = house.client()
    assert client.post("/api/host/login", json={"pin": PIN}).status_code == 200
    return client


@pytest.fixture
def phone(house, eye):
    client = house.client()
    assert client.post("/eye/pair", data={"code": eye.code()}).location == "/eye"
    return client


def photo(data):
    return {"photo": (io.BytesIO(data), "table.jpg", "image/jpeg")}


def test_a_phone_becomes_the_camera_by_the_code_of_the_host_s_page(house, host, eye):
    page = host.get("/eye").text
    assert eye.code() in page
    assert 'class="qr"' in page
    client = house.client()
    page = client.get(f"/eye?code={eye.code()}").text
    assert f'value="{eye.code()}"' in page
    assert eye.code() not in client.get("/eye").text
    assert client.post("/eye/pair", data={"code": "1"}).status_code == 403
    assert client.post("/eye/pair", data={"code": eye.code()}).location == "/eye"
    page = client.get("/eye").text
    assert 'id="begin"' in page
    assert "eye/eye.js" in page
    assert 'id="unused"' in page
    assert 'id="paired"' in host.get("/eye").text


def test_the_host_s_own_phone_needs_no_code(host, house):
    assert host.post("/eye/pair").location == "/eye"
    assert 'id="begin"' in host.get("/eye").text
    assert house.client().post("/eye/pair").status_code == 403


def test_codes_are_not_guessed(house):
    client = house.client()
    for _ in range(5):
        assert client.post("/eye/pair", data={"code": "12345678"}).status_code == 403
    assert client.post("/eye/pair", data={"code": "12345678"}).status_code == 429


def test_pictures_are_taken_from_the_phone_alone(house, phone, eye, host):
    picture = jpeg()
    for other in (house.client(), house.seated("red"), host):
        for path in ("/api/eye/picture", "/eye/photo"):
            answer = other.post(path, data=picture, **PICTURE)
            assert (answer.status_code, answer.json["error"]["code"]) == (403, "not_the_eye")
        assert other.post("/api/eye/beat", json={"moving": True}).status_code == 403
    answer = phone.post("/api/eye/picture", data=picture, **PICTURE)
    assert answer.json == {"paired": True, "there": True, "used": False}
    assert eye.link.shot.jpeg == picture


def test_the_phone_says_how_it_is_and_hears_what_is_wanted(phone, eye):
    assert phone.post("/api/eye/beat", json={"moving": False}).json["wanted"], "there is no picture yet"
    phone.post("/api/eye/picture", data=jpeg(), **PICTURE)
    assert not phone.post("/api/eye/beat", json={"moving": True}).json["wanted"]
    assert eye.link.is_moving
    eye.link.wait(eye.link.shot.number, 0, wanted=True)
    assert phone.post("/api/eye/beat", json={"moving": True}).json["wanted"]
    phone.post("/api/eye/picture?moving=1", data=jpeg(), **PICTURE)
    assert eye.link.is_moving
    assert phone.post("/api/eye/beat", data="[", content_type="application/json").status_code == 400


@pytest.mark.parametrize(
    "data", [b"", b"<html>", header(65_535, 65_535) + b"\xff\xd9"], ids=["nothing", "a page", "a bomb"]
)
def test_what_is_no_picture_costs_one_refusal(phone, eye, data):
    phone.post("/api/eye/picture", data=jpeg(), **PICTURE)
    before = eye.link.shot
    answer = phone.post("/api/eye/picture", data=data, **PICTURE)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "no_such_picture")
    answer = phone.post("/eye/photo", data=photo(data))
    assert answer.status_code == 400
    assert 'id="refused"' in answer.text
    assert phone.post("/eye/photo").status_code == 400
    assert eye.link.shot is before


def test_large_pictures_are_taken_from_the_phone_alone(house, phone):
    large = jpeg() + b"\0" * 200_000
    assert phone.post("/api/eye/picture", data=large, **PICTURE).status_code == 200
    assert house.client().post("/api/eye/picture", data=large, **PICTURE).status_code == 403
    assert phone.post("/api/eye/picture", data=b"x" * 13_000_000, **PICTURE).status_code == 413


def test_a_photo_needs_no_secure_page(phone, eye):
    answer = phone.post("/eye/photo", data=photo(jpeg()))
    assert answer.location == "/eye?sent=1"
    assert eye.link.shot is not None
    assert 'id="sent"' in phone.get("/eye?sent=1").text


def test_another_phone_takes_its_place_and_the_host_takes_it_away(house, phone, host, eye):
    other = house.client()
    assert other.post("/eye/leave").status_code == 403
    other.post("/eye/pair", data={"code": eye.code()})
    assert phone.post("/api/eye/picture", data=jpeg(), **PICTURE).status_code == 403
    assert other.post("/api/eye/picture", data=jpeg(), **PICTURE).status_code == 200
    assert host.post("/eye/leave").location == "/eye"
    assert other.post("/api/eye/picture", data=jpeg(), **PICTURE).status_code == 403
    assert eye.link.shot is None


def test_where_the_camera_is_named_no_phone_can_be_it(make_house):
    client = make_house().client()
    assert 'id="none"' in client.get("/eye").text
    answer = client.post("/eye/pair", data={"code": "1"})
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "no_phone_camera")
    assert client.post("/api/eye/beat", json={}).status_code == 403


def test_every_language_has_the_words(phone, host):
    for language in codes():
        words = words_in(language)
        assert words.text("eye_begin") in phone.get("/eye", headers={"Accept-Language": language}).text
        assert words.text("eye_scan") in host.get("/eye", headers={"Accept-Language": language}).text
        assert all(words.has(f"device_phone_{name}") for name in ("away", "photo_over", "other_shape"))


@pytest.mark.parametrize("base", ["http://localhost", "https://localhost"])
def test_the_code_leads_to_the_secure_pages_where_there_are_some(make_house, eye, monkeypatch, base):
    class Secure:
        """Secure pages that are on."""

        def address(self):
            return "https://table.local:8443"

    monkeypatch.setattr(routes, "qr", lambda link: f"leads to {link}")
    house = make_house(phone_eye=eye, secure=Secure())
    client = house.client()
    client.post("/api/host/login", json={"pin": PIN}, base_url=base)
    assert f"leads to https://table.local:8443/eye?code={eye.code()}" in client.get("/eye", base_url=base).text
