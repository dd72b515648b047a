"""Whoever adds an event, an item effect or a button is told by mypy what else has to know of it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent.parent
FINDING = re.compile(r"^(?P<file>\S+\.py):\d+: error: (?P<text>.*)$", re.MULTILINE)
EFFECT = "\n@dataclass(frozen=True, slots=True)\nclass {}(BaseEffect):\n    use: Use\n\n\n"
ADDED = {
    "companion/cards/item_effects.py": [
        ("\nItemEffect = ", f"{EFFECT.format('Umbrella')}ItemEffect = Umbrella | "),
        ("\nAnyTimeEffect = ", f"{EFFECT.format('Kettle')}AnyTimeEffect = Kettle | "),
    ],
    "companion/games/shelter/events.py": [
        ("\nclass GameOver(", "\nclass LampLit(NamedTuple):\n    lamp: str\n\n\nclass GameOver("),
        ("\nOfNobody = ", "\nOfNobody = LampLit | "),
    ],
    "companion/table/session/events.py": [
        ("\nclass GameThawed(", "\nclass DoorOpened(NamedTuple):\n    door: str\n\n\nclass GameThawed("),
        ("    | GameThawed ", "    | DoorOpened | GameThawed "),
    ],
    "companion/games/api.py": [('\n    UNDO = "undo"\n', '\n    UNDO = "undo"\n    HORN = "horn"\n')],
}


@pytest.fixture(scope="module")
def findings(tmp_path_factory):
    """What mypy says of the tree with all of them in it; it looks again only at what depends on them."""
    folder = tmp_path_factory.mktemp("types")
    if (HERE / ".mypy_cache").is_dir():
        shutil.copytree(HERE / ".mypy_cache", folder / "cache")
    shadows = []
    for number, (file, changes) in enumerate(ADDED.items()):
        text = (HERE / file).read_text(encoding="utf-8")
        for old, new in changes:
            assert text.count(old) == 1, (file, old)
            text = text.replace(old, new)
        shadow = folder / f"{number}.py"
        shadow.write_text(text, encoding="utf-8")
        shadows += ["--shadow-file", file, str(shadow)]
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(folder / "cache"), *shadows]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    found = [match.groupdict() for match in FINDING.finditer(done.stdout)]
    assert found, done.stdout + done.stderr
    return found


@pytest.mark.parametrize(
    ("added", "readers"),
    [
        pytest.param("Umbrella", ["companion/games/shelter/cards/box.py"], id="item effect"),
        pytest.param("Kettle", ["companion/games/shelter/cards/items.py"], id="item effect at any time"),
        pytest.param("LampLit", ["companion/games/shelter", "web"], id="event of the rules"),
        pytest.param("DoorOpened", ["companion/table", "hardware", "web"], id="event of the table"),
        pytest.param("HORN", ["companion/games/api.py"], id="button"),
    ],
)
def test_what_nobody_knows_is_found_by_mypy(findings, added, readers):
    """The rules carry effects out, feed and voice read events; what a button means stands beside it.

    Whatever else reads an effect asks its class (`tests/cards/test_item_effects.py`), and whatever else reads a button
    asks it or the game (`tests/table/test_buttons.py`, `tests/hardware/test_panel.py`).
    """
    told = [one["file"] for one in findings if added in one["text"]]
    assert [reader for reader in readers if not any(file.startswith(reader) for file in told)] == [], told
