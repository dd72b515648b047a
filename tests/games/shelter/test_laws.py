"""Laws that hold in every position of every game."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.cards.together import DIFFICULTIES
from companion.games.shelter import moves as m
from companion.games.shelter.position import HOUSE_RULES
from companion.games.shelter.readings import contradiction
from companion.games.shelter.state import state_of
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.timeline import Timeline
from companion.refusal import Refusal
from companion.seeded_chance import QuickLuck, SeededLuck

from .laws import key, problems, said_by_anybody, universe, untold
from .play import PACKS, a_game, everything, random_walk

pytestmark = pytest.mark.long

tables = st.fixed_dictionaries(
    {
        "players": st.integers(2, 4),
        "pack": st.sampled_from(PACKS),
        "rules": st.sets(st.sampled_from(HOUSE_RULES)).filter(lambda rules: contradiction(frozenset(rules)) is None),
        "seed": st.integers(0, 10**9),
        "real_decks": st.booleans(),
        "together": st.sampled_from(("", "", *DIFFICULTIES)),
    }
)
some = settings(max_examples=50, suppress_health_check=list(HealthCheck))


@some
@given(tables)
def test_conserved_and_within_limits(table):
    before = {}
    for game, _ in random_walk(a_game(**table), table["seed"]):
        assert not problems(game)
        for colour in game.seats:
            assert dwellers_of(game, colour) >= before.get(colour, 2)
            before[colour] = dwellers_of(game, colour)
    assert game.result is not None
    assert game.round <= 60


@some
@given(tables)
def test_events_say_what_has_changed(table):
    source, luck = random.Random(table["seed"]), SeededLuck(1)
    game = a_game(**table)
    for _ in range(300):
        if game.result is not None:
            break
        before = game.copy()
        move = source.choice(game.legal_moves())
        assert untold(before, game, game.play(move, luck)) == [], move


@some
@given(tables)
def test_every_listed_move_plays(table):
    for number, (game, listed) in enumerate(random_walk(a_game(**table), table["seed"], 120)):
        assert len(listed) == len({str(move) for move in listed}), "a move is listed twice"
        if number % 5 == 0:
            for move in listed:
                twin = game.copy()
                twin.play(move, SeededLuck(1))
                assert not problems(twin)


@some
@given(tables)
def test_every_other_move_is_refused_with_a_clause_and_changes_nothing(table):
    source = random.Random(table["seed"])
    for number, (game, listed) in enumerate(random_walk(a_game(**table), table["seed"], 150)):
        if number % 10:
            continue
        legal = {key(move) for move in listed} | said_by_anybody(game)
        before = everything(game)
        for move in universe(game, source):
            if key(move) in legal or (move.do == m.PASS and move.by < 0):
                continue
            with pytest.raises(Refusal) as caught:
                game.play(move, SeededLuck(1))
            assert caught.value.clause, move
            assert caught.value.code
            assert everything(game) == before, move


@some
@given(tables)
def test_replay_of_the_record_gives_the_identical_state(table):
    timeline = Timeline(a_game(**table))
    source = random.Random(table["seed"])
    luck = QuickLuck(source)
    for _ in range(200):
        if timeline.game.result is not None:
            break
        timeline.play(source.choice(timeline.game.legal_moves()), luck)
    again = Timeline(a_game(**table))
    for move, outcome in timeline.moves():
        again.replay(m.read(move.as_json()), outcome)
    assert everything(again.game) == everything(timeline.game)
    assert state_of(again.game) == state_of(timeline.game)


@some
@given(tables, st.lists(st.integers(0, 60), max_size=4))
def test_undo_then_redo_is_the_identity(table, targets):
    timeline = Timeline(a_game(**table))
    source = random.Random(table["seed"])
    luck = SeededLuck(3)
    for _ in range(60):
        if timeline.game.result is None:
            timeline.play(source.choice(timeline.game.legal_moves()), luck)
    for target in targets:
        before = everything(timeline.game)
        timeline.undo(min(target, timeline.version))
        timeline.redo()
        assert everything(timeline.game) == before
    timeline.undo()
    timeline.undo()
    timeline.redo()
    timeline.redo()


@some
@given(tables)
def test_a_copy_shares_nothing_that_changes(table):
    game = a_game(**table)
    for number, (one, _) in enumerate(random_walk(game, table["seed"], 90)):
        if number % 15 == 0:
            before = everything(one)
            twin = one.copy()
            assert everything(twin) == before
            for _ in random_walk(twin, number, 25):
                pass
            assert everything(one) == before


def test_the_same_seed_gives_the_same_game():
    def game_of(seed):
        return [state_of(game) for game, _ in random_walk(a_game(4, seed=seed), seed, 80)]

    assert game_of(5) == game_of(5)
    assert game_of(5) != game_of(6)
