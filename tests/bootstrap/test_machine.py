"""The machine below the table, before a pretended systemd and NetworkManager."""

import sys
from pathlib import Path

import pytest

from companion.app import machine as machine_module
from companion.app.machine import SystemMachine, is_ours, networks_in, run, speaker_in, zone_here
from companion.refusal import Refusal

from .pretended_system import System

CARDS = """ 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 1 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                      bcm2835 Headphones
 2 [UACDemoV10     ]: USB-Audio - UACDemoV1.0
                      Jieli Technology UACDemoV1.0 at usb-3f980000.usb-1.2, full speed
"""


@pytest.fixture
def system():
    return System()


@pytest.fixture
def table(tmp_path, system):
    (tmp_path / "cards").write_text(CARDS)
    return SystemMachine(tmp_path, system, aside=lambda work: work(), cards=tmp_path / "cards")


def notes(table):
    return [note["code"] for note in table.view()["notes"]]


@pytest.mark.parametrize(("do", "went"), [("off", "poweroff"), ("restart", "reboot")])
def test_it_is_switched_off_and_started_again(table, system, do, went):
    table.act(do, {})
    assert system.went == went


def test_nobodys_laptop_is_switched_off(tmp_path, system):
    laptop = SystemMachine(tmp_path, system, is_ours=False)
    with pytest.raises(Refusal) as told:
        laptop.act("off", {})
    assert (told.value.code, system.went) == ("not_our_machine", "")


@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("off", {}),
        ("name", {"name": "table"}),
        ("zone", {"zone": "Europe/Berlin"}),
        ("hotspot", {"password": "long enough"}),
    ],
)
def test_what_the_system_does_not_allow_is_told(table, system, do, fields):
    system.may = False
    with pytest.raises(Refusal) as told:
        table.act(do, fields)
    assert told.value.code == "machine_refused"
    assert "uthor" in told.value.fields["why"] or "uthent" in told.value.fields["why"]


@pytest.mark.parametrize(("typed", "name"), [("Kitchen-Table", "kitchen-table"), (" table2.local ", "table2")])
def test_it_is_named(table, system, typed, name):
    table.act("name", {"name": typed})
    assert (system.name, notes(table)) == (name, ["machine_renamed"])


@pytest.mark.parametrize("name", ["", "a b", "-a", "a-", "x" * 64, "tisch.ä", "a;reboot", "a.b"])
def test_a_name_that_no_network_takes_is_refused(table, system, name):
    with pytest.raises(Refusal) as told:
        table.act("name", {"name": name})
    assert (told.value.code, system.name) == ("odd_name", "raspberrypi")


def test_its_time_zone_is_set(table, system):
    table.act("zone", {"zone": "Europe/Berlin"})
    assert system.zone == "Europe/Berlin"
    with pytest.raises(Refusal):
        table.act("zone", {"zone": "../../etc/shadow"})
    assert "Europe/Berlin" in table.zones()
    assert "Etc/UTC" not in table.zones()


def test_the_wifis_in_reach_are_listed(table):
    assert table.view()["networks"] == [
        {"ssid": "home", "signal": 82, "open": False, "used": False},
        {"ssid": "caf\u00e9: free", "signal": 40, "open": True, "used": False},
        {"ssid": "home 5", "signal": 30, "open": False, "used": False},
    ]


def test_a_wifi_of_several_stations_is_listed_once():
    listed = " :home:30:WPA2\n*:home:60:WPA2\n :home:90:WPA2\n :far:10:\nodd\n"
    assert networks_in(listed) == [
        {"ssid": "home", "signal": 60, "open": False, "used": True},
        {"ssid": "far", "signal": 10, "open": True, "used": False},
    ]


def test_a_wifi_is_joined(table, system):
    table.act("wifi", {"ssid": "home", "password": "secret123"})
    assert (system.active, notes(table), table.view()["joining"]) == ("home", ["wifi_joined"], "")


def test_a_wifi_is_joined_out_of_the_own_one(table, system):
    table.act("hotspot", {"password": "eight characters"})
    table.act("wifi", {"ssid": "home", "password": "wrong1234"})
    assert (system.active, notes(table)) == ("table-companion", ["wifi_password"])
    table.act("wifi", {"ssid": "home", "password": "secret123"})
    assert (system.active, notes(table)) == ("home", ["wifi_joined"])


