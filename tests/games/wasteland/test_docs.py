"""The documentation names everything that there is, and its example is green."""

import json
import re
from pathlib import Path

from companion.cards.wasteland.types import Asks, Does, StepKind
from companion.games.wasteland import legal, moves, position
from companion.games.wasteland.corrections import correcting
from companion.games.wasteland.state import state_of
from companion.seeded_chance import SeededLuck
from tests.games.scenarios import run_in_the_wasteland

from .play import a_game, the_box

DOCS = Path(__file__).parents[3] / "docs"
MOVES = (DOCS / "wasteland-moves.md").read_text(encoding="utf-8")
CARDS = (DOCS / "wasteland-cards.md").read_text(encoding="utf-8")


def test_every_move_and_its_fields_are_documented():
    for do, kind in moves.KINDS.items():
        line = next(line for line in MOVES.splitlines() if f'"do": "{do}"' in line and line.startswith("|"))
        assert [field for field in kind.by_key if f'"{field}"' not in line] == [], do


def test_every_choice_reminder_and_part_of_the_state_is_documented():
    wanted = [*legal.KINDS, *position.REMINDERS, *correcting.PEGS]
    assert [name for name in wanted if f"`{name}`" not in MOVES] == []
    assert [part for part in state_of(a_game()) if f'"{part}":' not in MOVES] == []


def test_the_vocabulary_of_the_cards_is_documented():
    words = [one.value for kind in (Does, Asks, StepKind) for one in kind]
    assert [word for word in words if not re.search(rf"`{word}\b", CARDS)] == []


def test_the_scenario_of_the_documentation_is_green():
    shown = re.search(r'```json\n(\{"game": "wasteland", "name".*?)```', MOVES, re.DOTALL)
    raw = json.loads(shown[1])
    raw["moves"].append({"do": "choose", "by": "red", "option": "no-icon"})
    assert run_in_the_wasteland(raw, the_box(), SeededLuck(1)) == []
