"""Files, variables of the environment and names in the documents are those of the code."""

import pytest

from .names import name_faults, read_from_the_environment, variables_told
from .pages import OF_TODAY


@pytest.mark.parametrize("page", OF_TODAY, ids=lambda page: page.name)
def test_names_are_those_of_the_code(page):
    assert name_faults(page.read_text(encoding="utf-8")) == []


def test_every_variable_that_is_read_is_described():
    told = set().union(*(variables_told(page.read_text(encoding="utf-8")) for page in OF_TODAY))
    assert "COMPANION_DATA" in read_from_the_environment()
    assert read_from_the_environment() - told == set()


@pytest.mark.parametrize(
    "text",
    [
        "The folder of `COMPANION_DATE`.",
        "Say\n\n    COMPANION_SCREEN=docs/screens ./test tests/web\n",
        "Say\n\n    PLAICE=/tmp/tree tests/appliance/prove\n",
        "See `tests/web/test_everything.py`.",
        "See `tests/table/no-such-folder`.",
        "See `no_such_module.py`.",
        "See `hardware/cameras/no-such*.py`.",
        "Unless `alow_commands` is true.",
        "It is `seat_is_on_fire` then.",
    ],
)
def test_a_lie_is_found(text):
    assert name_faults(text)


@pytest.mark.parametrize(
    "text",
    [
        "`COMPANION_DATA`, `tests/web/test_pages.py`, `pen.py`, `cameras/simulated.py`, `companion/languages`",
        "`allow_commands`, `odds_win`, `tests/frames`, `companion/<table>/state`, `companion/+/command`",
        "`/host/back`, `one-thing.jpg`, `settings.toml`",
        "Say\n\n    PYTHON=python3.12 ./run\n",
    ],
)
def test_the_truth_is_not(text):
    assert name_faults(text) == []
