"""A hidden agenda is nowhere but with its owner (W-AGENDA-3, W-CORE-5)."""

import json
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.wasteland import moves
from companion.games.wasteland.events import serialize
from companion.games.wasteland.state import private_of, state_of
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

from .fuzz import a_move
from .play import a_game, random_walk, walked


def hidden(game):
    """The agendas that nobody but their owners may know."""
    found = set()
    for seat in game.seats:
        survivor = game.survivors[seat]
        found |= {game.box.agendas[card].id for place, card in enumerate(survivor.hand) if place != survivor.revealed}
    return found


def leaked(game, *public):
    text = json.dumps(public)
    return [name for name in hidden(game) if f'"{name}"' in text]


@pytest.mark.long
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(st.integers(1, 4), st.integers(0, 10**9))
def test_w_agenda_3_state_events_and_moves_hide_the_hands(players, seed):
    game = a_game(players=players, seed=seed)
    for move, events in random_walk(game, seed, steps=250):
        if game.result is not None:
            break
        listed = [one.public() for one in game.legal_moves()]
        assert not leaked(game, state_of(game), [serialize(event) for event in events], move.public(), listed), move


@pytest.mark.parametrize("seed", range(4))
def test_w_agenda_3_refusals_hide_the_hands(seed):
    source = random.Random(seed)
    game = walked(seed=seed, players=seed + 1, steps=60)
    for _ in range(600):
        raw = a_move(source)
        try:
            game.copy().play(moves.read(raw), SeededLuck(seed))
        except Refusal as refusal:
            said = json.dumps(raw, default=str)
            told = [name for name in leaked(game, refusal.as_json()) if name not in said]
            assert not told, raw


def test_w_agenda_3_a_hand_is_shown_to_its_owner_only():
    game = walked(seed=5, players=3, steps=80)
    for seat in game.seats:
        own = {one["id"] for one in private_of(game, seat)["hand"]}
        for other in game.seats:
            if other != seat:
                assert not own & {one["id"] for one in private_of(game, other)["hand"]}


def test_w_core_5_inactive_enemies_hide_their_faces():
    game = walked(seed=5, players=3, steps=80)
    for number, token in game.enemies.items():
        seen = state_of(game)["enemies"][str(number)]
        assert token.active is (seen["id"] is not None)


def test_a_told_agenda_is_not_repeated_by_the_refusal():
    game = a_game(survivors={0: "the-netmaker", 1: "the-pilgrim"})
    other = game.box.agendas[game.survivors[1 - game.turn].hand[0]].id
    by = ("red", "blue")[game.turn]
    move = moves.read({"do": "result", "by": by, "results": ["draw agenda 1"], "drawn": [other]})
    with pytest.raises(Refusal) as refused:
        game.play(move, SeededLuck(0))
    assert other not in json.dumps(refused.value.as_json())
    assert move.public()["drawn"] == 1


def test_the_public_form_of_a_correction_has_no_hand():
    change = {"players": {"red": {"hand": ["good-name"], "caps": 2}, "blue": 3}, "round": 2}
    move = moves.read({"do": "correct", "set": change})
    assert move.public()["set"] == {"players": {"red": {"caps": 2}, "blue": 3}, "round": 2}
    assert "good-name" not in repr(move)
    assert moves.read({"do": "answer", "by": "red", "agenda": 1, "count": 3}).public() == {"do": "answer", "by": "red"}
