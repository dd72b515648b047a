"""Whatever arrives is a move or a refusal; a refusal leaves everything as it was."""

import random

import pytest

from companion.games.wasteland import moves
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

from .fuzz import a_move
from .laws import problems
from .play import a_game, everything, walked


@pytest.mark.parametrize("seed", range(10))
def test_five_hundred_odd_moves_change_nothing_when_refused(seed):
    source = random.Random(seed)
    scenario = ("the-salt-road", "the-drowned-lights")[seed % 2]
    game = walked(seed=seed, players=seed % 4 + 1, steps=seed * 17, table_dice=seed == 3, scenario=scenario)
    before, kept, played = everything(game), game.copy(), 0
    for _ in range(500):
        raw = a_move(source)
        try:
            game.play(moves.read(raw), SeededLuck(seed))
        except Refusal as refusal:
            assert everything(game) == before, raw
            assert refusal.code
            assert isinstance(refusal.fields, dict)
            continue
        played += 1
        assert not problems(game), raw
        game = kept.copy()
    assert played < 400


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ("move", "move"),
        ({}, "do"),
        ({"do": "fly"}, "do"),
        ({"do": "camp"}, "by"),
        ({"do": "camp", "by": "pink"}, "by"),
        ({"do": "camp", "by": "red", "to": "x"}, "to"),
        ({"do": "step", "by": "red"}, "to"),
        ({"do": "step", "by": "red", "to": "x", "terrain": ["wet"]}, "terrain"),
        ({"do": "fight", "by": "red", "enemy": "1"}, "enemy"),
        ({"do": "explore", "by": "red", "enemies": ["critter"]}, "enemies"),
        ({"do": "result", "by": "red", "results": ["xp"]}, "results"),
        ({"do": "offer", "by": "red", "to": "blue", "give": {"love": 1}}, "give"),
        ({"do": "camp", "by": "red", "dice": [["z9"]]}, "dice"),
    ],
)
def test_a_malformed_move_names_its_field(raw, field):
    with pytest.raises(Refusal) as refused:
        moves.read(raw)
    assert (refused.value.code, refused.value.fields["field"]) == ("malformed", field)


def test_told_dice_are_as_many_as_are_thrown():
    game = a_game(survivors={0: "the-netmaker", 1: "the-pilgrim"})
    game.play(
        moves.read({"do": "test", "by": ("red", "blue")[game.turn], "letters": "S", "difficulty": 9}), SeededLuck(0)
    )
    by = ("red", "blue")[game.pending[0].by]
    with pytest.raises(Refusal) as refused:
        game.play(moves.read({"do": "choose", "by": by, "option": "roll", "dice": [["0", "0"]]}), SeededLuck(0))
    assert refused.value.clause == "W-DICE-3"
