"""What docs/record.md says is what the code does."""

import re
from pathlib import Path
from typing import get_args

from companion.table.record import verify
from companion.table.record.data_folder import NAME, VARIABLE
from companion.table.record.entries import EntryKind
from tests.docs.pages import spans, tables

ROOT = Path(__file__).parent.parent.parent
TEXT = (ROOT / "docs" / "record.md").read_text(encoding="utf-8")


def section(title):
    return TEXT.split(f"## {title}\n")[1].split("\n## ")[0]


def first_cells(text):
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([\w-]+)`", row.split("|")[1])}


def test_every_kind_of_entry_is_described():
    assert first_cells(section("An entry")) == set(get_args(EntryKind))


def test_every_kind_of_damage_is_described():
    source = Path(verify.__file__).read_text(encoding="utf-8")
    assert first_cells(section("How damage is reported")) == set(re.findall(r'Damage\([\w.]+, "(\w+)"', source))


NOT_ALWAYS = ("coach", "photo", "dice")


def test_the_folder_is_the_one_described():
    assert VARIABLE in TEXT
    assert NAME in TEXT
    assert verify.DATABASE in TEXT
    assert verify.JOURNAL in TEXT


def test_what_the_state_has_besides_the_contract_is_described(table):
    text = (ROOT / "docs" / "table.md").read_text(encoding="utf-8").split("besides the contract")[1]
    table.start()
    state = table.state
    for name in re.findall(r"`table\.(\w+)`", text):
        assert name in state["table"] or name in NOT_ALWAYS
    roots = {re.split(r"\W", name)[0] for row in tables(text.split("\n## ")[0])[0][1:] for name in spans(row[0])} - {""}
    assert roots - {*state, *state["table"]} == set()
    for name in ("devices", "record"):
        assert f"| `{name}` |" in text
        assert name in state
