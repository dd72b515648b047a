"""What the camera sees, for the host alone."""

import socket
import threading
from urllib.parse import urlsplit

import pytest
from at_the_door import BEARER, PIN

from companion.table.sight.eye import Window

PICTURE, ANOTHER = b"\xff\xd8 a picture \xff\xd9", b"\xff\xd8 another \xff\xd9"


@pytest.fixture(autouse=True)
def _nobody_waits_for_long(monkeypatch):
    monkeypatch.setattr("web.base.streams.PICTURE_PATIENCE", 0.05)
    monkeypatch.setattr("web.base.streams.FRESH", 0.05)


def window(*pictures):
    """The window of an eye that has shown these pictures."""
    made = Window(lambda: 0.0)
    for picture in pictures:
        made.show(picture, None, drawn=True)
    return made


@pytest.mark.parametrize("path", ["/api/camera.jpg", "/api/camera.mjpg"])
def test_only_the_host_looks_on(make_house, path):
    house = make_house(sight=window(PICTURE))
    assert house.client().get(path).status_code == 401
    assert house.seated("red").get(path).status_code == 403


def test_the_newest_picture(make_house):
    house = make_house(sight=window(PICTURE, ANOTHER))
    answer = house.client().get("/api/camera.jpg", headers=BEARER)
    assert (answer.data, answer.mimetype) == (ANOTHER, "image/jpeg")
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_picture_of_an_hour_ago_is_not_shown_when_there_is_a_newer_one(make_house, monkeypatch):
    monkeypatch.setattr("web.base.streams.FRESH", 20.0)
    seen = window(PICTURE)
    house = make_house(sight=seen)
    eye = threading.Thread(
        target=lambda: (seen.newer_than(1, drawn=False, timeout=0.2), seen.show(ANOTHER, None, drawn=True))
    )
    eye.start()
    assert house.client().get("/api/camera.jpg", headers=BEARER).data == ANOTHER
    eye.join()


@pytest.mark.parametrize("sight", [None, window()])
@pytest.mark.parametrize("path", ["/api/camera.jpg", "/api/camera.mjpg"])
def test_without_a_camera_there_is_one_clear_line(make_house, sight, path):
    answer = make_house(sight=sight).client().get(path, headers=BEARER)
    assert (answer.status_code, answer.json["error"]["code"]) == (404, "no_picture")


def test_a_film_shows_each_picture_once_and_ends_with_the_camera(make_house):
    seen = window(PICTURE)
    answer = make_house(sight=seen).client().get("/api/camera.mjpg", headers=BEARER, buffered=False)
    film = answer.iter_encoded()
    assert PICTURE in next(film)
    seen.show(ANOTHER, None, drawn=True)
    assert ANOTHER in next(film)
    seen.close()
    assert list(film) == []
    answer.close()


def test_three_look_on_and_no_more_until_one_leaves(make_house):
    house = make_house(sight=window(PICTURE))
    client = house.client()
    films = [client.get("/api/camera.mjpg", headers=BEARER, buffered=False) for _ in range(3)]
    assert client.get("/api/camera.mjpg", headers=BEARER).status_code == 503
    films[0].close()
    again = client.get("/api/camera.mjpg", headers=BEARER, buffered=False)
    assert again.status_code == 200
    for film in [*films[1:], again]:
        film.close()


def test_who_goes_away_is_no_longer_drawn_for(make_house, monkeypatch):
    """Over a real connection: the server notices that the browser has closed it."""
    monkeypatch.setattr("web.base.streams.LIVELESS", 1_000_000)
    house = make_house(sight=window(PICTURE))
    base = urlsplit(house.serve())
    login = house.client().post("/api/host/login", json={"pin": PIN})
    cookie = login.headers["Set-Cookie"].split(";")[0]
    with socket.create_connection((base.hostname, base.port), 10) as line:
        asked = f"GET /api/camera.mjpg HTTP/1.1\r\nHost: {base.netloc}\r\nCookie: {cookie}\r\n\r\n"
        line.sendall(asked.encode())
        got = b""
        while PICTURE not in got:
            more = line.recv(4096)
            assert more, got
            got += more
    films = house.app.extensions["companion"].films
    places = [films._places.acquire(timeout=20) for _ in range(3)]
    assert places == [True, True, True]
