from companion.bootstrap.config import Config
from companion.bootstrap.neighbours import Place, neighbours
from companion.network.mdns import Announced
from companion.network.publisher import Publisher
from companion.network.settings import Broker, Mqtt
from tests.table.at_the_table import Table

HERE = Place("Kitchen", 8000, "http://192.0.2.7:8000", lambda: "192.0.2.7")


def test_a_table_says_its_name_unless_it_is_told_not_to(tmp_path):
    table = Table(tmp_path)
    assert [type(one) for one in neighbours(Config(), table.session, tmp_path, HERE)] == [Announced]
    assert neighbours(Config(announce=False), table.session, tmp_path, HERE) == []
    table.close()


def test_a_broker_hears_the_tables_name_unless_it_is_given_another(tmp_path):
    table = Table(tmp_path)
    for given, name in (("", "Kitchen"), ("Table 1", "Table 1")):
        config = Config(announce=False, mqtt=Mqtt(Broker("127.0.0.1", 1), given))
        (publisher,) = neighbours(config, table.session, tmp_path, HERE)
        assert isinstance(publisher, Publisher)
        assert publisher._settings.table == name
        assert list(publisher._past()) == []
    long = Place("x" * 80 + "\n", 1, "", lambda: "")
    (publisher,) = neighbours(
        Config(announce=False, mqtt=Mqtt(Broker("127.0.0.1", 1), "")), table.session, tmp_path, long
    )
    assert publisher._settings.table == "x" * 64
    table.close()
