"""The paper of co-operative play: every aim and crisis in every language, with the numbers that the rules ask."""

import pytest

from companion.cards.loader import builtin
from companion.cards.together import AIMS, CRISES, DIFFICULTIES
from companion.games.shelter.setup import new_game, table_from_json
from companion.games.shelter.state import state_of
from companion.languages import catalogues
from companion.pieces.drawing.signs import PrintedWords
from companion.pieces.kinds.together import aim_in_words, asked_of
from companion.pieces.sheets.all_pieces import PrintedBox
from companion.pieces.sheets.paper import print_sheets
from companion.seeded_chance import SeededLuck
from tests.games.shelter.play import box


@pytest.mark.parametrize("language", catalogues.codes())
def test_the_sheet_is_printed_in_every_language(language):
    own = PrintedBox(builtin("homemade"), language, "http://table.local/")
    assert print_sheets(own, "a4", ["together"]).startswith(b"%PDF")
    assert len(own.pieces("together")) == 1 + len(AIMS) + len(CRISES)
    words = PrintedWords.of(language, {})
    assert all(aim_in_words(words, aim.key)[-1].isalpha() for aim in AIMS), "no number is left out in the middle"


@pytest.mark.parametrize("aim", AIMS, ids=lambda aim: aim.key)
def test_a_card_asks_what_the_rules_ask(aim):
    for difficulty, goals in zip(DIFFICULTIES, aim.goals, strict=True):
        for players, asked in enumerate(asked_of(aim, goals), 1):
            colours = ["red", "blue", "green", "yellow"][:players]
            agreed = {"difficulty": difficulty, "aims": [aim.key]}
            game = new_game(box(), table_from_json({"players": colours, "together": agreed}), SeededLuck(1))
            (shared,) = state_of(game)["together"]["aims"]
            times = {"rooms": players, "content": players, "stores": 3}.get(aim.key, 1)
            assert asked * times == shared["goal"]
