import pytest

from companion.network.link import NOT_LET_IN
from companion.table.session.intents import DeviceChanged
from tests.web.at_the_door import BEARER, House


@pytest.fixture
def house(tmp_path):
    made = House(tmp_path)
    yield made
    made.close()


def test_the_host_page_says_whether_the_broker_is_there(house):
    def shown():
        return house.client().get("/host", headers={**BEARER, "Accept-Language": "en"}).text

    assert "Broker" not in shown()
    house.session.ask(DeviceChanged("broker", "failing", "no broker at mqtt://x & y")).result(20)
    assert "no broker at mqtt://x &amp; y" in shown()
    house.session.ask(DeviceChanged("broker", "ok")).result(20)
    assert "The broker is told what happens here." in shown()


def test_what_stands_in_the_way_is_said_in_the_language_of_the_page(house):
    house.session.ask(DeviceChanged("broker", "failing", NOT_LET_IN)).result(20)
    for language, words in (("en", "does not let us in"), ("pl", "broker nas nie wpuszcza"), ("ru", "не впускает")):
        assert words in house.client().get("/host", headers={**BEARER, "Accept-Language": language}).text
