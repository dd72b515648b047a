"""Games are found by looking, and others are added by name; what is no game is told in one line."""

import sys

import pytest

import companion.games
from companion.app.config import ConfigFaults, load
from companion.games import registry
from companion.games.api import COLOURS, Game
from companion.refusal import Refusal

NO_GAME = "class Thing:\n    name = 'thing'\n"
HALF = """
from companion.games.api import Game

class Half(Game):
    name = "half"

    def new(self, pack, setup, chance):
        return None
"""


def whole(name):
    """A game that can be added, and nothing else."""
    return HALF.replace('"half"', f'"{name}"\n    title = "Half"') + "".join(
        f"    def {member}(self, *more):\n        return None\n"
        for member in ("legal", "read", "serialize", "standing", "state", "write")
    )


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Writes a module that can be imported until the test ends."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(text, name="strangers_game"):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        monkeypatch.delitem(sys.modules, name, raising=False)
        return name

    yield write
    sys.modules.pop("strangers_game", None)


def test_our_own_games_are_found_in_their_folders():
    assert registry.names() == ("shelter", "wasteland")
    assert [game.name for game in registry.games()] == list(registry.names())
    assert registry.DEFAULT in registry.names()


def test_a_package_with_an_adapter_is_found_and_one_without_is_none(tmp_path, monkeypatch):
    for name, file in (("coin", "adapter"), ("attic", "box")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
        (tmp_path / name / f"{file}.py").write_text(whole("coin") + "\nGAME = Half\n", encoding="utf-8")
    monkeypatch.setattr(companion.games, "__path__", [*companion.games.__path__, str(tmp_path)])
    registry.forget()
    try:
        assert registry.names() == ("coin", "shelter", "wasteland")
        assert registry.game_of("coin").title == "Half"
    finally:
        monkeypatch.undo()
        registry.forget()
        for name in [
            name for name in sys.modules if name.startswith(("companion.games.coin", "companion.games.attic"))
        ]:
            del sys.modules[name]


@pytest.mark.parametrize("name", registry.names())
def test_every_game_says_all_that_the_port_asks(name):
    game = registry.game_of(name)
    assert isinstance(game, Game)
    assert game.title
    fewest, most = game.seats
    assert 1 <= fewest <= most <= len(COLOURS)
    assert not game.packs() or game.home_pack in game.packs()


def test_a_game_that_nobody_knows_is_refused():
    with pytest.raises(Refusal, match="there is: shelter, wasteland"):
        registry.game_of("chess")


ODD_WHEN_MADE = """
from companion.games.shelter.adapter import Shelter


class Odd(Shelter):
    def __init__(self):
        raise RuntimeError("no dice")
"""


@pytest.mark.parametrize(
    ("text", "place", "told"),
    [
        (NO_GAME, "{}", "is named as module:object"),
        (NO_GAME, "no_such_module:Thing", "cannot be imported: ModuleNotFoundError: No module named 'no_such_module'"),
        (NO_GAME, "{}:Other", "cannot be imported: AttributeError"),
        ("import this is no python", "{}:Thing", "cannot be imported: SyntaxError"),
        ("raise OSError('no disk')", "{}:Thing", "cannot be imported: OSError: no disk"),
        (NO_GAME, "{}:Thing", "does not inherit from companion.games.api.Game"),
        (ODD_WHEN_MADE, "{}:Odd", "cannot be made: RuntimeError: no dice"),
        (HALF, "{}:Half", "lacks legal, read, serialize, standing, state, title, write"),
    ],
)
def test_what_is_no_game_is_told_in_one_line(module, text, place, told):
    place = place.format(module(text))
    with pytest.raises(registry.GameFaultError) as fault:
        registry.add(place)
    assert str(fault.value).startswith(place)
    assert told in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize("text", [ODD_WHEN_MADE, "class Odd:\n    known = {}['nothing']\n"])
def test_the_log_says_where_a_module_fails(module, caplog, text, tmp_path):
    """Its author has written more than one line."""
    name = module(text)
    (tmp_path / "companion.toml").write_text(f'[table]\ngames = ["{name}:Odd"]\n', encoding="utf-8")
    with pytest.raises(ConfigFaults):
        load(tmp_path / "companion.toml")
    assert f"{name}.py" in caplog.text


def test_a_bug_in_a_game_of_ours_is_no_fault_of_a_line_of_configuration(monkeypatch):
    def broken(_):
        raise KeyError("a bug")

    registry.forget()
    monkeypatch.setattr(registry, "import_module", broken)
    with pytest.raises(KeyError, match="a bug"):
        registry.game_of("shelter")


def test_a_name_that_is_taken_is_told(module):
    name = module("from companion.games.shelter.adapter import Shelter as Mine\n")
    with pytest.raises(registry.GameFaultError, match="there is a game called shelter already"):
        registry.add(f"{name}:Mine")


def test_an_object_is_a_game_as_well_as_its_class(module):
    name = module(whole("half") + "\nHALF = Half()\n")
    try:
        assert registry.add(f"{name}:HALF") is registry.game_of("half")
        assert registry.names()[-1] == "half"
    finally:
        registry.remove("half")
    assert "half" not in registry.names()
