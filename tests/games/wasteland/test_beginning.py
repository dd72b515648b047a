"""Before a game: what is agreed, and cards that are corrected later."""

from dataclasses import replace

import pytest

from companion.cards.wasteland.loader import builtin
from companion.games.wasteland.box import WastelandBox
from companion.games.wasteland.flow.ending import worth
from companion.games.wasteland.game import table_from_json, with_cards
from companion.games.wasteland.state import state_of
from companion.refusal import Refusal

from .laws import problems
from .play import a_game, random_walk


def test_a_table_from_json():
    table = table_from_json(
        {
            "players": ["blue", "red"],
            "first": "red",
            "options": {"dice": "table"},
            "decks": {"loot": {"only": ["oilskin"]}},
        }
    )
    assert (table.players, table.first, table.table_dice, table.tops, table.only) == (
        (1, 0),
        0,
        True,
        {"loot": ["oilskin"]},
        {"loot"},
    )


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"players": "red"},
        {"players": ["pink"]},
        {"players": ["red"], "house": 1},
        {"players": ["red"], "options": {"dice": "loaded"}},
        {"players": ["red"], "decks": {"loot": {"all": []}}},
        {"players": ["red"], "survivors": {"red": 3}},
    ],
)
def test_a_malformed_table_is_refused(raw):
    with pytest.raises(Refusal) as refused:
        table_from_json(raw)
    assert refused.value.code == "malformed"


def test_a_corrected_card_keeps_its_place():
    pack = builtin("homemade")
    game = a_game(seed=3)
    for _ in random_walk(game, 3, steps=60):
        pass
    dearer = WastelandBox(replace(pack, agendas=tuple(replace(card, base=2) for card in pack.agendas)))
    changed = with_cards(game, dearer)
    assert worth(changed, 0, dearer.agendas[4], 0) == worth(game, 0, game.box.agendas[4], 0) + 1
    before, after = state_of(game), state_of(changed)
    for seat, board in after["players"].items():
        assert board.pop("influence") == before["players"][seat].pop("influence") + board["agendas"]
    assert after == before
    assert not problems(changed)


def test_another_pack_is_refused():
    pack = builtin("homemade")
    with pytest.raises(Refusal):
        with_cards(a_game(), WastelandBox(replace(pack, perks=pack.perks[1:])))
