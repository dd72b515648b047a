"""The machine's page: for the host alone, and what is not the table's own is not switched off."""

import re
from pathlib import Path

import pytest
from at_the_door import PIN

from companion.app.machine import SystemMachine
from companion.app.own_wifi import NO_WAY
from companion.app.strain import LOW
from companion.app.updates import WANTED, Updates
from companion.network.mdns import NAME_TAKEN
from companion.table.ports import Hint
from companion.table.session.intents import DeviceChanged
from companion.table.session.state import DEVICES
from tests.bootstrap.pretended_system import System

ROOT = Path(__file__).parents[2]


@pytest.fixture
def system():
    return System()


@pytest.fixture
def client(make_house, system, tmp_path):
    machine = SystemMachine(tmp_path, system, aside=lambda work: work(), cards=tmp_path / "none")
    client = make_house(machine=machine).client()
    assert client.post("/api/host/login", json={"pin": PIN}).status_code == 200
    return client


def test_only_the_host_may(make_house, system, tmp_path):
    house = make_house(machine=SystemMachine(tmp_path, system))
    assert house.client().get("/host/machine").status_code == 303
    assert house.client().get("/api/host/machine").status_code == 401
    assert house.seated("red").post("/api/host/machine", json={"do": "off"}).status_code == 403
    assert system.went == ""


def test_it_is_switched_off_by_a_form(client, system):
    page = client.get("/host/machine").text
    assert 'value="off"' in page
    answer = client.post("/api/host/machine", data={"do": "off"})
    assert answer.status_code == 200
    assert "green light" in answer.text
    assert system.went == "poweroff"


def test_a_wifi_is_joined_and_the_page_says_so(client):
    assert 'value="caf\u00e9: free"' in client.get("/host/machine").text
    answer = client.post("/api/host/machine", data={"do": "wifi", "ssid": "home", "password": "wrong1234"})
    assert answer.status_code == 303
    assert "The password of home is wrong" in client.get("/host/machine").text
    answer = client.post("/api/host/machine", json={"do": "wifi", "ssid": "home", "password": "secret123"})
    assert answer.json["notes"][0]["code"] == "wifi_joined"
    assert "secret123" not in answer.text + client.get("/host/machine").text


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "malformed"),
        ({"do": "sell"}, 400, "malformed"),
        ({"do": "name", "name": "a b"}, 409, "odd_name"),
        ({"do": "hotspot", "password": "short"}, 409, "short_password"),
    ],
)
def test_what_cannot_be_done_is_refused(client, body, status, code):
    answer = client.post("/api/host/machine", json=body)
    assert (answer.status_code, answer.json["error"]["code"]) == (status, code)


def test_why_the_system_refuses_is_read_by_people(client, system):
    system.may = False
    answer = client.post("/api/host/machine", json={"do": "off"}, headers={"Accept-Language": "de"})
    assert answer.json["error"]["message"].startswith("Das System tut es nicht: Call to poweroff failed")


@pytest.fixture
def installed(make_house, system, tmp_path):
    """A table that was installed and knows where updates are, before the host; its folder, and root's."""
    root = tmp_path / "root"
    (root / "releases/0a1b2c").mkdir(parents=True)
    (root / "current").symlink_to("releases/0a1b2c")
    for name in ("updates", "signers"):
        (root / name).touch()
    machine = SystemMachine(tmp_path, system, updates=Updates(tmp_path, root, root))
    client = make_house(machine=machine).client()
    client.post("/api/host/login", json={"pin": PIN})
    return client, tmp_path, root


def test_an_update_is_asked_for_by_an_empty_file_and_the_page_waits_for_it(installed):
    client, folder, root = installed
    page = client.get("/host/machine").text
    assert 'value="update"' in page
    assert "release 0a1b2c" in page
    assert client.post("/api/host/machine", data={"do": "update", "from": "http://evil.example"}).status_code == 303
    assert (folder / WANTED).read_bytes() == b""
    page = client.get("/host/machine").text
    assert 'http-equiv="refresh"' in page
    assert 'value="update"' not in page
    again = client.post("/api/host/machine", json={"do": "update"})
    assert (again.status_code, again.json["error"]["code"]) == (409, "update_busy")
    (folder / WANTED).unlink()
    (root / "update-state").write_text("state failed\ncode update_failed\nfrom 0a1b2c\nto 0a1b2c\nwhy <b>full</b>\n")
    page = client.get("/host/machine").text
    assert 'http-equiv="refresh"' not in page
    assert "0a1b2c runs as before: &lt;b&gt;full&lt;/b&gt;" in page


