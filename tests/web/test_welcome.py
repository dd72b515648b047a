"""The first start of a card: shown where nobody has chosen a PIN yet, and never again."""

import pytest
from at_the_door import PIN

from companion.app.machine import SystemMachine
from tests.bootstrap.pretended_system import System
from web.base.access import FILE
from web.pages.welcome import wifi_code


@pytest.fixture
def system():
    return System()


@pytest.fixture
def machine(tmp_path, system):
    return SystemMachine(tmp_path, system, aside=lambda work: work(), cards=tmp_path / "none")


@pytest.fixture
def fresh(make_house, machine):
    house = make_house(machine=machine)
    (house.folder / FILE).unlink()
    return house


@pytest.mark.parametrize("path", ["/", "/start", "/join", "/host"])
def test_a_phone_is_led_to_the_first_question(fresh, path):
    answer = fresh.client().get(path)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/welcome")


def test_one_thing_at_a_time_to_a_table_that_is_set_up(fresh, system):
    client = fresh.client()
    page = client.get("/welcome").text
    assert "1 of 3" in page
    assert 'name="ssid"' not in page
    assert (
        client.post("/language", data={"language": "de", "back": "/welcome/wifi"}).headers["Location"]
        == "/welcome/wifi"
    )
    page = client.get("/welcome/wifi").text
    assert 'value="caf\u00e9: free"' in page
    assert "2 von 3" in page
    page = client.post("/welcome/pin", data={"ssid": "home", "password": "secret123"}).text
    assert "3 von 3" in page
    assert system.active == "old", "the phone may be in the table's own Wi-Fi: the other is joined last"
    page = client.post("/welcome", data={"ssid": "home", "password": "secret123", "pin": "4711"}).text
    assert "http://raspberrypi.local" in page
    assert (system.active, fresh.state["table"]["language"]) == ("home", "de")
    assert client.get("/host/machine").status_code == 200, "this phone is the host's"
    assert fresh.access.locks.is_pin("4711")


def test_without_a_wifi_there_is_a_table_too(fresh, system):
    client = fresh.client()
    client.post("/welcome/pin", data={})
    assert "is ready" in client.post("/welcome", data={"pin": "123456"}).text
    assert system.active == "old"
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("pin", ["", "123", "1234567890123", "abcd", "\u0664\u0664\u0664\u0664"])
def test_an_odd_pin_is_asked_for_again_and_the_wifi_is_kept(fresh, pin):
    answer = fresh.client().post("/welcome", data={"ssid": "home", "password": "secret123", "pin": pin})
    assert answer.status_code == 409
    assert "4 to 12 digits" in answer.text
    assert 'value="secret123"' in answer.text
    assert fresh.access.locks.is_new


def test_a_short_password_is_said_where_it_was_typed(fresh):
    answer = fresh.client().post("/welcome/pin", data={"ssid": "home", "password": "short"})
    assert answer.status_code == 409
    assert "8 to 63 characters" in answer.text
    assert 'name="other"' in answer.text


def test_who_comes_second_is_led_away_and_changes_nothing(fresh, system):
    first, second = fresh.client(), fresh.client()
    first.post("/welcome", data={"pin": "4711"})
    answer = second.post("/welcome", data={"pin": "0815", "ssid": "home", "password": "secret123"})
    assert (answer.status_code, system.active) == (303, "old")
    assert fresh.access.locks.is_pin("4711")
    assert second.get("/api/host/machine").status_code == 401


@pytest.mark.parametrize("path", ["/welcome", "/welcome/wifi"])
def test_a_table_with_a_pin_never_shows_it(make_house, machine, path):
    client = make_house(machine=machine).client()
    assert client.get("/").status_code == client.get("/table").status_code == 200
    assert client.get(path).headers["Location"] == "/"
    assert client.post("/welcome/pin", data={}).headers["Location"] == "/"
    client.post("/welcome", data={"pin": "0815"})
    assert client.post("/api/host/login", json={"pin": PIN}).status_code == 200


def test_a_pin_that_cannot_be_read_is_nobodys_to_choose(fresh):
    (fresh.folder / FILE).write_text("torn")
    assert fresh.client().get("/").status_code == 200
    assert fresh.client().post("/welcome", data={"pin": "0815"}).status_code == 303
    assert (fresh.folder / FILE).read_text() == "torn"


def test_nobodys_laptop_is_set_up(make_house, tmp_path, system):
    house = make_house(machine=SystemMachine(tmp_path, system, is_ours=False))
    (house.folder / FILE).unlink()
    assert house.client().get("/").status_code == 200
    assert house.client().post("/welcome", data={"pin": "0815"}).status_code == 303
    assert house.access.locks.is_new


def test_the_big_screen_leads_into_the_own_wifi_and_then_to_the_page(fresh, machine):
    page = fresh.client().get("/table").text
    assert "Welcome to your table" in page
    assert 'class="code">raspberrypi<' not in page
    machine.open_own_wifi()
    page = fresh.client().get("/table").text
    ssid, password = machine.own_wifi
    assert f'class="code">{ssid}<' in page
    assert f'class="code">{password}<' in page


def test_the_screen_of_a_set_up_table_shows_its_own_wifi_until_somebody_plays(make_house, machine):
    house = make_house(machine=machine)
    machine.open_own_wifi()
    assert 'id="ways"' in house.client().get("/table").text
    house.start()
    assert 'id="ways"' not in house.client().get("/table").text


def test_a_phones_camera_reads_the_wifi():
    assert wifi_code("table; of: all", 'a"b\\c') == 'WIFI:T:WPA;S:table\\; of\\: all;P:a\\"b\\\\c;;'
