"""What the tests of the examples share: the game of pig, as a line of the configuration adds it."""

import pytest

from companion.app.config import load
from companion.games import registry
from tests.examples.playing import PIG


@pytest.fixture
def pig():
    """The game, until the test ends."""
    (name,) = load(PIG / "companion.toml").games
    yield registry.game_of(name)
    registry.remove(name)
