"""Moves by the broker: off unless the host allows them, and then moves like any other."""

import json

import pytest

TOPIC, ANSWER = "companion/Table 1/command", "companion/Table 1/answer"


@pytest.fixture
def ear_and_table(mosquitto, listening, place):
    broker = mosquitto()

    def make(**settings):
        ear = listening(broker.port, "companion/#")
        table = place(broker.port, **settings)
        table.table.start()
        ear.on("companion/Table 1/event", lambda told: told["event"] == "started")
        return ear, table

    return make


def test_a_move_is_refused_unless_the_host_allows_it(ear_and_table):
    ear, table = ear_and_table()
    before = table.state["version"]
    ear.say(TOPIC, {"do": "pass", "by": "red"})
    assert ear.on(ANSWER)["error"]["code"] == "not_allowed"
    assert table.state["version"] == before


def test_a_move_that_is_allowed_is_played_answered_and_published(ear_and_table):
    ear, table = ear_and_table(allow_commands=True)
    ear.say(TOPIC, {"do": "place", "by": "red", "space": "1:R1a"})
    answer = ear.on(ANSWER)
    assert (answer["do"], answer["version"]) == ("place", table.state["version"])
    assert answer["events"][0]["event"] == "placed"
    assert "1:R1a" in table.state["placed"]
    ear.say(TOPIC, {"do": "place", "by": "red", "space": "1:R1a"})
    assert ear.on(ANSWER)["error"]["clause"] == "R2"


def test_the_button_of_home_assistant_rolls_the_threats(ear_and_table, rng):
    ear, table = ear_and_table(allow_commands=True)
    table.play(rng, lambda state: state["phase"] == "spawn")
    ear.say(TOPIC, '{"do": "spawn"}')
    assert ear.on(ANSWER, lambda told: told.get("do") == "spawn")["events"][0]["event"] == "spawned"


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (b"\xff\xfe", "malformed"),
        (b"[" * 60_000, "malformed"),
        (b'"spawn"', "malformed"),
        (b"{}", "malformed"),
        (b'{"do": "place", "by": "red", "space": NaN}', "malformed"),
        (b'{"do": "resolve", "id": ' + b"9" * 5000 + b"}", "malformed"),
        (b'{"do": "correct", "set": {"levels": {"' + b"9" * 5000 + b'": {}}}}', "malformed"),
        (b'{"do": "undo", "to": ' + b"9" * 400 + b"}", "malformed"),
        (b" " * 70_000, "too_large"),
    ],
    ids=["no text", "deep", "no object", "empty", "no number", "endless number", "endless level", "long", "oversized"],
)
def test_garbage_is_refused_and_changes_nothing(ear_and_table, payload, code):
    ear, table = ear_and_table(allow_commands=True)
    before = table.state["version"]
    ear.say(TOPIC, payload)
    assert ear.on(ANSWER)["error"]["code"] == code
    assert table.state["version"] == before


def test_a_retained_command_is_never_obeyed_and_said_once(mosquitto, listening, place):
    broker = mosquitto()
    ear = listening(broker.port, ANSWER)
    ear.say(TOPIC, {"do": "spawn"}, retain=True)
    ear.say(TOPIC, b"x" * 500_000, retain=True)
    table = place(broker.port, allow_commands=True)
    assert ear.on(ANSWER)["error"]["code"] == "retained"
    for _ in range(2):
        table.publisher._link._client.socket().shutdown(2)
        assert ear.on(ANSWER)["error"]["code"] == "retained"
    assert len([line for line in table.said.lines if "retained" in line]) == 1
    assert table.state["version"] == 0


def test_an_answer_carries_back_what_the_asker_gave(mosquitto, listening, place):
    from paho.mqtt.packettypes import PacketTypes  # noqa: PLC0415
    from paho.mqtt.properties import Properties  # noqa: PLC0415

    broker = mosquitto()
    ear = listening(broker.port, ANSWER)
    place(broker.port).connected()
    mark = Properties(PacketTypes.PUBLISH)
    mark.CorrelationData = b"my own"
    ear.client.publish(TOPIC, "{}", qos=1, properties=mark)
    assert ear.until(lambda _: True).properties.CorrelationData == b"my own"


def test_a_flood_of_commands_is_answered_and_the_table_plays_on(ear_and_table, listening):
    ear, table = ear_and_table(allow_commands=True)
    answers = listening(ear.client.port, ANSWER)
    for number in range(500):
        ear.client.publish(TOPIC, json.dumps({"do": "place", "by": "blue", "space": f"1:{number}"}), qos=1)
    ear.say(TOPIC, b"the last")
    table.table.tap("place", by="red", space="1:R1a")
    ear.on("companion/Table 1/event", lambda told: told["event"] == "placed")
    answers.on(ANSWER, lambda told: "no JSON" in told["error"]["message"])
    codes = [json.loads(one.payload)["error"]["code"] for one in answers.all]
    assert "too_many" in codes
    assert set(codes) <= {"malformed", "too_many", "not_your_turn", "no_such_space"}
