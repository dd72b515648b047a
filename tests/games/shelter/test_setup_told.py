"""What is said of a setup: each that cannot be names its clause and its field, and what is not said is usual."""

import pytest

from companion.games.shelter import adapter
from companion.games.shelter.setup import TableSetup, table_from_json
from companion.games.shelter.state import state_of
from companion.seeded_chance import SeededLuck

from .play import a_game, problem

SETUP = {"players": ["red", "blue"]}


@pytest.mark.parametrize(
    ("setup", "expected"),
    [
        ({"players": ["red"]}, ("bad_players", "C1", None)),
        ({"players": ["red", "red"]}, ("bad_players", "C1", None)),
        ({"players": ["red", "pink"]}, ("bad_players", "C1", None)),
        ({"players": "red"}, ("malformed", None, "players")),
        ({"players": [1, 2]}, ("malformed", None, "players")),
        ({"levels": ["red", "green"]}, ("bad_levels", "S2", None)),
        ({"levels": 3}, ("malformed", None, "levels")),
        ({"first": "green"}, ("bad_first", "S6", None)),
        ({"first": 4}, ("bad_first", "S6", None)),
        ({"decks": []}, ("malformed", None, "decks")),
        ({"decks": {"stones": []}}, ("malformed", None, "decks")),
        ({"decks": {"items": 3}}, ("malformed", None, "decks")),
        ({"decks": {"items": ["crown"]}}, ("unknown_card", "C2", None)),
        ({"decks": {"items": ["globe", "globe"]}}, ("unknown_card", "C2", None)),
        ({"discards": {"threats": ["garden"]}}, ("unknown_card", "C2", None)),
        ({"discards": 1}, ("malformed", None, "discards")),
        ({"house_rules": []}, ("malformed", None, "house_rules")),
        ({"house_rules": {"fun": True}}, ("unknown_house_rule", None, "house_rules")),
        ({"house_rules": {"income_automatic": 1}}, ("unknown_house_rule", None, "house_rules")),
        ({"cards": "none"}, ("malformed", None, "cards")),
        ({"options": 3}, ("malformed", None, "options")),
        ({"surprise": 1}, ("malformed", None, "setup")),
    ],
)
def test_a_setup_that_cannot_be_names_its_clause_and_its_field(setup, expected):
    box = a_game(2).box
    assert problem(adapter.begin, box, {**SETUP, **setup}, SeededLuck(1)) == expected


def test_what_is_not_said_of_a_setup_is_usual():
    table = TableSetup(["red", "blue"])
    assert (table.levels, table.first, table.rules.as_json(), table.real_decks) == (["red", "blue"], "red", {}, False)
    table = table_from_json(dict(SETUP))
    assert (table.players, table.levels, table.first) == (["red", "blue"], ["red", "blue"], "red")
    assert (table.rules.as_json(), table.real_decks, table.stacks, table.discards) == ({}, False, {}, {})
    table = table_from_json({**SETUP, "options": {"house_rules": {"income_automatic": True}, "cards": "table"}})
    assert (table.rules.as_json(), table.real_decks) == ({"income_automatic": True}, True)
    table = table_from_json({**SETUP, "levels": ["blue", "red"], "first": "blue", "cards": "table"})
    assert (table.levels, table.first, table.real_decks) == (["blue", "red"], "blue", True)


def test_a_stacked_deck_lies_on_top_or_is_all_there_is():
    box = a_game(2).box
    game = adapter.begin(box, {**SETUP, "decks": {"items": ["husky", "globe"]}}, SeededLuck(1))
    assert state_of(game)["tracks"]["items"][:2] == ["husky", "globe"]
    total = len(box.decks[0])
    assert state_of(game)["decks"]["items"] == total - 3
    only = {**SETUP, "decks": {"items": {"only": ["husky", "globe"]}}, "discards": {"rooms": ["garden"]}}
    state = state_of(adapter.begin(box, only, SeededLuck(1)))
    assert (state["tracks"]["items"], state["decks"]["items"], state["discards"]["rooms"]) == (
        ["husky", "globe"], 0, 1,
    )  # fmt: skip
