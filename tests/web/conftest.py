import pytest
from at_the_door import House


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
