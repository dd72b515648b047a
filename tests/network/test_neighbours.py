import pytest

from companion.app.config import Config
from companion.app.network_services import PageAddress, network_services
from companion.network.broker_settings import Broker, Mqtt
from companion.network.mdns import AnnouncedTable
from companion.network.publisher import Publisher
from tests.table.at_the_table import Table

HERE = PageAddress("Kitchen", 8000, lambda: "127.0.0.1")
LONG = PageAddress("x" * 80 + "\n", 1, lambda: "127.0.0.1")


@pytest.fixture
def table(tmp_path):
    made = Table(tmp_path)
    yield made
    made.close()


@pytest.fixture
def around(table):
    """The parts that were made, running."""
    running = []

    def make(config, place=HERE):
        for part in network_services(config, table.session, table.folder, place):
            part.start()
            running.append(part)
        return [part.part for part in running]

    yield make
    for part in running:
        part.close()


def test_a_table_says_its_name(around):
    assert [type(part) for part in around(Config())] == [AnnouncedTable]


def test_a_table_is_silent_if_it_is_told_to_be(around):
    assert around(Config(announce=False)) == []


@pytest.mark.parametrize(
    ("given", "place", "name"), [("", HERE, "Kitchen"), ("Table 1", HERE, "Table 1"), ("", LONG, "x" * 64)]
)
def test_a_broker_hears_the_tables_name_unless_it_is_given_another(around, given, place, name):
    (publisher,) = around(Config(announce=False, mqtt=Mqtt(Broker("127.0.0.1", 1), given)), place)
    assert isinstance(publisher, Publisher)
    assert publisher._settings.table == name
    assert list(publisher._past()) == []


def test_what_never_started_ends_all_the_same(table):
    for part in network_services(Config(), table.session, table.folder, HERE):
        part.close()


@pytest.mark.parametrize(("port", "told"), [(80, "http://192.0.2.8"), (8000, "http://192.0.2.8:8000")])
def test_the_address_is_that_of_now(port, told):
    at = ["127.0.0.1"]
    place = PageAddress("Kitchen", port, lambda: at[0])
    at[0] = "192.0.2.8"
    assert place.address() == told
