from pathlib import Path

import pytest
from click.testing import CliRunner
from gpiozero.pins.mock import MockFactory

from companion.commands.doctor import doctor
from companion.games.api import Button
from hardware.panel.wiring import GROUNDS, HEADER_OF, LAMPS, PLACES, WiringFaults, as_header, as_table, load

DOC = Path(__file__).parents[2] / "docs" / "hardware.md"


def written(tmp_path, text):
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    return path


def faults_of(tmp_path, text):
    with pytest.raises(WiringFaults) as caught:
        load(written(tmp_path, text))
    return caught.value.faults


def test_the_usual_wiring_has_every_part():
    wiring = load()
    assert list(wiring.buttons) == list(Button)
    assert tuple(wiring.lamps) == LAMPS
    assert wiring.buzzer is not None
    assert len(wiring.lines) == len({line.pin for line in wiring.lines}) == len(Button) + len(LAMPS) + 1


def test_the_header_is_the_header_of_a_pi():
    header = MockFactory().board_info.headers["J8"]
    ours = {f"GPIO{pin}": place for pin, place in HEADER_OF.items()}
    assert {pin.name: place for place, pin in header.pins.items() if pin.name.startswith("GPIO")} == ours
    assert {place for place, pin in header.pins.items() if pin.name == "GND"} == GROUNDS


def test_another_pin_has_another_place(tmp_path):
    wiring = load(written(tmp_path, "[buttons.red]\npin = 12\n[times]\nhold_ms = 1500"))
    assert (wiring.buttons[Button.RED].pin, wiring.buttons[Button.RED].header) == (12, 32)
    assert wiring.buttons[Button.RED].wire == "red"
    assert wiring.times.hold == 1.5


def test_every_pin_can_be_another(tmp_path):
    lines = load().lines
    pins = [line.pin for line in lines]
    moved = dict(zip((line.part for line in lines), pins[1:] + pins[:1], strict=True))
    own = "\n".join(f"[{part}]\npin = {pin}" for part, pin in moved.items())
    assert {line.part: line.pin for line in load(written(tmp_path, own)).lines} == moved


def test_any_part_may_be_missing(tmp_path):
    parts = [line.part for line in load().lines]
    wiring = load(written(tmp_path, "\n".join(f"[{part}]\nabsent = true" for part in parts)))
    assert wiring.lines == []
    assert wiring.buzzer is None
    for part in parts:
        left = load(written(tmp_path, f"[{part}]\nabsent = true")).lines
        assert [line.part for line in left] == [other for other in parts if other != part]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[buttons.red]\npin = 6", "GPIO 6 is used twice: buttons.red, buttons.blue"),
        ("[buttons.red]\npin = 28", "buttons.red.pin: 28 is no BCM pin of the header, expected 0 to 27"),
        ("[buttons.red]\npin = -1", "buttons.red.pin: -1 is no BCM pin of the header, expected 0 to 27"),
        ("[buttons.red]\nheader = 30", "buttons.red.header: GPIO 5 is at place 29 of the header, not 30"),
        ("[buttons.red]\npin = true", "own.toml: buttons.red.pin: expected a number, not True"),
        ("[buttons.red]\npin = 'GPIO5'", "own.toml: buttons.red.pin: expected a number, not 'GPIO5'"),
        ("[buttons.red]\nwire = 3", "own.toml: buttons.red.wire: expected a colour, not 3"),
        ("[buttons.red]\nabsent = 1", "own.toml: buttons.red.absent: expected true or false, not 1"),
        ("[buttons.red]\nbin = 5", "own.toml: buttons.red.bin: unknown, expected pin, header, wire, ohms or absent"),
        (
            "[buttons.pink]\npin = 5",
            "own.toml: buttons.pink: unknown part, expected one of " + ", ".join(Button),
        ),
        (
            "[lamps.mouth]\npin = 5",
            "own.toml: lamps.mouth: unknown part, expected one of red, blue, green, yellow, eye",
        ),
        ("[horn]\npin = 5", "own.toml: horn: unknown, expected one of times, buttons, lamps, buzzer, grounds"),
        ("buttons = 3", "own.toml: buttons: expected a table"),
        ("times = 3", "own.toml: times: expected a table"),
        ("buzzer = 3", "own.toml: buzzer: expected a table"),
        ("[times]\nhold_ms = 0", "own.toml: times.hold_ms: expected milliseconds above nought, not 0"),
        ("[times]\nhold_ms = 10", "times.hold_ms: expected more than settle_ms and glitch_ms together"),
        ("[times]\nnap_ms = 10", "own.toml: times.nap_ms: unknown, expected one of hold_ms, settle_ms, glitch_ms"),
        (
            "[grounds.lamps]\nheader = 13",
            "grounds.lamps.header: place 13 is no ground, expected one of 6, 9, 14, 20, 25, 30, 34, 39",
        ),
        ("[grounds.lamps]\nheader = 39", "header 39 is used twice, for grounds"),
    ],
)
def test_a_fault_is_named(tmp_path, text, expected):
    assert faults_of(tmp_path, text) == [expected]


