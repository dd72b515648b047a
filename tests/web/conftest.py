import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from at_the_door import House
from browsing import CHROMIUM, FLAGS, Looking
from connecting import HERE, Raw, line

from companion.games import registry

PIG = Path(__file__).parents[2] / "examples/pig"


@pytest.fixture
def house(tmp_path):
    made = House(tmp_path / "data")
    yield made
    made.close()


@pytest.fixture
def make_house(tmp_path):
    made = []

    def make(**options):
        made.append(House(tmp_path / f"data{len(made)}", **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def pig(monkeypatch):
    monkeypatch.syspath_prepend(str(PIG))
    yield registry.add("pig:Pig")
    registry.remove("pig")
    sys.modules.pop("pig")


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def looking(browser, house):
    opened = Looking(browser, house.serve())
    yield opened
    opened.close()
    assert opened.wrong == []


@pytest.fixture
def lines():
    """Open connections, all closed in the end."""
    with ExitStack() as stack:
        yield lambda port, source=HERE, sends=b"": stack.enter_context(line(port, source, sends))


@pytest.fixture
def raw():
    made = []

    def make(*what):
        made.append(Raw(*what))
        return made[-1]

    yield make
    for one in made:
        one.close()
