"""Every setting in the documents is one that its reader takes, and every one that a reader knows is described."""

import re
from dataclasses import fields

import pytest

from calibration.guide import NAMES
from companion.app.config import PORT, TABLES, DeviceKind
from companion.bots.policy.characters import CHARACTERS
from companion.cards.evenings.house_calls import FOLDER, KINDS, house_calls
from companion.games.api import Button
from companion.languages.catalogues import codes
from companion.pieces.sheets.all_pieces import SHEETS
from companion.pieces.sheets.wasteland_pieces import SHEETS as WASTELAND
from companion.table.session.settings import EXPECTED, FILE, LONGEST_REST, WAYS, Settings
from hardware.cameras.camera_settings import CameraSettings

from .pages import OF_TODAY, section, spans, tables
from .settings import (
    blocks_of_settings,
    config_faults,
    keys_in,
    known,
    overlay_faults,
    panel_faults,
    settings_faults,
    told_in_sentences,
)

TEXTS = {page.name: page.read_text(encoding="utf-8") for page in OF_TODAY}
TABLE, HARDWARE, MQTT = TEXTS["table.md"], TEXTS["hardware.md"], TEXTS["mqtt.md"]
CARDS = ("packs.md", "wasteland-cards.md")
OF_CONFIGURATION = [name for name, text in TEXTS.items() if "`companion.toml`" in text and name not in CARDS]
KEYS = {(table, key) for table in TABLES for key in known(table)}


def first_cells(text):
    """What a text's first table has in its first column."""
    return {name for row in tables(text)[0][1:] for name in re.findall(r"`([^`]+)`", row[0])}


@pytest.mark.parametrize("name", OF_CONFIGURATION)
def test_what_is_to_be_written_into_the_configuration_is_taken(name):
    assert settings_faults(TEXTS[name]) == []


def test_every_block_of_toml_belongs_to_a_reader():
    with_blocks = {name for name, text in TEXTS.items() if list(blocks_of_settings(text))}
    assert (
        {"mqtt.md", "home-assistant.md", "league.md", "packs.md"}
        <= with_blocks
        <= {*OF_CONFIGURATION, *CARDS, "languages.md", "evenings.md"}
    )


def test_the_corrections_of_cards_are_taken():
    overlays = [text for text in blocks_of_settings(TEXTS["packs.md"]) if text.startswith("[cards.")]
    assert overlays
    assert [fault for text in overlays for fault in overlay_faults(text)] == []


def test_the_house_calls_of_an_owner_are_taken_and_every_effect_is_described(tmp_path):
    (tmp_path / FOLDER).mkdir()
    for number, text in enumerate(blocks_of_settings(TEXTS["evenings.md"])):
        (tmp_path / FOLDER / f"{number}.toml").write_text(text, encoding="utf-8")
    assert len(house_calls(tmp_path)) > len(house_calls())
    assert first_cells(section(TEXTS["evenings.md"], "House calls")) == set(KINDS)


def test_the_table_of_the_configuration_is_the_readers():
    (rows,) = (rows[1:] for rows in tables(section(TABLE, "The configuration")) if rows[0][1] == "key")
    told = keys_in(rows)
    others = {("mqtt", key) for key in known("mqtt")}
    assert told - others == KEYS - others
    assert told & others == {("mqtt", "url")}
    said = {row[1].strip("`"): set(re.findall(r"`(\w+)`", row[2])) for row in rows}
    assert said["kind"] == set(DeviceKind)
    assert said["language"] == set(codes())
    assert str(PORT) in next(row[2] for row in rows if row[1] == "`port`")


def test_every_key_of_the_broker_is_shown_and_no_other():
    (block,) = blocks_of_settings(MQTT)
    assert set(re.findall(r"(\w+) = ", block)) == known("mqtt")


def test_every_setting_of_the_host_is_described():
    (rows,) = (rows[1:] for rows in tables(section(TABLE, "Two ways of playing")))
    names = [field.name for field in fields(Settings)]
    assert [name for row in rows for name in re.findall(r"`(\w+)`", row[0])] == names == list(EXPECTED)
    assert f"0 to {LONGEST_REST:g}; {Settings().rest:g}" in next(row[1] for row in rows if row[0] == "`rest`")
    prose = spans(section(TABLE, "Two ways of playing"))
    assert set(prose) <= {*names, *WAYS, *codes(), FILE, "false", "true"}


def test_the_panel_is_wired_as_described():
    panel = section(HARDWARE, "The panel")
    assert list(told_in_sentences(panel))
    assert panel_faults(panel) == []
    assert first_cells(panel) == set(Button)


def test_what_a_profile_says_to_a_camera_is_described():
    names = {field.name for field in fields(CameraSettings)} - {"format", "mains", "sized"}
    assert names - set(spans(section(HARDWARE, "Cameras"))) == set()


@pytest.mark.parametrize(
    ("told", "there"),
    [
        ({row[0].strip("`") for row in tables(TEXTS["printing.md"])[0][1:]}, WASTELAND),
        ({row[0].strip("`") for row in tables(TEXTS["printing.md"])[1][1:]}, SHEETS),
        (first_cells(section(TEXTS["bots.md"], "Characters")), CHARACTERS),
        ({row[0] for row in tables(TEXTS["calibration.md"])[0][1:]}, NAMES),
    ],
    ids=["sheets of the wasteland", "sheets", "characters", "steps"],
)
def test_a_table_of_choices_has_all_of_them(told, there):
    assert told - {"--what"} == set(there)


@pytest.mark.parametrize(
    "text",
    [
        '```toml\n[mqtt]\nurl = "mqtt://x"\nuser_name = "table"\n```\n',
        '   ```toml\n   [mqqt]\n   url = "mqtt://x"\n   ```\n',
        '```toml\n[mqtt]\nurl = "http://x"\n```\n',
        '```toml\n[table]\nlanguage = "english"\n```\n',
        'Say\n\n    [table]\n    nam = "Table 1"\n',
        "Say `[table] anounce = false`.",
        "Say `[tabel] announce = false`.",
        "Say `[camera] number = 99`.",
        "Say `alow_commands = true`.",
        "Say `allow_commands = yes`.",
    ],
)
def test_a_lie_is_found(text):
    assert settings_faults(text)


def test_other_lies_are_found():
    assert panel_faults("`[buttons.red]` with `pinn = 12`")
    assert panel_faults("`[button.red]` with `pin = 12`")
    assert panel_faults("`[buttons.red]` with `pin = 16`")  # somebody else's
    assert overlay_faults('[cards.garden]\nlefd = "free -> 3F (letter L)"\n')
    assert overlay_faults('[cards.gardener]\nleft = "free -> 3F (letter L)"\n')
    assert keys_in([["`[voice]`", "`no`", ""]]) - KEYS
    assert KEYS - keys_in([["`[table]`", "`name`", ""], ["", "`port`", ""]])


def test_the_truth_is_not():
    assert (
        settings_faults("Say `[table] announce = false` or `allow_commands = true`, in `[mqtt]`, `[table] name`.") == []
    )
    assert config_faults("[voice]\non = false\n") == []
    assert panel_faults("`[buttons.red]` with `pin = 12`, `absent = true`; `[times]`") == []
    assert overlay_faults('[cards.garden]\nleft = "free -> 3F (letter L)"\nconfirmed = true\n') == []
    assert ("table", "port") in keys_in([["`[table]`", "`name`", ""], ["", "`port`", ""]])
