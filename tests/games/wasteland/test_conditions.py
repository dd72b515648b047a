"""Conditions on cards: what the companion can see holds or does not."""

import pytest

from companion.cards.wasteland import notation
from companion.games.wasteland import moves
from companion.games.wasteland.flow.conditions import holds
from companion.seeded_chance import SeededLuck

from .play import a_game

BOARD = {
    "letters": "SCL", "caps": 6, "traits": ["idolized"], "perks": ["iron-grip", "beachcomber"], "weapon": "anchor",
    "apparel": "diving-suit", "inventory": ["tide-tables", "log-book"], "space": "market",
}  # fmt: skip


@pytest.fixture(scope="module")
def game():
    game = a_game(survivors={0: "the-netmaker", 1: "the-pilgrim"})
    change = {"players": {"red": BOARD, "blue": {"space": "reef", "perks": []}}}
    game.play(moves.read({"do": "correct", "set": change}), SeededLuck(0))
    return game


@pytest.mark.parametrize(
    ("line", "true"),
    [
        ("trait idolized", True), ("trait synth", False), ("not synth", True), ("not idolized", False),
        ("letter C", True), ("letter CS", True), ("letter CP", False), ("letter SCL", True),
        ("letters 3", True), ("letters 4", False), ("letters 1-2", False), ("letters 3-3", True),
        ("caps 6", True), ("caps 7", False), ("caps 1-5", False), ("caps 6-6", True),
        ("armor 2", True), ("armor 3", False), ("armor 0-1", False),
        ("perks 2", True), ("perks 3", False), ("perks 1-1", False), ("perks 2-2", True),
        ("has magazine", True), ("has companion", False), ("has weapon", True), ("count drug", False),
        ("equipped weapon", True), ("equipped companion", False), ("equipped magazine", False),
        ("space market", True), ("space reef", False), ("space the-glade-that-only-the-table-knows", True),
        ("with-survivor", False), ("manual ask", True), ("lead", True),
    ],
)  # fmt: skip
def test_a_condition(game, line, true):
    assert holds(game, 0, notation.condition(line)) is true


def test_company_is_another_survivor_in_the_space(game):
    together = game.copy()
    together.survivors[1].at = "market"
    assert holds(together, 0, notation.condition("with-survivor"))
    together.survivors[1].eliminated = True
    assert not holds(together, 0, notation.condition("with-survivor"))
