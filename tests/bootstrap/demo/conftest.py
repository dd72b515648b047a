import pytest

from companion.app.demo.playground import DemoPlayground
from companion.cards.loader import builtin
from hardware.panel.wiring import load


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    return DemoPlayground(builtin("homemade"), ("red", "blue"), tmp_path_factory.mktemp("pieces"), load())


@pytest.fixture
def drawn(made):
    """A drawn table, laid as a game begins, with nobody there yet."""
    made.help(wanted=True)
    made.cover(lens=False)
    made.lay_out(dwellers=0)
    yield made
    made.table.clear()