@pytest.mark.parametrize("missing", ["updates", "signers", "current"])
def test_who_does_not_know_whom_to_trust_is_not_updated_by_a_page(installed, missing):
    client, folder, root = installed
    (root / missing).unlink()
    assert 'value="update"' not in client.get("/host/machine").text
    answer = client.post("/api/host/machine", json={"do": "update"})
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "no_updates")
    assert not (folder / WANTED).exists()


def test_a_laptop_has_no_button_to_switch_it_off(make_house, system, tmp_path):
    client = make_house(machine=SystemMachine(tmp_path, system, is_ours=False)).client()
    client.post("/api/host/login", json={"pin": PIN})
    page = client.get("/host/machine").text
    assert 'value="off"' not in page
    assert "not the table" in page


def test_without_a_machine_the_page_says_so(make_house):
    client = make_house().client()
    client.post("/api/host/login", json={"pin": PIN})
    assert 'id="not-ours"' in client.get("/host/machine").text
    answer = client.get("/api/host/machine")
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "not_our_machine")


def test_a_banner_stands_on_every_page(make_house):
    house = make_house()
    house.session.ask(DeviceChanged("power", "strained", LOW)).result(20)
    for page in ("/", "/table", "/seat/red"):
        assert "too little power" in house.client().get(page).text
    house.session.ask(DeviceChanged("power", "ok", "")).result(20)
    assert 'id="strain"' not in house.client().get("/").text


BANNERS = [
    ("name", "namesake", Hint("name_taken", NAME_TAKEN, name="table", host="table.local"), "table.local mo\u017ce"),
    ("wifi", "network", Hint("wifi_password", "The password of {ssid} is wrong.", ssid="home"), "Has\u0142o do home"),
    ("wifi", "network", Hint("wifi_no_way", NO_WAY, why=Hint("no_radio", "none")), "kabel"),
]


@pytest.mark.parametrize(("device", "banner", "hint", "words"), BANNERS)
def test_what_is_wrong_with_the_network_stands_on_every_page_and_play_goes_on(make_house, device, banner, hint, words):
    house = make_house()
    house.session.ask(DeviceChanged(device, "failing", hint)).result(20)
    for page in ("/", "/table", "/seat/red"):
        answer = house.client().get(page, headers={"Accept-Language": "pl"})
        assert (answer.status_code, f'id="{banner}"' in answer.text, words in answer.text) == (200, True, True)
    house.session.ask(DeviceChanged(device, "ok", "")).result(20)
    assert f'id="{banner}"' not in house.client().get("/").text


def test_every_device_that_a_part_reports_is_one():
    sources = [path for top in ("companion", "hardware", "web") for path in (ROOT / top).rglob("*.py")]
    reported = {name for path in sources for name in re.findall(r'DeviceChanged\(\s*"(\w+)"', path.read_text())}
    assert {"wifi", "name", "power"} <= reported <= set(DEVICES)


@pytest.mark.parametrize(
    ("host", "path"),
    [
        ("connectivitycheck.gstatic.com", "/generate_204"),
        ("captive.apple.com", "/hotspot-detect.html"),
        ("www.msftconnecttest.com", "/connecttest.txt"),
    ],
)
def test_a_phone_in_the_tables_own_wifi_is_shown_the_table(house, host, path):
    client = house.client()
    answer = client.get(path, headers={"Host": host}, environ_base={"REMOTE_ADDR": "10.42.0.57"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "http://10.42.0.1/")


@pytest.mark.parametrize(
    ("address", "method", "path"),
    [
        ("192.168.0.9", "GET", "/generate_204"),
        ("10.42.0.57", "GET", "/api/state"),
        ("10.42.0.57", "GET", "/"),
        ("10.42.0.57", "POST", "/generate_204"),
        ("", "GET", "/generate_204"),
    ],
)
def test_anything_else_under_another_name_is_refused_as_ever(house, address, method, path):
    asked = {"headers": {"Host": "evil.example"}, "environ_base": {"REMOTE_ADDR": address}}
    answer = house.client().open(path, method=method, **asked)
    assert answer.status_code == 403