def test_all_faults_are_told(tmp_path):
    assert len(faults_of(tmp_path, "[buttons.red]\npin = 6\n[lamps.eye]\npin = 99\n[grounds.lamps]\nheader = 1")) == 3


def test_a_file_that_cannot_be_read(tmp_path):
    assert faults_of(tmp_path, "[[")[0].startswith("own.toml: is not TOML")
    path = tmp_path / "own.toml"
    path.write_bytes(b"\xff")
    with pytest.raises(WiringFaults, match="not UTF-8"):
        load(path)
    with pytest.raises(WiringFaults, match="cannot be read: No such file"):
        load(tmp_path / "nothing.toml")


def test_the_header_in_the_docs_is_of_the_table():
    shown = f"```text\n{as_header(load())}\n```\n"
    assert shown in DOC.read_text(encoding="utf-8"), (
        "put the header of `companion doctor --wiring` into docs/hardware.md"
    )


def test_the_header_follows_the_table(tmp_path):
    own = load(written(tmp_path, "[buttons.red]\npin = 12\nwire = 'pink'\n[buzzer]\nabsent = true"))
    rows = as_header(own).splitlines()
    assert len(rows) == PLACES / 2
    assert rows[15].split(maxsplit=4) == ["buttons.blue,", "GPIO", "6,", "blue", "31 # # 32 buttons.red, GPIO 12, pink"]
    assert (rows[14].split(), rows[10].split()) == (["29", ".", ".", "30"], ["21", ".", ".", "22"])


def test_the_table_is_printed():
    lines = as_table(load()).splitlines()
    assert lines[0].split() == ["part", "GPIO", "header", "wire", "resistor"]
    assert [line.split()[1:3] for line in lines[1 : 1 + len(load().lines)]] == [
        [str(one.pin), str(one.header)] for one in load().lines
    ]


def test_the_doctor_prints_it(tmp_path):
    shown = CliRunner().invoke(doctor, ["--wiring"])
    assert (shown.exit_code, shown.output.strip()) == (0, f"{as_table(load())}\n\n{as_header(load())}".strip())
    bad = CliRunner().invoke(doctor, ["--wiring", "--own", str(written(tmp_path, "[horn]"))])
    assert bad.exit_code == 1
    assert bad.stderr.startswith("own.toml: horn: unknown")


FORWARD = {"red": 1.9, "yellow": 2.0, "green": 2.9, "blue": 2.9, "eye": 2.9}
"""Volts that an LED of this colour takes of the pin's 3.3; the eye's is white."""


def test_every_lamp_shines_and_none_asks_more_of_its_pin_than_it_gives():
    lamps = load().lamps
    currents = {name: (3.3 - FORWARD[name]) / line.ohms * 1000 for name, line in lamps.items()}
    assert all(3 <= current <= 8 for current in currents.values()), currents
    assert sum(currents.values()) < 50


def test_the_resistors_are_printed_with_the_wires():
    rows = [line.split() for line in as_table(load()).splitlines()]
    assert rows[0][-1] == "resistor"
    assert {row[0]: row[-2] for row in rows if row[-1] == "ohms"} == {
        f"lamps.{name}": str(line.ohms) for name, line in load().lamps.items()
    }
