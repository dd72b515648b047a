from at_the_door import BEARER

from companion.app.doctor import machine_checks
from companion.table.ports import fail, note, ok
from companion.table.record.data_folder import mark

FOUND = (ok("python", version="3.13"), note("voice", "missing"), fail("disk", "full", needed=True, free=3, folder="x"))


def test_the_doctors_page_is_the_hosts(make_house):
    house = make_house(doctor=lambda _: FOUND)
    assert house.client().get("/host/doctor").status_code == 303


def test_the_doctor_tells_how_everything_is_in_the_phones_language(make_house):
    asked = []
    house = make_house(doctor=lambda running: asked.append(running) or FOUND)
    page = house.client().get("/host/doctor", headers=BEARER | {"Accept-Language": "pl"}).text
    assert [one.parts for one in asked] == [{"session": "ok", "journal": "ok", "camera": "off", "panel": "off"}]
    assert "Python 3.13" in page
    assert "apt install espeak-ng" in page
    assert page.count("<li class=") == 3
    assert "nie działa" in page


def test_without_a_doctor_there_is_nothing_to_tell(house):
    assert house.client().get("/host/doctor", headers=BEARER).status_code == 200


def test_a_companion_is_asked_whose_it_is_and_how(make_house):
    house = make_house()
    number = int(house.serve().rpartition(":")[2])
    whose, running = machine_checks.answering(number)
    assert whose == mark(house.folder)
    assert running.parts["session"] == "ok"
    assert running.devices == house.state["devices"]
    check, _ = machine_checks.port(number, house.folder / "elsewhere")
    assert check.code == "port_another"
