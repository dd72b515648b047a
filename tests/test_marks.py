"""Which marks a test gets from what it uses, and what every test keeps to."""

import json
import subprocess
import sys

import pytest
from hypothesis import settings

COLLECT = """
import json, sys, pytest
class Marks:
    def pytest_collection_finish(self, session):
        found = {one.nodeid.partition("[")[0]: [mark.name for mark in one.iter_markers()] for one in session.items}
        print("marks", json.dumps(found))
sys.exit(pytest.main(["--collect-only", "-qq", *sys.argv[1:]], plugins=[Marks()]))
"""
KINDS = {"browser", "broker", "vision", "process", "long", "no_cover"}


@pytest.fixture(scope="module")
def marks():
    """The marks of some tests, by their names."""
    files = (
        "games/shelter/test_odd_cards.py",
        "games/shelter/test_laws.py",
        "table/test_bots.py",
        "table/test_plug.py",
        "table/test_pure.py",
        "network/test_link.py",
        "hardware/tabletop/test_reading.py",
        "vision/test_merge.py",
        "web/test_pages.py",
        "web/test_browser.py",
    )
    asked = [sys.executable, "-c", COLLECT, *(f"tests/{file}" for file in files)]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    found = json.loads(next(line for line in told.splitlines() if line.startswith("marks ")).removeprefix("marks "))
    by_file = {}
    for test, names in found.items():
        by_file.setdefault(test.partition("::")[0].removeprefix("tests/"), []).append(KINDS & set(names))
    return by_file


@pytest.mark.parametrize("file", ["games/shelter/test_odd_cards.py", "table/test_pure.py", "web/test_pages.py"])
def test_what_needs_python_alone_has_no_mark(marks, file):
    assert set().union(*marks[file]) == set()


@pytest.mark.parametrize(
    ("file", "mark"),
    [
        ("table/test_plug.py", "process"),  # by a helper that starts processes
        ("table/test_bots.py", "process"),  # by a fixture
        ("hardware/tabletop/test_reading.py", "vision"),  # by what its fixtures import
        ("vision/test_merge.py", "vision"),  # by its folder
        ("web/test_browser.py", "browser"),
        ("network/test_link.py", "broker"),
    ],
)
def test_what_needs_more_is_marked(marks, file, mark):
    assert any(mark in one for one in marks[file])


def test_what_goes_over_the_same_ground_is_not_traced(marks):
    assert {"long", "no_cover"} in marks["games/shelter/test_laws.py"]
    assert {"browser", "no_cover"} in marks["web/test_browser.py"]
    assert all(bool({"long", "browser"} & one) == ("no_cover" in one) for file in marks.values() for one in file)


def test_no_property_has_a_deadline():
    assert settings().deadline is None
