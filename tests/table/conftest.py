import pytest
from at_the_table import Table


@pytest.fixture
def table(tmp_path):
    made = Table(tmp_path / "data")
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
