"""What the first page does not wait for is not loaded before it."""

import subprocess
import sys

import pytest

LATER = (
    *("cv2", "numpy", "gpiozero", "paho", "zeroconf", "segno", "urllib.request"),
    *("web.games.wasteland.board", "companion.cards.wasteland", "companion.games.wasteland.moves"),
    *("companion.bots.policy.search", "companion.bots.worth.purse", "companion.table.bots.win_forecast"),
    "companion.app.doctor.table_checks",
    "web.games.shelter.pages",
)


@pytest.fixture(scope="module")
def loaded():
    """Everything that `companion run` has loaded before it does anything."""
    program = "import sys, companion.commands.run; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return ran.stdout.split()


@pytest.mark.parametrize("name", LATER)
def test_it_is_loaded_when_it_is_needed(loaded, name):
    assert name not in loaded


def test_what_serves_the_first_page_is_there(loaded):
    assert {"flask", "waitress", "web.pages.table"} <= set(loaded)
