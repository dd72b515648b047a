import pytest
from at_the_table import Eye, Table
from bots_at_the_table import Bots
from promised import SECRETS


@pytest.fixture
def table(tmp_path):
    made = Table(tmp_path / "data")
    yield made
    made.close()


@pytest.fixture
def fair(tmp_path):
    """A table whose secrets are the same in every run."""
    secrets = iter(SECRETS)
    made = Table(tmp_path / "data", new_secret=lambda: next(secrets))
    yield made
    made.close()


@pytest.fixture
def make_table(tmp_path):
    made = []

    def make(**parts):
        made.append(Table(tmp_path / f"data{len(made)}", **parts))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def eye(table):
    table.start(start={"players": {"red": {"available": ["plain"] * 3}, "blue": {"available": ["plain"] * 3}}})
    eye = Eye(table)
    eye.look()
    return eye


@pytest.fixture
def bots(table):
    made = []

    def seat(**more):
        made.append(Bots(table, **more))
        return made[-1]

    yield seat
    for one in made:
        one.close()
        assert one.thread.helper is None
