"""The examples in the documents work; of links, commands and settings see tests/docs."""

import doctest
import json
import re
from pathlib import Path

from companion.cards.notation import parse_cost, parse_space
from companion.games.shelter.turn.choices import OPTIONS
from companion.seeded_chance import SeededLuck

from .games.scenarios import run
from .games.shelter.play import box

ROOT = Path(__file__).parent.parent


def test_the_python_of_the_readme_runs():
    ran = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert ran.attempted > 5
    assert ran.failed == 0


def test_the_readme_is_short_and_begins_with_what_matters():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 120
    assert any("if it dies, the box plays on" in line for line in lines[:10])


def test_the_example_of_a_scenario_is_green():
    found = re.findall(r"```json\n(.*?)```", (ROOT / "docs/scenarios.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found
    for text in found:
        raw = json.loads(text)
        assert run(raw, box(), SeededLuck(raw["seed"])) == []


def test_every_kind_of_choice_is_described():
    text = (ROOT / "docs/scenarios.md").read_text(encoding="utf-8")
    assert [kind for kind in OPTIONS if f"`{kind}`" not in text] == []


def test_every_icon_that_is_described_can_be_read():
    text = (ROOT / "docs/packs.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| `")]
    assert rows
    for _, icons, cost, reward, *_ in rows:
        for icon in re.findall(r"`([^`]+)`", icons):
            if cost.strip() and icon not in ("free", "nothing"):
                build = "build" if icon == "pay-room" else "1H"
                assert parse_space(f"{icon} -> {build}").cost or parse_space(f"{icon} -> {build}").fight
            if reward.strip() and icon not in ("free", "nothing"):
                assert parse_space(f"free -> {icon}").reward
    assert parse_cost("2F 3E")


def test_the_example_of_a_card_is_the_card():
    text = (ROOT / "docs/packs.md").read_text(encoding="utf-8")
    example = re.search(r"```toml\n(\[\[room\]\].*?)```", text, re.DOTALL)
    assert example
    assert example[1] in (ROOT / "companion/cards/packs/standard/rooms.toml").read_text(encoding="utf-8")


def test_dependencies_are_argued_for():
    text = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
    reasons = {}
    for line in text.splitlines():
        if line.startswith("| [") and " why " not in line:
            names, why = line.strip("| ").split(" | ", 1)
            reasons |= dict.fromkeys(re.findall(r"\[([\w-]+)\]\(http", names), why)
    wanted = [
        (ROOT / f"requirements{kind}.in").read_text(encoding="utf-8").splitlines() for kind in ("", "-compile", "-dev")
    ]
    assert [one for lines in wanted for one in lines if not one.startswith("-r") and not reasons.get(one)] == []
    assert set(reasons) == {one for lines in wanted for one in lines if not one.startswith("-r")}


def test_what_a_table_costs_is_the_sum_of_its_parts():
    parts = (ROOT / "docs/build.md").read_text(encoding="utf-8").split("## The arm")[0]
    prices = re.findall(r"\| (?:(\d+) to )?(\d+) EUR \|$", parts, re.MULTILINE)
    least, most = (sum(int(low or high) for low, high in prices), sum(int(high) for _, high in prices))
    told = re.search(r"about (\d+) to (\d+) EUR", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert [int(figure) for figure in told.groups()] == [round(least, -1), round(most, -1)]