def test_an_open_wifi_needs_no_password(table, system):
    table.act("wifi", {"ssid": "caf\u00e9: free", "password": ""})
    assert (system.active, notes(table)) == ("caf\u00e9: free", ["wifi_joined"])


def test_a_wrong_password_brings_the_network_before_back(table, system):
    table.act("wifi", {"ssid": "home", "password": "wrong1234"})
    assert (system.active, notes(table)) == ("old", ["wifi_password"])
    assert list(system.connections) == ["old"], "and leaves nothing that would be tried at every start"


def test_a_wrong_password_leaves_a_network_that_was_known(table, system):
    system.connections["home"] = "wifi"
    table.act("wifi", {"ssid": "home", "password": "wrong1234"})
    assert "home" in system.connections


def test_a_wifi_out_of_reach_is_told(table, system):
    system.connections["gone"] = "wifi"
    table.act("wifi", {"ssid": "gone", "password": "secret123"})
    assert (system.active, notes(table)) == ("old", ["wifi_gone"])


def test_one_wifi_at_a_time(tmp_path, system):
    waiting = []
    table = SystemMachine(tmp_path, system, aside=waiting.append)
    table.act("wifi", {"ssid": "home", "password": "secret123"})
    assert table.view()["joining"] == "home", "the answer comes before the phone may lose the table"
    with pytest.raises(Refusal) as told:
        table.act("wifi", {"ssid": "home 5", "password": "other1234"})
    assert told.value.code == "wifi_busy"
    waiting[0]()
    assert system.active == "home"


@pytest.mark.parametrize("fields", [{"ssid": ""}, {"ssid": "x" * 33}, {"ssid": "home", "password": "short"}])
def test_what_is_no_wifi_is_refused_before_anybody_is_asked(table, system, fields):
    with pytest.raises(Refusal):
        table.act("wifi", fields)
    assert not system.asked


def test_a_wifi_of_its_own_is_opened(table, system):
    table.act("hotspot", {"password": "eight characters"})
    assert (system.active, notes(table)) == ("table-companion", ["wifi_own"])
    with pytest.raises(Refusal):
        table.act("hotspot", {"password": "short"})


def test_without_networkmanager_there_is_no_wifi_to_set(table, system):
    system.has_wifi = False
    assert table.view()["networks"] is None


def test_the_loudspeaker_is_chosen(table, tmp_path):
    assert [one["name"] for one in table.view()["speakers"]] == ["vc4-hdmi-0", "bcm2835 Headphones", "UACDemoV1.0"]
    table.act("speaker", {"speaker": "UACDemoV10"})
    assert speaker_in(tmp_path) == table.view()["speaker"] == "UACDemoV10"
    with pytest.raises(Refusal):
        table.act("speaker", {"speaker": "gone"})
    table.act("speaker", {"speaker": ""})
    assert speaker_in(tmp_path) == ""


def test_an_odd_wish_is_refused(table):
    with pytest.raises(Refusal):
        table.act("sell", {})


def test_programs_of_the_system_are_run_and_what_they_say_is_kept(monkeypatch):
    assert run("companion-that-is-not-there").code == 127
    done = run(Path(sys.executable).name, "-c", "import sys; print('out'); sys.exit('no')")
    assert (done.code, done.out, done.error) == (1, "out\n", "no")
    monkeypatch.setattr(machine_module, "PATIENCE", 0.01)
    assert run(Path(sys.executable).name, "-c", "import threading; threading.Event().wait()").code == 1


def test_a_pi_is_ours_and_a_laptop_is_not(tmp_path):
    (tmp_path / "model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    assert is_ours(tmp_path / "model")
    assert not is_ours(tmp_path / "nothing")


def test_the_zone_is_that_of_the_link(tmp_path):
    (tmp_path / "localtime").symlink_to("/usr/share/zoneinfo/Europe/Paris")
    assert zone_here(tmp_path / "localtime") == "Europe/Paris"
