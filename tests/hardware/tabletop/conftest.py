import pytest

from companion.cards.loader import builtin
from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader
from hardware.tabletop.simulated_table import PROFILE, make_table


@pytest.fixture(scope="session")
def pack():
    return builtin("homemade")


@pytest.fixture(scope="session")
def set_up(pack, tmp_path_factory):
    """A bare table, drawn once for all tests, and its eyes."""
    folder = tmp_path_factory.mktemp("pieces")
    table = make_table(pack, "en", folder)
    return table, TableReader(load_profile(folder / PROFILE))


@pytest.fixture
def table(set_up):
    table, _ = set_up
    table.clear()
    table._chance.seed(1)
    yield table
    table.clear()


@pytest.fixture
def look(set_up):
    """What the real vision reads on the table now, in the contract's form."""
    table, eyes = set_up

    def read():
        return eyes.look(table.picture()).reading.to_json()

    return read
