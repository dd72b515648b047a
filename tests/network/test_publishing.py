"""Publishing, against a real Mosquitto."""

import json
import socket
import subprocess

import pytest

from companion.network import broker_settings
from companion.network.broker_settings import Broker


def test_the_state_is_retained_and_every_event_comes_in_order(mosquitto, listening, place):
    broker = mosquitto()
    ear = listening(broker.port)
    table = place(broker.port)
    table.connected()
    table.table.start()
    ear.on("companion/Table 1/event", lambda told: told["event"] == "started")
    for space in ("1:R1a", "1:R2a", "1:R3a"):
        table.table.tap("place", by=table.state["turn"], space=space)
        table.table.all_answered()
    ear.the_state_of(table)
    told = [json.loads(one.payload) for one in ear.all if one.topic == "companion/Table 1/event"]
    snapshots = table.table.session.snapshots.all_newer_than(0, 0)
    assert told == [
        {**event, "seq": snapshot.seq, "nth": nth}
        for snapshot in snapshots
        for nth, event in enumerate(snapshot.events_as_json())
    ]
    listening(broker.port, "companion/+/state").the_state_of(table)
    later = listening(broker.port, "companion/+/availability", "companion/+/event")
    assert later.until(lambda one: one.topic.endswith("/availability")).payload == b"online"
    assert not any(one.topic.endswith("/event") for one in later.all)


def test_a_table_that_goes_says_so_and_one_that_dies_is_said_to_be_gone(mosquitto, listening, place):
    broker = mosquitto()
    ear = listening(broker.port, "companion/+/availability")
    table = place(broker.port, "Leaves")
    other = place(broker.port, "Dies")
    for name in ("Leaves", "Dies"):
        ear.until(lambda one, name=name: (one.topic, one.payload) == (f"companion/{name}/availability", b"online"))
        ear = listening(broker.port, "companion/+/availability")
    table.publisher.close()
    assert ear.until(lambda one: one.payload == b"offline").topic == "companion/Leaves/availability"
    other.publisher._link._client.socket().shutdown(2)  # the cable is pulled
    assert ear.until(lambda one: one.payload == b"offline" and not one.retain).topic == "companion/Dies/availability"
    assert ear.until(lambda one: one.payload == b"online").topic == "companion/Dies/availability"


def test_what_happens_while_the_broker_is_away_follows_and_the_game_does_not_wait(mosquitto, listening, place):
    broker = mosquitto()
    table = place(broker.port)
    table.connected()
    table.table.start()
    broker.kill()
    table.connected("failing", "no broker")
    table.table.tap("place", by="red", space="1:R1a")
    table.table.all_answered()
    broker.start()
    ear = listening(broker.port)
    assert ear.on("companion/Table 1/event", lambda told: told["event"] == "placed")["by"] == "red"
    table.connected()
    ear.the_state_of(table)
    assert len([line for line in table.said.lines if "no broker" in line]) == 1


def test_a_broker_that_accepts_and_never_answers_delays_nothing(place):
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        table = place(deaf.getsockname()[1])
        connection, _ = deaf.accept()
        with connection:
            table.table.start()
            table.table.tap("place", by="red", space="1:R1a")
            assert table.state["placed"]
            table.publisher.close()


def test_a_wrong_password_is_said_once_without_the_password(mosquitto, listening, place, tmp_path):
    known = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-c", "-b", known, "table", "right"], check=True)
    known.chmod(0o644)
    broker = mosquitto(f"password_file {known}", anonymous=False)
    wrong = place(broker.port, "Wrong", broker=Broker("127.0.0.1", broker.port, username="table", password="secret-7"))  # noqa: S106
    wrong.connected("failing")
    wrong.table.start()
    right = place(broker.port, "Right", broker=Broker("127.0.0.1", broker.port, username="table", password="right"))  # noqa: S106
    right.connected()
    ear = listening(broker.port, username="table", password="right")  # noqa: S106
    ear.on("companion/Right/state")
    wrong.publisher.close()
    assert [line for line in wrong.said.lines if "password are wrong" in line] == wrong.said.lines[:1] != []
    assert "secret-7" not in "".join(wrong.said.lines) + repr(wrong.publisher._link._broker) + str(wrong.state)


def test_who_is_said_to_be_gone_and_is_not_says_so(mosquitto, listening, place):
    broker = mosquitto()
    place(broker.port).connected()
    ear = listening(broker.port, "companion/+/availability")
    ear.say("companion/Table 1/availability", "offline", retain=True)
    ear.until(lambda one: one.payload == b"offline")
    assert ear.until(lambda one: one.payload == b"online")


def test_two_tables_of_one_name_are_told_to_change_it(mosquitto, place):
    broker = mosquitto()
    first = place(broker.port, "Twin")
    first.connected()
    second = place(broker.port, "Twin")
    first.said.until("a name of its own")
    second.said.until("a name of its own")
    assert len(first.said.lines) == 1


def test_a_broker_that_takes_small_messages_alone_is_said_once_and_kept(mosquitto, listening, place):
    broker = mosquitto("max_packet_size 900")
    table = place(broker.port, discovery="")
    ear = listening(broker.port, "companion/#")
    table.connected()
    table.table.start()
    table.said.until("takes 900 bytes at most")
    ear.on("companion/Table 1/event", lambda told: told["event"] == "started")
    for space in ("1:R1a", "1:R2a", "1:R3a"):  # states of other sizes
        table.table.tap("place", by=table.state["turn"], space=space)
        table.table.all_answered()
        ear.on("companion/Table 1/event", lambda told: told["event"] == "placed")
    assert len(table.said.lines) == 1
    assert table.state["devices"]["broker"]["state"] == "ok"


def test_a_broker_without_leave_to_write_is_said_once(mosquitto, place, tmp_path):
    rights = tmp_path / "acl"
    rights.write_text("topic read #\n", encoding="utf-8")
    rights.chmod(0o644)
    table = place(mosquitto(f"acl_file {rights}").port)
    table.connected()
    table.table.start()
    table.said.until("Not authorized")
    assert len(table.said.lines) == 1


@pytest.mark.parametrize("name", ["Table 1/2", "50% + #1", "$SYS", "Ж́урек", "a" * 64, "%2F"])
def test_any_name_has_topics_of_its_own(mosquitto, listening, place, name):
    broker = mosquitto()
    ear = listening(broker.port)
    place(broker.port, name)
    heard = ear.until(lambda one: one.topic.endswith("/availability"))
    assert broker_settings.table_of(heard.topic) == (name, "availability")
    assert heard.topic.count("/") == 2
    assert not set("+#") & set(heard.topic)


@pytest.mark.parametrize("name", ["", " a", "a\n", "a" * 65, "a\0", "\ud800"])
def test_what_is_no_name(name):
    assert not broker_settings.is_name(name)


@pytest.mark.parametrize(
    "topic", ["companion/a", "other/a/state", "companion/a/b/state", "companion/%zz%/state", "companion/%ff/state", "x"]
)
def test_what_is_no_topic_of_ours(topic):
    assert broker_settings.table_of(topic) is None


def test_names_stay_apart_where_signs_are_not_allowed():
    names = ["Table 1", "Table-1", "Table/1", "Ж", "Щ", "a_b", "a b"]
    nodes = [broker_settings.node(name) for name in names]
    assert len(set(nodes)) == len(names)
    assert all(node.isascii() and node.replace("-", "").replace("_", "").isalnum() for node in nodes)
