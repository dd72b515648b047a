"""A Wi-Fi of the table's own, opened by itself: when, when not, and when it gives way."""

import pytest

from companion.app.machine import HOTSPOT, SystemMachine
from companion.app.own_wifi import AGAIN, ALONE, PATIENT, OwnWifiWatch, links, somebody_is_in_it

from .pretended_system import System

HEAD = "IP address       HW type     Flags       HW address            Mask     Device\n"
PHONE = HEAD + "10.42.0.57       0x1         0x2         02:00:00:00:01:00     *        wlan0\n"
GONE = PHONE.replace("0x2", "0x0")


class Watched:
    """The watch with a clock of its own, looking when it is told to."""

    def __init__(self, folder):
        self.system, self.now, self.said = System(), 1000.0, []
        self.system.active, self.system.connections = "", {}
        self.machine = SystemMachine(folder, self.system, aside=lambda work: work())
        self.neighbours = folder / "arp"
        self.watch = OwnWifiWatch(
            self.said.append, self.machine, self.system, clock=lambda: self.now, neighbours=self.neighbours
        )

    def looks(self, after=0.0):
        self.now += after
        self.watch._look()
        return self.system.active


@pytest.fixture
def table(tmp_path):
    return Watched(tmp_path)


def test_without_a_network_it_is_opened_after_a_while(table):
    assert table.looks() == table.looks(ALONE - 1) == ""
    assert table.looks(1) == HOTSPOT
    ssid, password = table.machine.own_wifi
    assert (ssid, len(password)) == ("raspberrypi", 8)


def test_its_password_stays(table):
    table.looks()
    table.looks(ALONE)
    again = SystemMachine(table.neighbours.parent, table.system)
    again.open_own_wifi()
    assert again.own_wifi == table.machine.own_wifi


def test_a_table_that_knows_a_wifi_is_patient(table):
    table.system.connections["home"] = "wifi"
    table.looks()
    assert table.looks(ALONE) == ""
    assert table.looks(PATIENT) == HOTSPOT


@pytest.mark.parametrize("way", ["cable", "wifi"])
def test_with_a_network_none_is_opened_and_a_loose_cable_counts_from_then(table, way):
    table.looks()
    if way == "cable":
        table.system.has_cable = True
    else:
        table.system.active = "home"
    assert table.looks(ALONE) != HOTSPOT
    table.system.has_cable, table.system.active = False, ""
    assert table.looks(PATIENT) == "", "the wait begins when the network is gone"
    assert table.looks(PATIENT) == HOTSPOT


def test_one_that_is_open_after_a_start_is_known_again(table):
    table.system.active = HOTSPOT
    table.looks()
    assert table.machine.own_wifi is not None


def test_it_gives_way_to_known_ones_when_nobody_is_in_it(table):
    table.system.connections["home"] = "wifi"
    table.looks()
    table.looks(PATIENT)
    table.neighbours.write_text(PHONE)
    table.looks()
    assert table.looks(AGAIN) == HOTSPOT
    table.neighbours.write_text(GONE)
    assert table.looks(AGAIN - 1) == HOTSPOT
    assert table.looks(1) == ""
    assert table.machine.own_wifi is None


def test_with_nothing_to_give_way_to_it_stays(table):
    table.looks()
    table.looks(ALONE)
    table.looks()
    assert table.looks(2 * AGAIN) == HOTSPOT


def test_a_second_table_of_that_name_gets_another_wifi(table):
    table.system.air["raspberrypi"] = ("anothers", 50)
    table.looks()
    table.looks(ALONE)
    assert table.machine.own_wifi[0].startswith("raspberrypi-")


def test_a_wrong_password_is_told_where_the_phone_comes_back_to(table):
    table.looks()
    table.looks(ALONE)
    table.machine.act("wifi", {"ssid": "home", "password": "wrong1234"})
    assert table.looks() == HOTSPOT
    assert table.said[-1].hint.code == "wifi_password"
    table.machine.act("wifi", {"ssid": "home", "password": "secret123"})
    table.looks()
    assert (table.system.active, table.machine.own_wifi, table.said[-1].hint) == ("home", None, "")


def test_what_was_in_reach_is_remembered_while_its_own_is_open(table):
    table.looks()
    table.looks(ALONE)
    del table.system.air["home"]
    assert "home" in [one["ssid"] for one in table.machine.view()["networks"]]


@pytest.mark.parametrize("missing", ["radio", "right"])
def test_where_none_can_be_opened_a_line_says_what_to_do(table, missing):
    if missing == "radio":
        table.system.has_radio = False
    else:
        table.system.may = False
    table.looks()
    table.looks(ALONE)
    assert table.said[-1].hint.code == "wifi_no_way"
    assert "plug in a network cable" in table.said[-1].hint


def test_without_networkmanager_nothing_is_done(table):
    table.system.has_wifi = False
    assert links(table.system) is None
    table.looks()
    table.looks(2 * AGAIN)
    assert table.said == []


def test_neighbours_that_cannot_be_read_are_nobody(tmp_path):
    assert not somebody_is_in_it(tmp_path / "none")
    (tmp_path / "odd").write_text("head\nodd\n")
    assert not somebody_is_in_it(tmp_path / "odd")


def test_it_ends_when_the_table_does(table):
    table.watch.start()
    table.watch.close()
