import pytest

from companion.app.config import ConfigFaults, load
from companion.network.broker_settings import Broker, Mqtt, SettingsError, broker


@pytest.fixture
def mqtt(tmp_path):
    def read(text):
        file = tmp_path / "companion.toml"
        file.write_text(f"[mqtt]\n{text}", encoding="utf-8")
        return load(file).mqtt

    return read


def test_an_address_is_enough(mqtt):
    assert mqtt('url = "mqtt://broker.local"') == Mqtt(Broker("broker.local"), "")


def test_everything_can_be_said(mqtt, tmp_path):
    (tmp_path / "secret").write_text("pass word\n", encoding="utf-8")
    text = """url = "mqtts://pi@192.0.2.2"
table = "Table 1"
password_file = "secret"
allow_commands = true
discovery = "ha/"
"""
    assert mqtt(text) == Mqtt(Broker("192.0.2.2", 8883, True, "pi", "pass word"), "Table 1", True, "ha")


def test_what_is_said_beside_the_address_counts():
    both = broker("mqtt://a%40b:c%2Fd@[::1]:1884", username="e")
    assert (both.host, both.port, both.username, both.password) == ("::1", 1884, "e", "c/d")


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", [":1: [mqtt]: found no url"]),
        ("url = 1", [":2: [mqtt]: found url = something else"]),
        ('url = "mqtt://x"\nhost = "y"', [":3: [mqtt]: found an unknown key host"]),
        ('url = "mqtt://x"\nallow_commands = "yes"', [":3: [mqtt]: found allow_commands"]),
        ('url = "mqtt://x:port"', [":1: [mqtt]: found a url that is no address"]),
        ('url = "http://u:secret@x/y"', [":1: [mqtt]: found a url that is no broker's"]),
        ('url = "mqtt://u:secret@x\\n"', [":2: [mqtt]: found url = something else"]),
        (
            'url = "mqtt://x"\ntable = "a\\n"\ndiscovery = "+"',
            [":3: [mqtt]: found table", ":4: [mqtt]: found discovery"],
        ),
        ('url = "mqtt://x"\npassword = ["secret"]', [":3: [mqtt]: found password = something else"]),
        ('url = "mqtts://x"\npassword_file = "none"\nca = "none"', ["password_file none that", "a ca none that"]),
    ],
)
def test_every_fault_is_told_with_its_line_and_without_a_secret(mqtt, text, faults):
    with pytest.raises(ConfigFaults) as told:
        mqtt(text)
    lines = list(map(str, told.value.faults))
    assert len(lines) == len(faults)
    for line, fault in zip(lines, faults, strict=True):
        assert fault in line
    assert "secret" not in str(told.value)


def test_a_certificate_is_for_an_encrypted_broker_and_must_be_one(tmp_path):
    paper = tmp_path / "ca.pem"
    paper.write_text("no certificate", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"cannot be used.*not encrypted"):
        broker("mqtt://x", ca=paper)
    paper.write_bytes(b"\xff")
    with pytest.raises(SettingsError, match="it is no text"):
        broker("mqtt://x", password_file=paper)


def test_a_password_never_shows():
    shown = Mqtt(broker("mqtt://u:secret@x"), "kitchen")
    assert "secret" not in repr(shown) + str(shown.broker)
