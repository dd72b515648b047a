"""The first start, page by page, as the family's phone and the screen at HDMI show it."""

import pytest
from browsing import SCREEN, Looking, shoot

from companion.app.machine import SystemMachine
from companion.table.ports import Hint
from companion.table.session.intents import DeviceChanged
from tests.bootstrap.pretended_system import System
from web.base.access import FILE


@pytest.fixture
def machine(tmp_path):
    waiting = []
    made = SystemMachine(tmp_path, System(), aside=waiting.append, cards=tmp_path / "none")
    made.open_own_wifi()
    return made


@pytest.fixture
def fresh(make_house, machine):
    house = make_house(machine=machine)
    (house.folder / FILE).unlink()
    return house


@pytest.fixture
def first_look(browser, fresh):
    opened = Looking(browser, fresh.serve())
    yield opened
    opened.close()
    assert opened.wrong == []


def test_a_family_gets_from_the_code_to_its_table_by_thumb_alone(first_look):
    phone = first_look.open("/")
    shoot(phone, "welcome-language")
    phone.click("button[lang=en]")
    phone.wait_for_url("**/welcome/wifi")
    phone.check("input[value=home]")
    phone.fill("input[name=password]", "secret123")
    shoot(phone, "welcome-wifi")
    phone.click("#ask button")
    phone.wait_for_selector("input[name=pin]")
    shoot(phone, "welcome-pin")
    phone.fill("input[name=pin]", "271828")
    phone.click("#ask button")
    phone.wait_for_selector("text=home")
    shoot(phone, "welcome-done")
    assert "raspberrypi.local" in phone.content()


def test_the_screen_at_hdmi_leads_there_and_says_why_a_wifi_was_not_joined(first_look, fresh):
    screen = first_look.open("/table", size=SCREEN)
    assert screen.locator("#ways svg").count() == 1, "the Wi-Fi's; to a page on loopback no code leads"
    shoot(screen, "welcome-screen")
    told = Hint("wifi_password", "The password of {ssid} is wrong: the network before is back.", ssid="home")
    fresh.session.ask(DeviceChanged("wifi", "failing", told)).result(20)
    screen.reload()
    assert screen.inner_text("body").count("The password of home is wrong") == 1
    shoot(screen, "welcome-screen-password")
