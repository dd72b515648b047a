"""Names in the network, on loopback."""

from queue import SimpleQueue

import pytest

from companion.network import mdns
from companion.network.broker_settings import label

LOOPBACK = ["127.0.0.1"]


@pytest.fixture
def announce():
    made = []

    def make(name, address=lambda: "127.0.0.1", **options):
        made.append(mdns.AnnouncedTable(name, 8000, address, **{"interfaces": LOOPBACK, **options}))
        made[-1].start()
        return made[-1]

    yield make
    for one in made:
        one.close()


def found_until(wanted):
    for _ in range(20):
        found = mdns.find(1.2, LOOPBACK)
        if wanted(found):
            return found
    raise AssertionError(found)


def test_a_table_is_found_by_its_name_and_gone_when_it_ends(announce):
    table = announce("Café № 1")
    found = found_until(bool)
    assert [one.as_json() for one in found] == [
        {"name": "Café № 1", "address": "http://127.0.0.1:8000", "host": "http://cafe-no-1.local:8000"}
    ]
    table.close()
    assert mdns.find(1.2, LOOPBACK) == []


def test_two_tables_of_one_name_are_both_found_and_the_second_says_so(announce):
    first, second = SimpleQueue(), SimpleQueue()
    announce("Twin", tell=first.put)
    assert first.get(timeout=20) == ""
    found_until(lambda found: len(found) == 1)
    announce("Twin", tell=second.put)
    hint = second.get(timeout=20)
    found = found_until(lambda found: len(found) == 2)
    assert len({one.name for one in found}) == 2
    assert (hint.code, hint.fields) == ("name_taken", {"name": "Twin", "host": "twin.local"})


def test_what_is_no_table_is_left_out(announce, monkeypatch):
    announce("Printer")
    found_until(bool)
    monkeypatch.setattr(mdns, "MARK", ("app", "another"))
    assert mdns.find(1.2, LOOPBACK) == []


def test_a_table_that_moves_says_where_it_is_now(announce):
    addresses = ["127.0.0.1"]
    announce("Mover", lambda: addresses[-1], every=0.05)
    found_until(bool)
    addresses.append("127.0.0.2")
    found_until(lambda found: [one.address for one in found] == ["http://127.0.0.2:8000"])


def test_without_a_network_nothing_is_said(announce):
    announce("Alone", interfaces=()).close()
    assert mdns.find(0.2, LOOPBACK) == []


def test_a_network_that_does_not_let_us_speak_is_told(announce, monkeypatch, capsys):
    def deaf(_):
        raise OSError(99, "no such interface")

    monkeypatch.setattr(mdns, "_responder", deaf)
    announce("Nowhere").close()
    assert "QR code works all the same" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "plain"), [("Table 1", "table-1"), ("Ж", "table"), ("-a.b-", "a-b"), ("x" * 80, "x" * 63)]
)
def test_a_label_is_letters_digits_and_hyphens(name, plain):
    assert label(name) == plain


def test_a_service_has_a_name_that_fits():
    assert len(mdns._instance("Ж" * 80).encode()) <= 63
    assert mdns._instance("a.b\n") == "a b"
    assert mdns._instance("") == "Table"
