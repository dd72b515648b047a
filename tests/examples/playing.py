"""The game of pig, as tests play it."""

from pathlib import Path

from companion.table.session.intents import StartGame
from tests.network.conftest import Place
from tests.table.at_the_table import Table

ROOT = Path(__file__).parents[2]
PIG = ROOT / "examples/pig"
SCENARIOS = sorted((PIG / "scenarios").glob("*.json"))


def begin(table: Table | Place, *players, **setup):
    return table.ask(StartGame({"players": list(players or ("red", "blue")), **setup}, plays="pig", seed="1"))
