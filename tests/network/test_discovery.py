"""What Home Assistant is told, read the way it reads it: its templates are Jinja's, in a sandbox."""

import json
import re
from pathlib import Path

import pytest
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from companion.games.shelter import events as shelter_events
from companion.games.shelter.words import PHASES
from companion.network import discovery
from companion.network.broker_settings import Broker, Mqtt
from companion.table.session import events as table_events
from tests.table import in_the_wasteland
from web.league.app import create_app

ROOT = Path(__file__).parents[2]
SETTINGS = Mqtt(Broker("broker"), "Kitchen", allow_commands=True)


def entities(settings=SETTINGS):
    return {topic.split("/")[3]: json.loads(text) for topic, text in discovery.messages(settings).items() if text}


def rendered(template, value):
    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
    return environment.from_string(template).render(value_json=value).strip()


def test_every_entity_reads_its_value_out_of_any_state(mosquitto, listening, place, rng):
    broker = mosquitto()
    ear = listening(broker.port)
    table = place(broker.port, "Kitchen", allow_commands=True)
    table.connected()
    table.table.start()
    table.play(rng, lambda state: state["round"] == 3 and state["phase"] == "spawn")
    table.play_to_the_end(rng)
    ear.the_state_of(table)
    told = {one.topic: json.loads(one.payload) for one in ear.all if one.topic.startswith("homeassistant/")}
    assert {topic.split("/")[1] for topic in told} == {"sensor", "event", "button"}
    assert len({one["unique_id"] for one in told.values()}) == len(told) == 10
    states = [json.loads(one.payload) for one in ear.all if one.topic == "companion/Kitchen/state"]
    for entity in told.values():
        if entity.get("state_topic") == "companion/Kitchen/state":
            for state in states:
                check(entity, state)
    for one in ear.all:
        if one.topic == "companion/Kitchen/event":
            check_event(told["homeassistant/event/companion_Kitchen/last_event/config"], json.loads(one.payload))


def test_the_second_game_has_its_values_too(mosquitto, listening, place, league):
    broker = mosquitto()
    ear, shown = listening(broker.port), league(broker.port)
    table = place(broker.port, "Kitchen")
    table.connected()
    in_the_wasteland.begin(table.table)
    ear.the_state_of(table)
    for one in entities().values():
        if one.get("state_topic") == "companion/Kitchen/state":
            check(one, json.loads(table.snapshots.latest.text))
    picture = shown.until(lambda picture: any(one["state"] and one["state"]["players"] for one in picture["tables"]))
    assert picture["tables"][0]["state"]["game"] == "wasteland"
    assert picture["faults"] == shown.said.lines == []
    page = create_app(shown.league.snapshots).test_client().get("/", headers={"Accept-Language": "pl"})
    assert page.status_code == 200
    assert "Kitchen" in page.text


def check(entity, state):
    available = [
        rendered(one["value_template"], state) == "online" for one in entity["availability"] if "value_template" in one
    ]
    if all(available):
        value = rendered(entity["value_template"], state)
        assert value in entity["options"] if "options" in entity else int(value) >= 0


def check_event(entity, event):
    told = json.loads(rendered(entity["value_template"], event))
    assert told == {**event, "event_type": event["event"]}
    assert told["event_type"] in entity["event_types"]


def test_a_colour_that_does_not_play_is_not_available():
    green = entities()["happiness_green"]
    state = {"players": {"red": {"happiness": 3}}}
    assert [rendered(one["value_template"], state) for one in green["availability"][1:]] == ["offline"]
    red = entities()["happiness_red"]
    assert rendered(red["value_template"], state) == "3"
    assert json.loads(rendered(red["json_attributes_template"], state)) == {"happiness": 3}


def test_the_button_is_there_where_commands_are_allowed_and_works_in_the_spawn_step():
    button = entities()["threats"]
    assert json.loads(button["payload_press"]) == {"do": "spawn"}
    shown = button["availability"][1]["value_template"]
    assert {phase for phase in PHASES if rendered(shown, {"phase": phase}) == "online"} == {"spawn"}
    off = Mqtt(Broker("broker"), "Kitchen")
    assert "threats" not in entities(off)
    assert discovery.messages(off)["homeassistant/button/companion_Kitchen/threats/config"] == ""
    assert discovery.messages(Mqtt(Broker("broker"), "Kitchen", discovery="")) == {}


def test_no_event_that_a_table_tells_is_missing():
    told = {*table_events.NAMES.values(), *shelter_events.NAMES.values()}
    assert "bot_left" in told
    assert told <= set(entities()["last_event"]["event_types"])
    assert rendered(entities()["last_event"]["value_template"], {"event": "unheard"}).count("other") == 1


def test_a_table_is_one_device_with_the_address_of_its_pages():
    texts = discovery.messages(SETTINGS, "http://192.0.2.7:8000").values()
    devices = [json.loads(text)["device"] for text in texts]
    assert {json.dumps(device) for device in devices} == {json.dumps(devices[0])}
    assert devices[0]["configuration_url"] == "http://192.0.2.7:8000"


@pytest.mark.parametrize("name", ["Küche", "Table 1/2", "$"])
def test_any_name_makes_topics_that_home_assistant_takes(name):
    for topic in discovery.messages(Mqtt(Broker("broker"), name)):
        assert re.fullmatch(r"homeassistant/\w+/[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+/config", topic)
