"""The page that checks the panel's wiring."""

import pytest
from at_the_door import PIN

from companion.games.api import Button
from companion.languages.catalogues import codes
from hardware.panel.check import WiringCheck
from hardware.panel.wiring import load


@pytest.fixture
def check():
    return WiringCheck(load(), lambda: 100.0)


@pytest.fixture
def client(make_house, check):
    client = make_house(panel_check=check).client()
    assert client.post("/api/host/login", json={"pin": PIN}).status_code == 200
    return client


def say(client, do, answer=""):
    assert client.post("/api/host/panel", data={"do": do, "answer": answer}).status_code == 303
    return client.get("/host/panel").text


def test_only_the_host_checks(make_house, check):
    house = make_house(panel_check=check)
    assert house.client().get("/host/panel").status_code == 303
    assert house.seated("red").post("/api/host/panel", json={"do": "start"}).status_code == 403
    assert not check.is_running()


def test_it_asks_lamp_by_lamp_and_button_by_button(client, check):
    page = client.get("/host/panel").text
    assert "GPIO 17, header 11, wire red" in page
    assert "330\N{NO-BREAK SPACE}Ω" in page
    page = say(client, "start")
    assert "Which lamp is lit?" in page
    assert 'http-equiv="refresh" content="1"' not in page
    say(client, "answer", "lamps.blue")
    for _ in range(4):
        page = say(client, "answer", client.get("/api/host/panel").json["now"])
    assert "Do you hear the buzzer?" in page
    page = say(client, "answer", "none")
    assert "Press RED" in page
    assert 'content="1"' in page, "the page looks by itself whether it was pressed"
    check.pressed(Button.RED)
    assert "Press BLUE" in client.get("/host/panel").text
    for button in list(Button)[1:]:
        check.pressed(button)
    page = client.get("/host/panel").text
    assert "Not all of it is right" in page
    assert "Blue answered in the place of Red" in page


def test_without_a_panel_the_page_says_so(make_house):
    client = make_house().client()
    client.post("/api/host/login", json={"pin": PIN})
    assert "switched off" in client.get("/host/panel").text
    assert client.get("/api/host/panel").json["error"]["code"] == "no_panel"


@pytest.mark.parametrize("language", codes())
def test_it_is_there_in_every_language(client, language):
    client.post("/api/host/panel", json={"do": "start"})
    page = client.get("/host/panel", headers={"Accept-Language": language})
    assert page.status_code == 200


@pytest.mark.parametrize("body", [{}, {"do": 1}, {"do": "start", "answer": 3}, {"do": "sell"}])
def test_what_cannot_be_done_is_refused(client, body):
    assert client.post("/api/host/panel", json=body).status_code == 400
